# SPDX-License-Identifier: Apache-2.0
"""Bugs of the runner beside a database: which rows it keeps, and whose and what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.engine import answers, coded_rows, kept_rows, passes
from dpdesk.engine.database import Database
from tests.audit.bugs.planting import Bug, bug

DATABASES: list[Bug] = []


@bug(DATABASES, "a random number drawn anew for each question", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def left(self: Database, table: Any) -> None:
        """Nothing was made that could be dropped."""

    def lazily(self: Database, name: str, rows: Any) -> Any:
        return rows

    patch.setattr(Database, "make", lazily)
    patch.setattr(Database, "drop", left)


@bug(DATABASES, "each spelling of an id a person of its own", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def numbers_of(ids: Any, _meanings: Any, *, is_case: bool) -> Any:
        return {name: np.arange(len(values)) for name, values in ids.items()}

    patch.setattr(coded_rows, "numbers_of", numbers_of)


@bug(DATABASES, "rows without an id counted as somebody's", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def numbers_of(ids: Any, meanings: Any, *, is_case: bool) -> Any:
        found = _numbers_of(ids, meanings, is_case=is_case)
        return {name: np.maximum(numbers, 0) for name, numbers in found.items()}

    patch.setattr(coded_rows, "numbers_of", numbers_of)


_numbers_of = coded_rows.numbers_of


@bug(DATABASES, "one row more of each person than the bound", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def row_number() -> Any:
        return _row_number() - 1

    patch.setattr(kept_rows.ibis, "row_number", row_number)
    patch.setattr(kept_rows, "_check_bound", lambda *_given: None)


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
        whole = self._rows(names)
        return _exact_vector(whole, self._study, answers.replace(spec, kind="rows"))

    patch.setattr(answers._Counting, "_people", people)


@bug(DATABASES, "cells that are missing left out by the join", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def beside(database: Any, rows: Any, prefix: str, dictionary: pa.Table) -> Any:
        value = dictionary.column_names[0]
        return _beside(database, rows.filter(rows[value].notnull()), prefix, dictionary)

    patch.setattr(coded_rows, "_beside", beside)


_beside = coded_rows._beside


@bug(DATABASES, "a person's rows spread over the passes", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def of_pass(rows: Any, number: int, passes: int) -> Any:
        return rows.filter((rows[coded_rows.RANDOM] * passes).floor() == number)

    patch.setattr(passes, "_of_pass", of_pass)


@bug(DATABASES, "rows without an id in every pass", "database")
def _(patch: pytest.MonkeyPatch) -> None:
    def of_pass(rows: Any, number: int, passes: int) -> Any:
        person = rows[coded_rows.PERSON]
        return rows.filter((person >= 0) & (person % passes == number) | (person == -2))

    patch.setattr(passes, "_of_pass", of_pass)


@bug(DATABASES, "rows of a group limited by nobody in a database", "database neighbours")
def _(patch: pytest.MonkeyPatch) -> None:
    def limited(self: Any, _spec: Any) -> Any:
        return self._database.make("dpdesk_limited", self._kept.rows)

    patch.setattr(answers._Counting, "_limited", limited)


@bug(DATABASES, "rows ranked among everybody's", "database neighbours")
def _(patch: pytest.MonkeyPatch) -> None:
    window = kept_rows.ibis.window
    patch.setattr(kept_rows.ibis, "window", lambda group_by, order_by: window(order_by=order_by))
    patch.setattr(kept_rows, "_check_bound", lambda *_given: None)


@bug(DATABASES, "a pass of the first rows of a table", "database", "database neighbours")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(passes, "_of_pass", lambda rows, _number, _passes: rows.limit(12))
