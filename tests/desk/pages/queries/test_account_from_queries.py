# SPDX-License-Identifier: Apache-2.0
"""Who reads on Queries that no account pays opens or chooses one there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication

from dpdesk.desk.pages.people.account_dialog import NewAccountDialog
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, shown_page
from tests.release.studies import STUDY, write_data


def opened(open_window: OpenWindow, folder: Path) -> QueriesPage:
    write_data(folder)
    save_study(replace(STUDY, budget=None), folder / "stays.dpdesk")
    window = open_window(folder / "stays.dpdesk", page="queries")
    return shown_page(window, "queries", QueriesPage)


def test_one_press_asks_for_a_new_account_that_then_pays(
    open_window: OpenWindow, tmp_path: Path
) -> None:
    page = opened(open_window, tmp_path)
    assert page.account_button.isVisible()
    page.account_button.click()
    settle()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, NewAccountDialog)
    dialog.name.set_text("registry")
    dialog.note.set_text("Data board, 12 May")
    dialog.ok.click()
    settle()
    assert page.state.account is not None and page.state.account.name == "registry"
    assert page.isVisible() and not page.account_button.isVisible()


def test_an_account_that_is_there_is_chosen_from_a_menu(
    open_window: OpenWindow, tmp_path: Path, home: Home
) -> None:
    Ledger.open(home).new_account("wards", Epsilon.of(2), "for tests")
    page = opened(open_window, tmp_path)
    menu = page.account_menu()
    lines = [action.text() for action in menu.actions() if action.text()]
    assert lines == ["wards: 2.00 remaining", "New account…"]
    menu.actions()[0].trigger()
    settle()
    assert page.state.account is not None and page.state.account.name == "wards"
    assert not page.account_button.isVisible()
