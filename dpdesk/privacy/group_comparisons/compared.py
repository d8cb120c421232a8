# SPDX-License-Identifier: Apache-2.0
"""The comparisons that a query declares, made of its released figures: post-processing, at no cost.

Claim: what is made here is a function of what was drawn, of the plan and of declarations, so it is
as private as the release (Dwork and Roth 2014, proposition 2.1). Figures are those of the table,
before a published form rounds them; intervals come of what was drawn for this table alone, and are
never so short that they leave the figure out. Each person has at most one row in the answer, so
groups are of different people.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal

from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.group_comparisons.intervals import (
    Estimate,
    Reach,
    contrast_ends,
    odds_ratio_ends,
    ratio_ends,
)
from dpdesk.privacy.group_comparisons.model_cells import ModelCells
from dpdesk.privacy.group_comparisons.null_tables import (
    DRAWS,
    CrossCounts,
    chi_squared,
    p_of_contrast,
    p_of_table,
)
from dpdesk.privacy.group_comparisons.released_cells import ReleasedAnswer, released_cells, scale_of
from dpdesk.privacy.group_comparisons.score_models import Effect, effect_of
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.population.counts_and_shares import Ends, expected_count
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import Noisy, PlannedNoisy
from dpdesk.privacy.statistics.figures_text import fixed, rounding_digits
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.queries import GroupComparison
from dpdesk.study.model.statistics import ModelKind

Measure = Literal[
    "difference",
    "ratio",
    "odds-ratio",
    "change-per-group",
    "chi-squared",
    "modelled-odds-ratio",
    "modelled-rate-ratio",
    "modelled-difference",
]
Why = Literal["", "not-positive", "no-interval", "noise", "not-measured", "no-effect"]
"""Why a figure is missing, or its p-value: a figure that is not positive divides nothing; the noise
is large beside the groups; the test's level was not measured; noise leaves a model no effect."""

P_DIGITS: Final = len(str(DRAWS))
_SIGNIFICANT = 10
"""Digits to which ends are worked out alike on every machine."""


@dataclass(frozen=True)
class ComparedFigure:
    """One figure of a comparison.

    Attributes:
        outer: labels of the query's other groupings.
        group, reference: what is compared with what; empty where all groups are.
        value: ``None`` where there is none.
        ends: between what the population's figure lies; ``None`` where that is not known.
        p: how often noise and chance alone would do as much; ``None`` where it is not known.
        why: what is missing.
        freedom: degrees of freedom of chi-squared.
    """

    outer: tuple[str, ...]
    group: str = ""
    reference: str = ""
    measure: Measure = "difference"
    value: Fraction | None = None
    ends: Reach | None = None
    p: Fraction | None = None
    why: Why = ""
    freedom: int = 0


def with_comparisons(
    table: Table,
    plan: QueryPlan,
    noisy: Noisy,
    consistent: ConsistentFigures | None = None,
    spread: PlannedNoisy | None = None,
) -> Table:
    """A query's table with the one of its declared comparisons, if it declares some.

    Args:
        table: as published.
        plan: the query's.
        noisy: what was drawn.
        consistent: its figures, where they were made consistent with those of other tables.
        spread: the answer with the variance of a mean's cells.
    """
    if not plan.query.comparisons:
        return table
    answered = _Compares(plan, noisy, consistent, spread)
    made = (_Compared(answered, one) for one in plan.query.comparisons)
    rows = tuple(_texts(one, figure) for one in made for figure in one.figures())
    columns = (*table.columns[: len(plan.by)], *_COLUMNS)
    return replace(table, compared=Table(table.id, table.title, columns, rows))


_MODELLED: Final[Mapping[ModelKind, Measure]] = {
    "logistic": "modelled-odds-ratio",
    "poisson": "modelled-rate-ratio",
    "linear": "modelled-difference",
}
_COLUMNS: Final = (
    TableColumn("compared_by", "group", "", ""),
    TableColumn("compared_with", "group", "", ""),
    TableColumn("figure", "measure", "", ""),
    TableColumn("value", "value", "", ""),
    TableColumn("population_lowest_95", "population-lowest", "", ""),
    TableColumn("population_highest_95", "population-highest", "", ""),
    TableColumn("degrees_of_freedom", "part", "", ""),
    TableColumn("p_value", "p-value", "", ""),
    TableColumn("why_missing", "why", "", ""),
)


