# SPDX-License-Identifier: Apache-2.0
"""Plots say what they show, have a table twin, take keys, leave the wheel, save themselves."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QAccessible,
    QFontMetricsF,
    QImage,
    QPainter,
    QPaintEvent,
    QPicture,
    QRegion,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.plots.averaging_plot import AveragingPlot
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.plots.budget_plot import BudgetPlot
from dpdesk.desk.plots.choice_plot import ChoicePlot
from dpdesk.desk.plots.noise_plot import NoisePlot
from dpdesk.desk.plots.pictures import picture_of
from dpdesk.desk.plots.plot_base import Plot, PlotView
from dpdesk.desk.plots.released_plot import ReleasedPlot
from dpdesk.desk.plots.two_worlds_plot import (
    NAMES,
    TwoWorldsPlot,
    WorldsWords,
)
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.roles import Role, color, on_paper
from dpdesk.desk.theme.theme import Theme
from dpdesk.privacy.planning.choice_curve import ChoiceCurve
from dpdesk.privacy.planning.two_worlds import TwoWorlds
from dpdesk.release.ledger.spending.budget_steps import BudgetStep
from dpdesk.study.model.amount import Epsilon
from tests.desk.screens import settle

X = np.linspace(-4.0, 4.0, 200)
DENSITY = np.exp(-abs(X))


def noise() -> PlotView:
    plot = NoisePlot()
    plot.show_noise(X, DENSITY, 3.0, "days")
    return plot


def worlds() -> PlotView:
    plot = TwoWorldsPlot()
    ratio = np.exp(np.clip(X, -0.5, 0.5))
    shown = TwoWorlds("figure", X, DENSITY, np.roll(DENSITY, 9), ratio, float(np.exp(0.5)))
    plot.show_worlds(shown, WorldsWords("without her", "with her", unit="days"))
    return plot


def averaging() -> PlotView:
    plot = AveragingPlot()
    repeats = np.arange(1.0, 41.0)
    plot.show_curve(repeats, repeats**-0.5, repeats * 0.1, 1.0)
    return plot


def choice() -> PlotView:
    plot = ChoicePlot()
    gaps = np.arange(0.0, 40.0)
    curve = ChoiceCurve(gaps, np.exp(-gaps / 6) / 2, 18.0, 0.025, rises=False)
    plot.show_choice(curve, "at most 18 rows off", "rows worse than the best", "At most 18 rows.")
    return plot


def budget() -> PlotView:
    """A day apart, a step of the same minute, and a clock that was set back."""
    plot = BudgetPlot()
    one = Epsilon.of("1")
    amounts = [("0", "0"), ("0", "0.4"), ("0.2", "0.2"), ("0.5", "0")]
    days = ("2026-11-21", "2026-11-22", "2026-11-22", "2026-11-20")
    steps = [
        BudgetStep(k, f"{day}T14:32Z", Epsilon.of(spent), Epsilon.of(held), one)
        for k, (day, (spent, held)) in enumerate(zip(days, amounts, strict=True), 1)
    ]
    plot.show_steps("registry", steps)
    return plot


def bars() -> Plot:
    plot = ErrorBarsPlot()
    plot.show_figures(["f", "m", "other"], [1204.0, -3.5, None], [60.0, 60.0, 0.0], "people")
    return plot


Made = TypeVar("Made", bound=Plot)

WITH_TWIN = [noise, worlds, averaging, choice, budget]


@pytest.fixture(params=WITH_TWIN, ids=lambda make: make.__name__)
def twinned(request: pytest.FixtureRequest, qtbot: QtBot) -> PlotView:
    """Bars are not among them: their card has one table, see ``test_result_table.py``."""
    make: Callable[[], PlotView] = request.param
    return shown(make(), qtbot)


@pytest.fixture(params=[*WITH_TWIN, bars], ids=lambda make: make.__name__)
def plot(request: pytest.FixtureRequest, qtbot: QtBot) -> Plot:
    make: Callable[[], Plot] = request.param
    return shown(make(), qtbot)


def shown(made: Made, qtbot: QtBot) -> Made:
    qtbot.addWidget(made)
    made.resize(420, 260)
    made.show()
    return made


@pytest.mark.parametrize("outcome", ["figure", "choice"])
def test_lines_of_the_two_worlds_do_not_touch(qtbot: QtBot, outcome: str) -> None:
    """Neither the names of the curves nor the numbers of the strip, at its least height."""
    plot = TwoWorldsPlot()
    ratio = np.exp(np.clip(X, -0.1, 0.1))
    curves = TwoWorlds(outcome, X, DENSITY, np.roll(DENSITY, 9), ratio, float(np.exp(0.1)))
    plot.show_worlds(curves, WorldsWords("without her", "with her", axis="rows ahead"))
    shown(plot, qtbot)
    plot.resize(420, plot.minimumSizeHint().height())
    QApplication.processEvents()
    line = QFontMetricsF(font(Type.QUIET)).height()
    names = [one for one in plot.canvas.getPlotItem().items if isinstance(one, pg.TextItem)]
    heights = sorted(plot.canvas.getPlotItem().vb.mapViewToScene(one.pos()).y() for one in names)
    apart = [below - above for above, below in pairwise(heights)]
    assert len(apart) == 2 and min(apart) >= line, "two curves, and the strip"
    strip = [plot._strip_place(ratio) for ratio in (np.exp(0.1), 1.0)]
    tops = [plot.canvas.getPlotItem().vb.mapViewToScene(QPointF(0, place)).y() for place in strip]
    assert tops[1] - tops[0] >= 0.9 * line
    (ratio_name,) = [one for one in names if one.toPlainText().startswith("Ratio")]
    seen = on_scene(ratio_name).center().y()
    zero = plot.canvas.getPlotItem().vb.mapViewToScene(QPointF(0, 0)).y()
    # It lay over the dotted line in the middle of the strip.
    assert zero <= seen - 0.4 * line and seen + 0.4 * line <= tops[0], "between both"
    plot.resize(290, plot.height())
    QApplication.processEvents()
    view = plot.canvas.getPlotItem().vb
    ends = next(
        x for x, y in map(_points, plot.canvas.getPlotItem().listDataItems()) if y[0] == NAMES[1]
    )
    left, right = (view.mapViewToScene(QPointF(place, 0.79)).x() for place in ends)
    assert right - left >= 20, "two dashes, and what is between"


def _points(curve: pg.PlotDataItem) -> tuple[list[float], list[float]]:
    x, y = curve.getData()
    return list(x), list(y)


def test_a_plot_says_what_it_shows_with_its_numbers(plot: Plot) -> None:
    for widget in (plot, plot.canvas):
        assert widget.accessibleName()
        sentence = widget.accessibleDescription()
        assert sentence.endswith(".")
        assert any(c.isdigit() for c in sentence)
        assert "%n" not in sentence and "{" not in sentence and "(s)" not in sentence


def test_bars_say_their_unit_once(qtbot: QtBot) -> None:
    made = ErrorBarsPlot()
    qtbot.addWidget(made)
    made.show_figures(["A", "B"], [5.5, 4.1], [0.5, 0.5], "days")
    assert "95 times in 100. Unit: days. A: 5.5" in made.canvas.accessibleDescription()
    made.show_figures(["A", "B"], [55, 41], [5, 5], "%")
    assert "Unit" not in made.canvas.accessibleDescription()


def test_the_table_twin_holds_the_numbers(twinned: PlotView, qtbot: QtBot) -> None:
    assert not twinned.table.isVisible()
    qtbot.mouseClick(twinned.as_table, Qt.MouseButton.LeftButton)
    assert twinned.table.isVisible() and not twinned.canvas.isVisible()
    model = twinned.table.model()
    assert model.rowCount() >= 3
    assert all(model.index(0, c).data() for c in range(model.columnCount()))


def test_ctrl_c_copies_the_twin(twinned: PlotView, qtbot: QtBot) -> None:
    QApplication.clipboard().setText("before")
    qtbot.keyClick(twinned.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().count("\n") == twinned.table.model().rowCount() + 1


def test_the_wheel_is_left_to_the_page(plot: Plot) -> None:
    before = plot.canvas.viewRange()
    wheel = QWheelEvent(
        QPointF(50, 50),
        QPointF(50, 50),
        QPoint(0, 120),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    plot.canvas.wheelEvent(wheel)
    assert not wheel.isAccepted()
    assert plot.canvas.viewRange() == before


@pytest.mark.parametrize("ending", ["png", "svg", "PNG"])
@pytest.mark.in_turn(6)
def test_a_plot_saves_itself(plot: Plot, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"plot.{ending}"
    assert plot.save(path)
    if ending == "svg":
        assert "<svg" in path.read_text(encoding="utf-8")
        return
    image = QImage(str(path))
    assert image.size() == plot.canvas.size() * 2
    colours = {image.pixel(x, y) for x in range(0, 800, 7) for y in range(0, 400, 3)}
    assert len(colours) > 3


@pytest.mark.parametrize("ending", ["png", "svg"])
@pytest.mark.in_turn(2)
def test_a_place_that_cannot_be_written_is_reported(
    plot: Plot, tmp_path: Path, ending: str, recwarn: pytest.WarningsRecorder
) -> None:
    assert not plot.save(tmp_path / "absent" / f"plot.{ending}")


def test_the_budget_is_drawn_from_its_steps_in_their_order(qtbot: QtBot) -> None:
    """Where nothing is reserved there is one line less; without steps there is none."""
    plot = shown(budget(), qtbot)
    assert isinstance(plot, BudgetPlot)
    lines = [line.getData() for line in plot.canvas.getPlotItem().listDataItems()]
    held, total, spent = lines[:3]
    assert spent[1].tolist() == [0, 0, 0, 0, 0.2, 0.2, 0.5, 0.5]
    assert held[1].tolist() == [0, 0, 0.4, 0.4, 0.4, 0.4, 0.5, 0.5]
    assert set(total[1]) == {1.0}
    assert (np.diff(spent[0]) >= 0).all() and spent[0][-1] > spent[0][-2]
    # An SVG writes six digits of a number: seconds since 1970 would all be one place in it.
    assert spent[0][0] == 0
    plain = BudgetStep(1, "2026-11-21T14:32Z", Epsilon(0), Epsilon(0), Epsilon.of("1"))
    count = len(lines)
    plot.show_steps("registry", [plain])
    # The line, and the one that stands for it in the legend.
    assert len(plot.canvas.getPlotItem().listDataItems()) == count - 2
    assert "0.00 of 1.00 spent and 0.00 reserved" in plot.accessibleDescription()
    plot.show_steps("", [])
    assert not plot.canvas.getPlotItem().listDataItems()


def test_a_plot_that_nobody_sees_follows_the_theme_when_it_is_painted_or_saved(
    qtbot: QtBot, themed: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fifty results, of which three are on the screen, stopped the window for most of a second."""
    made = shown(bars(), qtbot)
    made.hide()
    times: list[None] = []
    draw = made.draw
    monkeypatch.setattr(made, "draw", lambda: (times.append(None), draw()))
    for take in (picture_of, lambda canvas: canvas.viewport().grab().toImage()):
        for scheme in ("dark", "light", "dark"):
            themed.apply(scheme)
        assert not times
        seen = take(made.canvas)
        painted = {seen.pixelColor(x, y).name() for x in range(0, 400, 2) for y in range(240)}
        with on_paper() if take is picture_of else nullcontext():
            wanted = {color(role).name() for role in (Role.SURFACE, Role.BAND, Role.TEXT)}
        assert wanted <= painted
        assert len(times) == 1
        themed.apply("light")
        times.clear()


