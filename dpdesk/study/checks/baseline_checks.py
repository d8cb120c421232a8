# SPDX-License-Identifier: Apache-2.0
"""Judges a Table 1: what it declares, then each query that is made of it, at its characteristic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from dpdesk.study import limits
from dpdesk.study.checks.grouping_checks import undeclared
from dpdesk.study.checks.query_checks import check_query
from dpdesk.study.model.amount import MAX_SHARE
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem

MOST_ID = 30
"""Characters of a table's id: its queries' ids begin with it."""


def check_baseline_tables(study: Study, sound: Mapping[str, Query]) -> Iterator[Problem]:
    """Every problem of the study's Table 1s.

    Args:
        sound: see ``study_checks.check``.
    """
    if len(study.queries) > limits.MAX_QUERIES:
        params = {"count": str(len(study.queries)), "most": str(limits.MAX_QUERIES)}
        yield Problem("$.baseline_tables", "baseline-too-many-queries", params)
    taken = Counter(table.id for table in study.baseline_tables)
    taken.update(query.id for query in study.queries if query.component is None)
    for index, table in enumerate(study.baseline_tables):
        path = f"$.baseline_tables[{index}]"
        if taken[table.id] > 1:
            yield Problem(f"{path}.id", "query-twice", {"name": table.id})
        yield from check_baseline_table(study, table, path, sound)


def check_baseline_table(
    study: Study, table: BaselineTable, path: str, sound: Mapping[str, Query]
) -> Iterator[Problem]:
    """The problems of one table; of its queries each is reported once."""
    if not limits.ID_PATTERN.match(table.id) or len(table.id) > MOST_ID:
        yield Problem(f"{path}.id", "name-malformed", {"most": str(MOST_ID)})
    elif table.id in limits.DEVICE_NAMES:
        yield Problem(f"{path}.id", "name-of-device", {"name": table.id})
    if not table.characteristics:
        yield Problem(f"{path}.characteristics", "baseline-empty")
    yield from _characteristics(study, table, path)
    yield from _price(study, table, path)
    unique = {(one.path, one.code): one for one in _of_queries(study, table, path, sound)}
    yield from unique.values()


def _characteristics(study: Study, table: BaselineTable, path: str) -> Iterator[Problem]:
    groups = {column_of(by) for by in table.by}
    seen = set()
    for index, one in enumerate(table.characteristics):
        place, column = f"{path}.characteristics[{index}]", study.column(one.column)
        asked = (one.column, one.figures(column), one.edges, one.period)
        if asked in seen:
            yield Problem(place, "baseline-twice", {"name": one.column})
        seen.add(asked)
        if column is None:
            yield undeclared(study, one.column, f"{place}.column")
        elif one.column in groups and one.figures(column) == "counts":
            yield Problem(f"{place}.column", "baseline-by-itself", {"name": one.column})
        elif one.needs_number and not isinstance(column, NumberColumn):
            yield Problem(f"{place}.summary", "baseline-no-number", {"name": one.column})
        elif one.edges and (one.period or one.needs_number):
            yield Problem(f"{place}.edges", "baseline-edges", {"name": one.column})


def _price(study: Study, table: BaselineTable, path: str) -> Iterator[Problem]:
    """Problems of the price, and of what characteristics have of it."""
    measure = study.budget.measure if study.budget else "epsilon"
    other = "epsilon" if measure == "rho" else "rho"
    owners = {path: table} | {
        f"{path}.characteristics[{index}]": one for index, one in enumerate(table.characteristics)
    }
    strange = [place for place, one in owners.items() if getattr(one, other) is not None]
    price = getattr(table, measure)
    if strange:
        yield from (
            Problem(f"{place}.{other}", "share-measure-differs", {"wanted": measure})
            for place in strange
        )
    elif price is None or price.units == 0:
        yield Problem(f"{path}.{measure}", "share-not-set")
    elif price.units > MAX_SHARE[measure].units:
        yield Problem(f"{path}.{measure}", "epsilon-too-large")
    elif any(query.share is None for query in _queries(study, table)):
        yield Problem(f"{path}.{measure}", "baseline-too-cheap", {"price": str(price)})


def _of_queries(
    study: Study, table: BaselineTable, path: str, sound: Mapping[str, Query]
) -> Iterator[Problem]:
    """The problems of its queries but those of their shares, each where it can be mended."""
    of_table = (".where", ".of", ".expected", *(f".by[{place}]" for place in range(len(table.by))))
    groups = {column_of(by) for by in table.by}
    for query in _queries(study, table):
        place = query.component.place if query.component else None
        at = path if place is None else f"{path}.characteristics[{place}]"
        column = "" if place is None else table.characteristics[place].column
        if sound.get(query.id) == query or (column and study.column(column) is None):
            continue
        if query.component is not None and query.component.figures == "counts" and column in groups:
            continue  # reported as ``baseline-by-itself``
        for problem in check_query(study, query, at):
            own = problem.path.removeprefix(at)
            if not own.startswith((".id", ".epsilon", ".rho")):
                yield replace(problem, path=path + own if own.startswith(of_table) else at)


def _queries(study: Study, table: BaselineTable) -> Iterator[Query]:
    for query in study.queries:
        if query.component is not None and query.component.table == table.id:
            yield query
