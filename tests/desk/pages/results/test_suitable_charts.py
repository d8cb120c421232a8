# SPDX-License-Identifier: Apache-2.0
"""Which charts a card offers, what they say, and how one is picked."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from pyqtgraph import BarGraphItem, TextItem
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QGraphicsRectItem, QGraphicsTextItem, QLabel
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.desk.plots.axes.row_axis import HEAD
from dpdesk.desk.plots.box_plot import Box, BoxPlot
from dpdesk.desk.plots.curve_plot import MOST_CURVES, MOST_MARGINS, Curve, CurvePlot, CurvePoint
from dpdesk.desk.plots.pictures import picture_of, save_picture
from dpdesk.desk.text.result_words import box_heads, grouped_by, release_words
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.charts.figures import TableFigures, bars_of
from dpdesk.release.bundle.charts.suitable_charts import _boxes, charts_of
from dpdesk.release.bundle.readable import forms_of
from dpdesk.release.rehearsal.rehearse import RehearsedQuery, rehearse
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import DateColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.statistics import Statistic
from tests.desk.screens import settle, wait_until
from tests.release.rehearsal.made_up_studies import asks

LOUD, PLAIN, QUIET = (Epsilon.of(text) for text in ("0.001", "1", "20"))
CUTS = tuple(map(Decimal, (10, 20, 40)))
BINS = Bins("stay", CUTS)
DAYS = DateColumn("day", date(2025, 1, 1), date(2025, 12, 31))
MONTHS = Periods("day", "month")


def part(*texts: str) -> tuple[Decimal, ...]:
    return tuple(map(Decimal, texts))


QUARTERS = part("0.25", "0.5", "0.75")
TAILS = part("0.05", "0.25", "0.5", "0.75", "0.95")
MANY = tuple(Decimal(n) / 20 for n in range(1, 20))


@cache
def answered(
    statistic: Statistic, share: Epsilon = PLAIN, **more: Any
) -> tuple[Study, RehearsedQuery]:
    """One query on rows that are made up, its noise drawn by the real door."""
    study = asks(statistic, **more)
    query = study.queries[0].having(epsilon=share)
    study = replace(study, columns=(*study.columns, DAYS), queries=(query,))
    return study, rehearse(study, OpenDPDoor(), 5_000).queries[0]


def card_of(qtbot: QtBot, statistic: Statistic, share: Epsilon = PLAIN, **more: Any) -> ResultTable:
    """The card of an answer, as it comes up."""
    study, query = answered(statistic, share, **more)
    card = ResultTable()
    qtbot.addWidget(card)
    card.resize(800, 600)
    card.show()
    card.show_table(query.table, "A heading", statistic, charts_of(study, query.drawn, query.table))
    settle()
    return card


@pytest.mark.parametrize(
    ("statistic", "more", "kinds"),
    [
        ("count", {}, ("bars",)),
        ("count", {"by": ("ward",)}, ("bars",)),
        ("count", {"by": (BINS,)}, ("bars", "curve")),
        ("count", {"by": ("sex", BINS)}, ("heat", "bars", "curve")),
        ("count", {"by": ("sex", "ward", BINS)}, ("bars",)),
        ("count-people", {"by": (BINS,)}, ("bars",)),
        ("mean", {"by": (BINS,)}, ("bars",)),
        ("count", {"by": (MONTHS,)}, ("line", "bars")),
        ("distribution", {"edges": CUTS}, ("curve", "bars")),
        ("distribution", {"edges": CUTS, "by": ("ward",)}, ("curve", "bars")),
        ("distribution", {"edges": CUTS, "by": ("ward", "sex")}, ("bars",)),
        ("survival", {"edges": CUTS}, ("curve",)),
        ("survival", {"edges": CUTS, "by": ("ward",)}, ("curve",)),
        ("survival", {"edges": CUTS, "by": ("ward", "sex")}, ("bars",)),
        ("cumulative-incidence", {"edges": CUTS, "by": ("sex",)}, ("curve",)),
        ("cumulative-incidence", {"edges": CUTS, "by": ("ward",)}, ("bars",)),
        ("quantiles", {"quantiles": QUARTERS}, ("box", "bars")),
        ("quantiles", {"quantiles": TAILS}, ("box", "bars")),
        ("quantiles", {"quantiles": part("0.1", "0.5", "0.9")}, ("box", "bars")),
        ("quantiles", {"quantiles": part("0.1", "0.9")}, ("bars",)),
        ("quantiles", {"quantiles": MANY, "candidates": ()}, ("box", "bars")),
        ("median", {}, ("bars",)),
    ],
)
def test_what_fits_follows_from_the_question(
    statistic: Statistic, more: dict[str, Any], kinds: tuple[str, ...]
) -> None:
    study, query = answered(statistic, **more)
    found = charts_of(study, query.drawn, query.table).kinds
    assert found == kinds
    loud = answered(statistic, LOUD, **more)[1]
    assert charts_of(study, loud.drawn, loud.table).kinds == kinds, "whatever was drawn"


def test_a_card_names_the_period_that_days_are_taken_together_to(qtbot: QtBot) -> None:
    """It said "by day" of months."""
    study, query = answered("count", by=(MONTHS, "ward"))
    card = ResultTable()
    qtbot.addWidget(card)
    named = grouped_by(study, study.queries[0])
    card.show_table(query.table, "A heading", "count", grouped_by=named)
    assert card._second.text().endswith("by month of day and ward")
    card.show_table(query.table, "A heading", "count", says_groups=True, grouped_by=named)
    assert "by" not in card._second.text()


def test_a_histogram_adds_up_to_its_cumulative_shares(qtbot: QtBot) -> None:
    """A rehearsal's bins are equally large, and the noise is quiet."""
    card = card_of(qtbot, "count", QUIET, by=(BINS,))
    assert card.plot.isVisible() and card.kind.isVisible()
    qtbot.mouseClick(card.kind.segment("curve"), Qt.MouseButton.LeftButton)
    settle()
    plot = card.charts.curve
    assert plot is not None and plot.isVisible() and not card.plot.isVisible()
    (curve,) = plot._curves
    assert [point.place for point in curve.points] == [9, 19, 39, 50]
    for point, share in zip(curve.points, (25, 50, 75, 100), strict=True):
        assert abs(point.share - share) < 2
        assert 0 <= point.low <= point.share <= point.high <= 100
    assert curve.points[-1].low == 100
    assert "up to 9: " in plot.accessibleDescription()
    assert "each point by itself" in card._legend.text()
    assert card._second.text() == "Share of the rows up to each value, by stay (days)"
    assert card._said()[0] == card._second.text(), "a picture says what its axes are, too"
    card.view.segment("table").click()
    assert card._second.text() == "by stay (days)"


