# SPDX-License-Identifier: Apache-2.0
"""History shows every release under its own names, and exports it again for nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Thread, current_thread

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history import page as history
from dpdesk.desk.pages.history.page import ABOUT, WHEN, HistoryPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import StoredRelease
from tests.desk.conftest import OpenWindow
from tests.desk.languages import spoken_language
from tests.desk.releasing import (
    PASSPHRASE,
    do_release,
    history_page,
    spent,
)
from tests.desk.screens import settle, texts, wait_until
from tests.release.ledgers import without_rules


@pytest.fixture
def window(window_with_key: MainWindow) -> MainWindow:
    return window_with_key


def test_titles_that_end_in_their_year_are_told_apart(window: MainWindow) -> None:
    page = history_page(window)
    width = page.table.viewport().width() // 8
    metrics = page.table.fontMetrics()
    cut = page.table.delegate.cut
    shown = {metrics.elidedText(f"Length of stay {year}", cut, width) for year in (2024, 2025)}
    assert len(shown) == 2 and all("…" in text for text in shown)


@pytest.mark.in_turn(2)
def test_an_old_release_shows_its_figures_under_its_own_names(
    window: MainWindow, qtbot: QtBot
) -> None:
    figures = texts(do_release(window, qtbot).results.table)
    study = window.session.state.study
    other = study.queries[0].having(statistic="count-people", title="")
    window.session.edit(replace(study, queries=(other,)), "")
    page = history_page(window)
    assert page.table.model().rowCount() == 2
    assert page.table.selectionModel().isRowSelected(0)
    assert page.results.isVisible() and page.export_button.isEnabled()
    assert texts(page.results.table) == figures
    page.compare_button.setFocus()
    page.compare_button.click()
    settle()
    assert window.page == "comparison"
    window.go_to("history")
    wait_until(lambda: window.focusWidget() is page.compare_button)
    page.table.selectRow(1)
    settle()
    assert not page.results.isVisible()
    model = page.table.model()
    assert model.index(1, ABOUT).data() == "for tests"
    page.table.setFixedWidth(420)
    settle()
    for _ in range(2):
        assert "," not in model.index(1, WHEN).data(), "the day alone, also when one comes back"
        page.enter()


def test_the_release_that_was_compared_is_still_chosen(window: MainWindow, qtbot: QtBot) -> None:
    do_release(window, qtbot)
    study = window.session.state.study
    other = study.queries[0].having(statistic="count-people", title="")
    window.session.edit(replace(study, queries=(other,)), "")
    do_release(window, qtbot)
    page = history_page(window)
    page.table.selectRow(1)
    settle()
    chosen = page._chosen()
    page.compare_button.click()
    settle()
    window.go_to("history")
    settle()
    assert page._chosen() == chosen, "what is withdrawn next is what was looked at"


@pytest.mark.in_turn(2)
def test_a_long_record_is_parsed_beside_the_window(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = texts(do_release(window, qtbot).results.table)
    monkeypatch.setattr(history, "LONG_PAYLOAD", 0)
    really, by = Ledger.release, list[Thread]()

    def read(ledger: Ledger, sequence: int) -> StoredRelease:
        by.append(current_thread())
        return really(ledger, sequence)

    monkeypatch.setattr(Ledger, "release", read)
    page = history_page(window)
    qtbot.waitUntil(page.results.isVisible)
    assert texts(page.results.table) == figures and page.export_button.isEnabled()
    page.enter()
    qtbot.waitUntil(page.results.isVisible)
    assert len(by) == 1 and by[0] is not current_thread(), "once, and not in the window's turn"
    page._read_last = None
    page._pick(page.table.model().index(0, 0), QModelIndex())
    page.table.selectRow(1)
    settle()
    assert not page.results.isVisible() and not page._reading.is_pending, "nobody waits for it"


def test_an_old_release_is_exported_again_for_nothing(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    do_release(window, qtbot)
    page = history_page(window)
    page.table.selectRow(0)
    settle()
    assert page.export_button.isEnabled()
    page.results.export_to(tmp_path / "again.zip")
    page.results.unlock.passphrase.edit.setText(PASSPHRASE)
    page.results.unlock.ok.click()
    assert (tmp_path / "again.zip").is_file()
    assert spent(window) == "0.4"


@pytest.mark.parametrize("place", ["history", "release"])
@pytest.mark.in_turn(2)
def test_a_failed_export_is_past_once_the_bundle_is_written(
    place: str, window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    page: HistoryPage | ReleasePage = do_release(window, qtbot)
    if place == "history":
        page = history_page(window)
        page.table.selectRow(0)
        settle()
    for folder in ("missing", ""):
        page.results.export_to(tmp_path / folder / "again.zip")
        page.results.unlock.passphrase.edit.setText(PASSPHRASE)
        page.results.unlock.ok.click()
        settle()
        said = any("cannot be written" in text for text in texts(page))
        assert said == bool(folder)
    assert (tmp_path / "again.zip").is_file()


def test_the_rail_says_that_a_study_was_released_another_day(
    window: MainWindow, qtbot: QtBot
) -> None:
    queries, release = window.rail.item("queries"), window.rail.item("release")
    page = do_release(window, qtbot)
    page.again_button.click()
    settle()
    count = len(window.session.state.study.queries)
    assert queries.accessibleDescription() == f"{count} released, done"
    assert release.accessibleDescription().startswith("See History")


@pytest.mark.in_turn(2)
def test_a_bundle_is_in_the_desks_language(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, qapp: QApplication
) -> None:
    do_release(window, qtbot)
    page = history_page(window)
    page.table.selectRow(0)
    settle()
    page.results.export_to(tmp_path / "german.zip")
    page.results.unlock.passphrase.edit.setText(PASSPHRASE)
    with spoken_language(qapp, "de"):
        page.results.unlock.ok.click()
    files = unpack((tmp_path / "german.zip").read_bytes())
    assert b"/Lang (de)" in files["report.pdf"]


def test_the_ledger_is_checked_from_the_window(window: MainWindow, qtbot: QtBot) -> None:
    do_release(window, qtbot)
    page = history_page(window)
    qtbot.mouseClick(page.check_button, Qt.MouseButton.LeftButton)
    assert page.banner.isVisible()
    assert "intact" in page.banner.accessibleName()


def rows(page: HistoryPage) -> list[tuple[str, ...]]:
    model = page.table.model()
    across = range(model.columnCount())
    return [tuple(model.index(r, c).data() for c in across) for r in range(model.rowCount())]


@pytest.mark.parametrize("changed", ["payload = '{}'", "charged = 1"])
@pytest.mark.in_turn(2)
def test_a_damaged_entry_is_named_and_the_others_are_shown(
    window: MainWindow, qtbot: QtBot, home: Home, changed: str
) -> None:
    do_release(window, qtbot)
    page = history_page(window)
    sound = rows(page)
    window.go_to("release")
    without_rules(home.ledger, f"UPDATE entry SET {changed} WHERE sequence = 2")
    page = history_page(window)
    damaged, opened = rows(page)
    assert opened == sound[1]
    assert damaged[:3] == (*sound[0][:2], "Damaged")
    assert "Damaged entries: 2." in page.banner.accessibleName()
    page.table.selectRow(0)
    settle()
    assert not page.results.isVisible()


def test_history_without_a_ledger_is_empty(open_window: OpenWindow) -> None:
    window = open_window()
    page = history_page(window)
    assert page.empty.isVisible()
    assert not page.check_button.isEnabled() and not page.export_button.isVisible()
    assert page.check_button.toolTip() == "Nothing is in the ledger yet."
    wanted: list[str] = []
    page.account_wanted.disconnect()
    page.account_wanted.connect(wanted.append)
    page.empty.button.click()
    assert page.empty.button.text() == "New account…" and wanted == [""], "the first entry of all"
