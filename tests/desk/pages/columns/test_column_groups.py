# SPDX-License-Identifier: Apache-2.0
"""Columns of several tables stand below their table's name, and are declared with it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.pages.columns.derived.derived_edits import stay_of
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import CodePrefix, OfCase
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
    window = open_window(tmp_path / "stays.dpdesk", page="columns")
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
    page = shown_page(open_window(tmp_path / "s.dpdesk", page="columns"), "columns", ColumnsPage)
    assert not page.list.widget().findChildren(QLabel)


def use(page: ColumnsPage, *names: str) -> None:
    for name in names:
        page.select(name)
        page.form.used.click()
    settle()


def test_one_of_many_values_of_a_case_is_one_press_away(page: ColumnsPage) -> None:
    use(page, "date (labs)", "creatinine")
    number = study_of(page).column("creatinine")
    bounded = replace(number, lower=Decimal(0), upper=Decimal(9), step=Decimal(1))  # type: ignore[type-var]
    page.session.edit(study_edits.replace_column(study_of(page), bounded), "bounds")  # type: ignore[arg-type]
    settle()
    links = page.form.derived.links
    assert [link.text() for link in links] == [
        *("First creatinine…", "Mean creatinine…", "Number of rows of labs…")
    ]
    links[0].click()
    assert page.dialog is not None
    assert page.dialog.column.made_from == OfCase(
        "first", "creatinine", by="date (labs)", table="labs"
    )
    assert page.dialog.ok.isEnabled(), page.dialog.note.sentence
    page.dialog.accept()
    settle()
    (made,) = [c for c in study_of(page).columns if c.made_from is not None]
    assert made in study_of(page).asked_columns and page.names()[-1] == made.name
    assert page.state.column_problems(made.name) == ()
    assert page.form.derived.edit.isVisibleTo(page.form)


def test_codes_of_a_further_table_are_sorted_as_it_names_them(page: ColumnsPage) -> None:
    path = page.session.document.folder / "labs.csv"
    path.write_text("patient_id,stay_id,date,icd10\n1,a,2024-01-01,I21\n", encoding="utf-8")
    page.session.reread_header()
    settle()
    page.select("icd10")
    links = page.form.derived.links
    assert links
    links[0].click()
    assert page.dialog is not None
    column = page.dialog.column
    assert isinstance(column.made_from, CodePrefix)
    assert (column.table, column.made_from.header) == ("labs", "icd10")
    page.dialog.accept()
    settle()
    study = study_of(page)
    (made,) = [c for c in study.columns if c.made_from is not None]
    assert study.homes[made.name] == "labs" and page.state.file_problems == ()
    assert page.form.derived.many.sentence


def test_a_stay_is_between_days_of_one_table(page: ColumnsPage) -> None:
    use(page, "date", "date (labs)")
    study = study_of(page)
    assert stay_of(study, "date") is None and stay_of(study, "date (labs)") is None
