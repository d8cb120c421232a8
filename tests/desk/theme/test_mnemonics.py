# SPDX-License-Identifier: Apache-2.0
"""Letters are underlined while Alt is down, and one that reaches nothing is not typed.

That no page or dialog has one twice, ``tests/desk/test_mnemonics.py`` looks at.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.mnemonics import follow_alt
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField


@pytest.fixture
def dialog(qtbot: QtBot) -> Dialog:
    made = Dialog(None, "Spend 0.40 of 1.00?", "This happens once.")
    qtbot.addWidget(made)
    made.field = LineField("&Reason")
    made.body.addWidget(made.field)
    made.safe = made.add_safe("Cancel")
    with qtbot.waitActive(made):
        made.open()
        made.activateWindow()
    return made


def press(dialog: Dialog, letter: Qt.Key) -> None:
    """As the window system tells it: Qt then knows that Alt is down."""
    alt = Qt.KeyboardModifier.AltModifier
    QTest.keyPress(dialog.windowHandle(), Qt.Key.Key_Alt, alt)
    QTest.keyClick(dialog.windowHandle(), letter, alt)
    QTest.keyRelease(dialog.windowHandle(), Qt.Key.Key_Alt)


def test_a_letter_that_reaches_nothing_is_not_typed(dialog: Dialog) -> None:
    dialog.field.edit.setFocus()
    press(dialog, Qt.Key.Key_X)
    assert dialog.field.text == ""


def test_the_letter_of_a_field_goes_to_it(dialog: Dialog) -> None:
    dialog.safe.setFocus()
    press(dialog, Qt.Key.Key_R)
    assert dialog.focusWidget() is dialog.field.edit


def test_letters_are_underlined_while_alt_is_down(qapp: QApplication, dialog: Dialog) -> None:
    follow_alt(qapp)
    label = dialog.field._label
    before = label.grab().toImage()
    assert not underlines(dialog)
    send(dialog, QEvent.Type.KeyPress)
    assert underlines(dialog) and label.grab().toImage() != before
    send(dialog, QEvent.Type.KeyRelease)
    assert not underlines(dialog) and label.grab().toImage() == before


def send(dialog: Dialog, kind: QEvent.Type) -> None:
    """Alt goes down or up, as the window system tells the window."""
    event = QKeyEvent(kind, Qt.Key.Key_Alt, Qt.KeyboardModifier.NoModifier)
    QCoreApplication.sendEvent(dialog.windowHandle(), event)
    QApplication.processEvents()


def underlines(dialog: Dialog) -> bool:
    return bool(dialog.style().styleHint(QStyle.StyleHint.SH_UnderlineShortcut))
