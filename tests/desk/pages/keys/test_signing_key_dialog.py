# SPDX-License-Identifier: Apache-2.0
"""The window shows the key's public line and its fingerprint, as stock ssh-keygen does."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from base64 import b64decode
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog
from dpdesk.desk.pages.keys.signing_key_dialog import SigningKeyDialog
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog
from dpdesk.release.backup.key_page import groups_of
from dpdesk.release.home import Home
from dpdesk.release.signing import keys
from tests.desk.conftest import OpenWindow

SIGNER = "data-office@hospital.example"


@pytest.fixture
def dialog(open_window: OpenWindow, home: Home) -> SigningKeyDialog:
    keys.new_key(home.keys, SIGNER, "made-up passphrase")
    window = open_window()
    window.menus._show_key()
    found = QApplication.activeModalWidget()
    assert isinstance(found, SigningKeyDialog)
    return found


def test_the_groups_are_the_digest(dialog: SigningKeyDialog) -> None:
    blob = b64decode(dialog.line.text.split()[-1])
    digits = "".join(groups_of(dialog.fingerprint.text))
    assert digits == hashlib.sha256(blob).hexdigest()
    assert [len(group) for group in groups_of(dialog.fingerprint.text)] == [4] * 16
    assert dialog.groups.text().replace("\n", " ").split() == list(
        groups_of(dialog.fingerprint.text)
    )


def test_the_line_is_copied_and_saved(dialog: SigningKeyDialog, tmp_path: Path) -> None:
    dialog.copy.click()
    assert QGuiApplication.clipboard().text() == dialog.line.text
    target = tmp_path / "allowed_signers"
    dialog.save_to(target)
    assert target.read_text(encoding="ascii") == dialog.line.text + "\n"
    assert dialog.line.text.startswith(SIGNER)


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="no ssh-keygen on this machine")
def test_ssh_keygen_prints_the_same_fingerprint(dialog: SigningKeyDialog, tmp_path: Path) -> None:
    key = tmp_path / "key.pub"
    key.write_text("ssh-ed25519 " + dialog.line.text.split()[-1] + "\n", encoding="ascii")
    printed = subprocess.run(
        ["ssh-keygen", "-l", "-f", str(key)], capture_output=True, text=True, check=True
    )
    assert dialog.fingerprint.text in printed.stdout


def test_without_a_key_the_way_to_one_opens(open_window: OpenWindow) -> None:
    window = open_window()
    window.menus._show_key()
    assert isinstance(QApplication.activeModalWidget(), NewKeyDialog)


def test_an_account_is_kept_in_pure_epsilon_unless_another_way_is_looked_for(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    dialog = NewAccountDialog(window, window.session, "stays")
    dialog.open()
    assert dialog.kept_in.isHidden()
    assert dialog.kept_in.key == "epsilon"
    dialog.other.click()
    assert dialog.kept_in.isVisible()
    assert dialog.other.isHidden()
