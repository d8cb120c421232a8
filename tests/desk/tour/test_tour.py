# SPDX-License-Identifier: Apache-2.0
"""The tour points at the real controls, is skipped and found again, and changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.tour.callout import Ring
from dpdesk.desk.tour.stops import study_stops
from dpdesk.desk.tour.tour import Tour
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from tests.desk.conftest import OpenWindow
from tests.desk.languages import spoken_language
from tests.desk.screens import settle, spoken, wait_until


def begin(window: MainWindow, size: QSize | None = None) -> Tour:
    """The tour, as the Help menu begins it, in a window of a size."""
    if size is not None:
        window.resize(size)
        settle()
    help_menu = window.menuBar().actions()[-1].menu()
    assert help_menu is not None
    next(a for a in help_menu.actions() if a.text() == "&Tour").trigger()  # type: ignore[attr-defined]
    settle()
    found = window.findChild(Tour)
    assert isinstance(found, Tour) and found.callout is not None
    return found


def press(key: Qt.Key) -> None:
    QTest.keyClick(QApplication.focusWidget(), key)
    settle()


@pytest.mark.in_turn(2)
def test_return_leads_through_all_pages_and_changes_nothing(
    open_window: OpenWindow, study_file: Path, home: Home
) -> None:
    window = open_window(study_file)
    before, study = study_file.read_bytes(), window.session.document.study
    tour = begin(window)
    pages, titles = [], []
    for _ in study_stops():
        assert tour.callout is not None
        pages.append(window.page)
        titles.append(tour.callout.accessibleName())
        press(Qt.Key.Key_Return)
    assert pages == ["data", "people", "columns", "queries", "queries", "release"]
    assert len(set(titles)) == len(titles)
    release = window.pages["release"]
    assert QApplication.focusWidget() is not release.footer.primary, "Return spends nothing"
    assert not tour.is_on
    assert window.session.document.study is study
    assert study_file.read_bytes() == before
    assert not window.session.document.undo_stack.canUndo()
    assert Ledger.open(home).account("registry").spent.units == 0


@pytest.mark.parametrize("size", [QSize(1280, 800), QSize(1024, 700), QSize(720, 440)])
@pytest.mark.in_turn(2)
def test_callouts_lie_in_the_window_beside_what_they_are_about(
    open_window: OpenWindow, study_file: Path, size: QSize
) -> None:
    window = open_window(study_file)
    tour = begin(window, size)
    while tour.callout is not None:
        assert window.rect().contains(tour.callout.geometry())
        ring = next(r for r in window.findChildren(Ring) if r.isVisible())
        covered = ring.geometry().intersected(tour.callout.geometry())
        if size.width() > 720:
            assert covered.height() * covered.width() < 0.5 * ring.width() * ring.height()
        press(Qt.Key.Key_Return)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.in_turn(2)
def test_on_the_smallest_screen_the_first_page_shows_what_is_meant(
    open_window: OpenWindow, home: Home, qapp: QApplication, language: str
) -> None:
    """1366 x 768 at 200 %: the control goes to the top, the callout below it."""
    Settings(home).language = language
    with spoken_language(qapp, language):
        window = open_window()
        window.resize(683, 354)
        settle()
        window.tour_wanted.emit()
        settle()
        tour = window.findChild(Tour)
        assert isinstance(tour, Tour)
        for _ in range(2):
            assert tour.callout is not None
            ring = next(r for r in window.findChildren(Ring) if r.isVisible())
            covered = ring.geometry().intersected(tour.callout.geometry())
            assert window.rect().contains(tour.callout.geometry())
            assert covered.height() * covered.width() < 0.2 * ring.width() * ring.height()
            tour.callout.on.click()
            settle()


def test_escape_ends_it_and_gives_the_keyboard_back(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    tour = begin(window)
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Escape)
    assert not tour.is_on
    focused = QApplication.focusWidget()
    assert focused is not None and window.pages[window.page].isAncestorOf(focused)
    assert not [r for r in window.findChildren(Ring) if r.isVisible()]
    tour = begin(window)
    for _ in range(3):
        press(Qt.Key.Key_Tab)
    at = QApplication.focusWidget()
    assert tour.is_on and tour.callout is not None and not tour.callout.isAncestorOf(at)
    press(Qt.Key.Key_Escape)
    assert not tour.is_on and QApplication.focusWidget() is at


def test_the_way_back_and_what_is_spoken(open_window: OpenWindow, study_file: Path) -> None:
    tour = begin(open_window(study_file))
    callout = tour.callout
    assert callout is not None
    assert not callout.back.isVisible()
    first = callout.on.accessibleDescription()
    press(Qt.Key.Key_Return)
    assert spoken(callout.on) == "Next"
    assert callout.on.accessibleDescription() != first
    callout.back.click()
    settle()
    assert callout.on.accessibleDescription() == first


def test_whoever_goes_elsewhere_has_left(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    tour = begin(window)
    window.go_to("history")
    assert not tour.is_on
    assert window.page == "history"


def test_the_first_page_offers_it_once_and_it_goes_on_in_the_sample(
    open_window: OpenWindow, home: Home, qtbot: QtBot
) -> None:
    window = open_window()
    assert window.findChild(Tour) is None
    assert window.welcome.first_time.isVisible()
    qtbot.mouseClick(window.welcome.first_time, Qt.MouseButton.LeftButton)
    settle()
    tour = window.findChild(Tour)
    assert isinstance(tour, Tour) and tour.callout is not None
    leave = tour.callout.leave
    assert leave.x() + leave.ring_room == tour.callout._text.x(), "its words below the others"
    press(Qt.Key.Key_Return)
    assert tour.callout.on.text() == "Open the sample hospital"
    press(Qt.Key.Key_Return)
    wait_until(lambda: window.page == "data" and tour.is_on)
    assert window.session.document.study.title.startswith("Admissions of the sample hospital")
    assert Settings(home).tour_seen
    tour.end()
    window.session.document.close()
    assert not window.welcome.first_time.isVisible()


def test_clicks_go_through_the_ring(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    begin(window)
    ring = next(r for r in window.findChildren(Ring) if r.isVisible())
    assert ring.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    assert not [o for o in QApplication.topLevelWidgets() if o.isModal() and o.isVisible()]


def test_another_window_has_a_tour_of_its_own(open_window: OpenWindow, study_file: Path) -> None:
    first = begin(open_window(study_file))
    assert first.callout is not None
    second = begin(open_window(study_file))
    assert second is not first and second.callout is not None


def test_the_first_page_is_at_its_top_when_the_tour_has_ended(open_window: OpenWindow) -> None:
    """On a screen where what offered the tour lies far below, and is gone with it."""
    window = open_window()
    window.resize(683, 354)
    settle()
    bar = window.welcome.scroll_area.verticalScrollBar()
    bar.setValue(bar.maximum())
    window.welcome.first_time.setFocus()
    window.welcome.first_time.click()
    settle()
    press(Qt.Key.Key_Escape)
    assert not window.welcome.first_time.isVisible()
    assert bar.value() == 0
    assert QApplication.focusWidget() is window.welcome.first_way
