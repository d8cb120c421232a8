# SPDX-License-Identifier: Apache-2.0
"""Lines of cells are as far apart as those of labels, on the screen."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.widgets.labels.spread_lines import line_step, paint_lines
from dpdesk.desk.widgets.labels.spread_text import LINES, SpreadText

WIDTH, HEIGHT = 60, 80


def inked(image: QImage) -> list[int]:
    """The rows of pixels in which a line of letters begins."""
    rows = [
        any(image.pixelColor(x, y).lightness() < 128 for x in range(WIDTH)) for y in range(HEIGHT)
    ]
    return [y for y in range(1, HEIGHT) if rows[y] and not rows[y - 1]]


@pytest.mark.parametrize("size", [Type.TEXT, Type.QUIET])
@pytest.mark.usefixtures("qapp")
def test_lines_of_a_cell_are_painted_as_far_apart_as_those_of_a_label(size: Type) -> None:
    used = font(size)
    pictures = [QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32) for _ in range(2)]
    label = SpreadText(size)
    label.put("HHH\nHHH\nHHH", used, Qt.AlignmentFlag.AlignLeft)
    for picture in pictures:
        picture.fill(QColor("white"))
        painter = QPainter(picture)
        painter.setFont(used)
        if picture is pictures[0]:
            paint_lines(painter, QRectF(0, 0, WIDTH, HEIGHT), ["HHH"] * 3, size)
        else:
            label.paint(painter, picture.rect(), Qt.AlignmentFlag.AlignVCenter, QColor("black"))
        painter.end()
    cell, wide = (inked(picture) for picture in pictures)
    assert [b - a for a, b in pairwise(cell)] == [LINES[size]] * 2
    assert len(wide) == 3 and cell[2] - cell[0] == wide[2] - wide[0]
    assert line_step(size, used) == LINES[size]