def test_what_is_filled_stands_on_an_axis_that_says_0(qtbot: QtBot) -> None:
    for make in (noise, choice, averaging):
        made = make()
        qtbot.addWidget(made)
        made.draw()
        assert made.canvas.viewRange()[1][0] == 0, make
    ticks = made.canvas.getPlotItem().getAxis("left")._tickLevels
    assert ticks[0][0] == (0.0, "0")


def test_no_plot_draws_what_it_was_not_given(qtbot: QtBot) -> None:
    for kind in (NoisePlot, TwoWorldsPlot, AveragingPlot, ErrorBarsPlot):
        made = kind()
        qtbot.addWidget(made)
        made.draw()
        made.follow_theme()


def test_the_limits_move_with_keys(qtbot: QtBot) -> None:
    made = noise()
    assert isinstance(made, NoisePlot)
    qtbot.addWidget(made)
    widths: list[float] = []
    made.half_width_dragged.connect(widths.append)
    qtbot.keyClick(made.canvas, Qt.Key.Key_Right)
    qtbot.keyClick(made.canvas, Qt.Key.Key_Left)
    assert widths[0] > 3.0 > widths[1]


def test_the_limits_are_dragged_from_both_sides(qtbot: QtBot) -> None:
    made = noise()
    assert isinstance(made, NoisePlot)
    qtbot.addWidget(made)
    made.resize(420, 260)
    made.show()
    qtbot.wait(20)
    widths: list[float] = []
    made.half_width_dragged.connect(widths.append)
    view = made.canvas.getPlotItem().getViewBox()
    for handle in made._handles:
        at = made.canvas.mapFromScene(handle.scenePos())
        goal = view.mapViewToScene(QPointF(handle.pos().x() * 0.5, handle.pos().y()))
        qtbot.mousePress(made.canvas.viewport(), Qt.MouseButton.LeftButton, pos=at)
        # A move with the button held, which a synthetic mouseMove does not carry.
        _drag(made, made.canvas.mapFromScene(goal))
        qtbot.mouseRelease(made.canvas.viewport(), Qt.MouseButton.LeftButton)
    assert len(widths) == 2
    assert widths == pytest.approx([1.5, 1.5], abs=0.15)


