# SPDX-License-Identifier: Apache-2.0
"""A tooltip says names from files as they are, and covers nothing of what it explains."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QCursor, QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.tip_place import BESIDE
from dpdesk.desk.widgets.inputs.title_line import TitleLine

NAME = '<img src="file://elsewhere/share/a.png"><b>sex</b>'
"""Read as HTML it shows another name, and asks a computer on the network for a picture."""


@pytest.mark.threat("F9", "G12")
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS keeps its own style")
def test_a_name_that_looks_like_html_is_shown_as_it_is(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    QToolTip.showText(QPoint(1, 1), NAME, widget)
    tips = [one for one in QApplication.topLevelWidgets() if one.inherits("QTipLabel")]
    assert tips
    for tip in tips:
        assert isinstance(tip, QLabel)
        assert tip.text() == NAME
        assert tip.textFormat() == Qt.TextFormat.PlainText
    QToolTip.hideText()


def tip_over(control: QWidget, at: QPoint) -> QRect:
    """Where the tooltip stands once the pointer rests on a place of a control."""
    spot = control.mapToGlobal(at)
    QCursor.setPos(spot)
    QApplication.sendEvent(control, QHelpEvent(QEvent.Type.ToolTip, at, spot))
    (tip,) = (
        one
        for one in QApplication.topLevelWidgets()
        if one.inherits("QTipLabel") and one.isVisible()
    )
    return tip.geometry()


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS keeps its own style")
def test_a_tooltip_stands_below_its_control_or_above_and_never_over_it(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    screen = window.screen().availableGeometry()
    window.setGeometry(screen)
    end = screen.width() - 100
    places = {
        "below": QRect(20, 40, 100, 36),
        "above": QRect(end, screen.height() - 40, 100, 36),
        "right": QRect(20, 200, 80, 50),
        "left": QRect(end, 200, 100, 50),
    }
    buttons = {}
    for side, place in places.items():
        buttons[side] = QPushButton(side, window, toolTip="What it does")
        buttons[side].setGeometry(place)
        buttons[side].setProperty(BESIDE, side in ("right", "left"))
    with qtbot.waitExposed(window):
        window.show()
    for side, button in buttons.items():
        tips = [tip_over(button, at) for at in (QPoint(10, 10), button.rect().center())]
        place = places[side].translated(window.pos())
        assert tips[0] == tips[1], "it does not follow the pointer"
        assert screen.contains(tips[0]) and not tips[0].intersects(place)
        found = {
            "below": tips[0].top() > place.bottom(),
            "above": tips[0].bottom() < place.top(),
            "right": tips[0].left() > place.right(),
            "left": tips[0].right() < place.left(),
        }
        assert found[side]
    QToolTip.hideText()


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS keeps its own style")
def test_the_tooltip_of_a_pencil_covers_nothing_below_the_title(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(50, 50, 600, 200)
    line = TitleLine()
    line.setParent(window)
    line.show_title("Patients", "")
    line.setGeometry(20, 20, 500, 40)
    with qtbot.waitExposed(window):
        window.show()
    tip = tip_over(line.pencil, line.pencil.rect().center())
    below = QRect(line.mapToGlobal(QPoint(0, line.height())), QSize(500, 100))
    assert tip.center().y() < below.top() and tip.left() > line.pencil.mapToGlobal(QPoint()).x()
    QToolTip.hideText()
