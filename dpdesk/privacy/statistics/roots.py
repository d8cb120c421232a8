# SPDX-License-Identifier: Apache-2.0
"""Square roots as exact texts: whole-number roots, rounded so that a margin keeps its promise."""

from __future__ import annotations

import math
from fractions import Fraction

from dpdesk.privacy.statistics.figures_text import NOTHING, Figure, fixed, rounding_digits

_BITS = 40


def root_down(square: Fraction) -> int:
    """The largest whole number whose square is at most this.

    >>> root_down(Fraction(35)), root_down(Fraction(36))
    (5, 6)
    """
    return math.isqrt(math.floor(square))


def root_up(square: Fraction) -> int:
    """The smallest whole number whose square is at least this.

    >>> root_up(Fraction(36)), root_up(Fraction(361, 10))
    (6, 7)
    """
    root = math.isqrt(math.ceil(square))
    return root if root * root >= square else root + 1


def nearest_root(square: Fraction) -> int:
    """The whole number nearest to the root: half of the next of twice the root.

    >>> nearest_root(Fraction(30)), nearest_root(Fraction(31))
    (5, 6)
    """
    return (math.isqrt(math.floor(4 * square)) + 1) // 2


def close_root_up(square: Fraction) -> Fraction:
    """A rational at or above the root, at most a part of 2^-40 above it.

    >>> float(close_root_up(Fraction(1, 4))), float(close_root_up(Fraction(2)) ** 2 - 2) < 1e-11
    (0.5, True)
    """
    above, below = square.numerator, square.denominator
    return Fraction(root_up(Fraction(above * below << 2 * _BITS)), below << _BITS)


def root_figure(figure: Figure, highest: Fraction) -> Figure:
    """A root with its margin, from a square and its margin; see :func:`root_texts`.

    The value lies at or next to nothing above the root, the ends of the range outwards.
    """
    square, margin = figure.value, figure.half_width
    value, high = close_root_up(square), close_root_up(min(square + margin, highest))
    low = Fraction(root_down(max(square - margin, Fraction(0)) * 4**_BITS), 2**_BITS)
    return Figure(value, max(value - low, high - value))


def root_texts(figure: Figure | None, highest: Fraction) -> tuple[str, str, str, str]:
    """Value, margin and range of a root, from a square and its margin.

    Claim: where the exact square is within its margin and within 0..``highest``, the exact root
    lies in the published range and no farther from the value than the published margin.
    Why: the root rises; the range's ends are rounded outwards, and the margin is taken from the
    rounded numbers.
    """
    if figure is None:
        return NOTHING
    square, margin = figure.value, figure.half_width
    ends = max(square - margin, Fraction(0)), min(square + margin, highest)
    digits = rounding_digits(_widest(square, *ends))
    unit = 10 ** (2 * digits)
    value, low, high = (
        nearest_root(square * unit),
        root_down(ends[0] * unit),
        root_up(ends[1] * unit),
    )
    whole = (value, max(value - low, high - value), low, high)
    first, second, third, fourth = (fixed(number, digits) for number in whole)
    return first, second, third, fourth


def _widest(square: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """About how far the root is from an end: it only decides how many digits are shown."""
    root, below, above = (math.sqrt(part) for part in (square, low, high))
    return Fraction(max(above - root, root - below))