def test_bars_and_their_picture_name_noise_and_chance_where_both_are_released(qtbot: QtBot) -> None:
    card = card_of(qtbot, "count-people", by=("ward",), population=True)
    plot = card.plot
    assert card.charts._intervals.isVisible() and not card.charts._intervals.hasFocus()
    for bar in plot._bars:
        assert bar.population is not None
        assert bar.population[0] < bar.low < bar.high < bar.population[1]
        assert plot._ends()[1] >= bar.population[1]
    _study, query = answered("count-people", PLAIN, by=("ward",), population=True)
    found = TableFigures(query.table, forms_of(query.table, query.drawn), release_words())
    in_report = bars_of(found, is_line=False)
    assert [one.population for one in in_report.figures] == [bar.population for bar in plot._bars]
    said = "Box: privacy noise alone. Bracket: noise and chance, for the population."
    assert all(name in said for name in in_report.intervals) and len(in_report.intervals) == 2
    assert said in card._said()
    assert plot.accessible_text.count(", for the population between") == 3
    plot.draw()
    items = plot.canvas.getPlotItem().items
    bars, boxes = (one for one in items if isinstance(one, BarGraphItem))
    assert list(boxes.opts["height"]) == pytest.approx([one.high - one.low for one in plot._bars])
    assert max(boxes.opts["height"]) < min(bars.opts["height"])
    card.view.segment("table").click()
    assert not card.charts._intervals.isVisible()
    plain = card_of(qtbot, "count-people", by=("ward",))
    assert not plain.charts._intervals.isVisible()
    assert said not in plain._said() and ", for the" not in plain.plot.accessible_text


