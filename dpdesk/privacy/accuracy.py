# SPDX-License-Identifier: Apache-2.0
"""The two ends of one handle: what a share buys, and what a margin costs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpdesk.privacy.compiler import compile_query
from dpdesk.study.amount import MAX_EPSILON_MICRO, Epsilon
from dpdesk.study.document import Study
from dpdesk.study.problem import Refused
from dpdesk.study.queries import Query

LEAST = 2
"""The smallest share that every statistic can split, in micro-epsilon."""


def margin_for(study: Study, query: Query, share: Epsilon) -> Fraction | None:
    """The 95-in-100 half-width that a share buys, in the result's unit.

    Returns:
        ``None`` where the query is not complete, or a mean has no expected group size.
    """
    try:
        return compile_query(study, replace(query, epsilon=share)).half_width
    except Refused:
        return None


def share_for(study: Study, query: Query, margin: Fraction) -> Epsilon | None:
    """The smallest share, to a micro-epsilon, that gets within ``margin``.

    The half-width never grows with the share, so bisection finds the smallest.

    Returns:
        ``None`` where no share up to the limit reaches it, or the query is not complete.
    """
    low, high = LEAST, MAX_EPSILON_MICRO
    if not _reaches(study, query, Epsilon(high), margin):
        return None
    while low < high:
        middle = (low + high) // 2
        if _reaches(study, query, Epsilon(middle), margin):
            high = middle
        else:
            low = middle + 1
    return Epsilon(low)


def _reaches(study: Study, query: Query, share: Epsilon, margin: Fraction) -> bool:
    found = margin_for(study, query, share)
    return found is not None and found <= margin
