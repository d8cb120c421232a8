# SPDX-License-Identifier: Apache-2.0
"""Edges fade where there is more to scroll to, and only there."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.column_list import ColumnList
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.layouts.dialog_scroll import DialogScroll
from dpdesk.desk.widgets.layouts.fading_edges import FadingEdge, fade_edges
from tests.desk.screens import settle


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


def test_a_click_goes_through(qtbot: QtBot) -> None:
    area = area_of(qtbot, 600)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum() - 30)
    button = area.widget().findChild(QPushButton)
    at = area.findChildren(FadingEdge)[1].geometry().center()
    assert area.childAt(at) is not area.findChildren(FadingEdge)[1]
    assert button is not None


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
