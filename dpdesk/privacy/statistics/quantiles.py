# SPDX-License-Identifier: Apache-2.0
r"""Median, quantiles and interquartile range: one of the declared candidates is chosen.

For the probability p = a / (a + b), whole a and b, a value c is a quantile of N rows where
#{x < c} <= p N <= #{x <= c}. The candidate c has the score

    -max(0, u, v),    u = a #{x > c} - b #{x <= c},    v = b #{x < c} - a #{x >= c}.

As u = (a + b) (p N - #{x <= c}) and v = (a + b) (#{x < c} - p N), it is -(a + b) times by how many
rows p N lies outside the rows that equal c, and 0 exactly where c is a quantile. OpenDP's score,
-|b #{x < c} - a #{x > c}| (``make_quantile_score_candidates``; Smith, Privacy-preserving
statistical estimation with optimal convergence rates, 2011), forgets the rows that equal c: of 525
rows of 0 and 475 of 100 it prefers 43 to 0.

Sensitivity of the scores, one cell (the largest change of one candidate's score). A row above c
counts a in u and -a in v, one below -b in u and b in v, one at c -b in u and -a in v. The largest
of 0, u and v moves by no more than they do:

* add-remove: a row moves u and v by a or b, so a person's k rows by at most k * max(a, b);
* change-one: each of k rows moves from one place to another, u by a + b if it leaves or enters what
  is above c, v if what is below; if only one of the two counts in this cell, by max(a, b) < a + b:
  so k * (a + b). Also at the lowest and highest candidate: a row from above onto the lowest moves
  its u by a + b.

With several cells, choices in different cells are independent draws whose losses add (see
``Noise.norm``): what counts is the sum over the cells of the largest change, in zCDP of its square
(see ``score_functions``: k^2 * max((a + b)^2, 2 max(a, b)^2) under change-one). A person's rows
that j_c in cell c number at most k in all, so add-remove stays k * max(a, b); under change-one a
person can leave a cell with k rows and enter another: each row then counts max(a, b) twice, and 2
* max(a, b) >= a + b, so 2k * max(a, b).

The score is not monotonic, and the largest rise plus the largest fall is no better: where a
quantile lies strictly between two candidates, u > 0 at the lower and v > 0 at the upper, and a row
that comes above both lowers one score and raises the other by a, one that comes below by b, one
that moves across both by a + b. So rise plus fall reaches twice the above, and costs the same.

Claim (rows off): where every grid value is a candidate, p N lies outside the chosen value's rows by
more than ``rows_off`` at most 5 times in 100. Why: the best score is 0, as the lowest grid value
with #{x <= c} >= p N is a quantile: the highest has N there, and the value before it, whose rows
up to it are those below c, has fewer than p N. Where declared candidates leave values out, even the
best may be any number of rows off, which nothing public bounds; there the claim is about how many
rows the chosen candidate is further off than the best.

Shares (several quantiles): a choice whose scores one person moves by s rows, s the above divided by
a + b, is off by a multiple of s / epsilon or s / sqrt(rho) at most. All have the same bound where
shares are as s, in zCDP as its square, and then no other shares make the largest bound smaller.
Under change-one in one cell all s are k.

Several quantiles are sorted after their choice, so that they rise. A line says how far off its
rank may be only where it shows its own choice. What was chosen for another quantile is off by no
more than the bound where both choices keep theirs, but that is not so 95 times in 100: of two
quantiles that are nearly one, the larger choice is too large when either is. Claim: a line says
something that is false at most 5 times in 100. Why: it then shows its own choice, and that one is
further off than its bound.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import lcm

from dpdesk.privacy.accounting import calibrate
from dpdesk.privacy.distributions.selection import score_bound
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan, ScoreBound
from dpdesk.privacy.question import Question
from dpdesk.privacy.score_functions import Score
from dpdesk.privacy.statistics.base import (
    FROM_BEST,
    CandidateChoice,
    Noisy,
    PublishedColumn,
    choice_part,
    measure_of,
    number_column,
    way_of,
)
from dpdesk.study.model.amount import ZERO, Share
from dpdesk.study.model.groupings import candidate_indices, grid_text, leaves_values_out
from dpdesk.study.model.parameters import CandidateParameters, QuantileParameters
from dpdesk.study.model.unit import Unit

HALF = Decimal("0.5")


def quantile_sensitivity(
    unit: Unit, cells: int, level: tuple[int, int], share: Share = ZERO, m: int | None = None
) -> int:
    """The largest change of the scores over all cells, in the norm of the choice that a share buys.

    See the head of the module, and ``score_functions``.

    Args:
        unit: the privacy unit.
        cells: number of cells.
        level: a and b.
        share: of the choice.
        m: a person's rows in one cell, at most; ``None`` for no limit of its own.
    """
    return _score(level).distance(unit, cells, share, m)


def _score(level: tuple[int, int]) -> Score:
    return Score("quantile", row=max(level), swap=sum(level))


def level_of(probability: Decimal) -> tuple[int, int]:
    """The smallest whole a and b with a / (a + b) = probability.

    >>> level_of(Decimal("0.9"))
    (9, 1)
    """
    fraction = Fraction(probability)
    return fraction.numerator, fraction.denominator - fraction.numerator


def _weights(question: Question, wanted: tuple[Decimal, ...]) -> tuple[int, ...]:
    """Parts of the share with which every choice has the same bound; see the head of the module.

    Of deciles the outermost has the weight 9 and the median 5, in zCDP 81 and 25.

    >>> tenths = Decimal("0.1"), Decimal("0.5")
    >>> _in_whole_numbers([max(level) / Fraction(sum(level)) for level in map(level_of, tenths)])
    (9, 5)
    """
    return _in_whole_numbers(_needs(question, tuple(map(level_of, wanted))))


def _needs(question: Question, levels: tuple[tuple[int, int], ...]) -> list[Fraction]:
    """The s of each choice; in zCDP its square."""
    unit, parts = question.unit, []
    cells, most = question.size, question.query.rows_per_group
    for level in levels:
        score, points = _score(level), sum(level)
        if question.share.measure == "rho":
            parts.append(Fraction(score.squared(unit, cells, most), points**2))
        else:
            parts.append(Fraction(score.sensitivity(unit, cells, most), points))
    return parts


def scale_of_choices(question: Question, levels: tuple[tuple[int, int], ...]) -> float:
    """The scale of every choice in rows, were the share 1; at a share it is that over it.

    In zCDP over its root. A choice's scale is 2 s / epsilon, or s / sqrt(2 rho), for its part of
    the share, and these parts are as s, or as its square.
    """
    needed = float(sum(_needs(question, levels)))
    return math.sqrt(needed / 2) if question.share.measure == "rho" else 2 * needed


def _in_whole_numbers(parts: list[Fraction]) -> tuple[int, ...]:
    common = lcm(*(part.denominator for part in parts))
    return tuple(int(part * common) for part in parts)


class QuantileChoices(CandidateChoice):
    """Several quantiles, each a choice of its own; monotone after the release."""

    def probabilities(self, question: Question) -> tuple[Decimal, ...]:
        """Which quantiles are chosen."""
        return question.query.parameters_as(QuantileParameters).quantiles

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One choice a quantile and cell."""
        wanted = self.probabilities(question)
        shares = calibrate.split(question.share, _weights(question, wanted))
        return tuple(
            self._part(question, probability, share)
            for probability, share in zip(wanted, shares, strict=True)
        )

    def _part(self, question: Question, probability: Decimal, share: Share) -> Part:
        level = level_of(probability)
        candidates = question.query.parameters_as(CandidateParameters).candidates
        places = candidate_indices(number_column(question), candidates)
        cells = question.size
        return choice_part(
            f"quantile-{probability.normalize():f}".replace(".", "-"),
            measure_of(question, "quantile-scores", levels=level, candidates=places),
            cells * len(places),
            Noise("noisy-max", 1.0, blocks=cells),
            quantile_sensitivity(question.unit, cells, level, share, question.query.rows_per_group),
            share,
            lambda noise: score_bound(len(places), noise.scale, way_of(noise)),
        )

    def inner(self, question: Question) -> tuple[str, ...]:
        """Each line says which quantile it is."""
        return ("quantile",)

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """The probabilities."""
        return tuple((f"{p.normalize():f}",) for p in self.probabilities(question))

    def bound(self, question: Question, parts: tuple[Part, ...]) -> ScoreBound | None:
        """How many rows the wanted rank lies outside the chosen value's own, at most."""
        candidates = question.query.parameters_as(CandidateParameters).candidates
        is_from_best = leaves_values_out(number_column(question), candidates)
        return ScoreBound(self.rows_off(question, parts), "rows", is_from_best)

    def row_adds(self, plan: QueryPlan) -> Fraction:
        """A rank that is off by half of the rows of a group may be that of any of them."""
        return Fraction(1, 2)

    def rows_off(self, question: Question, parts: tuple[Part, ...]) -> Fraction:
        """The bound of the line that says least.

        A score of -s is s / (a + b) rows off; see the head of the module.
        """
        return max(Fraction(part.half_width, sum(part.measure.levels)) for part in parts)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """The value, and how far off its rank may be."""
        return (PublishedColumn("value", "value"), self.rows_head(plan))

    def rows_head(self, plan: QueryPlan) -> PublishedColumn:
        """Its name says what it is counted from."""
        is_from_best = plan.bound is not None and plan.bound.is_from_best
        name = FROM_BEST if is_from_best else "rows_off_95"
        return PublishedColumn(name, "score-bound", has_unit=False)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a quantile, in rising order: sorting is post-processing."""
        column = number_column(plan)
        for cell in range(len(plan.cells)):
            chosen = self.chosen(plan, noisy, cell)
            rising = sorted(place for place, _ in chosen)
            for place, (own, off) in zip(rising, chosen, strict=True):
                yield grid_text(column, place), off if place == own else ""

    def chosen(self, plan: QueryPlan, noisy: Noisy, cell: int) -> list[tuple[int, str]]:
        """The grid index of each quantile, as it was chosen, and how far off its rank may be."""
        places = plan.parts[0].measure.candidates
        pairs = zip(noisy, plan.parts, strict=True)
        return [(places[vector[cell]], _rows_off(part)) for vector, part in pairs]


class Median(QuantileChoices):
    """The middle one."""

    def probabilities(self, question: Question) -> tuple[Decimal, ...]:
        """One half."""
        return (HALF,)

    def inner(self, question: Question) -> tuple[str, ...]:
        """One line a cell."""
        return ()

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """One line a cell."""
        return ((),)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """The median, and how far off its rank may be."""
        heads = super().heads(plan)
        return (replace(heads[0], name="median"), *heads[1:])


def _rows_off(part: Part) -> str:
    """The bound in rows, rounded up to one decimal."""
    tenths = -(-10 * part.half_width // sum(part.measure.levels))
    whole, tenth = divmod(tenths, 10)
    return f"{whole}.{tenth}" if tenth else str(whole)