def test_a_survival_curve_falls_by_steps_from_all_rows(qtbot: QtBot) -> None:
    card = card_of(qtbot, "survival", edges=CUTS, by=("sex",))
    plot, layout = card.charts.curve, card.derived.tiles
    assert plot is not None
    wait_until(lambda: bool(plot._curves))
    for curve in plot._curves:
        corners = curve.stepped()
        assert corners[0] == (0, 100)
        assert [place for place, _height in corners[1::2]] == [9, 19, 39, 50]
        heights = [height for _place, height in corners]
        assert heights == sorted(heights, reverse=True)
        assert list(curve.at_risk) == sorted(curve.at_risk, reverse=True)
    items = plot.canvas.getPlotItem().items
    written = [one.toPlainText() for one in items if isinstance(one, TextItem)]
    assert any(text.startswith("At risk: followed beyond the time") for text in written)
    assert written.count("\N{EN DASH}") == 2, "at the last time of each curve"
    tiles = [layout.itemAt(i).widget() for i in range(layout.count())]
    assert [tile.accessibleName() for tile in tiles] == [
        f"{group}, {said} after 50 days"
        for group, said in (
            ("f", "Without an event"),
            ("m", "Without an event"),
            ("m less f", "Difference"),
        )
    ]
    # Beside a figure is the range to quote, and what it holds; in the table it is the first.
    labels = [[label.text() for label in tile.findChildren(QLabel)] for tile in tiles]
    assert all("Noise and chance, 95 %" in said for said in labels)
    rows, across = card.derived.rows, Qt.Orientation.Horizontal
    heads = [rows.headerData(at, across) for at in range(rows.columnCount())]
    assert heads[1:] == ["Released", "Noise and chance, 95 %", "Noise, 95 %"]
    assert rows.index(0, 2).data() not in ("", rows.index(0, 3).data())
    assert "Share still without the event" in card._second.text()
    assert "each curve as a whole" in card._legend.text()
    assert "up to 9: " in plot.accessibleDescription()


def test_numbers_at_risk_are_at_ticks_of_those_who_are_followed_beyond(qtbot: QtBot) -> None:
    """A bin of the lowest time alone has no room for a tick; behind the highest is no curve."""
    plot = card_of(qtbot, "survival", edges=(*part("1"), *CUTS, *part("50"))).charts.curve
    assert plot is not None
    wait_until(lambda: bool(plot._curves))
    (curve,), ticks = plot._curves, plot._ticks()
    assert curve.places[:2] == (0, 0) and curve.places[-1] == 49 and ticks is not None
    items = [one for one in plot.canvas.getPlotItem().items if isinstance(one, TextItem)]
    texts = [(one.pos().x(), one.toPlainText().replace(",", "")) for one in items]
    numbers = {place: text for place, text in texts if text.isdigit()}
    assert int(numbers[0]) == curve.at_risk[1]
    assert numbers.keys() < {place for place, _ in ticks} and 49 not in numbers


def test_incidences_rise_by_steps_and_say_once_who_is_at_risk(qtbot: QtBot) -> None:
    card = card_of(qtbot, "cumulative-incidence", edges=CUTS, by=("sex",))
    plot = card.charts.curve
    assert plot is not None
    wait_until(lambda: bool(plot._curves))
    assert [curve.name for curve in plot._curves] == ["f, A", "f, B", "m, A", "m, B"]
    assert [bool(curve.at_risk) for curve in plot._curves] == [True, False, True, False]
    for curve in plot._curves:
        heights = [height for _place, height in curve.stepped()]
        assert heights[0] == 0 and heights == sorted(heights)
    assert "has had such an event" in card._second.text()
    assert "all of a group" in card._legend.text()


def test_a_survival_curve_ends_where_noise_may_leave_nobody(qtbot: QtBot) -> None:
    """Its band ends with it."""
    sure, lost = CurvePoint(5, 80, 70, 90), CurvePoint(9, 60, 0, 90)
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.show_curves([Curve("", (sure, lost), 0.0, (50, 3))], "months")
    assert plot.ends_early
    assert plot._curves[0].stepped()[-1] == (9, 80)
    assert plot._curves[0].stepped("low")[-1] == (9, 70)
    plot.show_curves([Curve("", (sure,), 0.0, (50,))], "months")
    assert not plot.ends_early


def test_a_distribution_begins_with_its_curve_as_its_table_has_it(qtbot: QtBot) -> None:
    card = card_of(qtbot, "distribution", edges=CUTS, by=("sex",))
    plot, table = (
        card.charts.curve,
        answered("distribution", PLAIN, edges=CUTS, by=("sex",))[1].table,
    )
    assert plot is not None and plot.isVisible() and not card.bar.isVisible()
    assert [curve.name for curve in plot._curves] == ["f", "m"]
    roles = [column.role for column in table.columns]
    share, half = roles.index("share"), roles.index("share-half-width")
    points = [point for curve in plot._curves for point in curve.points]
    for point, row in zip(points, table.rows, strict=True):
        assert point.share == pytest.approx(100 * float(row[share]))
        assert point.high == pytest.approx(
            min(100, 100 * float(row[share]) + 100 * float(row[half]))
        )


