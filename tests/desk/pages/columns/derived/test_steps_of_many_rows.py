# SPDX-License-Identifier: Apache-2.0
"""What is made of several rows is made in the same dialog: of a person, beside a row, of a case."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.columns.derived import steps_of_many_rows
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.study.model.columns import DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.steps.step import (
    PERSON_VALUES,
    ROW_NEIGHBOURS,
    BesideRow,
    OfCase,
    OfPerson,
)
from dpdesk.study.model.tables import PEOPLE, FurtherTable
from dpdesk.study.model.unit import Unit
from tests.desk.conftest import OpenWindow
from tests.desk.pages.columns.derived.derived_study import open_page
from tests.desk.pages.columns.derived.test_column_dialog import add, begin, name, pick
from tests.desk.screens import settle

VALUE = NumberColumn("hba1c", Decimal(3), Decimal(20), Decimal("0.1"), title="HbA1c", table="labs")
TAKEN = DateColumn("taken", date(2024, 1, 1), date(2024, 12, 31), title="Sample", table="labs")


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    page = open_page(open_window, tmp_path)
    unit = Unit("id", 3, case="ward", person_name="patient", person_names="patients")
    page.session.edit(replace(page.state.study, unit=unit), "people")
    settle()
    return page


def with_labs(page: ColumnsPage) -> None:
    """A further table of laboratory values, by case."""
    study = page.state.study
    data = replace(study.data, extract="") if study.data is not None else study.data
    assert data is not None
    labs = FurtherTable("labs", data, "id", case="ward")
    study = replace(study, tables=(labs,), columns=(*study.columns, VALUE, TAKEN))
    page.session.edit(study, "labs")
    settle()


def test_the_first_day_of_a_person(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page, "person")
    pick(dialog, "what", "first")
    pick(dialog, "column", "Discharge")
    pick(dialog, "by", "Admission")
    assert dialog.cards.result.split() == ["1", "Jan", "2025", "to", "31", "Dec", "2025"]
    name(dialog, "First discharge", qtbot)
    made = add(page)
    assert isinstance(made, DateColumn)
    assert made.made_from == OfPerson("first", "dis", "adm")
    discharge = page.state.study.column("dis")
    assert isinstance(discharge, DateColumn)
    assert (made.first, made.last) == (discharge.first, discharge.last)
    assert page.state.study.homes[made.name] == PEOPLE


def test_how_many_rows_a_person_has_begins_with_a_narrow_bound(
    page: ColumnsPage, qtbot: QtBot
) -> None:
    dialog = begin(page, "person")
    name(dialog, "Number of stays", qtbot)
    made = add(page)
    assert isinstance(made, NumberColumn)
    assert (made.lower, made.upper, made.step) == (0, 20, 1)


def test_whether_any_row_of_a_person_meets_a_condition(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page, "person")
    pick(dialog, "what", "whether any row has")
    assert not dialog.ok.isEnabled()
    pick(dialog, "add", "kg")
    asked = dialog.sentence.anchor.dialog
    assert isinstance(asked, ConditionDialog)
    asked.lowest.edit.setText("100")
    asked.highest.edit.setText("200")
    asked.ok.click()
    name(dialog, "Ever", qtbot)
    made = add(page)
    assert isinstance(made, YesNoColumn) and isinstance(made.made_from, OfPerson)
    assert [one.column for one in made.made_from.where] == ["kg"]


def test_the_discharge_before_and_the_days_since(page: ColumnsPage, qtbot: QtBot) -> None:
    dialog = begin(page, "beside")
    pick(dialog, "column", "Discharge")
    pick(dialog, "by", "Admission")
    name(dialog, "Discharge before", qtbot)
    made = add(page)
    assert isinstance(made, DateColumn)
    assert made.made_from == BesideRow("previous", "adm", "dis")
    dialog = begin(page)
    pick(dialog, "end", "Admission")
    pick(dialog, "begin", "Discharge before")
    name(dialog, "Days since", qtbot)
    assert isinstance(add(page), NumberColumn)


def test_values_of_a_further_table_are_taken_of_its_rows(page: ColumnsPage, qtbot: QtBot) -> None:
    with_labs(page)
    dialog = begin(page, "person")
    pick(dialog, "table", "labs")
    pick(dialog, "what", "first")
    pick(dialog, "column", "HbA1c")
    dialog.sentence.chip("by").click()
    popup = dialog.sentence.popup
    assert popup is not None
    assert [popup.list.item(at).text() for at in range(popup.list.count())] == ["Sample"]
    popup.list.setCurrentRow(0)
    popup.list.itemActivated.emit(popup.list.currentItem())
    name(dialog, "First HbA1c", qtbot)
    made = add(page)
    assert made.made_from == OfPerson("first", "hba1c", "taken", (), "labs")  # type: ignore[attr-defined]
    dialog = begin(page, "case")
    pick(dialog, "what", "mean of")
    pick(dialog, "column", "HbA1c")
    name(dialog, "Mean of the stay", qtbot)
    dialog.numbers["step"].edit.setFocus()
    qtbot.keyClicks(dialog.numbers["step"].edit, "0.1")
    made = add(page)
    assert made.made_from == OfCase("mean", "hba1c", table="labs")  # type: ignore[attr-defined]


def test_a_case_and_a_label_are_offered_where_the_study_has_them(page: ColumnsPage) -> None:
    offered = [key for row in begin(page).kinds for key in row.keys]
    assert "person" in offered and "case" not in offered and "label" not in offered
    assert page.dialog is not None
    page.dialog.reject()
    with_labs(page)
    assert "case" in [key for row in begin(page).kinds for key in row.keys]


def test_without_a_person_column_it_is_said_where_to_choose_it(page: ColumnsPage) -> None:
    page.session.edit(replace(page.state.study, unit=Unit()), "people")
    settle()
    dialog = begin(page, "person")
    dialog.name.edit.setText("x")
    assert "People" in dialog.note.sentence and not dialog.ok.isEnabled()


def test_each_value_has_its_words() -> None:
    assert set(steps_of_many_rows.person_values()) == set(PERSON_VALUES)
    assert set(steps_of_many_rows.row_neighbours()) == set(ROW_NEIGHBOURS)