def _drag(plot: NoisePlot, to: QPoint) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    viewport = plot.canvas.viewport()
    button = Qt.MouseButton.LeftButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(to),
        QPointF(viewport.mapToGlobal(to)),
        Qt.MouseButton.NoButton,
        button,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(viewport, event)


def test_the_budget_ends_where_it_ends(qtbot: QtBot) -> None:
    made = AveragingPlot()
    qtbot.addWidget(made)
    repeats = np.arange(1.0, 41.0)
    made.show_curve(repeats, repeats**-0.5, repeats * 0.1, 0.95)
    assert "after 9 figures" in made.canvas.accessibleDescription()
    made.show_curve(repeats, repeats**-0.5, repeats * 0.1, 0.1)
    assert "after 1 figure;" in made.canvas.accessibleDescription()
    made.show_curve(repeats, repeats**-0.5, repeats * 0.1, 0.05)
    assert "0 figures" in made.canvas.accessibleDescription()
    shown(made, qtbot).resize(290, made.height())
    qtbot.wait(5)
    picture = QPicture()
    with QPainter(picture) as painter:
        drawn = made.canvas.getPlotItem().getAxis("bottom").generateDrawSpecs(painter)
    assert drawn[2][-1][2] == "40", "the last tick has its number"


def test_axes_have_no_dots_for_ticks_and_grids_of_one_colour(qtbot: QtBot) -> None:
    """A tick without a length is a dot on the axis; and each grid is as quiet as the others."""
    made = shown(wards(12), qtbot)
    QApplication.processEvents()
    picture = QPicture()
    with QPainter(picture) as painter:
        axes = [made.canvas.getPlotItem().getAxis(side) for side in ("bottom", "left")]
        drawn = [axis.generateDrawSpecs(painter) for axis in axes]
    for _line, ticks, _texts in drawn:
        assert all(begin != end for _pen, begin, end in ticks)
    grid = [pen.color().name() for pen, *_ends in drawn[0][1]]
    assert grid and set(grid) == {color(Role.LINE).name()}


