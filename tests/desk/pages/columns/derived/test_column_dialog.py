# SPDX-License-Identifier: Apache-2.0
"""A column is made from others in one dialog: each step, its problems, and one step of Undo."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.data.encoding.code_prefix import entry_reader
from dpdesk.desk.pages.columns.derived import step_words
from dpdesk.desk.pages.columns.derived.column_dialog import ColumnDialog
from dpdesk.desk.pages.columns.derived.step_list import DECLARED
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.pages.sentence.numbers_dialog import NumbersDialog
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.steps.step import (
    DATE_PARTS,
    OPERATIONS,
    STEPS,
    TIME_UNITS,
    Arithmetic,
    CodePrefix,
    DatePart,
    FirstThere,
    Holds,
    Operand,
    Recode,
    RecodeEntry,
    TimeBetween,
)
from tests.desk.conftest import OpenWindow
from tests.desk.pages.columns.derived.derived_study import STAY, open_page
from tests.desk.screens import settle

LOW = QRect(0, 0, 1024, 640)
"""What the least screen leaves between the bars of its desktop."""


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    return open_page(open_window, tmp_path)


def begin(page: ColumnsPage, kind: str = "") -> ColumnDialog:
    page.new.click()
    assert page.dialog is not None
    if kind:
        row = next(one for one in page.dialog.kinds if kind in one.keys)
        row.segment(kind).click()
    return page.dialog


def pick(dialog: ColumnDialog, chip: str, text: str, typed: str = "") -> None:
    """Open a chip's list and choose a line of it, or what is typed into its search."""
    dialog.sentence.chip(chip).click()
    popup = dialog.sentence.popup
    assert popup is not None
    popup.search.setText(typed)
    rows = [popup.list.item(row) for row in range(popup.list.count())]
    popup.list.setCurrentItem(next(row for row in rows if row.text() == text))
    popup.list.itemActivated.emit(popup.list.currentItem())


def name(dialog: ColumnDialog, text: str, qtbot: QtBot) -> None:
    dialog.name.edit.selectAll()
    qtbot.keyClicks(dialog.name.edit, text)


def add(page: ColumnsPage) -> object:
    assert page.dialog is not None
    assert page.dialog.ok.isEnabled(), page.dialog.note.sentence
    page.dialog.ok.click()
    made = page.state.study.columns[-1]
    assert not page.state.column_problems(made.name)
    return made


def test_the_length_of_stay_is_made_of_two_dates(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page)
    assert [dialog.sentence.chip(c).text() for c in ("end", "begin", "unit")] == [
        "Discharge",
        "Admission",
        "days",
    ]
    assert "364" in dialog.cards.result
    assert not dialog.ok.isEnabled(), "it has no name yet"
    name(dialog, "Length of stay", qtbot)
    for key, text in (("lower", "0"), ("upper", "60")):
        dialog.numbers[key].edit.selectAll()
        qtbot.keyClicks(dialog.numbers[key].edit, text)
    assert "60" in dialog.note.sentence and "728" in dialog.note.sentence
    made = add(page)
    expected = (TimeBetween(("adm", "dis")), Decimal(0), Decimal(60), Decimal(1), "days")
    assert isinstance(made, NumberColumn)
    assert (made.made_from, made.lower, made.upper, made.step, made.label) == expected
    assert page.selected == "Length of stay"
    page.session.document.undo_stack.undo()
    assert page.state.study.column("Length of stay") is None


def test_a_declared_day_can_be_an_end(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page)
    name(dialog, "Days until the end", qtbot)
    dialog.sentence.chip("end").click()
    popup = dialog.sentence.popup
    assert popup is not None
    popup.search.setText("2025-12-31")
    popup.list.itemActivated.emit(popup.list.currentItem())
    pick(dialog, "unit", "weeks")
    made = add(page)
    assert isinstance(made, NumberColumn)
    assert made.made_from == TimeBetween(("adm", date(2025, 12, 31)), "weeks")
    assert (made.lower, made.upper) == (0, 52)


def test_arithmetic_says_at_its_field_what_it_lacks(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page, "arithmetic")
    name(dialog, "BMI", qtbot)
    assert not dialog.ok.isEnabled()
    pick(dialog, "second", "m²")
    assert dialog.cards.result == "3.2 to 200"
    assert not dialog.ok.isEnabled(), "its step is not declared yet"
    assert dialog.note.sentence
    qtbot.keyClicks(dialog.numbers["step"].edit, "0.1")
    dialog.numbers["upper"].edit.selectAll()
    qtbot.keyClicks(dialog.numbers["upper"].edit, "1")
    assert dialog.numbers["upper"].error, "the highest is below the lowest"
    assert not dialog.ok.isEnabled()
    qtbot.keyClicks(dialog.numbers["upper"].edit, "00")
    made = add(page)
    assert isinstance(made, NumberColumn)
    assert made.made_from == Arithmetic("divide", (Operand("kg"), Operand("m", 2)))
    assert made.upper == 100


