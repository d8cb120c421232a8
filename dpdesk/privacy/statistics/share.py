# SPDX-License-Identifier: Apache-2.0
r"""The share of rows with a property: two noisy counts, those without and those with it.

Splitting every cell in two and counting both halves is one histogram, drawn with all of the
budget, where a numerator and a denominator of their own would have half each.

Its margin is that of ``share_error``: of all shares that fit what was drawn, the one furthest from
the published share is no further away, at least 95 times in 100, for every data set with a
positive noisy total. It is widest where almost none or almost all have the property, and before
anything is drawn that is what is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpdesk.privacy.consistent import ConsistentFigures, FigureErrors
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.share_error import (
    ConsistentShare,
    share_margin,
    worst_half_width,
)
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.population.counts_and_shares import Ends, share_of_known, share_of_noisy
from dpdesk.privacy.public_total import TWO
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import rows_sensitivity
from dpdesk.privacy.statistics.base import (
    Added,
    Method,
    Noisy,
    PlannedNoisy,
    PublishedColumn,
    additive_part,
    measure_of,
)
from dpdesk.privacy.statistics.counts import RANGE
from dpdesk.privacy.statistics.figures_text import Figure, rounded_texts
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import keeps_every_row
from dpdesk.study.model.parameters import PropertyParameters


class Proportion(Method):
    """The fraction of rows with a property, of those of which it is known.

    Claim: the vector (without, with) over all cells is a count of rows over twice as many cells,
    so its sensitivity is that of ``rows_sensitivity``; under change-one a person's k rows can
    leave one half and enter the other. Where the number of rows is public (change-one, one row
    a person, no group) the rows with the property alone are counted: one cell, moved by one.
    """

    def parts(self, question: Question) -> tuple[Part, ...]:
        """Both halves of every cell, or the one that gives the other."""
        unit, is_public = question.unit, question.public_rows is not None
        has = question.query.parameters_as(PropertyParameters).has
        cells = 1 if is_public else 2 * question.size
        sensitivity = rows_sensitivity(
            *(unit.max_rows, question.size, unit.neighbours, question.query.rows_per_group),
            split=not is_public,
        )
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
        return min(worst_half_width(parts[0].noise) / question.query.expected, Fraction(1))

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """Whatever the share is."""
        noise = plan.parts[0].noise
        one = noise_distribution.half_width if _is_public(plan) else worst_half_width
        return min(Fraction(one(noise, miss)) / plan.rows_divided_by, Fraction(1))

    def added(self, plan: QueryPlan) -> Added | None:
        """Rows without and with the property, where both are drawn.

        Of which rows it is known is the same for shares of one property alone, unless its columns
        keep every row.
        """
        if _is_public(plan):
            return None
        question = plan.question
        has = ("has", question.has)
        tested = {one.column for one in question.has}
        kept = all(keeps_every_row(one) for one in question.used if one.name in tested)
        return Added("rows", has, frozenset() if kept else frozenset({has}))

    def consistent_accuracy(self, plan: QueryPlan, errors: FigureErrors, miss: float) -> Fraction:
        """Whatever the share is."""
        return min(ConsistentShare(errors, 0, TWO, miss).widest / plan.rows_divided_by, Fraction(1))

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
        counts = 1 if _is_public(plan) else 2
        return (_figure(plan, noisy[0][counts * cell : counts * (cell + 1)], miss),)

    def population(
        self,
        plan: QueryPlan,
        noisy: Noisy,
        spread: PlannedNoisy | None = None,
        miss: float = MISS,
    ) -> Iterator[Ends | None]:
        """Of the probability that a row has the property."""
        noise, counts = plan.parts[0].noise, iter(noisy[0])
        if _is_public(plan):
            rows = plan.unit.people or 0
            return (share_of_known(having, rows, noise, miss) for having in counts)
        pairs = zip(counts, counts, strict=True)
        return (
            None if sum(pair) < 1 else share_of_noisy(pair[1], pair[0], noise, miss)
            for pair in pairs
        )

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; nothing but the counts where their sum is below one."""
        counts, least, most = iter(noisy[0]), Fraction(0), Fraction(1)
        for drawn in zip(counts) if _is_public(plan) else zip(counts, counts, strict=True):
            yield (*rounded_texts(_figure(plan, drawn, MISS), least, most), *map(str, drawn))

    def consistent_figures_at(
        self, plan: QueryPlan, figures: ConsistentFigures, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The share of the consistent counts, with its margin."""
        return (_consistent(figures, cell, ConsistentShare(figures.errors, 0, TWO, miss)),)

    def consistent_rows(
        self, plan: QueryPlan, noisy: Noisy, figures: ConsistentFigures
    ) -> tuple[tuple[str, ...], ...]:
        """One line a cell, with the counts as they were drawn."""
        widths, counts = ConsistentShare(figures.errors, 0, TWO), iter(noisy[0])
        rows = []
        pairs = zip(counts, counts, strict=True)
        for cell, (labels, drawn) in enumerate(zip(plan.cells, pairs, strict=True)):
            share = _consistent(figures, cell, widths)
            texts = rounded_texts(share, Fraction(0), Fraction(1))
            rows.append((*labels, *texts, *map(str, drawn)))
        return tuple(rows)


def _consistent(figures: ConsistentFigures, cell: int, widths: ConsistentShare) -> Figure | None:
    without, having = (figures.value(TWO * cell + line) for line in range(TWO))
    total = without + having
    if total < 1:
        return None
    near = having / total
    low, high = widths.figure_ends(near, total)
    share = min(max(near, Fraction(0)), Fraction(1))
    return Figure(share, max(share - low, high - share))


def _is_public(plan: QueryPlan) -> bool:
    """Whether the number of rows is public: then one count is drawn, not two."""
    return not plan.parts[0].measure.split


def _figure(plan: QueryPlan, drawn: tuple[int, ...], miss: float) -> Figure | None:
    """The share from those without and with the property, or from those with it alone."""
    noise, having = plan.parts[0].noise, drawn[-1]
    total = plan.unit.people or 0 if _is_public(plan) else sum(drawn)
    if total < 1:
        return None
    value = min(max(Fraction(having, total), Fraction(0)), Fraction(1))
    if _is_public(plan):
        margin = Fraction(noise_distribution.half_width(noise, miss), total)
        return Figure(value, min(margin, Fraction(1)))
    return Figure(value, share_margin(noise, having, total, miss))
