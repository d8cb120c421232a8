# SPDX-License-Identifier: Apache-2.0
"""Judges a study: everything that keeps it from being compiled, each with its place.

One place for the JSON, the forms and the shell. A study that passes compiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from dpdesk.study import limits
from dpdesk.study.checks.baseline_checks import check_baseline_tables
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.checks.finding_checks import open_columns
from dpdesk.study.checks.query_checks import check_query
from dpdesk.study.checks.step_checks import check_step
from dpdesk.study.checks.table_checks import check_id_shape, check_table_files, check_tables
from dpdesk.study.model.columns import Column, NumberColumn, plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.queries import ROUNDINGS, Query, SyntheticRows
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import ENCODINGS, Budget, DataSource, Unit
from dpdesk.study.problem import Problem
from dpdesk.study.text.unit_names import check_names

SEPARATORS = (",", ";", "\t", "|")
NONE_KNOWN: Mapping[str, Query] = MappingProxyType({})


def check(study: Study, sound: Mapping[str, Query] = NONE_KNOWN) -> tuple[Problem, ...]:
    """Every problem of a study, in reading order; empty when it can be released.

    Args:
        sound: by id, queries that compile in it, which therefore have no problem of their own.
    """
    return tuple(_problems(study, sound))


def _problems(study: Study, sound: Mapping[str, Query]) -> Iterator[Problem]:
    global _judged
    asked = _JudgedParts(
        study.data,
        study.unit,
        study.budget,
        study.rounding,
        study.tables,
        study.columns,
        open_columns(study.queries, study.columns),
    )
    before, found = _judged
    if before is None or not asked.is_same(before):
        found = tuple(_declared_problems(study, asked.open_))
        _judged = asked, found
    yield from found
    yield from check_queries(study, sound)
    if study.synthetic_rows is not None:
        yield from _synthetic_problems(study, study.synthetic_rows)


@dataclass(frozen=True)
class _JudgedParts:
    """All that the problems of everything but the queries follow from."""

    data: DataSource | None
    unit: Unit | None
    budget: Budget | None
    rounding: int | None
    tables: tuple[FurtherTable, ...]
    columns: tuple[Column, ...]
    open_: frozenset[str]

    def is_same(self, other: _JudgedParts) -> bool:
        """Whether the very same parts are asked about; a keystroke in a query replaces none."""
        return (
            self.data is other.data
            and self.unit is other.unit
            and self.budget is other.budget
            and self.rounding == other.rounding
            and self.tables is other.tables
            and self.columns is other.columns
            and self.open_ == other.open_
        )


_judged: tuple[_JudgedParts | None, tuple[Problem, ...]] = (None, ())
"""What was judged last, and its problems."""


def _declared_problems(study: Study, open_: frozenset[str]) -> Iterator[Problem]:
    yield from check_table_files(study.data, "$.data", check_data)
    yield from check_unit(study.unit)
    yield from check_tables(study, check_data)
    yield from _fill_down_problems(study)
    if study.unit is not None:
        yield from check_names(study.unit)
    yield from check_budget(study.budget)
    if study.rounding is not None and study.rounding not in ROUNDINGS:
        yield Problem("$.rounding", "rounding-unknown")
    yield from _column_problems(study, open_)


def check_data(data: DataSource | None) -> Iterator[Problem]:
    if data is None or not data.path:
        yield Problem("$.data.path", "data-not-chosen")
        return
    if data.format == "csv":
        yield from _text_problems(data)
    if data.format == "excel":
        yield from _workbook_problems(data)
    if data.header_row is not None and not 0 <= data.header_row <= limits.MAX_HEADER_ROW:
        yield Problem(
            "$.data.header_row", "header-row-out-of-range", {"most": str(limits.MAX_HEADER_ROW)}
        )
    if data.thousands and data.thousands == data.decimal:
        yield Problem("$.data.thousands", "thousands-is-decimal")


def _text_problems(data: DataSource) -> Iterator[Problem]:
    if data.separator not in SEPARATORS:
        yield Problem("$.data.separator", "separator-unknown")
    if data.encoding not in ENCODINGS:
        yield Problem("$.data.encoding", "encoding-unknown", {"choices": ", ".join(ENCODINGS)})
    # A decimal comma within quotation marks parts no cells.
    if data.decimal == data.separator and not data.quotes:
        yield Problem("$.data.decimal", "decimal-is-separator")
    if data.line_breaks and not data.quotes:
        yield Problem("$.data.line_breaks", "line-breaks-without-quotes")
    if data.row_names and data.header_row == 0:
        yield Problem("$.data.row_names", "row-names-without-header")


def _workbook_problems(data: DataSource) -> Iterator[Problem]:
    if not data.sheet:
        yield Problem("$.data.sheet", "sheet-not-chosen")
    if data.header_row is None:
        yield Problem("$.data.header_row", "header-row-not-chosen")


def check_unit(unit: Unit | None) -> Iterator[Problem]:
    if unit is None:
        yield Problem("$.unit", "unit-not-declared")
        return
    most = limits.MAX_ROWS_PER_PERSON
    if not 1 <= unit.max_rows <= most:
        yield Problem("$.unit.max_rows", "max-rows-out-of-range", {"most": str(most)})
    elif unit.person is None and unit.max_rows != 1:
        yield Problem("$.unit.max_rows", "max-rows-without-person")
    if unit.case and unit.person is None:
        yield Problem("$.unit.case", "case-without-person")
    yield from check_id_shape(unit.id_shape)
    if unit.id_shape is not None and unit.without_id != "drop":
        # Of two spellings of one id one may have another shape: the person would be two.
        yield Problem("$.unit.id_shape", "id-shape-of-one-person")
    yield from _people_problems(unit)


def _fill_down_problems(study: Study) -> Iterator[Problem]:
    """Where no column tells people apart, and where rows without an id are somebody's already."""
    if study.data is None or study.unit is None or not study.data.fill_down:
        return
    if study.unit.person is None:
        yield Problem("$.data.fill_down", "fill-down-without-person")
    elif study.unit.without_id != "drop":
        yield Problem("$.data.fill_down", "fill-down-of-one-person")


