# SPDX-License-Identifier: Apache-2.0
"""The rows that queries see, where one table says everything: at most k of each person.

    ranked   each row's place among its person's, by its random number
    kept     the rows of the first k places, in statements of their own

Rows of one person and one random number are put in order by what they hold: only rows that are
alike can change places. Where anything that was put in order was NULL, nothing is counted.
"""

from __future__ import annotations

from dataclasses import dataclass

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from dpdesk.engine.coded_rows import RANDOM, CodedTable
from dpdesk.engine.database import Database
from dpdesk.engine.dictionaries import check_codes, count_rows, ints_of, number_in
from dpdesk.engine.meaning import NOBODY, DerivedColumn, Meaning
from dpdesk.engine.people import PERSON
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import refuse

PLACE = "place"

_READ_IN_PLACE = 8
"""So often the kept rows are read among all others; a table of their own costs as much."""


@dataclass(frozen=True)
class BoundedRows:
    """What is left of a table.

    Attributes:
        rows: the kept rows: ``person``, ``place`` and a column of codes for each name.
        before: the same before the contribution bound, as a temporary table.
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


def keep_rows(
    database: Database, coded: CodedTable, meaning: Meaning, questions: int
) -> BoundedRows:
    """Make a table's derived columns, and keep at most k rows of each person.

    Args:
        questions: how often the kept rows are read.

    Raises:
        Refused: ``engine-compares-differently`` where a combination of codes did not meet its
            own, or the bound does not hold.
    """
    rows, column_of = coded.rows, dict(coded.column_of)
    if meaning.derived or meaning.person is None:
        rows = database.make("dpdesk_coded", rows)
        check_codes(database, rows, [*rows.columns])
    for number, derived in enumerate(meaning.derived):
        rows = _derived(database, rows, derived, column_of, number)
    if meaning.person is None:
        return BoundedRows(rows, rows, column_of, count_rows(database, rows))
    # Who met no number is refused below, not left out.
    rows = rows.filter(rows[PERSON].isnull() | (rows[PERSON] != NOBODY))
    order = [rows[RANDOM], *(rows[name] for name in column_of.values())]
    place = ibis.row_number().over(ibis.window(group_by=rows[PERSON], order_by=order))
    placed = rows.mutate(**{PLACE: place.cast("int64")}).drop(RANDOM)
    ranked = database.make("dpdesk_ranked", placed)
    most = (meaning.study.unit or Unit()).max_rows
    people = _bounded_people(database, ranked, most)
    kept = ranked.filter(ranked[PLACE] < most)
    if questions > _READ_IN_PLACE:
        kept = database.make("dpdesk_kept", kept)
    return BoundedRows(kept, ranked, column_of, people)


def _made(database: Database, name: str, rows: ir.Table, before: ir.Table) -> ir.Table:
    made = database.make(name, rows)
    database.drop(before)
    return made


def _derived(
    database: Database,
    rows: ir.Table,
    derived: DerivedColumn,
    column_of: dict[str, str],
    number: int,
) -> ir.Table:
    """Rows with the codes of a derived column, by the combinations of what it is made of."""
    name = f"c{len(column_of)}"
    of = [column_of[one] for one in derived.of]
    table = f"dpdesk_derived_{number}"
    if of:
        found = database.fetch(rows.select(*of).distinct())
        codes = {one: ints_of(found, at) for one, at in zip(derived.of, of, strict=True)}
        keys = [f"k{place}" for place in range(len(of))]
        own = found.rename_columns(keys).append_column(
            name, pa.array(derived.code(codes, found.num_rows).astype(derived.kind))
        )
        uploaded = database.upload(f"dpdesk_combinations_{number}", own)
        same = [rows[at] == uploaded[key] for at, key in zip(of, keys, strict=True)]
        beside = rows.left_join(uploaded, same).select(*rows.columns, name)
    else:
        beside = rows.mutate(**{name: ibis.literal(int(derived.code({}, 1)[0]), "int64")})
    made = _made(database, table, beside, rows)
    check_codes(database, made, [name])
    column_of[derived.name] = name
    return made


def _bounded_people(database: Database, ranked: ir.Table, most: int) -> int:
    """How many people there are; each keeps the lesser of k and their rows, and nobody more.

    Raises:
        Refused: ``engine-compares-differently`` where that is not so, or where a value or a
            person did not meet its own code.
    """
    lacks = ibis.or_(*(ranked[name].isnull() for name in ranked.columns))
    rows = ranked.group_by(PERSON).aggregate(
        n=ranked.count(), kept=_number(ranked[PLACE] < most), lacking=_number(lacks)
    )
    found = database.fetch(
        rows.aggregate(
            wanted=ibis.least(rows.n, most).sum(),
            kept=rows.kept.sum(),
            most=rows.kept.max(),
            lacking=rows.lacking.sum(),
            people=rows.count(),
        )
    )
    wanted, kept, own, lacking = (
        number_in(found, one) for one in ("wanted", "kept", "most", "lacking")
    )
    if wanted != kept or own > most or lacking:
        raise refuse("engine-compares-differently")
    return number_in(found, "people")


def _number(are_so: ir.BooleanValue) -> ir.IntegerScalar:
    """How many rows are so, in 64 bits everywhere."""
    return ibis.ifelse(are_so, 1, 0).sum()
