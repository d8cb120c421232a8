# SPDX-License-Identifier: Apache-2.0
"""From all that a release drew to the figures that are made consistent.

Claim: what is returned is a function of noisy values and public constants alone (plans, made
without the data): post-processing, which costs nothing (Dwork and Roth 2014, proposition 2.1).
Anyone who has the manifest can do it again, in exact rationals; ``marginals`` proves that it is the
least-squares estimate and what its errors are, ``same_rows`` which answers it may join.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from dpdesk.privacy.consistent import ConsistentFigures, NoiseTerms
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.public_total import TWO, all_counts
from dpdesk.privacy.reconcile.marginals import (
    Axes,
    Axis,
    Consistent,
    Marginals,
    NoisyTable,
    rounded,
)
from dpdesk.privacy.reconcile.noise_sum import half_width
from dpdesk.privacy.reconcile.same_rows import Answer, joined
from dpdesk.privacy.statistics.figures_text import rounding_digits

Error = tuple[NoiseTerms, Fraction]


def consistent_figures(answers: Sequence[Answer]) -> dict[int, ConsistentFigures]:
    """The figures of answers over the same rows, by the answers' places; none of the others.

    Args:
        answers: all answers of a release, in its order.
    """
    every = tuple(answers)
    found: dict[int, ConsistentFigures] = {}
    for places in joined(every):
        found |= _of_set(every, places)
    return found


def _of_set(answers: tuple[Answer, ...], places: list[int]) -> dict[int, ConsistentFigures]:
    plans = [answers[place].plan for place in places]
    # Twins are one draw, for which one of them stands.
    once = list({answers[place].plan.canonical: answers[place] for place in places}.values())
    marginals = marginals_of([answer.plan for answer in once])
    figures = [_figures(answer) for answer in once]
    consistent = Consistent(marginals, figures, plans[0].public_total)
    errors = _errors(marginals, plans)
    # As many decimals in each table as in the finest: rounded figures add up, too.
    digits = max(rounding_digits(margin) for _noises, margin in errors.values())
    return {
        place: _published(plan, plans, consistent, errors[frozenset(plan.query.by)], digits)
        for place, plan in zip(places, plans, strict=True)
    }


def _errors(marginals: Marginals, plans: list[QueryPlan]) -> dict[Axes, Error]:
    """The noises of each table's figures, and their margin; of equal groupings once."""
    width = plans[0].parts[0].width
    tables = {frozenset(plan.query.by): plan.query.by for plan in plans}
    noises = {axes: marginals.noises(by) for axes, by in tables.items()}
    return {axes: (terms, half_width(terms) * width) for axes, terms in noises.items()}


def _published(
    plan: QueryPlan, plans: list[QueryPlan], consistent: Consistent, error: Error, digits: int
) -> ConsistentFigures:
    exact, denominator = consistent.numerators(plan.query.by)
    # In the unit of the table: a whole number of noise is worth ``width``.
    width = plan.parts[0].width
    exact, denominator = exact * width.numerator, denominator * width.denominator
    noises, margin = error
    return ConsistentFigures(
        numerators=tuple(exact.ravel()),
        denominator=denominator,
        published=tuple(rounded(exact, denominator, 10**digits).ravel()),
        digits=digits,
        margin=margin,
        noises=noises,
        width=width,
        others=tuple(one.query.id for one in plans if one is not plan),
    )


def marginals_of(plans: Sequence[QueryPlan]) -> Marginals:
    """The shapes and noises of tables over the same rows, each one draw."""
    sizes: dict[Axis, int] = {}
    for plan in plans:
        sizes |= zip(plan.query.by, map(len, plan.question.labels), strict=True)
    tables = (
        NoisyTable(plan.query.by, plan.parts[0].noise, plan.parts[0].cells < len(plan.lines))
        for plan in plans
    )
    return Marginals(sizes, tuple(tables), plans[0].public_total is not None)


def _figures(answer: Answer) -> Sequence[int]:
    """The noisy figure of every line."""
    plan, drawn = answer.plan, answer.noisy[0]
    if plan.public_total is not None and len(plan.lines) == TWO:
        return all_counts(drawn, plan.public_total, TWO)
    return drawn