def test_what_is_too_noisy_is_dashed_and_hollow(qtbot: QtBot) -> None:
    usable, noisy = CurvePoint(1, 20, 10, 30), CurvePoint(2, 50, 0, 100, noisy=True)
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.show_curves([Curve("", (usable, replace(usable, place=1.5), noisy))], "days")
    styles = {
        item.opts["pen"].style()
        for item in plot.canvas.getPlotItem().listDataItems()
        if item.opts["pen"] is not None and item.opts["symbol"] is None
    }
    assert Qt.PenStyle.DashLine in styles and Qt.PenStyle.SolidLine in styles
    brushes = [
        item.opts["symbolBrush"].name()
        for item in plot.canvas.getPlotItem().listDataItems()
        if item.opts["symbol"] is not None
    ]
    assert len(set(brushes)) == 2


def written(plot: CurvePlot) -> list[str]:
    """The figures beside the points."""
    texts = plot.canvas.scene().items()
    return sorted(one.toPlainText() for one in texts if isinstance(one, QGraphicsTextItem))


def test_a_curve_has_its_numbers_where_its_points_are(qtbot: QtBot) -> None:
    """Its axis said 5, 10, 15 while the bins ended at 2, 4, 7, 14 and 30."""
    shares = {2: 30.91, 4: 51.0, 7: 71.04, 14: 90.8, 30: 100.0}
    points = tuple(CurvePoint(at, share, share - 0.4, share + 0.4) for at, share in shares.items())
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.resize(680, plot.height())
    plot.show()
    plot.show_curves([Curve("", points)], "days")
    settle()
    axis = plot.canvas.getPlotItem().getAxis("bottom")
    assert sorted(axis._tickLevels[0]) == [(at, str(at)) for at in shares]
    said = {"30.9 %", "51.0 %", "71.0 %", "90.8 %", "100.0 %"}
    assert said <= set(written(plot))
    places = [
        item.mapRectToScene(item.boundingRect())
        for item in plot.canvas.scene().items()
        if isinstance(item, QGraphicsTextItem) and item.toPlainText() in said
    ]
    for one, other in combinations(places, 2):
        assert not one.intersects(other)
    grounds = [one for one in plot.canvas.getPlotItem().items if isinstance(one, TextItem)]
    assert all(one.fill.color() == color(Role.SURFACE) for one in grounds), "over the grid"
    assert all(one.zValue() < 0 for one in grounds), "and below the curve"
    plot.resize(200, plot.height())
    settle()
    few = [at for at, _text in axis._tickLevels[0]]
    assert 30 in few and len(few) < len(shares), "the others have no room"
    plot.show_curves([Curve(name, points) for name in "ab"], "days")
    settle()
    assert not said & set(written(plot)), "two curves' figures would lie over one another"


@pytest.mark.parametrize("count", [1, 2])
def test_error_bars_of_curves_are_whole_over_their_line(count: int, qtbot: QtBot) -> None:
    """In the text's colour, as those of bars: below a line of their colour caps alone are seen."""
    points = (CurvePoint(1, 20, 10, 40), CurvePoint(2, 50, 40, 70))
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.show_curves([Curve(name, points) for name in "ab"[:count]], "days")
    drawn = plot.canvas.getPlotItem().listDataItems()
    pens = [item.opts["pen"] for item in drawn]
    inks = [pen.color().name() if pen is not None else "" for pen in pens]
    bars = [place for place, ink in enumerate(inks) if ink == color(Role.TEXT).name()]
    assert len(bars) == count
    lines = [place for place in range(len(drawn)) if inks[place] == color(Role.ACCENT).name()]
    assert bars[0] > lines[0], "over the line"
    for place in bars:
        up = drawn[place].getData()[1].tolist()
        assert up[:2] == [10, 40] and up[6:8] == [40, 70], "from end to end"


def test_no_shares_say_so_in_words(qtbot: QtBot) -> None:
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.show_curves([Curve("", ())], "days")
    texts = [
        item.toPlainText() for item in plot.canvas.scene().items() if hasattr(item, "textItem")
    ]
    assert texts == ["Too few rows for shares."]


def test_curves_differ_by_mark_and_dashes_not_by_colour_alone() -> None:
    from dpdesk.desk.plots.curve_plot import LOOKS

    assert len(LOOKS) == MOST_CURVES
    for place in range(3):
        assert len({look[place] for look in LOOKS}) == MOST_CURVES


