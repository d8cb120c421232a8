# SPDX-License-Identifier: Apache-2.0
"""A release is called by its place among its account's releases, not among all entries."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import release
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.releasing import do_release
from tests.desk.screens import settle, texts
from tests.release.studies import STUDY, women


@pytest.fixture
def window(
    open_window: OpenWindow,
    study_file: Path,
    home: Home,
    key_folder: Path,
) -> MainWindow:
    """The small study's window; another account has released already, and been raised."""
    shutil.copytree(key_folder, home.keys, dirs_exist_ok=True)
    made = open_window(study_file, page="history")
    ledger = made.session.accounts.ledger()
    ledger.new_account("other", Epsilon.of(1), "")
    ledger.raise_budget("other", Epsilon.of(2), "more")
    assert STUDY.budget is not None
    (study_file.parent / "other").mkdir()
    other = study_file.parent / "other"
    (other / "stays.csv").write_text("id,days,sex\nq1,1,f\n", encoding="utf-8")
    study = replace(
        STUDY,
        budget=replace(STUDY.budget, account="other"),
        queries=(women(),),
        columns=STUDY.columns,
    )
    release(study, other, ledger, OpenDPDoor())
    return made


def test_releases_are_counted_per_account(window: MainWindow, qtbot: QtBot) -> None:
    page = do_release(window, qtbot)
    assert page.results.title == "Release 1"
    assert "Release 1" in texts(window)
    paid = window.session.accounts.ledger().answered().keys.values()
    assert len({one.sequence for one in paid}) == 2 and {one.number for one in paid} == {1}
    page._go_back()
    page = do_release(window, qtbot)
    assert page.results.title == "Release 2"


@pytest.mark.in_turn(2)
def test_history_calls_them_the_same(window: MainWindow, qtbot: QtBot) -> None:
    do_release(window, qtbot)
    window.go_to("history")
    settle()
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    kinds = [row[2] for row in page._rows()]
    assert kinds.count("Release 1") == 2, "each account counts its own"
    for row in (0, 1):
        page.table.selectRow(row)
        settle()
        assert page.results.title == "Release 1"
        assert page.compare_button.isVisibleTo(page)
    page.compare_button.click()
    assert window.page == "comparison"


@pytest.mark.in_turn(2)
def test_the_bundle_is_offered_under_that_number(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = do_release(window, qtbot)
    offered = []

    def ask(*args: object) -> tuple[str, str]:
        offered.append(Path(str(args[2])).name)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    page.export_button.click()
    assert offered == ["stays-release-1.zip"]


@pytest.mark.in_turn(2)
def test_history_that_is_asked_for_again_still_offers_what_can_be_done(
    window: MainWindow, qtbot: QtBot
) -> None:
    """Its button is disabled while the figures are hidden, and the keyboard goes to the table.

    The table then shows the figures of its first row, while the page still draws itself without.
    """
    do_release(window, qtbot)
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    window.go_to("history")
    qtbot.waitUntil(page.export_button.isEnabled)
    window.activateWindow()
    page.focus_first()
    qtbot.waitUntil(page.export_button.hasFocus)
    window.go_to("history")
    settle()
    assert page.results.isVisible()
    assert page.revoke_button.isVisible()
    assert page.export_button.isEnabled()
    assert not page.footer.sentence


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.in_turn(2)
def test_what_was_spent_is_on_show_in_a_window_of_the_usual_width(
    open_window: OpenWindow, home: Home, qapp: QApplication, qtbot: QtBot, language: str
) -> None:
    """Beside the sample's account and the title of its study, which is long, in each language."""
    Settings(home).language = language
    window = open_window()
    window.resize(1280, 730)
    window.opening.open_sample()
    qtbot.waitUntil(lambda: window.session.document.is_open)
    document, ledger = window.session.document, window.session.accounts.ledger()
    release(window.session.state.study, document.folder, ledger, OpenDPDoor())
    window.go_to("history")
    settle()
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    assert page.table.horizontalScrollBar().maximum() == 0
    assert page.table.rowHeight(0) > page.table.verticalHeader().defaultSectionSize(), "wraps"
    speak(qapp, SYSTEM)
