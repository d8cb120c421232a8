# SPDX-License-Identifier: Apache-2.0
"""Data: how each file of several is read is shown and corrected, and its rows on request."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits.file_place import FilePlace
from dpdesk.desk.core.jobs import jobs
from dpdesk.desk.pages.data.file_choice import JOINED
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.data.tables.main_table_dialog import MainTableDialog
from dpdesk.desk.pages.data.tables.table_dialog import TableDialog
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.steps.step import FirstThere, OfPerson
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, Unit
from tests.data.workbooks import write_workbook
from tests.desk.conftest import OpenWindow
from tests.desk.pages.data.test_data_page import data_page
from tests.desk.pages.data.test_tables import study_of
from tests.desk.screens import settle

SECOND = FilePlace("labs", 1)
CANARY = "canary-4711"


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> DataPage:
    """A study whose second file of laboratory values is declared with the wrong separator."""
    (tmp_path / "stays.csv").write_text("patient;ward\n1;a\n2;b\n", encoding="utf-8")
    (tmp_path / "2023.csv").write_text("patient,value\n1,5\n", encoding="utf-8")
    (tmp_path / "2024.csv").write_text(f"patient;value\n1;{CANARY}\n2;9,5\n", encoding="utf-8")
    page = data_page(open_window(tmp_path / "stays.csv"))
    more = DataSource(str(tmp_path / "2024.csv"), label="2024")
    labs = DataSource(str(tmp_path / "2023.csv"), label="2023", more=(more,))
    study = replace(
        page.state.study,
        unit=Unit("patient", 3),
        tables=(FurtherTable("labs", labs, "patient"),),
        columns=(CategoryColumn("value", ("5",), missing_values=("9,5",), table="labs"),),
    )
    page.session.edit(study, "tables")
    settle()
    return page


def read_as(page: DataPage) -> list[tuple[str, tuple[str, ...]]]:
    (labs,) = study_of(page).tables
    return [(file.separator, file.by_hand) for file in labs.data.files]


def test_the_dialog_opens_at_the_file_that_lacks_a_column_and_corrects_it(page: DataPage) -> None:
    assert page.tables.wrong.sentence.startswith("2024.csv: "), "its card names the file"
    page.tables.opened.emit("labs")
    dialog = page.dialog
    assert isinstance(dialog, TableDialog)
    assert dialog.files.which.isVisibleTo(dialog)
    assert dialog.files.which.combo.currentText() == "2024.csv"
    assert "patient" in dialog.files.sentences[-1]
    assert dialog.focusWidget() is dialog.files.chips.chips["format"], "and what mends it"
    dialog.files.chips.corrected.emit("separator", ";")
    settle()
    assert dialog.remark.sentence == "" and not dialog.files.rows[1].remark.isVisibleTo(dialog)
    dialog.accept()
    settle()
    assert read_as(page) == [(",", ()), (";", ("separator",))]
    assert page.state.step_problems("data") == ()
    page.session.document.undo_stack.undo()
    assert read_as(page) == [(",", ()), (",", ())], "one press takes it back"


def test_what_means_missing_is_said_once_of_all_files_of_a_table(page: DataPage) -> None:
    page.which.chosen.emit(SECOND)
    page.chips.corrected.emit("missing", ("NA",))
    settle()
    (labs,) = study_of(page).tables
    assert [file.missing for file in labs.data.files] == [("NA",), ("NA",)]
    assert labs.data.more[0].missing == ()


def test_another_file_is_corrected_and_shown_like_the_first(page: DataPage) -> None:
    names = [page.which.combo.itemText(at) for at in range(page.which.combo.count())]
    assert names == [
        "stays.csv (the main table)",
        "labs: 2023.csv",
        "labs: 2024.csv",
        "All tables joined",
    ]
    page.show_rows.click()
    settle()
    assert not page.table.delegate.masked
    page.which.chosen.emit(SECOND)
    settle()
    assert page.table.delegate.masked, "rows of another file are asked for, too"
    page.chips.corrected.emit("separator", ";")
    settle()
    assert read_as(page)[1] == (";", ("separator",))
    heads = page.preview._shown[1]
    assert heads == ["patient\nPerson ID column", "value\nCategory"]
    page.show_rows.click()
    settle()
    assert page.preview._shown[0] == [("1", CANARY), ("2", "9,5")]
    assert page.preview._model.missing == {(1, 1)}


def test_joined_tables_are_columns_without_rows_and_nothing_is_looked_up(
    page: DataPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the files hold, the same is said: ids of nobody meet as ids of all do."""
    (tmp_path / "patients.csv").write_text("pat,sex,born\n9,f,1950\n", encoding="utf-8")
    patients = DataSource(str(tmp_path / "patients.csv"))
    people = FurtherTable("patients", patients, "pat", rows="one-per-person")
    count = NumberColumn("values", *(Decimal(0), Decimal(9), Decimal(1)))
    count = replace(count, made_from=OfPerson("count", table="labs"))
    sex = CategoryColumn("sex", ("f", "m"), table="patients")
    study = study_of(page)
    study = replace(study, tables=(people, *study.tables), columns=(*study.columns, sex, count))
    page.session.edit(study, "tables")
    settle()
    page.show_rows.click()
    settle()
    with monkeypatch.context() as patch:
        patch.setattr(jobs.Job, "start", lambda _job, _workers: pytest.fail("a file is read"))
        page.which.picked.emit(JOINED)
    assert page.preview._wants_rows is False, "rows that were on show are masked"
    assert page.preview.isHidden() and page.chips.isHidden()
    assert page.joined.isVisibleTo(page)
    model = page.joined.table.model()
    heads = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    assert heads == [
        *("patient\nPerson ID column", "ward\nNot used"),
        *("sex\nCategory, from patients", "born\nNot used, from patients"),
        "values\nNumber, worked out",
    ], "a table of many rows comes in by what is made of it, and ids once"
    cells = {model.index(row, at).data() for row in range(3) for at in range(len(heads))}
    assert cells == {""} and page.joined.table.delegate.masked
    assert page.joined.meeting.text().splitlines() == [
        "patients: its columns have one value for all rows of a person.",
        "labs: any number of rows for each person. In Columns, New column makes one value of them, "
        "such as the number, the first or the mean.",
    ]
    page.which.picked.emit("0")
    assert page.joined.isHidden() and page.chips.isVisibleTo(page)


