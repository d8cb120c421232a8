# SPDX-License-Identifier: Apache-2.0
"""Replacing a second person whose key is lost, in the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.keys.lost_key_dialog import LostSecondKeyDialog
from dpdesk.desk.pages.keys.require_dialog import RequireSecondPersonDialog
from dpdesk.desk.pages.keys.second_person_fields import NOBODY
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.second_person.requirement import require, requirement_in, second_person
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import known_signers
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.second_person import SECOND, make_person

THIRD, PASSPHRASE = "third@small.example", "correct horse battery"


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, home: Home) -> MainWindow:
    keys.new_key(home.keys, "data-office@hospital.example", PASSPHRASE)
    return open_window(study_file, page="keys")


def account(window: MainWindow) -> str:
    return window.session.accounts.states[0].name


@pytest.fixture
def dialog(window: MainWindow, home: Home, tmp_path: Path) -> LostSecondKeyDialog:
    """The dialog, reached from the one that requires a second person."""
    second = make_person(tmp_path / "second")
    person = second_person("release", second.line.read_text())
    require(Ledger.open(home), account(window), person, "the board wants two")
    asked = RequireSecondPersonDialog(window, window.session, (account(window),))
    asked.open()
    settle()
    assert asked.lost.isVisible()
    asked.lost.click()
    settle()
    assert not [d for d in window.findChildren(RequireSecondPersonDialog) if d.isVisible()]
    found = window.findChildren(LostSecondKeyDialog)
    assert len(found) == 1 and found[0].isVisible()
    return found[0]


def required(window: MainWindow, home: Home) -> str:
    found = requirement_in(Ledger.open(home), account(window))
    return found.person.identity if found else ""


def finished(dialog: LostSecondKeyDialog, qtbot: QtBot) -> str:
    qtbot.waitUntil(lambda: not dialog.is_busy)
    settle()
    return dialog.outcome.sentence


def test_nobody_has_to_sign_any_more_and_history_says_so(
    dialog: LostSecondKeyDialog, window: MainWindow, home: Home, qtbot: QtBot
) -> None:
    combo = dialog.fields.before.combo
    combo.setCurrentIndex(combo.findData(NOBODY))
    combo.activated.emit(combo.currentIndex())
    assert not dialog.fields.line.isVisible()
    dialog.ok.click()
    assert dialog.reason.error and required(window, home) == SECOND, "no reason"
    dialog.reason.set_text("the computer was stolen")
    dialog.passphrase.edit.setText("wrong")
    dialog.ok.click()
    finished(dialog, qtbot)
    assert dialog.passphrase.error and dialog.ok.isEnabled() and required(window, home) == SECOND
    dialog.passphrase.edit.setText(PASSPHRASE)
    dialog.ok.click()
    assert "every later bundle" in finished(dialog, qtbot)
    assert required(window, home) == "" and not dialog.passphrase.text
    window.go_to("history")
    settle()
    newest = Ledger.open(home).history()[-1]
    assert newest.word == "second-person-overridden"
    assert newest.reason == "the computer was stolen"


def test_somebody_else_signs_and_is_known(
    dialog: LostSecondKeyDialog, window: MainWindow, home: Home, tmp_path: Path, qtbot: QtBot
) -> None:
    dialog.reason.set_text("the computer was stolen")
    dialog.passphrase.edit.setText(PASSPHRASE)
    dialog.fields.line.set_text("no line")
    dialog.ok.click()
    assert dialog.fields.line.error and required(window, home) == SECOND
    dialog.fields.line.set_text(make_person(tmp_path / "third", THIRD, 3).line.read_text())
    dialog.ok.click()
    assert THIRD in finished(dialog, qtbot)
    assert required(window, home) == THIRD
    assert THIRD in {one.identity for one in known_signers(home).known}
