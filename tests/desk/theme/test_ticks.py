# SPDX-License-Identifier: Apache-2.0
"""The box of a line that can be ticked is seen on its ground, light and dark."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.roles import Role, color, set_dark
from dpdesk.desk.theme.style import DeskStyle

SIDE = 16


@pytest.fixture(params=[False, True], ids=["light", "dark"], autouse=True)
def scheme(request: pytest.FixtureRequest) -> Iterator[None]:
    set_dark(request.param)
    yield
    set_dark(False)


@pytest.mark.parametrize(
    ("state", "role"),
    [(QStyle.StateFlag.State_Off, Role.CONTROL), (QStyle.StateFlag.State_On, Role.ACCENT)],
)
def test_its_edge_has_the_colour_of_controls(
    state: QStyle.StateFlag, role: Role, qtbot: QtBot
) -> None:
    """Fusion darkens the ground for it: black on dark, of which nobody sees that it is a box."""
    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    image.fill(color(Role.SURFACE))
    option = QStyleOptionViewItem()
    option.rect, option.state = QRect(0, 0, SIDE, SIDE), QStyle.StateFlag.State_Enabled | state
    painter = QPainter(image)
    tick = QStyle.PrimitiveElement.PE_IndicatorItemViewItemCheck
    DeskStyle().drawPrimitive(tick, option, painter)
    painter.end()
    assert image.pixelColor(0, SIDE // 2) == color(role)
