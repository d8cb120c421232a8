# SPDX-License-Identifier: Apache-2.0
"""Backup, restoration, move, export and opening of locked accounts in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.ledger.backup_dialog import (
    BackupDialog,
    ExportDialog,
    MoveDialog,
    RestoreDialog,
)
from dpdesk.desk.pages.ledger.ledger_dialog import LedgerDialog
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.release.backup.archive import read_backup, write_backup
from dpdesk.release.backup.move import expect_move, move_away, shown_code
from dpdesk.release.backup.restore import restore_backup
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle

PASSPHRASE = "correct horse battery"


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    window = open_window(study_file, page="history")
    settle()
    return window


def finished(dialog: LedgerDialog, qtbot: QtBot) -> str:
    """What a dialog says once its work is done."""
    qtbot.waitUntil(lambda: not dialog.is_busy)
    settle()
    return dialog.outcome.sentence


def history(window: MainWindow) -> HistoryPage:
    window.go_to("history")
    settle()
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    return page


def test_a_backup_is_written_where_it_was_asked_for(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog, path = BackupDialog(window, window.session), tmp_path / "kept.zip"
    dialog.open()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    dialog.with_key.setChecked(True)
    dialog.ok.click()
    assert "signing key" in finished(dialog, qtbot) and not path.exists()
    dialog.with_key.setChecked(False)
    dialog.ok.click()
    assert "entries: 1" in finished(dialog, qtbot)
    assert not dialog.ok.isVisible()
    with read_backup(path) as backup:
        assert len(backup.entries) == 1
    dialog.reject()


def test_a_restored_account_is_opened_in_history_with_a_reason_alone(
    open_window: OpenWindow, study_file: Path, home: Home, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "backup.zip"
    write_backup(home, path)
    home.ledger.unlink()
    home.heads.unlink()
    window = open_window(study_file, page="history")
    dialog = RestoreDialog(window, window.session)
    dialog.open()
    dialog.read(path)
    assert "locked: registry" in finished(dialog, qtbot)
    dialog.reject()
    release_page = window.pages["release"]
    assert isinstance(release_page, ReleasePage)
    window.go_to("release")
    settle()
    assert not release_page.release_button.isEnabled()
    assert "locked" in release_page._reason(release_page.state)
    page = history(window)
    assert page.banner.action.text() == "Unlock account…"
    assert "Less than " in window.panel._guess.text(), "what is left is not certain"
    page.banner.action_pressed.emit()
    page.unlock_dialog.ok.click()
    assert page.unlock_dialog.focusWidget() is page.unlock_dialog.reason.edit
    assert page.unlock_dialog.reason.error and Ledger(home).account("registry").locked
    page.unlock_dialog.reason.set_text("the old disk is destroyed")
    page.unlock_dialog.ok.click()
    assert "unlocked" in finished(page.unlock_dialog, qtbot)
    page.unlock_dialog.reject()
    assert not Ledger(home).account("registry").locked
    assert "Less than " not in window.panel._guess.text()
    assert page._model.index(0, 4).data() == "Unlocked: the old disk is destroyed"
    assert page._model.index(1, 4).data() == "The ledger was restored from a backup (locked)"
    window.go_to("release")
    settle()
    assert "locked" not in release_page._reason(release_page.state)


def test_a_ledger_is_moved_from_window_to_window(
    window: MainWindow, home: Home, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, path = Home.at(tmp_path / "new"), tmp_path / "moved.zip"
    dialog = MoveDialog(window, window.session)
    dialog.open()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    dialog.code.set_text("ABCD-EFGH-IJKL-MNOP")
    dialog.ok.click()
    assert dialog.code.error and not path.exists()
    dialog.code.set_text(shown_code(expect_move(new)))
    dialog.ok.click()
    assert "closed here" in finished(dialog, qtbot)
    dialog.reject()
    restore_backup(new, path)
    assert not Ledger(new).account("registry").locked
    page = history(window)
    assert "another computer" in page.banner.accessibleName()
    assert page._model.index(0, 4).data() == "Moved to another computer"


def test_a_moved_ledger_arrives_by_the_code_that_the_dialog_showed(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot, home: Home
) -> None:
    old, path = Home.at(tmp_path / "old"), tmp_path / "moved.zip"
    Ledger.open(old).new_account("registry", Epsilon.of(1))
    window = open_window()
    dialog = RestoreDialog(window, window.session)
    dialog.open()
    dialog.code.click()
    move_away(old, path, dialog.outcome.sentence.rpartition(": ")[2])
    dialog.read(path)
    assert "Moved here: registry" in finished(dialog, qtbot)
    dialog.reject()
    assert not Ledger(home).account("registry").locked


def test_a_backup_that_is_none_says_so(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "none.zip"
    path.write_bytes(b"PK")
    dialog = RestoreDialog(window, window.session)
    dialog.open()
    dialog.ok.setFocus()
    dialog.read(path)
    assert "no backup" in finished(dialog, qtbot) and dialog.ok.isVisible()
    assert dialog.focusWidget() is dialog.ok, "it had the keyboard, and can be pressed again"
    dialog.reject()


def test_an_export_is_signed(
    window: MainWindow, home: Home, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys.new_key(home.keys, "office@hospital.example", PASSPHRASE)
    dialog, path = ExportDialog(window, window.session), tmp_path / "ledger.zip"
    dialog.open()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    dialog.passphrase.set_text("wrong")
    dialog.ok.setFocus()
    dialog.ok.click()
    assert not finished(dialog, qtbot) and not path.exists()
    assert "passphrase is wrong" in dialog.passphrase.error
    edit = dialog.passphrase.edit
    assert dialog.focusWidget() is edit and edit.selectedText(), "it is typed again right away"
    dialog.passphrase.set_text(PASSPHRASE)
    dialog.ok.click()
    assert "README.txt" in finished(dialog, qtbot) and path.exists()
    assert dialog.passphrase.text == ""
    dialog.reject()
