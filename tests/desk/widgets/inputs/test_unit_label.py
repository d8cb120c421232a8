# SPDX-License-Identifier: Apache-2.0
"""A unit stands on the line of its number, whatever the size of the letters."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.widgets.inputs.field import LineField
from tests.desk.screens import settle

DARK = 150


@pytest.mark.parametrize("size", [Type.QUIET, Type.TEXT, Type.CARD, Type.HEADING])
def test_a_unit_stands_on_the_line_of_its_number(qtbot: QtBot, size: Type) -> None:
    field = LineField("Total", unit="1.00")
    qtbot.addWidget(field)
    field.set_text("1.00")
    field.edit.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its cursor would be ink, too
    for part in (field.edit, field._unit):
        part.setFont(font(size))
    field.resize(200, 80)
    field.show()
    settle()
    assert ink(field, field.edit) == ink(field, field._unit)


def ink(field: LineField, part: QWidget) -> list[int]:
    """On which rows of the field a part has letters."""
    image, place = field.grab().toImage(), part.mapTo(field, QPoint(0, 0))
    rows = range(place.y(), place.y() + part.height())
    across = range(place.x() + 2, place.x() + min(part.width(), 50))
    return [y for y in rows if any(image.pixelColor(x, y).lightness() < DARK for x in across)]
