# SPDX-License-Identifier: Apache-2.0
"""Two groupings make a cross-table whose colours help and whose cells say everything."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.results.heat_table import (
    HEAD,
    ROW,
    HeatCell,
    HeatTable,
    heat_color,
)
from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.release.bundle.charts.cross_table import MOST_ACROSS, cross_table, heats
from tests.desk.screens import settle

SEXES = ("female", "male")


def crossed(wards: int, sexes: tuple[str, ...] = SEXES, noisy: int | None = None) -> Table:
    """Counts by ward and sex; of one row, too noisy."""
    columns = (
        TableColumn("ward", "group", "", "Ward"),
        TableColumn("sex", "group", "", "Sex"),
        TableColumn("count", "value", "", ""),
        TableColumn("half_width_95", "half-width", "", ""),
        TableColumn("too_noisy", "mark", "", ""),
    )
    names = [(f"W{ward}", sex) for ward in range(wards) for sex in sexes]
    rows = tuple(
        (*pair, str(100 * place), "60", "yes" if place == noisy else "no")
        for place, pair in enumerate(names)
    )
    return Table("q", "", columns, rows)


@pytest.fixture
def card(qtbot: QtBot) -> ResultTable:
    made = ResultTable()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.show()
    return made


def test_the_longer_list_stands_across() -> None:
    cross = cross_table(crossed(3))
    assert cross is not None
    assert (cross.across, cross.down) == (("W0", "W1", "W2"), SEXES)
    assert cross.places == ((0, 2, 4), (1, 3, 5))
    cross = cross_table(crossed(2, ("a", "b", "c")))
    assert cross is not None
    assert (cross.across, cross.down) == (("a", "b", "c"), ("W0", "W1"))
    assert cross.places == ((0, 1, 2), (3, 4, 5))


def test_what_is_no_whole_cross_table_is_none() -> None:
    whole = crossed(3)
    assert cross_table(Table("q", "", whole.columns, whole.rows[:-1])) is None, "a cell is missing"
    twice = Table("q", "", whole.columns, (*whole.rows[:-1], whole.rows[0]))
    assert cross_table(twice) is None, "one cell stands twice"
    assert cross_table(crossed(MOST_ACROSS)) is not None
    assert cross_table(crossed(MOST_ACROSS + 1)) is None
    assert cross_table(crossed(1)) is None
    one = Table("q", "", whole.columns[1:], tuple(row[1:] for row in whole.rows[:2]))
    assert cross_table(one) is None


def test_noise_has_no_heat_and_sets_no_scale() -> None:
    assert heats([0.0, 50.0, 100.0], [False] * 3) == [0.0, 0.5, 1.0]
    assert heats([50.0, 9_000.0, 100.0], [False, True, False]) == [0.5, None, 1.0]
    assert heats([None, -100.0, 100.0], [False] * 3) == [None, 0.0, 1.0]
    assert heats([0.0, 0.0], [False] * 2) == [0.0, 0.0]


def test_heat_goes_from_tint_to_heat() -> None:
    assert heat_color(0.0) == color(Role.TINT)
    assert heat_color(1.0) == color(Role.HEAT)


def luminance(shade: QColor) -> float:
    """Relative luminance; WCAG 2.2."""
    parts = [shade.redF(), shade.greenF(), shade.blueF()]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_figures_can_be_read_on_every_heat(themed: Theme, scheme: str) -> None:
    themed.apply(scheme)
    for step in range(11):
        ground, text = luminance(heat_color(step / 10)), luminance(color(Role.TEXT))
        low, high = sorted((ground, text))
        assert (high + 0.05) / (low + 0.05) >= 4.5, step


def test_each_cell_says_figure_and_margin_and_whether_it_is_noise(card: ResultTable) -> None:
    card.show_table(crossed(3, noisy=2), "A heading", "count")
    settle()
    assert card.heat.isVisible() and not card.plot.isVisible() and not card.table.isVisible()
    model = card.heat.model()
    said = [[model.index(r, c).data() for c in range(3)] for r in range(2)]
    assert said == [
        ["0 ± 60", "200 ± 60, too noisy to use", "400 ± 60"],
        ["100 ± 60", "300 ± 60", "500 ± 60"],
    ]
    heads = [model.headerData(c, Qt.Orientation.Horizontal) for c in range(3)]
    assert heads == ["W0", "W1", "W2"]
    assert model.headerData(1, Qt.Orientation.Vertical) == "male"


def test_all_of_it_is_on_show(card: ResultTable) -> None:
    card.show_table(crossed(12), "A heading", "count")
    settle()
    assert card.heat.height() >= HEAD + 2 * ROW
    shown = card.heat.viewport().rect()
    model = card.heat.model()
    assert shown.contains(card.heat.visualRect(model.index(1, 11)))


def test_a_cross_table_can_be_read_as_a_plain_one_and_copied(
    card: ResultTable, qtbot: QtBot
) -> None:
    card.show_table(crossed(3), "A heading", "count")
    qtbot.mouseClick(card.view.segment("table"), Qt.MouseButton.LeftButton)
    assert card.table.isVisible() and not card.heat.isVisible()
    qtbot.mouseClick(card.view.segment("chart"), Qt.MouseButton.LeftButton)
    assert card.heat.isVisible() and not card.table.isVisible()
    QGuiApplication.clipboard().clear()
    qtbot.keyClick(card.heat, *_copy_keys())
    assert QGuiApplication.clipboard().text().count("\n") == 7


def _copy_keys() -> tuple[Qt.Key, Qt.KeyboardModifier]:
    keys = QKeySequence(QKeySequence.StandardKey.Copy)[0]
    return keys.key(), keys.keyboardModifiers()


def test_another_query_leaves_no_cross_table(card: ResultTable) -> None:
    card.show_table(crossed(3), "A heading", "count")
    whole = crossed(3)
    one = Table("q", "", whole.columns[1:], tuple(row[1:] for row in whole.rows[:2]))
    card.show_table(one, "Another", "count")
    settle()
    assert card.plot.isVisible() and not card.heat.isVisible()


def test_no_cell_has_the_focus_while_the_keyboard_is_elsewhere(
    card: ResultTable, qtbot: QtBot
) -> None:
    """Screen readers learn of a current cell as of the focus, wherever that is."""
    card.show_table(crossed(3), "A heading", "count")
    settle()
    card.activateWindow()
    assert not card.heat.currentIndex().isValid()
    card.heat.setFocus()
    qtbot.waitUntil(lambda: card.heat.currentIndex().isValid())
    qtbot.keyClick(card.heat, Qt.Key.Key_Right)
    assert card.heat.currentIndex().column() == 1
    card.copy_button.setFocus()
    qtbot.waitUntil(lambda: not card.heat.currentIndex().isValid())


def test_the_page_follows_the_cell_with_the_keyboard(qtbot: QtBot) -> None:
    """All of its rows are on show, be there room for them or not."""
    heat = HeatTable("Stays")
    lines = [str(n) for n in range(12)]
    heat.show_cells(["A"], lines, [[HeatCell(line, "", 0.5, False)] for line in lines])
    area = QScrollArea(widgetResizable=True)
    qtbot.addWidget(area)
    area.setWidget(heat)
    area.resize(400, 200)
    with qtbot.waitActive(area):
        area.show()
        area.activateWindow()
    heat.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in lines:
        qtbot.keyClick(heat, Qt.Key.Key_Down)
        cell = heat.visualRect(heat.currentIndex())
        seen = heat.viewport().visibleRegion().boundingRect()
        assert seen.top() <= cell.top() and cell.bottom() <= seen.bottom()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_ring_stands_out_from_the_hottest_cell(themed: Theme, scheme: str) -> None:
    themed.apply(scheme)
    ring, ground = luminance(color(Role.TEXT)), luminance(heat_color(1.0))
    assert (max(ring, ground) + 0.05) / (min(ring, ground) + 0.05) >= 3.0
