# SPDX-License-Identifier: Apache-2.0
"""Per cent of one table with the same number of decimals, which its margins bear.

A claim of a margin holds on: it grows by what rounding moved the figure, and is rounded up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from statistics import median

from dpdesk.privacy.reconcile.cross_totals import CellShare
from dpdesk.privacy.statistics.figures_text import fixed

_LEAST, _HALF = 1, 50


def decimals_of(shares: Iterable[CellShare]) -> int:
    """How many decimals the shares of a table have: the first that its margins reach, at least one.

    >>> decimals_of([CellShare("33.07", "0.60", False), CellShare("0.0", "4.6", True)])
    1
    >>> decimals_of([CellShare("1.085", "0.095", False)])
    2
    """
    margins = [Fraction(one.half_width) for one in shares if one.half_width.strip("0.")]
    middle = median(margins) if margins else Fraction(1)
    return max(_LEAST, -math.floor(math.log10(middle)))


def with_decimals(share: CellShare, decimals: int) -> CellShare:
    """A share with fewer decimals; one that has no more stays as it is.

    One that may as well be any other says nothing, as one of a whole that says nothing.

    >>> with_decimals(CellShare("33.07", "0.60", False), 1)
    CellShare(percent='33.1', half_width='0.7', is_noisy=False)
    >>> with_decimals(CellShare("36", "64", True), 1)
    CellShare(percent='', half_width='', is_noisy=True)
    """
    if Fraction(share.half_width or 0) >= _HALF:
        return CellShare("", "", is_noisy=True)
    if len(share.percent.partition(".")[2]) <= decimals:
        return share
    unit = 10**decimals
    value = Fraction(share.percent)
    rounded = round(value * unit)
    moved = abs(value - Fraction(rounded, unit))
    margin = Fraction(share.half_width or 0)
    wide = math.ceil((margin + moved) * unit) if margin else 0
    return replace(share, percent=fixed(rounded, decimals), half_width=fixed(wide, decimals))
