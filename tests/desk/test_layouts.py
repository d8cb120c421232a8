# SPDX-License-Identifier: Apache-2.0
"""Nothing is cut off and nothing lies over anything else, on any page and in any dialog."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.settings import TEXT_SIZES, Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.column_list import LIST_WIDTH
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.history.page import SPENT, HistoryPage
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.welcome.welcome_page import STACKED_BELOW
from dpdesk.desk.theme.metrics import Space, scale
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import Field
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.parameters import CandidateParameters
from dpdesk.study.model.queries import Query
from tests.audit.length import some
from tests.desk.conftest import IN_LONG_WORDS, OpenWindow
from tests.desk.dialogs import some_dialogs, zcdp
from tests.desk.layout_faults import layout_faults, moved, page_faults, places
from tests.desk.screens import settle, wait_until
from tests.release.studies import STUDY

pytestmark = [pytest.mark.usefixtures("language"), IN_LONG_WORDS]

LONG = "This sentence is as long as those that say what is wrong, and it wraps over two lines. "
PASSPHRASE = "made-up passphrase"
IS_SCALED = "QT_SCALE_FACTOR" in os.environ
DOUBLED = QSize(958, 529)
SIZES = some((QSize(1366, 738), QSize(1024, 670), QSize(1280, 770), QSize(1152, 700)), 2)
SIZES = (*(() if IS_SCALED else SIZES), DOUBLED)
"""Screens of hospitals without their window decorations; the last is Full HD at 200 %.

All of them, and every query and column: ``python -m tests.desk.all_layouts``.
"""


@pytest.fixture(autouse=True)
def key(home: Home) -> None:
    """A signing key, without which its page is nearly empty."""
    keys.new_key(home.keys, "data-office@hospital.example", PASSPHRASE)


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


@pytest.mark.in_turn(2)
def test_a_dialog_grows_with_what_it_says(window: MainWindow) -> None:
    tried = some_dialogs("growing")
    faults = {name: list(faults_as_it_grows(make(window))) for name, make in tried.items()}
    assert faults == {name: [] for name in tried}


def faults_as_it_grows(dialog: Dialog) -> Iterator[str]:
    """What is wrong before, while and after each field of a dialog says something long."""
    dialog.open()
    for said in ("", LONG, ""):
        for field in dialog.findChildren(Field):
            field.set_error(said)
        settle()
        yield from layout_faults(dialog)
    if dialog.height() > dialog.needed_height():
        yield "it stays as high as it was"
    dialog.reject()
    settle()


@pytest.mark.in_turn(2)
def test_nothing_overlaps_on_any_page(window: MainWindow) -> None:
    for size in SIZES:
        window.resize(size)
        faults = {}
        for key, page in window.pages.items():
            window.go_to(key)
            settle()
            footer = page.footer
            low = footer.mapTo(window, footer.rect().bottomLeft()).y()
            # Where no bundle is open there is nothing to say or press in it.
            assert footer.isVisible() == (key != "verify")
            assert footer.isHidden() or low == window.height() - 1, "the footer stays"
            faults[key] = page_faults(window, key)
            if size == SIZES[-1]:
                before = places(window)
                window.theme.apply("dark")
                settle()
                faults[key] += [*page_faults(window, key), *moved(before, window)]
                window.theme.apply("light")
        assert window.size() == size
        assert faults == {key: [] for key in window.pages}, size


def test_an_empty_plan_has_room_when_it_comes_on_show(
    open_window: OpenWindow, tmp_path: Path, study_file: Path
) -> None:
    """Its buttons are measured as they are named now, not as they last were laid out."""
    save_study(replace(STUDY, queries=()), tmp_path / "empty.dpdesk")
    window = open_window(tmp_path / "empty.dpdesk", page="columns")
    window.resize(QSize(1280, 724))
    settle()
    window.go_to("queries")
    settle()
    assert page_faults(window, "queries") == []


@pytest.fixture
def large_texts(home: Home, qapp: QApplication) -> Iterator[None]:
    Settings(home).text_size = TEXT_SIZES[-1]
    yield
    Theme(qapp).set_text_size(100)


@pytest.mark.skipif(IS_SCALED, reason="a doubled screen of this size has no room for larger texts")
@pytest.mark.usefixtures("large_texts")
@pytest.mark.in_turn(2)
def test_large_texts_have_room_on_every_page(open_window: OpenWindow, study_file: Path) -> None:
    first = open_window()
    for size in SIZES[:2]:
        assert_first_page_fits(first, size)
    window = open_window(study_file)
    for size in SIZES[:2]:
        window.resize(size)
        faults = {}
        for key in window.pages:
            window.go_to(key)
            settle()
            faults[key] = page_faults(window, key)
        assert faults == {key: [] for key in window.pages}, size
    columns = window.pages["columns"]
    assert isinstance(columns, ColumnsPage)
    assert columns.list.width() > LIST_WIDTH, "the names of columns are larger, too"


@pytest.mark.parametrize("has_recent", [False, True])
def test_the_first_page_fits_the_window(
    open_window: OpenWindow, study_file: Path, has_recent: bool
) -> None:
    first = open_window()
    if has_recent:
        first.settings.remember(study_file)
        first.welcome.render_state()
    for size in SIZES:
        assert_first_page_fits(first, size)
    # Wide again after it was narrow, as a window that is dragged.
    first.resize(SMALLEST)
    settle()
    assert_first_page_fits(first, QSize(round(STACKED_BELOW * scale()), SMALLEST.height()))


def assert_first_page_fits(first: MainWindow, size: QSize) -> None:
    """Nothing is cut off at a size, and what lies below the edge is scrolled to."""
    first.resize(size)
    settle()
    area = first.welcome.scroll_area
    assert area.horizontalScrollBar().maximum() == 0
    assert layout_faults(first.welcome) == []
    content = area.widget()
    for side in content.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
        left = side.mapTo(first, QPoint(0, 0)).x()
        assert left >= Space.PAGE and left + side.width() <= size.width() - Space.PAGE
    last = first.welcome.findChild(QWidget, "way-verify")
    assert last is not None
    last.setFocus(Qt.FocusReason.TabFocusReason)
    area.ensureWidgetVisible(last)
    assert last.visibleRegion().boundingRect() == last.rect()


def test_a_dialog_on_a_low_screen_scrolls_and_keeps_its_buttons(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = zcdp(window)
    assert isinstance(dialog, NewAccountDialog)
    screen = QApplication.primaryScreen()
    low = screen.availableGeometry()
    low.setHeight(360)
    monkeypatch.setattr(type(screen), "availableGeometry", lambda _self: low)
    dialog.open()
    settle()
    assert dialog.height() == 360
    assert dialog.rect().contains(dialog.ok.geometry())


def test_words_without_room_are_found(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    root.resize(200, 100)
    label, button = Label("far too long for so little room", parent=root), Button("Release now")
    button.setParent(root)
    label.setGeometry(0, 0, 60, 30)
    button.setGeometry(0, 40, 40, 40)
    area = QScrollArea(root)
    area.setGeometry(100, 0, 60, 90)
    wide = QWidget()
    wide.setFixedSize(90, 20)
    area.setWidget(wide)
    root.show()
    found = layout_faults(root)
    assert [fault for fault in found if fault.startswith(("far too long", "Release now"))] == [
        "far too long for so little room is cut off",
        "Release now is cut off",
    ]
    assert any("scrolls sideways by 3" in fault for fault in found)


def assert_tab_shows_its_picture(queries: QueriesPage, query_id: str, place: int) -> None:
    """A press on a tab brings its picture on show below it, or as much as there is room for."""
    accuracy = queries.card(query_id).accuracy
    queries.scroll_area.verticalScrollBar().setValue(0)
    accuracy._tabs.button(place).click()
    settle()
    area = queries.scroll_area.viewport()
    tab = accuracy._tabs.button(place).mapTo(area, QPoint()).y()
    end = accuracy.pictures.mapTo(area, QPoint(0, accuracy.pictures.height())).y()
    assert tab >= 0 and (end <= area.height() or tab <= Space.SMALL)


SMALLEST = QSize(683, 354)
"""1366 x 768 at 200 %."""
LEAST_CARD = 400
NAME_ROOM, NAME_AIR = 20, 3
"""Of a way's name above the middle, and what of it is above and below the letters."""


