# SPDX-License-Identifier: Apache-2.0
"""The language changes without a restart: nothing is lost, and one window is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from dpdesk.catalogue import read_catalogue
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.desk import app
from dpdesk.desk.app import make_window
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window import warm_up, window_renewal
from dpdesk.desk.main_window.activity_log import ActivityLog
from dpdesk.desk.main_window.incoming_files import IncomingFiles
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.comparison.page import ComparisonPage
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.rehearsal.page import RehearsalPage
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.title_line import TitleLine
from dpdesk.program.handover import Inbox
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import load_study
from dpdesk.study.problem import Problem
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until
from tests.release.bundles import bundle


@pytest.fixture(autouse=True)
def own_language(qapp: QApplication) -> Iterator[None]:
    yield
    speak(qapp, SYSTEM)


@pytest.fixture
def open_window(qapp: QApplication, home: Home) -> Iterator[OpenWindow]:
    """Opens the main window; whichever is there in the end is closed."""

    def opened(study: Path | None = None) -> MainWindow:
        window = make_window(qapp, home)
        window.show()
        window.activateWindow()
        if study is not None:
            window.opening.open_any(study)
        return window

    yield opened
    for window in windows():
        window.close()
        window.deleteLater()


def after_changing(window: MainWindow, choice: str) -> MainWindow:
    """The window that takes a window's place, once the one before is gone."""
    taken: list[MainWindow] = []
    window.replaced.connect(taken.append)
    window.language_wanted.emit(choice)
    wait_until(lambda: bool(taken))
    (new,) = taken
    wait_until(lambda: not shiboken6.isValid(window))
    settle()
    return new


