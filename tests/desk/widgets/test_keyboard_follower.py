# SPDX-License-Identifier: Apache-2.0
"""What is scrolled follows the keyboard, and stays where it is while the mouse is down."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

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


def _mouse(does: Callable[..., None], button: QWidget, at: QPoint) -> None:
    does(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
