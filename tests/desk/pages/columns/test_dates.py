# SPDX-License-Identifier: Apache-2.0
"""Dates in the window: declared, fixed, and asked for between two days."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.data.column_words import column_kinds
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.study.model.columns import Column, DateColumn, Replace
from dpdesk.study.model.conditions import DateBetween, IsMissing
from dpdesk.study.model.groupings import Periods
from dpdesk.study.model.tables import MAIN
from tests.desk.conftest import OpenWindow
from tests.desk.screens import pick, pick_in, settle, texts

WANTED = "Type a day such as 2020-01-31."
ADMITTED = DateColumn("admitted", date(2020, 1, 1), date(2024, 12, 31))


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    found = open_window(study_file, page="columns")
    study = found.session.state.study
    found.session.edit(replace(study, columns=(*study.columns, ADMITTED)), "")
    return found


@pytest.fixture
def columns(window: MainWindow) -> ColumnsPage:
    window.go_to("columns")
    settle()
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.select("admitted")
    return page


def declared(page: ColumnsPage) -> DateColumn:
    found = page.state.study.column("admitted")
    assert isinstance(found, DateColumn)
    return found


def type_into(qtbot: QtBot, field: LineField, text: str) -> None:
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)


def choose(field: ChoiceField, key: str) -> None:
    index = field.combo.findData(key)
    assert index >= 0, "it is not offered"
    field.combo.setCurrentIndex(index)
    field.combo.activated.emit(index)
    settle()


def offered(field: ChoiceField) -> list[str]:
    return [field.combo.itemText(row) for row in range(field.combo.count())]


def test_a_day_stays_as_it_is_typed(columns: ColumnsPage, qtbot: QtBot) -> None:
    first = columns.form.dates.days["first"]
    assert first.text == "2020-01-01"
    choose(columns.form.dates.format, "DD.MM.YYYY")
    for text in ("03.02.2021", "2021-02-03"):
        type_into(qtbot, first, text)
        assert first.text == text
        assert declared(columns).first == date(2021, 2, 3)
        assert not first.error


def test_another_format_never_changes_what_is_declared(columns: ColumnsPage, qtbot: QtBot) -> None:
    first = columns.form.dates.days["first"]
    choose(columns.form.dates.format, "DD/MM/YYYY")
    type_into(qtbot, first, "03/02/2021")
    choose(columns.form.dates.format, "MM/DD/YYYY")
    assert declared(columns).first == date(2021, 2, 3)
    assert first.text == "2021-02-03"


def test_what_is_no_day_is_reported_when_the_field_is_left(
    columns: ColumnsPage, qtbot: QtBot
) -> None:
    first = columns.form.dates.days["first"]
    type_into(qtbot, first, "31.1.21")
    assert not first.error, "not before the field is left"
    assert declared(columns).first is None
    columns.form.basis.edit.setFocus()
    assert first.error == WANTED
    choose(columns.form.dates.format, "DD.MM.YYYY")
    assert first.error == "Type a day such as 2020-01-31 or 31.01.2020."
    type_into(qtbot, first, "31.01.2021")
    assert not first.error
    assert declared(columns).first == date(2021, 1, 31)


def test_the_form_names_the_way_out_of_other_formats(columns: ColumnsPage) -> None:
    fields = columns.form.dates
    assert fields.help.isVisible()
    assert "a cell in another format is not a date" in fields.help.text()
    assert "one digit or two" in fields.help.text()


def test_the_years_of_two_digits_are_declared(columns: ColumnsPage, qtbot: QtBot) -> None:
    fields = columns.form.dates
    assert not fields.pivot.isVisible()
    choose(fields.format, "M/D/YY")
    assert fields.pivot.isVisible()
    type_into(qtbot, fields.pivot, "1925")
    column = declared(columns)
    assert (column.format, column.pivot) == ("M/D/YY", 1925)
    choose(fields.format, "YYYYMMDDHHMM")
    assert declared(columns).format == "YYYYMMDDHHMM"
    assert not fields.pivot.isVisible()


def test_a_period_the_wrong_way_round_is_reported_at_its_end(
    columns: ColumnsPage, qtbot: QtBot
) -> None:
    last = columns.form.dates.days["last"]
    type_into(qtbot, last, "2019-12-31")
    columns.form.basis.edit.setFocus()
    assert last.error == "The last day (2019-12-31) must not be before the first (2020-01-01)."
    assert columns.footer.primary is not None and not columns.footer.primary.isEnabled()
    type_into(qtbot, last, "2022-12-31")
    assert not last.error
    assert declared(columns).last == date(2022, 12, 31)


def test_only_a_dates_own_fields_are_shown(columns: ColumnsPage) -> None:
    form = columns.form
    assert form.dates.isVisible() and form.dates.format.isVisible()
    assert not form.values.isVisible() and not form.unit.isVisible()
    assert not form.rules.fields["unknown"].isVisible()
    assert {"Cells that are not dates", "Days outside the period"} <= {
        field.editor.accessibleName() for field in form.rules.fields.values()
    }
    columns.select("days")
    settle()
    assert not form.dates.isVisible() and not form.dates.format.isVisible()
    assert form.rules.fields["unparsable"].editor.accessibleName() == "Cells that are not numbers"


def test_odd_cells_count_as_declared_days(columns: ColumnsPage) -> None:
    rules = columns.form.rules.fields
    choose(rules["missing"], "=lowest")
    choose(rules["unparsable"], "=highest")
    choose(rules["outside"], "clamp")
    found = declared(columns)
    assert (found.missing, found.unparsable, found.outside) == (
        Replace("2020-01-01"),
        Replace("2024-12-31"),
        "clamp",
    )
    assert rules["missing"].key == "=lowest"
    columns.form.dates.declared.emit("first", None)
    settle()
    assert offered(rules["unparsable"]) == ["Leave the row out", "Count as last day"]


def test_a_constant_of_the_study_file_is_shown(window: MainWindow, columns: ColumnsPage) -> None:
    study = window.session.state.study
    ruled = replace(ADMITTED, outside=Replace("2020-01-01"), missing=Replace("2021-05-05"))
    others: tuple[Column, ...] = study.columns[:-1]
    window.session.edit(replace(study, columns=(*others, ruled)), "")
    settle()
    rules = columns.form.rules.fields
    assert rules["outside"].combo.currentText() == "Count as 2020-01-01"
    assert rules["missing"].combo.currentText() == "Count as 2021-05-05"
    choose(rules["missing"], "=2021-05-05")
    assert declared(columns) == ruled


def test_no_two_columns_share_what_is_typed(columns: ColumnsPage, qtbot: QtBot) -> None:
    first = columns.form.dates.days["first"]
    type_into(qtbot, first, "soon")
    columns.select("sex")
    columns.select("admitted")
    assert first.text == ""
    columns.form.basis.edit.setFocus()
    assert first.error == "", "an empty field says nothing on arrival"
    type_into(qtbot, first, "x")
    qtbot.keyClick(first.edit, Qt.Key.Key_Backspace)
    columns.form.basis.edit.setFocus()
    assert first.error and first.error != WANTED


def test_the_kind_can_be_chosen(columns: ColumnsPage, qtbot: QtBot) -> None:
    columns.select("days")
    qtbot.mouseClick(columns.form.kind.segment("date"), Qt.MouseButton.LeftButton)
    settle()
    assert isinstance(columns.state.study.column("days"), DateColumn)
    assert columns.form.dates.days["first"].text == ""
    assert columns.form.dates.isVisible()
    columns.form.used.click()
    qtbot.mouseClick(columns.form.kind.segment("date"), Qt.MouseButton.LeftButton)
    settle()
    assert columns.form.dates.days["first"].edit.hasFocus(), "as a number's lowest value has it"


def test_the_data_page_knows_the_kind(window: MainWindow) -> None:
    study = window.session.state.study
    dated = tuple(DateColumn(c.name) if c.name == "days" else c for c in study.columns)
    window.session.edit(replace(study, columns=dated), "")
    window.go_to("data")
    settle()
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    assert column_kinds(window.session.state.study, MAIN, ("days",)) == ["Date"]


# --- conditions ---------------------------------------------------------------------------------


@pytest.fixture
def dialog(window: MainWindow) -> ConditionDialog:
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    sentence = page.card(page.selected).sentence
    pick_in(sentence, "add", "where", "admitted")
    found = QApplication.activeModalWidget()
    assert isinstance(found, ConditionDialog)
    return found


def where(window: MainWindow):  # type: ignore[no-untyped-def]
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    query = page.state.study.query(page.selected)
    assert query is not None
    return query.where


def press(qtbot: QtBot, button: object) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[arg-type]
    settle()


def test_a_range_of_days_is_reported_where_it_is_wrong(
    window: MainWindow, dialog: ConditionDialog, qtbot: QtBot
) -> None:
    press(qtbot, dialog.ok)
    assert dialog.lowest.error == dialog.highest.error == WANTED
    type_into(qtbot, dialog.lowest, "2021-03-01")
    type_into(qtbot, dialog.highest, "2021-02-28")
    press(qtbot, dialog.ok)
    assert dialog.highest.error == "It must not be before the first day."
    type_into(qtbot, dialog.highest, "2021-03-01")
    press(qtbot, dialog.ok)
    assert where(window) == (DateBetween("admitted", date(2021, 3, 1), date(2021, 3, 1)),)
    assert any("admitted from 2021-03-01 to 2021-03-01" in t for t in texts(window))


@pytest.mark.in_turn(2)
def test_a_range_of_days_opens_as_it_is(
    window: MainWindow, dialog: ConditionDialog, qtbot: QtBot
) -> None:
    type_into(qtbot, dialog.lowest, "2021-03-01")
    type_into(qtbot, dialog.highest, "2021-12-31")
    press(qtbot, dialog.ok)
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    press(qtbot, page.card(page.selected).sentence.chip("where-0"))
    again = QApplication.activeModalWidget()
    assert isinstance(again, ConditionDialog)
    assert (again.lowest.text, again.highest.text) == ("2021-03-01", "2021-12-31")
    press(qtbot, again.kind.segment("missing"))
    press(qtbot, again.ok)
    assert where(window) == (IsMissing("admitted", True),)


def test_a_date_makes_groups_by_its_periods(window: MainWindow) -> None:
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    sentence = page.card(page.selected).sentence
    pick_in(sentence, "add", "group", "sex")
    pick_in(sentence, "group-0")
    popup = sentence.anchor.popup
    keys = [popup.list.item(r).data(Qt.ItemDataRole.UserRole) for r in range(popup.list.count())]
    assert "admitted" not in keys and "sex" in keys
    assert [key for key in keys if key.endswith("admitted")] == [
        f"{period}\0admitted" for period in ("year", "quarter", "month", "weekday")
    ]
    pick(popup, "month\0admitted")
    assert window.session.state.study.queries[0].by == (Periods("admitted", "month"),)
    assert sentence.chip("group-0").text() == "month of admitted"
