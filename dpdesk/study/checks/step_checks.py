# SPDX-License-Identifier: Apache-2.0
"""Judges how a derived column is made: of what is declared, without circles, exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

from dpdesk.study import limits
from dpdesk.study.checks.condition_checks import check_condition
from dpdesk.study.checks.grouping_checks import undeclared
from dpdesk.study.checks.table_checks import check_column_table, check_labels
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    group_index,
    group_labels,
    plain_name,
)
from dpdesk.study.model.dates import FIRST_YEAR, LAST_YEAR
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import is_unbounded
from dpdesk.study.model.steps.derivation import circle_of
from dpdesk.study.model.steps.placement import LARGEST, placement
from dpdesk.study.model.steps.result import operand_terms, own_values, result_of
from dpdesk.study.model.steps.step import (
    IN_ORDER,
    WITHOUT_COLUMN,
    Arithmetic,
    Bands,
    BesideRow,
    CodePrefix,
    DatePart,
    FileLabel,
    FirstThere,
    Holds,
    OfCase,
    OfPerson,
    OfRows,
    Operand,
    PersonValue,
    Recode,
    RecodeEntry,
    RowNeighbour,
    Step,
    TimeBetween,
)
from dpdesk.study.problem import Problem

CODE: Final = re.compile(r"[0-9A-Z]{1,20}")
"""A prefix of codes, as codes are compared."""

MAX_CODE_DIGITS: Final = 10


def check_step(study: Study, column: Column, path: str) -> Iterator[Problem]:
    """Problems of how a derived column is made.

    Args:
        study: the study.
        column: one of its derived columns.
        path: where the column is.
    """
    step = column.made_from
    if step is None:
        yield from check_column_table(study, column, path)
        return
    place = f"{path}.from"
    found = [
        *_operands(study, step, place),
        *check_column_table(study, column, path),
        *_CHECKS[type(step)](study, step, column, place),
    ]
    if circle := circle_of(study.by_name, column.name):
        found.append(Problem(place, "step-circle", {"chain": " ← ".join(circle)}))
    result = result_of(step, study.by_name)
    if not found and column.kind not in result.kinds:
        kinds = ", ".join(result.kinds)
        found.append(Problem(f"{path}.kind", "step-other-kind", {"kinds": kinds}))
    yield from found or _fitting(study, step, column, path)


def _fitting(study: Study, step: Step, column: Column, path: str) -> Iterator[Problem]:
    """Problems of a sound step beside what its column declares.

    Bounds wider than what can come out are none: both are public, so that they reveal nothing, and
    noise is as wide as they are. They cost accuracy alone; the window warns of them.
    """
    values = result_of(step, study.by_name).values
    declared = set(own_values(column)) if column.kind != "number" else set(values)
    for value in values:
        if value not in declared:
            yield Problem(f"{path}.values", "step-value-not-declared", {"value": value})
            return
    if isinstance(column, NumberColumn):
        yield from _exact(study, step, column, path)


def _exact(study: Study, step: Step, column: NumberColumn, path: str) -> Iterator[Problem]:
    """Whether each result is worked out in whole numbers that a computer's word holds."""
    if is_unbounded(column):
        yield Problem(f"{path}.lower", "step-without-bounds", {"name": column.name})
        return
    terms = result_of(step, study.by_name).terms
    try:
        if terms is None or placement(column, terms.unit).largest(*terms.largest) <= LARGEST:
            return
    except ValueError:
        return
    yield Problem(f"{path}.step", "step-too-fine")


def _operands(study: Study, step: Step, path: str) -> Iterator[Problem]:
    for name in dict.fromkeys(step.names):
        if study.column(name) is None:
            yield undeclared(study, name, path)


def _wanted(
    study: Study, name: str, kinds: tuple[type, ...], code: str, path: str
) -> list[Problem]:
    column = study.column(name)
    wrong = column is not None and not isinstance(column, kinds)
    return [Problem(path, code, {"name": name})] if wrong else []


def _time_between(study: Study, step: TimeBetween, column: Column, path: str) -> Iterator[Problem]:
    for place, end in enumerate(step.between):
        where = f"{path}.between[{place}]"
        if isinstance(end, date):
            if not FIRST_YEAR <= end.year <= LAST_YEAR:
                years = {"first": str(FIRST_YEAR), "last": str(LAST_YEAR)}
                yield Problem(f"{where}.day", "step-day-out-of-range", years)
        else:
            yield from _wanted(study, end, (DateColumn,), "step-wants-date", where)
        if step.unit == "hours" and not _has_clock(study, end):
            yield Problem(where, "step-wants-time")
    if not step.names:
        yield Problem(f"{path}.between", "step-of-no-column")