def test_of_hundreds_of_points_no_bar_is_drawn_for_each(qtbot: QtBot) -> None:
    points = tuple(CurvePoint(n, n / 10, 0, 100) for n in range(999))
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.show_curves([Curve("", points)], "")
    assert len(points) > MOST_MARGINS
    items = plot.canvas.getPlotItem().listDataItems()
    assert all(item.opts["symbol"] is None for item in items)
    assert len(plot.accessibleDescription()) < 200


def test_boxes_show_quartiles_and_the_tails_that_were_asked(qtbot: QtBot) -> None:
    card = card_of(qtbot, "quantiles", QUIET, quantiles=TAILS, candidates=(), by=("sex",))
    plot = card.charts.box
    assert plot is not None and plot.isVisible()
    for box, name in zip(plot._boxes, ("f", "m"), strict=True):
        assert box.name == name
        assert box.figures == pytest.approx((12, 25, 38), abs=3)
        assert box.ends == pytest.approx((2, 48), abs=3)
        assert len(box.ranges) == 3 and not box.noisy
    assert "whiskers" not in card._note.text(), "they are there"
    card._pick("table")
    assert card._legend.isVisible(), "its figures have no other margin there either"
    assert "table" not in card._note.text() and "best" not in card._note.text()
    # Above the figures at the right stands what they are, in a row of its own.
    axis = plot._row_axis("right")
    assert axis._head == ("Median", "Quartiles")
    room = axis.mapRectFromParent(axis.geometry())
    assert room.top() <= axis._line(-HEAD).top()
    assert axis._line(-HEAD).bottom() <= axis._line(0).top() + 1
    assert box_heads([Decimal("0.1"), Decimal("0.5"), Decimal("0.9")]) == ("0.5", "0.1 to 0.9")
    assert plot.accessibleDescription().startswith("2 boxes of released quantiles. f: ")


def test_boxes_without_whiskers_say_so_and_the_table_does_not(qtbot: QtBot) -> None:
    # Of values that are left out a tree counts the rows, too, so that choices err less.
    every_other = tuple(map(Decimal, range(0, 51, 2)))
    card = card_of(qtbot, "quantiles", QUIET, quantiles=QUARTERS, candidates=every_other)
    assert card.charts.box is not None and not card.charts.box.has_whiskers
    assert all(box.ranges == () for box in card.charts.box._boxes)
    assert card._legend.text().startswith("Distance 95 times in 100 at most ")
    assert "no whiskers" in card._note.text()
    card._pick("table")
    assert "whiskers" not in card._note.text()


def test_boxes_read_off_counts_have_error_bars_that_end_where_values_can(qtbot: QtBot) -> None:
    more: dict[str, Any] = {"quantiles": MANY, "candidates": ()}
    card = card_of(qtbot, "quantiles", **more)
    plot = card.charts.box
    assert plot is not None
    (box,) = plot._boxes
    assert not box.noisy and len(box.ranges) == 3
    assert all(low <= at <= high for at, (low, high) in zip(box.figures, box.ranges, strict=True))
    assert "within its bar" in card._legend.text() and "between" in plot.accessibleDescription()
    loud = card_of(qtbot, "quantiles", LOUD, **more).charts.box
    assert loud is not None
    assert all(0 <= low <= high <= 50 for low, high in loud._boxes[0].ranges)


def test_a_box_whose_figures_can_be_half_of_all_is_noise() -> None:
    study, query = answered("quantiles", QUIET, quantiles=QUARTERS)
    asked = study.queries[0]
    for width, is_noisy in ((Decimal(1), False), (Decimal(50), True)):
        ranges = ((Decimal(25) - width / 2, Decimal(25) + width / 2),) * 3
        shift = [Decimal(0)] * 3 if is_noisy else [Decimal(r[1]) - 25 for r in query.table.rows]
        within = tuple((a + s, b + s) for (a, b), s in zip(ranges, shift, strict=True))
        (box,) = _boxes(study, asked, query.table, lambda within=within: [within])
        assert box.noisy == is_noisy


def test_a_longer_error_bar_ends_in_an_arrow_and_sets_no_axis(qtbot: QtBot) -> None:
    fine, loud = (Box(n, (10.0, 12.0, 14.0), (), ((9, 11), (11, 13), (13, 15))) for n in "ab")
    wide = replace(loud, ranges=((0, 50),) * 3, noisy=True)
    plot = BoxPlot()
    qtbot.addWidget(plot)
    plot.show_boxes([fine, wide], "days")
    assert plot._ends() == (9, 15)
    marks = [item.opts["symbol"] for item in plot.canvas.getPlotItem().listDataItems()]
    assert marks.count("t3") == marks.count("t2") == 3


