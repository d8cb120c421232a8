# SPDX-License-Identifier: Apache-2.0
"""Too noisy to use: what a figure and its margin must not be, by released and declared numbers.

Two rules, the same for a plan, the results, the tables and the report:

* a **total** that can be 0 (a count, a sum, an estimated count), and any other figure of which
  nothing less than 0 is possible (a share, a rate, a variance), says something unless it cannot be
  told from 0: its margin is as large as itself;
* any **other figure**, and a share that is not a total, says nothing either where its margin is
  half of what is possible, or more.

Before the release the first asks for a guess of how large a total will be; of a share nobody
guesses. After it, nothing
flows in but the figure, its margin and what the declarations leave possible: anyone who has the
table can do it again, and anyone who verifies a bundle does. That something is marked therefore
says nothing that the figure beside it does not.

An interval is cut to what is possible: the exact figure is possible, so no promise is lost. Where
noise took the whole interval out of what is possible, it stays as it is and the nearest possible
value is shown beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

YES, NO = "yes", "no"

Number = int | Fraction
"""Whole numbers where all that are compared count the same quanta: they are ten times as fast."""


@dataclass(frozen=True)
class Possible:
    """What a figure can be, by the declarations alone.

    Attributes:
        lowest, highest: both ends; ``None`` where there is none.
        is_total: whether it adds something up; see the head of the module.
    """

    lowest: Number | None
    highest: Number | None
    is_total: bool = False

    @property
    def width(self) -> Number | None:
        """From end to end; ``None`` where an end is open."""
        if self.lowest is None or self.highest is None:
            return None
        return self.highest - self.lowest

    def nearest(self, value: Number) -> Number:
        """The possible value that is nearest to a number."""
        if self.lowest is not None and value < self.lowest:
            return self.lowest
        return self.highest if self.highest is not None and value > self.highest else value


@dataclass(frozen=True)
class Interval:
    """A 95-in-100 interval as it is shown.

    Attributes:
        low, high: cut to what is possible, or as it is where nothing of it is.
        nearest: the nearest possible value, where nothing of the interval is possible.
    """

    low: Number
    high: Number
    nearest: Number | None = None


def interval(value: Number, margin: Number, possible: Possible) -> Interval:
    """The interval around a released figure, as it is shown.

    >>> interval(Fraction(-5), Fraction(9), Possible(Fraction(0), None))
    Interval(low=Fraction(0, 1), high=Fraction(4, 1), nearest=None)
    """
    low, high = value - margin, value + margin
    cut = Interval(possible.nearest(low), possible.nearest(high))
    if low <= cut.high and cut.low <= high:
        return cut
    return Interval(low, high, possible.nearest(value))


def is_too_noisy(value: Number | None, margin: Number, possible: Possible) -> bool:
    """Whether a released figure says nothing; see the head of the module.

    A figure without noise says what it says, were it 0.

    Args:
        value: the figure; ``None`` where there is none (a ratio to a count that is not positive).
        margin: it is this far off at most, 95 times in 100.
        possible: what it can be.
    """
    if value is None:
        return True
    if margin == 0:
        return False
    if possible.is_total and possible.nearest(0) == 0:
        # 0 is in the interval, or the possible value that is nearest to it.
        return -margin <= value <= margin or possible.nearest(value) == 0
    return (possible.lowest == 0 and value <= margin) or is_half(margin, possible)


def is_half(margin: Number, possible: Possible) -> bool:
    """Whether a margin is half of what is possible, or more; never where that has no end."""
    return possible.width is not None and 2 * margin >= possible.width
