# SPDX-License-Identifier: Apache-2.0
"""Whose each row is, without a look at most ids one by one.

Numbers in a column of whole numbers are used as they are; no two are one person. What
else there is, such as those that a study says mean no id, is looked up by the program's own parser
of ids, as every id of other columns is.

Where the rows come to the runner anyway, and people are told apart there, an id of texts stays as
it is. The database only has to keep all rows of a person together, and for that a part of the
person's normal form is enough:

    P0012  p0012   plain: letters and digits, in lower case
    0012   12      plain, and zeros before it make no difference
    P 12   ...     anything else: its normal form is looked up
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import ibis
import ibis.expr.datatypes as dt
import ibis.expr.types as ir
import numpy as np
import pyarrow as pa

from dpdesk.data.files.arrow_types import one_value_cells
from dpdesk.data.files.cells import distinct_texts
from dpdesk.data.people.person import normalise_ids
from dpdesk.engine.database import Database
from dpdesk.engine.dictionaries import beside, cells_of, different_values
from dpdesk.engine.meaning import Ints, Meaning, numbers_of
from dpdesk.study.model.unit import Unit

PERSON = "person"
BUCKETS = 4_093
"""People are spread over so many buckets; all rows of one are in one bucket.

It is a prime number: numbers that all end alike are spread, too.
"""

_OWN_NUMBERS = 10**18
"""Ids below this one are used as they are; the numbers of all others are above."""

_NORMAL = "normal_id"

_PLAIN = "[0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-]+"
"""No range of signs: what is in one may depend on the language of a database."""


@ibis.udf.scalar.builtin(name="decode", signature=(("binary",), "string"))
def _text(raw):  # type: ignore[no-untyped-def]
    """A text without the rules of comparison of its column, in DuckDB."""


@ibis.udf.scalar.builtin(name="regexp_full_match", signature=(("string", "string"), "boolean"))
def _is_all(text, pattern):  # type: ignore[no-untyped-def]
    """Whether all of a text fits a pattern, in DuckDB."""


@ibis.udf.scalar.builtin(
    name="regexp_replace", signature=(("string", "string", "string"), "string")
)
def _replaced(text, pattern, by):  # type: ignore[no-untyped-def]
    """A text with its first part that fits a pattern replaced, in DuckDB."""


@ibis.udf.scalar.builtin(name="hash", signature=(("string",), "uint64"))
def _hash(text):  # type: ignore[no-untyped-def]
    """A number of a text, in DuckDB."""


@dataclass(frozen=True)
class PeopleByNumber:
    """A number for each person, the same one in all tables.

    Attributes:
        known: the number of each different id that was looked up.
        excluded: which whole numbers are among those; ``None`` where all ids are.
    """

    known: pa.Table
    excluded: frozenset[int] | None

    def beside(self, database: Database, rows: ir.Table, name: str) -> ir.Table:
        """Rows, each with its person."""
        looked_up = beside(database, rows, name, self.known)
        if self.excluded is None:
            return looked_up
        own = looked_up[self.known.column_names[0]]
        person = ibis.ifelse(_is_own(own, self.excluded), own.cast("int64"), looked_up[PERSON])
        return looked_up.mutate(**{PERSON: person})

    def bucket(self, rows: ir.Table) -> ir.Value:
        """Where a row's person is, all rows without an id in one place."""
        person = rows[PERSON]
        return ibis.ifelse(person >= 0, person % BUCKETS, 0)


@dataclass(frozen=True)
class PeopleByText:
    """Each person's ids as they are, and a bucket that is the same for all ids of one.

    Attributes:
        known: the normal form of each different id that is not plain.
    """

    known: pa.Table

    def beside(self, database: Database, rows: ir.Table, name: str) -> ir.Table:
        """Rows that have an id, each with it and with what is enough of its normal form."""
        value = self.known.column_names[0]
        looked_up = beside(database, rows.filter(rows[value].notnull()), name, self.known)
        own = looked_up[value]
        normal = ibis.ifelse(_is_plain(own), _text_of(own), looked_up[PERSON]).lower()
        return looked_up.mutate(**{PERSON: own, _NORMAL: normal})

    def bucket(self, rows: ir.Table) -> ir.Value:
        """Where a row's person is."""
        normal = rows[_NORMAL]
        bare = ibis.ifelse(normal.startswith("0"), _replaced(normal, "^0+", ""), normal)
        return _hash(bare) % BUCKETS


