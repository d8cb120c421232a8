# SPDX-License-Identifier: Apache-2.0
"""Lines of painted cells and heads, as far apart as those of a label of the same size."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.labels.spread_text import air


def line_step(size: Type, used: QFont) -> int:
    """Pixels from one line of a text to the next."""
    return ceil(QFontMetricsF(used).height()) + air(size, used)


def paint_lines(
    painter: QPainter,
    room: QRectF,
    lines: Sequence[str],
    size: Type,
    flags: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter,
) -> None:
    """Paint lines below each other in the painter's font, in the middle of a room's height.

    Args:
        painter: has the font and the colour.
        room: where they stand.
        lines: each is painted as it is.
        size: of the type table; says how far apart they are.
        flags: on which side they stand.
    """
    step = line_step(size, painter.font())
    high = painter.fontMetrics().height()
    left_over = room.height() - high - step * (len(lines) - 1)
    top = room.top() + left_over // 2
    side = flags & Qt.AlignmentFlag.AlignHorizontal_Mask
    for line in lines:
        place = QRectF(room.left(), top, room.width(), high)
        painter.drawText(place, int(side | Qt.AlignmentFlag.AlignVCenter), line)
        top += step
