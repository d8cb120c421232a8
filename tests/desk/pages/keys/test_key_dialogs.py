# SPDX-License-Identifier: Apache-2.0
"""The lock of a key takes a second by design: the window lives on, and the dialog says so."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog, UnlockDialog
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.study.model.document import Study
from tests.desk.conftest import OpenWindow
from tests.desk.screens import turn
from tests.waiting import LIMIT_S

SIGNER, PASSPHRASE = "data-office@hospital.example", "correct horse battery"


@pytest.fixture
def window(open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    monkeypatch.setattr("dpdesk.desk.core.jobs.jobs.PATIENCE_MS", 20)
    return open_window()


class Gate:
    """Lets work at the lock go on when the test says so, and tells in which thread it was."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.thread: threading.Thread | None = None

    def wait(self) -> None:
        self.thread = threading.current_thread()
        assert self.open.wait(LIMIT_S)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    found, make, unlock = Gate(), keys.new_key, keys.unlock

    def slow_make(folder: Path, identity: str, passphrase: str) -> KeyInfo:
        found.wait()
        return make(folder, identity, passphrase)

    def slow_unlock(folder: Path, passphrase: str) -> SigningKey:
        found.wait()
        return unlock(folder, passphrase)

    monkeypatch.setattr(keys, "new_key", slow_make)
    monkeypatch.setattr(keys, "unlock", slow_unlock)
    return found


def new_key(window: MainWindow, passphrase: str = PASSPHRASE) -> NewKeyDialog:
    dialog = NewKeyDialog(window, window.session)
    dialog.open()
    dialog.name.edit.setText(SIGNER)
    dialog.first.edit.setText(passphrase)
    dialog.second.edit.setText(passphrase)
    dialog.ok.click()
    return dialog


def test_no_other_key_is_taken_while_one_is_made(
    qtbot: QtBot, window: MainWindow, gate: Gate, announced: list[str]
) -> None:
    dialog = new_key(window)
    assert not dialog.restore.isEnabled()
    turn()
    assert QApplication.focusWidget() is dialog, "who hears it would be nowhere"
    assert dialog.ok.text() in announced
    with qtbot.waitSignal(dialog.made):
        gate.open.set()


def test_a_refused_key_can_be_restored_from_paper_instead(window: MainWindow) -> None:
    dialog = new_key(window, "short")
    assert dialog.restore.isEnabled()


def test_a_key_is_made_beside_the_window(
    window: MainWindow, gate: Gate, home: Home, qtbot: QtBot
) -> None:
    dialog = new_key(window)
    assert "…" in dialog.ok.text() and not dialog.ok.isEnabled()
    assert not any(field.isEnabled() for field in dialog.fields)
    assert keys.show(home.keys) is None
    with qtbot.waitSignal(dialog.made):
        gate.open.set()
    assert gate.thread is not threading.main_thread()
    info = keys.show(home.keys)
    assert info is not None and info.identity == SIGNER


def test_a_new_key_says_all_that_is_wrong_at_once(window: MainWindow, qtbot: QtBot) -> None:
    dialog = NewKeyDialog(window, window.session)
    dialog.open()
    assert "8" in dialog.first.edit.accessibleDescription()
    for field, text in zip(dialog.fields, ("Data office", "short", "shore"), strict=True):
        field.edit.setText(text)
    dialog.ok.click()
    assert all(field.error for field in dialog.fields)
    assert dialog.focusWidget() is dialog.name.edit
    dialog.name.edit.selectAll()
    qtbot.keyClicks(dialog.name.edit, SIGNER)
    assert [bool(field.error) for field in dialog.fields] == [False, True, True]
    dialog.reject()


def test_who_signs_is_offered_in_signs_that_a_key_can_have(
    window: MainWindow, qtbot: QtBot
) -> None:
    study = Study(organisation="Registry, St. Mary")
    window.session.state = replace(window.session.state, study=study)
    dialog = NewKeyDialog(window, window.session)
    dialog.open()
    assert dialog.name.text == dialog.name.edit.selectedText() == "Registry-St.-Mary"
    qtbot.keyClicks(dialog.name.edit, "Data office")
    assert dialog.name.error and dialog.name.fix == "Use Data-office"
    dialog.name._marks[2].click()
    assert dialog.name.text == "Data-office" and not dialog.name.error
    assert dialog.focusWidget() is dialog.name.edit
    dialog.reject()


def test_enter_goes_through_the_fields_and_makes_the_key(
    window: MainWindow, home: Home, qtbot: QtBot
) -> None:
    dialog = NewKeyDialog(window, window.session)
    dialog.open()
    for field, text in zip(dialog.fields, (SIGNER, PASSPHRASE, PASSPHRASE), strict=True):
        assert dialog.focusWidget() is field.edit
        field.edit.setText(text)
        if field is dialog.second:
            with qtbot.waitSignal(dialog.made):
                qtbot.keyClick(field.edit, Qt.Key.Key_Return)
        else:
            qtbot.keyClick(field.edit, Qt.Key.Key_Return)
    assert keys.show(home.keys) is not None


def test_a_dialog_stays_while_the_key_is_made(window: MainWindow, gate: Gate, qtbot: QtBot) -> None:
    dialog = new_key(window)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.reject()
    dialog.accept()
    assert dialog.isVisible()
    with qtbot.waitSignal(dialog.made):
        gate.open.set()


def test_what_is_refused_can_be_fixed(window: MainWindow, gate: Gate, qtbot: QtBot) -> None:
    dialog = new_key(window, "short")
    gate.open.set()
    qtbot.waitUntil(lambda: bool(dialog.first.error))
    assert dialog.isVisible() and dialog.ok.isEnabled() and dialog.cancel.isEnabled()
    assert "…" not in dialog.ok.text() and dialog.first.isEnabled()


def test_a_key_is_unlocked_beside_the_window(
    window: MainWindow, gate: Gate, home: Home, qtbot: QtBot
) -> None:
    gate.open.set()
    keys.new_key(home.keys, SIGNER, PASSPHRASE)
    gate.open.clear()
    dialog = UnlockDialog(window, window.session, SIGNER)
    dialog.open()
    dialog.passphrase.edit.setText("wrong " + PASSPHRASE)
    dialog.ok.click()
    assert "…" in dialog.ok.text() and not dialog.passphrase.isEnabled()
    gate.open.set()
    qtbot.waitUntil(lambda: bool(dialog.passphrase.error))
    dialog.passphrase.edit.setText(PASSPHRASE)
    with qtbot.waitSignal(dialog.unlocked) as signal:
        dialog.ok.click()
    assert gate.thread is not threading.main_thread()
    assert signal.args is not None and isinstance(signal.args[0], SigningKey)


def test_its_sentence_stands_beside_its_sign_as_in_other_dialogs(window: MainWindow) -> None:
    dialog = NewKeyDialog(window, window.session)
    dialog.open()
    turn()
    (said,) = (
        part for part in dialog.findChildren(Label) if "You sign every bundle" in part.text()
    )
    sign = dialog.findChildren(IconLabel)[0]
    assert said.mapToGlobal(QPoint()).x() > sign.mapToGlobal(sign.rect().topRight()).x()
    assert dialog.accessibleDescription() == said.text()
    dialog.reject()
