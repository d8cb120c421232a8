# SPDX-License-Identifier: Apache-2.0
"""Scroll areas cut no line of text through above after a jump."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLineEdit, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.labels.spread_text import LINES
from dpdesk.desk.widgets.layouts.fading_edges import fading_above
from dpdesk.desk.widgets.layouts.whole_lines import MOST, begin_between_lines, lines_between
from dpdesk.desk.widgets.page import Page
from dpdesk.desk.widgets.tab_stop import bring_on_show, scroll_to_keyboard, show_down_to
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
    assert not is_cut(area, parts)


def is_cut(area: QScrollArea, parts: Sequence[QWidget]) -> bool:
    """Whether the upper edge goes through a field, or through a line of a label."""
    at = area.verticalScrollBar().value()
    for part in parts:
        top = part.mapTo(area.widget(), QPoint()).y()
        if isinstance(part, QLineEdit):
            if top < at < top + part.height() - 1:
                return True
            continue
        high, apart = part.fontMetrics().lineSpacing(), LINES[Type.QUIET]
        tops = (top + line * apart for line in range(1 + (part.height() - high) // apart))
        if any(one + 3 < at < one + high - 3 for one in tops):
            return True
    return False


def put_on(field: QWidget) -> None:
    field.setFocus()
    scroll_to_keyboard()


@pytest.mark.parametrize("jump", [put_on, bring_on_show, lambda field: show_down_to(field, field)])
def test_each_jump_ends_between_two_lines(jump: Callable[[QWidget], None], qtbot: QtBot) -> None:
    area, parts = scrolled_to(qtbot, 0, 0)
    fields = parts[5:-1:2]
    cut = []
    for field in fields:
        for high in range(200, 240, 5):
            area.resize(240, high)
            settle(1)
            area.verticalScrollBar().setValue(0)
            jump(field)
            cut.append(is_cut(area, parts))
    assert not any(cut), list(map(int, cut))


def test_a_page_that_comes_with_the_keyboard_further_down_begins_between_two_lines(
    qtbot: QtBot,
) -> None:
    page, field = Page("Columns", ""), QLineEdit("typed")
    page.first_to_do = lambda: field  # type: ignore[method-assign]
    parts = [quiet(LONG) for _place in range(6)]
    for part in (*parts, field, quiet(LONG), quiet(LONG)):
        page.body.addWidget(part)
    qtbot.addWidget(page)
    page.show()
    cut = []
    for high in range(300, 340, 5):
        page.resize(400, high)
        settle(1)
        page.scroll_area.verticalScrollBar().setValue(0)
        page.focus_first()
        settle()  # it scrolls once the page has its place
        assert page.scroll_area.verticalScrollBar().value() > 0
        cut.append(is_cut(page.scroll_area, parts))
    assert not any(cut), list(map(int, cut))


def test_lines_far_within_are_lines_and_those_of_an_area_are_its_own(qtbot: QtBot) -> None:
    inner, within = QScrollArea(), QWidget()
    QVBoxLayout(inner).addWidget(quiet(LONG))
    column = QVBoxLayout(within)
    column.addWidget(label := quiet(LONG))
    area = area_of(qtbot, inner, within)
    found = list(lines_between(area.widget(), 0, area.widget().height()))
    assert len(found) == (label.height() - 1) // LINES[Type.QUIET] + 1 > 1
    top = label.mapTo(area.widget(), QPoint()).y()
    assert top <= found[0][0] and found[-1][1] <= top + label.height()


def test_a_jump_ends_below_the_edge_that_fades_where_it_can(qtbot: QtBot) -> None:
    parts = [quiet("One line") for _place in range(30)]
    for part in parts:
        part.setContentsMargins(0, fading_above(), 0, fading_above())
    area = area_of(qtbot, *parts)
    area.resize(240, 220)
    settle()
    (first, last), *_ = lines_between(area.widget(), parts[9].y(), parts[9].geometry().bottom())
    area.verticalScrollBar().setValue((first + last) // 2)
    begin_between_lines(area, parts[14])
    lines = lines_between(area.widget(), 0, area.widget().height())
    assert area.verticalScrollBar().value() in {one - fading_above() for one, _end in lines}


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


@pytest.mark.parametrize("spacing", [6, 20])
def test_a_field_that_shall_stay_is_not_scrolled_away(spacing: int, qtbot: QtBot) -> None:
    area, parts = scrolled_to(qtbot, 0, 0)
    area.widget().layout().setSpacing(spacing)
    settle()
    kept = parts[7]
    area.verticalScrollBar().setValue(kept.geometry().bottom() - 2)
    begin_between_lines(area, kept)
    assert area.verticalScrollBar().value() <= kept.y()


def test_where_nothing_is_scrolled_nothing_moves(qtbot: QtBot) -> None:
    area, _parts = scrolled_to(qtbot, 0, 1)
    assert area.verticalScrollBar().value() == 0