@pytest.mark.parametrize("count", [5, 40])
def test_more_bars_are_no_more_items_to_draw(count: int, qtbot: QtBot) -> None:
    """But for a figure above each of a few: forty error bars took the window a second."""
    made = ErrorBarsPlot()
    qtbot.addWidget(made)
    values = [float(i) for i in range(count)]
    made.show_figures([str(i) for i in range(count)], list(values), [1.0] * count, "")
    items = made.canvas.getPlotItem().listDataItems()
    drawn = [item for item in items if isinstance(item, pg.PlotDataItem)]
    ends = [item for item in drawn if len(item.xData) == 6 * count]
    assert len(drawn) <= 3
    assert len(ends) == 1, "a line and two caps for each"


def test_no_bars_and_many_are_no_error(qtbot: QtBot) -> None:
    made = ErrorBarsPlot()
    qtbot.addWidget(made)
    made.show_figures([str(i) for i in range(60)], [float(i) for i in range(60)], [1.0] * 60, "")
    made.show_figures(["a"], [None], [0.0], "")
    made.show_figures([], [], [], "")
    drawn = [i for i in made.canvas.getPlotItem().items if isinstance(i, pg.BarGraphItem)]
    assert drawn == [], "what nothing was found for has no bars of before"


@pytest.mark.parametrize("count", [2, 10])
def test_the_word_made_up_covers_no_figure(qtbot: QtBot, count: int) -> None:
    made = ErrorBarsPlot(made_up=True)
    qtbot.addWidget(made)
    names = [f"[{10 * n}-{10 * n + 10})" for n in range(count)]
    made.show_figures(names, [10_000.0] * count, [90.0] * count, "")
    made.resize(680, made.height())
    made.show()
    QApplication.processEvents()
    mark = made._mark.item.sceneBoundingRect()
    rows = made.canvas.getPlotItem().getViewBox().sceneBoundingRect()
    if made.lies:
        assert mark.top() > rows.bottom(), "below the last figure"
        assert mark.left() > rows.right(), "beside the axis"
        assert mark.bottom() < made.canvas.height(), "and whole"
    else:
        assert mark.top() < made.canvas.height() / 4


