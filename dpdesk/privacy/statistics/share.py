# SPDX-License-Identifier: Apache-2.0
r"""The share of rows with a property: two noisy counts, those without and those with it.

Splitting every cell in two and counting both halves is one histogram, drawn with all of the
budget, where a numerator and a denominator of their own would have half each.

Let w and o be the exact counts with and without, X and Y their independent noises, N = w + o and
p = w / N. The published share is (w + X) / (N + X + Y), and

    (w + X) - p * (N + X + Y) = (1 - p) * X - p * Y,

which lies within max(|X|, |Y|) whatever p is. Hence with q the smallest whole number for which
P(|X| <= q) * P(|Y| <= q) >= 95 %,

    |published - p| <= q / (noisy total)       at least 95 times in 100,

for every data set with a positive noisy total (Fieller 1954, with exact noise; see ``ratio``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import rows_sensitivity
from dpdesk.privacy.statistics.base import Method, Noisy, PublishedColumn, additive_part, measure_of
from dpdesk.privacy.statistics.counts import RANGE
from dpdesk.privacy.statistics.figures_text import Figure, rounded_texts
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.parameters import PropertyParameters

BOTH = 1 - math.sqrt(1 - MISS)
"""What each of two independent noises may miss, so that both hold 95 times in 100."""


class Proportion(Method):
    """The fraction of rows with a property, of those of which it is known.

    Claim: the vector (without, with) over all cells is a count of rows over twice as many cells,
    so its sensitivity is that of ``rows_sensitivity``; under change-one a person's k rows can
    leave one half and enter the other. Where the number of rows is public (change-one, one row
    a person, no group) the rows with the property alone are counted: one cell, moved by one.
    """

    def parts(self, question: Question) -> tuple[Part, ...]:
        """Both halves of every cell, or the one that tells the other."""
        unit, is_public = question.unit, question.public_rows is not None
        has = question.query.parameters_as(PropertyParameters).has
        cells = 1 if is_public else 2 * question.size
        sensitivity = rows_sensitivity(unit.max_rows, cells, unit.neighbours)
        measure = (
            AggregateSpec("rows", where=has)
            if is_public
            else measure_of(question, "rows", split=has)
        )
        return (additive_part("rows", measure, cells, sensitivity, question.share, question),)

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """From the public number of rows, or from the expected group size."""
        rows = question.public_rows
        if rows is not None:
            return min(Fraction(parts[0].half_width, rows), Fraction(1))
        if question.query.expected is None:
            return None
        return min(Fraction(_both(parts[0]), question.query.expected), Fraction(1))

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """Both counts, or the one, within one margin."""
        each = miss if _is_public(plan) else 1 - math.sqrt(1 - miss)
        margin = noise_distribution.half_width(plan.parts[0].noise, each)
        return min(Fraction(margin, plan.rows_divided_by), Fraction(1))

    def possible(self, plan: QueryPlan) -> Possible:
        """Any part of the whole."""
        return Possible(Fraction(0), Fraction(1))

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin, range, and the noisy counts."""
        names = ("noisy_with",) if _is_public(plan) else ("noisy_without", "noisy_with")
        parts = (PublishedColumn(name, "part", has_unit=False) for name in names)
        return (PublishedColumn("share", "value"), *RANGE, *parts)

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The share with its margin."""
        noise = plan.parts[0].noise
        if _is_public(plan):
            margin = noise_distribution.half_width(noise, miss)
            return (_figure(noisy[0][0], plan.unit.people or 0, margin),)
        counts = noisy[0][2 * cell : 2 * cell + 2]
        margin = noise_distribution.half_width(noise, 1 - math.sqrt(1 - miss))
        return (_figure(counts[1], sum(counts), margin),)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; nothing but the counts where their sum is below one."""
        part, is_public, least, most = plan.parts[0], _is_public(plan), Fraction(0), Fraction(1)
        halves, margin = iter(noisy[0]), part.half_width if is_public else _both(part)
        for counts in zip(halves) if is_public else zip(halves, halves, strict=True):
            total = plan.unit.people or 0 if is_public else sum(counts)
            figure = _figure(counts[-1], total, margin)
            yield (*rounded_texts(figure, least, most), *map(str, counts))


def _is_public(plan: QueryPlan) -> bool:
    """Whether the number of rows is public: then one count is drawn, not two."""
    return not plan.parts[0].measure.split


def _both(part: Part) -> int:
    """Q of the claim above."""
    return noise_distribution.half_width(part.noise, BOTH)


def _figure(having: int, total: int, margin: int) -> Figure | None:
    if total < 1:
        return None
    value = min(max(Fraction(having, total), Fraction(0)), Fraction(1))
    return Figure(value, min(Fraction(margin, total), Fraction(1)))
