# SPDX-License-Identifier: Apache-2.0
"""Changes of the signing key in the window: passphrase, successor, end, and paper."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.keys.change_dialogs import PassphraseDialog, RevokeDialog, RotateDialog
from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog
from dpdesk.desk.pages.keys.page import KeyPage
from dpdesk.desk.pages.keys.words_dialogs import PaperDialog, RestoreWordsDialog
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.paper_words import words_of_key
from dpdesk.release.signing.signers import load_signers
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until

SIGNER, PASSPHRASE, NEW = "data-office@hospital.example", "correct horse battery", "eleven lamps"


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, home: Home) -> MainWindow:
    keys.new_key(home.keys, SIGNER, PASSPHRASE)
    return open_window(study_file, page="keys")


def own(home: Home) -> keys.KeyInfo:
    info = keys.show(home.keys)
    assert info is not None
    return info


def test_each_change_is_a_press_away(window: MainWindow) -> None:
    dialogs = {
        "passphrase": PassphraseDialog,
        "paper": PaperDialog,
        "replace": RotateDialog,
        "revoke": RevokeDialog,
    }
    for name, kind in dialogs.items():
        getattr(window.pages["keys"], name).click()
        settle()
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, kind)
        dialog.reject()


def test_the_page_is_written(window: MainWindow, home: Home, tmp_path: Path) -> None:
    window.go_to("keys")
    page = window.pages["keys"]
    assert isinstance(page, KeyPage)
    page.print_to(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert own(home).fingerprint in text and page.groups.text().split("\n")[0] in text
    page.print_to(tmp_path / "page.txt")
    assert ".pdf" in page._done.sentence


def test_the_passphrase_is_changed(window: MainWindow, home: Home) -> None:
    dialog = PassphraseDialog(window, window.session)
    dialog.open()
    dialog.first.edit.setText("password1")
    assert "weak" in dialog.outcome.sentence
    dialog.old.edit.setText("wrong")
    dialog.first.edit.setText(NEW)
    dialog.second.edit.setText("another")
    dialog.accept()
    assert dialog.second.error
    dialog.second.edit.setText(NEW)
    dialog.accept()
    wait_until(lambda: bool(dialog.old.error))
    keys.unlock(home.keys, PASSPHRASE)
    dialog.old.edit.setText(PASSPHRASE)
    with_end = []
    dialog.accepted.connect(lambda: with_end.append(1))
    dialog.accept()
    wait_until(lambda: bool(with_end))
    keys.unlock(home.keys, NEW)


def test_the_key_is_replaced_with_a_notice(window: MainWindow, home: Home, tmp_path: Path) -> None:
    old = own(home)
    dialog = RotateDialog(window, window.session)
    dialog.open()
    ended: list[int] = []
    dialog.accepted.connect(lambda: ended.append(1))
    dialog.passphrase.edit.setText(PASSPHRASE)
    dialog.rotate_to(tmp_path / "notice.txt")
    wait_until(lambda: bool(ended))
    assert own(home).fingerprint != old.fingerprint
    assert old in load_signers(home.signers).known
    assert (tmp_path / "notice.txt.sig").exists()


def test_the_key_is_revoked_with_a_notice_and_an_entry(
    window: MainWindow, home: Home, tmp_path: Path
) -> None:
    old = own(home)
    dialog = RevokeDialog(window, window.session)
    dialog.open()
    ended: list[int] = []
    dialog.accepted.connect(lambda: ended.append(1))
    dialog.passphrase.edit.setText(PASSPHRASE)
    dialog.day.edit.setText("yesterday")
    dialog.reason.edit.setText("Laptop gestohlen")
    dialog.revoke_to(tmp_path / "notice.txt")
    wait_until(lambda: bool(dialog.passphrase.error))
    assert own(home) == old, "nothing happened"
    dialog.day.edit.setText("2026-11-20")
    dialog.revoke_to(tmp_path / "notice.txt")
    wait_until(lambda: bool(ended))
    assert keys.show(home.keys) is None
    revoked = load_signers(home.signers).revoked_key(old.fingerprint)
    assert revoked is not None and revoked.reason == "Laptop gestohlen"
    assert Ledger.open(home).history()[-1].word == "revoked-key"


def test_words_are_shown_written_and_forgotten(
    window: MainWindow, home: Home, tmp_path: Path
) -> None:
    lines = words_of_key(keys.unlock(home.keys, PASSPHRASE).private)
    dialog = PaperDialog(window, window.session)
    dialog.open()
    assert not dialog.words.isVisible() and not dialog.page.isVisible()
    dialog.passphrase.edit.setText(PASSPHRASE)
    dialog.accept()
    wait_until(lambda: dialog.words.isVisible())
    assert [tuple(line.split()) for line in dialog.words.text.splitlines()] == list(lines)
    assert not dialog.passphrase.text
    path = tmp_path / "words.html"
    dialog.write_to(path)
    text = path.read_text(encoding="utf-8")
    assert all(word in text for line in lines for word in line)
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    shown = dialog.words
    dialog.done(0)
    assert shown.text == "" and dialog._found is None


def test_a_key_comes_back_from_paper(window: MainWindow, home: Home) -> None:
    info = own(home)
    lines = [" ".join(line) for line in words_of_key(keys.unlock(home.keys, PASSPHRASE).private)]
    for name in (keys.PRIVATE_NAME, keys.PUBLIC_NAME):
        (home.keys / name).unlink()
    window.go_to("keys")
    page = window.pages["keys"]
    assert isinstance(page, KeyPage)
    page.empty.button.click()
    new = QApplication.activeModalWidget()
    assert isinstance(new, NewKeyDialog)
    new.name.edit.setText(SIGNER)
    new.restore.click()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, RestoreWordsDialog) and dialog.name.text == SIGNER
    for field in (dialog.first, dialog.second):
        field.edit.setText(NEW)
    dialog.words.edit.setPlainText("\n".join([*lines[:3], "zoo " + lines[3], *lines[4:]]))
    dialog.accept()
    wait_until(lambda: bool(dialog.words.error))
    assert "4" in dialog.words.error and keys.show(home.keys) is None
    dialog.words.edit.setPlainText("\n".join(lines))
    dialog.accept()
    wait_until(lambda: keys.show(home.keys) is not None)
    settle()
    assert own(home) == info
    keys.unlock(home.keys, NEW)
