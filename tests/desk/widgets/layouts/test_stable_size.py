# SPDX-License-Identifier: Apache-2.0
"""What changes within a part lays out what is around it only where it needs other room."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.stable_size import StableSize
from tests.desk.event_counts import EventCount
from tests.desk.screens import settle


def test_a_text_of_the_same_height_lays_out_nothing_around_it(qtbot: QtBot) -> None:
    around, part = QWidget(), QWidget()
    qtbot.addWidget(around)
    label = quiet("Left: 0.42")
    QVBoxLayout(part).addWidget(label)
    column = QVBoxLayout(around)
    held = StableSize(part)
    column.addWidget(held)
    column.addStretch(1)
    around.resize(300, 400)
    around.show()
    settle()
    requests = EventCount(QEvent.Type.LayoutRequest, around)
    label.setText("Left: 0.43")
    settle()
    assert (requests.times, part.geometry()) == (0, held.rect())
    before = held.height()
    label.setText("Many words " * 20)
    settle()
    assert requests.times > 0
    assert held.height() >= before + 2 * label.fontMetrics().height()
    assert part.geometry() == held.rect()
    label.setText("Left: 0.44")
    settle()
    assert held.height() == before


class Stacking(QWidget):
    """A part that puts its second text below the first where it is narrow."""

    def __init__(self) -> None:
        super().__init__()
        self.second = quiet("Many words " * 20)
        self.second.hide()
        QVBoxLayout(self).addWidget(quiet("Left: 0.42"))
        self.layout().addWidget(self.second)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.second.setVisible(event.size().width() < 250)


def test_a_part_that_changes_as_it_becomes_narrow_gets_its_room(qtbot: QtBot) -> None:
    around, part = QWidget(), Stacking()
    qtbot.addWidget(around)
    column = QVBoxLayout(around)
    held = StableSize(part)
    column.addWidget(held)
    column.addStretch(1)
    around.resize(300, 600)
    around.show()
    settle()
    wide = held.height()
    around.resize(200, 600)
    settle()
    assert held.height() == held.heightForWidth(held.width()) > 2 * wide
    assert part.second.height() == part.second.heightForWidth(part.second.width())
