# SPDX-License-Identifier: Apache-2.0
r"""Quantiles and quartiles: each chosen by itself, or all read off the same counts.

A choice for each quantile has a part of the share. One tree of counts over the candidates, or in
zCDP weighted bins (``running_counts``), has all of it and serves every quantile, but a count adds
up many noises. Which is nearer to the rank is decided by two public numbers, which both fall as the
share grows, so that no share matters:

* choices: among rows that spread over the values, the exponential mechanism is more than q rows off
  exp(-q / scale) times, so ``CHOICE_SCALES`` = ln 20 times its scale, in rows, 95 times in 100 at
  most; permute and flip is no worse. All choices have the same scale;
* the tree: ``TREE_DEVIATIONS`` standard deviations of the least certain D (see below), twice that
  where values between two candidates are none. Two of them would be 95 in 100 of one D, but the
  quantiles that are asked for seldom have the least certain one.

That 1.5 is neither too small nor too large was tried on 636 fresh tables (five shapes, 300 to
30,000 rows, 5, 17, few of 101 values, one to nine quantiles, both neighbours and accounts): what it
takes was off by more than 1.1 times the better way in 1 of 200, by 0.05 rows on average; with 1 in
1 of 27, with 2 in 1 of 40. Weighted bins have a D that is nearly as uncertain everywhere, and
``EVEN_DEVIATIONS``: of 59 more tables in zCDP 3 were off by more than 1.1 times the better way, by
1.8 rows on average, with 1.5 by 2.7. By the smaller proven bound, which is far from what happens
for choices, three quantiles of 101 values were up to 5 times as far off. Ties make both better,
gaps the choices worse. Of a median alone, counts were nearer at no table where 1.5 would take them,
so it is chosen.
The tree is the one whose D varies least on average, or weighted bins where theirs does: in zCDP
over 21, 50 and 101 candidates, under add-remove or with a public total, their D deviates by 1.07 to
1.15 times less on average and by 1.2 to 1.3 times less at the least certain place.

Recursive choice (Kaplan, Schnapp and Stemmer, Differentially private approximate quantiles, 2022)
is not drawn. It halves the rows at the middle quantile and goes on in each half, with ranks of that
half's own rows; rows that equal the chosen value are in neither half, and shift the ranks of both
by up to their number, which nothing public bounds. Measured at epsilon 0.2 over 101 values,
95 times in 100: of 1,000 rows, few of them tied, quartiles and median are 27 rows off, 36 by the
tree; of 20,000 rows, of which 60 in 100 are tied, 978 and 29. Counting the tied rows by noise of
their own costs more than recursion saves: 69 rows off, and 152 for five quantiles, 46 by the tree.
Choosing with the value how much of its rows each half takes needs a candidate for each part, and
leaves a shift by such a part.

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

The noise of D is that of F - p N, with F up to c, F up to the value before c', or the mean of both;
where N is public, that of F. For p below 1/2 it mixes those of F and of F - N / 2 in the parts
1 - 2 p and 2 p, for p above those of F - N / 2 and of F - N, whose half-widths are worked out once
for all quantiles (``weighted_sum.convex_half_widths``); w is the largest of all candidates. D is
least certain for the outermost quantiles: a median's is off by some two thirds of that.

Nothing smaller holds for all tables: where rows tie, so that D is just beyond w at every candidate
that the search may meet, each of its halvings can err. Ties can only make the exact r smaller, and
nothing public says how many there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import lcm

from dpdesk.privacy.distributions.half_widths import each_miss
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.weighted_sum import ROUNDING, ManyTerms, convex_half_widths
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.running_counts.square_root import SquareRoot
from dpdesk.privacy.running_counts.strategy import Strategy
from dpdesk.privacy.statistics.base import (
    Noisy,
    PublishedColumn,
    mechanism_of,
    number_column,
)
from dpdesk.privacy.statistics.distribution import (
    counts_part,
    drawn_counts,
    moved,
    strategies,
    tree_of,
    tree_over,
)
from dpdesk.privacy.statistics.quantiles import QuantileChoices, level_of, scale_of_choices
from dpdesk.study.checks.by_statistic.member_checks import MOST_EDGES
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.groupings import candidate_indices, grid_text
from dpdesk.study.model.parameters import CandidateParameters
from dpdesk.study.model.unit import Unit

TREE_DEVIATIONS, EVEN_DEVIATIONS, CHOICE_SCALES = 1.5, 1.65, 3.0
"""How many deviations of D, and scales of a choice, a rank is taken to be off; see the head."""
HALF_OF_ALL = 0.5
LOOKS = 12
"""In how many parts of the bins a tree's D is looked at, to choose one."""
QUARTERS = (Decimal("0.25"), Decimal("0.75"))

Parts = tuple[Part, ...]
Levels = tuple[tuple[int, int], ...]


