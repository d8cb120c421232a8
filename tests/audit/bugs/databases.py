# SPDX-License-Identifier: Apache-2.0
"""Bugs of the runner beside a database: which rows it keeps, and whose and what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.engine import answers, coded_rows, kept_rows, people, words
from dpdesk.engine import passes as passes_
from dpdesk.engine.database import Database
from tests.audit.bugs.planting import Bug, bug

DATABASES: list[Bug] = []


@bug(DATABASES, "a random number drawn anew for each question", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def left(self: Database, table: Any) -> None:
        """Nothing was made that could be dropped."""

    def lazily(self: Database, name: str, rows: Any) -> Any:
        return rows

    patch.setattr(Database, "_made_of", lazily)
    patch.setattr(Database, "drop", left)


@bug(DATABASES, "each spelling of an id a person of its own", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def numbers_of(ids: Any, _meanings: Any) -> Any:
        return {name: np.arange(len(values)) for name, values in ids.items()}

    patch.setattr(people, "numbers_of", numbers_of)


@bug(DATABASES, "rows without an id counted as somebody's", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def numbers_of(ids: Any, meanings: Any) -> Any:
        found = _numbers_of(ids, meanings)
        return {name: np.maximum(numbers, 0) for name, numbers in found.items()}

    patch.setattr(people, "numbers_of", numbers_of)


_numbers_of = people.numbers_of


@bug(DATABASES, "one row more of each person than the bound", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def row_number() -> Any:
        return _row_number() - 1

    patch.setattr(kept_rows.ibis, "row_number", row_number)
    patch.setattr(kept_rows, "_bounded_people", _unchecked)


def _unchecked(database: Any, ranked: Any, _most: int) -> int:
    return kept_rows.count_rows(database, ranked.select(people.PERSON).distinct())


_row_number = kept_rows.ibis.row_number


@bug(DATABASES, "a person's first rows kept, whatever they hold", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(kept_rows.ibis, "random", lambda: kept_rows.ibis.literal(0.0))


@bug(DATABASES, "rows that are alike counted once", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def exact_vector(rows: Any, study: Any, spec: Any) -> Any:
        return _exact_vector(type(rows)(rows.table, np.ones_like(rows.times)), study, spec)

    patch.setattr(answers, "exact_vector", exact_vector)


_exact_vector = answers.exact_vector


@bug(DATABASES, "people of a database counted as rows", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def people(self: Any, rows: Any, spec: Any, names: Any) -> Any:
        whole = self._combinations(rows, names).rows
        return _exact_vector(whole, self._study, answers.replace(spec, kind="rows"))

    patch.setattr(answers._Counting, "_people", people)


@bug(DATABASES, "cells that are missing left out by the join", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def beside(database: Any, rows: Any, prefix: str, dictionary: pa.Table) -> Any:
        value = dictionary.column_names[0]
        return _beside(database, rows.filter(rows[value].notnull()), prefix, dictionary)

    patch.setattr(coded_rows, "beside", beside)


_beside = coded_rows.beside


@bug(DATABASES, "a person's rows spread over the passes", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(people.PeopleByNumber, "bucket", _anywhere)
    patch.setattr(people.PeopleByText, "bucket", _anywhere)


def _anywhere(_self: Any, _rows: Any) -> Any:
    return (people.ibis.random() * people.BUCKETS).floor().cast("int64")


@bug(DATABASES, "rows without an id in every pass", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def of_pass(coded: Any, number: int, passes: int) -> Any:
        own = _of_pass(coded, number, passes)
        if number == 0 or not coded.is_numbered:
            return own
        return own.union(coded.rows.filter(coded.rows[people.PERSON] == -2))

    patch.setattr(passes_, "_of_pass", of_pass)


_of_pass = passes_._of_pass


@bug(DATABASES, "a text's bucket that of the text, not of the person", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(people.PeopleByText, "bucket", lambda _self, rows: _of_text(rows))


def _of_text(rows: Any) -> Any:
    own = rows[people.PERSON].cast("string")
    return people._hash(own) % people.BUCKETS


@bug(DATABASES, "zeros before an id in another bucket", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(people, "_replaced", lambda text, _pattern, _by: text)


@bug(DATABASES, "any id taken for a plain one", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(people, "_PLAIN", "(?s).*")


@bug(DATABASES, "a number that means no id taken for an id", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(people, "_is_own", lambda ids, _excluded: _is_own(ids, frozenset()))


_is_own = people._is_own


@bug(DATABASES, "numbers below 0 taken for ids as they are", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(people, "_is_own", lambda ids, excluded: ids.notin(sorted(excluded)))


@bug(DATABASES, "looked up ids given the numbers of others", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(people, "_own_or_above", lambda _ids, numbers: numbers)


@bug(DATABASES, "codes cut to one byte", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(words.WordLayout, "place", lambda self, _kind: _place(self, np.dtype(np.int8)))


_place = words.WordLayout.place


@bug(DATABASES, "codes of two columns over each other", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def place(self: Any, kind: Any) -> Any:
        field = _place(self, kind)
        self._free += 1
        return field

    patch.setattr(words.WordLayout, "place", place)


@bug(DATABASES, "the people of the last buckets in no pass", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(words, "BUCKETS", people.BUCKETS - people.BUCKETS // 8)


@bug(DATABASES, "rows of a group limited by nobody in a database", "database neighbours")
def _(patch: pytest.MonkeyPatch) -> None:
    def limited(self: Any, _spec: Any) -> Any:
        return self._database.make("dpdesk_limited", self._kept.rows)

    patch.setattr(answers._Counting, "_limited", limited)


@bug(DATABASES, "rows ranked among everybody's", "database neighbours")
def _(patch: pytest.MonkeyPatch) -> None:
    window = kept_rows.ibis.window
    patch.setattr(kept_rows.ibis, "window", lambda group_by, order_by: window(order_by=order_by))
    patch.setattr(kept_rows, "_bounded_people", _unchecked)


@bug(DATABASES, "a pass of the first rows of a table", "database", "database neighbours")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(passes_, "_of_pass", lambda coded, _number, _passes: coded.rows.limit(12))
