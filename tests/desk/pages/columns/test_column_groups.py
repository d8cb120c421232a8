# SPDX-License-Identifier: Apache-2.0
"""Columns of several tables stand below their table's name, and are declared with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, Unit
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, shown_page

FILES = {
    "stays.csv": "patient_id,stay_id,date,ward\n1,a,2024-01-01,x\n",
    "patients.csv": "patient_id,sex,date,ssn\n1,f,1950-01-01,7\n",
    "labs.csv": "patient_id,stay_id,date,creatinine\n1,a,2024-01-01,5\n",
}
STUDY = Study(
    "Stays",
    data=DataSource("stays.csv"),
    unit=Unit("patient_id", 3, case="stay_id"),
    tables=(
        FurtherTable("patients", DataSource("patients.csv"), "patient_id", rows="one-per-person"),
        FurtherTable("labs", DataSource("labs.csv"), "patient_id", "stay_id"),
    ),
    columns=(CategoryColumn("ward", ("x",)),),
)


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    save_study(STUDY, tmp_path / "stays.dpdesk")
    window = open_window(tmp_path / "stays.dpdesk")
    page = shown_page(window, "columns", ColumnsPage)
    settle()
    return page


def study_of(page: ColumnsPage) -> Study:
    return page.session.document.study


def test_the_columns_of_a_table_stand_below_its_name(page: ColumnsPage) -> None:
    main, people = ("patient_id", "date", "ward", "stay_id"), ("sex", "date (patients)", "ssn")
    labs = ("date (labs)", "creatinine")
    assert page.names() == (*main, *people, *labs)
    heads = {h.text(): h.y() for h in page.list.widget().findChildren(QLabel) if not h.isHidden()}
    assert list(heads) == ["stays.csv", "patients", "labs"]
    assert page.item("ward").y() < heads["patients"] < page.item("sex").y()
    assert page.item("ssn").y() < heads["labs"] < page.item("date (labs)").y()
    assert page.item("date (labs)").text() == "date"
    assert page.item("date (labs)").accessibleName() == "date, labs"


def test_a_column_is_declared_with_its_table_and_its_header(
    page: ColumnsPage, qtbot: QtBot
) -> None:
    page.select("date (labs)")
    assert page.form.file_name.text() == "date in labs"
    qtbot.mouseClick(page.form.used, Qt.MouseButton.LeftButton)
    page.select("creatinine")
    qtbot.mouseClick(page.form.used, Qt.MouseButton.LeftButton)
    settle()
    study = study_of(page)
    date, value = study.column("date (labs)"), study.column("creatinine")
    assert isinstance(date, DateColumn) and (date.table, date.in_file) == ("labs", "date")
    assert isinstance(value, NumberColumn) and (value.table, value.in_file) == ("labs", "")
    assert [c.name for c in study.columns] == ["ward", "date (labs)", "creatinine"]
    assert page.names()[-2:] == ("date (labs)", "creatinine")
    assert page.form.derived.many.sentence.startswith("Many values per person")
    assert page.state.file_problems == ()


def test_what_is_one_of_a_person_is_not_said_to_be_many(page: ColumnsPage, qtbot: QtBot) -> None:
    page.select("sex")
    qtbot.mouseClick(page.form.used, Qt.MouseButton.LeftButton)
    settle()
    assert page.form.derived.many.sentence == ""
    assert study_of(page).column("sex") in study_of(page).asked_columns


def test_a_header_that_names_people_is_known_in_every_table(page: ColumnsPage) -> None:
    assert page.item("ssn").second_line == "Identifies a person: do not use"
    assert "ssn" not in page._offered()


def test_a_table_is_found_by_its_name(page: ColumnsPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.search.edit, "labs")
    assert page.list.names == ("date (labs)", "creatinine")


def test_several_columns_of_two_tables_are_switched_on_together(
    page: ColumnsPage, qtbot: QtBot
) -> None:
    page.choose(("date", "sex", "date (labs)"))
    qtbot.mouseClick(page.many.switch_on, Qt.MouseButton.LeftButton)
    settle()
    places = [(c.table, c.in_file or c.name) for c in study_of(page).columns]
    assert places == [("", "date"), ("", "ward"), ("patients", "sex"), ("labs", "date")]


def test_one_table_has_no_heads(open_window: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "stays.csv").write_text(FILES["stays.csv"], encoding="utf-8")
    save_study(Study(data=DataSource("stays.csv"), unit=Unit("patient_id")), tmp_path / "s.dpdesk")
    page = shown_page(open_window(tmp_path / "s.dpdesk"), "columns", ColumnsPage)
    assert not page.list.widget().findChildren(QLabel)
