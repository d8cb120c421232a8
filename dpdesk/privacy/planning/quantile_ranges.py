# SPDX-License-Identifier: Apache-2.0
r"""Between which values a quantile lies that was read off counts: its margin in the column's unit.

A released quantile says how far off its rank may be. Where it was read off a tree of counts over
the candidates, the same counts say more: which candidates the exact quantile can be, or where
declared candidates leave values out, the best of them. It is post-processing of what was drawn and
of the public plan.

Let D(c) be the exact D of a candidate (see ``statistics.quantile_counts``), D'(c) the one of the
consistent counts, and w(c) so that |D'(c) - D(c)| > w(c) at most 5 times in 100. The exact quantile
q is the lowest candidate with D >= 0, or the highest candidate: no other is fewer rows off, and of
several that are quantiles it is the lowest. The range reaches

* from the lowest candidate with D'(c) >= -w(c), or the highest one;
* to the candidate behind the highest one with D'(c) < w(c), but never beyond the last.

Claim: the range holds q 95 times in 100, for each quantile by itself. Why: q is no drawn thing, so
D'(q) and D' of the candidate before it are two noisy figures fixed before the draw. Below the range
q can lie only if D(q) >= 0 and D'(q) < -w(q); above it only if D < 0 and D' >= w at the candidate
before q. Both are errors of more than w to one side of a symmetric noise, and each has half of what
may miss. Where q is the highest candidate because none has D >= 0, nothing lies above it.

The value that was read off lies in its range: D' >= 0 there, and D' < 0 at the candidate before
it. Quantiles that were chosen one by one have no range: nothing but their ranks is known.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.running_counts.strategy import Strategy
from dpdesk.privacy.statistics.base import Noisy
from dpdesk.privacy.statistics.distribution import tree_of
from dpdesk.privacy.statistics.quantile_counts import (
    candidates_of,
    counts_between,
    ends_between,
    error_between,
    rank_bound,
)
from dpdesk.privacy.statistics.quantiles import level_of
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.groupings import grid_text
from dpdesk.study.model.parameters import QuantileParameters

Level = tuple[int, int]
"""a and b of the probability a / (a + b)."""

Ranges = tuple[tuple[Decimal, Decimal], ...]
"""The lowest and the highest value that each of some quantiles can be."""


def quantile_ranges(plan: QueryPlan, noisy: Noisy, cell: int) -> Ranges:
    """The lowest and the highest value that each quantile of a cell can be, 95 times in 100.

    Args:
        plan: of a query that chooses quantiles.
        noisy: what was drawn, one tuple a part.
        cell: which cell.

    Returns:
        One a quantile; none where they were not read off counts.
    """
    noise, column = plan.parts[0].noise, plan.column
    if not noise.is_additive or not isinstance(column, NumberColumn):
        return ()
    places, counts = candidates_of(plan), counts_between(plan, noisy, cell)
    tree, ends, ranges = tree_of(plan), ends_between(places), []
    for probability in plan.query.parameters_as(QuantileParameters).quantiles:
        level = level_of(probability)
        # The bound of the whole search misses less often, so it is no smaller than any error.
        error, most = partial(_error, noise, tree, ends, level), _most(plan, level)
        low, high = possible_places(counts, level, error, most)
        lowest, highest = (grid_text(column, places[place]) for place in (low, high))
        ranges.append((Decimal(lowest), Decimal(highest)))
    return tuple(ranges)


def possible_places(
    counts: tuple[Fraction, ...],
    level: tuple[int, int],
    error: Callable[[int], int],
    most: int,
) -> tuple[int, int]:
    """The first and last place among the candidates that a quantile can have.

    Of ten rows, two at each of five candidates, the fifth row lies at the third candidate; were
    each count off by one row at most, it could be the second, too.

    >>> possible_places(tuple(map(Fraction, (2, 4, 6, 8, 10))), (1, 1), lambda place: 1, 1)
    (1, 2)

    Args:
        counts: see ``quantile_counts.counts_between``.
        level: a and b of the probability a / (a + b).
        error: how far off D may be at a candidate; called where it decides, as it takes long.
        most: no error is larger.
    """
    (a, b), total, last = level, counts[-1], len(counts) - 1
    # With p = a / (a + b); of the last candidate nothing need be known.
    over = [counts[place] - Fraction(a, a + b) * total for place in range(last)]
    reached = (i for i, d in enumerate(over) if d >= 0 or (d >= -most and d >= -error(i)))
    below = (i for i in reversed(range(last)) if over[i] < 0 or most > over[i] < error(i))
    return next(reached, last), next(below, -1) + 1


def _most(plan: QueryPlan, level: Level) -> int:
    return rank_bound(plan.parts[0].noise, tree_of(plan), len(candidates_of(plan)), level)


@lru_cache(maxsize=4096)
def _error(
    noise: Noise, tree: Strategy, ends: tuple[tuple[int, int], ...], level: Level, place: int
) -> int:
    """How far off D may be at a candidate, 95 times in 100."""
    return error_between(noise, tree, ends[place], level)
