# SPDX-License-Identifier: Apache-2.0
"""The lines of a linear model: the value where all is 0, and one coefficient a column.

In the units of the columns: by how much the outcome rises with one unit more, or with yes instead
of no, all other columns alike.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.linear.coefficients import Coefficient, Ends, FloatArray, MomentModel
from dpdesk.privacy.statistics.base import Noisy
from dpdesk.privacy.statistics.figures_text import fixed, rounding_digits
from dpdesk.privacy.statistics.linear.linear_model import (
    columns_of,
    drawn_moments,
    line_name,
)
from dpdesk.study.model.columns import Column, NumberColumn, number_grid

INTERCEPT, COEFFICIENT, OF_YES = "intercept", "coefficient", "coefficient-of-yes"
NOT_KNOWN = "not-known"
LEAST_P = 4
"""Decimals of a p-value, which is rounded up: tails further out were not measured."""
_MOST_DIGITS = 12
Texts = tuple[str, ...]


def model_lines(plan: QueryPlan, noisy: Noisy) -> tuple[tuple[Texts, Texts], ...]:
    """Of each line its term, and figure, value, ranges, p-value and note.

    Args:
        plan: of a linear model.
        noisy: what was drawn.
    """
    columns, how = columns_of(plan), drawn_moments(plan, plan.parts[0])
    model = MomentModel(how, how.matrix(noisy[0]), basis_of(columns))
    # Rows of one person are alike, and nobody knows how much.
    is_once = plan.query.of == "people" or plan.unit.max_rows == 1
    found = model.coefficients(with_chance=is_once)
    terms = [
        ("", INTERCEPT),
        *((line_name(column.name), _figure(column)) for column in columns[:-1]),
    ]
    return tuple(
        ((term,), (figure, *_texts(one))) for (term, figure), one in zip(terms, found, strict=True)
    )


def _figure(column: Column) -> str:
    return COEFFICIENT if isinstance(column, NumberColumn) else OF_YES


def basis_of(columns: tuple[Column, ...]) -> FloatArray:
    """1, and each column in its unit, as vectors of 1 and of all between -1 and 1.

    Args:
        columns: d of them.

    Returns:
        Shape (d + 1, d + 1).
    """
    basis: FloatArray = np.eye(len(columns) + 1)
    for place, column in enumerate(columns, 1):
        low, high = _ends(column)
        basis[place, 0], basis[place, place] = (low + high) / 2, (high - low) / 2
    return basis


def _ends(column: Column) -> Ends:
    """The values at both ends: the bounds of a number, 0 and 1 of no and yes."""
    if not isinstance(column, NumberColumn):
        return 0.0, 1.0
    grid = number_grid(column)
    return float(grid.lowest * grid.quantum), float(grid.highest * grid.quantum)


def _texts(one: Coefficient | None) -> Texts:
    """Value, both ranges, p-value and note."""
    if one is None:
        return ("",) * 6 + (NOT_KNOWN,)
    digits = min(_MOST_DIGITS, rounding_digits(Fraction(one.noise[1] - one.noise[0]) / 2))
    value = Fraction(one.value)
    ranges = (*_rounded(one.noise, digits), *_rounded(one.chance, digits))
    p = "" if one.p is None else fixed(max(1, math.ceil(one.p * 10**LEAST_P)), LEAST_P)
    return (fixed(round(value * 10**digits), digits), *ranges, p, "")


def _rounded(ends: Ends | None, digits: int) -> tuple[str, str]:
    """Both ends, outwards."""
    if ends is None:
        return "", ""
    low, high = (Fraction(end) * 10**digits for end in ends)
    return fixed(math.floor(low), digits), fixed(math.ceil(high), digits)
