# SPDX-License-Identifier: Apache-2.0
"""Judges the age groups of a standardised rate or ratio, and the numbers that go with them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from dpdesk.study import limits
from dpdesk.study.checks.column_checks import check_column, too_long
from dpdesk.study.checks.grouping_checks import check_grouping
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.parameters import (
    OWN_WEIGHTS,
    ByAgeParameters,
    ReferenceParameters,
    StandardParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem
from dpdesk.study.standard_populations import known_groups, people_of, standards

MOST_AGES: Final = 100
"""More age groups are declared by nobody, and margins of a line would take long."""

Numbers = tuple[Decimal, ...]


def check_age_groups(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """Problems of the groups first: without them nobody can say which numbers are wrong."""
    own = query.parameters_as(ByAgeParameters)
    if own.over is None:
        return
    if own.over in map(column_of, query.by):
        yield Problem(f"{path}.over", "age-groups-twice", {"name": own.over})
    problems = tuple(check_grouping(study, own.grouping, f"{path}.over"))
    # What is wrong with bins is said at their own place.
    yield from (one for one in problems if ".edges" not in one.path)
    column = study.column(own.over)
    if problems or column is None or tuple(check_column(column, "")):
        return
    groups = known_groups(own.grouping, column)
    if len(groups) > MOST_AGES:
        yield Problem(f"{path}.over", "age-groups-many", {"most": str(MOST_AGES)})
    elif isinstance(own, StandardParameters):
        yield from _standard(own, column, groups, path)
    elif isinstance(own, ReferenceParameters) and own.reference:
        yield from _numbers(own.reference, groups, f"{path}.reference")


def _standard(
    own: StandardParameters, column: Column, groups: tuple[str, ...], path: str
) -> Iterator[Problem]:
    if own.standard is None:
        return
    if own.standard == OWN_WEIGHTS:
        yield from _numbers(own.weights, groups, f"{path}.weights")
        return
    if own.weights:
        yield Problem(f"{path}.weights", "weights-of-standard")
        return
    unfit = (group for group, people in people_of(own.standard, own.grouping, column).items()
             if people is None)  # fmt: skip
    if (group := next(unfit, None)) is not None:
        standard = standards()[own.standard]
        firsts = ", ".join(str(first) for first, _ in standard.bands)
        params = {"group": group[:40], "firsts": firsts}
        yield Problem(f"{path}.standard", "standard-groups-differ", params)


def _numbers(numbers: Numbers, groups: tuple[str, ...], path: str) -> Iterator[Problem]:
    """One number a group, none below 0, not all of them 0."""
    if len(numbers) != len(groups):
        params = {"numbers": str(len(numbers)), "groups": str(len(groups))}
        yield Problem(path, "one-number-a-group", params)
        return
    for index, number in enumerate(numbers):
        if not limits.is_plain_number(number):
            yield too_long(f"{path}[{index}]")
        elif number < 0:
            yield Problem(f"{path}[{index}]", "number-below-zero")
    if not any(numbers):
        yield Problem(path, "numbers-all-zero")