@dataclass(frozen=True)
class _Compares(ReleasedAnswer):
    """A query's answer, of which groups are compared."""

    @cached_property
    def estimates(self) -> Mapping[tuple[str, ...], Estimate | None]:
        """Each cell's figure with its interval for the population; ``None`` where there is none."""
        values = map(self._value, range(len(self.plan.cells)))
        found = (
            None if value is None else Estimate(value, *(ends or (None, None)))
            for value, ends in zip(values, self._ends(), strict=True)
        )
        return dict(zip(self.plan.cells, found, strict=True))

    @cached_property
    def model(self) -> ModelCells:
        """The cells of its model."""
        return released_cells(self)

    @property
    def noise(self) -> Noise:
        return self.plan.parts[0].noise

    def _value(self, cell: int) -> Fraction | None:
        method = METHODS[self.plan.query.statistic]
        if self.consistent is None:
            (figure,) = method.figures_at(self.plan, self.noisy, cell, MISS)
        elif self.has_counts:
            return self.consistent.value(cell)
        else:
            (figure,) = method.consistent_figures_at(self.plan, self.consistent, cell, MISS)
        return None if figure is None else figure.value

    def _ends(self) -> Iterator[Ends | None]:
        if self.has_counts:
            # Also where all add up to a public number: then groups are nearer than independent
            # ones, and an interval of these is too wide.
            return (expected_count(count, self.noise) for count in self.noisy[0])
        return METHODS[self.plan.query.statistic].population(self.plan, self.noisy, self.spread)

    @property
    def has_counts(self) -> bool:
        return self.plan.query.declaration.is_total

    @property
    def has_shares(self) -> bool:
        return self.plan.query.declaration.is_share

    def counts(self, cell: tuple[str, ...]) -> tuple[int, ...]:
        """What was drawn of a cell: without and with the property, or how many."""
        each = len(self.noisy[0]) // len(self.plan.cells)
        place = each * self.plan.cells.index(cell)
        return self.noisy[0][place : place + each]


@dataclass(frozen=True)
class _Compared:
    """One comparison of an answer."""

    answered: _Compares
    declared: GroupComparison

    @cached_property
    def place(self) -> int:
        """Of the grouping whose groups are compared."""
        names = [column_of(one) for one in self.answered.plan.query.by]
        return names.index(self.declared.by)

    @cached_property
    def groups(self) -> tuple[str, ...]:
        return self.answered.plan.question.labels[self.place]

    def figures(self) -> Iterator[ComparedFigure]:
        if self.declared.kind == "test":
            yield from self._tests()
            return
        if self.declared.kind == "model":
            yield from self._modelled()
            return
        made = self._trend if self.declared.kind == "trend" else self._beside_reference
        for outer in self._outer():
            yield from made(outer)

    def _outer(self) -> tuple[tuple[str, ...], ...]:
        """The labels of all other groupings."""
        at = self.place
        cells = self.answered.plan.cells
        return tuple(dict.fromkeys((*cell[:at], *cell[at + 1 :]) for cell in cells))

    def _cell(self, outer: tuple[str, ...], group: str) -> tuple[str, ...]:
        return (*outer[: self.place], group, *outer[self.place :])

    def _beside_reference(self, outer: tuple[str, ...]) -> Iterator[ComparedFigure]:
        reference = self.declared.reference
        for group in self.groups:
            if group != reference:
                yield from self._pair(outer, group, reference)

    def _pair(self, outer: tuple[str, ...], group: str, reference: str) -> Iterator[ComparedFigure]:
        named = ComparedFigure(outer, group, reference)
        difference = self._contrast(named, (Fraction(1), Fraction(-1)), (group, reference))
        yield difference
        if self.answered.has_counts or self.answered.has_shares:
            sides = self._estimates(outer, (group, reference))
            yield _ratio(difference, "ratio", sides)
            if self.answered.has_shares:
                yield _ratio(difference, "odds-ratio", sides)

    def _modelled(self) -> Iterator[ComparedFigure]:
        """Each group beside the reference, alike in all other groupings."""
        plan, reference = self.answered.plan, self.declared.reference
        measure = _MODELLED[self.answered.model.shape.kind]
        for place, group in enumerate(self.groups):
            if group == reference:
                continue
            named = ComparedFigure(("",) * (len(plan.by) - 1), group, reference, measure)
            at = self.groups.index(reference)
            effect = effect_of(self.answered.model, self.place, place, at)
            yield self._reported(named, effect)

    def _reported(self, named: ComparedFigure, effect: Effect | None) -> ComparedFigure:
        """An effect in the unit in which it is read."""
        if effect is None:
            return replace(named, why="no-effect")
        low, value, high = effect.low, effect.value, effect.high
        if self.answered.model.is_linear:
            unit = float(scale_of(self.answered.plan))
            low, value, high = (unit * one for one in (low, value, high))
        else:
            low, value, high = map(math.exp, (low, value, high))
        whole = None if effect.p is None else max(round(effect.p * 10**P_DIGITS), 1)
        p = None if whole is None else Fraction(whole, 10**P_DIGITS)
        why: Why = "" if p else "noise"
        return replace(named, value=_settled(value), ends=(low, high), p=p, why=why)

    def _trend(self, outer: tuple[str, ...]) -> Iterator[ComparedFigure]:
        named = ComparedFigure(outer, measure="change-per-group")
        yield self._contrast(named, slope(len(self.groups)), self.groups)

    def _tests(self) -> Iterator[ComparedFigure]:
        """Of shares one in each of the other groupings; of counts by two groupings, one of all."""
        if self.answered.has_shares:
            for outer in self._outer():
                counts = [self._counts(outer, group) for group in self.groups]
                yield _tested(outer, CrossCounts(tuple(counts), self.answered.noise))
            return
        outers = self._outer()
        cells = (tuple(self._counts(one, group)[0] for one in outers) for group in self.groups)
        yield _tested(("",) * (len(outers[0])), CrossCounts(tuple(cells), self.answered.noise))

    def _counts(self, outer: tuple[str, ...], group: str) -> tuple[int, ...]:
        return self.answered.counts(self._cell(outer, group))

    def _estimates(self, outer: tuple[str, ...], groups: Sequence[str]) -> list[Estimate | None]:
        return [self.answered.estimates[self._cell(outer, group)] for group in groups]

    def _contrast(
        self, named: ComparedFigure, weights: Sequence[Fraction], groups: Sequence[str]
    ) -> ComparedFigure:
        """A weighted sum over groups, whose weights add up to 0."""
        sides = [one for one in self._estimates(named.outer, groups) if one is not None]
        if len(sides) < len(groups):
            return replace(named, why="not-positive")
        pairs = zip(weights, sides, strict=True)
        found = replace(named, value=sum((w * one.value for w, one in pairs), Fraction(0)))
        if not all(one.is_known for one in sides):
            return replace(found, why="no-interval")
        found = replace(found, ends=contrast_ends(weights, sides))
        if not (self.answered.has_counts or self.answered.has_shares):
            return replace(found, why="not-measured")
        counts = tuple(self._counts(named.outer, group) for group in groups)
        p = p_of_contrast(CrossCounts(counts, self.answered.noise), weights)
        return replace(found, p=p, why="" if p else "noise")