def test_an_axis_has_its_room_before_it_is_painted(qtbot: QtBot) -> None:
    made = shown(ErrorBarsPlot(), qtbot)
    axis = made.canvas.getPlotItem().getAxis("left")
    for value in (9.0, 9_876_543.0, 9.0):
        made.show_figures(["a", "b"], [value, value / 2], [1.0, 1.0], "people")
        before = (axis.width(), made.canvas.getPlotItem().getViewBox().geometry())
        made.canvas.grab()
        QApplication.processEvents()
        assert (axis.width(), made.canvas.getPlotItem().getViewBox().geometry()) == before


def test_the_toggle_stays_where_it_is_in_both_views(twinned: PlotView, qtbot: QtBot) -> None:
    place = twinned.as_table.mapTo(twinned, QPoint(0, 0))
    for on in (True, False):
        qtbot.mouseClick(twinned.as_table, Qt.MouseButton.LeftButton)
        assert twinned.as_table.isChecked() is on
        assert twinned.as_table.mapTo(twinned, QPoint(0, 0)) == place
        shown = twinned.table if on else twinned.canvas
        corner = twinned.as_table.rect().translated(place)
        assert not shown.geometry().intersects(corner), "nothing lies over it"


def wards(count: int, total: int | None = None) -> ErrorBarsPlot:
    made = ErrorBarsPlot()
    values: list[float | None] = [10.0 * (n + 1) for n in range(count)]
    values[-1] = None
    names = [f"Ward {n} of the hospital" for n in range(count)]
    made.show_figures(names, values, [4.0] * count, "rows", total=total)
    return made


def test_a_figure_alone_is_one_low_line(qtbot: QtBot) -> None:
    made = ErrorBarsPlot()
    qtbot.addWidget(made)
    made.show_figures(["All"], [4.385], [0.019], "days")
    assert made.lies
    assert made.height() < wards(2).height() / 3


def test_a_figure_has_as_many_decimals_as_its_margin(qtbot: QtBot) -> None:
    """4.37 stood beside ± 0.019, as if it were known less well."""
    for count in (1, 9):
        made = ErrorBarsPlot()
        qtbot.addWidget(made)
        made.show_figures([f"W{n}" for n in range(count)], [4.37] * count, [0.019] * count, "days")
        made.draw()
        assert made._row_axis("right").rows[0] == ("4.370", "± 0.019")
        assert "4.370 (between 4.351 and 4.389)" in made.canvas.accessibleDescription()
    made.show_figures(["Women", "Men"], [4.37, 4.4], [0.019, 0.1], "days")
    made.draw()
    texts = [one for one in made.canvas.getPlotItem().items if isinstance(one, pg.TextItem)]
    assert [one.toPlainText() for one in texts] == ["4.370", "4.400"]


