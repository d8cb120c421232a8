# SPDX-License-Identifier: Apache-2.0
"""Release in a real window, look back, and check what was exported: as one press of each test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.release.same_file_dialog import SameFileDialog
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.keys import unlock
from dpdesk.study.model.amount import Epsilon
from tests.desk.screens import settle, shown_page, wait_until

PASSPHRASE = "made-up passphrase"
SIGNER = "data-office@lindenfeld.example"


def release_page(window: MainWindow) -> ReleasePage:
    return shown_page(window, "release", ReleasePage)


def press_release(page: ReleasePage, qtbot: QtBot) -> None:
    """Press *Release…*, and wait for the check that comes before all questions."""
    qtbot.mouseClick(page.release_button, Qt.MouseButton.LeftButton)
    wait_for_check(page)


def ask_release(page: ReleasePage) -> None:
    """The same without a mouse."""
    page.ask_release()
    wait_for_check(page)


def wait_for_check(page: ReleasePage) -> None:
    wait_until(lambda: not page.review.check.is_running)
    settle()


def do_release(window: MainWindow, qtbot: QtBot) -> ReleasePage:
    page = release_page(window)
    press_release(page, qtbot)
    say_same_file(page, qtbot)
    assert page.confirm.danger_button is not None
    qtbot.mouseClick(page.confirm.danger_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: page.released_shares is not None)
    settle()
    return page


def say_same_file(page: ReleasePage, qtbot: QtBot) -> None:
    """Answer the question that an extract which was used before brings."""
    dialog = page.findChild(SameFileDialog)
    if dialog is not None and dialog.isVisible():
        qtbot.mouseClick(dialog.same, Qt.MouseButton.LeftButton)


def spent(window: MainWindow) -> str:
    return str(window.session.accounts.ledger().account("registry").spent)


def scaled(window: MainWindow, share: str) -> None:
    """Ask for other shares: questions that were not answered before."""
    study = window.session.state.study
    queries = tuple(replace(q, epsilon=Epsilon.of(share)) for q in study.queries)
    window.session.edit(replace(study, queries=queries), "")


def history_page(window: MainWindow) -> HistoryPage:
    window.go_to("history")
    settle()
    page = window.pages["history"]
    assert isinstance(page, HistoryPage)
    return page


def saved_bundle(page: ReleasePage, home: Home, tmp_path: Path) -> Path:
    assert isinstance(page._done, ReleaseDone)
    path = tmp_path / "bundle.zip"
    key = unlock(home.keys, PASSPHRASE)
    write_bundle(path, build(page._done.stored, page._done.chain, key))
    return path


def checked(window: MainWindow, path: Path) -> VerifyPage:
    window.opening.open_any(path)
    page = window.pages["verify"]
    assert isinstance(page, VerifyPage)
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    return page
