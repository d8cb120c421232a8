# SPDX-License-Identifier: Apache-2.0
"""Data: rows stay masked until asked for, and how the file is read can be corrected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from dpdesk.desk.widgets.tables.rows_model import MISSING
from dpdesk.release.places.home import Home
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, shown_page, texts, wait_until
from tests.release.studies import STUDY

CANARY = "canary-4711"
LONG_NAME = "_".join(["ward"] * 20)


def data_page(window: MainWindow) -> DataPage:
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    return page


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path) -> DataPage:
    path = tmp_path / f"{LONG_NAME}.csv"
    path.write_text(f"id;stay;note\np1;3,5;{CANARY}\np2;4,0;?\n", encoding="utf-8")
    window = open_window(path)
    assert window.page == "data"
    return data_page(window)


def correct(qtbot: QtBot, page: DataPage, key: str, *texts_: str) -> None:
    """Press a chip and choose by keyboard."""
    chip = page.findChild(Chip, f"chip-{key}")
    assert chip is not None
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    popup = page.findChild(ChoicePopup)
    assert popup is not None
    for text in texts_:
        (item,) = popup.list.findItems(text, Qt.MatchFlag.MatchExactly)
        popup.list.setCurrentItem(item)
        popup.list.setFocus()
        if len(texts_) > 1 or key == "missing":
            qtbot.keyClick(popup.list, Qt.Key.Key_Space)
    qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    settle()


@pytest.mark.threat("F10")
def test_no_cell_is_anywhere_while_rows_are_masked(opened: DataPage) -> None:
    window = opened.window()
    for key in window.pages:  # type: ignore[attr-defined]
        window.go_to(key)  # type: ignore[attr-defined]
        settle()
        assert not [t for t in texts(window, with_hidden=True) if CANARY in t]


def test_rows_are_shown_when_asked_for_and_masked_again(opened: DataPage, qtbot: QtBot) -> None:
    opened.window().resize(683, 354)
    settle()
    qtbot.mouseClick(opened.show_rows, Qt.MouseButton.LeftButton)
    settle()
    seen = opened.table.viewport().visibleRegion().boundingRect().height()
    assert seen > Space.FIELD, "rows come on show, also on a low screen"
    assert opened.show_rows.visibleRegion().boundingRect() == opened.show_rows.rect()
    assert any(CANARY in t for t in texts(opened))
    assert opened.scroll_area.horizontalScrollBar().maximum() == 0, "a file's name is elided"
    assert opened.show_rows.text() == "Hide rows"
    qtbot.mouseClick(opened.show_rows, Qt.MouseButton.LeftButton)
    assert not [t for t in texts(opened.window(), with_hidden=True) if CANARY in t]


@pytest.mark.threat("F4")
def test_shown_rows_cannot_be_copied_and_leave_no_trace(
    opened: DataPage, qtbot: QtBot, home: Home
) -> None:
    QApplication.clipboard().setText("before")
    qtbot.mouseClick(opened.show_rows, Qt.MouseButton.LeftButton)
    opened.table.selectAll()
    qtbot.keyClick(opened.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "before"
    opened.window().close()
    kept = [p for p in home.root.rglob("*") if p.is_file()]
    assert kept
    assert not [p.name for p in kept if CANARY.encode() in p.read_bytes()]


def test_another_study_is_masked_again(opened: DataPage, qtbot: QtBot, tmp_path: Path) -> None:
    qtbot.mouseClick(opened.show_rows, Qt.MouseButton.LeftButton)
    other = tmp_path / "other.csv"
    other.write_text(f"id\n{CANARY}\n", encoding="utf-8")
    opened.window().opening.open_any(other)  # type: ignore[attr-defined]
    assert not [t for t in texts(opened.window(), with_hidden=True) if CANARY in t]


def test_the_file_is_recognised_and_its_columns_named(opened: DataPage) -> None:
    found = texts(opened)
    assert "3 columns" in found
    assert {"Separator: Semicolon ;", "Decimals: Point 1.5", "Encoding: UTF-8"} <= set(found)
    assert {"id\nNot used", "stay\nNot used", "note\nNot used"} <= set(found)
    assert opened.footer.primary is not None and opened.footer.primary.isEnabled()


def test_a_chip_corrects_how_it_is_read(opened: DataPage, qtbot: QtBot) -> None:
    correct(qtbot, opened, "separator", "Tab")
    assert opened.state.header == ("id;stay;note",)
    assert "1 column" in texts(opened)
    correct(qtbot, opened, "separator", "Semicolon ;")
    assert opened.state.header == ("id", "stay", "note")
    correct(qtbot, opened, "missing", "?", "NA")
    data = opened.state.study.data
    assert data is not None and data.missing == ("?", "NA")


def test_a_correction_can_be_undone(opened: DataPage, qtbot: QtBot) -> None:
    correct(qtbot, opened, "decimal", "Comma 1,5")
    assert opened.state.study.data is not None and opened.state.study.data.decimal == ","
    window = opened.window()
    window.activateWindow()
    settle()
    qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    data = opened.state.study.data
    assert data is not None and data.decimal == "."


@pytest.mark.parametrize(
    ("name", "content"), [("empty.csv", b""), ("absent.csv", None), ("folder.csv", "folder")]
)
def test_a_file_that_is_none_is_one_sentence_and_no_study(
    open_window: OpenWindow, tmp_path: Path, name: str, content: object
) -> None:
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content == "folder":
        path.mkdir()
    window = open_window(path)
    assert window.page == ""
    assert not window.session.document.is_open
    found = [w for w in texts(window) if w.endswith(".")]
    assert any(len(t) > 20 and "file" in t.lower() for t in found)


def test_a_file_that_went_away_is_reported_on_coming_back(opened: DataPage, tmp_path: Path) -> None:
    window = opened.window()
    window.go_to("people")  # type: ignore[attr-defined]
    (tmp_path / f"{LONG_NAME}.csv").unlink()
    window.go_to("data")  # type: ignore[attr-defined]
    settle()
    assert opened.footer.primary is not None and not opened.footer.primary.isEnabled()
    assert opened.footer.sentence == "The file cannot be used yet."


def test_typing_the_title_undoes_in_one_step(opened: DataPage, qtbot: QtBot) -> None:
    edit = opened.title_field.edit
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "Stays on ward 3")
    assert opened.state.study.title == "Stays on ward 3"
    opened.session.document.undo_stack.undo()
    assert opened.state.study.title == ""
    assert edit.text() == ""


def test_typing_leaves_the_table_where_it_was_scrolled_to(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    names = ",".join(f"a_rather_long_name_{i}" for i in range(40))
    (tmp_path / "wide.csv").write_text(f"{names}\n", encoding="utf-8")
    page = data_page(open_window(tmp_path / "wide.csv"))
    bar = page.table.horizontalScrollBar()
    bar.setValue(700)
    page.table.setCurrentIndex(page.table.model().index(2, 5))
    before = bar.value()
    assert before > 0
    page._set_title("Other")
    settle()
    assert (bar.value(), page.table.currentIndex().column()) == (before, 5)


def test_a_file_is_read_once_when_it_is_opened_and_again_when_one_comes_back(
    opened: DataPage,
) -> None:
    settle()
    window, file = opened.window(), opened.session.file
    assert file.reads == 1
    window.go_to("people")  # type: ignore[attr-defined]
    settle()
    window.go_to("data")  # type: ignore[attr-defined]
    settle()
    assert file.reads == 2


def test_the_eye_says_what_a_press_does_and_the_note_what_is_so(
    opened: DataPage, qtbot: QtBot
) -> None:
    icons = []
    for _ in range(3):
        icons.append((opened.show_rows._before, opened.preview._note._icon._name))
        qtbot.mouseClick(opened.show_rows, Qt.MouseButton.LeftButton)
        settle()
    assert icons == [("eye", "eye-off"), ("eye-off", "eye"), ("eye", "eye-off")]


def test_cells_that_mean_missing_are_quiet_among_shown_rows(
    open_window: OpenWindow, tmp_path: Path, home: Home
) -> None:
    path = tmp_path / "stays.csv"
    path.write_text("id,days,sex\np1,-99,f\np2,?,-99\np3,4, ? \n", encoding="utf-8")
    study = study_edits.set_data(STUDY, missing=("?",))
    days = study.column("days")
    assert days is not None
    study = study_edits.replace_column(study, replace(days, missing_values=("-99",)))
    window = open_window(save_with_account(study, tmp_path / "stays.dpdesk", home), page="data")
    page = shown_page(window, "data", DataPage)
    page.show_rows.click()
    wait_until(lambda: any("-99" in text for text in texts(page)))
    settle()
    model = page.table.model()
    quiet = {
        (row, column)
        for row in range(model.rowCount())
        for column in range(model.columnCount())
        if model.index(row, column).data(MISSING)
    }
    assert quiet == {(0, 1), (1, 1), (2, 2)}, "-99 means it in days alone"
    spoken = model.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "-99, missing"
    page.show_rows.click()
    settle()
    assert not model.index(0, 1).data(MISSING), "nothing shows through the mask"
