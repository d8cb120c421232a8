# SPDX-License-Identifier: Apache-2.0
r"""A set of answers over the same rows as marginals, and the errors of their consistent figures.

Without figures: plans alone go in, so that a plan can say what a release will.

A distribution that was drawn as bins is a table with one more grouping, the bins; a share of rows
with a property one whose last grouping is "without, with". A tree of counts enters by the total T
of each cell, the least-squares one, whose noise is a known sum. What the other tables say about
the rows of a cell they say about T, so the tree's counts become (``hierarchical_counts``)

    F* = F + b (T* - T),    b = Cov(F, T) / Var(T),

which is least squares of all together, as the tree's other contrasts are uncorrelated with T.
Claim (errors of a tree). With kappa for what T counts in T* of its own cell, the error of
F* - s T* is that of F - (b - (b - s) kappa) T and, independent of it, (b - s) times all other
noises of T*. Why: put T* = kappa T + the others in.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from dpdesk.privacy.consistent import FigureErrors, FloatArray, NoiseTerms
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.kept_by_plan import KeptByPlan
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.public_total import TWO
from dpdesk.privacy.reconcile.marginals import Axis, LineWeights, Marginals, NoisyTable, variance_of
from dpdesk.privacy.reconcile.noise_sum import half_width
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import Added
from dpdesk.privacy.statistics.distribution import tree_of


def added_by(plan: QueryPlan) -> Added:
    """What an additive query adds up.

    Raises:
        ValueError: it adds up nothing.
    """
    added = what_adds_up(plan)
    if added is None:
        raise ValueError("not additive")
    return added


@KeptByPlan
def what_adds_up(plan: QueryPlan) -> Added | None:
    """What a query adds up over groups, if anything."""
    return METHODS[plan.query.statistic].added(plan)


def total_of(plan: QueryPlan) -> int | None:
    """What all that an additive query counts comes to, where that is public; of sums nothing is."""
    total = plan.question.public_total
    return total if total is not None and added_by(plan).what in ("rows", "people") else None


def width_of(plan: QueryPlan) -> Fraction:
    """What one is worth of the figures that enter; of strategies over bins they are rows."""
    return Fraction(1) if added_by(plan).of_tree else plan.parts[0].width


def axes_of(plan: QueryPlan) -> tuple[Axis, ...]:
    """The groupings of its table, with what tells the lines of a cell apart."""
    within = added_by(plan).within
    return plan.query.by if within is None else (*plan.query.by, within)


def sizes_of(plan: QueryPlan) -> dict[Axis, int]:
    """How many groups each has."""
    sizes: dict[Axis, int] = dict(zip(plan.query.by, map(len, plan.question.labels), strict=True))
    within = added_by(plan).within
    return sizes if within is None else sizes | {within: lines_of(plan)}


def lines_of(plan: QueryPlan) -> int:
    """How many counts are drawn in a cell, where all are of one level."""
    return plan.parts[0].cells // len(plan.cells)


@dataclass(frozen=True)
class JoinedTables:
    """A set of answers over the same rows.

    Attributes:
        plans: one a draw.
    """

    plans: tuple[QueryPlan, ...]

    @cached_property
    def total(self) -> int | None:
        """How many rows there are, where that is public; of one set it is of all or of none."""
        totals = map(total_of, self.plans)
        return next((total for total in totals if total is not None), None)

    @cached_property
    def marginals(self) -> Marginals:
        """Their shapes and noises."""
        sizes: dict[Axis, int] = {}
        for plan in self.plans:
            sizes |= sizes_of(plan)
        tables = tuple(NoisyTable(axes_of(p), _noises(p), _is_mirrored(p)) for p in self.plans)
        return Marginals(sizes, tables, self.total is not None)

    def place(self, plan: QueryPlan) -> int:
        """Which of the draws answers a query."""
        return next(i for i, one in enumerate(self.plans) if one.canonical == plan.canonical)

    def errors(self, plan: QueryPlan) -> SetErrors:
        """The errors of one query's consistent figures."""
        if added_by(plan).of_tree:
            return TreeErrors(self, plan)
        return LineErrors(self, plan)