def _people_problems(unit: Unit) -> Iterator[Problem]:
    if unit.neighbours == "change-one" and unit.people is None:
        yield Problem("$.unit.people", "people-not-declared")
    elif unit.people is not None and not 1 <= unit.people <= limits.ROW_CAP:
        yield Problem("$.unit.people", "people-out-of-range")
    elif unit.neighbours == "add-remove" and unit.people is not None:
        yield Problem("$.unit.people", "people-declared-but-secret")


def check_budget(budget: Budget | None) -> Iterator[Problem]:
    if budget is None or not budget.account:
        yield Problem("$.budget.account", "account-not-chosen")
    elif not limits.ID_PATTERN.match(budget.account):
        yield Problem("$.budget.account", "name-malformed", {"most": str(limits.MAX_ID_LENGTH)})
    if budget is None or budget.limit is None or budget.limit.units == 0:
        yield Problem("$.budget.epsilon", "budget-not-declared")
    elif budget.epsilon is not None and budget.rho is not None:
        yield Problem("$.budget.rho", "budget-twice")


def _synthetic_problems(study: Study, declared: SyntheticRows) -> Iterator[Problem]:
    """Whether there are counts that synthetic rows could keep, and of the columns named."""
    kept = [query for query in study.queries if declared.keeps(query)]
    if not kept:
        yield Problem("$.synthetic_rows", "synthetic-no-count")
        return
    known = {column_of(grouping) for query in kept for grouping in query.by}
    for index, name in enumerate(declared.none_alone_in):
        if name not in known:
            path = f"$.synthetic_rows.none_alone_in[{index}]"
            yield Problem(path, "synthetic-not-counted", {"name": name})


def _column_problems(study: Study, open_: frozenset[str]) -> Iterator[Problem]:
    # As the file's own names are compared: two declarations of one column would be two sources.
    names = [_declared_name(column.name) for column in study.columns]
    seen = Counter(names)
    person = study.unit.person if study.unit else None
    key = None if person is None else _declared_name(person)
    for index, (column, name) in enumerate(zip(study.columns, names, strict=True)):
        path = f"$.columns[{index}]"
        if seen[name] > 1:
            yield Problem(f"{path}.name", "column-twice", {"name": column.name})
        data = study.data_of(column.table)
        missing = study.missing_of(column)
        if name == key and not column.table:
            yield Problem(f"{path}.name", "column-is-person", {"name": column.name})
        yield from _mark_problems(column, data, path)
        yield from check_column(column, path, missing, is_open=column.name in open_)
        yield from check_step(study, column, path)


@lru_cache(maxsize=4 * limits.MAX_COLUMNS)
def _declared_name(name: str) -> str:
    """A declared name as names are compared; a keystroke asks for each column's again."""
    return plain_name(name)


def _mark_problems(column: Column, data: DataSource | None, path: str) -> Iterator[Problem]:
    if data is None or not isinstance(column, NumberColumn) or not column.decimal:
        return
    if data.thousands == column.decimal:
        yield Problem(f"{path}.decimal", "thousands-is-decimal")
    if data.format == "csv" and data.separator == column.decimal and not data.quotes:
        yield Problem(f"{path}.decimal", "decimal-is-separator")


def check_queries(study: Study, sound: Mapping[str, Query] = NONE_KNOWN) -> Iterator[Problem]:
    if not study.queries:
        yield Problem("$.queries", "no-queries")
    seen = Counter(query.id for query in study.queries)
    for index, query in enumerate(study.queries):
        path = f"$.queries[{index}]"
        if seen[query.id] > 1 and query.component is None:
            yield Problem(f"{path}.id", "query-twice", {"name": query.id})
        if query.component is None and sound.get(query.id) != query:
            yield from check_query(study, query, path)
    if study.baseline_tables:
        yield from check_baseline_tables(study, sound)
