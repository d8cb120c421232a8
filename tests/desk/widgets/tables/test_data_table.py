# SPDX-License-Identifier: Apache-2.0
"""Tables never raise, copy as text where they may, and never copy raw data."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
)
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QHeaderView, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme import roles
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility import announcing
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.spread_text import LINES
from dpdesk.desk.widgets.tables import table_header
from dpdesk.desk.widgets.tables.cell import MOST_LINES, PAD, wrapped
from dpdesk.desk.widgets.tables.data_table import LEAST_STRETCHED, DataTable
from dpdesk.desk.widgets.tables.rows_model import SIGN, WHOLE, Index, RowsModel
from dpdesk.desk.widgets.tables.table_header import TableHeader
from tests.desk.languages import written_as_in
from tests.desk.screens import settle

ROWS = [("Female", "1,204", "± 60"), ("Male", "980", "± 60"), ("All", "2,184", "± 85")]
HEADS = ("Sex", "People", "Margin")
TEXT = "Sex\tPeople\tMargin\nFemale\t1204\t60\nMale\t980\t60\nAll\t2184\t85\n"


@pytest.fixture
def model(qtbot: QtBot) -> RowsModel:
    made = RowsModel(HEADS, right=(1, 2), bold=(1,))
    made.set_rows(ROWS)
    return made


@pytest.mark.parametrize("is_sum", [False, True])
def test_the_model_keeps_qts_contract(model: RowsModel, is_sum: bool) -> None:
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, mode)
    model.last_is_sum = is_sum
    model.set_rows([])
    model.set_rows(ROWS[:1], heads=("One",))
    model.set_rows(ROWS, HEADS)
    assert tester.model() is model


def test_no_index_and_no_role_makes_it_raise(model: RowsModel) -> None:
    ragged = RowsModel(("a", "b"))
    ragged.set_rows([("only",), ("one", "two", "three")])
    for made in (model, ragged):
        places = [made.index(r, c) for r, c in product(range(-1, 5), range(-1, 5))]
        kept = [QPersistentModelIndex(made.index(0, 0)), QModelIndex(), *places]
        for index, role in product(kept, [*Qt.ItemDataRole, 9999]):
            made.data(index, role)
        for section, role in product(range(-2, 6), Qt.ItemDataRole):
            made.headerData(section, Qt.Orientation.Horizontal, role)
            made.headerData(section, Qt.Orientation.Vertical, role)


def test_a_section_before_the_first_has_no_head(model: RowsModel) -> None:
    assert model.headerData(-1, Qt.Orientation.Horizontal) is None


def test_numbers_stand_at_the_right(model: RowsModel) -> None:
    side = model.index(0, 1).data(Qt.ItemDataRole.TextAlignmentRole)
    assert side & Qt.AlignmentFlag.AlignRight
    assert model.index(0, 1).data(Qt.ItemDataRole.FontRole).weight() > 500


def test_as_text_is_tab_separated_with_heads(model: RowsModel) -> None:
    assert model.as_text() == TEXT


def test_a_cell_cannot_break_the_copied_table(qtbot: QtBot) -> None:
    made = RowsModel(("a\nb", "c"))
    made.set_rows([("one\ttwo", "three\nfour")])
    lines = made.as_text().splitlines()
    assert [line.count("\t") for line in lines] == [1, 1]


@pytest.mark.threat("F4", "G1")
def test_a_copied_text_is_no_formula_where_it_is_pasted(qtbot: QtBot) -> None:
    made = RowsModel(("=1+1", "c"))
    made.set_rows([("=cmd|' /C calc'!A0", "@SUM(A1)"), ("-2+3+cmd|' /C calc'!A0", "+A1")])
    cells = [cell for line in made.as_text().splitlines() for cell in line.split("\t")]
    assert all(cell[:1] not in "=@+-" for cell in cells)
    numbers = ("-1", "-1,5", "-1.234,5", "+0.4 days", "-12 %", "\u00b1 60 days", "-0,4 mmol")
    made.set_rows([(number, "x") for number in numbers])
    assert made.as_text().splitlines()[1:] == [f"{number}\tx" for number in numbers]


def test_copied_figures_are_numbers_where_they_are_pasted_and_names_stay(qtbot: QtBot) -> None:
    made = RowsModel(("Group", "Figure", "Margin"), right=(1, 2))
    made.set_rows(
        [
            ("\u00b1 5", "\N{MINUS SIGN}1,204", "\u00b1 60"),
            ("–", "\N{MINUS SIGN}3.5 %", "\u00b1 0,4"),
            ("\N{MINUS SIGN}7", "–", "few"),
        ]
    )
    assert made.as_text().splitlines()[1:] == [
        "\u00b1 5\t-1204\t60",
        "–\t-3.5 %\t0,4",
        "\N{MINUS SIGN}7\t\tfew",
    ]


@pytest.mark.parametrize(
    ("language", "cells", "copied"),
    [
        (
            "de",
            ("1.293", "12.345,678 ± 1.060", "1.113 bis 1.473"),
            "1293\t12345,678\t1060\t1113 bis 1473",
        ),
        (
            "en",
            ("1,293", "12,345.678 ± 1,060", "1,113 to 1,473"),
            "1293\t12345.678\t1060\t1113 to 1473",
        ),
    ],
)
def test_no_copied_figure_is_another_in_a_spreadsheet_of_another_language(
    qtbot: QtBot, language: str, cells: tuple[str, ...], copied: str
) -> None:
    with written_as_in(language):
        made = RowsModel(("Ward", "Stays", "Cost", "Range"), right=(1, 2, 3))
        made.has_margins = True
        made.set_rows([("1.293", *cells)])
        lines = made.as_text().splitlines()
    assert lines[1] == f"1.293\t{copied}", "a name stays as it is"


def test_copy_puts_the_table_on_the_clipboard(qtbot: QtBot, model: RowsModel) -> None:
    table = DataTable(model, "Figures")
    qtbot.addWidget(table)
    QApplication.clipboard().setText("before")
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == TEXT


def test_raw_data_is_never_copied(qtbot: QtBot, model: RowsModel) -> None:
    table = DataTable(model, "Rows", copies=False)
    qtbot.addWidget(table)
    QApplication.clipboard().setText("before")
    table.selectAll()
    for key in (Qt.Key.Key_C, Qt.Key.Key_Insert, Qt.Key.Key_X):
        qtbot.keyClick(table, key, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "before"
    assert not table.dragEnabled()


def test_a_masked_table_paints_no_text(qtbot: QtBot, model: RowsModel) -> None:
    table = DataTable(model, "Rows", copies=False)
    qtbot.addWidget(table)
    table.resize(400, 200)
    table.show()
    table.delegate.masked = True
    first = table.viewport().grab().toImage()
    model.set_rows([("x" * 30,) * 3] * 3)
    table.horizontalHeader().resizeSections(table.horizontalHeader().ResizeMode.Fixed)
    widths = [table.columnWidth(c) for c in range(3)]
    assert widths
    model.set_rows(ROWS)
    assert table.viewport().grab().toImage() == first


class Asked(RowsModel):
    """Counts how often a view asks for a cell."""

    times = 0

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        self.times += 1
        return super().data(index, role)


def test_cells_that_are_not_on_show_are_not_asked_for(qtbot: QtBot) -> None:
    model = Asked(HEADS)
    table = DataTable(model, "Figures", stretch=-1)
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    model.set_rows([(f"Ward {place}", str(place), "± 60") for place in range(2_000)])
    settle()
    assert 0 < model.times < 2_000


def test_a_column_has_room_for_its_widest_text_wherever_it_is(qtbot: QtBot) -> None:
    model = RowsModel(("Group", "Note"))
    table = DataTable(model, "Figures", stretch=-1)
    qtbot.addWidget(table)
    table.resize(600, 200)
    table.show()
    widest = "WWWWWWWWWWWWWWWWWWWW"
    rows = [(f"ill {place:08}", "i" * 22) for place in range(1_000)]
    rows[900] = (widest, "-")
    model.set_rows(rows)
    settle()
    metrics = QFontMetrics(font(Type.TEXT, tabular=True))
    assert table.columnWidth(0) >= metrics.horizontalAdvance(widest) + 2 * PAD
    model.set_rows([("a", "b")])
    settle()
    assert table.columnWidth(0) < metrics.horizontalAdvance(widest)


def test_a_table_can_outlive_its_rows(qtbot: QtBot, model: RowsModel) -> None:
    table = DataTable(model, "Figures")
    qtbot.addWidget(table)
    head = table.horizontalHeader()
    table.setModel(None)
    assert isinstance(head, TableHeader)
    assert head.sectionSizeFromContents(0) == QSize()


def test_a_larger_font_makes_columns_wider(
    qtbot: QtBot, model: RowsModel, qapp: QApplication
) -> None:
    before, usual = model.text_width(0), qapp.font()
    large = QFont(usual)
    large.setPixelSize(2 * usual.pixelSize())
    qapp.setFont(large)
    try:
        assert model.text_width(0) > 1.5 * before
    finally:
        qapp.setFont(usual)


def test_tab_leaves_the_table(qtbot: QtBot, model: RowsModel) -> None:
    table = DataTable(model, "Figures")
    qtbot.addWidget(table)
    assert not table.tabKeyNavigation()
    assert table.accessibleName() == "Figures"


@pytest.mark.parametrize("is_dark", [False, True])
def test_the_head_has_its_ground_where_no_column_is(
    model: RowsModel, qtbot: QtBot, is_dark: bool
) -> None:
    roles.set_dark(is_dark)
    made = DataTable(model, "Released figures", stretch=-1)
    qtbot.addWidget(made)
    made.resize(900, 200)
    made.show()
    head = made.horizontalHeader()
    assert head.length() < 600
    picture = head.grab().toImage()
    for x in (4, 880):
        assert QColor(picture.pixel(x, 4)) == color(Role.INSET), "no slab beside the columns"


def test_a_head_without_room_says_that_it_goes_on(
    model: RowsModel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted = list[str]()
    monkeypatch.setattr(
        table_header, "paint_lines", lambda _painter, _room, lines, *_more: painted.extend(lines)
    )
    made = DataTable(model, "Released figures", stretch=-1)
    qtbot.addWidget(made)
    made.resize(900, 200)
    made.show()
    head = made.horizontalHeader()
    whole = str(model.headerData(0, Qt.Orientation.Horizontal))
    head.grab()
    assert painted[0] == whole
    painted.clear()
    head.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
    head.setMinimumSectionSize(1)
    head.resizeSection(0, 2 * PAD + 12)
    head.grab()
    assert painted[0].endswith("…") and whole not in painted


def test_a_row_that_adds_up_is_tinted(model: RowsModel, qtbot: QtBot) -> None:
    model.last_is_sum = True
    made = DataTable(model, "Released figures")
    qtbot.addWidget(made)
    made.resize(400, 200)
    made.show()
    picture = made.viewport().grab().toImage()
    grounds = [
        QColor(picture.pixel(4, made.rowViewportPosition(row) + 4)) for row in range(len(ROWS))
    ]
    assert grounds == [color(Role.SURFACE), color(Role.SURFACE), color(Role.INSET)]


@pytest.mark.parametrize("width", [800, 300])
def test_the_column_that_takes_what_is_over_keeps_room_for_its_words(
    width: int, qtbot: QtBot
) -> None:
    rows = RowsModel(["Entry", "When", "Event", "About"])
    rows.set_rows([("1", "23 November 2026, 14:36", "Account opened", "for the yearly report")])
    table = DataTable(rows, "Entries", stretch=3)
    qtbot.addWidget(table)
    table.resize(width, 200)
    table.show()
    QApplication.processEvents()
    head = table.horizontalHeader()
    assert head.sectionSize(3) >= table.sizeHintForColumn(3)
    assert (table.horizontalScrollBar().maximum() > 0) == (width == 300)
    table.fit_height()
    QApplication.processEvents()
    assert table.verticalScrollBar().maximum() == 0, "the bar covers no row"
    if width == 800:
        assert head.length() == table.viewport().width()


LONG = "Median of the days between admission and discharge"


def price_list(qtbot: QtBot, width: int) -> DataTable:
    made = RowsModel(("Query", "Figures", "Budget"), right=(1, 2))
    made.set_rows([(LONG, "12", "0.10")])
    table = DataTable(made, "Queries")
    qtbot.addWidget(table)
    table.resize(width, 120)
    table.show()
    settle()
    return table


def test_a_long_text_is_cut_short_before_the_last_column_is_out_of_sight(qtbot: QtBot) -> None:
    table = price_list(qtbot, 300)
    assert table.horizontalScrollBar().maximum() == 0
    assert table.columnWidth(0) < LEAST_STRETCHED


def test_a_table_that_scrolls_shows_long_texts_wide(qtbot: QtBot) -> None:
    table = price_list(qtbot, 200)
    assert table.horizontalScrollBar().maximum() > 0
    assert table.columnWidth(0) == LEAST_STRETCHED


@pytest.mark.parametrize(
    ("width", "masked", "shown"), [(300, False, LONG), (900, False, ""), (300, True, "")]
)
def test_a_text_that_is_cut_short_is_shown_whole(
    qtbot: QtBot, width: int, masked: bool, shown: str
) -> None:
    table = price_list(qtbot, width)
    table.delegate.masked = masked
    QToolTip.hideText()
    at = table.visualRect(table.model().index(0, 0)).center()
    event = QHelpEvent(QEvent.Type.ToolTip, at, table.viewport().mapToGlobal(at))
    QApplication.sendEvent(table.viewport(), event)
    assert QToolTip.text() == shown
    QToolTip.hideText()


def test_a_wrapped_text_is_whole_in_a_higher_row(qtbot: QtBot) -> None:
    made = RowsModel(("Query", "Budget"), right=(1,))
    made.set_rows([(LONG, "0.10"), ("Count", "0.10")])
    table = DataTable(made, "Queries", wraps=True)
    qtbot.addWidget(table)
    table.show()
    for width, lines in ((900, 1), (300, 2)):
        table.resize(width, 120)
        table.fit_height()
        settle()
        first, second = table.rowHeight(0), table.rowHeight(1)
        assert second == table.verticalHeader().defaultSectionSize()
        assert first - second == (lines - 1) * LINES[Type.TEXT], "as far apart as a label's"
        assert table.verticalScrollBar().maximum() == 0, "all rows are on show"


def test_moments_break_after_their_day_before_a_word_of_a_wrapped_text_is_cut(qtbot: QtBot) -> None:
    made = RowsModel(("When", "About", "Spent"), right=(2,))
    made.set_rows([("26. Nov. 2026, 12:13", "Aus Sicherung wiederhergestellt (gesperrt)", "–")])
    made.short = {0: ["26. Nov. 2026\n12:13"]}
    table = DataTable(made, "Entries", stretch=1, wraps=True)
    qtbot.addWidget(table)
    table.show()
    metrics = table.fontMetrics()
    word = metrics.horizontalAdvance("wiederhergestellt") + 2 * PAD
    for width, shown in ((700, "26. Nov. 2026, 12:13"), (330, "26. Nov. 2026\n12:13")):
        table.resize(width, 120)
        settle()
        assert made.index(0, 0).data() == shown
        assert table.columnWidth(0) > max(map(metrics.horizontalAdvance, shown.split("\n")))
        assert table.columnWidth(1) > word
    assert "12:13" in made.as_text() and made.index(0, 0).data(WHOLE).endswith("12:13")
    table.resize(200, 120)
    settle()
    assert table.columnWidth(1) > word and table.horizontalScrollBar().maximum() > 0


def test_a_warned_text_has_room_beside_its_sign(qtbot: QtBot) -> None:
    made = RowsModel(("Query", "Within", "Budget"), right=(1, 2))
    margin = "rank at most 76 rows away"
    table = DataTable(made, "What will be released", stretch=0, wraps=True)
    qtbot.addWidget(table)
    table.resize(700, 120)
    table.show()
    made.set_rows([("Box", margin, "1.00"), ("Curve", "± 19 rows", "1.00")])
    made.warned = {(0, 1)}
    table.share_room()
    settle()
    drawn = QFontMetrics(font(Type.TEXT, tabular=True)).horizontalAdvance(margin)
    wide = table.columnWidth(1)
    assert wide >= drawn + SIGN + 2 * PAD
    made.warned = {(1, 1)}
    table.share_room()
    settle()
    assert table.columnWidth(1) == wide - SIGN, "a shorter text has room for its sign already"


def test_lines_of_a_wrapped_text_hold_all_its_words_but_beyond_the_last() -> None:
    metrics = QFontMetrics(font(Type.TEXT))
    assert wrapped("Count", metrics, 400) == ["Count"]
    half = wrapped(LONG, metrics, metrics.horizontalAdvance(LONG) * 2 // 3)
    assert len(half) == 2 and " ".join(half) == LONG
    few = wrapped(LONG, metrics, 60)
    assert len(few) == MOST_LINES and few[-1].endswith("\N{HORIZONTAL ELLIPSIS}")
    middle = wrapped(LONG, metrics, 60, Qt.TextElideMode.ElideMiddle)
    assert middle[-1][-1] == LONG[-1], "its end stays"


def test_the_name_of_an_account_is_whole_in_a_narrow_history() -> None:
    text = "sample-hospital: Erfundene Patientinnen und Patienten des Beispiels."
    metrics = QFontMetrics(font(Type.TEXT))
    lines = wrapped(text, metrics, metrics.horizontalAdvance("Patientinnen und Pat"))
    assert " ".join(lines) == text and len(lines) > 4


def test_no_word_of_a_wrapped_line_is_cut_short_at_any_width() -> None:
    """A width that was rounded down once lost the last word of the line that just fitted."""
    metrics = QFontMetrics(font(Type.TEXT, tabular=True))
    text = "Median: time_in_hospital, beantwortet aus der Freigabe vom 24. Nov. 2026 (Eintrag 2)"
    longest = max(metrics.horizontalAdvance(word) for word in text.split(" "))
    whole = metrics.horizontalAdvance(text)
    for width in range(max(longest, whole // 2) + 2, whole + 2):
        lines = wrapped(text, metrics, width)
        assert len(lines) == MOST_LINES or " ".join(lines) == text, width
        cut = [line for line in lines[:-1] if "\N{HORIZONTAL ELLIPSIS}" in line]
        assert not cut, (width, cut)


def ring_at(shown: QWidget, place: QPoint) -> bool:
    """Whether the ring's colour is at a point."""
    return shown.grab().toImage().pixelColor(place) == color(Role.ACCENT)


