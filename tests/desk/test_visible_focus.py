# SPDX-License-Identifier: Apache-2.0
"""Whoever uses the keyboard sees where it is, and gets on and back from everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QMargins, QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTextBrowser, QWidget

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import FieldFrame
from tests.desk.conftest import OpenWindow
from tests.desk.screens import describe, settle
from tests.desk.test_keyboard_and_names import PAGES, show_page

pytestmark = pytest.mark.painted

AROUND = QMargins(6, 6, 6, 6)
MOST = 400
CLEARLY = 40
"""So much of 255 another colour differs at least."""
LEAST_RING = 120
"""So many pixels has the smallest ring, a switch's; a text cursor has 20."""


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


def step(window: QWidget, key: Qt.Key) -> QWidget | None:
    """Where a key takes the keyboard; through all links of a text."""
    before = QApplication.focusWidget()
    for _ in range(MOST if isinstance(before, QTextBrowser) else 1):
        QTest.keyClick(QApplication.focusWidget() or window, key)
        if QApplication.focusWidget() is not before:
            break
    return QApplication.focusWidget()


def around(window: QWidget, key: Qt.Key, look: Callable[[QWidget], object] = bool) -> list[QWidget]:
    """Where the keyboard comes until it is back where it began; each stop is looked at."""
    first = QApplication.focusWidget()
    assert first is not None
    stops = [first]
    for _ in range(MOST):
        now = step(window, key)
        assert now is not None, f"nothing has the keyboard after {describe(stops[-1])}"
        look(now)
        if now is first:
            return stops
        assert now not in stops, f"it does not get away from {describe(now)}"
        stops.append(now)
    raise AssertionError("it never gets back")


def picture(window: QWidget, widget: QWidget) -> NDArray[np.int16]:
    """The window where a control is with its frame, and a little around it."""
    frame = widget.parentWidget()
    framed = frame if isinstance(frame, FieldFrame) else widget
    there = QRect(framed.mapTo(window, QPoint()), framed.size())
    image = window.grab(there.marginsAdded(AROUND)).toImage()
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8)
    return pixels.reshape(image.height(), image.width(), 4).astype(np.int16)


def is_seen(window: QWidget, widget: QWidget) -> bool:
    """Whether there is a ring where the control with the keyboard is: more than a text cursor."""
    with_it = picture(window, widget)
    widget.clearFocus()
    without = picture(window, widget)
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    differs = np.abs(with_it - without).max(axis=2) > CLEARLY
    return int(differs.sum()) >= LEAST_RING


@pytest.mark.in_turn(2)
def test_the_keyboard_goes_around_and_back(window: MainWindow) -> None:
    for key in PAGES:
        show_page(window, key)
        step(window, Qt.Key.Key_Tab)
        on = around(window, Qt.Key.Key_Tab)
        back = around(window, Qt.Key.Key_Backtab)
        again = [back[0], *reversed(back[1:])]
        assert [describe(w) for w in on] == [describe(w) for w in again], key


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.in_turn(2)
def test_where_the_keyboard_is_can_be_seen(window: MainWindow, themed: Theme, scheme: str) -> None:
    themed.apply(scheme)
    for key in PAGES:
        show_page(window, key)
        step(window, Qt.Key.Key_Tab)
        stops = around(window, Qt.Key.Key_Tab)
        unseen = []
        for _ in stops:
            at = QApplication.focusWidget()
            assert at is not None
            unseen += [] if is_seen(window, at) else [describe(at)]
            step(window, Qt.Key.Key_Tab)
        assert unseen == [], key


def test_tab_from_a_dialogs_buttons_scrolls_to_its_content(window: MainWindow) -> None:
    dialog = Dialog(window, "Many fields", "More than there is room for.")
    fields = [QLineEdit() for _ in range(60)]
    for field in fields:
        dialog.body.addWidget(field)
    safe = dialog.add_safe("Cancel")
    dialog.open()
    settle()
    fields[-1].setFocus(Qt.FocusReason.TabFocusReason)
    step(dialog, Qt.Key.Key_Backtab)
    assert fields[0].visibleRegion().isEmpty()
    safe.setFocus(Qt.FocusReason.TabFocusReason)
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Backtab):
        at = step(dialog, key)
        assert at is not None
        assert not at.visibleRegion().isEmpty()
    dialog.reject()
