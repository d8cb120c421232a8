# SPDX-License-Identifier: Apache-2.0
"""Tab through Welcome, every dialog, what a release shows, the handbook and the tour.

What has the keyboard has a ring around it and is in sight, Tab gets back to where it began, and
Shift+Tab passes the same stops backwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QWidget

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.column_item import ColumnItem
from dpdesk.desk.pages.comparison.page import ComparisonPage
from dpdesk.desk.pages.help.handbook_window import HandbookWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.rehearsal.page import RehearsalPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.tour.tour import Tour
from dpdesk.desk.widgets.inputs.option_card import OptionCard
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import new_key, unlock
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.unit import DataSource
from tests.desk.conftest import OpenWindow
from tests.desk.dialogs import DIALOGS, some_dialogs
from tests.desk.screens import describe, settle, wait_until
from tests.desk.test_keyboard_and_names import PAGES, show_page
from tests.desk.test_visible_focus import around, is_seen, step
from tests.release.studies import STUDY, release, write_data
from tests.turns import in_turn

pytestmark = pytest.mark.painted

PASSPHRASE = "correct horse battery staple"
SMALL = QSize(1024, 700)
DOUBLED = QSize(683, 354)
"""A screen of 1366 x 768 at 200 %, without the window's decorations."""
LEAST_WIDTH = 40
SLACK = 2


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


def faults(top: QWidget, what: str, with_ring: bool = True) -> list[str]:
    """What is wrong with a walk there and back, each in a sentence."""
    found = []

    def look(at: QWidget) -> None:
        QApplication.processEvents()
        if not is_in_sight(top, at):
            found.append(f"{describe(at)} is out of sight")

    def look_for_ring(at: QWidget) -> None:
        look(at)
        if with_ring and not is_seen(top, at):
            found.append(f"{describe(at)} has no ring")

    step(top, Qt.Key.Key_Tab)
    QApplication.processEvents()
    on = around(top, Qt.Key.Key_Tab, look_for_ring)
    back = around(top, Qt.Key.Key_Backtab, look)
    if on != [back[0], *reversed(back[1:])]:
        found.append("the way back is another")
    return [f"{what}: {fault}" for fault in dict.fromkeys(found)]


def is_in_sight(top: QWidget, widget: QWidget) -> bool:
    """Whether it is on show, all of it where there is room, and nothing lies over most of it."""
    seen, place, room = widget.rect(), QPoint(), widget.size()
    above = widget
    while above is not top:
        place += above.pos()
        parent = above.parentWidget()
        assert parent is not None
        above = parent
        seen &= above.rect().translated(-place)
        if isinstance(above.parentWidget(), QScrollArea):
            room = room.boundedTo(above.size())
    # Of what is higher than its page, the cell with the keyboard is shown.
    height = room.height() if room.height() == widget.height() else LEAST_WIDTH
    is_whole = seen.height() >= height - SLACK
    return (
        is_whole and seen.width() >= min(room.width(), LEAST_WIDTH) and _is_free(top, widget, seen)
    )


def _is_free(top: QWidget, widget: QWidget, seen: QRect) -> bool:
    corners = (seen.topLeft(), seen.topRight(), seen.bottomLeft(), seen.bottomRight())
    over = [top.childAt(widget.mapTo(top, spot)) for spot in (*corners, seen.center())]
    free = [found is widget or widget.isAncestorOf(found) for found in over if found is not None]
    return free.count(True) > len(over) / 2


def test_welcome(open_window: OpenWindow, study_file: Path) -> None:
    first = open_window()
    settle()
    found = faults(first, "new")
    first.settings.remember(study_file)
    first.welcome.render_state()
    settle()
    assert found + faults(first, "with a study") == []


@pytest.mark.in_turn(2)
def test_every_dialog(window: MainWindow) -> None:
    found = []
    for name, make in some_dialogs("focus").items():
        dialog = make(window)
        dialog.open()
        settle(1)
        found += faults(dialog, name)
        dialog.reject()
    assert found == []


