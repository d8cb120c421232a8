# SPDX-License-Identifier: Apache-2.0
"""What a layout holds is read in its order, and nothing of the layout is kept by that."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6.Shiboken import getAllValidWrappers

from dpdesk.desk.widgets.buttons import primary, secondary
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.desk.widgets.tab_stop import order_tab_stops, read_as_laid_out
from tests.desk.screens import settle


def known_items() -> int:
    """How many items of layouts Python has wrapped."""
    items = [one for one in getAllValidWrappers() if isinstance(one, QLayoutItem)]
    return sum(not isinstance(one, QLayout) for one in items)


def test_widgets_are_read_in_the_order_of_their_layouts(qtbot: QtBot) -> None:
    top = QWidget()
    qtbot.addWidget(top)
    third, first, second, beside = [QPushButton(text, top) for text in ("3", "1", "2", "beside")]
    row = QHBoxLayout()
    column = QVBoxLayout(top)
    column.addWidget(first)
    column.addLayout(row)
    column.addWidget(third)
    row.addWidget(second)
    order_tab_stops(top)
    read_as_laid_out(top)
    assert first.nextInFocusChain() is second and second.nextInFocusChain() is third
    assert [one for one in top.children() if isinstance(one, QPushButton)] == [
        *(first, second, third, beside)
    ]


def test_no_item_of_a_layout_is_known_after_that(qtbot: QtBot) -> None:
    """A plot's tools go into the head of its card: Qt deletes their item, unseen by Python.

    What came to lie at its address was taken for it.
    """
    top = QWidget()
    qtbot.addWidget(top)
    grid = QGridLayout(top)
    for row in range(3):
        grid.addWidget(QPushButton(str(row)), row, 0)
    before = known_items()
    order_tab_stops(top)
    read_as_laid_out(top)
    assert known_items() == before


def test_no_item_of_a_row_is_known_once_it_was_laid_out(qtbot: QtBot) -> None:
    """Rows leave room for the rings of their controls, and ask for them at every layout."""
    top = QWidget()
    qtbot.addWidget(top)
    row = AlignedRow(top)
    before = known_items()
    row.addWidget(secondary("Not now"))
    row.addStretch(1)
    row.addWidget(primary("Continue"))
    top.show()
    top.resize(500, 40)
    settle()
    assert known_items() == before
