# SPDX-License-Identifier: Apache-2.0
"""The rows that queries see, made in the database: coded, and at most k of each person.

    source   the table as it is
    read     its declared columns and a random number for each row, made once
    coded    a person's number and a code for each column, in place of values
    ranked   each row's place among its person's, by the random number
    kept     the rows of the first k places

A random number is drawn in one statement and used in the next, so no engine draws it twice; rows
are ranked in one statement and dropped in the next. Rows of one person and one random number are
put in order by what they hold: only rows that are alike can change places. Nothing that is put in
order can be NULL.
"""

from __future__ import annotations

from dataclasses import dataclass

import ibis
import ibis.expr.types as ir
import numpy as np
import pyarrow as pa

from dpdesk.data.files.header import column_names
from dpdesk.data.opened import locate_in_files
from dpdesk.engine.database import Database
from dpdesk.engine.meaning import NOBODY, DerivedColumn, Ints, Meaning, ReadColumn, persons_of
from dpdesk.study.model.columns import plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import refuse

PERSON = "person"
PLACE = "place"
_RANDOM = "random_number"
_ID = "person_id"
_VALUE = "v"
_CODE = "c"


@dataclass(frozen=True)
class BoundedRows:
    """What is left of a table.

    Attributes:
        rows: the kept rows, as a temporary table: ``person``, ``place`` and a column of codes for
            each name.
        before: the same before the contribution bound, without ``place``.
        column_of: the column of codes of each name.
        people: how many people there are.
    """

    rows: ir.Table
    before: ir.Table
    column_of: dict[str, str]
    people: int

    def codes(self, name: str) -> str:
        """The column of codes of a declared column."""
        return self.column_of[name]


def keep_rows(database: Database, source: ir.Table, study: Study, meaning: Meaning) -> BoundedRows:
    """Code a table's rows and keep at most k of each person.

    Raises:
        Refused: what ``locate_in_files`` refuses; ``engine-compares-differently`` where a value
            did not meet its own code, or the bound does not hold.
    """
    read, values = _read(database, source, study, meaning)
    coded, column_of = _coded(database, read, values, study, meaning)
    database.drop(read)
    if meaning.person is None:
        people = _count(database, coded)
        return BoundedRows(coded, coded, column_of, people)
    coded = _made(database, "dpdesk_people", coded.filter(coded[PERSON] != NOBODY), coded)
    order = [coded[_RANDOM], *(coded[name] for name in column_of.values())]
    place = ibis.row_number().over(ibis.window(group_by=coded[PERSON], order_by=order))
    ranked = database.make("dpdesk_ranked", coded.mutate(**{PLACE: place.cast("int64")}))
    most = (study.unit or Unit()).max_rows
    kept = database.make("dpdesk_kept", ranked.filter(ranked[PLACE] < most))
    database.drop(ranked)
    _check_bound(database, coded, kept, most)
    return BoundedRows(kept, coded, column_of, _count(database, coded.select(PERSON).distinct()))


def _made(database: Database, name: str, rows: ir.Table, before: ir.Table) -> ir.Table:
    made = database.make(name, rows)
    database.drop(before)
    return made


def _read(
    database: Database, source: ir.Table, study: Study, meaning: Meaning
) -> tuple[ir.Table, dict[str, str]]:
    """The declared columns and a random number for each row; and each header's column there."""
    names = tuple(source.columns)
    header = column_names(names)
    locate_in_files(study, MAIN, [header])
    at = dict(zip(header, names, strict=True))
    headers = dict.fromkeys(plain_name(column.header) for column in meaning.read)
    if meaning.person is not None:
        headers[plain_name(meaning.person)] = None
    column_of = {one: f"{_VALUE}{place}" for place, one in enumerate(headers)}
    taken = {column_of[one]: database.comparable(source[at[one]]) for one in headers}
    read = database.make("dpdesk_read", source.select(**taken, **{_RANDOM: ibis.random()}))
    return read, column_of


