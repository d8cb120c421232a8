# SPDX-License-Identifier: Apache-2.0
r"""Many quantiles: each chosen by itself, or all read off one tree of counts.

A choice for each quantile has a part of the share. One tree of counts over the candidates has all
of it and serves every quantile, but a count adds up many noises. The tree may be drawn where, at a
share of reference, the bound of the choices is half as wide again as its own or wider: a choice's
bound is one for candidates that all tie, and among rows that spread over them it errs by less, so
that four quantiles err alike both ways although the tree's bound is smaller. The reference keeps
the bound from growing with the share. Of what may be drawn, that with the smaller bound is. All of
it follows from the declarations and the share.

The tree (see ``distribution``, also for its sensitivity) counts the rows up to each candidate.
Let F(c) be how many of the N rows lie at or below the candidate c. The quantile of probability
p = a / (a + b) is the lowest candidate with D(c) = F(c) - p N >= 0, or the highest candidate. It is
found by halving: the consistent counts say at the candidate in the middle whether D >= 0.

Claim (bound): let r be by how many rows a candidate c misses the rank, that is, the largest of 0,
p N - F(c) and F(c') - p N for the candidate c' before it. Let h be the number of halvings, and w
so that each noisy D is off by more than w at most 5 / h times in 100. Then 95 times in 100 a line's
r is at most w larger than that of the best candidate.

Why: let D be exact, and say that an error is made where a candidate with D > w is taken for one
below, or one with D < -w for one above. Without error the chosen c has D(c) >= -w, unless it is the
highest, and D(c') <= w. Until an error is made at a candidate with D > w, the first such candidate
lies in the part that is being halved; at each of the h depths of the search one part holds it, so
that the first such error can be made at h candidates, known before the draw; likewise below. These
are 2 h events, each of a noise on one side, and D's noise is symmetric: together at most 5 times in
100. Where p N lies beyond the highest candidate, that is the best one, and D(c) >= -w says the
claim of any other.

The noise of D = (1 - p) F - p (N - F) lies between that of F and that of -(N - F), so that w is the
larger of their half-widths (``weighted_sum.half_width_between``); where N is public, F's alone.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpdesk.privacy.distributions.half_widths import each_miss
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.weighted_sum import half_width_between
from dpdesk.privacy.hierarchical_counts import Hierarchy, trees, weights
from dpdesk.privacy.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics.base import Noisy
from dpdesk.privacy.statistics.distribution import best_tree, drawn_counts, tree_of, tree_over
from dpdesk.privacy.statistics.quantiles import Quantiles, level_of, number_column
from dpdesk.study.checks.member_checks import MOST_EDGES
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.columns import NumberColumn, number_grid
from dpdesk.study.model.groupings import candidate_indices
from dpdesk.study.model.parameters import QuantileParameters

LEAST_GAIN = Fraction(3, 2)
"""So many times as wide as the tree's is the bound of choices that it may replace."""

REFERENCE: dict[str, Share] = {"epsilon": Epsilon.of("0.01"), "rho": Rho.of("0.0001")}
"""Shares so small that bounds are many rows wide and rounding them changes little."""

Parts = tuple[Part, ...]