class Quantiles(QuantileChoices):
    """Several quantiles, by choices or by one tree of counts, whichever is nearer."""

    has_quick_levels = False

    def parts(self, question: Question) -> Parts:
        """One choice a quantile, or one tree of counts."""
        tree = self.hierarchy(question)
        if tree is not None and self._is_nearer(question, tree):
            return self._counted(question, tree)
        return super().parts(question)

    def hierarchy(self, question: Question) -> Strategy | None:
        """The tree that would be drawn, whatever the share is."""
        bins = len(_edges(number_column(question), _places(question))) + 1
        if not 1 < bins <= MOST_EDGES + 1:
            return None
        levels = tuple(map(level_of, self.probabilities(question)))
        shapes = strategies(question, bins, question.public_rows is not None)
        each, mechanism = question.query.rows_per_group, mechanism_of(question)
        return _nearest(question.unit, question.size, shapes, mechanism, levels, each)

    def _counted(self, question: Question, tree: Strategy) -> Parts:
        edges = _edges(number_column(question), _places(question))
        return (counts_part(question, edges, tree),)

    def _is_nearer(self, question: Question, tree: Strategy) -> bool:
        """Whether what is read off counts is nearer to its rank; see the head of the module."""
        levels = tuple(map(level_of, self.probabilities(question)))
        rows = rows_an_error(tree, len(_places(question)))
        deviations = EVEN_DEVIATIONS if isinstance(tree, SquareRoot) else TREE_DEVIATIONS
        counted = deviations * rows * _deviation(question, tree, levels)
        return counted < CHOICE_SCALES * scale_of_choices(question, levels)

    def claims(self, plan: QueryPlan) -> int:
        """One a quantile and cell."""
        return len(plan.cells) * len(self.probabilities(plan.question))

    def rows_off(self, question: Question, parts: Parts) -> Fraction:
        """Of all lines the same, where they are read off counts."""
        part = parts[0]
        if not part.noise.is_additive:
            return super().rows_off(question, parts)
        tree = tree_over(part, question.public_rows is not None)
        places = _places(question)
        return Fraction(_furthest(part.noise, tree, len(places), self.probabilities(question)))

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of the line that says least."""
        noise = plan.parts[0].noise
        if noise.is_additive:
            wanted, places = self.probabilities(plan.question), len(candidates_of(plan))
            return Fraction(_furthest(noise, tree_of(plan), places, wanted, miss))
        return super().accuracy_at(plan, miss)

    def accuracy_together(self, plan: QueryPlan, miss: float) -> Fraction:
        """Cells are drawn independently; of what the lines of one may miss, the union is taken."""
        if not plan.parts[0].noise.is_additive:
            return super().accuracy_together(plan, miss)
        cells = len(plan.cells)
        each = miss if cells == 1 else each_miss(cells, miss)
        return self.accuracy_at(plan, each * cells / self.claims(plan))

    def chosen(self, plan: QueryPlan, noisy: Noisy, cell: int) -> list[tuple[int, str]]:
        """What was chosen, or what the counts say."""
        noise = plan.parts[0].noise
        if not noise.is_additive:
            return super().chosen(plan, noisy, cell)
        places, counts = candidates_of(plan), _whole(counts_between(plan, noisy, cell))
        tree, found = tree_of(plan), []
        for level in map(level_of, self.probabilities(plan.question)):
            off = rank_bound(noise, tree, len(places), level)
            found.append((places[searched(counts, level)], str(off)))
        return found


class InterquartileRange(Quantiles):
    """Both quartiles and the distance between them, in one line, drawn as quantiles are."""

    def probabilities(self, question: Question) -> tuple[Decimal, ...]:
        """A quarter and three quarters."""
        return QUARTERS

    def inner(self, question: Question) -> tuple[str, ...]:
        """One line a cell."""
        return ()

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """One line a cell."""
        return ((),)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """The range, both quartiles, and how far off the rank of either may be."""
        return (
            PublishedColumn("interquartile_range", "value"),
            PublishedColumn("lower_quartile", "quartile"),
            PublishedColumn("upper_quartile", "quartile"),
            self.rows_head(plan),
        )

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; the farther of both bounds, and none where the quartiles crossed."""
        lines = super().texts(plan, noisy)
        for (low, *offs), (high, off) in zip(lines, lines, strict=True):
            widest = max(*offs, off, key=lambda text: Decimal(text or 0))
            yield f"{Decimal(high) - Decimal(low):f}", low, high, widest


def _deviation(question: Question, tree: Strategy, levels: Levels) -> float:
    """Of the least certain D, in rows, were the share 1; see ``scale_of_choices``.

    In zCDP both noises have the scale D / sqrt(2 rho), D in their norm; else it is D / epsilon.
    """
    mechanism = mechanism_of(question)
    each = question.query.rows_per_group
    one: float = moved(question.unit, question.size, tree, mechanism, each)
    one *= 2 if mechanism == "laplace" else 1
    one /= 2 if question.share.measure == "rho" else 1
    return math.sqrt(one * _worst_variance(tree, levels))