@pytest.mark.parametrize("made_up", [False, True])
def test_a_figure_alone_has_a_margin_that_can_be_seen(qtbot: QtBot, made_up: bool) -> None:
    """At the end of a bar from 0 it was a stroke; a bar is drawn where it is more than that."""
    made = ErrorBarsPlot(made_up=made_up)
    qtbot.addWidget(made)
    for width, has_bar in ((0.019, made_up), (1.5, True), (0.0, True)):
        made.show_figures(["All"], [4.385], [width], "days")
        made.draw()
        items = made.canvas.getPlotItem().items
        assert any(isinstance(item, pg.BarGraphItem) for item in items) == has_bar
        (low, high), _ = made._view().viewRange()
        assert (low > 4) == (not has_bar)
        assert high > 1.2 * (4.385 + width) or not has_bar, "nothing else to be seen against"
        if width and not made_up:
            assert 2 * width > 0.25 * (high - low)
    assert "4.385" in made.accessibleDescription()


@pytest.mark.parametrize(("count", "lies"), [(8, False), (9, True), (40, True)])
def test_few_bars_stand_and_many_lie(qtbot: QtBot, count: int, lies: bool) -> None:
    made = wards(count)
    qtbot.addWidget(made)
    made.resize(700, made.height())
    made.show()
    assert made.lies is lies
    drawn = [i for i in made.canvas.getPlotItem().items if isinstance(i, pg.BarGraphItem)]
    across = drawn[0].boundingRect()
    assert (across.width() > across.height()) == lies
    axes = {side: made.canvas.getPlotItem().getAxis(side) for side in ("left", "right")}
    assert axes["right"].isVisible() == lies
    if lies:
        assert axes["left"].rows[1] == ("Ward 1 of the hospital", "")
        assert axes["right"].rows[1] == ("20", "± 4")
        assert axes["right"].rows[-1] == ("–", ""), "a figure that says nothing has no bar"
        low, high = made.canvas.viewRange()[1]
        assert low < 0 and count - 1 < high, "every bar is within the plot"


def test_figures_under_others_have_separators_all_alike(qtbot: QtBot) -> None:
    made = ErrorBarsPlot()
    qtbot.addWidget(made)
    values: list[float | None] = [1061.0, 12771.0] * 6
    made.show_figures([f"g{n}" for n in range(12)], values, [2000.0] * 12, "")
    rows = made.canvas.getPlotItem().getAxis("right").rows
    assert list(rows[:2]) == [("1,061", "± 2,000"), ("12,771", "± 2,000")]


def test_figures_of_one_chart_have_equal_decimals(qtbot: QtBot) -> None:
    made = ErrorBarsPlot()
    qtbot.addWidget(made)
    made.show_figures(["a", "b"], [2.98, 2.971], [0.25, 0.2], "days")
    drawn = made.canvas.getPlotItem().items
    assert [i.toPlainText() for i in drawn if isinstance(i, pg.TextItem)] == ["2.980", "2.971"]
    made.show_figures([f"g{n}" for n in range(12)], [2.98, 2.971] * 6, [0.25, 0.2] * 6, "days")
    rows = made.canvas.getPlotItem().getAxis("right").rows
    assert list(rows[:2]) == [("2.980", "± 0.250"), ("2.971", "± 0.200")]


def test_the_first_of_lying_bars_is_at_the_top(qtbot: QtBot) -> None:
    made = wards(12)
    qtbot.addWidget(made)
    made.resize(700, made.height())
    made.show()
    view = made.canvas.getPlotItem().getViewBox()
    first, last = (view.mapViewToScene(QPointF(0, place)).y() for place in (0, 11))
    assert first < last


