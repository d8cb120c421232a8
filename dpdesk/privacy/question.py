# SPDX-License-Identifier: Apache-2.0
"""A query with all that its answer depends on; hashable: an unchanged query compiles once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Final

from dpdesk.study.json.condition_json import condition_to_members
from dpdesk.study.json.strict_json import Members
from dpdesk.study.json.study_writer import (
    amount_to_number,
    canonical,
    column_to_members,
    data_to_members,
    question_to_members,
    table_to_members,
    unit_to_members,
)
from dpdesk.study.model.amount import ZERO, Share
from dpdesk.study.model.columns import (
    Column,
    Grid,
    NumberColumn,
    group_name,
    number_grid,
)
from dpdesk.study.model.conditions import IsIn, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import labels_of
from dpdesk.study.model.magnitudes import is_unbounded
from dpdesk.study.model.queries import PublishedForm, Query
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.public_numbers import asked_of, number_of, public_total
from dpdesk.study.text.unit_names import without_names

READING: Final = ("format", "pivot", "decimal")
"""Members of a column that say how its cells are written: no value becomes another one by them."""


@dataclass(frozen=True)
class Question:
    """What is asked of whom.

    Attributes:
        unit: the privacy unit.
        query: the query.
        by: the column of each grouping.
        used: every column that the query uses, and what those are made of, by name.
        reading: how the file's text is read, without where it lies.
        form: in which form its figures are published: what is asked and drawn is the same in any,
            so no text of it says the form.
        tables: the further tables that rows come from, read likewise; all of the study's where
            people are asked of, for each id in any of them is a person, and under change-one,
            for the public number of people is that of all tables together.
        is_public: whether its one figure is a public number, so that nothing is drawn or paid.
    """

    unit: Unit
    query: Query
    by: tuple[Column, ...]
    used: tuple[Column, ...]
    reading: DataSource
    tables: tuple[FurtherTable, ...] = ()
    form: PublishedForm | None = None
    is_public: bool = False

    @classmethod
    def of(cls, study: Study, unit: Unit, query: Query) -> Question:
        """The question that a study's query asks."""
        # What a row and a person are called changes no answer.
        unit, used, tables = asked_of(study, without_names(unit), query)
        grouping = (g if isinstance(g, str) else g.column for g in query.by)
        by = tuple(c for name in grouping if (c := study.column(name)) is not None)
        data = study.data or DataSource()
        tables = tuple(replace(one, data=_reading(one.data)) for one in tables)
        is_public = number_of(study, query) is not None
        if is_public:
            # Whatever share it was given, it costs nothing.
            query = query.at_share((study.budget or Budget()).nothing)
        # A number that is public is published as it is.
        is_formed = not is_public and (study.rounding is not None or query.whole_numbers)
        form = study.form_of(query) if is_formed else None
        return cls(unit, query, by, used, _reading(data), tables, form, is_public)

    def repriced(self, query: Query) -> Question:
        """What the same query asks at another share; a public number costs nothing at any."""
        return self if self.is_public else replace(self, query=query)

    @property
    def share(self) -> Share:
        """What the query costs."""
        return self.query.share or ZERO

    @property
    def column(self) -> Column | None:
        """The column that the statistic is computed of."""
        return next((c for c in self.used if c.name == self.query.column), None)

    @cached_property
    def grid(self) -> Grid | None:
        """The grid of a number column; ``None`` for others, for counts, and without bounds."""
        column = self.column
        if not isinstance(column, NumberColumn) or is_unbounded(column):
            return None
        return number_grid(column)

    @cached_property
    def labels(self) -> tuple[tuple[str, ...], ...]:
        """The labels of each grouping's groups."""
        pairs = zip(self.query.by, self.by, strict=True)
        return tuple(labels_of(grouping, column) for grouping, column in pairs)

    @property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """Every cell's group labels, in row-major order."""
        return tuple(product(*self.labels))

    @property
    def size(self) -> int:
        """How many cells there are."""
        return prod(len(labels) for labels in self.labels)

    @cached_property
    def conditions(self) -> tuple[Any, ...]:
        """The conditions and their values in one order, however they are written."""
        return _ordered(self.query.where, self.used)

    @cached_property
    def has(self) -> tuple[Any, ...]:
        """The conditions of the property that is asked for, likewise."""
        return _ordered(self.query.members.get("has", ()), self.used)

    @property
    def public_rows(self) -> int | None:
        """How many rows the query's one cell holds, where that is public; else ``None``."""
        is_before_limit = self.query.declaration.before_limit
        if self.query.by or is_before_limit or self.unit.max_rows != 1:
            return None
        return self.public_total

    @property
    def public_total(self) -> int | None:
        """How many rows the query's cells hold together; see ``public_numbers``."""
        return public_total(self.unit, self.query, self.used, self.tables)

    def comparable(self) -> Members:
        """What is asked of whom, without the price, the file, and what names it locally.

        Two releases answered the same question where these are equal: of other people, maybe, or
        of the same ones in another year. A public number of people is each extract's own, and so is
        how a file writes days and numbers: of a column, too, that is how its cells are read. A
        stored answer is never found by this: its ``canonical`` text says how cells were read.
        """
        query, used = self.query, self.used
        where, has = _ordered(query.where, used), _ordered(query.members.get("has", ()), used)
        unit = unit_to_members(replace(self.unit, people=None, case=""))
        asked = query.having(where=where, has=has, noise="auto")
        return {
            "question": question_to_members(asked),
            "unit": {**unit, "person": self.unit.person is not None},
            "columns": [_without_reading(_declaration(c)) for c in used],
            **self._tables(("name", "rows", "keep", "by")),
        }

    def _tables(self, wanted: tuple[str, ...] = ()) -> Members:
        """What is declared of further tables; nothing where there are none."""
        if not self.tables:
            return {}
        each = [table_to_members(table) for table in self.tables]
        for table in each:
            table["data"] = _read_members(table["data"])
        if wanted:
            each = [{key: one[key] for key in wanted if key in one} for one in each]
        return {"tables": sorted(each, key=lambda table: str(table["name"]))}

    def canonical(self) -> str:
        """One text for everything that is asked, and nothing else; see ``answer_key`` for the rest.

        How the text is read belongs to it: the same file with another decimal mark has other
        numbers. Which file it is does not; the extract says that.
        """
        # Conditions and their values in one order. Which noise is wanted is not asked: what it led
        # to is recorded with the draws.
        query, used = self.query, self.used
        where, has = _ordered(query.where, used), _ordered(query.members.get("has", ()), used)
        asked = query.having(where=where, has=has, noise="auto")
        members: dict[str, Any] = {
            "question": question_to_members(asked),
            "unit": unit_to_members(self.unit),
            "columns": [_declaration(c) for c in self.used],
            "reading": {"missing": [], **_read_members(data_to_members(self.reading))},
            **self._tables(),
            self.share.measure: amount_to_number(self.share),
        }
        return canonical(members)