@dataclass(frozen=True, eq=False)
class SetErrors(FigureErrors):
    """Of one query's figures, made consistent with those of its set."""

    tables: JoinedTables
    plan: QueryPlan

    def half_width(self, line: int = 0, share: float = 0.0, *, miss: float = MISS) -> Fraction:
        """See ``FigureErrors``."""
        return half_width(self.terms(line, share), miss)

    def variance(self, weights: FloatArray) -> float:
        """See ``FigureErrors``."""
        return self.tables.marginals.variance(axes_of(self.plan), weights)

    def summed(self, by: tuple[Axis, ...], lines: LineWeights = ()) -> NoiseTerms:
        """See ``FigureErrors``: consistent sums are the consistent figures by those groupings."""
        return self.tables.marginals.noises(by, lines)


class LineErrors(SetErrors):
    """Of a table."""

    @cached_property
    def least_certain(self) -> int:
        """See ``FigureErrors``. In the number of lines a variance is a polynomial of degree 2."""
        last = lines_of(self.plan) - 1
        if last < TWO:
            return last
        first, second, third = (variance_of(self.terms(line)) for line in range(3))
        slope, bend = second - first, third - 2 * second + first
        each = (first + line * slope + line * (line - 1) / 2 * bend for line in range(last + 1))
        return max(enumerate(each), key=lambda pair: pair[1])[0]

    def terms(self, line: int = 0, share: float = 0.0) -> NoiseTerms:
        """See ``FigureErrors``."""
        axes = axes_of(self.plan)
        if added_by(self.plan).within is None:
            return self.tables.marginals.noises(axes)
        behind = lines_of(self.plan) - line - 1
        lines = ((1 - share, line + 1), (-share, behind)) if behind else ((1 - share, line + 1),)
        return self.tables.marginals.noises(axes, lines)


class TreeErrors(SetErrors):
    """Of trees, one in each cell; see the head of the module."""

    @cached_property
    def least_certain(self) -> int:
        """See ``FigureErrors``: F* has lost b^2 times what T lost of its variance."""
        tree, one = tree_of(self.plan), variance_of(((self.plan.parts[0].noise, 1.0, 1),))
        axes = axes_of(self.plan)
        lost = variance_of(_noises(self.plan)) - variance_of(self.tables.marginals.noises(axes))

        def left(bin: int) -> float:
            return one * tree.variance(bin) - tree.part_of_total(bin) ** 2 * lost

        return max(range(tree.bins), key=left)

    @cached_property
    def _total(self) -> tuple[float, NoiseTerms]:
        """Kappa, and the other noises of T*."""
        axes, place = axes_of(self.plan), self.tables.place(self.plan)
        marginals = self.tables.marginals
        return marginals.own_weight(axes, place), marginals.noises(axes, own=place)

    def terms(self, line: int = 0, share: float = 0.0) -> NoiseTerms:
        """See ``FigureErrors``."""
        tree, noise = tree_of(self.plan), self.plan.parts[0].noise
        kappa, others = self._total
        beyond = tree.part_of_total(line) - share
        found: Counter[tuple[object, float]] = Counter()
        own = tree.weights(line, share + beyond * (1 - kappa))
        for weight, many in own:
            found[noise, weight] += many
        for other, weight, many in others:
            found[other, beyond * weight] += many
        return tuple((*term, many) for term, many in found.items() if term[1])  # type: ignore[misc]


def _noises(plan: QueryPlan) -> NoiseTerms:
    noise = plan.parts[0].noise
    if not added_by(plan).of_tree:
        return ((noise, 1.0, 1),)
    tree = tree_of(plan)
    return tuple((noise, weight, many) for weight, many in tree.weights(tree.bins - 1))


def _is_mirrored(plan: QueryPlan) -> bool:
    """Whether two groups hold everybody, of which one was drawn."""
    return plan.public_total is not None and plan.parts[0].cells < len(plan.lines) == TWO
