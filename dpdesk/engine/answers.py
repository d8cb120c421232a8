# SPDX-License-Identifier: Apache-2.0
"""The exact answers of a plan, from kept rows in a database.

The database groups rows by the codes that a measure uses, and counts; what the groups add up to is
computed as of a file's rows (``data.aggregation``). People it counts itself, by a cell that is put
beside each combination of codes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

import ibis
import ibis.expr.types as ir
import numpy as np
import pyarrow as pa

from dpdesk.data.aggregation.aggregate import size_of
from dpdesk.data.aggregation.distinct_rows import (
    NOT_COUNTED,
    DistinctRows,
    cell_of_each,
    exact_vector,
)
from dpdesk.data.aggregation.rows_per_person import people_with_rows
from dpdesk.engine.database import Database
from dpdesk.engine.dictionaries import ints_of
from dpdesk.engine.kept_rows import PLACE, BoundedRows
from dpdesk.engine.meaning import Ints, Meaning, text_of
from dpdesk.engine.people import PERSON
from dpdesk.privacy.plan import Part, Plan
from dpdesk.release.sealing.sealed_counts import ExactCounts, Texts, finds_texts
from dpdesk.study import limits
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.unit import Unit

_TIMES = "times"
_CELL = "cell"
_IN_GROUP = "place_in_group"


def count_plan(database: Database, kept: BoundedRows, plan: Plan, meaning: Meaning) -> ExactCounts:
    """Count what each part of a plan is drawn on."""
    counting = _Counting(database, kept, plan.study, meaning)
    vectors, found = {}, {}
    for query in plan.queries:
        for part in query.parts:
            place = query.query.id, part.name
            if finds_texts(part):
                found[place] = counting.texts(part)
            else:
                vectors[place] = counting.vector(part.measure)
    return ExactCounts(database.name, kept.people, vectors, found)


@dataclass(frozen=True)
class _Combinations:
    """Combinations of codes that occur.

    Attributes:
        codes: of each column, shape ``(kinds,)``.
        rows: the same, each with its number of rows.
    """

    codes: dict[str, Ints]
    rows: DistinctRows


class _Counting:
    def __init__(
        self, database: Database, kept: BoundedRows, study: Study, meaning: Meaning
    ) -> None:
        self._database = database
        self._kept = kept
        self._study = study
        self._meaning = meaning
        self._distinct: dict[tuple[str, ...], _Combinations] = {}
        self._uploads = 0

    def vector(self, spec: AggregateSpec) -> Ints:
        """The exact vector of a measure, shape ``(cells,)``."""
        if spec.kind == "rows-per-person":
            return people_with_rows(self._people_by_rows(), spec.top_code)
        rows = self._kept.rows
        if spec.rows_per_group:
            rows = self._limited(spec)
        vector = self._vector(rows, replace(spec, rows_per_group=0))
        if spec.rows_per_group:
            self._database.drop(rows)
        return vector

    def _vector(self, rows: ir.Table, spec: AggregateSpec) -> Ints:
        names, by_row = _names(spec), (self._study.unit or Unit()).person is None
        if spec.kind == "people" and not by_row:
            return self._people(rows, spec, names)
        # Where every row is a person, people are counted as rows are.
        counted = replace(spec, kind="rows") if spec.kind == "people" else spec
        return exact_vector(self._combinations(rows, names).rows, self._study, counted)

    def texts(self, part: Part) -> Texts:
        """The texts that are found, each with how many people have it."""
        spec = replace(part.measure, column=None)
        name = part.measure.column or ""
        rows, text = self._kept.rows, self._kept.codes(text_of(name))
        beside = self._with_cells(rows, spec, _names(spec))
        counted = beside.filter(beside[_CELL] != NOT_COUNTED, beside[text] >= 0)
        people = counted.group_by(text).aggregate(n=_people(counted, self._study))
        found = self._database.fetch(people)
        texts = self._meaning.texts[name]
        pairs = zip(found[text].to_pylist(), found["n"].to_pylist(), strict=True)
        return sorted((texts[code], count) for code, count in pairs)

    def _combinations(self, rows: ir.Table, names: tuple[str, ...]) -> _Combinations:
        if rows is not self._kept.rows:
            return self._grouped(rows, names)
        if names not in self._distinct:
            self._distinct[names] = self._grouped(rows, names)
        return self._distinct[names]

    def _grouped(self, rows: ir.Table, names: tuple[str, ...]) -> _Combinations:
        columns = [self._kept.codes(name) for name in names]
        grouped = rows.group_by(columns) if columns else rows
        found = self._database.fetch(grouped.aggregate(**{_TIMES: rows.count()}))
        times = ints_of(found, _TIMES)
        there = times > 0
        codes = {n: ints_of(found, c)[there] for n, c in zip(names, columns, strict=True)}
        table = self._meaning.encoded_rows(codes, int(there.sum()))
        return _Combinations(codes, DistinctRows(table, times[there]))

    def _with_cells(
        self,
        rows: ir.Table,
        spec: AggregateSpec,
        names: tuple[str, ...],
        cells_of: AggregateSpec | None = None,
    ) -> ir.Table:
        """Rows with the cell of each, perhaps of another measure; ``NOT_COUNTED`` without one."""
        columns = [self._kept.codes(name) for name in names]
        if not columns:
            return rows.mutate(**{_CELL: ibis.literal(0, "int64")})
        found = self._combinations(rows, names)
        cells = cell_of_each(found.rows.table, self._study, spec, cells_of or spec)
        keys = [f"k{place}" for place in range(len(columns))]
        own = pa.table(dict(zip(keys, found.codes.values(), strict=True)))
        own = own.append_column(_CELL, pa.array(cells, pa.int64()))
        self._uploads += 1
        uploaded = self._database.upload(f"dpdesk_cells_{self._uploads}", own)
        same = [rows[at] == uploaded[key] for at, key in zip(columns, keys, strict=True)]
        return rows.join(uploaded, same).select(*rows.columns, _CELL)

    def _people(self, rows: ir.Table, spec: AggregateSpec, names: tuple[str, ...]) -> Ints:
        beside = self._with_cells(rows, spec, names)
        counted = beside.filter(beside[_CELL] != NOT_COUNTED)
        people = counted.group_by(_CELL).aggregate(n=counted[PERSON].nunique())
        found = self._database.fetch(people)
        vector = np.zeros(size_of(self._study, spec), np.int64)
        vector[ints_of(found, _CELL)] = ints_of(found, "n")
        return vector[:-1] if spec.without_last else vector

    def _limited(self, spec: AggregateSpec) -> ir.Table:
        """The first counted rows of each person in each group, by their place."""
        groups = replace(spec, by=spec.by[: spec.groupings], split=())
        beside = self._with_cells(self._kept.rows, spec, _names(spec), groups)
        counted = beside.filter(beside[_CELL] != NOT_COUNTED)
        group = ibis.window(group_by=[counted[PERSON], counted[_CELL]], order_by=counted[PLACE])
        place = ibis.row_number().over(group).cast("int64")
        ranked = self._database.make("dpdesk_in_group", counted.mutate(**{_IN_GROUP: place}))
        within = ranked.filter(ranked[_IN_GROUP] < spec.rows_per_group).drop(_CELL, _IN_GROUP)
        limited = self._database.make("dpdesk_limited", within)
        self._database.drop(ranked)
        return limited

    def _people_by_rows(self) -> Ints:
        """How many people with an id had 0, 1, 2 ... rows, the last or more."""
        before = self._kept.before.filter(self._kept.before[PERSON] >= 0)
        rows = before.group_by(PERSON).aggregate(n=before.count())
        most = limits.MAX_TOP_CODE
        coded = rows.mutate(n=ibis.least(rows.n, most))
        found = self._database.fetch(coded.group_by("n").aggregate(**{_TIMES: coded.count()}))
        counts = np.zeros(most + 1, np.int64)
        counts[ints_of(found, "n")] = ints_of(found, _TIMES)
        return counts


def _people(rows: ir.Table, study: Study) -> ir.Value:
    by_row = (study.unit or Unit()).person is None
    return rows.count() if by_row else rows[PERSON].nunique()


def _names(spec: AggregateSpec) -> tuple[str, ...]:
    """The columns that a measure uses, each once."""
    used = [
        *(name for name in (spec.column, spec.after) if name is not None),
        *map(column_of, spec.by),
        *(condition.column for condition in (*spec.where, *spec.split, *chain(*spec.split_into))),
        *spec.columns,
    ]
    return tuple(dict.fromkeys(used))
