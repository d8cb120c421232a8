# SPDX-License-Identifier: Apache-2.0
"""Data with files of every kind: what a workbook asks, what fixes a failure, and no waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from openpyxl import Workbook
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.data.files.workbook.sheet_look import SheetLook
from dpdesk.desk.core.state import StepState, step_state
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.text.read_words import table_kinds
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.unit import DataSource
from tests.desk.conftest import OpenWindow
from tests.desk.screens import cells, settle, texts, turn, wait_until
from tests.waiting import LIMIT_S

CANARY = "canary-4711"
KINDS = [
    ".csv",
    ".tsv",
    ".txt",
    ".xlsx",
    ".xls",
    ".ods",
    ".parquet",
    ".sav",
    ".zsav",
    ".por",
    ".dta",
    ".sas7bdat",
    ".xpt",
]


def data_page(window: MainWindow) -> DataPage:
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    return page


def source(page: DataPage) -> DataSource:
    assert page.state.study.data is not None
    return page.state.study.data


def choose(
    qtbot: QtBot, page: DataPage, part: str, text: str, rest: Callable[[], None] = settle
) -> None:
    if not page.chips.chips[part].isVisible():
        page.chips.more.click()
    qtbot.mouseClick(page.chips.chips[part], Qt.MouseButton.LeftButton)
    popup = page.findChildren(ChoicePopup)[-1]
    (item,) = popup.list.findItems(text, Qt.MatchFlag.MatchStartsWith)
    popup.list.setCurrentItem(item)
    popup.list.setFocus()
    qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    rest()


@pytest.fixture
def book(tmp_path: Path) -> Path:
    made = Workbook()
    about = made.active
    assert about is not None
    about.title = "About"
    about.append(["Registry of stays"])
    stays = made.create_sheet("Stays 2025")
    for row in (["Stays of 2025"], [], ["id", "days", "note"], ["p1", 3.5, CANARY], ["p2", 4, "?"]):
        stays.append(row)
    made.save(tmp_path / "stays.xlsx")
    return tmp_path / "stays.xlsx"


@pytest.fixture
def page(open_window: OpenWindow, book: Path) -> DataPage:
    return data_page(open_window(book))


def test_a_workbook_asks_for_its_sheet_then_its_row_and_is_read(
    page: DataPage, qtbot: QtBot
) -> None:
    assert source(page).format == "excel"
    assert page.chips.chips["sheet"].tone is Tone.ATTENTION
    assert page.chips.remark.sentence == (
        "Choose the sheet of the workbook that contains the table."
    )
    assert page.footer.primary is not None and not page.footer.primary.isEnabled()
    assert [p.code for p in page.state.step_problems("data")] == [
        "sheet-not-chosen",
        "header-row-not-chosen",
    ]
    choose(qtbot, page, "sheet", "Stays 2025")
    assert page.chips.chips["header_row"].tone is Tone.ATTENTION
    choose(qtbot, page, "header_row", "Row 3: 3 cells filled")
    assert (source(page).sheet, source(page).header_row) == ("Stays 2025", 3)
    assert page.state.header == ("id", "days", "note")
    assert not page.chips.remark.isVisible()
    assert page.footer.primary.isEnabled()
    assert step_state(page.state, "data") is StepState.DONE


def test_the_choice_is_undone_redone_and_saved(page: DataPage, qtbot: QtBot) -> None:
    choose(qtbot, page, "sheet", "Stays 2025")
    choose(qtbot, page, "header_row", "Row 3")
    document = page.session.document
    document.undo_stack.undo()
    assert source(page).header_row is None
    assert page.state.header == ()
    assert page.chips.chips["header_row"].text() == "Choose a row"
    document.undo_stack.redo()
    assert page.state.header == ("id", "days", "note")
    assert document.save() and document.path is not None
    assert load_study(document.path).study.data == source(page)


def test_rows_show_where_the_names_stand_only_when_asked_for(page: DataPage, qtbot: QtBot) -> None:
    choose(qtbot, page, "sheet", "Stays 2025")
    assert not [t for t in texts(page.window(), with_hidden=True) if CANARY in t]
    qtbot.mouseClick(page.show_rows, Qt.MouseButton.LeftButton)
    model = page.table.model()
    numbered = [model.index(row, 0).data() for row in range(model.rowCount())]
    assert numbered[:5] == ["1", "2", "3", "4", "5"]
    assert model.index(2, 1).data() == "id"
    choose(qtbot, page, "header_row", "Row 3")
    assert {"id\nNot used", "3.5", CANARY} <= set(cells(page.table.model()))
    qtbot.mouseClick(page.show_rows, Qt.MouseButton.LeftButton)
    assert not [t for t in texts(page.window(), with_hidden=True) if CANARY in t]


def test_a_sheet_that_went_away_is_fixed_at_its_chip(
    page: DataPage, qtbot: QtBot, book: Path
) -> None:
    choose(qtbot, page, "sheet", "Stays 2025")
    choose(qtbot, page, "header_row", "Row 3")
    made = Workbook()
    assert made.active is not None
    made.active.title = "Stays 2026"
    made.active.append(["id", "days"])
    made.save(book)
    page.session.look_again()
    assert page.chips.chips["sheet"].tone is Tone.ERROR
    assert "“Stays 2025”" in page.chips.remark.sentence
    choose(qtbot, page, "sheet", "Stays 2026")
    choose(qtbot, page, "header_row", "Row 1")
    assert page.state.header == ("id", "days")


def test_a_parquet_file_needs_nothing(open_window: OpenWindow, tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": ["p1"], "days": [3]}), tmp_path / "stays.parquet")
    page = data_page(open_window(tmp_path / "stays.parquet"))
    assert page.state.header == ("id", "days")
    assert not page.chips.chips["separator"].isVisible()
    assert any(t.startswith("Parquet, ") for t in texts(page))


def test_a_wrong_kind_is_reported_at_its_chip_and_fixed_there(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "a.csv").write_text("id,days\np1,3\n", encoding="utf-8")
    page = data_page(open_window(tmp_path / "a.csv"))
    choose(qtbot, page, "format", "Parquet")
    assert page.chips.chips["format"].tone is Tone.ERROR
    assert page.chips.remark.sentence.startswith("The data file is not of the chosen kind")
    assert page.state.header == ()
    choose(qtbot, page, "format", "CSV text")
    assert page.state.header == ("id", "days")
    assert page.chips.chips["format"].tone is None


def test_lines_above_the_header_are_passed_over(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "a.csv").write_text("Stays\n\nid,days\np1,3\n", encoding="utf-8")
    page = data_page(open_window(tmp_path / "a.csv"))
    choose(qtbot, page, "header_row", "Line 3: 2 cells filled")
    assert page.state.header == ("id", "days")


def test_names_that_stand_twice_are_told_apart_and_it_is_said(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("id,stay,stay,\n1,2,3,4\n", encoding="utf-8")
    page = data_page(open_window(tmp_path / "a.csv"))
    assert page.state.header == ("id", "stay (column 2)", "stay (column 3)", "(column 4)")
    assert any("distinguished by position, as in stay (column 2)." in t for t in texts(page))
    assert page.footer.primary is not None and page.footer.primary.isEnabled()


def test_a_slow_file_holds_nothing_up(
    page: DataPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(qtbot, page, "sheet", "Stays 2025")
    free = threading.Event()
    asked: list[DataSource] = []

    def slow(found: DataSource, *_others: object) -> SheetLook:
        asked.append(found)
        free.wait(LIMIT_S)
        return SheetLook(header=("id", "days"))

    monkeypatch.setattr("dpdesk.desk.core.jobs.jobs.PATIENCE_MS", 5)
    monkeypatch.setattr("dpdesk.data.reader_process.isolated_workbook.look_at", slow)
    choose(qtbot, page, "header_row", "Row 3", turn)
    assert page.footer.sentence == "Reading the names of the columns…"
    assert page.footer.primary is not None and not page.footer.primary.isEnabled()
    page._set_title("Typed meanwhile")
    assert page.session.state.study.title == "Typed meanwhile"
    free.set()
    wait_until(lambda: page.state.header == ("id", "days"))
    assert page.footer.primary.isEnabled()
    assert len(asked) == 1


def test_the_last_correction_wins_over_a_slower_one(
    page: DataPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(qtbot, page, "sheet", "Stays 2025")
    free = threading.Event()

    def slow_at_first(found: DataSource, *_others: object) -> SheetLook:
        if found.header_row == 1:
            free.wait(LIMIT_S)
        return SheetLook(header=(f"of row {found.header_row}",))

    monkeypatch.setattr("dpdesk.desk.core.jobs.jobs.PATIENCE_MS", 5)
    monkeypatch.setattr("dpdesk.data.reader_process.isolated_workbook.look_at", slow_at_first)
    choose(qtbot, page, "header_row", "Row 1", turn)
    choose(qtbot, page, "header_row", "Row 3", turn)
    wait_until(lambda: page.state.header == ("of row 3",))
    free.set()
    wait_until(lambda: page.session.looks.current is None)
    assert page.state.header == ("of row 3",)


def test_another_file_brings_its_own_reading_and_keeps_the_rest(
    page: DataPage, tmp_path: Path
) -> None:
    page._correct("missing", ("NA",))
    page._set_extract("May")
    (tmp_path / "b.csv").write_text("id;days\np1;3\n", encoding="utf-8")
    page.use_file(tmp_path / "b.csv")
    found = source(page)
    assert (found.format, found.separator, found.sheet, found.header_row) == ("csv", ";", "", None)
    assert found.missing == ("NA",)
    assert found.extract.startswith("b.csv, 20")


def test_file_dialogs_and_drops_take_every_kind(
    page: DataPage, tmp_path: Path, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda *args: (asked.append(args[3]), ("", ""))[1]
    )
    page.choose.click()
    window = page.window()
    assert isinstance(window, MainWindow)
    window.opening.ask_new()
    assert asked == [table_kinds(), table_kinds()]
    assert all(f"*{kind} " in table_kinds().replace(")", " ") for kind in KINDS)
    other = tmp_path / "other.XLSX"
    book.rename(other)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(other))])
    nothing = (Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier)
    window.dropEvent(QDropEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, *nothing))
    assert source(page).path == str(other.resolve())
    assert source(page).format == "excel"