def test_the_step_that_would_be_right_is_taken(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page)
    for key, text in (("lower", "0"), ("upper", "60.5")):
        dialog.numbers[key].edit.selectAll()
        qtbot.keyClicks(dialog.numbers[key].edit, text)
    step = dialog.numbers["step"]
    assert step.suggestion == "0.5"
    step.suggestion_pressed.emit(step.suggestion)
    assert (step.text, step.error) == ("0.5", "")


def test_bands_have_names(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page, "bands")
    name(dialog, "Weight group", qtbot)
    dialog.sentence.chip("edges").click()
    asked = dialog.sentence.anchor.dialog
    assert isinstance(asked, NumbersDialog)
    asked.field.edit.setText("20; 70")
    qtbot.keyClick(asked.field.edit, Qt.Key.Key_Return)
    assert dialog.bands.text.splitlines() == ["20 to 69", "70 or more"]
    dialog.bands.edit.setPlainText("light\nheavy")
    made = add(page)
    assert isinstance(made, CategoryColumn)
    assert made.values == ("light", "heavy")


def test_values_are_merged(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page, "recode")
    name(dialog, "Side", qtbot)
    dialog.entries.edit.setPlainText("North = north\nElsewhere = south; east")
    assert "east" in dialog.note.sentence, "it is no value"
    assert not dialog.ok.isEnabled()
    dialog.entries.edit.setPlainText("North = north\nElsewhere = south; west")
    made = add(page)
    assert isinstance(made, CategoryColumn)
    entries = RecodeEntry("North", ("north",)), RecodeEntry("Elsewhere", ("south", "west"))
    assert made.made_from == Recode("ward", entries)
    assert made.values == ("North", "Elsewhere")


def test_codes_are_sorted_by_a_public_list(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page, "codes")
    name(dialog, "Chapter", qtbot)
    pick(dialog, "codes", "icd10")
    pick(dialog, "list", "ICD-10 chapters (WHO)")
    made = add(page)
    assert isinstance(made, CategoryColumn) and isinstance(made.made_from, CodePrefix)
    assert made.made_from.header == "icd10"
    assert len(made.values) == len(made.labels) == len(made.made_from.entries) > 20
    assert "WHO" in made.basis
    assert page.state.study.column("icd10") is None, "it needs no declaration"
    assert page.item("Chapter").second_line == "from icd10"


def test_codes_are_sorted_by_a_list_that_is_brought(page: ColumnsPage, qtbot: QtBot) -> None:
    """Levels 3 and 4 of ATC: a code belongs to the longest of the list that begins it."""
    dialog = begin(page, "codes")
    QApplication.clipboard().setText(
        "A\tdigestive\nA10\tdiabetes\na10b\tno insulin\nI20-I25\theart"
    )
    dialog.lists.paste.click()
    step, column = dialog.column.made_from, dialog.column
    assert isinstance(step, CodePrefix) and isinstance(column, CategoryColumn)
    names = dict(zip(column.values, column.labels, strict=True))
    assert names["a10b"] == "no insulin"
    read = entry_reader(step)
    assert [read(one) for one in ("A10BA02", "A10AB01", "a02bc01", "I21.0", "C03")] == [
        "a10b",
        "A10",
        "A",
        "I20-I25",
        None,
    ]
    assert not dialog.lists.read.isVisibleTo(dialog)


def test_conditions_make_yes_or_no(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page, "holds")
    name(dialog, "Heavy", qtbot)
    pick(dialog, "add", "kg")
    asked = dialog.sentence.anchor.dialog
    assert isinstance(asked, ConditionDialog)
    asked.lowest.edit.setText("100")
    asked.highest.edit.setText("200")
    asked.ok.click()
    dialog.sentence.chip("where-0").click()
    asked = dialog.sentence.anchor.dialog
    assert isinstance(asked, ConditionDialog)
    asked.other.click()
    assert dialog.sentence.popup is not None
    dialog.sentence.popup.close()
    made = add(page)
    assert isinstance(made, YesNoColumn) and isinstance(made.made_from, Holds)
    assert (made.yes, made.no) == (("Yes",), ("No",))
    assert made.made_from.names == ("kg",)


def test_a_part_of_a_date_and_the_first_that_is_there(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page, "part")
    name(dialog, "Quarter", qtbot)
    pick(dialog, "part", "quarter")
    made = add(page)
    assert isinstance(made, CategoryColumn)
    assert (made.made_from, made.values) == (DatePart("quarter", "adm"), ("1", "2", "3", "4"))
    dialog = begin(page, "first")
    name(dialog, "Some day", qtbot)
    pick(dialog, "first-0", "Discharge")
    pick(dialog, "first-1", "Admission")
    made = add(page)
    assert isinstance(made, DateColumn)
    assert made.made_from == FirstThere(("dis", "adm"))
    assert made.first == date(2025, 1, 1)


