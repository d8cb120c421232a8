# SPDX-License-Identifier: Apache-2.0
"""What each different value of a column means, fetched once and put beside its rows.

No statement says what is in a table: what was fetched goes back as rows of a table, and what a
missing value means is declared. A server may log its statements.
"""

from __future__ import annotations

import ibis
import ibis.expr.datatypes as dt
import ibis.expr.types as ir
import numpy as np
import pyarrow as pa

from dpdesk.engine.database import Database
from dpdesk.engine.meaning import Ints
from dpdesk.study.problem import refuse


def different_values(database: Database, rows: ir.Table, value: str) -> pa.Table:
    """The different values of a column, one of them the missing one."""
    if rows[value].type().is_boolean():
        # There are no others, so that nobody need look for them.
        return pa.table({value: pa.array([True, False, None])})
    table = database.fetch(rows.select(value).distinct())
    if table.column(0).null_count == 0:
        table = pa.concat_tables(
            [table, pa.table([pa.nulls(1, table.schema[0].type)], table.schema)]
        )
    return table


def cells_of(different: pa.Table) -> pa.Array:
    """The values as one array."""
    return different.column(0).combine_chunks()


def beside(database: Database, rows: ir.Table, name: str, dictionary: pa.Table) -> ir.Table:
    """Rows with what a dictionary says of one column's values; NULL where it lacks a value.

    Args:
        name: of the table that the dictionary is uploaded to.
        dictionary: the different values, the missing one among them, under the name of the
            column, and what each means.
    """
    key, *names = dictionary.column_names
    missing = dictionary.filter(dictionary.column(0).is_null()).slice(0, 1)
    there = dictionary.filter(dictionary.column(0).is_valid())
    types = {one: ibis.Schema.from_pyarrow(dictionary.schema)[one] for one in names}
    if rows[key].type().is_boolean():
        return rows.mutate(
            **{one: _by_truth(rows[key], dictionary[one].to_pylist(), types[one]) for one in names}
        )
    own = f"{key}_key"
    uploaded = database.upload(name, there.rename_columns([own, *names]))
    joined = rows.left_join(uploaded, rows[key] == uploaded[own])
    meant = {
        one: ibis.ifelse(
            joined[key].isnull(), ibis.literal(missing[one][0].as_py(), kind), joined[one]
        )
        for one, kind in types.items()
    }
    return joined.mutate(**meant).drop(own)


def _by_truth(values: ir.BooleanValue, meant: list[int], kind: dt.DataType) -> ir.Value:
    """What a study means by true, by false and by nothing, which no data has a say in."""
    true, false, missing = (ibis.literal(one, kind) for one in meant)
    return ibis.cases((values, true), (~values, false), else_=missing)


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
