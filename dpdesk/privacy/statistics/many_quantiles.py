# SPDX-License-Identifier: Apache-2.0
r"""Many quantiles: each chosen by itself, or all read off one tree of counts.

A choice for each quantile has a part of the share. One tree of counts over the candidates has all
of it and serves every quantile, but a count adds up many noises. The tree may be drawn where, at a
share of reference, the bound of the choices is half as wide again as its own or wider: a choice's
bound is one for candidates that all tie, and among rows that spread over them it errs by less, so
that four quantiles err alike both ways although the tree's bound is smaller. The reference keeps
the bound from growing with the share. Of what may be drawn, that with the smaller bound is. All of
it follows from the declarations and the share.

The tree (see ``distribution``, also for its sensitivity) counts the rows up to each candidate and,
where values between two candidates are none, those between them: of the N rows F(c) lie at or below
the candidate c, and F(c-) below it. For p = a / (a + b) and a candidate c before c' let

    D(c) = (F(c) + F(c'-)) / 2 - p N,

which grows with c and says which of the two is nearer to the rank: p N lies p N - F(c) rows above c
and F(c'-) - p N below c'. The quantile is the lowest candidate with D >= 0, or the highest one. It
is found by halving: the consistent counts say at the candidate in the middle whether D >= 0.

Claim (bound): let r be by how many rows p N lies outside a candidate's own rows, that is, the
largest of 0, p N - F(c) and F(c-) - p N. Let h be the number of halvings, and w so that each noisy
D is off by more than w at most 5 / h times in 100. Then 95 times in 100 a line's r is at most w
where every value is a candidate; otherwise it is at most 2 w larger than that of the best one, and
at most w larger where no value lies between two candidates.

Why: let D be exact, and say that an error is made where a candidate with D > w is taken for one
below, or one with D < -w for one above. Until an error is made at a candidate with D > w, the first
such candidate lies in the part that is being halved; at each of the h depths of the search one part
holds it, so that the first such error can be made at h candidates, known before the draw; likewise
below. These are 2 h events, each of a noise on one side, and D's noise is symmetric: together at
most 5 times in 100. Without error the chosen c has D(c) >= -w, unless it is the highest, and the
candidate before it D <= w, unless it is the lowest. Of two candidates the lower has the larger
p N - F(c) and the smaller F(c-) - p N. So c's r is no larger than the best one's in the first term
unless the best, with r >= F(c'-) - p N, lies above c: then p N - F(c) = F(c'-) - p N - 2 D(c) is at
most 2 w larger than its r; where no value lies between, it is -D(c), at most w. Likewise in the
second term with D of the candidate before c, where the best lies below. Above the highest and
below the lowest candidate nothing lies to be taken instead, and where every value is a candidate
the best has r = 0 (see ``quantiles``).

The noise of D mixes, in parts that add up to 1, those of F and of -(N - F), with F up to c and F up
to the value before c', so that w is the largest of the four half-widths
(``weighted_sum.half_width_between``); where N is public, those of F alone.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import lcm
from typing import Any

from dpdesk.privacy.distributions.half_widths import each_miss
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.weighted_sum import half_width_between
from dpdesk.privacy.hierarchical_counts import Hierarchy, trees, weights
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics.base import Noisy, number_column
from dpdesk.privacy.statistics.distribution import best_tree, drawn_counts, tree_of, tree_over
from dpdesk.privacy.statistics.quantiles import Quantiles, level_of
from dpdesk.study.checks.member_checks import MOST_EDGES
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.groupings import candidate_indices, grid_text
from dpdesk.study.model.parameters import QuantileParameters
from dpdesk.study.model.queries import Query

LEAST_GAIN = Fraction(3, 2)
"""The tree replaces choices whose bound is at least this many times as wide as its own."""

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
        edges = _edges(column, choices[0].measure.candidates)
        if len(edges) > MOST_EDGES:
            return (choices,)
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
        tree, query = tree_over(part, question.public_rows is not None), question.query
        places = _places(number_column(question), query)
        return Fraction(rank_bound(part.noise, tree, len(places)))

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of the line that says least."""
        noise = plan.parts[0].noise
        if noise.is_additive:
            return Fraction(rank_bound(noise, tree_of(plan), len(candidates_of(plan)), miss))
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
        noise = plan.parts[0].noise
        if not noise.is_additive:
            return super().chosen(plan, noisy, cell)
        places, counts = candidates_of(plan), _whole(counts_between(plan, noisy, cell))
        off = str(rank_bound(noise, tree_of(plan), len(places)))
        levels = map(level_of, plan.query.parameters_as(QuantileParameters).quantiles)
        return [(places[searched(counts, level)], off) for level in levels]


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