class ManyQuantiles(Quantiles):
    """Several quantiles that share one draw, where that is more accurate than one draw each."""

    has_quick_levels = False

    def parts(self, question: Question) -> Parts:
        """One choice a quantile, or one tree of counts."""
        ways = self.ways(question)
        if len(ways) == 1 or _gain(_at_reference(question)) < LEAST_GAIN:
            return ways[0]
        return min(ways, key=lambda parts: self.rows_off(question, parts))

    def ways(self, question: Question) -> tuple[Parts, ...]:
        """The choices and, unless there are too many candidates, the tree."""
        choices, column = super().parts(question), number_column(question)
        places = choices[0].measure.candidates
        if len(places) > MOST_EDGES:
            return (choices,)
        edges = _edges(column, places)
        shapes = trees(len(edges) + 1, question.public_rows is not None)
        return (choices, (best_tree(question, edges, shapes)[1],))

    def claims(self, plan: QueryPlan) -> int:
        """One a line."""
        return len(plan.lines)

    def rows_off(self, question: Question, parts: Parts) -> Fraction:
        """Of all lines the same, where they are read off counts."""
        part = parts[0]
        if not part.noise.is_additive:
            return super().rows_off(question, parts)
        tree = tree_over(part, question.public_rows is not None)
        return Fraction(rank_bound(part.noise, tree))

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of the line that says least."""
        noise = plan.parts[0].noise
        if noise.is_additive:
            return Fraction(rank_bound(noise, tree_of(plan), miss))
        return super().accuracy_at(plan, miss)

    def accuracy_together(self, plan: QueryPlan, miss: float) -> Fraction:
        """Cells are drawn independently; of what the lines of one may miss, the union is taken."""
        if not plan.parts[0].noise.is_additive:
            return super().accuracy_together(plan, miss)
        cells = len(plan.cells)
        each = miss if cells == 1 else each_miss(cells, miss)
        return self.accuracy_at(plan, each * cells / len(plan.lines))

    def chosen(self, plan: QueryPlan, noisy: Noisy, cell: int) -> list[tuple[int, str]]:
        """What was chosen, or what the counts say."""
        noise, column = plan.parts[0].noise, plan.column
        if not noise.is_additive or not isinstance(column, NumberColumn):
            return super().chosen(plan, noisy, cell)
        counts, off = drawn_counts(plan, noisy, cell), str(rank_bound(noise, tree_of(plan)))
        wanted = plan.query.parameters_as(QuantileParameters)
        places = candidate_indices(column, wanted.candidates)
        levels = map(level_of, wanted.quantiles)
        return [(places[searched(counts, level, len(places))], off) for level in levels]


def _at_reference(question: Question) -> Question:
    """The same question at the share of reference, without what changes no bound."""
    share = REFERENCE[question.share.measure]
    asked: dict[str, Any] = {share.measure: share, "expected": None, "title": "", "id": ""}
    return replace(question, query=replace(question.query, **asked))


@lru_cache(maxsize=256)
def _gain(question: Question) -> Fraction:
    """How many times as wide as the tree's the bound of the choices is."""
    method = ManyQuantiles()
    choices, counts = (method.rows_off(question, parts) for parts in method.ways(question))
    return choices / counts


def searched(counts: tuple[Fraction, ...], level: tuple[int, int], candidates: int) -> int:
    """The place of a quantile among the candidates, by halving.

    Of ten rows, two at each of five candidates, the fifth row lies at the third candidate.

    >>> searched(tuple(map(Fraction, (2, 4, 6, 8, 10))), (1, 1), 5)
    2

    Args:
        counts: how many rows lie at or below each candidate, and all of them last.
        level: a and b of the probability a / (a + b).
        candidates: how many there are.
    """
    (a, b), total = level, counts[-1]
    before, result = -1, candidates - 1
    while result - before > 1:
        middle = (before + result) // 2
        if b * counts[middle] >= a * (total - counts[middle]):
            result = middle
        else:
            before = middle
    return result


@lru_cache(maxsize=1024)
def rank_bound(noise: Noise, tree: Hierarchy, miss: float = MISS) -> int:
    """How many rows further off than the best a line may be; see the head of the module."""
    halvings = (tree.bins - 1).bit_length()
    sides = (False,) if tree.has_public_total else (False, True)
    ends = tuple(weights(tree, end, rest=side) for end in range(tree.bins - 1) for side in sides)
    return half_width_between(noise, ends, sum(tree.sizes), miss / halvings)


def _edges(column: NumberColumn, places: tuple[int, ...]) -> tuple[Decimal, ...]:
    """Where bins begin that end at the candidates: behind each but the column's last value."""
    if column.lower is None or column.step is None:
        raise ValueError("the column has no bounds yet")
    last = number_grid(column).last
    return tuple(column.lower + (place + 1) * column.step for place in places if place < last)
