# SPDX-License-Identifier: Apache-2.0
"""What a line of two releases says, in words and as numbers: both figures, their difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.text import words
from dpdesk.privacy.differences import Difference
from dpdesk.privacy.statistics.figures_text import Figure, fixed, rounding_digits

NOTHING = "–"


@dataclass(frozen=True)
class Shown:
    """One figure with its margin.

    Attributes:
        text, margin: as they are read; a dash and nothing where the figure says nothing.
        between: both ends of its margin, as they are read.
        value, width: the same as numbers; ``None`` where the figure says nothing.
    """

    text: str = NOTHING
    margin: str = ""
    between: tuple[str, str] = ("", "")
    value: float | None = None
    width: float = 0.0

    @property
    def whole(self) -> str:
        """Both in one line."""
        return f"{self.text} {self.margin}".strip()

    @property
    def ends(self) -> tuple[float, float] | None:
        """What the figure lies between, 95 times in 100."""
        return None if self.value is None else (self.value - self.width, self.value + self.width)


@dataclass(frozen=True)
class ComparedRow:
    """One line.

    Attributes:
        name: its groups.
        earlier, later, difference: the figures; a difference has its own margin.
        is_more: whether the difference is more than noise.
    """

    name: str
    earlier: Shown
    later: Shown
    difference: Shown
    is_more: bool

    @property
    def verdict(self) -> str:
        """What the difference says."""
        if self.difference.value is None:
            return QCoreApplication.translate("Comparison", "says nothing")
        if self.is_more:
            return QCoreApplication.translate("Comparison", "more than noise")
        return QCoreApplication.translate("Comparison", "cannot tell")

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        """The line of a plain table."""
        earlier, later, change = self.earlier.whole, self.later.whole, self.difference.whole
        return self.name, earlier, later, change, self.verdict


def compared_row(name: str, difference: Difference, times: int) -> ComparedRow:
    """A line as it is read.

    Args:
        name: its groups.
        difference: both figures and what lies between them.
        times: shares are read as percentages, their differences as percentage points.
    """
    behind = words.behind(words.PERCENT) if times > 1 else ""
    value = difference.value
    change = None if value is None else Figure(value, difference.margin)
    digits = _digits((difference.earlier, difference.later, change), times)
    return ComparedRow(
        name or QCoreApplication.translate("Comparison", "All"),
        _shown(difference.earlier, times, digits, behind),
        _shown(difference.later, times, digits, behind),
        _shown(change, times, digits, is_change=True),
        difference.is_more_than_noise,
    )


def heads() -> list[str]:
    """Of a plain table."""
    return [
        QCoreApplication.translate("Comparison", "Group"),
        QCoreApplication.translate("Comparison", "Earlier"),
        QCoreApplication.translate("Comparison", "Later"),
        QCoreApplication.translate("Comparison", "Difference"),
        QCoreApplication.translate("Comparison", "What it says"),
    ]


def _digits(figures: Sequence[Figure | None], times: int) -> int:
    """Decimals of a whole line: two digits of the widest margin, one at least of the narrowest."""
    own = [rounding_digits(times * one.half_width) for one in figures if one is not None]
    return max(min(own), max(own) - 1) if own else 0


def _shown(
    figure: Figure | None, times: int, digits: int, behind: str = "", is_change: bool = False
) -> Shown:
    """A figure and its margin, which is rounded up, to so many decimals."""
    if figure is None:
        return Shown()
    half_width = times * figure.half_width
    number = times * figure.value
    value, low, high = (
        words.in_column(fixed(round(one * 10**digits), digits))
        for one in (number, number - half_width, number + half_width)
    )
    margin = words.in_column(fixed(math.ceil(half_width * 10**digits), digits))
    sign = "+" if is_change and figure.value > 0 else ""
    text = f"{sign}{value}{behind}"
    return Shown(text, f"± {margin}", (low, high), float(number), float(half_width))