@pytest.mark.parametrize("count", [4, 12])
def test_a_noisy_figure_does_not_flatten_the_others(qtbot: QtBot, count: int) -> None:
    made = ErrorBarsPlot()
    qtbot.addWidget(made)
    values: list[float | None] = [5.0] * (count - 1) + [90.0]
    noisy = [False] * (count - 1) + [True]
    made.show_figures([f"g{n}" for n in range(count)], values, [1.0] * count, "", noisy=noisy)
    shown = made.canvas.viewRange()[0 if made.lies else 1]
    assert shown[1] < 12, "the axis follows what can be used"
    light = made.canvas.getPlotItem().getAxis("right").light
    assert light == ({count - 1} if made.lies else set()), "its number is not in bold"
    symbols = [i.opts.get("symbol") for i in made.canvas.getPlotItem().listDataItems()]
    assert ("t2" if made.lies else "t1") in symbols, "the longer error bar ends in an arrow"
    made.show_figures(["a", "b"], [50.0, 90.0], [60.0, 95.0], "", noisy=[True, True])
    assert made.canvas.viewRange()[1][1] > 185, "where nothing can be used, all of them say it"


def test_the_highest_number_of_an_axis_is_not_cut_off(qtbot: QtBot) -> None:
    made = ErrorBarsPlot()
    qtbot.addWidget(made)
    made.resize(700, made.height())
    made.show()
    made.show_figures(["a", "b"], [1734.0, 1700.0], [0.0, 0.0], "")
    qtbot.wait(5)
    view = made.canvas.getPlotItem().getViewBox()
    line = QFontMetricsF(font(Type.QUIET, tabular=True)).height()
    assert view.sceneBoundingRect().top() >= line / 2 - 1, "a number may stand at the upper end"


@pytest.mark.parametrize(("count", "side"), [(4, "left"), (12, "bottom")])
def test_the_axis_of_values_says_where_0_is(qtbot: QtBot, count: int, side: str) -> None:
    made = wards(count)
    qtbot.addWidget(made)
    made.resize(700, made.height())
    made.show()
    qtbot.wait(5)
    picture = QPicture()
    with QPainter(picture) as painter:
        _axis, _ticks, texts = made.canvas.getPlotItem().getAxis(side).generateDrawSpecs(painter)
    said = [text for _place, _flags, text in texts]
    assert "0" in said and len(said) > 2


@pytest.mark.parametrize("width", [320, 420, 700])
def test_what_is_said_at_a_choices_bound_ends_within_the_picture(width: int, qtbot: QtBot) -> None:
    plot = shown(choice(), qtbot)
    said = "95 von 100 liegen\nhöchstens 145 Zeilen entfernt"
    gaps = np.arange(0.0, 40.0)
    curve = ChoiceCurve(gaps, np.exp(-gaps / 6) / 2, 18.0, 0.025, rises=False)
    assert isinstance(plot, ChoicePlot)
    plot.show_choice(curve, said, "rows worse than the best", "At most 18 rows.")
    plot.resize(width, 260)
    QApplication.processEvents()
    (text,) = [
        i for i in plot.canvas.scene().items() if isinstance(i, pg.TextItem) and i.isVisible()
    ]
    inner = text.textItem
    right = inner.mapToScene(inner.boundingRect()).boundingRect().right()
    assert right <= plot.canvas.getPlotItem().vb.sceneBoundingRect().right() + 1


def test_the_ring_is_painted_and_taken_away_whole(qtbot: QtBot) -> None:
    """What has not changed in the scene was left as it was: half a ring stayed."""
    plot = noise()
    qtbot.addWidget(plot)
    with qtbot.waitActive(plot):
        plot.show()
        plot.activateWindow()
    plot.as_table.setFocus()
    painted = Painted(plot.canvas.viewport())
    for come in (plot.canvas, plot.as_table):
        QApplication.processEvents()
        painted.region = QRegion()
        come.setFocus()
        QApplication.processEvents()
        assert painted.region.boundingRect() == plot.canvas.viewport().rect()


