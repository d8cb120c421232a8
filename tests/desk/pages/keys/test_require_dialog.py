# SPDX-License-Identifier: Apache-2.0
"""Requiring a second person from the window: at once, and any change with their signature."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.keys.require_dialog import RequireSecondPersonDialog
from dpdesk.desk.pages.keys.second_person_fields import NOBODY
from dpdesk.desk.pages.ledger.ledger_menu import LedgerMenu
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.second_person.proven_persons import Requirement
from dpdesk.release.second_person.requirement import requirement_in, sign_change
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import known_signers
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.second_person import SECOND, Person, make_person


@pytest.fixture
def second(tmp_path: Path) -> Person:
    return make_person(tmp_path / "second")


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, home: Home) -> MainWindow:
    keys.new_key(home.keys, "data-office@hospital.example", "correct horse battery")
    return open_window(study_file, page="keys")


@pytest.fixture
def dialog(window: MainWindow) -> RequireSecondPersonDialog:
    return opened(window)


def opened(window: MainWindow) -> RequireSecondPersonDialog:
    """The dialog, reached by its menu."""
    (menu,) = window.findChildren(LedgerMenu)
    menu.aboutToShow.emit()
    (action,) = (one for one in menu.actions() if "second person" in one.text().replace("&", ""))
    assert action.isEnabled()
    action.trigger()
    settle()
    found = window.findChildren(RequireSecondPersonDialog)
    return next(dialog for dialog in found if dialog.isVisible())


def test_the_account_of_the_open_study_is_the_one_that_is_asked_about(window: MainWindow) -> None:
    window.session.accounts.ledger().new_account("another", Epsilon.of(1))
    window.session.reread_accounts()
    study = window.session.state.study
    assert study.budget is not None
    window.session.edit(replace(study, budget=replace(study.budget, account="another")), "")
    assert next(a.name for a in window.session.accounts.states) != "another"
    dialog = opened(window)
    assert dialog.name == "another"
    assert dialog._head.icon._name == "people", "not the sign of History"


def required(home: Home, dialog: RequireSecondPersonDialog) -> Requirement | None:
    return requirement_in(Ledger.open(home), dialog.name)


def finished(dialog: RequireSecondPersonDialog, qtbot: QtBot) -> str:
    qtbot.waitUntil(lambda: not dialog.is_busy)
    settle()
    return dialog.outcome.sentence


def choose(dialog: RequireSecondPersonDialog, before: str) -> None:
    """As by the list: its index, then what the list says of it."""
    combo = dialog.fields.before.combo
    combo.setCurrentIndex(combo.findData(before))
    combo.activated.emit(combo.currentIndex())


def fill(dialog: RequireSecondPersonDialog, line: str, reason: str = "the board wants two") -> None:
    dialog.fields.line.set_text(line)
    dialog.reason.set_text(reason)


def demand(dialog: RequireSecondPersonDialog, second: Person, qtbot: QtBot) -> None:
    fill(dialog, second.line.read_text())
    dialog.ok.click()
    assert f"{SECOND} signs from now on" in finished(dialog, qtbot)


@pytest.mark.threat("G11")
@pytest.mark.parametrize("before", ["release", "export", "both"])
@pytest.mark.in_turn(2)
def test_a_second_person_is_required_from_the_window(
    dialog: RequireSecondPersonDialog, home: Home, second: Person, qtbot: QtBot, before: str
) -> None:
    choose(dialog, before)
    demand(dialog, second, qtbot)
    found = required(home, dialog)
    assert found is not None and found.person.before == before
    assert found.person.identity == SECOND
    assert second.key.info in known_signers(home).known, "their bundles verify here"
    dialog.reject()


def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_entered(
    dialog: RequireSecondPersonDialog, home: Home, second: Person, qtbot: QtBot
) -> None:
    before = Ledger.open(home).head()
    fill(dialog, "nobody")
    dialog.ok.click()
    assert dialog.fields.line.error
    fill(dialog, second.line.read_text(), reason=" ")
    dialog.ok.click()
    assert dialog.reason.error and not dialog.fields.line.error
    own = keys.show(home.keys)
    assert own is not None
    fill(dialog, keys.allowed_signers_line(own))
    dialog.ok.click()
    assert own.identity in finished(dialog, qtbot)
    assert required(home, dialog) is None and Ledger.open(home).head() == before
    dialog.reject()


@pytest.mark.threat("G11")
def test_a_change_needs_the_present_second_persons_signature(
    dialog: RequireSecondPersonDialog,
    window: MainWindow,
    home: Home,
    second: Person,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    demand(dialog, second, qtbot)
    dialog.reject()
    again, path = opened(window), tmp_path / "change.json"
    assert SECOND in again.now.text() and again.enter.isVisible()
    choose(again, NOBODY)
    assert not again.fields.line.isVisible()
    again.reason.set_text("they have left")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args: (str(path), ""))
    again.ok.click()
    assert "change.json is saved" in finished(again, qtbot)
    assert required(home, again) is not None, "written is not signed"
    again.reject()
    last = opened(window)
    last.enter_change(path)
    assert finished(last, qtbot) and required(home, last) is not None
    path.with_name("change.json.sig").write_bytes(sign_change(path.read_bytes(), second.key))
    last.enter_change(path)
    assert "Your signature alone is enough" in finished(last, qtbot)
    assert required(home, last) is None
    last.reject()
