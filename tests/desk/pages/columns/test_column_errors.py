# SPDX-License-Identifier: Apache-2.0
"""Errors come after a field was left, move nothing, and lists count what they understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.field_row import FieldRow
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.columns import CategoryColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    data = tmp_path / "stays.csv"
    data.write_text("id,length,band,again\n1,2,a,NO\n", encoding="utf-8")
    study = Study("Stays", data=DataSource(str(data)), unit=Unit("id"))
    save_study(study, tmp_path / "stays.dpdesk")
    window = open_window(tmp_path / "stays.dpdesk", page="columns")
    made = window.pages["columns"]
    assert isinstance(made, ColumnsPage)
    return made


def rest(page: ColumnsPage) -> None:
    """Let what is worked out beside the window come to its end, however long it takes."""
    session = page.session
    wait_until(lambda: session.looks.current is None and session.jobs.current is None)
    settle()


def use(page: ColumnsPage, name: str, kind: str) -> None:
    page.select(name)
    page.form.used.click()
    page.form.kind.segment(kind).click()


def test_nothing_is_red_on_arrival_and_nothing_jumps(page: ColumnsPage, qtbot: QtBot) -> None:
    use(page, "length", "number")
    form = page.form
    lower = form.numbers["lower"]
    assert [f.error for f in form.numbers.values()] == ["", "", ""]
    assert page.state.step_problems("columns"), "the footer says it all the same"
    rest(page)
    below = form.rules.mapTo(form, QPoint(0, 0)).y()
    missing, outside = form.rules.fields["missing"], form.rules.fields["outside"]
    between = outside.y() - missing.geometry().bottom()
    assert between == form.rules.y() - form.decimal.geometry().bottom(), "all fields as far apart"
    lower.edit.setFocus()
    qtbot.keyClick(lower.edit, Qt.Key.Key_Tab)
    assert not lower.error, "nobody typed anything there"
    lower.edit.setFocus()
    qtbot.keyClicks(lower.edit, "1")
    qtbot.keyClick(lower.edit, Qt.Key.Key_Backspace)
    assert not lower.error
    qtbot.keyClick(lower.edit, Qt.Key.Key_Tab)
    assert lower.error
    assert not form.numbers["upper"].error
    rest(page)
    assert form.rules.mapTo(form, QPoint(0, 0)).y() == below
    lower.edit.setFocus()
    qtbot.keyClicks(lower.edit, "0")
    assert not lower.error
    page.select("band")
    page.select("length")
    assert [f.error for f in form.numbers.values()] == ["", "", ""]


def type_into(field: LineField, text: str, qtbot: QtBot) -> None:
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)


def test_what_stands_wrong_in_a_field_is_said_on_arrival(page: ColumnsPage, qtbot: QtBot) -> None:
    use(page, "length", "number")
    for key, text in (("lower", "9"), ("upper", "3"), ("step", "1")):
        field = page.form.numbers[key]
        field.edit.setFocus()
        qtbot.keyClicks(field.edit, text)
    page.select("band")
    page.form.used.setFocus()
    page.select("length")
    assert page.form.numbers["upper"].error
    # On a low screen its sentence comes on show when the field is left for the next.
    upper = page.form.numbers["upper"]
    row, area = upper.parentWidget(), page._form_area
    assert isinstance(row, FieldRow)
    page.window().resize(683, 354)
    type_into(upper, "10", qtbot)
    type_into(upper, "3", qtbot)
    settle()
    end = row.words.mapTo(page.form, QPoint()).y()
    area.verticalScrollBar().setValue(end - area.viewport().height())
    qtbot.keyClick(upper.edit, Qt.Key.Key_Tab)
    settle()
    assert row.words.text()
    assert row.words.visibleRegion().boundingRect() == row.words.rect()


def test_a_list_counts_its_values_and_asks_about_commas(page: ColumnsPage, qtbot: QtBot) -> None:
    use(page, "band", "category")
    form = page.form
    form.values.edit.setFocus()
    qtbot.keyClicks(form.values.edit, "0-9, 10-19, 20-29")
    assert form.values.hint.startswith("1 value. ")
    assert not form.split.isHidden()
    assert "“0-9, 10-19, 20-29”" in form.split.accessibleName()
    assert "3" in form.split.accessibleName()
    form.split.action.click()
    assert form.split.isHidden()
    assert form.values.hint.startswith("3 values. ")
    column = page.state.study.column("band")
    assert isinstance(column, CategoryColumn)
    assert column.values == ("0-9", "10-19", "20-29")
    page.session.document.undo_stack.undo()
    column = page.state.study.column("band")
    assert isinstance(column, CategoryColumn)
    assert column.values == ("0-9, 10-19, 20-29",)


def test_yes_and_no_ask_about_commas_too(page: ColumnsPage, qtbot: QtBot) -> None:
    use(page, "again", "yes-no")
    form = page.form
    form.yes.edit.setFocus()
    qtbot.keyClicks(form.yes.edit, "<30")
    form.no.edit.setFocus()
    qtbot.keyClicks(form.no.edit, ">30, NO")
    assert form.no.hint.startswith("1 value. ")
    form.split.action.click()
    column = page.state.study.column("again")
    assert isinstance(column, YesNoColumn)
    assert (column.yes, column.no) == (("<30",), (">30", "NO"))
    assert form.no.hint.startswith("2 values, published as “>30”. ")
    assert form.split.isHidden()