def test_the_chart_is_picked_by_keyboard_and_stays_for_this_query(qtbot: QtBot) -> None:
    card = card_of(qtbot, "count", by=("sex", BINS))
    assert card.heat.isVisible()
    card.kind.segment("heat").setFocus()
    for wanted in ("bars", "curve", "heat"):
        QTest.keyClick(card.kind.segment(card.kind.key), Qt.Key.Key_Left)
        settle()
        # Of five charts the two that do not fit are passed over.
        assert card.kind.key == wanted
    for wanted, shown in (("bars", card.plot), ("curve", None)):
        qtbot.mouseClick(card.kind.segment(wanted), Qt.MouseButton.LeftButton)
        qtbot.mouseClick(card.view.segment("table"), Qt.MouseButton.LeftButton)
        settle()
        assert card.table.isVisible() and not card.kind.isVisible()
        qtbot.mouseClick(card.view.segment("chart"), Qt.MouseButton.LeftButton)
        settle()
        assert (shown or card.charts.curve).isVisible()  # type: ignore[union-attr]
    study, query = answered("count", PLAIN, by=("sex", BINS))
    card.show_table(query.table, "Another", "count", charts_of(study, query.drawn, query.table))
    settle()
    assert card.heat.isVisible(), "another query begins with its first chart"


def test_margins_are_worked_out_beside_the_window(session: Session, qtbot: QtBot) -> None:
    study, query = answered("quantiles", quantiles=MANY, candidates=())
    card = ResultTable(jobs=session.looks)
    qtbot.addWidget(card)
    card.show()
    card.show_table(query.table, "", "quantiles", charts_of(study, query.drawn, query.table))
    plot = card.charts.box
    assert plot is not None and len(plot._boxes) == 1, "the boxes are there at once"
    wait_until(lambda: plot.has_ranges)
    assert "within its bar" in card._legend.text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", ["curve", "box"])
@pytest.mark.in_turn(2)
def test_pictures_are_light_and_saved_in_each_form(
    themed: Theme, scheme: str, kind: str, qtbot: QtBot, tmp_path: Path
) -> None:
    themed.apply(scheme)
    more: dict[str, Any] = {"quantiles": QUARTERS} if kind == "box" else {"edges": CUTS}
    card = card_of(qtbot, "quantiles" if kind == "box" else "distribution", **more)
    view = card.charts.pictured(kind)
    ground = picture_of(view).pixelColor(2, 2).lightness()
    assert ground > 240
    for ending, start in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        path = tmp_path / f"picture.{ending}"
        assert save_picture(view, path)
        assert path.read_bytes().startswith(start)


def test_made_up_curves_and_boxes_are_hollow_and_marked(qtbot: QtBot) -> None:
    point = CurvePoint(1, 20, 10, 30)
    curve, box = CurvePlot(made_up=True), BoxPlot(made_up=True)
    for plot in (curve, box):
        qtbot.addWidget(plot)
    curve.show_curves([Curve("", (point, replace(point, place=2)))], "")
    box.show_boxes([Box("", (1.0, 2.0, 3.0))], "")
    for shown in (curve, box):
        assert "made up" in shown._mark.text
        assert shown.accessibleName() == "Made-up figures"
        pens = [
            item.pen() if isinstance(item, QGraphicsRectItem) else item.opts.get("pen")
            for item in shown.canvas.getPlotItem().items
            if isinstance(item, QGraphicsRectItem) or hasattr(item, "opts")
        ]
        assert Qt.PenStyle.DashLine in [pen.style() for pen in pens if pen is not None]
    rects = [
        i for i in box.canvas.getPlotItem().items if hasattr(i, "rect") and hasattr(i, "brush")
    ]
    assert [rect.brush().style() for rect in rects] == [Qt.BrushStyle.NoBrush]


def test_margins_of_half_of_all_are_noise() -> None:
    from dpdesk.privacy.statistics.figures_text import Figure
    from dpdesk.release.bundle.charts.suitable_charts import _point

    assert not _point(1.0, Figure(Fraction(1, 2), Fraction(49, 100))).noisy
    assert _point(1.0, Figure(Fraction(1, 2), Fraction(1, 2))).noisy
