# SPDX-License-Identifier: Apache-2.0
"""Data: further tables are added, changed and removed, and files of one shape are one table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.files.added_files import EACH, ONE_TABLE
from dpdesk.desk.file_opener import dropped_files
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.data.tables.added_files_dialog import AddedFilesDialog
from dpdesk.desk.pages.data.tables.table_dialog import NONE, TableDialog
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.study.model.columns import DateColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import Unit
from tests.desk.conftest import OpenWindow
from tests.desk.pages.data.test_data_page import data_page
from tests.desk.screens import settle

STAYS = "patient_id,stay_id,admitted\n1,a,2024-01-01\n2,b,2024-01-02\n"
PATIENTS = "patient_id,birthdate,sex\n1,1950-01-01,f\n2,1960-01-01,m\n"
LABS = "patient_id,stay_id,date,value\n1,a,2024-01-01,5\n"


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> DataPage:
    files = {"stays.csv": STAYS, "patients.csv": PATIENTS, "stays_2025.csv": STAYS}
    files |= {"labs_2023.csv": LABS, "labs_2024.csv": LABS}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    window = open_window(tmp_path / "stays.csv")
    page = data_page(window)
    unit = Unit("patient_id", 3, case="stay_id")
    page.session.edit(replace(page.state.study, unit=unit), "people")
    settle()
    return page


def study_of(page: DataPage) -> Study:
    return page.session.document.study


def added(page: DataPage, folder: Path, *names: str) -> TableDialog:
    page.add_files([folder / name for name in names])
    settle()
    if isinstance(page.dialog, AddedFilesDialog):
        page.dialog.accept()
        settle()
    assert isinstance(page.dialog, TableDialog)
    return page.dialog


def test_what_a_new_table_is_is_proposed_by_its_header(page: DataPage, tmp_path: Path) -> None:
    dialog = added(page, tmp_path, "patients.csv")
    assert dialog.focusWidget() is dialog.name.edit, "not at Cancel, two Tabs before it"
    table = dialog.study.tables[0]
    assert (table.name, table.person, table.rows) == ("patients", "patient_id", "one-per-person")
    assert study_of(page).tables == (), "nothing changes before it is used"
    dialog.accept()
    settle()
    assert [one.name for one in study_of(page).tables] == ["patients"]
    assert list(page.tables.tiles) == ["", "patients"]
    page.session.document.undo_stack.undo()
    settle()
    assert study_of(page).tables == () and not page.tables.isVisibleTo(page)


def test_files_of_the_same_columns_are_one_table_with_labels(
    page: DataPage, tmp_path: Path
) -> None:
    page.add_files([tmp_path / "labs_2023.csv", tmp_path / "labs_2024.csv"])
    settle()
    assert isinstance(page.dialog, AddedFilesDialog)
    assert list(page.dialog.options) == [ONE_TABLE, EACH]
    page.dialog.accept()
    settle()
    assert isinstance(page.dialog, TableDialog)
    dialog = page.dialog
    assert [row.label.text() for row in dialog.files.rows.values()] == ["2023", "2024"]
    assert dialog.case.key == "stay_id"
    dialog.accept()
    settle()
    (labs,) = study_of(page).tables
    assert (labs.name, labs.case, labs.rows) == ("labs", "stay_id", "many")
    assert [file.label for file in labs.data.files] == ["2023", "2024"]
    assert page.state.step_problems("data") == ()


def test_a_file_like_the_main_table_is_more_of_it(page: DataPage, tmp_path: Path) -> None:
    page.add_files([tmp_path / "stays_2025.csv"])
    settle()
    assert isinstance(page.dialog, AddedFilesDialog)
    assert list(page.dialog.options) == ["", EACH]
    page.dialog.accept()
    settle()
    data = study_of(page).data
    assert data is not None and [Path(one.path).name for one in data.files] == [
        *("stays.csv", "stays_2025.csv")
    ]
    assert study_of(page).tables == () and page.tables.isVisibleTo(page)


def test_of_several_rows_the_earliest_counts_by_a_date_that_is_declared_with_it(
    page: DataPage, tmp_path: Path
) -> None:
    dialog = added(page, tmp_path, "patients.csv")
    assert not dialog.by.isEnabled()
    dialog.keep.picked.emit("last")
    dialog.by.picked.emit("birthdate")
    dialog.accept()
    settle()
    study = study_of(page)
    assert (study.tables[0].keep, study.tables[0].by) == ("last", "birthdate")
    (born,) = study.read_from("patients")
    assert isinstance(born, DateColumn) and born.name == "birthdate"


def test_a_table_that_lacks_its_person_column_is_said_at_its_tile(
    page: DataPage, tmp_path: Path
) -> None:
    added(page, tmp_path, "patients.csv").accept()
    settle()
    (tmp_path / "patients.csv").write_text("id,birthdate\n1,1950-01-01\n", encoding="utf-8")
    page.session.reread_header()
    settle()
    codes = [(p.path, p.code) for p in page.state.step_problems("data")]
    assert codes == [("$.tables[0].person", "data-column-absent")]
    assert "patient_id" in page.tables.tiles["patients"].accessibleDescription()
    assert page.footer.primary is not None


def test_a_renamed_table_takes_its_columns_along_and_a_removed_one_too(
    page: DataPage, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog = added(page, tmp_path, "patients.csv")
    dialog.keep.picked.emit("first")
    dialog.by.picked.emit("birthdate")
    dialog.accept()
    settle()
    qtbot.mouseClick(page.tables.tiles["patients"], Qt.MouseButton.LeftButton)
    dialog = page.dialog
    assert isinstance(dialog, TableDialog)
    dialog.name.edited.emit("persons")
    dialog.accept()
    settle()
    assert [c.table for c in study_of(page).columns] == ["persons"]
    qtbot.mouseClick(page.tables.tiles["persons"], Qt.MouseButton.LeftButton)
    dialog = page.dialog
    assert isinstance(dialog, TableDialog)
    qtbot.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
    settle()
    assert study_of(page).tables == () and study_of(page).columns == ()


def test_without_a_case_number_tables_meet_over_the_person(page: DataPage, tmp_path: Path) -> None:
    dialog = added(page, tmp_path, "labs_2023.csv")
    dialog.case.picked.emit(NONE)
    dialog.accept()
    settle()
    assert study_of(page).tables[0].case == ""


def test_of_several_files_those_of_the_same_columns_may_be_one_table(
    page: DataPage, tmp_path: Path
) -> None:
    names = ("labs_2023.csv", "patients.csv", "labs_2024.csv")
    page.add_files([tmp_path / name for name in names])
    settle()
    assert isinstance(page.dialog, AddedFilesDialog)
    assert list(page.dialog.options) == [ONE_TABLE, EACH]
    page.dialog.accept()
    settle()
    tables = study_of(page).tables
    assert [(one.name, len(one.data.files)) for one in tables] == [
        ("labs", 2),
        ("patients", 1),
    ]
    assert [file.label for file in tables[0].data.files] == ["2023", "2024"]


def dropped(window: MainWindow, paths: list[Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    nothing = (Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)
    window.dropEvent(QDropEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, *nothing))
    settle()


def test_several_files_dropped_on_data_are_tables_of_the_study(
    page: DataPage, tmp_path: Path
) -> None:
    window = page.window()
    assert isinstance(window, MainWindow)
    before = page.session.document.path
    dropped(window, [tmp_path / "patients.csv", tmp_path / "labs_2023.csv"])
    assert page.session.document.path == before
    assert [one.name for one in study_of(page).tables] == ["patients", "labs"]


def test_several_files_dropped_elsewhere_are_a_study_of_several_tables(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    for name, text in (("patients.csv", PATIENTS), ("stays.csv", STAYS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    window = open_window()
    dropped(window, [tmp_path / "patients.csv", tmp_path / "stays.csv"])
    dialog = data_page(window).dialog
    assert isinstance(dialog, TableDialog)
    dialog.accept()
    settle()
    study = window.session.document.study
    assert study.data is not None and Path(study.data.path).name == "stays.csv"
    assert [(one.name, one.rows) for one in study.tables] == [("patients", "one-per-person")]


def test_a_study_or_a_bundle_among_files_that_are_dropped_is_no_table(tmp_path: Path) -> None:
    names = ("stays.csv", "stays.dpdesk", "b.notice")
    paths = [tmp_path / name for name in names]
    for path in paths:
        path.write_text("a,b\n", encoding="utf-8")
    data = QMimeData()
    for other in paths[1:]:
        data.setUrls([QUrl.fromLocalFile(str(one)) for one in (paths[0], other)])
        nothing = (Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)
        drop = QDropEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, *nothing)
        assert dropped_files(drop) == []


def test_a_further_file_in_a_synced_folder_is_said(page: DataPage, tmp_path: Path) -> None:
    away = tmp_path / "Dropbox"
    away.mkdir()
    (away / ".dropbox").touch()
    (away / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    assert page.preview.synced.sentence == ""
    added(page, away, "patients.csv").accept()
    settle()
    assert "Dropbox" in page.preview.synced.sentence


def test_the_preview_names_no_kind_of_another_tables_column(page: DataPage) -> None:
    study = study_of(page)
    other = DateColumn("admitted", table="gone")
    page.session.edit(replace(study, columns=(other,)), "columns")
    settle()
    heads = page.preview._shown[1]
    assert "admitted\nNot used" in heads


def test_another_year_is_another_file_of_the_same_table(
    page: DataPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It took adding the new file and removing the old one, beside a button for the table."""
    added(page, tmp_path, "labs_2023.csv").accept()
    settle()
    chosen = tmp_path / "labs_2024.csv"
    monkeypatch.setattr("dpdesk.desk.pages.data.page.existing_file", lambda *_: chosen)
    page._open_table(study_of(page), "labs")
    assert isinstance(page.dialog, TableDialog)
    page.dialog.files.other.click()
    if page.session.recognition.is_pending:
        assert not page.dialog.ok.isEnabled(), "without the file it is last year's table"
        page.dialog.accept()
    settle()
    assert page.dialog.ok.isEnabled()
    page.dialog.accept()
    settle()
    (labs,) = study_of(page).tables
    assert (Path(labs.data.path).name, labs.case) == ("labs_2024.csv", "stay_id")
    assert labs.data.label == "" and labs.data.more == ()
    page._open_table(study_of(page), MAIN)
    assert page.dialog.files.other.isHidden(), "the main table's is chosen on the page"
    page.dialog.reject()
    page._open_table(study_of(page), "labs")
    page.session.recognition.began.emit("labs_2023.csv")
    assert not page.dialog.ok.isEnabled() and "labs_2023.csv" in page.dialog.remark.sentence
    page.session.recognition.ended.emit()
    assert page.dialog.ok.isEnabled()
    page.dialog.files.other.click()
    page.dialog.reject()
    settle()
    assert study_of(page).tables == (labs,), "a file of a closed dialog is nobody's"


def test_a_case_number_is_named_once(page: DataPage, tmp_path: Path) -> None:
    """It was to be chosen in a field that was shut until People was done, in another dialog."""
    window = page.window()
    assert isinstance(window, MainWindow)
    page.session.edit(replace(study_of(page), unit=Unit("patient_id", 3)), "no case number")
    dialog = added(page, tmp_path, "labs_2023.csv")
    dialog.case.picked.emit("stay_id")
    assert dialog.main_case.key == "stay_id"
    dialog.accept()
    settle()
    page.session.edit(replace(study_of(page), unit=None), "before People")
    people = window.pages["people"]
    assert isinstance(people, PeoplePage)
    people._choose_person("patient_id")
    assert study_of(page).unit == Unit("patient_id", 1, case="stay_id")
    page.session.edit(replace(study_of(page), tables=(), unit=None), "no table")
    people._choose_person("patient_id")
    assert study_of(page).unit == Unit("patient_id", 1)