People = PeopleByNumber | PeopleByText


def people_of(
    database: Database,
    tables: Mapping[str, tuple[ir.Table, str]],
    meanings: Mapping[str, Meaning],
    are_rows_here: bool,
) -> dict[str, People]:
    """Whose the rows of each table are.

    Args:
        tables: the rows and the column of ids of each table that has one.
        are_rows_here: whether all rows come to the runner.
    """
    kinds = [rows[value].type() for rows, value in tables.values()]
    units = [meanings[name].study.unit or Unit() for name in tables]
    are_own = all(isinstance(kind, dt.SignedInteger) for kind in kinds)
    if are_own and all(unit.id_shape is None for unit in units):
        return _of_numbers(database, tables, meanings)
    # Rows without an id are known by their ids here alone, so they are in several buckets.
    if database.is_embedded and are_rows_here and all(unit.without_id == "drop" for unit in units):
        return {name: _by_text(database, *own, meanings[name]) for name, own in tables.items()}
    found = {name: different_values(database, *own) for name, own in tables.items()}
    numbers = numbers_of({name: cells_of(one) for name, one in found.items()}, meanings)
    return {
        name: PeopleByNumber(one.append_column(PERSON, pa.array(numbers[name])), None)
        for name, one in found.items()
    }


def _of_numbers(
    database: Database,
    tables: Mapping[str, tuple[ir.Table, str]],
    meanings: Mapping[str, Meaning],
) -> dict[str, People]:
    # What is no id in one table may be one in another: it is looked up in all.
    markers = [text for name in tables for text in meanings[name].markers]
    digits = [text for text in normalise_ids(markers) if text.isascii() and text.isdigit()]
    excluded = frozenset(int(text) for text in digits)
    others = {}
    for name, (rows, value) in tables.items():
        own = _is_own(rows[value], excluded)
        others[name] = different_values(database, rows.filter(~own.fill_null(False)), value)
    cells = {name: cells_of(table) for name, table in others.items()}
    numbers = numbers_of(cells, meanings)
    return {
        name: PeopleByNumber(
            table.append_column(PERSON, pa.array(_own_or_above(cells[name], numbers[name]))),
            excluded,
        )
        for name, table in others.items()
    }


def _is_own(ids: ir.Value, excluded: frozenset[int]) -> ir.Value:
    own = (ids >= 0) & (ids < _OWN_NUMBERS)
    return own & ids.notin(sorted(excluded)) if excluded else own


def _own_or_above(ids: pa.Array, numbers: Ints) -> Ints:
    """Numbers of looked up ids that no id which is used as it is has."""
    values = ids.cast(pa.int64()).fill_null(-1).to_numpy()
    own = (values >= 0) & (values < _OWN_NUMBERS)
    return np.where(numbers < 0, numbers, np.where(own, values, numbers + _OWN_NUMBERS))


def _by_text(database: Database, rows: ir.Table, value: str, meaning: Meaning) -> PeopleByText:
    rows = rows.filter(rows[value].notnull())
    others = different_values(database, rows.filter(~_is_plain(rows[value])), value)
    texts = distinct_texts(one_value_cells(cells_of(others)))
    normal = normalise_ids(texts.texts, (meaning.study.unit or Unit()).leading_zeros)
    return PeopleByText(
        others.append_column(PERSON, pa.array(normal, pa.string()).take(texts.codes))
    )


def _is_plain(ids: ir.Value) -> ir.Value:
    kind = ids.type()
    if kind.is_binary() or kind.is_integer():
        return _is_all(_text_of(ids), _PLAIN)
    return ibis.literal(False)


def _text_of(ids: ir.Value) -> ir.Value:
    return _text(ids) if ids.type().is_binary() else ids.cast("string")
