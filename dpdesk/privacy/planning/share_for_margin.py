# SPDX-License-Identifier: Apache-2.0
"""The two ends of one handle: what a share buys, and what a margin costs."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.reconcile.planned import beside
from dpdesk.study.model.amount import MAX_SHARE, Share
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from dpdesk.study.problem import Refused


def margin_for(
    study: Study, query: Query, share: Share, known: QueryPlan | None = None
) -> Fraction | None:
    """The 95-in-100 half-width that a share buys, in the result's unit, or a choice's bound.

    Args:
        study: the study that holds the query.
        query: the query, at any share.
        share: the share.
        known: its plan in the study, which says what its figures are made consistent with.

    Returns:
        ``None`` where the query is not complete, or a ratio has no expected group size.
    """
    try:
        return beside(compile_query(study, query.at_share(share)), known).accuracy
    except Refused:
        return None


def share_for(
    study: Study, query: Query, margin: Fraction, known: QueryPlan | None = None
) -> Share | None:
    """The smallest share, to its smallest unit, that gets within ``margin``.

    The margin never grows with the share, so bisection finds the smallest; that of figures which
    are made consistent with others by more than is rounded.

    Args:
        study: see ``margin_for``, and so are the query and its plan.
        query: the query, at any share.
        margin: in the result's unit, or of a choice's bound.
        known: its plan.

    Returns:
        ``None`` where no share up to the limit reaches it, or the query is not complete.
    """
    most = MAX_SHARE[study.budget.measure if study.budget else "epsilon"]
    low, high = query.least_units, most.units
    if not _reaches(study, query, most, margin, known):
        return None
    # ``high`` reaches the margin, and nothing below ``low`` does.
    while low < high:
        middle = (low + high) // 2
        if _reaches(study, query, type(most)(middle), margin, known):
            high = middle
        else:
            low = middle + 1
    return type(most)(low)


def _reaches(
    study: Study, query: Query, share: Share, margin: Fraction, known: QueryPlan | None
) -> bool:
    fraction = margin_for(study, query, share, known)
    return fraction is not None and fraction <= margin


ROWS = 1_000


def example_margin(unit: Unit | None, column: NumberColumn, share: Share) -> Fraction | None:
    """The margin of the column's mean over ``ROWS`` rows; ``None`` where its bounds are no grid.

    Args:
        unit: whose privacy; how many people there are is taken for a secret, so that the example
            is the same for all.
        column: with the bounds to judge.
        share: what the mean costs.
    """
    whose = replace(unit or Unit(), neighbours="add-remove", people=None)
    plain = NumberColumn("x", column.lower, column.upper, column.step)
    study = Study(unit=whose, budget=Budget("example"), columns=(plain,))
    if share.measure == "rho":
        study = replace(study, budget=Budget("example", rho=share))  # type: ignore[arg-type]
    return margin_for(study, Query("example", "mean", ColumnParameters("x"), expected=ROWS), share)