def _has_clock(study: Study, end: str | date) -> bool:
    """Whether a time of day can be behind a day: only rows of the file have one.

    A table of people keeps one day of several rows, and no time of day.
    """
    column = None if isinstance(end, date) else study.column(end)
    is_read = column is None or column.made_from is None
    return isinstance(end, str) and is_read and not study.is_of_person(end)


def _recode(study: Study, step: Recode, column: Column, path: str) -> Iterator[Problem]:
    kinds = (CategoryColumn, YesNoColumn)
    yield from _wanted(study, step.column, kinds, "step-wants-category", f"{path}.recode")
    yield from _entries(step.entries, path)
    operand, seen = study.column(step.column), set[int | None]()
    groups = () if operand is None else (*own_values(operand), *group_labels(operand))
    for at, entry in enumerate(step.entries):
        for place, value in enumerate(entry.of):
            where = f"{path}.to[{at}].of[{place}]"
            if groups and value not in groups:
                params = {"value": value, "name": step.column}
                yield Problem(where, "condition-unknown-value", params)
                continue
            # A value and its printed name are one group.
            group = None if operand is None else group_index(operand, value)
            if group in seen:
                yield Problem(where, "value-twice", {"value": value})
            seen.add(group)


def _entries(entries: tuple[RecodeEntry, ...], path: str) -> Iterator[Problem]:
    if not entries:
        yield Problem(f"{path}.to", "step-without-entries")
    seen: set[str] = set()
    for at, entry in enumerate(entries):
        if entry.value in seen:
            yield Problem(f"{path}.to[{at}].value", "value-twice", {"value": entry.value})
        if not entry.of:
            yield Problem(f"{path}.to[{at}].of", "step-entry-empty", {"value": entry.value})
        seen.add(entry.value)


def _code_prefix(study: Study, step: CodePrefix, column: Column, path: str) -> Iterator[Problem]:
    header, person = plain_name(step.header), study.unit.person if study.unit else None
    if not header:
        yield Problem(f"{path}.codes", "column-nameless")
    elif person is not None and plain_name(person) == header:
        yield Problem(f"{path}.codes", "column-is-person", {"name": step.header})
    if not 0 <= step.digits <= MAX_CODE_DIGITS:
        yield Problem(f"{path}.digits", "code-digits-out-of-range", {"most": str(MAX_CODE_DIGITS)})
    yield from _entries(step.entries, path)
    for at, entry in enumerate(step.entries):
        for place, text in enumerate(entry.of):
            ends = text.split("-")
            sound = all(map(CODE.fullmatch, ends)) and len(ends) <= len(("from", "to"))
            if not sound or len(set(map(len, ends))) > 1 or ends != sorted(ends):
                yield Problem(
                    f"{path}.to[{at}].of[{place}]", "code-range-malformed", {"code": text}
                )


def _bands(study: Study, step: Bands, column: Column, path: str) -> Iterator[Problem]:
    yield from _wanted(study, step.column, (NumberColumn,), "step-wants-number", f"{path}.bands")
    if not step.edges:
        yield Problem(f"{path}.edges", "edges-missing")
    for at, (before, edge) in enumerate(pairwise(step.edges), start=1):
        if edge <= before:
            yield Problem(f"{path}.edges[{at}]", "values-not-rising", {"value": f"{edge:f}"})
    if isinstance(column, CategoryColumn) and len(column.values) != len(step.edges):
        params = {"values": str(len(column.values)), "edges": str(len(step.edges))}
        yield Problem(f"{path}.edges", "bands-other-number", params)


def _holds(study: Study, step: Holds, column: Column, path: str) -> Iterator[Problem]:
    if not step.conditions:
        yield Problem(f"{path}.{step.how}", "step-without-conditions")
    for at, condition in enumerate(step.conditions):
        if study.column(condition.column) is not None:
            yield from check_condition(study, condition, f"{path}.{step.how}[{at}]")


def _arithmetic(study: Study, step: Arithmetic, column: Column, path: str) -> Iterator[Problem]:
    for at, operand in enumerate(step.operands):
        where = f"{path}.{step.operation}[{at}]"
        if isinstance(operand, Operand):
            yield from _wanted(study, operand.column, (NumberColumn,), "step-wants-number", where)
            if operand.power not in (1, 2):
                yield Problem(f"{where}.power", "step-power")
        elif not limits.is_plain_number(operand):
            most = {"most": str(limits.MAX_SIGNIFICANT_DIGITS)}
            yield Problem(where, "number-too-long", most)
    if not step.names:
        yield Problem(f"{path}.{step.operation}", "step-of-no-column")
    if step.operation == "divide" and step.operands[1] == Decimal(0):
        yield Problem(f"{path}.divide[1]", "step-divides-by-zero")
    terms = [operand_terms(operand, study.by_name) for operand in step.operands]
    if any(one is not None and max(one.largest) > LARGEST for one in terms):
        yield Problem(path, "step-too-fine")


