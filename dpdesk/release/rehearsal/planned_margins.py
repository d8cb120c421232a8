# SPDX-License-Identifier: Apache-2.0
"""The margins of a plan in a made-up table.

After a release a ratio's margin follows from its noisy count. In a rehearsal that count is made up,
and what matters is what the custodian's guess promises: so each such figure has the plan's margin,
and its interval and mark are worked out again from that, by the rules of ``usable``. So has a
figure that a release would make consistent with others: rows that are made up query by query are
not the same ones, so here it stays as drawn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import ColumnRole
from dpdesk.privacy.statistics.figures_text import fixed, rounding_digits
from dpdesk.privacy.usable import NO, YES, Possible, interval, is_half, is_too_noisy

WHOLE = Possible(Fraction(0), Fraction(1))
Texts = Mapping[ColumnRole, str]


def with_planned_margins(plan: QueryPlan, size: int, table: Table) -> Table:
    """A table in which drawing again changes no margin.

    Args:
        size: rows of a group.
    """
    roles = [column.role for column in table.columns]
    if not _follows_the_draw(plan, roles) or plan.half_width is None:
        return table
    rows = []
    for row in table.rows:
        texts = dict(zip(roles, row, strict=True))
        changed = {**texts, **_planned(plan, size, texts)}
        rows.append(
            tuple(
                changed[role] if roles.count(role) == 1 else text
                for role, text in zip(roles, row, strict=True)
            )
        )
    return replace(table, rows=tuple(rows))


def _follows_the_draw(plan: QueryPlan, roles: Sequence[ColumnRole]) -> bool:
    """Whether a released margin depends on what was drawn."""
    is_divided = plan.query.declaration.is_ratio and plan.public_rows is None
    is_joined = plan.errors is not None
    is_divided = is_divided or bool({"share-half-width", "beside"} & set(roles))
    return is_divided or plan.is_projected or is_joined or plan.form is not None


def _planned(plan: QueryPlan, size: int, texts: Texts) -> dict[ColumnRole, str]:
    """The cells that follow from the plan's margin; none where the figure says nothing."""
    if plan.half_width is None or not texts["value"]:
        return {}
    possible = METHODS[plan.query.statistic].possible(plan) or Possible(None, None)
    digits = rounding_digits(plan.half_width) if plan.form is None else 0
    margin = Fraction(math.ceil(plan.half_width * 10**digits), 10**digits)
    value = Fraction(round(Fraction(texts["value"]) * 10**digits), 10**digits)
    shown = interval(value, margin, possible)
    ends = {"value": value, "half-width": margin, "lowest": shown.low, "highest": shown.high}
    planned: dict[ColumnRole, str] = {
        role: _text(Fraction(ends[role]), digits)
        for role in ("value", "half-width", "lowest", "highest")
    }
    is_noisy = is_too_noisy(value, margin, possible)
    if texts.get("share-half-width"):
        share = _share_margin(plan, size)
        planned["share-half-width"] = _text(share, rounding_digits(share))
        is_noisy = is_noisy or is_half(share, WHOLE)
    return {**planned, "mark": YES if is_noisy else NO}


def _text(number: Fraction, digits: int) -> str:
    return fixed(round(number * 10**digits), digits)


def _share_margin(plan: QueryPlan, size: int) -> Fraction:
    """Of a running share: both counts that it is made of within theirs, 97.5 times in 100 each."""
    method, errors = METHODS[plan.query.statistic], plan.errors
    if errors is None:
        within = method.accuracy_at(plan, MISS / 2)
    else:
        within = method.consistent_accuracy(plan, errors, MISS / 2)
    return min(within / size, Fraction(1))
