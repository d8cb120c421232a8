# SPDX-License-Identifier: Apache-2.0
"""Which extract it is: proposed with a file, asked once of old studies, and asked about again."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.data.files import file_digest
from dpdesk.desk.core.jobs import jobs
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.release.same_file_dialog import SameFileDialog
from dpdesk.desk.widgets.buttons import Button
from dpdesk.study.json.study_files import load_study, save_study
from tests.desk.conftest import OpenWindow
from tests.desk.releasing import (
    do_release,
    press_release,
    release_page,
    spent,
)
from tests.desk.screens import settle, texts, turn, wait_until
from tests.release.studies import STUDY, write_data
from tests.waiting import LIMIT_S


@pytest.fixture
def window(window_with_key: MainWindow) -> MainWindow:
    return window_with_key


def data_page(window: MainWindow) -> DataPage:
    window.go_to("data")
    settle()
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    return page


def extract(window: MainWindow) -> str:
    data = window.session.state.study.data
    assert data is not None
    return data.extract


def today() -> str:
    return datetime.now().astimezone().date().isoformat()


def press(page: Any, qtbot: QtBot, text: str) -> None:
    button = next(b for b in page.findChildren(Button) if b.text() == text and b.isVisible())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()


def ask(window: MainWindow, qtbot: QtBot) -> SameFileDialog:
    """Press Release where the extract was used before; wait for what the bytes say."""
    page = release_page(window)
    page._put(None)
    press_release(page, qtbot)
    dialog = page.same_file
    wait_until(lambda: not dialog._latest.is_pending)
    settle()
    return dialog


def advice(dialog: SameFileDialog) -> str:
    return dialog.advice.accessibleName()


# --- proposed -----------------------------------------------------------------------------------


def test_a_new_study_is_about_the_file_of_today(open_window: OpenWindow, tmp_path: Path) -> None:
    window = open_window(write_data(tmp_path))
    assert extract(window) == f"stays.csv, {today()}"
    assert window.session.state.step_problems("data") == ()


def test_another_file_is_another_extract_and_the_same_one_is_not(
    window: MainWindow, tmp_path: Path
) -> None:
    page = data_page(window)
    page.use_file(tmp_path / "stays.csv")
    assert extract(window) == "stays.csv"
    for folder, name in (("2023", ""), ("2024", " (2)"), ("2025", "")):
        (tmp_path / folder).mkdir()
        page.use_file(write_data(tmp_path / folder))
        assert extract(window) == f"stays.csv, {today()}{name}"
    window.session.document.undo_stack.undo()
    assert extract(window).endswith("(2)")


def test_a_name_that_was_used_is_not_proposed(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for folder in ("2023", "2024"):
        (tmp_path / folder).mkdir()
        write_data(tmp_path / folder)
    data_page(window).use_file(tmp_path / "2023" / "stays.csv")
    do_release(window, qtbot)
    first = extract(window)
    data_page(window).extract_field.edited.emit("something else")
    data_page(window).use_file(tmp_path / "2024" / "stays.csv")
    assert (first, extract(window)) == (f"stays.csv, {today()}", f"stays.csv, {today()} (2)")
    assert release_page(window).release_button.text() == "Release 5 figures for 0.40…"


# --- asked once ---------------------------------------------------------------------------------


def test_a_study_without_extract_is_asked_once(open_window: OpenWindow, study_file: Path) -> None:
    assert STUDY.data is not None
    save_study(replace(STUDY, data=replace(STUDY.data, extract="")), study_file)
    window = open_window(study_file, page="data")
    page = data_page(window)
    assert page.extract_question.isVisible()
    assert not page._trouble.isVisible()
    assert "Name this extract" in page.extract_question.accessibleName()
    assert page.footer.primary is not None and not page.footer.primary.isEnabled()
    assert not release_page(window).release_button.isEnabled()
    data_page(window)
    page.extract_question.action_pressed.emit()
    settle()
    assert extract(window) == f"stays.csv, {today()}"
    assert not page.extract_question.isVisible() and page.footer.primary.isEnabled()
    assert release_page(window).release_button.isEnabled()
    assert window.session.document.save()
    data = load_study(study_file).study.data
    assert data is not None and data.extract == f"stays.csv, {today()}"


# --- asked about --------------------------------------------------------------------------------


def test_the_first_release_is_asked_nothing_of_the_file(window: MainWindow, qtbot: QtBot) -> None:
    page = do_release(window, qtbot)
    assert not hasattr(page, "same_file")


def test_the_same_bytes_are_said_and_the_answer_leaves_no_entry(
    window: MainWindow, qtbot: QtBot
) -> None:
    do_release(window, qtbot)
    head = window.session.accounts.ledger().head()
    dialog = ask(window, qtbot)
    assert "the data still the same as on" in dialog.windowTitle()
    assert "is unchanged since" in advice(dialog)
    press(dialog, qtbot, "Not now")
    assert window.session.accounts.ledger().head() == head
    dialog = ask(window, qtbot)
    press(dialog, qtbot, "Yes, the data is unchanged")
    assert release_page(window).confirm.isVisible()
    assert window.session.accounts.ledger().head() == head
    release_page(window).confirm.reject()


def test_other_bytes_are_said_and_lead_to_another_name(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    do_release(window, qtbot)
    write_data(tmp_path, people=60)
    dialog = ask(window, qtbot)
    assert advice(dialog).startswith("The file has changed.")
    press(dialog, qtbot, "No, the data has changed")
    page = window.pages["data"]
    assert isinstance(page, DataPage) and page.isVisible()
    wait_until(lambda: window.focusWidget() is page.extract_field.edit)
    assert not hasattr(release_page(window), "confirm") or spent(window) == "0.4"


def test_a_file_that_is_gone_is_not_compared(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    do_release(window, qtbot)
    monkeypatch.setattr("dpdesk.release.run.same_file.digest_of_files", lambda *_more: b"")
    assert "cannot tell whether" in advice(ask(window, qtbot))


def test_comparing_waits_for_nobody_and_stops_with_the_dialog(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    do_release(window, qtbot)
    monkeypatch.setattr(jobs, "PATIENCE_MS", 0)
    began, stopped = Event(), Event()

    def endless(paths: list[Path], key: bytes, _progress: Any, cancel: Any) -> bytes:
        began.set()
        cancel._event.wait(LIMIT_S)
        stopped.set()
        return file_digest.NO_DIGEST

    monkeypatch.setattr("dpdesk.release.run.same_file.digest_of_files", endless)
    page = release_page(window)
    page._put(None)
    qtbot.mouseClick(page.release_button, Qt.MouseButton.LeftButton)
    wait_until(began.is_set)
    turn()
    assert page.same_file.same.isEnabled() and "Comparing" in advice(page.same_file)
    press(page.same_file, qtbot, "Not now")
    wait_until(stopped.is_set)


def test_drawing_again_asks_too(window: MainWindow, qtbot: QtBot) -> None:
    page = do_release(window, qtbot)
    window.session.draw_again(True)
    dialog = ask(window, qtbot)
    assert any("used before" in t for t in texts(dialog))
    press(dialog, qtbot, "Yes, the data is unchanged")
    assert page.confirm.danger_button is not None
    qtbot.mouseClick(page.confirm.danger_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: page.released_shares is not None)
    assert spent(window) == "0.8"