def _date_part(study: Study, step: DatePart, column: Column, path: str) -> Iterator[Problem]:
    yield from _wanted(study, step.column, (DateColumn,), "step-wants-date", f"{path}.of")
    if step.part == "hour" and not _has_clock(study, step.column):
        yield Problem(f"{path}.of", "step-wants-time")


def _first_there(study: Study, step: FirstThere, column: Column, path: str) -> Iterator[Problem]:
    if len(step.columns) < len(("one", "other")):
        yield Problem(f"{path}.first_of", "step-wants-two")
    if len(set(step.columns)) < len(step.columns):
        yield Problem(f"{path}.first_of", "column-twice", {"name": step.columns[-1]})
    for at, name in enumerate(step.columns):
        operand = study.column(name)
        if operand is not None and operand.kind != column.kind:
            yield Problem(f"{path}.first_of[{at}]", "step-mixed-kinds", {"name": name})


def _file_label(study: Study, step: FileLabel, column: Column, path: str) -> Iterator[Problem]:
    yield from check_labels(study, column, f"{path}.file")


def _of_rows(study: Study, step: OfRows, column: Column, path: str) -> Iterator[Problem]:
    yield from _persons(study, f"{path}.{'of_case' if isinstance(step, OfCase) else 'of_person'}")
    yield from _taken(study, step, path)
    if step.what in ("any", "all") and not step.where:
        yield Problem(f"{path}.where", "step-without-conditions")


def _beside_row(study: Study, step: BesideRow, column: Column, path: str) -> Iterator[Problem]:
    yield from _persons(study, f"{path}.beside")
    yield from _taken(study, step, path)
    if step.what == "before" and not step.where:
        yield Problem(f"{path}.where", "step-without-conditions")


def _persons(study: Study, path: str) -> Iterator[Problem]:
    if study.unit is not None and study.unit.person is None:
        yield Problem(path, "step-without-person")


def _taken(study: Study, step: OfRows | BesideRow, path: str) -> Iterator[Problem]:
    """Problems of the column, of the date that orders rows, and of the conditions."""
    wants_column, wants_date = step.what not in WITHOUT_COLUMN, step.what in IN_ORDER
    if wants_column and step.column is None:
        yield Problem(f"{path}.column", "step-column-wanted")
    elif step.column is not None:
        if not wants_column:
            yield Problem(f"{path}.column", "step-column-not-wanted")
        kinds, code = _OF_KIND.get(step.what, _OF_ANY)
        yield from _wanted(study, step.column, kinds, code, f"{path}.column")
    if wants_date and not step.by:
        yield Problem(f"{path}.by", "step-date-wanted")
    elif step.by:
        if not wants_date:
            yield Problem(f"{path}.by", "step-date-not-wanted")
        yield from _wanted(study, step.by, (DateColumn,), "step-wants-date", f"{path}.by")
    for at, condition in enumerate(step.where):
        if study.column(condition.column) is not None:
            yield from check_condition(study, condition, f"{path}.where[{at}]")


_OF_ANY: Final = ((NumberColumn, CategoryColumn, YesNoColumn, DateColumn), "")
_OF_KIND: Final[dict[str, tuple[tuple[type[Column], ...], str]]] = {
    "sum": ((NumberColumn,), "step-wants-number"),
    "mean": ((NumberColumn,), "step-wants-number"),
    "smallest": ((NumberColumn, DateColumn), "step-wants-number"),
    "largest": ((NumberColumn, DateColumn), "step-wants-number"),
    "days": ((DateColumn,), "step-wants-date"),
    "most-frequent": ((CategoryColumn, YesNoColumn), "step-wants-category"),
}
"""The kinds of column that each takes a value of, and what is said of another."""


def kinds_taken(what: PersonValue | RowNeighbour) -> tuple[type[Column], ...]:
    """The kinds of column that a value of many rows is taken of."""
    return _OF_KIND.get(what, _OF_ANY)[0]


_CHECKS: Final[dict[type[Step], Callable[[Study, Any, Column, str], Iterator[Problem]]]] = {
    TimeBetween: _time_between,
    Recode: _recode,
    CodePrefix: _code_prefix,
    Bands: _bands,
    Holds: _holds,
    Arithmetic: _arithmetic,
    DatePart: _date_part,
    FirstThere: _first_there,
    FileLabel: _file_label,
    OfPerson: _of_rows,
    BesideRow: _beside_row,
    OfCase: _of_rows,
}
