# SPDX-License-Identifier: Apache-2.0
"""Edits of a Table 1: what it shows of which column, and its place among the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final, Literal

from dpdesk.desk.core.edits.query_edits import on_grid
from dpdesk.study.model.amount import Share
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic
from dpdesk.study.model.columns import CATEGORY, Column, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.periods import PERIODS, Period

SummaryKind = Literal["mean", "median", "counts", "bins", "missing"] | Period
"""What a Table 1 shows of a column: a summary, its days by a period, or what is missing."""

FIRST_BINS: Final = 5
FIRST_PERIOD: Final[Period] = "year"
_NUMBERS: Final[tuple[SummaryKind, ...]] = ("mean", "median", "bins")


def new_table(study: Study, share: Share) -> BaselineTable:
    """An empty Table 1 under a name of its own."""
    return BaselineTable(free_table_id(study)).at_share(share)


def free_table_id(study: Study) -> str:
    """A name that no other Table 1 and no query of the study has."""
    taken = {one.id for one in study.baseline_tables} | {one.id for one in study.queries}
    number = 1
    while (name := f"table-{number}") in taken:
        number += 1
    return name


def add_table(study: Study, table: BaselineTable) -> Study:
    return replace(study, baseline_tables=(*study.baseline_tables, table))


def replace_table(study: Study, table: BaselineTable) -> Study:
    """Put another table in place of the one with its id."""
    tables = (table if one.id == table.id else one for one in study.baseline_tables)
    return replace(study, baseline_tables=tuple(tables))


def remove_table(study: Study, table_id: str) -> Study:
    left = tuple(one for one in study.baseline_tables if one.id != table_id)
    return replace(study, baseline_tables=left)


def duplicate_table(study: Study, table_id: str) -> Study:
    """Add a copy of a table after it, under a name of its own."""
    table = study.baseline_table(table_id)
    if table is None:
        return study
    place, tables = study.baseline_tables.index(table) + 1, study.baseline_tables
    copy = replace(table, id=free_table_id(study))
    return replace(study, baseline_tables=(*tables[:place], copy, *tables[place:]))


def choose_columns(study: Study, table: BaselineTable, names: Collection[str]) -> BaselineTable:
    """The table of these columns: what it shows of others goes, new ones begin with a summary."""
    there = {one.column for one in table.characteristics}
    kept = tuple(one for one in table.characteristics if one.column in names)
    columns = (column for column in study.asked_columns if column.name in names)
    new = (_first(column) for column in columns if column.name not in there)
    return replace(table, characteristics=(*kept, *new))


def choices(column: Column | None) -> tuple[SummaryKind, ...]:
    """What a table can show of a column."""
    kinds: tuple[SummaryKind, ...] = ("counts",)
    if isinstance(column, NumberColumn):
        kinds = _NUMBERS
    elif isinstance(column, DateColumn):
        kinds = PERIODS
    counts_missing = getattr(column, "missing", None) == CATEGORY
    return kinds if counts_missing else (*kinds, "missing")


def kinds_of(study: Study, table: BaselineTable, name: str) -> tuple[SummaryKind, ...]:
    """What a table shows of a column, in the order of its rows."""
    own = [one for one in table.characteristics if one.column == name]
    missing: tuple[SummaryKind, ...] = ("missing",) if any(one.missing for one in own) else ()
    return (*(kind_of(study, one) for one in own), *missing)


def kind_of(study: Study, one: Characteristic) -> SummaryKind:
    """What one characteristic shows, beside what is missing."""
    if one.edges:
        return "bins"
    if one.period is not None:
        return one.period
    figures = one.figures(study.column(one.column))
    return {"moments": "mean", "quantiles": "median"}.get(figures, "counts")  # type: ignore[return-value]


def with_figures(
    study: Study, table: BaselineTable, name: str, wanted: Iterable[SummaryKind]
) -> BaselineTable:
    """The table that shows these things of a column, in the order of what it can show of it.

    What is shown already keeps its bins and its share. Without anything the column is no
    characteristic any more; of one whose missing cells alone are wanted a summary is shown, too.
    """
    column, wished = study.column(name), set(wanted)
    own = {kind_of(study, one): one for one in table.characteristics if one.column == name}
    known = (*choices(column), *own)
    kinds: list[SummaryKind] = [
        kind for kind in dict.fromkeys(known) if kind in wished and kind != "missing"
    ]
    kinds = kinds or ([choices(column)[0]] if wished else [])
    made = [replace(own.get(k) or _characteristic(column, name, k), missing=False) for k in kinds]
    if made and "missing" in wished:
        made[0] = replace(made[0], missing=True)
    rows = [one.column for one in table.characteristics]
    first = rows.index(name) if name in rows else len(rows)
    others = [one for one in table.characteristics if one.column != name]
    before = sum(one.column != name for one in table.characteristics[:first])
    return replace(table, characteristics=(*others[:before], *made, *others[before:]))


def _first(column: Column) -> Characteristic:
    kind = FIRST_PERIOD if isinstance(column, DateColumn) else choices(column)[0]
    return _characteristic(column, column.name, kind)


def _characteristic(column: Column | None, name: str, kind: SummaryKind) -> Characteristic:
    if kind in PERIODS:
        return Characteristic(name, period=kind)
    if kind == "bins":
        return Characteristic(name, edges=on_grid(column, FIRST_BINS)[1:-1])
    if kind == "median":
        return Characteristic(name, "median")
    return Characteristic(name)


def put(table: BaselineTable, place: int, one: Characteristic) -> BaselineTable:
    """The table with another characteristic in a place."""
    rows = table.characteristics
    return replace(table, characteristics=(*rows[:place], one, *rows[place + 1 :]))


def without(table: BaselineTable, place: int) -> BaselineTable:
    """The table without the characteristic in a place."""
    rows = table.characteristics
    return replace(table, characteristics=(*rows[:place], *rows[place + 1 :]))


def moved(table: BaselineTable, place: int, step: int) -> BaselineTable:
    """The table with a characteristic that changed places with its neighbour."""
    rows = list(table.characteristics)
    if 0 <= place + step < len(rows):
        rows[place], rows[place + step] = rows[place + step], rows[place]
    return replace(table, characteristics=tuple(rows))
