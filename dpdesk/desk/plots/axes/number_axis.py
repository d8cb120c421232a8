# SPDX-License-Identifier: Apache-2.0
"""An axis that writes numbers as tables and sentences beside it do."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, log10
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from dpdesk.desk.text import words
from dpdesk.study.text.number_text import plain

MOST_DECIMALS = 12


class NumberAxis(pg.AxisItem):
    """Ticks with the language's marks, a true minus sign and no exponents.

    Attributes:
        behind: what stands behind each number, such as a percent sign.
        unit: of distances to either side of a zero: it stands there, and those above it have a
            plus. ``None`` for other numbers.
    """

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.behind = ""
        self.unit: str | None = None
        self.enableAutoSIPrefix(False)

    def boundingRect(self) -> QRectF:
        """With a grid, too, as far past the axis as its style lets labels reach."""
        rect_f: QRectF = super().boundingRect()
        past = self.style["hideOverlappingLabels"]
        if self.grid is False or isinstance(past, bool):
            return rect_f
        is_upright = self.orientation in ("left", "right")
        across, down = (0, past) if is_upright else (past, 0)
        return rect_f.adjusted(-across, -down, across, down)

    def generateDrawSpecs(self, painter: QPainter) -> Any:
        """Without the ticks of no length, which would stand as dots on the axis."""
        found = super().generateDrawSpecs(painter)
        if found is None:
            return None
        line, ticks, texts = found
        return line, [tick for tick in ticks if tick[1] != tick[2]], texts

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """As many decimals as the ticks' distance needs."""
        places = max(0, ceil(-log10(spacing * scale))) if spacing * scale > 0 else 0
        texts = [tick(value * scale, min(places, MOST_DECIMALS)) for value in values]
        if self.unit is not None:
            pairs = zip(values, texts, strict=True)
            return [distance(value, text, self.unit) for value, text in pairs]
        return [text + self.behind for text in texts]


def tick(value: float, places: int) -> str:
    """One tick, rounded to so many decimals."""
    whole = round(Fraction(value) * 10**places)
    return words.in_column(plain(Decimal(whole).scaleb(-places)))


def distance(value: float, text: str, unit: str) -> str:
    """A tick to either side of a zero, which has the unit; what is above it has a plus."""
    if value == 0:
        return f"{text} {unit}".strip()
    return f"+{text}" if value > 0 else text