@pytest.mark.in_turn(2)
def test_the_main_pages_in_small_windows(window: MainWindow) -> None:
    found = []
    for size in in_turn((SMALL, DOUBLED), 2):
        window.resize(size)
        for key in PAGES:
            show_page(window, key)
            found += faults(window, f"{key}, {size.width()}", with_ring=size == SMALL)
    assert found == []


@pytest.mark.in_turn(2)
def test_what_a_release_shows(window: MainWindow, tmp_path: Path) -> None:
    folder = window.session.home.keys
    new_key(folder, "office@hospital.example", PASSPHRASE)
    show_page(window, "release")
    page, history, verify = (window.pages[key] for key in ("release", "history", "verify"))
    assert isinstance(page, ReleasePage)
    assert isinstance(history, HistoryPage) and isinstance(verify, VerifyPage)
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    settle(6)
    found = faults(window, "results")
    window.resize(SMALL)
    settle()
    found += faults(window, "results, small")
    page.results._write(tmp_path / "bundle.zip", unlock(folder, PASSPHRASE))
    settle()
    found += faults(window, "exported")
    show_page(window, "history")
    history.table.selectRow(0)
    settle()
    found += faults(window, "history")
    window.verify_bundle(tmp_path / "bundle.zip")
    wait_until(lambda: verify.found is not None)
    settle()
    assert found + faults(window, "verified") == []


@pytest.mark.in_turn(2)
def test_a_rehearsal(window: MainWindow) -> None:
    show_page(window, "rehearsal")
    page = window.pages["rehearsal"]
    assert isinstance(page, RehearsalPage)
    wait_until(lambda: page.rehearsal is not None)
    page.finish()
    settle()
    assert faults(window, "rehearsal") == []


@pytest.mark.in_turn(2)
def test_a_comparison(open_window: OpenWindow, tmp_path: Path, home: Home) -> None:
    write_data(tmp_path)
    ledger = Ledger.open(home)
    ledger.new_account("registry", Epsilon.of(10), "for tests")
    release(STUDY, tmp_path, ledger, OpenDPDoor())
    following = replace(STUDY, data=DataSource("stays.csv", extract="next"))
    done = release(following, tmp_path, ledger, OpenDPDoor())
    window = open_window()
    window.compare_release(done.sequence)
    page = window.pages["comparison"]
    assert isinstance(page, ComparisonPage)
    wait_until(lambda: page.comparison is not None)
    page.finish()
    settle()
    assert faults(window, "comparison") == []


@pytest.fixture
def handbook(window: MainWindow) -> Iterator[HandbookWindow]:
    window.open_handbook()
    windows = (w for w in QApplication.topLevelWidgets() if isinstance(w, HandbookWindow))
    made = next(w for w in windows if w.isVisible())
    settle()
    yield made
    window.handbook.close()


def test_the_handbook(handbook: HandbookWindow) -> None:
    assert faults(handbook, "handbook") == []


@pytest.mark.in_turn(2)
def test_the_tour_and_the_page_below_it(window: MainWindow) -> None:
    """Its callout steps aside where it would lie over what has the keyboard."""
    window.tour_wanted.emit()
    settle()
    tour = window.findChild(Tour)
    assert isinstance(tour, Tour)
    found = []
    while tour.callout is not None:
        found += faults(window, tour.callout.accessibleName())
        tour.callout.on.click()
        settle()
    assert found == []