def candidates_of(plan: QueryPlan) -> tuple[int, ...]:
    """The grid indices of a plan's candidates."""
    return _places(number_column(plan), plan.query)


def ends_between(places: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The bins at whose ends F(c) and F(c'-) are counted, for every candidate but the last.

    The candidates 2, 3 and 6 have the bins up to 2, of 3, of 4 and 5, and from 6 on.

    >>> ends_between((2, 3, 6))
    ((0, 0), (1, 2))
    """
    gaps = [after - place > 1 for place, after in pairwise(places)]
    ends = accumulate((1 + gap for gap in gaps), initial=0)
    return tuple((end, end + gap) for end, gap in zip(ends, gaps, strict=False))


def counts_between(plan: QueryPlan, noisy: Noisy, cell: int) -> tuple[Fraction, ...]:
    """(F(c) + F(c'-)) / 2 of every candidate of a cell but the last, then all rows."""
    counts = drawn_counts(plan, noisy, cell)
    ends = ends_between(candidates_of(plan))
    middles = ((counts[i] + counts[j]) / 2 if i < j else counts[i] for i, j in ends)
    return (*middles, counts[-1])


def _whole(counts: tuple[Fraction, ...]) -> tuple[int, ...]:
    """The same in parts of one, all alike: what is compared is compared sooner."""
    parts = lcm(*(count.denominator for count in counts))
    return tuple(count.numerator * (parts // count.denominator) for count in counts)


def searched(counts: tuple[Fraction, ...] | tuple[int, ...], level: tuple[int, int]) -> int:
    """The place of a quantile among the candidates, by halving.

    Of ten rows, two at each of five candidates, the fifth row lies at the third candidate.

    >>> searched(tuple(map(Fraction, (2, 4, 6, 8, 10))), (1, 1))
    2

    Args:
        counts: how many rows lie up to the middle between each candidate and the next, and all of
            them last; see :func:`counts_between`. Of any unit.
        level: a and b of the probability a / (a + b).
    """
    (a, b), total = level, counts[-1]
    before, result = -1, len(counts) - 1
    while result - before > 1:
        middle = (before + result) // 2
        if b * counts[middle] >= a * (total - counts[middle]):
            result = middle
        else:
            before = middle
    return result


@lru_cache(maxsize=1024)
def rank_bound(noise: Noise, tree: Hierarchy, candidates: int, miss: float = MISS) -> int:
    """How many rows off a line may be; see the head of the module.

    Args:
        noise: of every count.
        tree: the shape drawn; it has more bins than candidates where values between are none.
        candidates: how many there are.
        miss: how often a line may be further off.
    """
    halvings = (candidates - 1).bit_length()
    error = error_between(noise, tree, tuple(range(tree.bins - 1)), miss / halvings)
    return error * rows_an_error(tree, candidates)


def rows_an_error(tree: Hierarchy, candidates: int) -> int:
    """How many rows off an error of D by one row can lead."""
    return 2 if tree.bins > candidates else 1


def error_between(noise: Noise, tree: Hierarchy, ends: tuple[int, ...], miss: float = MISS) -> int:
    """How far off D may be, whatever p is, where it is counted at the ends of some bins."""
    sides = (0.0,) if tree.has_public_total else (0.0, 1.0)
    terms = tuple(weights(tree, end, side) for end in ends for side in sides)
    return half_width_between(noise, terms, sum(tree.sizes), miss)


def _places(column: NumberColumn, query: Query) -> tuple[int, ...]:
    return candidate_indices(column, query.parameters_as(QuantileParameters).candidates)


def _edges(column: NumberColumn, places: tuple[int, ...]) -> tuple[Decimal, ...]:
    """Where bins begin: behind each candidate but the last, and at the next where that is more."""
    starts = sorted({start for place, after in pairwise(places) for start in (place + 1, after)})
    return tuple(Decimal(grid_text(column, start)) for start in starts)
