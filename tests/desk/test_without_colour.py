# SPDX-License-Identifier: Apache-2.0
"""No state is shown by its colour alone: each still looks its own where all colours are one ink.

Inks that carry meaning become that of text, tints become the surface. What differs then differs by
an icon, a word, a pattern, a dash, a weight or a mark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesk import desk
from dpdesk.desk.core.state import StepState
from dpdesk.desk.pages.columns.column_item import ColumnItem
from dpdesk.desk.pages.queries.fit.fit_dialog import FitDialog
from dpdesk.desk.pages.results.heat_table import HeatCell, HeatTable
from dpdesk.desk.pages.verify.verify_answers import Verdict, VerifyAnswer
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.plots.box_plot import Box, BoxPlot
from dpdesk.desk.plots.curve_plot import LOOKS
from dpdesk.desk.plots.plot_base import Plot
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.budget.gauge_panel import Swatch
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.option_card import OptionCard
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.inputs.tab import Tab
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.rail import RailItem
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from tests.desk.conftest import OpenWindow
from tests.desk.plots.test_plots import averaging, budget, worlds
from tests.desk.screens import settle

pytestmark = pytest.mark.painted

INKS = (Role.ACCENT, Role.SECOND, Role.DANGER, Role.WARN, Role.OK)
TINTS = (Role.TINT, Role.BAND, Role.OK_TINT, Role.WARN_TINT, Role.DANGER_TINT, Role.INSET)
CLEARLY = 60
"""So much of 255 lighter or darker a point is at least."""
LEAST = 12
"""So many points differ at least: a small icon or a mark has more."""
SENTENCE = "The same words"


@pytest.fixture(autouse=True)
def one_ink(themed: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    for roles, like in ((INKS, Role.TEXT), (TINTS, Role.SURFACE)):
        for role in roles:
            monkeypatch.setattr(role, "_value_", like.value)
    monkeypatch.setattr(Role.TEXT_QUIET, "_value_", Role.TEXT.value)
    themed.apply("light")


def grey(widget: QWidget) -> NDArray[np.int16]:
    """A widget in shades of grey, always of one size."""
    widget.ensurePolished()
    widget.resize(420, 60)
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    pixels = np.frombuffer(image.constBits(), np.uint8)
    return pixels.reshape(image.height(), image.bytesPerLine()).astype(np.int16)


def alike(pictures: dict[str, NDArray[np.int16]]) -> list[tuple[str, str]]:
    """The states that look the same."""
    pairs = combinations(pictures.items(), 2)
    return [
        (one, other)
        for (one, seen), (other, beside) in pairs
        if seen.shape == beside.shape and int((np.abs(seen - beside) > CLEARLY).sum()) < LEAST
    ]


def states(qtbot: QtBot, made: dict[str, QWidget]) -> dict[str, NDArray[np.int16]]:
    """A picture of each."""
    for widget in made.values():
        qtbot.addWidget(widget)
        for one in (widget, *widget.findChildren(QWidget)):
            one.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        widget.show()
    settle(1)
    return {state: grey(widget) for state, widget in made.items()}


def swatches() -> dict[str, QWidget]:
    kinds = ("spent", "released", "reserved", "planned", "over", "left")
    return {kind: Swatch(kind) for kind in kinds}


def steps() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {}
    for state in StepState:
        item = made[state.name] = RailItem("Columns", "columns", has_state=True)
        item.set_state(state, SENTENCE, 2)
    return made


def remarks() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {}
    for tone in (*Tone, None):
        remark = made[tone.name if tone else "plain"] = Remark()
        remark.say(SENTENCE, tone)
    return made


def banners() -> dict[str, QWidget]:
    return {tone.name: Banner(tone, SENTENCE) for tone in Tone}


def answers() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {}
    for good in (True, False, None):
        answer = made[str(good)] = VerifyAnswer("Signature")
        answer.say(good, SENTENCE, "Found")
    return made


def verdicts() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {}
    for good in (True, False):
        verdict = made[str(good)] = Verdict()
        verdict.say(good, SENTENCE, SENTENCE)
    return made


def fields() -> dict[str, QWidget]:
    """The frame alone: what is wrong may stand elsewhere."""
    plain, wrong = LineField("Lowest"), LineField("Lowest")
    wrong.set_error(SENTENCE)
    for field in (plain, wrong):
        field.frame.setParent(None)  # it would go with its field
    return {"plain": plain.frame, "wrong": wrong.frame}


def columns() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {}
    for state in ("person", "attention", "open", "done", "chosen"):
        item = made[state] = ColumnItem("ward")
        item._put("ward", "tag", state if state != "chosen" else "done", 2)
        item.setCheckable(True)
        item.setChecked(state == "chosen")
    for name, state in (("patient name", "direct"), ("zip code", "quasi"), ("los", "unused")):
        made[state] = ColumnItem(name)
    chosen = made["unused and chosen"] = ColumnItem("los")
    chosen.setCheckable(True)
    chosen.setChecked(True)
    return made


def switches() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {"on": Toggle("Used"), "off": Toggle("Used")}
    return _checked(made, "on")


def tabs() -> dict[str, QWidget]:
    return _checked({"on": Tab("Noise"), "off": Tab("Noise")}, "on")


def options() -> dict[str, QWidget]:
    return _checked({"on": OptionCard("People"), "off": OptionCard("People")}, "on")


def _checked(made: dict[str, QWidget], which: str) -> dict[str, QWidget]:
    for button in made.values():
        assert isinstance(button, QAbstractButton)
        button.setCheckable(True)
    button = made[which]
    assert isinstance(button, QAbstractButton)
    button.setChecked(True)
    return made


def segments() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {}
    for key in ("", "one", "other"):
        choice = made[key] = Segmented([("one", "Chart", ""), ("other", "Table", "")])
        choice.select(key)
    return made


def rows() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {}
    for chosen in (None, 0, 1):
        model = RowsModel(("Ward", "Stays"))
        model.set_rows([("A", "1"), ("B", "2")], ("Ward", "Stays"), (1,))
        table = made[str(chosen)] = DataTable(model, "Stays")
        if chosen is not None:
            table.selectRow(chosen)
    return made


def heat() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {}
    for noisy in (True, False):
        table = made[str(noisy)] = HeatTable("Stays")
        table.show_cells(["A"], ["B"], [[HeatCell("12", "", None, noisy)]])
    return made


def figures() -> dict[str, QWidget]:
    made: dict[str, QWidget] = {}
    for noisy in (True, False):
        plot = made[f"bars, {noisy}"] = ErrorBarsPlot()
        plot.show_figures(["f", "m"], [120.0, 90.0], [6.0, 6.0], "", noisy=[noisy, False])
        boxes = made[f"boxes, {noisy}"] = BoxPlot()
        boxes.show_boxes((Box("f", (1.0, 4.0, 9.0), (), (), noisy),), "days")
    return made


@pytest.mark.parametrize(
    "make",
    [
        *(swatches, steps, remarks, banners, answers, verdicts, fields, columns, switches),
        *(tabs, options, segments, rows, heat, figures),
    ],
)
def test_each_state_looks_its_own(qtbot: QtBot, make: Callable[[], dict[str, QWidget]]) -> None:
    made = make()
    tall = 260 if make in (rows, heat, figures) else 60
    for widget in made.values():
        widget.setMinimumHeight(tall)
    assert alike(states(qtbot, made)) == []


@pytest.mark.parametrize("make", [worlds, averaging, budget])
def test_curves_differ_by_their_dashes(qtbot: QtBot, make: Callable[[], Plot]) -> None:
    plot = make()
    qtbot.addWidget(plot)
    pens = [item.opts["pen"] for item in plot.canvas.getPlotItem().listDataItems()]
    styles: dict[str, set[object]] = {}
    for pen in pens:
        if isinstance(pen, QPen) and pen.widthF() >= 2:
            styles.setdefault("wide", set()).add(pen.style())
    assert len(styles["wide"]) >= 2


def test_cumulative_curves_have_dashes_and_marks_of_their_own() -> None:
    assert len({style for _role, style, _mark in LOOKS}) == len(LOOKS)
    assert len({mark for _role, _style, mark in LOOKS}) == len(LOOKS)


def test_a_share_that_is_new_stands_out(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    dialog = FitDialog(window, window.session.state)
    row = next(iter(dialog.rows.values()))
    plain = row.share.font().weight()
    row.within.setText("5")
    row.changed.emit()
    assert row.share.font().weight() > plain
    dialog.reject()


WITH_ICON = {"desk/widgets/inputs/field.py", "desk/pages/keys/page.py"}
NO_ICON = {
    "desk/pages/release/release_review.py": "an amount below 0 has its sign",
    "desk/widgets/budget/gauge_panel.py": "the bar of what is over is crossed, with a thick end",
}
"""Words in a colour that means something, without an icon beside them, and what says it instead."""


def test_words_in_the_colour_of_a_state_have_an_icon() -> None:
    """Remarks, banners and fields have it; whatever colours a label itself has to say how."""
    colours = re.compile(r"set_role\([^)]*Role\.(DANGER|WARN|OK)\b")
    found = _modules_with(colours)
    assert found - NO_ICON.keys() == WITH_ICON, "use a Remark, or say what tells it"


def _modules_with(what: re.Pattern[str]) -> set[str]:
    root = Path(desk.__path__[0])
    paths: Iterable[Path] = root.rglob("*.py")
    return {
        path.relative_to(root.parent).as_posix()
        for path in paths
        if what.search(path.read_text(encoding="utf-8"))
    }


def test_states_that_look_the_same_are_found(qtbot: QtBot) -> None:
    made: dict[str, QWidget] = {"one": Swatch("spent"), "other": Swatch("spent")}
    assert alike(states(qtbot, made)) == [("one", "other")]
