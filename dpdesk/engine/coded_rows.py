# SPDX-License-Identifier: Apache-2.0
"""A study's tables in a database, coded: whose each row is, and a code for each of its cells.

    source   a table as it is
    read     its declared columns, copied once where others may change the table meanwhile: all
             tables of a study together, of one moment
    coded    a person and a code for each column in place of values, made once

Where rows are ranked in the database, each has a random number: drawn in one statement and used in
the next, so no engine draws it twice. Where they come to the runner, some people at a time, each
has the bucket of its person instead. People are the same over all tables together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from dpdesk.data.files.header import column_names
from dpdesk.data.opened import locate_in_files
from dpdesk.engine.database import Database
from dpdesk.engine.dictionaries import beside, cells_of, check_codes, different_values
from dpdesk.engine.meaning import Meaning, ReadColumn, numbers_of
from dpdesk.engine.people import PERSON, People, PeopleByText, people_of
from dpdesk.engine.words import CodeField, WordLayout, words_of
from dpdesk.study.model.columns import plain_name

CASE = "case_number"
RANDOM = "random_number"
_VALUE = "v"
_CODE = "c"


@dataclass(frozen=True)
class CodedTable:
    """One table.

    Attributes:
        rows: a temporary table: ``person``, ``case_number`` where cases are asked for, and either
            ``random_number`` and a column of codes for each name, or words.
        column_of: the column of codes of each name, where there are no words.
        field_of: where the codes of each name are in the words.
        is_numbered: whether ``person`` is a number, else an id as it is.
    """

    rows: ir.Table
    column_of: dict[str, str]
    field_of: dict[str, CodeField]
    is_numbered: bool


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
    database: Database,
    sources: Mapping[str, ir.Table],
    meanings: Mapping[str, Meaning],
    is_ranked: bool,
) -> dict[str, CodedTable]:
    """Code the tables of a study.

    Args:
        sources: each table as it is, by its name in the study.
        meanings: what the values of each table mean.
        is_ranked: whether rows are ranked in the database, else they come to the runner.

    Raises:
        Refused: what ``locate_in_files`` refuses; ``engine-compares-differently`` where a value
            did not meet its own code.
    """
    read = {name: _read(database, sources[name], one, is_ranked) for name, one in meanings.items()}
    if is_ranked or not database.is_embedded:
        read = _copied(database, read, meanings)
    ids = {
        name: (read[name].rows, read[name].column_of[plain_name(one.person)])
        for name, one in meanings.items()
        if one.person is not None
    }
    people = people_of(database, ids, meanings, not is_ranked)
    cases = _cases(database, read, meanings)
    return {
        name: _coded(database, read[name], one, people.get(name), cases.get(name), is_ranked)
        for name, one in meanings.items()
    }


def _read(database: Database, source: ir.Table, meaning: Meaning, is_ranked: bool) -> _ReadTable:
    """The declared columns, and a random number of each row where rows are ranked."""
    names = tuple(source.columns)
    header = column_names(names)
    locate_in_files(meaning.study, meaning.table, [header])
    at = dict(zip(header, names, strict=True))
    wanted = [column.header for column in meaning.read]
    wanted += [one for one in (meaning.person, meaning.case) if one is not None]
    column_of = {
        one: f"{_VALUE}{place}" for place, one in enumerate(dict.fromkeys(map(plain_name, wanted)))
    }
    # Whoever runs this may be allowed to read the declared columns alone.
    named = source.select(*(at[one] for one in column_of)) if column_of else source
    taken = {own: database.comparable(named[at[one]]) for one, own in column_of.items()}
    drawn = {RANDOM: database.random_number()} if is_ranked else {}
    also = drawn or ({} if taken else {_VALUE: ibis.literal(0)})
    return _ReadTable(named.select(**taken, **also), column_of)


def _copied(
    database: Database, read: Mapping[str, _ReadTable], meanings: Mapping[str, Meaning]
) -> dict[str, _ReadTable]:
    """Copies of all tables, of one moment: nothing else is read of what others may change."""
    name_of = {name: f"dpdesk_read{meanings[name].number}" for name in read}
    made = database.make_of_one_moment({name_of[name]: one.rows for name, one in read.items()})
    return {name: replace(one, rows=made[name_of[name]]) for name, one in read.items()}


def _cases(
    database: Database, read: Mapping[str, _ReadTable], meanings: Mapping[str, Meaning]
) -> dict[str, pa.Table]:
    """The number of each different case number of each table that has some."""
    found = {
        name: different_values(
            database, read[name].rows, read[name].column_of[plain_name(one.case)]
        )
        for name, one in meanings.items()
        if one.case is not None
    }
    cells = {name: cells_of(table) for name, table in found.items()}
    numbers = numbers_of(cells, meanings, is_case=True)
    return {
        name: table.append_column(CASE, pa.array(numbers[name])) for name, table in found.items()
    }


def _coded(
    database: Database,
    read: _ReadTable,
    meaning: Meaning,
    people: People | None,
    cases: pa.Table | None,
    is_ranked: bool,
) -> CodedTable:
    """Codes in place of values."""
    prefix = f"dpdesk_codes{meaning.number}_"
    coded, columns = _beside_columns(database, read, meaning, prefix, is_ranked)
    if cases is not None:
        coded = beside(database, coded, prefix + CASE, cases)
    if people is None:
        coded = coded.mutate(**{PERSON: ibis.literal(0, "int64")})
    else:
        coded = people.beside(database, coded, prefix + PERSON)
    column_of = {name: own for own, (name, _) in columns.items()}
    field_of = dict(columns.values())
    is_numbered = not isinstance(people, PeopleByText)
    if is_ranked:
        return CodedTable(coded.select(PERSON, RANDOM, *columns), column_of, field_of, is_numbered)
    bucket = people.bucket(coded) if people is not None else ibis.literal(0)
    also = words_of(coded, columns, bucket)
    kept = [PERSON, *([] if cases is None else [CASE]), *also]
    made = database.make(f"dpdesk_coded{meaning.number}", coded.mutate(**also).select(*kept))
    check_codes(database, made, kept)
    if not database.is_embedded:
        database.drop(read.rows)
    return CodedTable(made, column_of, field_of, is_numbered)


def _beside_columns(
    database: Database, read: _ReadTable, meaning: Meaning, prefix: str, is_ranked: bool
) -> tuple[ir.Table, dict[str, tuple[str, CodeField]]]:
    """Rows with the codes of each column, and of each column of codes its name and field."""
    coded, words = read.rows, WordLayout()
    by_value: dict[str, list[ReadColumn]] = {}
    for column in meaning.read:
        by_value.setdefault(read.column_of[plain_name(column.header)], []).append(column)
    columns: dict[str, tuple[str, CodeField]] = {}
    for value, read_so in by_value.items():
        table = different_values(database, read.rows, value)
        cells = cells_of(table)
        for one in read_so:
            codes = one.code(cells)
            own, field = f"{_CODE}{len(columns)}", words.place(one.kind)
            columns[own] = one.name, field
            coded_so = codes.astype(one.kind) if is_ranked else field.packed(codes)
            table = table.append_column(own, pa.array(coded_so))
        coded = beside(database, coded, prefix + value, table)
    return coded, columns
