# SPDX-License-Identifier: Apache-2.0
"""Edges fade where there is more to scroll to, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.column_list import ColumnList
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.layouts.dialog_scroll import DialogScroll
from dpdesk.desk.widgets.layouts.fading_edges import FadingEdge, edge_below, fade_edges
from tests.desk.conftest import OpenWindow
from tests.desk.screens import describe, settle


def area_of(qtbot: QtBot, height: int) -> QScrollArea:
    area = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
    fade_edges(area, Role.BG)
    inner = QWidget(minimumHeight=height)
    column = QVBoxLayout(inner)
    column.addStretch(1)
    column.addWidget(QPushButton("Last"))
    area.setWidget(inner)
    qtbot.addWidget(area)
    area.resize(240, 200)
    area.show()
    settle()
    return area


def shown(area: QScrollArea) -> list[bool]:
    return [edge.isVisible() for edge in area.findChildren(FadingEdge)]


def test_an_edge_fades_where_it_goes_on(qtbot: QtBot) -> None:
    area = area_of(qtbot, 600)
    bar = area.verticalScrollBar()
    assert shown(area) == [False, True]
    bar.setValue(100)
    assert shown(area) == [True, True]
    bar.setValue(bar.maximum())
    assert shown(area) == [True, False]
    upper = area.findChildren(FadingEdge)[0]
    assert upper.y() == 0 and upper.width() == area.viewport().width()
    bar.setValue(0)
    area.resize(300, 120)
    settle()
    lower = area.findChildren(FadingEdge)[1]
    assert lower.geometry().bottom() == area.viewport().geometry().bottom()


def test_what_has_room_does_not_fade(qtbot: QtBot) -> None:
    area = area_of(qtbot, 100)
    assert shown(area) == [False, False]
    area.resize(240, 60)
    settle()
    assert shown(area) == [False, True]


@pytest.mark.parametrize("height", [120, 141])
def test_the_list_of_columns_runs_to_its_edge_and_fades(height: int, qtbot: QtBot) -> None:
    columns = ColumnList()
    qtbot.addWidget(columns)
    columns.resize(236, height)
    columns.show()
    columns.show_columns(tuple(f"column_{place}" for place in range(9)), "column_0", DeskState())
    settle()
    assert columns.viewport().height() == height and shown(columns) == [False, True]


def test_what_scrolls_in_a_dialog_fades_too(qtbot: QtBot) -> None:
    scroll = DialogScroll()
    scroll.setWidget(QWidget(minimumHeight=600))
    qtbot.addWidget(scroll)
    scroll.resize(300, 200)
    scroll.show()
    settle()
    assert shown(scroll) == [False, True] and scroll.below.isVisible()


def test_every_area_of_the_window_and_the_handbook_fade(
    open_window: OpenWindow, study_file: Path
) -> None:
    """One that does not ends within a line of text, as if it were cut off."""
    window = open_window(study_file)
    for key in window.pages:
        window.go_to(key)
        settle()
    areas = window.findChildren(QScrollArea)
    assert len(areas) > len(window.pages)
    hard = [
        one for one in [*areas, window.handbook.open_page("keyboard").view] if edge_below(one) == 0
    ]
    assert [describe(one) for one in hard] == []


def test_an_edge_takes_a_quarter_of_a_low_area_at_most(qtbot: QtBot) -> None:
    area = area_of(qtbot, 600)
    area.resize(240, 40)
    settle()
    assert area.findChildren(FadingEdge)[1].height() == 10


def test_an_edge_is_no_higher_than_what_lies_behind_it(qtbot: QtBot) -> None:
    area = area_of(qtbot, 600)
    bar = area.verticalScrollBar()
    for behind in (2, 5):
        bar.setValue(bar.maximum() - behind)
        assert area.findChildren(FadingEdge)[1].height() == behind


def test_an_edge_follows_what_becomes_longer(qtbot: QtBot) -> None:
    area = area_of(qtbot, 100)
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # as beside a form
    settle()
    area.widget().setMinimumHeight(600)
    settle()
    assert shown(area) == [False, True]


def test_an_edge_is_as_wide_as_the_area(qtbot: QtBot) -> None:
    area = area_of(qtbot, 600)
    area.resize(300, 200)
    settle()
    assert area.findChildren(FadingEdge)[1].width() == area.viewport().width() > 240


def test_what_lies_behind_an_edge_shows_through_it_less_and_less(qtbot: QtBot) -> None:
    area = area_of(qtbot, 600)
    area.widget().setStyleSheet("background: #ff0000")
    area.verticalScrollBar().setValue(100)
    settle()
    picture = area.grab().toImage()
    ratio = picture.devicePixelRatio()
    upper, lower = (edge.geometry() for edge in area.findChildren(FadingEdge))

    def greens(*places: int) -> list[int]:
        return [picture.pixelColor(9, round(y * ratio)).green() for y in places]

    seen = greens(lower.top() - 1, lower.top() + 1, lower.center().y(), lower.bottom())
    assert seen == sorted(set(seen)) and seen[1] < 60
    seen = greens(upper.bottom() + 1, upper.bottom(), upper.center().y(), upper.top())
    assert seen == sorted(set(seen)) and seen[1] < 60


def test_a_column_that_the_keyboard_comes_to_is_above_the_edge(qtbot: QtBot) -> None:
    columns = ColumnList()
    qtbot.addWidget(columns)
    columns.resize(236, 141)
    columns.show()
    names = tuple(f"column_{place}" for place in range(9))
    columns.show_columns(names, names[0], DeskState())
    settle()
    edge = columns.findChildren(FadingEdge)[1]

    def is_above(name: str) -> bool:
        item = columns.item(name)
        end = item.mapTo(columns, item.rect().bottomLeft()).y()
        return edge.isVisible() and end < edge.y()

    columns.show_columns(names, names[4], DeskState())
    assert is_above(names[4])
    columns.item(names[4]).setFocus()
    columns.step(1, Qt.KeyboardModifier.ControlModifier)
    assert is_above(names[5]), "also where it is not chosen"


def test_a_click_goes_through(qtbot: QtBot) -> None:
    area = area_of(qtbot, 600)
    bar = area.verticalScrollBar()
    button = area.widget().findChild(QPushButton)
    bar.setValue(bar.maximum() - 12)
    edge = area.findChildren(FadingEdge)[1]
    assert edge.isVisible() and area.childAt(edge.geometry().center()) is button


def test_it_ends_in_the_ground_of_either_look(qtbot: QtBot, themed: Theme) -> None:
    for scheme in ("light", "dark"):
        themed.apply(scheme)
        area = area_of(qtbot, 600)
        picture = area.grab().toImage()
        ratio = picture.devicePixelRatio()
        lowest = picture.pixelColor(round(10 * ratio), picture.height() - 1)
        ground = color(Role.BG)
        for one, other in zip(lowest.getRgb()[:3], ground.getRgb()[:3], strict=True):
            assert abs(one - other) <= 6
        assert area.findChildren(FadingEdge)[1].testAttribute(
            Qt.WidgetAttribute.WA_TransparentForMouseEvents
        )
