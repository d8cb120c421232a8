# SPDX-License-Identifier: Apache-2.0
"""History shows the budget of one account over time, from the ledger alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.history.reconcile_dialog import ReconcileDialog
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.payloads import RestoredLedger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.screens import cells, settle, shown_page, texts
from tests.release.ledgers import TENTH, charge, without_rules


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    """The small study's window; its account was charged and raised, another is newer."""
    made = open_window(study_file, page="history")
    ledger = made.session.accounts.ledger()
    charge(ledger, "registry", TENTH)
    ledger.raise_budget("registry", Epsilon.of(2), "more people")
    ledger.new_account("other", Epsilon.of(3))
    return made


def history(window: MainWindow) -> HistoryPage:
    return shown_page(window, "history", HistoryPage)


def test_it_is_the_study_s_account_until_another_is_chosen(window: MainWindow) -> None:
    page = history(window)
    assert page.budget.isVisible() and page.budget.title == "Budget over time: registry"
    assert "0.10 of 2.00 spent" in page.budget.plot.accessibleDescription()
    page.table.selectRow(0)
    settle()
    assert page.budget.title == "Budget over time: other"
    assert "0.00 of 3.00 spent" in page.budget.plot.accessibleDescription()
    page.table.selectRow(2)
    settle()
    assert page.budget.title == "Budget over time: registry"


def test_what_is_shown_on_arrival_is_the_selected_row(window: MainWindow) -> None:
    page = history(window)
    table = page.table
    (selected,) = table.selectionModel().selectedRows()
    assert selected.row() == table.currentIndex().row() == 1
    assert selected.siblingAtColumn(3).data() == "registry"


def test_of_several_selected_rows_it_is_the_current_one(window: MainWindow) -> None:
    page = history(window)
    page.table.selectRow(0)
    selection = page.table.selectionModel()
    flags = selection.SelectionFlag
    also = flags.Select | flags.Rows
    selection.setCurrentIndex(page.table.model().index(1, 0), also)
    settle()
    assert len(selection.selectedRows()) == 2
    assert page.budget.title == "Budget over time: registry"
    selection.setCurrentIndex(page.table.model().index(0, 0), also)
    settle()
    assert page.budget.title == "Budget over time: other"


def test_its_table_has_what_each_entry_made_of_the_budget(window: MainWindow, qtbot: QtBot) -> None:
    plot = history(window).budget.plot
    qtbot.mouseClick(plot.as_table, Qt.MouseButton.LeftButton)
    assert plot.table.isVisible()
    shown = cells(plot.table.model())
    assert shown[:4] == ["When", "Spent", "Reserved", "Total"]
    assert [shown.count(text) for text in ("0.10", "1.00", "2.00")] == [2, 2, 1]


def test_what_is_spent_meanwhile_is_drawn_on_entering(window: MainWindow) -> None:
    page = history(window)
    window.go_to("queries")
    charge(window.session.accounts.ledger(), "registry", TENTH)
    history(window)
    assert "0.20 of 2.00 spent" in page.budget.plot.accessibleDescription()


def test_a_ledger_with_locked_accounts_shows_it_all_the_same(window: MainWindow) -> None:
    ledger = window.session.accounts.ledger()
    with ledger.transaction() as transaction:
        transaction.append("registry", RestoredLedger(4, "0" * 64))
    page = history(window)
    assert page.banner.isVisible() and page.budget.isVisible()


@pytest.mark.parametrize("account", ["registry", "other"])
@pytest.mark.in_turn(2)
def test_a_damaged_ledger_shows_none(window: MainWindow, home: Home, account: str) -> None:
    change = f"UPDATE entry SET granted = 1 WHERE account = '{account}' AND granted"
    without_rules(home.ledger, change)
    page = history(window)
    assert page.banner.isVisible() and not page.budget.isVisible()


def test_an_older_copy_shows_none_until_it_is_reconciled(window: MainWindow, home: Home) -> None:
    before = home.ledger.read_bytes()
    charge(window.session.accounts.ledger(), "registry", TENTH)
    home.ledger.write_bytes(before)
    page = history(window)
    assert page.banner.isVisible() and not page.budget.isVisible()
    Ledger(home).reconcile("the disk died")
    page.enter()
    settle()
    assert "0.20 of 2.00 spent" in page.budget.plot.accessibleDescription()
    assert page.budget.isVisibleTo(page)


def test_the_panel_says_locked_as_soon_as_history_does(window: MainWindow, home: Home) -> None:
    ledger, panel = window.session.accounts.ledger(), window.panel
    assert panel.gauge.parts.is_certain
    with ledger.transaction() as transaction:
        transaction.append("registry", RestoredLedger(4, "0" * 64))
    history(window)
    assert "unlock the account in History" in panel._guess.text()
    assert panel.gauge.description().startswith("Not certain: Spent 0.10")
    before = home.ledger.read_bytes()
    charge(ledger, "other", TENTH)
    home.ledger.write_bytes(before)
    history(window)
    assert "Reconcile the ledger in History, then" in panel._guess.text()


def test_an_account_of_an_older_copy_is_to_be_reconciled(window: MainWindow, home: Home) -> None:
    before = home.ledger.read_bytes()
    charge(window.session.accounts.ledger(), "registry", TENTH)
    home.ledger.write_bytes(before)
    page = history(window)
    assert "until you reconcile it in History" in window.panel._guess.text()
    assert not window.panel.gauge.parts.is_certain
    dialog = ReconcileDialog(page, window.session)
    assert "0.10, account registry" in texts(dialog, with_hidden=True)
    dialog.reason.set_text("the disk died")
    dialog.accept()
    page.enter()
    assert window.panel.gauge.parts.is_certain and "Locked" not in window.panel._guess.text()
    assert window.panel.gauge.description().startswith("Spent 0.20")


def test_an_empty_ledger_has_none(open_window: OpenWindow) -> None:
    page = history(open_window(None))
    assert page.empty.isVisible() and not page.budget.isVisible()
    assert not page.footer.isVisible(), "it has nothing to say or press"