def test_a_plot_is_one_place_for_the_keyboard(qtbot: QtBot) -> None:
    """Its viewport was a second one, nameless on the accessibility bus."""
    plot = noise()
    qtbot.addWidget(plot)
    with qtbot.waitActive(plot):
        plot.show()
        plot.activateWindow()
    viewport = plot.canvas.viewport()
    heard = QAccessible.queryAccessibleInterface(viewport)
    assert not heard.state().focusable
    plot.as_table.setFocus()
    qtbot.mouseClick(viewport, Qt.MouseButton.LeftButton)
    assert plot.canvas.hasFocus()
    assert not heard.state().focused


class Painted(QObject):
    """Which part of a widget is painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.region = QRegion()
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.region |= event.region()
        return False


def test_a_plot_makes_no_more_widgets_than_it_shows(qtbot: QtBot) -> None:
    before = QApplication.allWidgets()  # kept: a wrapper that is made anew has another id
    made = ReleasedPlot(200)
    qtbot.addWidget(made)
    new = [w for w in QApplication.allWidgets() if w not in before]
    assert len(new) <= 10, "fifty plots follow each change of language within one turn"


def test_a_budget_of_one_day_says_the_day_once(qtbot: QtBot) -> None:
    plot = BudgetPlot()
    qtbot.addWidget(plot)
    amounts = Epsilon.of("0.2"), Epsilon.of(0), Epsilon.of(1)
    steps = [BudgetStep(k, f"2026-11-21T14:3{k}Z", *amounts) for k in (1, 2)]
    plot.show_steps("registry", steps)
    said = plot.canvas.accessibleDescription()
    assert said.count("2026") == 1 and said.endswith("in 2 steps.")


def test_figures_of_a_line_do_not_run_into_one_another(qtbot: QtBot) -> None:
    plot = ErrorBarsPlot()
    months = [f"M{place}" for place in range(12)]
    plot.show_figures(months, [12_345.0] * 12, [60.0] * 12, "rows", is_line=True)
    shown(plot, qtbot)
    counts = []
    for width in (700, 420):
        plot.resize(width, 260)
        settle()
        texts = [one for one in plot.canvas.getPlotItem().items if isinstance(one, pg.TextItem)]
        counts.append(len(texts))
        ends = [one.mapRectToScene(one.boundingRect()) for one in texts]
        assert all(a.right() <= b.left() + 8 for a, b in pairwise(ends)), "beside their margins"
    assert counts[0] == 12 > counts[1] > 1


def on_scene(item: pg.TextItem) -> QRectF:
    return item.mapRectToScene(item.boundingRect())


@pytest.mark.parametrize(("count", "is_line"), [(3, False), (12, False), (4, True)])
def test_every_error_bar_holds_its_own_dot_and_bar(qtbot: QtBot, count: int, is_line: bool) -> None:
    """Noise took a count to -22; possible is 0 to 68, and so it is drawn. Its text is as drawn."""
    plot = ErrorBarsPlot()
    labels = [f"A{place}" for place in range(count)]
    values, widths = [-22.0] * count, [90.0] * count
    plot.show_figures(labels, values, widths, "rows", [(0.0, 68.0)] * count, is_line=is_line)
    shown(plot, qtbot)
    items = plot.canvas.getPlotItem().items
    lines = [one for one in items if isinstance(one, pg.PlotDataItem)]
    drawn = [float(v) for one in lines for v in one.getData()[int(not plot.lies)]]
    bars = [one for one in items if isinstance(one, pg.BarGraphItem)]
    sizes = [v for one in bars for v in one.opts["width" if plot.lies else "height"]]
    assert (min(drawn), max(drawn)) == (0.0, 68.0)
    assert set(sizes) <= {0.0} and bool(sizes) is not is_line
    figures = {one.toPlainText() for one in items if isinstance(one, pg.TextItem)}
    beside = {text for text, _margin in plot._under_others().values()}
    assert figures == {"−22"} or beside == {"−22"}


def test_no_figure_has_zeros_that_only_another_ones_margin_needs(qtbot: QtBot) -> None:
    plot = ErrorBarsPlot()
    plot.show_figures(["A", "B"], [2.0, 4.37], [13.0, 0.019], "days")
    shown(plot, qtbot)
    assert [*plot._under_others().values()] == [("2", "± 13"), ("4.37", "± 0.02")]
