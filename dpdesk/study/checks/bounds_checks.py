# SPDX-License-Identifier: Apache-2.0
"""Judges a private estimate of bounds, and the column that may do without them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from dpdesk.study import limits
from dpdesk.study.model.columns import NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import BITS, is_unbounded
from dpdesk.study.model.queries import IsMissing, Query
from dpdesk.study.problem import Problem


def check_bounds(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """Problems of a query for bounds; ``path`` is the query's."""
    column = study.column(query.column) if query.column else None
    if not isinstance(column, NumberColumn) or not is_unbounded(column):
        return
    for index, condition in enumerate(query.where):
        if condition.column == column.name and not isinstance(condition, IsMissing):
            params = {"name": column.name}
            yield Problem(f"{path}.where[{index}]", "condition-without-bounds", params)


def check_unbounded(column: NumberColumn, path: str) -> Iterator[Problem]:
    """Problems of a number column whose bounds are asked for: its step, and what replaces cells."""
    if column.step is None:
        yield Problem(f"{path}.step", "step-not-declared", {"name": column.name})
    elif column.step <= 0:
        yield Problem(f"{path}.step", "step-not-positive")
    elif not limits.is_plain_number(column.step) or not _holds(column.step):
        yield Problem(f"{path}.step", "step-too-long", {"bits": str(BITS)})
    for key in ("missing", "unparsable", "outside"):
        rule = getattr(column, key)
        if isinstance(rule, Replace) and not isinstance(rule.value, Decimal):
            yield Problem(f"{path}.{key}.replace", "constant-outside-bounds")
        elif isinstance(rule, Replace) and not limits.is_plain_number(Decimal(rule.value)):
            most = {"most": str(limits.MAX_SIGNIFICANT_DIGITS)}
            yield Problem(f"{path}.{key}.replace", "number-too-long", most)


def _holds(step: Decimal) -> bool:
    """Whether every bound that may come out can be kept in a study."""
    return all(limits.is_plain_number(step * 2**bits) for bits in range(BITS + 1))
