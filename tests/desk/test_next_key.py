# SPDX-License-Identifier: Apache-2.0
"""One key goes on from every page, wherever the keyboard is; it never spends."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.pressing import key_text
from tests.desk.conftest import OpenWindow
from tests.desk.languages import spoken_language
from tests.desk.screens import settle

CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


def press_next(window: MainWindow) -> None:
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Return, CTRL)
    settle()


def test_it_leads_from_the_data_to_the_release(window: MainWindow) -> None:
    window.go_to("data")
    settle()
    visited = [window.page]
    for _ in range(4):
        press_next(window)
        visited.append(window.page)
    assert visited == ["data", "people", "columns", "queries", "release"]
    for page in ("queries", "columns", "people", "data"):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Left, ALT)
        settle()
        assert window.page == page


def test_it_goes_on_from_within_a_field(window: MainWindow) -> None:
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    page.card(page.selected).accuracy.share.edit.setFocus()
    press_next(window)
    assert window.page == "release"


def test_a_query_is_added_by_key(window: MainWindow) -> None:
    window.go_to("queries")
    settle()
    before = len(window.session.state.study.queries)
    shift = CTRL | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_A, shift)
    settle()
    assert len(window.session.state.study.queries) == before + 1


def test_it_presses_nothing_behind_a_dialog_or_what_cannot_be_pressed(window: MainWindow) -> None:
    window.go_to("people")
    settle()
    footer = window.pages["people"].footer
    assert footer.primary is not None
    footer.primary.setEnabled(False)
    # The button with the keyboard is not what is meant.
    footer.back.setFocus()
    press_next(window)
    assert window.page == "people"
    footer.primary.setEnabled(True)
    dialog = Dialog(window, "Spend?", "Once.")
    spend = dialog.add_danger("Spend")
    dialog.open()
    spend.setFocus()
    press_next(window)
    assert dialog.isVisible() and window.page == "people"
    dialog.reject()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
@pytest.mark.parametrize("is_danger", [False, True])
def test_return_goes_through_a_dialog_and_never_spends(
    window: MainWindow, key: Qt.Key, is_danger: bool
) -> None:
    dialog = Dialog(window, "Reserve?", "Twice.")
    name, kind, hidden, off, number = (
        LineField("Name"),
        ChoiceField("Every"),
        LineField("Hidden"),
        LineField("Off"),
        LineField("Number"),
    )
    for field in (name, kind, hidden, off, number):
        dialog.body.addWidget(field)
    hidden.hide()
    off.edit.setEnabled(False)
    dialog.add_safe("Cancel")
    accepting = dialog.add_danger("Spend") if is_danger else dialog.add_primary("Use")
    closed: list[int] = []
    dialog.finished.connect(closed.append)
    pressed: list[bool] = []
    accepting.clicked.disconnect()
    accepting.clicked.connect(lambda: pressed.append(True))
    dialog.open()
    settle()
    assert dialog.focusWidget() is name.edit
    QTest.keyClick(name.edit, key)
    assert dialog.focusWidget() is number.edit and not pressed
    QTest.keyClick(number.edit, key)
    kind.combo.setFocus()
    QTest.keyClick(kind.combo, key)
    assert dialog.focusWidget() is number.edit
    QTest.keyClick(number.edit, key, CTRL)
    assert len(pressed) == (0 if is_danger else 2)
    assert dialog.focusWidget() is (accepting if is_danger else number.edit)
    QTest.keyClick(dialog.focusWidget(), key)
    assert len(pressed) == (0 if is_danger else 3)
    if not is_danger:
        accepting.setEnabled(False)
        QTest.keyClick(number.edit, key)
        accepting.setEnabled(True)
        accepting.hide()
        QTest.keyClick(number.edit, key)
        assert (len(pressed), closed) == (3, []), "what cannot be pressed is not"
        QTest.keyClick(number.edit, key, CTRL)
        assert closed, "Cancel is the last one on show"
    else:
        dialog.reject()


@pytest.mark.in_turn(2)
def test_the_button_shows_its_key(window: MainWindow) -> None:
    for page in ("data", "people", "columns", "queries", "release", "history"):
        window.go_to(page)
        primary = window.pages[page].footer.primary
        assert primary is not None, page
        named = primary.text().rstrip("…")
        assert named and primary.toolTip() == f"{named} (Ctrl+Enter)", "a key alone says nothing"


def test_the_tooltip_of_a_key_follows_the_button_and_speaks_as_keyboards_do(
    window: MainWindow, qapp: QApplication
) -> None:
    footer = window.pages["people"].footer
    assert footer.back.toolTip() == "Back (Alt+Left)"
    assert footer.primary is not None
    footer.primary.setText("Release 27 figures for 0.40…")
    assert footer.primary.toolTip() == "Release 27 figures for 0.40 (Ctrl+Enter)"
    with spoken_language(qapp, "de"):
        assert key_text(QKeySequence("Ctrl+Return")) == "Strg+Eingabe"
        assert key_text(QKeySequence("Alt+Left")) == "Alt+Pfeil links"
        assert key_text(QKeySequence("Ctrl+Shift+A")) == "Strg+Umschalt+A"


def test_what_takes_no_keyboard_is_scrolled_to_from_the_foot(window: MainWindow) -> None:
    """The last part of Release has nothing to stop at: Tab alone never shows it."""
    window.resize(1024, 700)
    window.go_to("release")
    settle()
    page = window.pages["release"]
    bar = page.scroll_area.verticalScrollBar()
    page.footer.back.setFocus()
    assert bar.maximum() > 0 and bar.value() == 0
    for _ in range(20):
        QTest.keyClick(page.footer.back, Qt.Key.Key_PageDown)
    assert bar.value() == bar.maximum()
    for _ in range(20):
        QTest.keyClick(page.footer.back, Qt.Key.Key_PageUp)
    assert bar.value() == 0
