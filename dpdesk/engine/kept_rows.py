# SPDX-License-Identifier: Apache-2.0
"""The rows that queries see, where one table says everything: at most k of each person.

    ranked   each row's place among its person's, by its random number
    kept     the rows of the first k places

Rows are ranked in one statement and dropped in the next. Rows of one person and one random number
are put in order by what they hold: only rows that are alike can change places. Nothing that is put
in order can be NULL.
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


def keep_rows(database: Database, coded: CodedTable, meaning: Meaning) -> BoundedRows:
    """Make a table's derived columns, and keep at most k rows of each person.

    Raises:
        Refused: ``engine-compares-differently`` where a combination of codes did not meet its
            own, or the bound does not hold.
    """
    rows, column_of = coded.rows, dict(coded.column_of)
    for number, derived in enumerate(meaning.derived):
        rows = _derived(database, rows, derived, column_of, number)
    if meaning.person is None:
        return BoundedRows(rows, rows, column_of, count_rows(database, rows))
    rows = rows.filter(rows[PERSON] != NOBODY)
    order = [rows[RANDOM], *(rows[name] for name in column_of.values())]
    place = ibis.row_number().over(ibis.window(group_by=rows[PERSON], order_by=order))
    ranked = database.make("dpdesk_ranked", rows.mutate(**{PLACE: place.cast("int64")}))
    most = (meaning.study.unit or Unit()).max_rows
    kept = database.make("dpdesk_kept", ranked.filter(ranked[PLACE] < most))
    database.drop(ranked)
    return BoundedRows(kept, rows, column_of, _bounded_people(database, rows, kept, most))


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
        beside = rows.left_join(uploaded, same).drop(*keys)
    else:
        beside = rows.mutate(**{name: ibis.literal(int(derived.code({}, 1)[0]), "int64")})
    made = _made(database, table, beside, rows)
    check_codes(database, made, [name])
    column_of[derived.name] = name
    return made


def _bounded_people(database: Database, before: ir.Table, kept: ir.Table, most: int) -> int:
    """How many people there are; each keeps the lesser of k and their rows, and nobody more.

    Raises:
        Refused: ``engine-compares-differently`` where that is not so.
    """
    rows = before.group_by(PERSON).aggregate(n=before.count())
    wanted = database.fetch(rows.aggregate(n=ibis.least(rows.n, most).sum(), people=rows.count()))
    own = kept.group_by(PERSON).aggregate(n=kept.count())
    found = database.fetch(own.aggregate(n=own.n.sum(), most=own.n.max()))
    if number_in(wanted, "n") != number_in(found, "n") or number_in(found, "most") > most:
        raise refuse("engine-compares-differently")
    return number_in(wanted, "people")
