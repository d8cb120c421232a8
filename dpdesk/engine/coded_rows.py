# SPDX-License-Identifier: Apache-2.0
"""A study's tables in a database, coded: whose each row is, and a code for each of its cells.

    source   a table as it is
    read     its declared columns and a random number for each row, made once
    coded    a person's number and a code for each column, in place of values

A random number is drawn in one statement and used in the next, so no engine draws it twice.
People are numbered over all tables together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import ibis
import ibis.expr.types as ir
import numpy as np
import pyarrow as pa

from dpdesk.data.files.header import column_names
from dpdesk.data.opened import locate_in_files
from dpdesk.engine.database import Database
from dpdesk.engine.meaning import Ints, Meaning, ReadColumn, numbers_of
from dpdesk.study.model.columns import plain_name
from dpdesk.study.problem import refuse

PERSON = "person"
CASE = "case_number"
RANDOM = "random_number"
_VALUE = "v"
_CODE = "c"


@dataclass(frozen=True)
class CodedTable:
    """One table.

    Attributes:
        rows: a temporary table: ``person``, ``random_number``, a column of codes for each name,
            and ``case_number`` where cases are asked for.
        column_of: the column of codes of each name.
    """

    rows: ir.Table
    column_of: dict[str, str]


@dataclass(frozen=True)
class _ReadTable:
    """One table before its values are coded.

    Attributes:
        rows: the values.
        column_of: the column of values of each header.
    """

    rows: ir.Table
    column_of: dict[str, str]


def code_tables(
    database: Database, sources: Mapping[str, ir.Table], meanings: Mapping[str, Meaning]
) -> dict[str, CodedTable]:
    """Code the tables of a study.

    Args:
        sources: each table as it is, by its name in the study.
        meanings: what the values of each table mean.

    Raises:
        Refused: what ``locate_in_files`` refuses; ``engine-compares-differently`` where a value
            did not meet its own code.
    """
    read = {name: _read(database, sources[name], one) for name, one in meanings.items()}
    ids = _numbered(database, read, meanings, PERSON)
    cases = _numbered(database, read, meanings, CASE)
    return {
        name: _coded(database, read[name], one, ids.get(name), cases.get(name))
        for name, one in meanings.items()
    }


def _read(database: Database, source: ir.Table, meaning: Meaning) -> _ReadTable:
    """The declared columns and a random number for each row."""
    names = tuple(source.columns)
    header = column_names(names)
    locate_in_files(meaning.study, meaning.table, [header])
    at = dict(zip(header, names, strict=True))
    wanted = [column.header for column in meaning.read]
    wanted += [one for one in (meaning.person, meaning.case) if one is not None]
    column_of = {
        one: f"{_VALUE}{place}" for place, one in enumerate(dict.fromkeys(map(plain_name, wanted)))
    }
    taken = {own: database.comparable(source[at[one]]) for one, own in column_of.items()}
    made = source.select(**taken, **{RANDOM: ibis.random()})
    return _ReadTable(database.make(f"dpdesk_read{meaning.number}", made), column_of)


def _numbered(
    database: Database, read: Mapping[str, _ReadTable], meanings: Mapping[str, Meaning], what: str
) -> dict[str, pa.Table]:
    """The number of each different id or case number of each table that has some."""
    found = {}
    for name, meaning in meanings.items():
        header = meaning.person if what == PERSON else meaning.case
        if header is not None:
            value = read[name].column_of[plain_name(header)]
            found[name] = _of_distinct(database, read[name].rows, value)
    numbers = numbers_of(
        {name: _array(table) for name, table in found.items()}, meanings, is_case=what == CASE
    )
    return {
        name: table.append_column(what, pa.array(numbers[name])) for name, table in found.items()
    }


def _coded(
    database: Database,
    read: _ReadTable,
    meaning: Meaning,
    persons: pa.Table | None,
    cases: pa.Table | None,
) -> CodedTable:
    """Codes in place of values, those of derived columns too."""
    column_of: dict[str, str] = {}
    coded, prefix = read.rows, f"dpdesk_codes{meaning.number}_"
    by_value: dict[str, list[ReadColumn]] = {}
    for column in meaning.read:
        by_value.setdefault(read.column_of[plain_name(column.header)], []).append(column)
    for value, columns in by_value.items():
        names = {f"{_CODE}{len(column_of) + place}": one for place, one in enumerate(columns)}
        column_of |= {one.name: name for name, one in names.items()}
        coded = _beside(database, coded, prefix, _dictionary(database, read.rows, value, names))
    for what, numbered in ((PERSON, persons), (CASE, cases)):
        if numbered is not None:
            coded = _beside(database, coded, prefix + what, numbered)
    if persons is None:
        coded = coded.mutate(**{PERSON: ibis.literal(0, "int64")})
    kept = [PERSON, *([] if cases is None else [CASE]), RANDOM, *column_of.values()]
    made = database.make(f"dpdesk_coded{meaning.number}", coded.select(*kept))
    check_codes(database, made, kept)
    database.drop(read.rows)
    return CodedTable(made, column_of)


def _array(distinct: pa.Table) -> pa.Array:
    return distinct.column(0).combine_chunks()


def _of_distinct(database: Database, read: ir.Table, value: str) -> pa.Table:
    """The different values of a column, one of them the missing one."""
    table = database.fetch(read.select(value).distinct())
    if table.column(0).null_count == 0:
        table = pa.concat_tables(
            [table, pa.table([pa.nulls(1, table.schema[0].type)], table.schema)]
        )
    return table


def _dictionary(
    database: Database, read: ir.Table, value: str, names: dict[str, ReadColumn]
) -> pa.Table:
    table = _of_distinct(database, read, value)
    cells = _array(table)
    for name, column in names.items():
        table = table.append_column(name, pa.array(column.code(cells), pa.int64()))
    return table


def _beside(database: Database, rows: ir.Table, prefix: str, dictionary: pa.Table) -> ir.Table:
    """Rows with the codes of one column's values; NULL where a value does not meet itself."""
    key, *names = dictionary.column_names
    missing = dictionary.filter(dictionary.column(0).is_null()).slice(0, 1)
    own = f"{key}_key"
    there = dictionary.filter(dictionary.column(0).is_valid()).rename_columns([own, *names])
    uploaded = database.upload(f"{prefix}{key}", there)
    joined = rows.left_join(uploaded, rows[key] == uploaded[own])
    codes = {
        name: ibis.ifelse(
            joined[key].isnull(), ibis.literal(missing[name][0].as_py(), "int64"), joined[name]
        )
        for name in names
    }
    return joined.mutate(**codes).drop(own)


def ints_of(table: pa.Table, name: str) -> Ints:
    ints: Ints = table.column(name).to_numpy().astype(np.int64)
    return ints


def count_rows(database: Database, rows: ir.Table) -> int:
    return number_in(database.fetch(rows.aggregate(n=rows.count())), "n")


def number_in(aggregated: pa.Table, name: str) -> int:
    """One aggregate of all rows; 0 where there are none."""
    return sum(ints_of(aggregated.filter(aggregated[name].is_valid()), name).tolist())


def check_codes(database: Database, rows: ir.Table, names: list[str]) -> None:
    """Every row has every code: a value that is not equal to itself would go uncounted."""
    lacks = [rows[name].isnull() for name in names]
    if names and count_rows(database, rows.filter(ibis.or_(*lacks))):
        raise refuse("engine-compares-differently")
