# SPDX-License-Identifier: Apache-2.0
"""Where a scroll area begins, its lower edge cuts no line of text through."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.column_list import ColumnList
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.whole_lines import MOST, WholeLinesArea
from tests.desk.screens import settle

LONG = "A sentence that needs several lines in so narrow an area as this one is. " * 3


def area_of(qtbot: QtBot, *parts: QWidget) -> WholeLinesArea:
    area, inner = WholeLinesArea(), QWidget()
    column = QVBoxLayout(inner)
    for part in parts:
        column.addWidget(part)
    area.setWidget(inner)
    qtbot.addWidget(area)
    area.resize(240, 400)
    area.show()
    settle()
    return area


@pytest.mark.parametrize("height", [90, 97, 104, 111])
def test_no_line_is_cut_through_where_it_begins(height: int, qtbot: QtBot) -> None:
    labels = [quiet(LONG) for _place in range(3)]
    area = area_of(qtbot, *labels)
    area.resize(240, height)
    settle()
    end, found = area.viewport().height(), 0
    assert height - MOST <= end <= height
    for label in labels:
        high = label.fontMetrics().lineSpacing()
        top = label.mapTo(area.viewport(), QPoint()).y()
        for line in range(label.height() // high):
            found += 1
            assert not top + line * high + 2 < end < top + (line + 1) * high - 2
    assert found > height // high, "there are more lines than have room"


def test_what_has_room_has_all_of_it(qtbot: QtBot) -> None:
    area = area_of(qtbot, Label("One"), QLineEdit("two"))
    assert area.viewport().height() == 400
    area.widget().layout().addWidget(QWidget(minimumHeight=900))
    settle()
    assert area.viewport().height() == 400, "no text is cut"


@pytest.mark.parametrize("height", range(120, 170, 7))
def test_the_list_of_columns_begins_so_that_no_name_is_cut(height: int, qtbot: QtBot) -> None:
    shown = ColumnList()
    qtbot.addWidget(shown)
    shown.resize(236, height)
    shown.show()
    shown.show_columns(tuple(f"column_{place}" for place in range(9)), "column_0", DeskState())
    settle()
    end = shown.viewport().height()
    assert height - MOST <= end <= height
    for name in shown.names:
        item = shown.item(name)
        for top, bottom in item.painted_lines():
            assert not item.y() + top < end < item.y() + bottom