def test_every_step_is_a_kind_of_the_dialog(page: ColumnsPage) -> None:
    dialog = begin(page)
    offered = {key for row in dialog.kinds for key in row.keys}
    assert offered == DECLARED.keys() - {"case", "label"}, "those need several tables or files"
    assert {type(one.empty) for one in DECLARED.values()} == set(STEPS)
    dialog.reject()


def test_every_unit_part_and_operation_has_its_words() -> None:
    assert set(step_words.units()) == set(TIME_UNITS)
    assert set(step_words.parts()) == set(DATE_PARTS)
    assert set(step_words.operations()) == set(OPERATIONS)
    labels = {step_words.unit_label(TimeBetween(("a", "b"), unit)) for unit in TIME_UNITS}
    assert len(labels) == len(TIME_UNITS)


def test_a_name_is_used_once(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page)
    for taken in ("ward", "icd10", "id"):
        name(dialog, taken, qtbot)
        assert dialog.name.error
        assert not dialog.ok.isEnabled()
    name(dialog, "x", qtbot)
    assert not dialog.name.error


def test_return_adds_and_escape_leaves(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page)
    assert dialog.name.edit is dialog.focusWidget()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not page.state.study.column("Stay") and page.dialog is dialog
    assert not dialog.isVisible()
    dialog = begin(page)
    name(dialog, "Stay", qtbot)
    for _field in (dialog.name, *dialog.numbers.values()):
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    assert page.state.study.column("Stay") is not None


def test_how_a_column_is_made_is_changed_in_the_same_dialog(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    page = open_page(open_window, tmp_path, STAY)
    page.select("stay")
    page.form.derived.edit.click()
    dialog = page.dialog
    assert dialog is not None
    assert dialog.numbers["upper"].text == "60", "what was declared stays"
    pick(dialog, "unit", "weeks")
    dialog.ok.click()
    made = page.state.study.column("stay")
    assert isinstance(made, NumberColumn)
    assert (made.made_from, made.upper) == (TimeBetween(("adm", "dis"), "weeks"), 60)
    assert (made.title, made.label) == ("Length of stay", "weeks")


def test_usual_columns_are_one_press_away(page: ColumnsPage) -> None:
    page.select("dis")
    since = "Days since the previous Discharge…"
    assert [one.text() for one in page.form.derived.links] == ["Length of stay…", since]
    page.form.derived.links[0].click()
    assert page.dialog is not None and page.dialog.ok.isEnabled()
    page.dialog.ok.click()
    made = page.state.study.column("Length of stay")
    assert made is not None and made.made_from == TimeBetween(("adm", "dis"))
    page.select("icd10")
    assert page.form.derived.links[0].text() == "ICD-10 chapters (WHO)…"
    page.form.derived.links[0].click()
    assert page.dialog is not None and page.dialog.ok.isEnabled()
    page.dialog.reject()
    page.select("ward")
    assert not page.form.derived.isVisible()


@pytest.mark.parametrize(
    ("kind", "chip", "wanted"),
    [
        ("between", "end", "Date"),
        ("arithmetic", "first", "Number"),
        ("recode", "column", "Category"),
    ],
)
@pytest.mark.in_turn(2)
def test_an_empty_list_says_where_columns_come_from(
    page: ColumnsPage, kind: str, chip: str, wanted: str
) -> None:
    page.session.edit(replace(page.state.study, columns=()), "nothing is declared")
    dialog = begin(page, kind)
    dialog.sentence.chip(chip).click()
    popup = dialog.sentence.popup
    assert popup is not None
    assert f"choose {wanted} for a column" in popup.list.item(0).text()
    popup.close()


@pytest.mark.parametrize("kind", ["between", "arithmetic", "person"])
@pytest.mark.in_turn(2)
def test_why_it_cannot_be_added_yet_is_on_show(
    page: ColumnsPage, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a low screen, where what is behind it is scrolled away."""
    monkeypatch.setattr(ColumnDialog, "_room", lambda _dialog, _needed: LOW)
    page.session.edit(replace(page.state.study, columns=()), "nothing is declared")
    dialog = begin(page, kind)
    settle()
    assert dialog.height() == LOW.height() and dialog.is_low
    assert not dialog.ok.isEnabled() and dialog.note.sentence
    assert not dialog.note.visibleRegion().isEmpty()


def test_what_negative_times_cost_is_said_until_they_are_left_out(page: ColumnsPage) -> None:
    dialog = begin(page)
    dialog.name.edit.setText("Stay")
    dialog.name.edit.textEdited.emit("Stay")
    assert dialog.note.sentence == (
        "Below 0 where Discharge comes before Admission. If that cannot be, set the lowest value "
        "to 0: a mean then has 2 times less noise."
    )
    dialog.numbers["lower"].edit.textEdited.emit("0")
    assert "Below 0" not in dialog.note.sentence
    dialog.numbers["lower"].edit.textEdited.emit("-364")
    dialog.numbers["upper"].edit.textEdited.emit("0")
    assert "Below 0" not in dialog.note.sentence, "that would leave nothing"
