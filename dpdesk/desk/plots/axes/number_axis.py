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
        behind: what is behind each number, such as a percent sign.
        unit: of distances to either side of a zero: it is there, and those above it have a
            plus. ``None`` for other numbers.
    """

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self.behind = ""
        self.unit: str | None = None
        self._values: dict[str, float] = {}
        """The numbers of the texts that were made for the picture."""
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
        self._values = {}
        found = super().generateDrawSpecs(painter)
        if found is None:
            return None
        line, ticks, texts = found
        seen = [tick for tick in ticks if tick[1] != tick[2]]
        return line, seen, self._alike(texts)

    def _alike(self, texts: Sequence[tuple[Any, Any, str]]) -> list[tuple[Any, Any, str]]:
        """With as many decimals each: coarser ticks need fewer than those between them."""
        values = {text: self._values[text] for _, _, text in texts if text in self._values}
        places = max((_decimals(value) for value in values.values()), default=0)
        same = {t: self._said(v, tick(v, places, fixed=v != 0)) for t, v in values.items()}
        return [(room, flags, same.get(text, text)) for room, flags, text in texts]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """As many decimals as the ticks' distance needs."""
        places = max(0, ceil(-log10(spacing * scale))) if spacing * scale > 0 else 0
        rounded = [_rounded(value * scale, min(places, MOST_DECIMALS)) for value in values]
        texts = [self._said(float(value), words.in_column(plain(value))) for value in rounded]
        self._values.update(zip(texts, map(float, rounded), strict=True))
        return texts

    def _said(self, value: float, text: str) -> str:
        """A tick with its unit or sign."""
        return text + self.behind if self.unit is None else distance(value, text, self.unit)


def tick(value: float, places: int, fixed: bool = False) -> str:
    """One tick, rounded to this many decimals; with no zeros behind the others unless fixed."""
    found = _rounded(value, places)
    return words.in_column(f"{found:f}" if fixed else plain(found))


def _rounded(value: float, places: int) -> Decimal:
    return Decimal(round(Fraction(value) * 10**places)).scaleb(-places)


def _decimals(value: float) -> int:
    """This many decimals a rounded tick needs."""
    return len(plain(Decimal(repr(value))).partition(".")[2])


def distance(value: float, text: str, unit: str) -> str:
    """A tick to either side of a zero, which has the unit; what is above it has a plus."""
    if value == 0:
        return f"{text} {unit}".strip()
    return f"+{text}" if value > 0 else text
