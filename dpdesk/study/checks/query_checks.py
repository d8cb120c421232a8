# SPDX-License-Identifier: Apache-2.0
"""Judges one query against the study it is in."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from dpdesk.study import limits
from dpdesk.study.checks.by_statistic.age_group_checks import check_age_groups
from dpdesk.study.checks.by_statistic.choice_checks import check_cut_off, check_most_common
from dpdesk.study.checks.by_statistic.comparison_checks import check_comparisons
from dpdesk.study.checks.by_statistic.entry_checks import check_entry
from dpdesk.study.checks.by_statistic.member_checks import MemberCheck, check_members, lines_of
from dpdesk.study.checks.by_statistic.model_checks import check_explaining
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.checks.condition_checks import check_condition
from dpdesk.study.checks.finding_checks import check_bounds, check_found
from dpdesk.study.checks.grouping_checks import (
    check_ascending,
    check_edges,
    check_grouping,
    undeclared,
)
from dpdesk.study.model.amount import MAX_SHARE
from dpdesk.study.model.columns import Grid, NumberColumn, keeps_every_row, number_grid
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import bin_ends, column_of, labels_of
from dpdesk.study.model.magnitudes import is_unbounded
from dpdesk.study.model.parameters import (
    MOST_KINDS,
    PER,
    ByAgeParameters,
    IncidenceParameters,
    LinearModelParameters,
    PropertyParameters,
    RateParameters,
    RowsPerPersonParameters,
    SpreadParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Choosing, Finding
from dpdesk.study.model.tables import MAIN, PEOPLE
from dpdesk.study.problem import Problem
from dpdesk.study.public_numbers import number_of


def check_query(study: Study, query: Query, path: str) -> Iterator[Problem]:
    if not limits.ID_PATTERN.match(query.id):
        yield Problem(f"{path}.id", "name-malformed", {"most": str(limits.MAX_ID_LENGTH)})
    elif query.id in limits.DEVICE_NAMES:
        yield Problem(f"{path}.id", "name-of-device", {"name": query.id})
    yield from _statistic(study, query, path)
    yield from check_members(study, query, path)
    yield from _own_checks(study, query, path)
    yield from _of_people(study, query, path)
    yield from _groups(study, query, path)
    yield from check_comparisons(study, query, path)
    for key in ("where", "has"):
        conditions = query.where if key == "where" else query.members.get(key, ())
        for index, condition in enumerate(conditions):
            yield from check_condition(study, condition, f"{path}.{key}[{index}]")
    yield from check_share(study, query, path)
    if query.expected is not None and not 1 <= query.expected <= limits.ROW_CAP:
        yield Problem(f"{path}.expected", "expected-out-of-range")


def _own_checks(study: Study, query: Query, path: str) -> Iterator[Problem]:
    declared = query.declaration
    if declared.flips_answers:
        yield from _check_response(study, query, path)
    if declared.before_limit:
        yield from _rows_per_person(study, query, path)
    if isinstance(query.parameters, RateParameters):
        yield from _rate(study, query.parameters, path)
    if isinstance(query.parameters, ByAgeParameters):
        yield from check_age_groups(study, query, path)
    if isinstance(query.parameters, TimeToEventParameters):
        yield from _survival(study, query, path)
        yield from check_entry(study, query.parameters, path)
    if isinstance(query.parameters, IncidenceParameters):
        yield from _kinds(query.parameters, path)
    if isinstance(query.parameters, LinearModelParameters):
        yield from check_explaining(study, query.parameters, f"{path}.columns")
    if isinstance(query.parameters, SpreadParameters):
        yield from _spread(study, query.parameters, path)
    for trait in (declared.finds, declared.chooses):
        if trait in _CHECKS:
            yield from _CHECKS[trait](study, query, path)


def _of_people(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """A query of people sees what is made of all rows of a person, and nothing of a row."""
    if query.of == "rows":
        yield from _of_rows(study, query, path)
        return
    declared = query.declaration
    if study.unit is not None and study.unit.person is None:
        yield Problem(f"{path}.of", "people-without-person")
    if declared.unit == "people" or declared.finds or declared.flips_answers:
        yield Problem(f"{path}.of", "people-of-statistic")
    for name in sorted(query.names):
        if study.column(name) is not None and not study.is_of_person(name):
            yield Problem(f"{path}.of", "people-wants-person-columns", {"name": name})


def _of_rows(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """A query of rows sees what a row of the main table has."""
    for name in sorted(query.names):
        home = study.homes.get(name, MAIN)
        if home not in (MAIN, PEOPLE):
            yield Problem(path, "column-of-table", {"name": name, "table": home})


def _rows_per_person(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """Each person is in one line; with a group, one would lie in a line of each group."""
    if study.unit is not None and study.unit.person is None:
        yield Problem(f"{path}.statistic", "rows-per-person-without-person")
    if query.where:
        yield Problem(f"{path}.where", "rows-per-person-condition")
    most, own = limits.MAX_TOP_CODE, query.parameters_as(RowsPerPersonParameters)
    if own.top_code is not None and not 2 <= own.top_code <= most:
        yield Problem(f"{path}.top_code", "top-code-out-of-range", {"most": str(most)})


def _rate(study: Study, rate: RateParameters, path: str) -> Iterator[Problem]:
    """An exposure is a number of 0 or more, of which sums can be kept."""
    if rate.per is not None and rate.per not in PER:
        params = {"choices": ", ".join(map(str, PER))}
        yield Problem(f"{path}.per", "rate-per-unknown", params)
    if rate.typical is not None and rate.typical <= 0:
        yield Problem(f"{path}.typical", "rate-typical-not-positive")
    column = study.column(rate.column)
    if not isinstance(column, NumberColumn) or tuple(check_column(column, "")):
        return
    grid, expected = number_grid(column), rate.expected_exposure
    if grid.lowest < 0:
        yield Problem(f"{path}.column", "rate-exposure-negative", {"name": column.name})
    elif expected is not None and not _is_exposure(Fraction(expected), grid):
        params = {"name": column.name}
        yield Problem(f"{path}.expected_exposure", "expected-exposure-out-of-range", params)


def _is_exposure(mean: Fraction, grid: Grid) -> bool:
    return mean > 0 and grid.lowest <= mean / grid.quantum <= grid.highest


def _survival(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """A person has one time, and figures are published where bins end."""
    if query.of == "rows" and study.unit is not None and study.unit.max_rows != 1:
        yield Problem(f"{path}.of", "survival-many-rows")
    own = query.parameters_as(TimeToEventParameters)
    yield from check_ascending(own.times, f"{path}.times")
    column = study.column(own.column)
    if not isinstance(column, NumberColumn) or is_unbounded(column) or not own.edges:
        return
    if tuple(check_column(column, "")) or tuple(check_edges(column, own.edges, "")):
        return
    ends = bin_ends(column, own.edges)
    known = {Decimal(end) for end in ends}
    for index, time in enumerate(own.times):
        if time not in known:
            params = {"time": f"{time.normalize():f}", "ends": "; ".join(ends)}
            yield Problem(f"{path}.times[{index}]", "survival-time-no-end", params)


def _kinds(own: IncidenceParameters, path: str) -> Iterator[Problem]:
    """Kinds of event are values of one column: so a row has one of them at most."""
    if own.has and not own.kinds:
        yield Problem(f"{path}.has", "incidence-kinds")
    elif len(own.kinds) > MOST_KINDS:
        yield Problem(f"{path}.has", "incidence-many-kinds", {"most": str(MOST_KINDS)})


def _spread(study: Study, spread: SpreadParameters, path: str) -> Iterator[Problem]:
    """No values are further apart than half of them at either bound."""
    column, expected = study.column(spread.column), spread.expected_deviation
    if expected is None or not isinstance(column, NumberColumn) or tuple(check_column(column, "")):
        return
    grid = number_grid(column)
    if not 0 < 2 * expected <= (grid.highest - grid.lowest) * grid.quantum:
        params = {"name": column.name}
        yield Problem(f"{path}.expected_deviation", "expected-deviation-out-of-range", params)


_CHECKS: dict[Finding | Choosing | None, MemberCheck] = {
    "categories": check_found,
    "bounds": check_bounds,
    "group": check_most_common,
    "cut-off": check_cut_off,
}
"""By what a statistic finds or chooses."""


def check_share(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """Problems of the share; it must leave a smallest unit for each draw.

    A query whose answer is public needs none, and is charged none that it is given.
    """
    measure = study.budget.measure if study.budget else "epsilon"
    other = "epsilon" if measure == "rho" else "rho"
    share = query.share
    if getattr(query, other) is not None:
        yield Problem(f"{path}.{other}", "share-measure-differs", {"wanted": measure})
    elif share is None or share.units == 0:
        if number_of(study, query) is None:
            yield Problem(f"{path}.{measure}", "share-not-set")
    elif share.units > MAX_SHARE[measure].units:
        yield Problem(f"{path}.{measure}", "epsilon-too-large")
    elif share.units < query.least_units:
        least = str(type(share)(query.least_units))
        params = {"least": least, "draws": str(query.least_units)}
        yield Problem(f"{path}.{measure}", "share-too-small-to-split", params)


def _statistic(study: Study, query: Query, path: str) -> Iterator[Problem]:
    declared = query.declaration
    if query.column is None:
        if declared.column == "number":
            yield Problem(f"{path}.column", "column-wanted")
        return
    column = study.column(query.column)
    if column is None:
        yield undeclared(study, query.column, f"{path}.column")
    elif declared.column == "number" and not isinstance(column, NumberColumn):
        yield Problem(f"{path}.column", "column-not-a-number", {"name": query.column})


def _groups(study: Study, query: Query, path: str) -> Iterator[Problem]:
    most = query.declaration.groups
    if len(query.by) > most:
        code = "too-many-groupings" if most else "groupings-not-wanted"
        yield Problem(f"{path}.by", code, {"most": str(most)})
    names = [column_of(grouping) for grouping in query.by]
    if len(set(names)) < len(names):
        yield Problem(f"{path}.by", "grouping-twice")
    cells = 1
    for index, grouping in enumerate(query.by):
        problems = tuple(check_grouping(study, grouping, f"{path}.by[{index}]"))
        yield from problems
        column = study.column(column_of(grouping))
        cells *= len(labels_of(grouping, column)) if column and not problems else 1
    lines = lines_of(study, query)
    cells *= lines
    # Bins of an entry are counted, and have no lines of their own.
    published = cells // (1 + len(query.members.get("entry_edges", ())))
    if published > limits.MAX_POPULATION_CELLS:
        params = {"cells": str(published), "most": str(limits.MAX_POPULATION_CELLS)}
        for member in ("comparisons", "population"):
            if getattr(query, member):
                yield Problem(f"{path}.{member}", "population-cells", params)
    if cells > limits.MAX_CELLS >= lines:
        params = {"cells": str(cells), "most": str(limits.MAX_CELLS)}
        yield Problem(f"{path}.by", "too-many-cells", params)


def _check_response(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """Whether every row of the data answers, and how many rows those are.

    The number of answers leaves with the estimate, so it must be public and the same whatever the
    rows hold: equally many people in neighbouring data, one row each, and no row left out.
    """
    unit = study.unit
    if unit is not None and unit.neighbours != "change-one":
        yield Problem(f"{path}.statistic", "response-rows-secret")
    elif unit is not None and unit.max_rows != 1:
        yield Problem(f"{path}.statistic", "response-many-rows")
    elif unit is not None and (unit.people or 0) > limits.MAX_RESPONSE_ROWS:
        params = {"most": str(limits.MAX_RESPONSE_ROWS)}
        yield Problem(f"{path}.statistic", "response-too-many-rows", params)
    if study.tables:
        yield Problem(f"{path}.statistic", "response-tables")
    if query.where:
        yield Problem(f"{path}.where", "response-condition")
    if query.noise != "auto":
        yield Problem(f"{path}.noise", "response-noise")
    for index, condition in enumerate(query.parameters_as(PropertyParameters).has):
        column = study.column(condition.column)
        if isinstance(condition, IsMissing):
            continue  # known of every row
        if column is not None and not keeps_every_row(column):
            params = {"name": column.name}
            yield Problem(f"{path}.has[{index}]", "response-drops-rows", params)
