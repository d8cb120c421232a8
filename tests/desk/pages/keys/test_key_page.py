# SPDX-License-Identifier: Apache-2.0
"""The page of the signing key: as stock ssh-keygen has it, and how its backups stand."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from base64 import b64decode
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog
from dpdesk.desk.pages.keys.page import KeyPage
from dpdesk.desk.pages.keys.words_dialogs import TryWordsDialog
from dpdesk.desk.pages.ledger.backup_dialog import BackupDialog
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog
from dpdesk.release.backup.key_page import groups_of
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.key_backups import PAPER, KeyBackups, known_backups, note_backup
from dpdesk.release.signing.key_changes import change_passphrase
from dpdesk.release.signing.paper_words import words_of_key
from tests.desk.conftest import OpenWindow
from tests.desk.layout_faults import page_faults
from tests.desk.screens import settle, wait_until

SIGNER = "data-office@hospital.example"


PASSPHRASE = "made-up passphrase"


def shown(window: MainWindow) -> KeyPage:
    window.menus.page_picked.emit("keys")
    settle()
    page = window.pages["keys"]
    assert isinstance(page, KeyPage) and window.page == "keys"
    return page


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, home: Home) -> MainWindow:
    keys.new_key(home.keys, SIGNER, PASSPHRASE)
    return open_window(study_file, page="keys")


@pytest.fixture
def page(window: MainWindow) -> KeyPage:
    return shown(window)


def own(home: Home) -> keys.KeyInfo:
    info = keys.show(home.keys)
    assert info is not None
    return info


def test_the_groups_are_the_digest(page: KeyPage) -> None:
    blob = b64decode(page.line.text().split()[-1])
    digits = "".join(groups_of(page.fingerprint.text()))
    assert digits == hashlib.sha256(blob).hexdigest()
    assert [len(group) for group in groups_of(page.fingerprint.text())] == [4] * 16
    assert page.groups.text().split() == list(groups_of(page.fingerprint.text()))


def test_line_and_groups_are_copied_and_the_line_is_saved(page: KeyPage, tmp_path: Path) -> None:
    page.copy_groups.click()
    assert QGuiApplication.clipboard().text() == " ".join(groups_of(page.fingerprint.text()))
    page.copy_line.click()
    assert QGuiApplication.clipboard().text() == page.line.text()
    assert page._done.sentence == "The public key is on the clipboard."
    target = tmp_path / "allowed_signers"
    page.save_to(target)
    assert target.read_text(encoding="ascii") == page.line.text() + "\n"
    assert page.line.text().startswith(SIGNER)
    room = page.line.heightForWidth(page.line.width())
    assert page.line.height() >= room, "all of it is on show"
    page.save_to(tmp_path)
    assert page._done.sentence == "dpdesk cannot save there. Choose another folder."


def test_a_key_that_breaks_nowhere_lets_no_page_scroll_sideways(
    window: MainWindow, page: KeyPage
) -> None:
    """Qt breaks a key at a stroke; many hold none."""
    window.resize(683, 354)
    page.line.setText(page.line.text().replace("/", "A").replace("+", "A"))
    settle()
    assert page.scroll_area.horizontalScrollBar().maximum() == 0
    assert page_faults(window, "keys") == []


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="no ssh-keygen on this machine")
def test_ssh_keygen_prints_the_same_fingerprint(page: KeyPage, tmp_path: Path) -> None:
    key = tmp_path / "key.pub"
    key.write_text("ssh-ed25519 " + page.line.text().split()[-1] + "\n", encoding="ascii")
    printed = subprocess.run(
        ["ssh-keygen", "-l", "-f", str(key)], capture_output=True, text=True, check=True
    )
    assert page.fingerprint.text() in printed.stdout


def test_without_a_key_the_way_to_one_stands_there(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    window = open_window()
    page = shown(window)
    assert page.empty.isVisible() and not page._filled.isVisible()
    assert not page.replace.isVisible() and not page.revoke.isVisible()
    assert QApplication.focusWidget() is page.empty.button
    page.empty.button.click()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, NewKeyDialog)
    dialog.name.edit.setText(SIGNER)
    for field in (dialog.first, dialog.second):
        field.edit.setText(PASSPHRASE)
    dialog.accept()
    wait_until(page._filled.isVisible)
    assert not page.empty.isVisible() and page.fingerprint.text() == own(home).fingerprint


def test_the_way_back_leads_where_one_came_from(
    window: MainWindow, open_window: OpenWindow
) -> None:
    window.go_to("columns")
    page = shown(window)
    assert not any(window.rail.item(key).isChecked() for key in ("columns", "history", "verify"))
    page.footer.back.click()
    assert window.page == "columns" and window.rail.item("columns").isChecked()
    other = open_window()
    shown(other).footer.back.click()
    assert other.page == "" and other.welcome.isVisible()


def test_a_key_that_cannot_be_read_is_said(window: MainWindow, home: Home) -> None:
    keys.public_path(home.keys).write_bytes(b"none of ours")
    page = shown(window)
    assert page.trouble.isVisible() and page.trouble.accessibleName().endswith(".")
    assert not page.empty.isVisible() and not page._filled.isVisible()


def test_a_key_whose_private_file_is_gone_signs_nothing(window: MainWindow, home: Home) -> None:
    (home.keys / keys.PRIVATE_NAME).unlink()
    page = shown(window)
    assert page.trouble.isVisible() and "restore it from a backup" in page.trouble.accessibleName()
    assert not page._filled.isVisible() and not page.replace.isVisible()


# --- backups ------------------------------------------------------------------------------------

NONE_KNOWN = "No backup is known. "


def test_no_backup_is_known_until_one_was_tried_out(
    page: KeyPage, window: MainWindow, home: Home
) -> None:
    assert page._copies.sentence.startswith(NONE_KNOWN)
    assert page._copies._sentence.accessibleName().endswith("(needs attention)")
    page.try_paper.click()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, TryWordsDialog)
    lines = [" ".join(line) for line in words_of_key(keys.unlock(home.keys, PASSPHRASE).private)]
    dialog.words.edit.setPlainText("\n".join([*lines[:3], "zoo " + lines[3], *lines[4:]]))
    dialog.accept()
    wait_until(lambda: bool(dialog.words.error))
    assert "4" in dialog.words.error and page._copies.sentence.startswith(NONE_KNOWN)
    dialog.words.edit.setPlainText("\n".join(lines))
    dialog.accept()
    wait_until(lambda: page._copies.sentence.startswith("On paper, tried on "))
    assert dialog.words.text == "", "no words stay behind"
    assert "attention" not in page._copies._sentence.accessibleName()
    # Its first word is the copy's form; "paper" is in the list of words, too.
    noted = home.key_backups.read_text("ascii").split()
    assert noted[0] == "paper" and not set(" ".join(lines).split()) & set(noted[1:])


def test_words_of_another_key_are_no_backup(page: KeyPage, home: Home) -> None:
    other = words_of_key(Ed25519PrivateKey.generate())
    dialog = TryWordsDialog(page.window(), page.session)
    dialog.open()
    dialog.words.edit.setPlainText("\n".join(" ".join(line) for line in other))
    dialog.accept()
    wait_until(lambda: bool(dialog.words.error))
    assert "belong to another key" in dialog.words.error
    assert not home.key_backups.exists()
    dialog.reject()


def test_a_file_counts_until_the_passphrase_is_changed(
    page: KeyPage, window: MainWindow, home: Home, tmp_path: Path
) -> None:
    page.file.click()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, BackupDialog) and dialog.with_key.isChecked()
    dialog.write(tmp_path / "backup.zip")
    wait_until(lambda: bool(dialog.outcome.sentence))
    dialog.reject()
    settle()
    assert page._copies.sentence.startswith("In a file of ")
    change_passphrase(home.keys, PASSPHRASE, "another passphrase")
    shown(window)
    assert page._copies.sentence.startswith("Only in a file of ")
    assert page._copies._sentence.accessibleName().endswith("(needs attention)")


def test_a_file_of_an_unknown_lock_is_never_opened_by_the_passphrase_of_today(
    home: Home, window: MainWindow
) -> None:
    """The digest's place is empty where no file could be read: two of these are not the same."""
    info = own(home)
    home.key_backups.write_text(f"file 2026-11-24 {info.fingerprint} -\n")
    (home.keys / keys.PRIVATE_NAME).unlink()
    assert not known_backups(home, info).is_safe


