# SPDX-License-Identifier: Apache-2.0
"""A layout that is filled anew again and again keeps nothing of what it held."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLayoutItem, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.layouts.contents import empty


class Watched(FlowLayout):
    """Remembers what was taken out of it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.taken: list[QLayoutItem] = []

    def takeAt(self, index: int) -> QLayoutItem | None:
        item = super().takeAt(index)
        if item is not None:
            self.taken.append(item)
        return item


@pytest.fixture
def holder(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_items_that_are_taken_out_are_deleted(holder: QWidget) -> None:
    layout = Watched(holder)
    for text in ("one", "two"):
        layout.addWidget(QLabel(text))
    empty(layout)
    assert len(layout.taken) == 2
    assert not any(map(isValid, layout.taken))


def test_widgets_go_from_layouts_within_layouts_too(holder: QWidget) -> None:
    layout = QVBoxLayout(holder)
    for _ in range(20):
        layout.addWidget(QLabel("one"))
        layout.addStretch(1)
        inner = QHBoxLayout()
        inner.addWidget(QLabel("two"))
        layout.addLayout(inner)
        empty(layout)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert layout.count() == 0
        assert not holder.findChildren(QLabel)
        assert not isValid(inner)