def windows() -> list[MainWindow]:
    """This test's windows; an earlier test's may wait in the same process to be deleted."""
    shown = (w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
    home = Home.locate()
    return [window for window in shown if window.session.home == home]


def test_each_window_makes_its_pages_ahead_and_nothing_that_is_not_shown(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first visit of each page had taken a tenth of a second after a change of language."""
    ready: list[MainWindow] = []
    monkeypatch.setattr(app, "WarmUp", lambda window, *_more: ready.append(window))
    first = open_window(study_file)
    app.make_ready(first)
    second = after_changing(first, "de")
    third = after_changing(second, "en")
    assert ready == [first, second, third]
    assert not third.handbook_page and third._handbook is None
    assert third.page and "welcome" not in vars(third), "nobody sees how to begin"


def test_the_other_languages_are_read_while_the_window_waits(dpdesk_home: Path) -> None:
    """The first change read its file in the turn of the window: 16 ms of a hundred."""
    read_catalogue.cache_clear()
    warm_up._read_ahead(Home.at(dpdesk_home), no_progress, CancelToken())
    before = read_catalogue.cache_info().misses
    read_catalogue("de")
    assert read_catalogue.cache_info().misses == before


def test_the_study_its_edits_and_its_page_stay(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    session = window.session
    window.go_to("columns")
    session.edit(replace(session.document.study, title="Not saved yet"), "Title")
    new = after_changing(window, "de")
    assert windows() == [new] and not shiboken6.isValid(window)
    assert new.isVisible() and new.page == "columns" and new.session is session
    assert session.document.study.title == "Not saved yet"
    session.document.undo_stack.undo()
    assert session.document.study.title != "Not saved yet"
    session.document.undo_stack.redo()
    assert new.windowTitle().startswith("Not saved yet"), "the new window follows the study"
    assert new.close() and load_study(study_file).study.title == "Not saved yet"


@pytest.fixture
def bundle_file(tmp_path: Path) -> Path:
    """A bundle of somebody else."""
    path = tmp_path / "theirs.zip"
    path.write_bytes(bundle())
    return path


@pytest.mark.in_turn(2)
def test_each_page_shows_again_what_it_showed(
    open_window: OpenWindow, study_file: Path, bundle_file: Path, tmp_path: Path
) -> None:
    """Verify stood empty in the other language, and Compare said that nothing is chosen."""
    window = open_window(study_file)
    window.show_column("sex")
    window.go_to("queries")
    opened = window.session.document.study.queries[-1].id
    queries = window.pages["queries"]
    assert isinstance(queries, QueriesPage)
    queries.select(opened)
    rehearsal = window.pages["rehearsal"]
    assert isinstance(rehearsal, RehearsalPage)
    rehearsal.head.rows_field.set_text("1,234")
    window.go_to("keys")
    compared = window.pages["comparison"]
    assert isinstance(compared, ComparisonPage)
    compared.earlier.take_bundle(bundle_file)
    compared.later.take_bundle(bundle_file)
    notice = tmp_path / "no.notice"
    notice.write_text("{}", encoding="utf-8")
    window.verify_bundle(bundle_file)
    window.verify_bundle(notice)
    between = after_changing(window, "de")
    new = after_changing(between, "en")  # most of its pages were not needed in between
    verified, compared = new.pages["verify"], new.pages["comparison"]
    assert isinstance(verified, VerifyPage) and isinstance(compared, ComparisonPage)
    wait_until(lambda: verified.found is not None and not compared.banner.isHidden())
    assert "Not valid" in verified.answers.notice.accessibleName()
    assert new.page == "verify" and compared.later.path == bundle_file
    assert new.pages["columns"].selected == "sex"
    assert new.pages["queries"].selected == opened
    rehearsal = new.pages["rehearsal"]
    assert isinstance(rehearsal, RehearsalPage) and rehearsal.head.rows == 1234
    assert new.way_back.page_before("keys") == "queries"
    new.session.document.opened.emit()
    assert new.pages.memories().get("columns") is None, "it belonged to the study before"


@pytest.mark.in_turn(2)
def test_a_study_opened_at_once_leaves_what_belongs_to_none(
    open_window: OpenWindow, study_file: Path, bundle_file: Path
) -> None:
    """Pages that were not made again yet lost the bundle and both sides of a comparison."""
    window = open_window(study_file)
    compared = window.pages["comparison"]
    assert isinstance(compared, ComparisonPage)
    compared.later.take_bundle(bundle_file)
    rehearsal = window.pages["rehearsal"]
    assert isinstance(rehearsal, RehearsalPage)
    rehearsal.head.rows_field.set_text("1,234")
    window.show_column("sex")
    window.verify_bundle(bundle_file)
    window.go_to("data")
    new = after_changing(window, "de")
    assert new.pages.find("verify") is None and new.pages.find("comparison") is None
    new.session.document.opened.emit()
    new = after_changing(new, "en")
    verified, compared = new.pages["verify"], new.pages["comparison"]
    assert isinstance(verified, VerifyPage) and isinstance(compared, ComparisonPage)
    wait_until(lambda: verified.found is not None)
    assert compared.later.path == bundle_file
    rehearsal = new.pages["rehearsal"]
    assert isinstance(rehearsal, RehearsalPage) and rehearsal.head.rows == 1234
    assert new.pages["columns"].selected != "sex", "it belonged to the study before"


def test_the_window_is_made_anew_in_several_turns(
    open_window: OpenWindow, study_file: Path
) -> None:
    """All in one turn, it stood still for a third of a second with 50 results on show."""
    window = open_window(study_file)
    taken: list[MainWindow] = []
    window.replaced.connect(taken.append)
    window.language_wanted.emit("de")
    turns = 0
    while not taken:
        assert window.isVisible() and not window.updatesEnabled(), "it stays as it was painted"
        QApplication.processEvents()
        turns += 1
    assert turns > 3
    assert taken[0].isVisible()


@pytest.mark.in_turn(2)
def test_the_window_before_goes_page_by_page(open_window: OpenWindow, study_file: Path) -> None:
    """All in one turn, that took longer than the new one takes to be painted."""
    window = open_window(study_file)
    for key in ("data", "columns", "release"):
        window.go_to(key)
    pages, taken = window.pages.made(), list[MainWindow]()
    window.replaced.connect(taken.append)
    window.language_wanted.emit("de")
    left = []
    while shiboken6.isValid(window):
        QApplication.processEvents()
        left.append(sum(map(shiboken6.isValid, pages)))
    assert {*range(1, len(pages))} <= set(left), "none of them with another"
    assert left == sorted(left, reverse=True) and left[-1] == 0


@pytest.mark.in_turn(2)
def test_cards_of_a_large_page_of_the_window_before_go_a_few_at_a_time(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window_renewal, "FEW", 2)
    monkeypatch.setattr(window_renewal, "AT_ONCE", 1)
    window = open_window(study_file)
    window.go_to("release")
    page = window.pages["release"]
    cards = page.findChildren(Card)
    assert len(cards) > 3
    window.language_wanted.emit("de")
    left = set()
    while shiboken6.isValid(page):
        left.add(sum(map(shiboken6.isValid, cards)))
        QApplication.processEvents()
    assert len(left) > 3, "the page itself goes after most of them"


def test_what_is_being_typed_becomes_an_edit(
    open_window: OpenWindow, study_file: Path, qtbot: QtBot
) -> None:
    window = open_window(study_file)
    window.go_to("data")
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    page.title_field.edit.setFocus()
    page.title_field.edit.clear()
    qtbot.keyClicks(page.title_field.edit, "Half a ti")
    new = after_changing(window, "de")
    assert new.session.document.study.title == "Half a ti"
    shown = new.pages["data"]
    assert isinstance(shown, DataPage) and shown.title_field.edit.text() == "Half a ti"


def test_a_title_that_is_being_written_is_kept(
    open_window: OpenWindow, study_file: Path, qtbot: QtBot
) -> None:
    """It becomes an edit only when the field is left."""
    window = open_window(study_file)
    window.go_to("queries")
    query = window.session.document.study.queries[0]
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    page.select(query.id)
    settle()
    title = next(t for t in page.findChildren(TitleLine) if t.isVisible())
    title.start()
    qtbot.keyClicks(title.edit, "Half a name")
    new = after_changing(window, "de")
    assert new.session.document.study.queries[0].title == "Half a name"


def test_the_window_before_hears_nothing_any_more(
    open_window: OpenWindow, study_file: Path
) -> None:
    """It would tell in a window that is gone."""
    window = open_window(study_file)
    taken: list[MainWindow] = []
    window.replaced.connect(taken.append)
    window.language_wanted.emit("de")
    wait_until(lambda: bool(taken))
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert shiboken6.isValid(window), "it is taken down once the new one had its turn"
    wait_until(lambda: not shiboken6.isValid(window))
    (new,) = windows()
    heard: list[object] = []
    new.refused.connect(heard.append)
    new.session.misread.emit((Problem("$", "internal-fault", {"kind": "ValueError"}),))
    new.session.document.saved_changed.emit(True)
    assert len(heard) == 1 and new.trouble.isVisible()


def test_the_words_change_and_come_back_and_the_choice_is_kept(
    open_window: OpenWindow, study_file: Path, home: Home
) -> None:
    window = open_window(study_file)
    english = menu_texts(window)
    window = after_changing(window, "de")
    assert menu_texts(window)[0] == "&Datei" and Settings(home).language == "de"
    checked = [a.text() for a in language_actions(window) if a.isChecked()]
    assert checked == ["Deutsch"]
    for choice in ("en", "de", "en"):
        window = after_changing(window, choice)
    assert menu_texts(window) == english
    assert windows() == [window]


def test_a_later_start_speaks_the_language_chosen(open_window: OpenWindow, home: Home) -> None:
    Settings(home).language = "de"
    assert menu_texts(open_window())[0] == "&Datei"


@pytest.mark.parametrize("written", ["no such", "../../x", "tlh", ""])
def test_a_language_that_there_is_not_is_the_system_s(
    written: str, open_window: OpenWindow, home: Home
) -> None:
    Settings(home).language = written
    window = open_window()
    assert menu_texts(window)[0] == "&File"
    assert language_actions(window)[0].isChecked()


def test_nothing_changes_while_something_is_at_work(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)

    def work(_progress: Progress, cancel: CancelToken) -> None:
        while True:
            cancel.check()

    job = window.session.jobs.run(work)
    window.language_wanted.emit("de")
    assert windows() == [window] and window.isVisible()
    assert job.is_running
    window.session.jobs.stop()


def test_files_and_the_log_follow_to_the_new_window(
    open_window: OpenWindow, study_file: Path, home: Home
) -> None:
    window = open_window()
    incoming = IncomingFiles(window, Inbox.open(home))
    log = ActivityLog(window)
    new = after_changing(window, "de")
    assert incoming.parent() is new and log.parent() is new
    incoming._open(study_file)
    assert new.page and new.session.document.path == study_file
    incoming.close()


def menu_texts(window: MainWindow) -> list[str]:
    return [action.text() for action in window.menuBar().actions()]


def language_actions(window: MainWindow) -> list[QAction]:
    (menu,) = (m for m in window.findChildren(QMenu) if "Deutsch" in _texts(m))
    return menu.actions()


def _texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions()]