@pytest.mark.skipif(IS_SCALED, reason="a doubled screen of this size is smaller still")
@pytest.mark.in_turn(2)
def test_states_after_a_release_have_room_on_the_smallest_screen(
    window: MainWindow, tmp_path: Path
) -> None:
    """Stored answers beside long margins, several columns, an exported bundle."""
    window.resize(SMALLEST)
    study = window.session.state.study
    median = Query("rank", "median", CandidateParameters("days"), epsilon=Epsilon.of("0.1"))
    window.session.edit(replace(study, queries=(*study.queries, median)), "")
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    window.go_to("release")
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    page.results.export_to(tmp_path / "figures.zip")
    page.results.unlock.passphrase.edit.setText(PASSPHRASE)
    page.results.unlock.ok.click()
    wait_until(lambda: not page.results.exported.isHidden())
    settle()
    faults = {"exported": page_faults(window, "release")}
    columns = window.pages["columns"]
    assert isinstance(columns, ColumnsPage)
    window.go_to("columns")
    settle()
    assert columns.scroll_area.verticalScrollBar().maximum() == 0, "list and form scroll alone"
    columns.choose_all()
    settle()
    assert columns.many.isVisible()
    columns.search.edit.setText("a")
    settle()
    assert columns.list.geometry().right() == columns.search.geometry().right()
    columns.search.edit.clear()
    area = columns.many.parentWidget()
    assert area is not None and columns.many.minimumSizeHint().width() <= area.width()
    window.go_to("queries")
    queries = window.pages["queries"]
    assert isinstance(queries, QueriesPage)
    for query in window.session.state.study.queries:
        queries.select(query.id)
        settle()
        faults[query.id] = page_faults(window, "queries")
        # Margins are of any length, prices too: a closed card gives way.
        assert queries.card(query.id)._closed.minimumSizeHint().width() < LEAST_CARD
        for place in range(3):
            assert_tab_shows_its_picture(queries, query.id, place)
    window.go_to("history")
    settle()
    history = window.pages["history"]
    assert isinstance(history, HistoryPage)
    spent = history.table.columnViewportPosition(SPENT) + history.table.columnWidth(SPENT)
    assert spent <= history.table.viewport().width(), "what was spent is on show"
    assert not any(faults.values()), faults


def test_what_says_something_else_has_not_moved(qtbot: QtBot) -> None:
    """The study was saved between two looks, and its mark is as wide as its words."""
    window = QWidget()
    qtbot.addWidget(window)
    first, second = Label("Saving…", parent=window), Label("Stays", parent=window)
    window.show()
    before = places(window)
    first.setText("All changes saved")
    first.move(10, 0)
    assert moved(before, window) == []
    second.move(10, 0)
    assert moved(before, window) == ["Stays has moved"]
