# SPDX-License-Identifier: Apache-2.0
"""A menu or tooltip has round corners, as cards have, where what lies behind them is known."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.card import Card

CORNERS = "dpdesk.desk.theme.dialog_corners.NO_COMPOSITOR"


@pytest.fixture
def menu(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Callable[[QPoint], QMenu]:
    monkeypatch.setattr(CORNERS, (QApplication.platformName(),))
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 400)
    Card(parent=window).setGeometry(0, 0, 400, 400)
    window.show()
    made = QMenu(window)
    for word in ("Rename", "Duplicate", "Remove"):
        made.addAction(word)

    def opened(at: QPoint) -> QMenu:
        made.popup(window.mapToGlobal(at))
        return made

    return opened


def test_behind_the_corner_of_a_menu_lies_its_window(menu: Callable[[QPoint], QMenu]) -> None:
    shown = menu(QPoint(50, 50)).grab().toImage()
    assert shown.pixelColor(0, 0) == color(Role.SURFACE), "the card behind, not the line around it"
    assert shown.pixelColor(0, shown.height() // 2) == color(Role.CONTROL)


def test_a_menu_beyond_its_window_is_square(menu: Callable[[QPoint], QMenu]) -> None:
    shown = menu(QPoint(380, 50)).grab().toImage()
    assert shown.pixelColor(0, 0) == color(Role.CONTROL)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a tooltip has no window behind it")
def test_behind_the_corner_of_a_tooltip_lies_its_window(menu: Callable[[QPoint], QMenu]) -> None:
    window = menu(QPoint(50, 50)).parentWidget()
    assert isinstance(window, QWidget)
    QToolTip.showText(window.mapToGlobal(QPoint(150, 150)), "What it does", window)
    (tip,) = (
        one
        for one in QApplication.topLevelWidgets()
        if one.inherits("QTipLabel") and isinstance(one, QLabel) and one.isVisible()
    )
    shown = tip.grab().toImage()
    QToolTip.hideText()
    assert shown.pixelColor(0, 0) == color(Role.SURFACE), "the card behind, not the line around it"
    assert shown.pixelColor(0, shown.height() // 2) == color(Role.CONTROL)
    assert shown.pixelColor(2, shown.height() // 2) == color(Role.SURFACE)
