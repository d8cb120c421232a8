# SPDX-License-Identifier: Apache-2.0
"""A ledger that is moved away under an open window is missed, not taken for an empty one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.text.words import problem_sentence
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file, page="history")


def history(window: MainWindow) -> HistoryPage:
    window.go_to("history")
    settle()
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    return page


def test_history_says_what_the_check_says(window: MainWindow, home: Home) -> None:
    assert history(window).table.isVisible()
    window.go_to("data")
    home.ledger.rename(home.root / "moved.sqlite")
    page = history(window)
    (problem,) = Ledger(home).check().problems
    assert problem.code == "ledger-rolled-back"
    assert page.banner.isVisible()
    said = (
        "It lacks later entries of “registry”. Until you reconcile it, nothing can be spent "
        "from any account."
    )
    assert page.banner.accessibleName() == f"An older copy of the ledger is in use. {said}"
    assert "in History" in problem_sentence(problem), "that is said on other pages"
    assert "Reconcile…" in texts(page.banner)
    assert not page.empty.isVisible()
    # The look itself made an empty file: it is still no ledger without a past.
    page = history(window)
    assert page.banner.accessibleName().endswith(said)
    assert not page.empty.isVisible()
    assert page.check_button.isEnabled()
    page.check_button.click()
    assert page.banner.accessibleName().endswith(said)


def test_a_ledger_that_comes_back_is_shown_again(window: MainWindow, home: Home) -> None:
    home.ledger.rename(home.root / "moved.sqlite")
    assert not history(window).table.isVisible()
    (home.root / "moved.sqlite").replace(home.ledger)
    page = history(window)
    assert page.table.isVisible()
    assert not page.banner.isVisible()


def test_a_ledger_that_cannot_be_opened_is_reported_on_checking(open_window: OpenWindow) -> None:
    window = open_window()
    home = window.session.home
    home.make()
    home.ledger.write_bytes(b"not a ledger at all, but some other file" * 100)
    page = history(window)
    assert page.banner.isVisible()
    assert not page.empty.isVisible()
    before = page.banner.accessibleName()
    page.check_button.click()
    assert page.banner.accessibleName() == before


@pytest.mark.threat("F6")
def test_a_ledger_in_a_synchronised_folder_is_warned_of(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(study_file, page="history")
    codes: list[str] = []
    window.session.failed.connect(lambda problems: codes.extend(p.code for p in problems))
    monkeypatch.setenv("OneDrive", str(window.session.home.root))
    window.session.accounts._ledger = None
    window.session.reread_accounts()
    assert codes == ["ledger-synced"]