def test_a_day_that_is_none_is_shown_as_it_is(page: KeyPage, home: Home) -> None:
    home.key_backups.write_text(f"paper 2026-13-45 {own(home).fingerprint} -\n")
    page.enter()
    assert page._copies.sentence == "On paper, tried on 2026-13-45."


def test_a_backup_of_the_key_before_does_not_count(page: KeyPage, home: Home) -> None:
    info = own(home)
    note_backup(home, PAPER, replace(info, fingerprint=f"SHA256:{'x' * 43}"))
    assert known_backups(home, info).paper is None
    note_backup(home, PAPER, info, lambda: date(2026, 11, 24))
    found = known_backups(home, info)
    assert found.paper is not None and found.paper.day == "2026-11-24" and found.is_safe


def test_a_note_that_is_none_of_ours_counts_for_nothing(page: KeyPage, home: Home) -> None:
    long = b"paper 2026-11-24 SHA256:x -\n" * 9_999
    for content in (b"", b"\xff\n", b"paper 2026-11-24\n", long):
        home.key_backups.write_bytes(content)
        assert known_backups(home, own(home)) == KeyBackups()
        page.enter()
        assert page._copies.sentence.startswith(NONE_KNOWN)


def test_an_account_is_kept_in_pure_epsilon_unless_another_way_is_looked_for(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file, page="keys")
    dialog = NewAccountDialog(window, window.session, "stays")
    dialog.open()
    assert dialog.kept_in.isHidden()
    assert dialog.kept_in.key == "epsilon"
    dialog.other.click()
    assert dialog.kept_in.isVisible()
    assert dialog.other.isHidden()