def _reading(data: DataSource) -> DataSource:
    """How files are read, without where they lie."""
    bare = replace(data, path="", extract="", catalogue="", in_database=False, by_hand=())
    return replace(bare, more=tuple(map(_reading, data.more)))


def _read_members(data: Members) -> Members:
    """What is declared of how files are read."""
    members = {key: value for key, value in data.items() if key != "path"}
    if "missing" in members:
        members["missing"] = sorted(set(members["missing"]))
    if "more" in members:
        members["more"] = [_read_members(one) for one in members["more"]]
    return members


def _ordered(conditions: tuple[Any, ...], used: tuple[Column, ...]) -> tuple[Any, ...]:
    columns = {column.name: column for column in used}
    listed = [
        replace(c, values=_named(columns.get(c.column), c.values))
        if isinstance(c, IsIn | IsNotIn)
        else c
        for c in conditions
    ]
    by_text = {canonical(condition_to_members(c)): c for c in listed}
    return tuple(by_text[text] for text in sorted(by_text))


def _named(column: Column | None, values: tuple[str, ...]) -> tuple[str, ...]:
    """The groups of a condition in one order, each by its printed name, however it is called."""
    names = set(values) if column is None else {group_name(column, value) for value in values}
    return tuple(sorted(names))


def _without_reading(declared: dict[str, Any]) -> dict[str, Any]:
    """What a column declares, however its days or numbers are written in the file."""
    return {k: v for k, v in declared.items() if k not in READING}


def _declaration(column: Column) -> dict[str, Any]:
    """What a column declares about values; its names and its source change no answer."""
    ordered = replace(column, missing_values=tuple(sorted(set(column.missing_values))))
    members = column_to_members(ordered)
    return {k: v for k, v in members.items() if k not in ("title", "label", "basis", "origin")}