def slope(groups: int) -> tuple[Fraction, ...]:
    """The weights of least squares: by how much figures rise from one group to the next.

    >>> [str(weight) for weight in slope(3)]
    ['-1/2', '0', '1/2']
    """
    middle = Fraction(groups - 1, 2)
    far = [place - middle for place in range(groups)]
    squares = sum(one * one for one in far)
    return tuple(one / squares for one in far)


def _ratio(
    difference: ComparedFigure, measure: Measure, sides: Sequence[Estimate | None]
) -> ComparedFigure:
    """The ratio of two figures, or of their odds; its test is that of the difference."""
    one, other = sides
    none = replace(difference, measure=measure, value=None, ends=None, p=None, why="not-positive")
    if one is None or other is None or one.value < 0 or other.value <= 0:
        return none
    if measure == "ratio":
        value, ends = one.value / other.value, ratio_ends
    elif one.value > 0 and float(max(one.value, other.value)) < 1:
        value = one.value * (1 - other.value) / (other.value * (1 - one.value))
        ends = odds_ratio_ends
    else:
        return none
    found = ends(one, other) if one.is_known and other.is_known else None
    return replace(difference, measure=measure, value=value, ends=found)


def _tested(outer: tuple[str, ...], cross: CrossCounts) -> ComparedFigure:
    found, freedom = chi_squared(cross)
    p = p_of_table(cross)
    figure = ComparedFigure(outer, measure="chi-squared", value=_settled(found), freedom=freedom)
    return replace(figure, p=p, why="" if p else "noise")


def _texts(compared: _Compared, figure: ComparedFigure) -> tuple[str, ...]:
    """A line of the table."""
    at = compared.place
    labels = (*figure.outer[:at], figure.group, *figure.outer[at:], compared.declared.by)
    value, *ends = _figure_texts(figure)
    freedom = str(figure.freedom) if figure.freedom else ""
    p = "" if figure.p is None else fixed(round(figure.p * 10**P_DIGITS), P_DIGITS)
    return (*labels, figure.reference, figure.measure, value, *ends, freedom, p, figure.why)


def _figure_texts(figure: ComparedFigure) -> tuple[str, str, str]:
    """A figure, and its ends outwards, to two digits of half of its interval; it is between them.

    Without an interval, or with one that is open above, to three digits of itself.
    """
    if figure.value is None:
        return "", "", ""
    low, high = (None, None) if figure.ends is None else figure.ends
    if low is None or high is None or math.isinf(high):
        wide = abs(figure.value) / 20
    else:
        wide = max(_settled(high) - _settled(low), Fraction(0)) / 2
    digits = rounding_digits(wide)
    value = fixed(round(figure.value * 10**digits), digits)
    least = "" if low is None else _outwards(min(_settled(low), figure.value), digits, math.floor)
    if high is None or math.isinf(high):
        return value, least, ""
    return value, least, _outwards(max(_settled(high), figure.value), digits, math.ceil)


def _settled(end: float) -> Fraction:
    """An end, alike on machines whose last bits differ."""
    return Fraction(f"{end:.{_SIGNIFICANT}g}")


def _outwards(end: Fraction, digits: int, rounded: Callable[[Fraction], int]) -> str:
    return fixed(rounded(end * 10**digits), digits)