@pytest.mark.parametrize("fills", [False, True])
def test_the_ring_goes_around_the_scroll_bar(model: RowsModel, fills: bool, qtbot: QtBot) -> None:
    model.set_rows(ROWS * 40)
    card = Card()
    table = DataTable(model, "Stays")
    if fills:
        table.fill(card)
    else:
        card.body.addWidget(table)
    qtbot.addWidget(card)
    card.resize(400, 200)
    card.show()
    settle()
    assert table.verticalScrollBar().isVisible()
    ringed = card if fills else table
    there = QRect(ringed.mapTo(card, QPoint(0, 0)), ringed.size())
    half = Space.RING // 2
    sides = (
        QPoint(there.left() + half, there.center().y()),
        QPoint(there.right() - half, there.center().y()),
        QPoint(there.center().x(), there.top() + half),
        QPoint(there.center().x(), there.bottom() - half),
    )
    card.activateWindow()
    table.setFocus()
    settle()
    assert all(ring_at(card, side) for side in sides)
    assert not ring_at(card, table.viewport().mapTo(card, table.viewport().rect().topRight()))
    table.clearFocus()
    settle()
    assert not any(ring_at(card, side) for side in sides)


def test_a_row_that_ctrl_goes_to_without_choosing_it_is_seen(
    model: RowsModel, qtbot: QtBot
) -> None:
    table = DataTable(model, "People")
    qtbot.addWidget(table)
    table.resize(400, 200)
    table.show()
    table.setFocus()
    settle()
    end = (Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    home = (Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    seen = []
    for keys in (end, home):
        qtbot.keyClick(table, *keys)
        assert table.selectionModel().selectedRows() == []
        settle()
        seen.append(table.viewport().grab().toImage())
    assert seen[0] != seen[1]


def test_a_table_says_its_current_cell_after_itself(
    model: RowsModel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def hear(event: QAccessibleEvent) -> None:
        cell = QAccessible.queryAccessibleInterface(event.object()).child(event.child())
        said.append(cell.text(QAccessible.Text.Name))

    table = DataTable(model, "People")
    qtbot.addWidget(table)
    table.show()
    QAccessible.setActive(True)
    monkeypatch.setattr(announcing.QAccessible, "updateAccessibility", hear)
    table.setFocus()
    qtbot.waitUntil(lambda: said == ["Female"])
    table.clearFocus()
    table.setCurrentIndex(model.index(2, 1))
    table.setFocus()
    qtbot.waitUntil(lambda: said == ["Female", "2,184"])


LONG_QUESTION = "A long question about the length of stays, by wards"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were broken into lines."""
    texts: list[str] = []

    def count(text: str, *rest: Any) -> list[str]:
        texts.append(text)
        return wrapped(text, *rest)

    monkeypatch.setattr("dpdesk.desk.widgets.tables.data_table.wrapped", count)
    return texts


@pytest.fixture
def plan(qtbot: QtBot) -> tuple[RowsModel, DataTable]:
    """A table whose texts wrap, as that of what is to be released."""
    rows = RowsModel(("Query", "Budget"))
    table = DataTable(rows, "plan", wraps=True)
    qtbot.addWidget(table)
    table.resize(300, 400)
    table.show()
    return rows, table


def test_a_text_is_broken_into_lines_once_for_a_width(
    plan: tuple[RowsModel, DataTable], broken: list[str]
) -> None:
    rows, table = plan
    two = [(LONG_QUESTION, "0.1"), ("Short", "0")]
    rows.set_rows(two)
    settle()
    high = [table.rowHeight(row) for row in range(2)]
    assert set(broken) == {LONG_QUESTION, "Short"}
    broken.clear()
    table.share_room()
    table.fit_height()
    rows.set_rows(two)  # as on the next visit
    settle()
    assert not broken and [table.rowHeight(row) for row in range(2)] == high
    table.resize(200, 400)
    settle()
    assert broken and table.rowHeight(0) > high[0] > high[1] == table.rowHeight(1)


def test_a_text_in_another_weight_is_broken_for_itself(plan: tuple[RowsModel, DataTable]) -> None:
    rows, table = plan
    rows.last_is_sum = True
    rows.set_rows([(LONG_QUESTION, "0.1"), (LONG_QUESTION, "0.1")])
    highs = []
    for width in range(200, 400, 2):
        table.resize(width, 400)
        settle(1)
        highs.append((table.rowHeight(0), table.rowHeight(1)))
    assert any(usual < bold for usual, bold in highs)


def test_no_more_than_some_texts_are_remembered(
    plan: tuple[RowsModel, DataTable], broken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpdesk.desk.widgets.tables.data_table.MOST_KNOWN", 5)
    rows, table = plan
    for place in range(20):
        rows.set_rows([(f"Question {place}", "0.1")])
        settle(1)
    assert len(set(broken)) == 20 and len(table._own_lines) <= 6
