# SPDX-License-Identifier: Apache-2.0
"""From all that a release drew to the figures that are made consistent.

Claim: what is returned is a function of noisy values and public constants alone (plans, made
without the data): post-processing, which costs nothing (Dwork and Roth 2014, proposition 2.1).
Anyone who has the manifest can do it again, in exact rationals; ``marginals`` proves that it is the
least-squares estimate and what its errors are, ``same_rows`` which answers it may join.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.public_total import TWO, all_counts
from dpdesk.privacy.reconcile.joined_tables import JoinedTables, added_by, axes_of, width_of
from dpdesk.privacy.reconcile.marginals import Consistent, rounded
from dpdesk.privacy.reconcile.same_rows import Answer, joined
from dpdesk.privacy.statistics.distribution import tree_of
from dpdesk.privacy.statistics.figures_text import rounding_digits

Figures = Sequence[Fraction | int]


def consistent_figures(answers: Sequence[Answer]) -> dict[int, ConsistentFigures]:
    """The figures of answers over the same rows, by the answers' places; none of the others.

    Args:
        answers: all answers of a release, in its order.
    """
    found: dict[int, ConsistentFigures] = {}
    plans, entries = [one.plan for one in answers], [one.drawn_in for one in answers]
    for places in joined(plans, entries):
        found |= _of_set(answers, places)
    return found


def _of_set(answers: Sequence[Answer], places: list[int]) -> dict[int, ConsistentFigures]:
    # Twins are one draw, for which one of them stands.
    once = list({answers[place].plan.canonical: answers[place] for place in places}.values())
    tables = JoinedTables(tuple(answer.plan for answer in once))
    figures = [_figures(answer) for answer in once]
    # Counts of trees are fractions; with one denominator all are whole numbers.
    parts = lcm(*(Fraction(one).denominator for table in figures for one in table))
    whole = [[int(one * parts) for one in table] for table in figures]
    total = None if tables.total is None else tables.total * parts
    consistent = Consistent(tables.marginals, whole, total)
    plans = [answers[place].plan for place in places]
    made = _Made(tables, consistent, parts, _digits(tables), tuple(plans))
    return {place: made.published(plan) for place, plan in zip(places, plans, strict=True)}


def _digits(tables: JoinedTables) -> int:
    """As many decimals in each table as in the finest: rounded figures add up, too."""
    own = (plan for plan in tables.plans if added_by(plan).within is None)
    margins = (tables.errors(plan).half_width() * width_of(plan) for plan in own)
    return max((rounding_digits(margin) for margin in margins), default=0)


@dataclass(frozen=True)
class _Made:
    """A set made consistent.

    Attributes:
        tables: the set.
        consistent: its figures.
        parts: how many of these are one.
        digits: how many decimals are published.
        plans: all queries that it answers.
    """

    tables: JoinedTables
    consistent: Consistent
    parts: int
    digits: int
    plans: tuple[QueryPlan, ...]

    def published(self, plan: QueryPlan) -> ConsistentFigures:
        """The figures of one query."""
        exact, denominator = self.consistent.numerators(axes_of(plan))
        # In the unit of the table: a whole number of noise is worth ``width``.
        width, errors = width_of(plan), self.tables.errors(plan)
        exact, denominator = exact * width.numerator, denominator * width.denominator * self.parts
        return ConsistentFigures(
            numerators=tuple(exact.ravel()),
            denominator=denominator,
            published=tuple(rounded(exact, denominator, 10**self.digits).ravel()),
            digits=self.digits,
            margin=errors.half_width() * width,
            errors=errors,
            width=width,
            others=tuple(one.query.id for one in self.plans if one is not plan),
        )


def _figures(answer: Answer) -> Figures:
    """The noisy figure of every line; of a tree, the best count of its cell."""
    plan, drawn = answer.plan, answer.noisy[0]
    if plan.public_total is not None and len(plan.lines) == TWO:
        return all_counts(drawn, plan.public_total, TWO)
    if added_by(plan).of_tree:
        tree = tree_of(plan)
        size = tree.drawn
        cells = (drawn[at : at + size] for at in range(0, len(drawn), size))
        return [tree.running_counts(cell, None)[-1] for cell in cells]
    return drawn
