# SPDX-License-Identifier: Apache-2.0
"""What a line of two releases says, in words and as numbers: both figures, their difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.privacy.planning.differences import Difference
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.statistics.figures_text import Figure, fixed, range_texts, rounding_digits

NOTHING = "–"


@dataclass(frozen=True)
class Shown:
    """One figure with its margin.

    Attributes:
        text, margin: as they are read; a dash and nothing where the figure says nothing.
        value, width: the same as numbers; ``None`` where the figure says nothing.
        rounded_ends: both ends of its margin, in units of its last decimal.
        digits: its decimals.
    """

    text: str = NOTHING
    margin: str = ""
    value: float | None = None
    width: float = 0.0
    rounded_ends: tuple[int, int] = (0, 0)
    digits: int = 0

    @property
    def between(self) -> tuple[str, str]:
        """Both ends of its margin, as they are read; a chart of few lines asks for them."""
        if self.value is None:
            return "", ""
        low, high = (words.in_column(fixed(end, self.digits)) for end in self.rounded_ends)
        return low, high

    @property
    def whole(self) -> str:
        return f"{self.text} {self.margin}".strip()

    def accessible_text(self, unit: str, margin_unit: str) -> str:
        if self.value is None:
            return tr("Comparison", "says nothing")
        first = self.text if unit == margin_unit else f"{self.text} {unit}".rstrip()
        return f"{first} {self.margin} {margin_unit}".rstrip()

    @property
    def ends(self) -> tuple[float, float] | None:
        """What the figure is between, 95 times in 100."""
        return None if self.value is None else (self.value - self.width, self.value + self.width)


@dataclass(frozen=True)
class ComparedRow:
    """One line.

    Attributes:
        name: its groups.
        earlier, later, difference: the figures; a difference has its own margin.
        is_more: whether the difference is more than noise.
        population: the two ends for the difference of both populations, as they are read.
    """

    name: str
    earlier: Shown
    later: Shown
    difference: Shown
    is_more: bool
    population: str = ""

    @property
    def verdict(self) -> str:
        if self.difference.value is None:
            return tr("Comparison", "says nothing")
        if self.is_more:
            return tr("Comparison", "more than noise")
        return tr("Comparison", "cannot tell")

    @property
    def cells(self) -> tuple[str, str, str, str, str]:
        earlier, later, change = self.earlier.whole, self.later.whole, self.difference.whole
        return self.name, earlier, later, change, self.verdict

    def accessible_cells(self, unit: str, margin_unit: str) -> tuple[str, str, str, str, str]:
        """The line as it is read out: each figure with what it counts, which is seen above it.

        Args:
            unit: of the figures; empty where it is behind each, as a percent sign does.
            margin_unit: of margins and differences.
        """
        earlier = self.earlier.accessible_text(unit, margin_unit)
        later = self.later.accessible_text(unit, margin_unit)
        change = self.difference.accessible_text(margin_unit, margin_unit)
        return self.name, earlier, later, change, self.verdict

    def with_population(self, cells: tuple[str, ...], unit: str = "") -> tuple[str, ...]:
        """A line's cells with its interval for the population before what it says."""
        *figures, verdict = cells
        shown = f"{self.population} {unit}".rstrip() if self.population else NOTHING
        return (*figures, shown, verdict)


def compared_row(
    name: str, difference: Difference, times: int, population: Ends | None = None
) -> ComparedRow:
    """A line as it is read.

    Args:
        name: its groups.
        difference: both figures and what is between them.
        times: shares are read as percentages, their differences as percentage points.
        population: the two ends for the difference of both populations.
    """
    behind = words.behind(words.PERCENT) if times > 1 else ""
    value = difference.value
    change = None if value is None else Figure(value, difference.margin)
    digits = _digits((difference.earlier, difference.later, change), times)
    return ComparedRow(
        name or tr("Comparison", "All"),
        _shown(difference.earlier, times, digits, behind),
        _shown(difference.later, times, digits, behind),
        _shown(change, times, digits, is_change=True),
        difference.is_more_than_noise,
        "" if population is None else _between(population, times),
    )


def _between(ends: Ends, times: int) -> str:
    low, high = (times * end for end in ends)
    texts = (words.localised(text) for text in range_texts((low, high)))
    return tr("Comparison", "between {0} and {1}").format(*texts)


def heads(has_population: bool = False) -> list[str]:
    return [
        tr("Comparison", "Group"),
        tr("Comparison", "Earlier"),
        tr("Comparison", "Later"),
        tr("Comparison", "Difference"),
        *([tr("Comparison", "For the population")] if has_population else []),
        tr("Comparison", "What it says"),
    ]


def _digits(figures: Sequence[Figure | None], times: int) -> int:
    """Decimals of a whole line: two digits of the widest margin, one at least of the narrowest."""
    own = [_own_digits(one.half_width, times) for one in figures if one is not None]
    return max(min(own), max(own) - 1) if own else 0


@lru_cache(maxsize=256)
def _own_digits(half_width: Fraction, times: int) -> int:
    """Of a margin, which is often that of all lines."""
    return rounding_digits(times * half_width)


def _shown(
    figure: Figure | None, times: int, digits: int, behind: str = "", is_change: bool = False
) -> Shown:
    """A figure and its margin, which is rounded up, to this many decimals.

    In whole numbers: a comparison of 50 questions has 35,000 lines, and a product of fractions
    takes as long as all of a figure's text.
    """
    if figure is None:
        return Shown()
    units = 10**digits
    value, over = figure.value.numerator * times, figure.value.denominator
    width, under = figure.half_width.numerator * times, figure.half_width.denominator
    text = words.in_column(fixed(_rounded(value * units, over), digits))
    margin = words.in_column(fixed(-(-width * units // under), digits))
    low, high = (
        _rounded((value * under + side * width * over) * units, over * under) for side in (-1, 1)
    )
    sign = "+" if is_change and value > 0 else ""
    return Shown(
        f"{sign}{text}{behind}", f"± {margin}", value / over, width / under, (low, high), digits
    )


def _rounded(number: int, over: int) -> int:
    """A quotient as a whole number, halves to the even one: as ``round`` does it with fractions.

    >>> [_rounded(n, 2) for n in (-3, -1, 1, 3, 4)]
    [-2, 0, 0, 2, 2]
    """
    whole, rest = divmod(number, over)
    return whole + (2 * rest > over or (2 * rest == over and whole % 2 == 1))