@lru_cache(maxsize=256)
def _nearest(
    unit: Unit,
    groups: int,
    shapes: tuple[Strategy, ...],
    mechanism: Mechanism,
    levels: Levels,
    each: int | None,
) -> Strategy:
    """The tree whose D varies least on average, by a few ends, whatever the share is."""
    ends = tuple(sorted({shapes[0].bins * look // LOOKS - 1 for look in range(1, LOOKS)} - {-1}))
    return min(
        shapes,
        key=lambda tree: (
            moved(unit, groups, tree, mechanism, each) * sum(_of_levels(tree, levels, ends or (0,)))
        ),
    )


@lru_cache(maxsize=256)
def _worst_variance(tree: Strategy, levels: Levels) -> float:
    """The largest variance of D, in that of one noise."""
    return max(_of_levels(tree, levels, tuple(range(tree.bins - 1))))


def _of_levels(tree: Strategy, levels: Levels, ends: tuple[int, ...]) -> list[float]:
    """The variance of D at the ends of some bins, for each level.

    It is a square in p, known from those at 0, 1/2 and 1. Plain sums and products of floats, which
    every machine rounds alike, decide what anyone who checks a release must find again.
    """
    if tree.has_public_total:
        return list(_variances(tree, ends, 0.0))
    none, half, whole = (_variances(tree, ends, part) for part in (0.0, HALF_OF_ALL, 1.0))
    return [
        (1 - 2 * p) * (1 - p) * a + 4 * p * (1 - p) * b + p * (2 * p - 1) * c
        for p in (level[0] / sum(level) for level in levels)
        for a, b, c in zip(none, half, whole, strict=True)
    ]


def _variances(tree: Strategy, ends: tuple[int, ...], part: float) -> tuple[float, ...]:
    each = (tree.weights(end, part) for end in ends)
    return tuple(sum(many * weight * weight for weight, many in terms) for terms in each)


def _furthest(
    noise: Noise,
    tree: Strategy,
    candidates: int,
    wanted: tuple[Decimal, ...],
    miss: float = MISS,
) -> int:
    """How many rows off the line may be that says least."""
    levels = map(level_of, wanted)
    return max(rank_bound(noise, tree, candidates, level, miss) for level in levels)


def candidates_of(plan: QueryPlan) -> tuple[int, ...]:
    """The grid indices of a plan's candidates."""
    return _places(plan.question)


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
def rank_bound(
    noise: Noise, tree: Strategy, candidates: int, level: tuple[int, int], miss: float = MISS
) -> int:
    """How many rows off a line may be; see the head of the module.

    Args:
        noise: of every count.
        tree: the shape drawn; it has more bins than candidates where values between are none.
        candidates: how many there are.
        level: a and b of the probability a / (a + b).
        miss: how often a line may be further off.
    """
    halvings = (candidates - 1).bit_length()
    error = error_between(noise, tree, tuple(range(tree.bins - 1)), level, miss / halvings)
    return error * rows_an_error(tree, candidates)


def rows_an_error(tree: Strategy, candidates: int) -> int:
    """How many rows off an error of D by one row can lead."""
    return 2 if tree.bins > candidates else 1


def error_between(
    noise: Noise,
    tree: Strategy,
    ends: tuple[int, ...],
    level: tuple[int, int],
    miss: float = MISS,
) -> int:
    """How far off D may be for one p, where it is counted at the ends of some bins."""
    below, part = _half_below(level, has_public_total=tree.has_public_total)
    mixed = convex_half_widths(noise, _terms(tree, ends, below), miss)
    if more := float(part):
        second = convex_half_widths(noise, _terms(tree, ends, below + HALF_OF_ALL), miss)
        mixed = ((1 - more) * mixed + more * second) * (1 + ROUNDING)
    return math.ceil(float(mixed.max()))


@lru_cache(maxsize=64)
def _terms(tree: Strategy, ends: tuple[int, ...], part: float) -> ManyTerms:
    """The noise of the rows up to the end of each bin, less such a part of all rows."""
    return ManyTerms(tuple(tree.weights(end, part) for end in ends), tree.drawn)


def _half_below(level: tuple[int, int], *, has_public_total: bool) -> tuple[float, Fraction]:
    """The half below p, and how far p lies from it to the next one, as a part of a half.

    >>> _half_below((3, 1), has_public_total=False)
    (0.5, Fraction(1, 2))
    """
    if has_public_total:
        return 0.0, Fraction(0)
    halves, part = divmod(2 * Fraction(level[0], sum(level)), 1)
    return halves * HALF_OF_ALL, part


def _places(question: Question) -> tuple[int, ...]:
    candidates = question.query.parameters_as(CandidateParameters).candidates
    return candidate_indices(number_column(question), candidates)


def _edges(column: NumberColumn, places: tuple[int, ...]) -> tuple[Decimal, ...]:
    """Where bins begin: behind each candidate but the last, and at the next where that is more."""
    starts = sorted({start for place, after in pairwise(places) for start in (place + 1, after)})
    return tuple(Decimal(grid_text(column, start)) for start in starts)
