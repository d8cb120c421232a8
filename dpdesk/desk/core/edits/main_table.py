# SPDX-License-Identifier: Apache-2.0
"""Another table becomes the one whose rows queries count; what can be kept of the study is kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.edits.table_edits import free_table_name, is_named_for_people
from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import FileLabel, OfRows
from dpdesk.study.model.tables import MAIN, FurtherTable
from dpdesk.study.model.unit import DataSource, Unit

T = TypeVar("T")
Names = Mapping[str, str]
_NAMED = frozenset({"column", "columns", "by", "between", "over"})
"""Members of steps, queries and conditions in which a text is a column's name."""


@dataclass(frozen=True)
class MainChange:
    """A study with another main table, and what it could not keep.

    Attributes:
        study: the study after.
        former: what the table is called that queries counted so far.
        columns: derived columns that make no sense any more; they are gone.
        rule: whether the new main table had a rule for several rows of one person.
        cases: further tables that met by a case number, which the new main table lacks.
        row_words: whether rows had words of their own.
        limit: whether the row limit was chosen for other rows, so that it is asked for again.
        queries: how many queries now use what rows of the main table do not have; they stay.
    """

    study: Study
    former: str
    columns: tuple[str, ...] = ()
    rule: bool = False
    cases: tuple[str, ...] = ()
    row_words: bool = False
    limit: bool = False
    queries: int = 0


def with_main(study: Study, name: str, header: Iterable[str] = ()) -> MainChange:
    """Let queries count the rows of a further table; the main one becomes a further one.

    Columns stay with the rows that they are read from. Those of the main table are called as in
    its files, so that another column of such a name gets its table's name, too.

    Args:
        name: of the further table.
        header: its columns, as far as they are known.
    """
    table, unit = study.table(name), study.unit or Unit()
    if table is None:
        raise ValueError("there is no such table")
    former = _former_table(study, table)
    swapped = {name: MAIN, MAIN: former.name}
    named = _named_anew(study, name, former.name, frozenset(header))
    left = {one.name for one in study.tables if one.case and one is not table}
    lost = () if table.case else tuple(sorted(left | ({former.name} if unit.case else set())))
    tables = (former if one is table else one for one in study.tables)
    moved = replace(
        study,
        data=replace(table.data, extract=(study.data or DataSource()).extract),
        tables=tuple(_table(one, named, bool(table.case)) for one in tables),
        columns=tuple(_column(column, named, swapped) for column in study.columns),
        queries=tuple(renamed(query, named) for query in study.queries),
        baseline_tables=tuple(renamed(table, named) for table in study.baseline_tables),
    )
    moved = study_edits.set_unit(
        moved,
        person=table.person or None,
        case=table.case,
        max_rows=1 if table.is_of_people or not table.person else unit.max_rows,
        row_name="",
        row_names="",
    )
    kept, gone = _what_makes_sense(study, moved, named)
    return MainChange(
        kept,
        former.name,
        gone,
        rule=table.is_of_people and table.keep != "smallest",
        cases=lost,
        row_words=bool(unit.row_name or unit.row_names),
        limit=not table.is_of_people and bool(table.person),
        queries=_broken_queries(study, kept),
    )


def _former_table(study: Study, table: FurtherTable) -> FurtherTable:
    """The main table as a further one; of what a row is is proposed by its file's name."""
    data, unit = study.data or DataSource(), study.unit or Unit()
    others = replace(study, tables=tuple(one for one in study.tables if one is not table))
    name = free_table_name(others, data.path)
    case = unit.case if table.case else ""
    is_of_people = is_named_for_people(data.path) and not case
    rows: Any = "one-per-person" if is_of_people else "many"
    return FurtherTable(name, replace(data, extract=""), unit.person or "", case, rows)


def _named_anew(study: Study, name: str, former: str, header: frozenset[str]) -> Names:
    """What columns are called now, by what they were called."""
    own = {c.name: c.header or c.name for c in study.read_from(name) if c.made_from is None}
    reserved = {*header, *own.values()}
    taken = {*reserved, *(set(study.by_name) - set(own))}
    found = dict(own)
    for column in study.columns:
        if column.name in own or column.name not in reserved:
            continue
        home = column.table or former
        wanted = f"{column.header or column.name} ({home})"
        numbers = (f"{wanted} {number}" for number in range(2, len(study.columns) + 3))
        found[column.name] = next(n for n in (wanted, *numbers) if n not in taken)
        taken.add(found[column.name])
    return found


def _table(table: FurtherTable, named: Names, has_cases: bool) -> FurtherTable:
    by = table.by if table.by is None else named.get(table.by, table.by)
    return replace(table, by=by, case=table.case if has_cases else "")


def _column(column: Column, named: Names, swapped: Names) -> Column:
    """A column with its home, and made of what its operands are called now."""
    name, step = named.get(column.name, column.name), column.made_from
    if step is None:
        header = column.header or column.name
        home = swapped.get(column.table, column.table)
        return replace(column, name=name, table=home, in_file="" if header == name else header)
    step = renamed(step, named)
    if isinstance(step, OfRows):
        step = replace(step, table=swapped.get(step.table, step.table))
    is_read = column.header is not None or isinstance(step, FileLabel)
    home = swapped.get(column.table, column.table) if is_read else column.table
    return replace(column, name=name, made_from=step, table=home)


def renamed(value: T, named: Names) -> T:
    """A step, a query or a condition whose columns have other names."""
    if isinstance(value, tuple):
        return tuple(renamed(one, named) for one in value)  # type: ignore[return-value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes = {f.name: _member(f.name, getattr(value, f.name), named) for f in fields(value)}
    return replace(value, **changes)


def _member(key: str, value: Any, named: Names) -> Any:
    if key not in _NAMED:
        return renamed(value, named)
    if isinstance(value, tuple):
        return tuple(_member(key, one, named) for one in value)
    return named.get(value, value) if isinstance(value, str) else renamed(value, named)


def _what_makes_sense(before: Study, moved: Study, named: Names) -> tuple[Study, tuple[str, ...]]:
    """The study without derived columns that only now are refused, and what these are called."""
    known = _refused(before, "columns")
    known = {named.get(name, name): codes for name, codes in known.items()}
    gone: list[str] = []
    while True:
        refused = _refused(moved, "columns")
        wrong = {
            column.name
            for column in moved.columns
            if column.made_from is not None
            and refused.get(column.name, set()) - known.get(column.name, set())
        }
        if not wrong:
            return moved, tuple(gone)
        gone += [column.name for column in moved.columns if column.name in wrong]
        left = tuple(column for column in moved.columns if column.name not in wrong)
        moved = replace(moved, columns=left)


def _refused(study: Study, members: str) -> dict[str, set[str]]:
    """What is refused, by the column or the query that it is about."""
    named = [c.name for c in study.columns]
    if members != "columns":
        named = [one.id for one in getattr(study, members)]
    found: dict[str, set[str]] = {}
    for problem in check(study):
        start = f"$.{members}["
        if problem.path.startswith(start):
            at = int(problem.path.removeprefix(start).partition("]")[0])
            found.setdefault(named[at], set()).add(problem.code)
    return found


def _broken_queries(before: Study, after: Study) -> int:
    broken = 0
    for members in ("queries", "baseline_tables"):
        known, now = _refused(before, members), _refused(after, members)
        broken += sum(bool(codes - known.get(name, set())) for name, codes in now.items())
    return broken
