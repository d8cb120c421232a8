# SPDX-License-Identifier: Apache-2.0
"""How many rows the coefficients of a linear model need, and how sure they are with more.

Before the release, of noise and public things alone. How rows spread decides most, and nobody
declares it. Taken for granted is:

* a number has its mean halfway between its bounds, and a sixth of their distance as its deviation;
* of each yes/no column, and of each number of two values, a tenth is the upper one;
* no column is related to another.

Claim: with that many rows of these very moments the column that is least clear of its noise is just
clear of it (``coefficients``, CLEAR), and the half-widths are those of the ranges that
``coefficients`` gives where noise is 0. Why: it is the same code on those moments. With just that
many, noise makes that column unclear in half of all releases. Margins fall with the number of rows
and with the variance of what explains; the outcome's changes them little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.linear.coefficients import FloatArray, MomentModel
from dpdesk.privacy.planning.linear.model_lines import basis_of
from dpdesk.privacy.statistics.linear.linear_model import columns_of, drawn_moments

DEVIATION = 1 / 3
"""Of a number, its bounds being -1 and 1: a sixth of their distance."""
YES = 1 / 10
TIMES = 10
"""Times the rows that are needed; with these themselves ranges are no good."""


@dataclass(frozen=True)
class PlannedCoefficients:
    """What coefficients will be like.

    Attributes:
        needed: about how many rows, or people, they need; of two digits.
        size: of how many the half-widths are.
        half_widths: of each column that explains, in units of the outcome per its own unit.
    """

    needed: int
    size: int
    half_widths: tuple[Fraction, ...]


def planned_coefficients(plan: QueryPlan) -> PlannedCoefficients:
    """Of a linear model; see the head of the module.

    Args:
        plan: of a linear model. Where the number of rows is public, half-widths are of that many,
            unless the coefficients need more.
    """
    columns, how = columns_of(plan), drawn_moments(plan, plan.parts[0])
    assumed, basis = _moments(how.design.curved), basis_of(columns)
    needed = _rounded_up(max(len(columns) + 1.0, MomentModel(how, assumed, basis).rows_needed))
    size = TIMES * needed if (plan.public_rows or 0) < needed else plan.public_rows or 0
    found = MomentModel(how, size * assumed, basis).coefficients(with_chance=False)
    noises = [one.noise for one in found[1:] if one is not None]
    widths = tuple(Fraction(high - low) / 2 for low, high in noises)
    return PlannedCoefficients(needed, size, widths)


def _rounded_up(rows: float) -> int:
    """To two digits.

    >>> _rounded_up(6088.2), _rounded_up(5)
    (6100, 5)
    """
    step = int(10 ** max(0, len(str(math.ceil(rows))) - 2))
    return math.ceil(rows / step) * step


def _moments(curved: tuple[bool, ...]) -> FloatArray:
    """Of one row: of 1 and of each column between -1 and 1."""
    means = np.array([1.0, *(0.0 if is_curved else 2 * YES - 1 for is_curved in curved)])
    squares = [0.0, *(DEVIATION**2 if is_curved else 4 * YES * (1 - YES) for is_curved in curved)]
    moments: FloatArray = np.outer(means, means) + np.diag(squares)
    return moments