def test_the_page_follows_the_chosen_cell_of_a_table(
    window: MainWindow,
) -> None:
    """A table may be higher than what there is room for, as the results of many groups are."""
    window.resize(DOUBLED)
    show_page(window, "data")
    table = next(t for t in window.pages["data"].findChildren(DataTable) if t.isVisible())
    room = window.pages["data"].scroll_area.viewport().height()
    table.verticalHeader().setDefaultSectionSize(room // 3)
    table.setFixedHeight(table.content_height(table.model().rowCount()))
    settle()
    table.setFocus(Qt.FocusReason.TabFocusReason)
    assert table.height() > 2 * room
    for _ in range(table.model().rowCount()):
        QTest.keyClick(table, Qt.Key.Key_Down)
        cell = table.visualRect(table.currentIndex())
        seen = table.viewport().visibleRegion().boundingRect()
        assert seen.top() <= cell.top() and cell.bottom() <= seen.bottom()


@pytest.fixture
def low_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = type(QApplication.primaryScreen())
    monkeypatch.setattr(screen, "availableGeometry", lambda _self: QRect(0, 0, 683, 384))


def stops_of(top: QWidget, key: Qt.Key, times: int) -> list[str]:
    """What is out of sight where a key that is no Tab takes the keyboard."""
    hidden = []
    for _ in range(times):
        QTest.keyClick(QApplication.focusWidget(), key)
        settle(1)
        at = QApplication.focusWidget()
        assert at is not None
        hidden += [] if is_in_sight(top, at) else [describe(at)]
    return hidden


@pytest.mark.usefixtures("low_screen")
def test_a_dialog_follows_the_arrows(window: MainWindow) -> None:
    dialog = DIALOGS["template"](window)
    dialog.open()
    settle()
    first = dialog.findChildren(OptionCard)[0]
    first.setFocus(Qt.FocusReason.TabFocusReason)
    assert stops_of(dialog, Qt.Key.Key_Down, len(dialog.findChildren(OptionCard))) == []
    dialog.reject()


@pytest.mark.in_turn(2)
def test_a_page_follows_the_arrows_and_letters_with_alt(window: MainWindow) -> None:
    window.resize(DOUBLED)
    show_page(window, "columns")
    page = window.pages["columns"]
    item = next(item for item in page.findChildren(ColumnItem) if item.isVisible())
    item.setFocus(Qt.FocusReason.TabFocusReason)
    assert stops_of(window, Qt.Key.Key_Down, 3) == []
    show_page(window, "people")
    area = window.pages["people"].scroll_area
    fields = [f for f in window.pages["people"].findChildren(QLineEdit) if f.isVisible()]
    area.verticalScrollBar().setValue(0)
    fields[-1].setFocus(Qt.FocusReason.ShortcutFocusReason)
    settle()
    assert is_in_sight(window, fields[-1])


def test_what_the_mouse_presses_stays_below_it(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.resize(DOUBLED)
    show_page(window, "people")
    area = window.pages["people"].scroll_area
    fields = [f for f in window.pages["people"].findChildren(QLineEdit) if f.isVisible()]
    fields[0].setFocus()
    settle()
    area.verticalScrollBar().setValue(0)
    monkeypatch.setattr(QApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
    fields[-1].setFocus(Qt.FocusReason.MouseFocusReason)
    settle()
    assert area.verticalScrollBar().value() == 0


def test_of_a_card_higher_than_its_page_the_title_is_shown(window: MainWindow) -> None:
    window.resize(DOUBLED)
    show_page(window, "queries")
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    card = page.card(page.selected)
    room = page.scroll_area.viewport()
    assert card.height() > room.height()
    page.scroll_area.verticalScrollBar().setValue(card.mapTo(room, QPoint()).y() + card.height())
    card.setFocus(Qt.FocusReason.BacktabFocusReason)
    settle()
    assert 0 <= card.mapTo(room, QPoint()).y() < LEAST_WIDTH


def test_the_keyboard_comes_to_what_is_first_on_another_page(
    open_window: OpenWindow, study_file: Path
) -> None:
    """After a study was closed, nothing had it: Return and a screen reader were nowhere."""
    window = open_window(study_file)
    window.go_to("columns")
    settle()
    page = window.pages["data"]
    window.go_to("data")
    assert page.isAncestorOf(window.focusWidget())
    window.session.document.close()
    settle()
    assert window.focusWidget() is window.welcome.first_way
