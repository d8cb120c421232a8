# SPDX-License-Identifier: Apache-2.0
"""Accounts in zCDP in the window: opened, shown by what they mean, and planned with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog, RaiseDialog
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.text import words
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.privacy.accounting.conversion import (
    account_epsilon,
    account_right_in_100,
    plain_account_rho,
)
from dpdesk.privacy.accounting.guess_probability import guess_bound_of_rho
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import AccountDelta, Delta, Epsilon, Rho
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle

DELTA = AccountDelta(Delta(10**9))
WITHIN_ONE = plain_account_rho(Epsilon.of(1), DELTA)


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> Iterator[MainWindow]:
    """The small study; its account is in pure epsilon."""
    opened = open_window(study_file, page="people")
    settle()
    return opened


def people(window: MainWindow) -> PeoplePage:
    page = window.pages["people"]
    assert isinstance(page, PeoplePage)
    return page


def type_into(qtbot: QtBot, field: LineField, text: str) -> None:
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)


def ask_new(window: MainWindow, qtbot: QtBot) -> NewAccountDialog:
    qtbot.mouseClick(people(window).account.new, Qt.MouseButton.LeftButton)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, NewAccountDialog)
    return dialog


def choose_zcdp(dialog: NewAccountDialog, qtbot: QtBot) -> None:
    dialog.kept_in.combo.setFocus()
    qtbot.keyClick(dialog.kept_in.combo, Qt.Key.Key_Down)
    assert dialog.kept_in.key == "rho"


def open_trial(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask_new(window, qtbot)
    type_into(qtbot, dialog.name, "trial")
    choose_zcdp(dialog, qtbot)
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()


def test_pure_epsilon_is_the_default_and_has_no_delta(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask_new(window, qtbot)
    assert dialog.kept_in.key == "epsilon"
    assert not dialog.delta.isVisible()
    choose_zcdp(dialog, qtbot)
    assert dialog.delta.isVisible()
    assert dialog.delta.text == words.delta(DELTA.whole)
    odds = account_right_in_100(WITHIN_ONE, DELTA)
    spoken = dialog.total.edit.accessibleDescription()
    assert words.budget(WITHIN_ONE) in spoken and f"at most {odds} in 100" in spoken
    dialog.reject()


def test_a_total_that_limits_no_guess_is_said_to_be_right_nearly_always(
    window: MainWindow, qtbot: QtBot
) -> None:
    """At most 100 in 100 times limits nothing; the budget panel says it in the same words."""
    dialog = ask_new(window, qtbot)
    dialog.total.edit.clear()
    type_into(qtbot, dialog.total, "20")
    spoken = dialog.total.edit.accessibleDescription()
    assert "right nearly always, more than 99 in 100 times" in spoken
    type_into(qtbot, dialog.name, "wide")
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()
    shown = people(window).account._after_number.text()
    assert shown == "more than 99 in 100"


def test_a_zcdp_account_is_opened_and_used(window: MainWindow, qtbot: QtBot, home: Home) -> None:
    open_trial(window, qtbot)
    state = Ledger.open(home).account("trial")
    assert (state.total, state.delta) == (WITHIN_ONE, DELTA)
    study = window.session.state.study
    assert study.budget is not None
    assert (study.budget.account, study.budget.limit) == ("trial", WITHIN_ONE)
    assert people(window).account.choice.combo.currentText() == "trial: ρ 0.0149 remaining"
    assert words.meaning(WITHIN_ONE, DELTA) == "ε 0.998 at δ 1e−9"
    assert window.panel.gauge.description().endswith(f"of {words.amount(WITHIN_ONE)}.")
    # That name is taken now: another account is proposed one that can be used.
    dialog = ask_new(window, qtbot)
    assert dialog.name.text == "trial-2"
    dialog.reject()


def test_shares_are_taken_over_as_those_of_the_same_noise(window: MainWindow, qtbot: QtBot) -> None:
    before = [q.share for q in window.session.state.study.queries]
    open_trial(window, qtbot)
    state = window.session.state
    assert [q.share for q in state.study.queries] == [
        study_edits.as_measure(s, "rho") for s in before
    ]
    assert [q.epsilon for q in state.study.queries] == [None] * len(before)
    assert state.planned == Rho.of("0.03")
    assert state.left_after == WITHIN_ONE.nano - Rho.of("0.03").nano
    window.session.document.undo_stack.undo()
    assert [q.share for q in window.session.state.study.queries] == before


WRONG = (
    ("0", "0", "1", "above 0"),
    ("1e-5", "0", "1", "one in a million"),
    ("much", "0", "1", "such as 1e-9"),
    ("1e-9", "much", "1", "such as 1e-9"),
    ("1e-9", "1e-9", "1", "it must be less"),
    ("1e-9", "0", "0.000001", "choose a larger epsilon"),
    ("1e-9", "0", "x", "plain number"),
)
"""Delta, what finding categories adds to it, a total, and what is said of them."""


def test_a_wrong_delta_or_total_opens_nothing(window: MainWindow, qtbot: QtBot, home: Home) -> None:
    for delta, found, total, sentence in WRONG:
        dialog = ask_new(window, qtbot)
        choose_zcdp(dialog, qtbot)
        type_into(qtbot, dialog.total, total)
        type_into(qtbot, dialog.delta, delta)
        type_into(qtbot, dialog.found, found)
        qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
        assert sentence in f"{dialog.total.error} {dialog.delta.error} {dialog.found.error}"
        assert [a.name for a in Ledger.open(home).accounts()] == ["registry"]
        dialog.reject()


def test_a_total_in_rho_is_raised_in_rho(window: MainWindow, qtbot: QtBot, home: Home) -> None:
    open_trial(window, qtbot)
    qtbot.mouseClick(people(window).account.raise_total, Qt.MouseButton.LeftButton)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, RaiseDialog)
    type_into(qtbot, dialog.total, "0.05")
    meant = words.meaning(Rho.of("0.05"), DELTA)
    # A bound: rounded up, and to three digits.
    assert account_epsilon(Rho.of("0.05"), DELTA) <= Epsilon.of(meant[2:6])
    assert meant in dialog.total.edit.accessibleDescription()
    type_into(qtbot, dialog.reason, "the board")
    before = window.session.state.study.budget
    assert before is not None and before.limit == WITHIN_ONE
    qtbot.keyClick(dialog.reason.edit, Qt.Key.Key_Return)
    assert Ledger.open(home).account("trial").total == Rho.of("0.05")
    # The study could spend all of it, and still can; a lower limit stays where it was declared.
    assert window.session.state.study.budget == replace(before, rho=Rho.of("0.05"))
    study = window.session.state.study
    lower = replace(study, budget=replace(before, rho=Rho.of("0.02")))
    window.session.edit(lower, "Lower the limit")
    people(window).account.ask_raise()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, RaiseDialog)
    type_into(qtbot, dialog.total, "0.06")
    type_into(qtbot, dialog.reason, "the board")
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    assert window.session.state.study.budget == lower.budget


def test_delta_for_found_categories_is_opened_raised_and_asked_for_at_the_query(
    window: MainWindow, qtbot: QtBot, home: Home
) -> None:
    open_trial(window, qtbot)
    state = window.session.state
    found = CategoriesFoundParameters("sex", delta=Delta.of("1e-10"))
    query = Query("drugs", "categories-found", found, rho=Rho.of("0.001"))
    again = replace(query, id="again", rho=Rho.of("0.002"))
    asked = replace(state.study, queries=(*state.study.queries, query, again))
    window.session.edit(asked, "Ask for found categories")
    settle()
    state = window.session.state
    assert [p.code for p in state.query_problems("drugs")] == ["found-none-kept"]
    assert [p.code for p in state.blocking] == ["found-none-kept"] * 2
    raise_it(window, qtbot, "1e-10")
    state = window.session.state
    (problem,) = state.blocking
    assert (problem.code, problem.params["left"]) == ("delta-exceeded", "1e-10")
    assert state.query_problems("again") == (problem,), "the one that there is no more delta for"
    raise_it(window, qtbot, "3e-10")
    assert window.session.state.blocking == ()
    trial = Ledger.open(home).account("trial")
    assert trial.delta == AccountDelta(Delta.of("1.3e-9"), Delta.of("3e-10"))
    assert trial.total == WITHIN_ONE


def raise_it(window: MainWindow, qtbot: QtBot, found: str) -> None:
    """Raise the delta for found categories, after a raise that is none was refused."""
    qtbot.mouseClick(people(window).account.raise_total, Qt.MouseButton.LeftButton)
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, RaiseDialog)
    type_into(qtbot, dialog.reason, "new drugs")
    type_into(qtbot, dialog.found, "1e-6")
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    assert "at most 9.99e-7" in dialog.found.error and dialog.isVisible()
    type_into(qtbot, dialog.found, found)
    whole = words.delta(DELTA.whole + Delta.of(found))
    assert f"whole delta is then {whole}" in dialog.found.edit.accessibleDescription()
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()


def test_an_account_is_opened_with_delta_for_found_categories(
    window: MainWindow, qtbot: QtBot, home: Home
) -> None:
    dialog = ask_new(window, qtbot)
    type_into(qtbot, dialog.name, "trial")
    choose_zcdp(dialog, qtbot)
    type_into(qtbot, dialog.found, "5e-10")
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()
    half = AccountDelta(DELTA.whole, Delta.of("5e-10"))
    state = Ledger.open(home).account("trial")
    assert (state.total, state.delta) == (plain_account_rho(Epsilon.of(1), half), half)


def test_a_study_in_epsilon_says_that_its_account_is_in_rho(window: MainWindow, home: Home) -> None:
    """Its account was opened in rho by another hand, after the study was written."""
    Ledger.open(home).new_account("later", Rho.of("0.05"), delta=DELTA.whole)
    study = study_edits.set_budget(window.session.state.study, account="later")
    window.session.edit(study, "")
    window.session.reread_accounts()
    state = window.session.state
    assert [p.code for p in state.step_problems("people")] == ["account-measure-differs"]
    assert (state.left_after, state.measure) == (Rho.of("0.05").nano, "rho")
    settle()


def test_queries_are_planned_in_rho(window: MainWindow, qtbot: QtBot, home: Home) -> None:
    open_trial(window, qtbot)
    Ledger.open(home).raise_budget("trial", Rho.of(1), "room for more")
    window.session.reread_accounts()
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    page.add_query()
    settle()
    added = page.state.study.queries[-1]
    assert isinstance(added.rho, Rho) and added.epsilon is None
    accuracy = page.card(added.id).accuracy
    type_into(qtbot, accuracy.share, "0.002")
    assert page.state.study.queries[-1].share == Rho.of("0.002")
    accuracy.handle.setFocus()
    qtbot.keyClick(accuracy.handle, Qt.Key.Key_PageUp)
    share = page.state.study.queries[-1].share
    assert isinstance(share, Rho) and share > Rho.of("0.002")
    type_into(qtbot, accuracy.margin, accuracy.margin.text)
    assert isinstance(page.state.study.queries[-1].share, Rho)
    accuracy.handle.setFocus()
    qtbot.keyClick(accuracy.handle, Qt.Key.Key_End)
    assert window.panel.gauge.parts.left == 0
    assert window.panel.gauge.parts.measure == "rho"


def test_the_meaning_of_rho_counts_what_may_fail() -> None:
    for nano in (1, 10**6, 14_407_578, 10**8, 10**9):
        for atto in (2, 10**9, 10**12):
            delta = AccountDelta(Delta(atto), Delta(atto // 2))
            found = account_right_in_100(Rho(nano), delta)
            bound = 100 * guess_bound_of_rho(Rho(nano)) + 50 * (atto // 2) / 10**18
            assert bound <= found < bound + 1.000001
    assert account_right_in_100(Rho(0), DELTA) == 50
    assert account_right_in_100(Rho(0), AccountDelta(Delta(2), Delta(1))) == 51
    assert account_right_in_100(Epsilon.of(1)) == 74


def test_a_name_with_capitals_and_blanks_has_a_suggestion(
    window: MainWindow, qtbot: QtBot, home: Home
) -> None:
    dialog = ask_new(window, qtbot)
    dialog.name.set_text("Diabetes Register")
    dialog.note.set_text("Board, 20 November")
    dialog.accept()
    assert "small letters" in dialog.name.error and dialog.isVisible()
    assert dialog.name.fix == "Use diabetes-register"
    qtbot.keyClicks(dialog.name.edit, "s")
    assert dialog.name.fix == "Use diabetes-registers", "it is judged while it is typed"
    dialog.name.set_text("Diabetes Register")
    dialog.accept()
    qtbot.mouseClick(dialog.name._marks[2], Qt.MouseButton.LeftButton)
    assert dialog.name.text == "diabetes-register" and not dialog.name.error
    dialog.accept()
    assert "diabetes-register" in {a.name for a in Ledger.open(home).accounts()}
    settle()
    page = people(window)
    assert window.focusWidget() is page.footer.primary, "Return goes on"
    assert page.footer.primary is not None and page.footer.primary.isEnabled()


def test_what_is_typed_is_judged_before_anything_else_is_asked(
    window: MainWindow, qtbot: QtBot
) -> None:
    dialog = ask_new(window, qtbot)
    type_into(qtbot, dialog.name, "diabetes-")
    assert not dialog.name.error, "it may go on"
    type_into(qtbot, dialog.name, "Diabetes ward")
    assert dialog.name.fix == "Use diabetes-ward"
    assert "74" in dialog.total.hint
    type_into(qtbot, dialog.total, "one")
    assert not dialog.total.hint, "nothing is known of what it would mean"
    type_into(qtbot, dialog.total, "2")
    assert "89" in dialog.total.hint
    dialog.reject()
