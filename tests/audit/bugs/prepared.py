# SPDX-License-Identifier: Apache-2.0
"""Bugs of prepared columns: whose rows are seen, in which order, and what is worked out of them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpdesk.data import encode
from dpdesk.data.encoding.clock import ClockReader
from dpdesk.data.encoding.column_coder import ColumnCoder
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import EncodedColumn, EncodedTable
from dpdesk.data.preparation import (
    late_columns,
    numbered,
    person_rows,
    person_steps,
    row_steps,
)
from dpdesk.data.preparation.grid_places import NumberPlaces
from dpdesk.data.preparation.person_rows import DayOrder, PersonRows
from dpdesk.privacy import compiler
from dpdesk.study.checks import step_checks
from dpdesk.study.model.steps.step import CodePrefix
from tests.audit.bugs.planting import Bug, bug

PREPARED: list[Bug] = []


@bug(PREPARED, "rows of one day are in the order of the file", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    def settled(self: Any, kept: Any, wanted: Any) -> Any:
        inside = kept[self.at]
        return self.at[inside][np.lexsort([self.at[inside], self.runs[inside]])]

    patch.setattr(DayOrder, "settled", settled)


@bug(PREPARED, "rows of one day are in the order of the file but for the wanted value", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    real = PersonRows.by_day
    patch.setattr(PersonRows, "by_day", lambda self, name, days: real(
        replace(self, content=lambda rows: [rows]), name, days))  # fmt: skip


def _at_an_end(patch: pytest.MonkeyPatch, day_of: Any) -> None:
    """The first and the last by another day than the declared one."""
    real = person_steps._at_an_end

    def taken(step: Any, cells: Any, own: Any, seen: Any) -> Any:
        days = cells[step.by]
        other = np.where(days.counted() < 0, MISSING, day_of(days.counted(), seen.rows))
        return real(step, {**cells, step.by: EncodedColumn(other, MISSING)}, own, seen)

    patch.setattr(person_steps, "_at_an_end", taken)


@bug(PREPARED, "of one day the row counts that is there first", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    _at_an_end(patch, lambda days, rows: days.astype(np.int64) * 2**32 + rows)


@bug(PREPARED, "the first is the first in the file", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    _at_an_end(patch, lambda days, rows: rows)


@bug(PREPARED, "the row limit comes before what all rows of a person say", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    real = encode._Rows.table

    def table(self: Any, priorities: Any) -> EncodedTable:
        drawn, limit = priorities(self._main.count), self._unit.max_rows
        within = PersonRows.of

        def of(rows: Any, _content: Any, **_most: Any) -> PersonRows:
            return within(rows, lambda some: [drawn[some]], limit)

        patch.setattr(PersonRows, "of", of)
        try:
            return real(self, lambda _count: drawn)
        finally:
            patch.setattr(PersonRows, "of", within)

    patch.setattr(encode._Rows, "table", table)


@bug(PREPARED, "the previous row may be another person's", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    real = person_steps.codes_beside

    def beside(*given: Any) -> Any:
        *declared, seen = given
        # The rows are by person, but nobody sees where another one begins.
        return real(*declared, replace(seen, persons=np.zeros_like(seen.persons)))

    patch.setattr(late_columns, "codes_beside", beside)


@bug(PREPARED, "rows without an id have a person's values", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    real = late_columns.make_late

    def make_late(*given: Any) -> Any:
        of_people = real(*given)
        for one in of_people.values():
            one.codes[-1] = one.codes.max(initial=0)
        return of_people

    patch.setattr(encode, "make_late", make_late)


@bug(PREPARED, "rows without an id are one of the people", "local", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = numbered.number_people

    def number(tables: Any, **more: Any) -> Any:
        least = [replace(keys, low=keys.low - keys.low.min(initial=0)) for keys in tables]
        return real(least, **more)

    patch.setattr(encode, "number_people", number)


@bug(PREPARED, "the bound on the rows that are seen goes by the order of the file", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    real = person_rows._within
    patch.setattr(
        person_rows, "_within", lambda table, lengths, _, most: real(
            table, lengths, lambda some: [some], most)
    )  # fmt: skip


@bug(PREPARED, "all rows of a person are seen", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    real = PersonRows.of
    patch.setattr(PersonRows, "of", lambda *given, **_most: real(*given, most=1 << 40))


@bug(PREPARED, "a sum may be larger than a word", "exact")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(step_checks, "_exact", lambda *_given: ())


@bug(PREPARED, "operands may be larger than a word", "exact")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(step_checks, "LARGEST", 2**66)


@bug(PREPARED, "a code is that of the row above", "local")
def _(patch: pytest.MonkeyPatch) -> None:
    real = ColumnCoder.codes
    made = ColumnCoder.__init__

    def init(self: Any, column: Any, data: Any) -> None:
        made(self, column, data)
        self.is_of_codes = isinstance(column.made_from, CodePrefix)

    def codes(self: Any, cells: Any) -> Any:
        found = real(self, cells)
        return np.roll(found, 1) if self.is_of_codes else found

    patch.setattr(ColumnCoder, "__init__", init)
    patch.setattr(ColumnCoder, "codes", codes)


@bug(PREPARED, "a person is a row of the table of people for each row", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    def of_people(self: Any) -> EncodedTable:
        entries = self._shared.entries[self._shared.entries >= 0]
        columns = {n: c.spread(entries) for n, c in self._shared.columns.items()}
        return EncodedTable(columns, np.arange(len(entries)), len(entries), None)

    patch.setattr(EncodedTable, "of_people", of_people)


@bug(PREPARED, "people are counted in the table of rows", "local", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = EncodedTable.of_people
    patch.setattr(EncodedTable, "of_people", lambda self: real(self) and self)


@bug(PREPARED, "what is missing is 0", "exact")
def _(patch: pytest.MonkeyPatch) -> None:
    real = row_steps._operand

    def operand(one: Any, columns: Any) -> Any:
        numbers, unit = real(one, columns)

        def whole(cells: Any) -> Any:
            found = numbers(cells)
            there = np.broadcast_to(np.asarray(found.there), np.shape(found.values))
            return replace(found, values=np.where(there, found.values, 0), there=there | True)

        return whole, unit

    patch.setattr(row_steps, "_operand", operand)


def _half(places: Any, numerators: Any, there: Any) -> Any:
    """Which results are in the middle between two values of the grid."""
    twice = 2 * (numerators * places.times - places.minus)
    return there & (twice % (2 * places.per) == places.per)


@bug(PREPARED, "how a half is rounded depends on the rows beside", "local", "exact")
def _(patch: pytest.MonkeyPatch) -> None:
    real = NumberPlaces.codes

    def codes(self: Any, numerators: Any, there: Any, denominators: Any = None) -> Any:
        found = real(self, numerators, there, denominators)
        if denominators is None and len(found) % 2:
            half = _half(self._places, numerators, there)
            found[half & (found > 0) & (numerators > 0)] -= 1
            found[half & (found < self._places.last) & (numerators < 0)] += 1
        return found

    patch.setattr(NumberPlaces, "codes", codes)


@bug(PREPARED, "a half below zero is rounded up", "exact")
def _(patch: pytest.MonkeyPatch) -> None:
    real = NumberPlaces.codes

    def codes(self: Any, numerators: Any, there: Any, denominators: Any = None) -> Any:
        found = real(self, numerators, there, denominators)
        if denominators is None:
            half = _half(self._places, numerators, there) & (numerators < 0)
            found[half & (found < self._places.last)] += 1
        return found

    patch.setattr(NumberPlaces, "codes", codes)


@bug(PREPARED, "a figure of people is drawn with half of what a person moves", "replay")
def _(patch: pytest.MonkeyPatch) -> None:
    real = compiler._compile

    def compiled(question: Any) -> Any:
        plan = real(question)
        if question.query.of == "rows":
            return plan
        halves = (replace(p, sensitivity=max(1, p.sensitivity // 2)) for p in plan.parts)
        return replace(plan, parts=tuple(halves))

    compiled.cache_clear = real.cache_clear  # type: ignore[attr-defined]
    patch.setattr(compiler, "_compile", compiled)


@bug(PREPARED, "a warning tells that somebody has more rows than are seen", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    real = person_rows._within

    def within(*given: Any) -> Any:
        warnings.warn("rows of a person are passed over", stacklevel=2)
        return real(*given)

    patch.setattr(person_rows, "_within", within)


@bug(PREPARED, "the table of people holds whom the row limit left", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(EncodedTable, "of_people", lambda self: self)


@bug(PREPARED, "a day without a time is that of the row above", "files")
def _(patch: pytest.MonkeyPatch) -> None:
    real = ClockReader.codes

    def codes(self: Any, cells: Any) -> Any:
        found = real(self, cells)
        last = np.maximum.accumulate(np.where(found < 0, 0, np.arange(len(found))))
        return found[last]

    patch.setattr(ClockReader, "codes", codes)
