# SPDX-License-Identifier: Apache-2.0
"""Scroll areas cut no line of text through above after a jump."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLineEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.whole_lines import MOST, begin_between_lines
from tests.desk.screens import settle

LONG = "A sentence that needs several lines in so narrow an area as this one is. " * 3


def area_of(qtbot: QtBot, *parts: QWidget) -> QScrollArea:
    area, inner = QScrollArea(widgetResizable=True), QWidget()
    column = QVBoxLayout(inner)
    for part in parts:
        column.addWidget(part)
    area.setWidget(inner)
    qtbot.addWidget(area)
    area.resize(240, 400)
    area.show()
    settle()
    return area


def scrolled_to(qtbot: QtBot, at: int, keep: int) -> tuple[QScrollArea, list[QWidget]]:
    """An area of labels and fields in turn, scrolled to a place and from there between lines."""
    parts = [part for _place in range(6) for part in (quiet(LONG), QLineEdit("typed"))]
    area = area_of(qtbot, *parts)
    area.resize(240, 220)
    settle()
    area.verticalScrollBar().setValue(at)
    begin_between_lines(area, parts[keep])
    return area, parts


@pytest.mark.parametrize("off", range(0, 60, 6))
def test_no_line_is_cut_through_where_a_jump_ends(off: int, qtbot: QtBot) -> None:
    area, parts = scrolled_to(qtbot, 0, 7)
    kept = parts[7]
    asked = kept.y() + kept.height() + 8 - area.viewport().height() + off
    area.verticalScrollBar().setValue(asked)
    begin_between_lines(area, kept)
    at = area.verticalScrollBar().value()
    assert abs(at - asked) <= MOST
    assert at <= kept.y() and kept.geometry().bottom() <= at + area.viewport().height()
    for part in parts:
        if isinstance(part, QLineEdit):
            assert not part.y() < at < part.geometry().bottom()
            continue
        high = part.fontMetrics().lineSpacing()
        for line in range(part.height() // high):
            top = part.y() + line * high
            assert not top + 3 < at < top + high - 3


def test_what_shall_stay_on_show_comes_before_a_whole_line(qtbot: QtBot) -> None:
    area, _parts = scrolled_to(qtbot, 0, 0)
    kept = QWidget(minimumHeight=area.viewport().height() - 8)
    area.widget().layout().insertWidget(8, kept)
    settle()
    # The edge goes through a field, and all that has room is what shall stay.
    kept.parentWidget().layout().setSpacing(0)
    kept.setFixedHeight(area.viewport().height() - 8)
    settle()
    area.verticalScrollBar().setValue(kept.y() - 4)
    begin_between_lines(area, kept)
    at = area.verticalScrollBar().value()
    assert at <= kept.y() and kept.geometry().bottom() <= at + area.viewport().height()


def test_a_field_that_shall_stay_is_not_scrolled_away(qtbot: QtBot) -> None:
    area, parts = scrolled_to(qtbot, 0, 0)
    kept = parts[7]
    area.verticalScrollBar().setValue(kept.geometry().bottom() - 2)
    begin_between_lines(area, kept)
    assert area.verticalScrollBar().value() <= kept.y()


def test_where_nothing_is_scrolled_nothing_moves(qtbot: QtBot) -> None:
    area, _parts = scrolled_to(qtbot, 0, 1)
    assert area.verticalScrollBar().value() == 0