def test_without_further_tables_nothing_is_joined(page: DataPage) -> None:
    page.which.picked.emit(JOINED)
    page.session.edit(replace(study_of(page), tables=(), columns=()), "tables")
    settle()
    assert page.joined.isHidden() and page.preview.isVisibleTo(page)
    page.session.document.undo_stack.undo()
    settle()
    assert page.joined.isVisibleTo(page)
    page.forget()
    page.render_state()
    assert page.joined.isHidden(), "another study begins with its first file"


def test_how_numbers_of_another_file_are_written_is_confirmed_for_it_alone(
    page: DataPage, tmp_path: Path
) -> None:
    (tmp_path / "2024.csv").write_text("patient;value\n1;1,5\n2;9,5\n", encoding="utf-8")
    page.which.chosen.emit(SECOND)
    page.chips.corrected.emit("separator", ";")
    settle()
    assert page.preview.marks.isVisibleTo(page)
    page.preview.marks.action_pressed.emit()
    settle()
    (labs,) = study_of(page).tables
    assert [file.decimal for file in labs.data.files] == [".", ","]
    assert labs.data.more[0].by_hand == ("separator",), "a confirmed proposal is not published"


def test_a_file_that_is_taken_away_makes_room_for_the_first(page: DataPage) -> None:
    page.which.chosen.emit(SECOND)
    page.session.edit(replace(study_of(page), tables=()), "tables")
    settle()
    assert page.preview._shown[1] == ["patient\nPerson ID column", "ward\nNot used"]
    assert not page.which.isVisibleTo(page)


def test_what_a_slow_file_has_is_offered_once_it_is_read(
    page: DataPage, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy computer it comes later than a click waits; the page looks at its own meanwhile."""
    monkeypatch.setattr(jobs, "PATIENCE_MS", 0)
    write_workbook(tmp_path / "ward.xlsx", {"Ward": [["patient", "bed"], [1, 2]]})
    page.add_files([tmp_path / "ward.xlsx"])
    qtbot.waitUntil(lambda: page.dialog is not None)
    page.session.refresh()
    settle()
    dialog = page.dialog
    assert isinstance(dialog, TableDialog)
    assert (dialog.person.combo.count(), dialog.person.key) == (2, "patient")
    dialog.reject()


def test_a_further_file_on_another_computer_is_read_once_somebody_agrees(page: DataPage) -> None:
    away = DataSource("//ward-server/share/labs.csv")
    page.session.edit(
        replace(study_of(page), tables=(FurtherTable("labs", away, "patient"),)), "tables"
    )
    settle()
    page.which.chosen.emit(FilePlace("labs"))
    assert page._trouble.isVisibleTo(page)
    page._trouble.action_pressed.emit()
    settle()
    codes = [problem.code for problem in page.state.step_problems("data")]
    assert "data-on-network" not in codes and codes


def test_another_table_becomes_the_main_one_and_undo_brings_all_back(
    page: DataPage, qtbot: QtBot
) -> None:
    count = NumberColumn("labs", Decimal(0), Decimal(9), Decimal(1), made_from=OfPerson("count"))
    ward = CategoryColumn("ward", ("a",))
    double = CategoryColumn("both", ("a",), made_from=FirstThere(("ward", "of_patient")))
    of_patient = replace(ward, name="of_patient", made_from=OfPerson("most-frequent", "ward"))
    columns = (*study_of(page).columns, count, ward, double, of_patient)
    named = Unit("patient", 3, row_name="stay", row_names="stays")
    page.session.edit(replace(study_of(page), columns=columns, unit=named), "columns")
    settle()
    before = study_of(page)
    qtbot.mouseClick(page.tables.main, Qt.MouseButton.LeftButton)
    popup = page.tables.findChild(ChoicePopup)
    popup.chosen.emit(("labs",))
    popup.close()
    dialog = page.dialog
    assert isinstance(dialog, MainTableDialog)
    assert dialog.lost.sentence == "This removes your words for rows. Undo brings everything back."
    assert study_of(page) == before, "nothing changes before it is said"
    assert dialog.max_rows.edit.text() == "", "3 was chosen for stays"
    assert dialog.max_rows.hint == "It was 3, for stays."
    for typed in ("", "0", "x"):
        dialog.max_rows.edit.clear()
        qtbot.keyClicks(dialog.max_rows.edit, typed)
        dialog.ok.click()
        assert dialog.max_rows.error and study_of(page) == before
    dialog.max_rows.edit.clear()
    qtbot.keyClicks(dialog.max_rows.edit, "40")
    dialog.ok.click()
    settle()
    study = study_of(page)
    assert study.unit is not None and study.unit.max_rows == 40
    assert study.data is not None and Path(study.data.path).name == "2023.csv"
    assert list(page.tables.tiles) == ["", "stays"]
    assert page.tables.main.text() == "2023.csv"
    assert (study.homes["value"], study.homes["ward"]) == ("", "stays")
    page.session.document.undo_stack.undo()
    settle()
    assert study_of(page) == before
