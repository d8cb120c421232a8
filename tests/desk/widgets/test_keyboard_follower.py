# SPDX-License-Identifier: Apache-2.0
"""What is scrolled follows the keyboard, and stays where it is while the mouse is down."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.keyboard_follower import follow_keyboard
from tests.desk.screens import settle


def test_a_press_right_after_the_keyboard_has_moved_is_not_scrolled_away(
    qtbot: QtBot, qapp: QApplication
) -> None:
    follow_keyboard(qapp)
    area, inner = QScrollArea(widgetResizable=True), QWidget()
    column = QVBoxLayout(inner)
    buttons = [QPushButton(str(n)) for n in range(30)]
    for button in buttons:
        column.addWidget(button)
    area.setWidget(inner)
    qtbot.addWidget(area)
    area.resize(200, 150)
    area.show()
    area.activateWindow()
    buttons[0].setFocus()
    settle()
    pressed = []
    edge = area.viewport().height() - 2
    half = next(b for b in buttons if b.mapTo(area, b.rect().bottomLeft()).y() > edge)
    half.clicked.connect(lambda: pressed.append(1))
    at = QPoint(half.mapTo(area, half.rect().center()).x(), edge)
    buttons[29].setFocus()
    _mouse(QTest.mousePress, half, half.mapFrom(area, at))
    settle()
    _mouse(QTest.mouseRelease, half, half.mapFrom(area, at))
    settle()
    assert pressed == [1]


def test_a_dialogs_field_that_the_mouse_pressed_is_whole_when_it_lets_go(
    qtbot: QtBot, qapp: QApplication
) -> None:
    """Its lower half, with what is typed, lay below the foot."""
    follow_keyboard(qapp)
    dialog, area, inner = QDialog(), QScrollArea(widgetResizable=True), QWidget()
    QVBoxLayout(dialog).addWidget(area)
    column = QVBoxLayout(inner)
    fields = [LineField("Reason") for _ in range(9)]
    for field in fields:
        column.addWidget(field)
    area.setWidget(inner)
    qtbot.addWidget(dialog)
    dialog.resize(300, 300)
    dialog.show()
    dialog.activateWindow()
    fields[0].edit.setFocus()
    settle()
    edit, frame = fields[4].edit, fields[4].frame
    room, bar = area.viewport(), area.verticalScrollBar()
    bar.setValue(frame.mapTo(inner, frame.rect().center()).y() - room.height())
    before, at = bar.value(), edit.rect().topLeft() + QPoint(2, 2)
    _mouse(QTest.mousePress, edit, at)
    settle()
    assert edit.hasFocus() and bar.value() == before
    _mouse(QTest.mouseRelease, edit, at)
    settle()
    end = frame.mapTo(room, frame.rect().bottomLeft()).y()
    assert room.height() - 2 * Space.SMALL <= end < room.height(), "no further than it must"
    scrolled = bar.value()
    _mouse(QTest.mouseClick, edit, at)
    settle()
    assert bar.value() == scrolled, "what is whole stays"


def _mouse(does: Callable[..., None], button: QWidget, at: QPoint) -> None:
    does(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