def _coded(
    database: Database,
    read: ir.Table,
    values: dict[str, str],
    study: Study,
    meaning: Meaning,
) -> tuple[ir.Table, dict[str, str]]:
    """Codes in place of values, those of derived columns too."""
    column_of: dict[str, str] = {}
    coded = read
    by_header: dict[str, list[ReadColumn]] = {}
    for column in meaning.read:
        by_header.setdefault(values[plain_name(column.header)], []).append(column)
    for value, columns in by_header.items():
        names = {f"{_CODE}{len(column_of) + place}": one for place, one in enumerate(columns)}
        column_of |= {one.name: name for name, one in names.items()}
        coded = _beside(database, coded, value, _dictionary(database, read, value, names))
    if meaning.person is not None:
        value = values[plain_name(meaning.person)]
        persons = _of_distinct(database, read, value)
        found = persons.append_column(PERSON, pa.array(persons_of(_array(persons), study)))
        coded = _beside(database, coded, value, found)
    else:
        coded = coded.mutate(**{PERSON: ibis.literal(0, "int64")})
    kept = [PERSON, _RANDOM, *column_of.values()]
    made = database.make("dpdesk_coded", coded.select(*kept))
    _check_codes(database, made, kept)
    for number, derived in enumerate(meaning.derived):
        made = _derived(database, made, derived, column_of, number)
    return made, column_of


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


def _beside(database: Database, rows: ir.Table, value: str, dictionary: pa.Table) -> ir.Table:
    """Rows with the codes of one column's values; NULL where a value does not meet itself."""
    key, *names = dictionary.column_names
    missing = dictionary.filter(dictionary.column(0).is_null()).slice(0, 1)
    own = f"{key}_key"
    there = dictionary.filter(dictionary.column(0).is_valid()).rename_columns([own, *names])
    uploaded = database.upload(f"dpdesk_codes_{key}", there)
    joined = rows.left_join(uploaded, rows[value] == uploaded[own])
    codes = {
        name: ibis.ifelse(
            joined[value].isnull(), ibis.literal(missing[name][0].as_py(), "int64"), joined[name]
        )
        for name in names
    }
    return joined.mutate(**codes).drop(own)


def _derived(
    database: Database,
    rows: ir.Table,
    derived: DerivedColumn,
    column_of: dict[str, str],
    number: int,
) -> ir.Table:
    """Rows with the codes of a derived column, by the combinations of what it is made of."""
    name = f"{_CODE}{len(column_of)}"
    of = [column_of[one] for one in derived.of]
    table = f"dpdesk_derived_{number}"
    if of:
        found = database.fetch(rows.select(*of).distinct())
        codes = {one: _ints(found, at) for one, at in zip(derived.of, of, strict=True)}
        keys = [f"k{place}" for place in range(len(of))]
        own = found.rename_columns(keys).append_column(
            name, pa.array(derived.code(codes, found.num_rows), pa.int64())
        )
        uploaded = database.upload(f"dpdesk_combinations_{number}", own)
        same = [rows[at] == uploaded[key] for at, key in zip(of, keys, strict=True)]
        beside = rows.left_join(uploaded, same).drop(*keys)
    else:
        beside = rows.mutate(**{name: ibis.literal(int(derived.code({}, 1)[0]), "int64")})
    made = _made(database, table, beside, rows)
    _check_codes(database, made, [name])
    column_of[derived.name] = name
    return made


def _ints(table: pa.Table, name: str) -> Ints:
    ints: Ints = table.column(name).to_numpy().astype(np.int64)
    return ints


def _count(database: Database, rows: ir.Table) -> int:
    return _number(database.fetch(rows.aggregate(n=rows.count())), "n")


def _number(aggregated: pa.Table, name: str) -> int:
    """One aggregate of all rows; 0 where there are none."""
    return sum(_ints(aggregated.filter(aggregated[name].is_valid()), name).tolist())


def _check_codes(database: Database, rows: ir.Table, names: list[str]) -> None:
    """Every row has every code: a value that is not equal to itself would go uncounted."""
    lacks = [rows[name].isnull() for name in names]
    if names and _count(database, rows.filter(ibis.or_(*lacks))):
        raise refuse("engine-compares-differently")


def _check_bound(database: Database, before: ir.Table, kept: ir.Table, most: int) -> None:
    """Nobody has more than k rows, and everybody the lesser of k and their own."""
    rows = before.group_by(PERSON).aggregate(n=before.count())
    wanted = database.fetch(rows.aggregate(n=ibis.least(rows.n, most).sum()))
    own = kept.group_by(PERSON).aggregate(n=kept.count())
    found = database.fetch(own.aggregate(n=own.n.sum(), most=own.n.max()))
    if _number(wanted, "n") != _number(found, "n") or _number(found, "most") > most:
        raise refuse("engine-compares-differently")
