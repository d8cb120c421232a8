# SPDX-License-Identifier: Apache-2.0
"""Neighbours of several files at once: one person's lines in any of them, byte by byte.

Each file is written in a way of its own and holds lines as those of ``neighbour_files``. The main
table has one file or two; a table of people and one of many rows a person lie beside it, with the
same headers, so that a column that is read from the wrong file is found.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.files import source
from dpdesk.privacy.compiler import compile
from dpdesk.privacy.plan import Plan
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import (
    Arithmetic,
    BesideRow,
    FileLabel,
    OfCase,
    OfPerson,
    Operand,
    Step,
    TimeBetween,
)
from dpdesk.study.model.tables import FurtherTable, Keep
from dpdesk.study.model.unit import Budget, DataSource, IdShape, Unit
from tests.audit.neighbour_files import (
    MISSING,
    PEOPLE,
    SEVERAL,
    VICTIM,
    Lines,
    Writing,
    longest,
    writing_of,
)
from tests.audit.worlds import draw_plan
from tests.doors import Call, RecordingDoor, distance

KEPT: tuple[Keep, ...] = ("smallest", "first", "last")
CASES = "note"
"""The header of the case numbers: texts that many people share."""


@dataclass(frozen=True)
class SeveralFiles:
    """Files and neighbours of them, each with other lines of one person in any of the files.

    Attributes:
        study: what is asked.
        first: each file's bytes, by name.
        neighbours: theirs.
        chunk: so many bytes are read at once.
    """

    study: Study
    first: dict[str, bytes]
    neighbours: tuple[dict[str, bytes], ...]
    chunk: int

    def read_in_pieces(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(source, "CHUNK_BYTES", self.chunk)
        patch.setattr(source, "LINE_BYTES", longest(self.chunk))


@dataclass(frozen=True)
class _File:
    """One file: how it is written, and everybody else's lines."""

    writing: Writing
    maker: Lines
    others: list[bytes]

    @property
    def path(self) -> str:
        return self.writing.source.path


def several_files(seed: int) -> SeveralFiles:
    """A made-up world; the same for the same seed."""
    dice = random.Random(seed)
    unit = _unit(dice)
    chunk = dice.choice([1, 7, 64, 128, 1 << 21])
    tables = {
        "main": _table(dice, unit, chunk, "main", dice.choice([1, 2])),
        "people": _table(dice, unit, chunk, "people", 1),
        "labs": _table(dice, unit, chunk, "labs", dice.choice([1, 2])),
    }
    _bound(tables["main"], unit.max_rows)
    sources = {name: _source(files) for name, files in tables.items()}
    asked = several_study(unit, dice.choice(KEPT), len(tables["main"]) > 1)
    people, labs = (replace(t, data=sources[t.name]) for t in asked.tables)
    study = replace(asked, data=sources["main"], tables=(people, labs))
    files = [file for table in tables.values() for file in table]
    is_there = unit.neighbours == "change-one"
    worlds = [_world(dice, files, is_there), *(_world(dice, files, True) for _ in range(SEVERAL))]
    return SeveralFiles(study, worlds[0], tuple(worlds[1:]), chunk)


def _world(dice: random.Random, files: list[_File], is_there: bool) -> dict[str, bytes]:
    """Each file with some lines of one person, or with none."""
    return {
        file.path: file.maker.file(
            file.others, file.maker.mine() if is_there and dice.random() < 0.7 else []
        )
        for file in files
    }


def _unit(dice: random.Random) -> Unit:
    unit = Unit("pid", dice.choice([1, 2, 5]), case=CASES)
    unit = replace(unit, without_id=dice.choice(["drop", "drop", "one-person"]))
    if unit.without_id == "drop" and dice.random() < 0.4:
        unit = replace(unit, id_shape=IdShape(of="any", longest=dice.choice([1, 2])))
    if dice.random() < 0.4:
        return replace(unit, neighbours="change-one", people=3)
    return unit


def _table(dice: random.Random, unit: Unit, chunk: int, name: str, count: int) -> list[_File]:
    fills = unit.without_id == "drop" and dice.random() < 0.3
    files = []
    for number in range(count):
        writing = writing_of(dice, fills, f"{name}{number}.csv")
        label = f"file {number}"
        writing = replace(writing, source=replace(writing.source, label=label))
        maker = Lines(dice, writing, unit, longest(chunk))
        others = [line for line in maker.many(PEOPLE, 8) if maker.owner(line) != VICTIM]
        files.append(_File(writing, maker, others))
    return files


def _bound(files: list[_File], most: int) -> None:
    """Let everybody else have at most so many lines in a table, over all of its files."""
    seen: Counter[str | None] = Counter()
    for file in files:
        kept: list[bytes] = []
        for line in file.others:
            owner = file.maker.owners([*kept, line])[-1]
            seen[owner] += 1
            if seen[owner] <= most or owner is None:
                kept.append(line)
        file.others[:] = kept


def _source(files: list[_File]) -> DataSource:
    """A table's files as they are declared: what holds for all of them stands at the first."""
    first, *more = (file.writing.source for file in files)
    rest = tuple(replace(one, missing=(), fill_down=False) for one in more)
    return replace(first, more=rest)


def several_violations(world: SeveralFiles, folder: Path) -> Iterator[tuple[str, int, float]]:
    """The draws whose distance exceeds what was declared, for any of the neighbours."""
    first = _calls(world.study, world.first, folder)
    for files in world.neighbours:
        second = _calls(world.study, files, folder)
        assert [c.public for c in first] == [c.public for c in second]
        for a, b in zip(first, second, strict=True):
            if distance(a, b) > a.sensitivity:
                yield a.name, a.sensitivity, distance(a, b)


def _calls(study: Study, files: dict[str, bytes], folder: Path) -> list[Call]:
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    door = RecordingDoor()
    table = encode(study, folder, priorities=lambda count: np.arange(count, dtype=np.uint32))
    draw_plan(study, _plan(study.unit or Unit(), *_kind(study)), table, door)
    return door.calls


def _kind(study: Study) -> tuple[Keep, bool]:
    return study.tables[0].keep, study.data is not None and bool(study.data.more)


@cache
def _plan(unit: Unit, keep: Keep, labelled: bool) -> Plan:
    """The plan, which does not depend on how files are written."""
    return compile(several_study(unit, keep, labelled))


def _number(name: str, made_from: Step | None = None, table: str = "") -> NumberColumn:
    in_file = "stay" if table else ""
    column = NumberColumn(name, Decimal(0), Decimal(10), Decimal(1), made_from=made_from)
    return replace(column, table=table, in_file=in_file)


def _of_table(table: str) -> tuple[Column, ...]:
    day = DateColumn(
        f"{table} day", date(2024, 1, 1), date(2025, 6, 30), table=table, in_file="day"
    )
    ward = CategoryColumn(
        f"{table} ward", ("A", "B"), missing="category", table=table, in_file="ward"
    )
    return _number(f"{table} stay", table=table), ward, day


IN_A = (IsIn("labs ward", ("A",)),)


@cache
def several_study(unit: Unit, keep: Keep, labelled: bool) -> Study:
    """A study of three tables, complete but for their files."""
    by = "people day" if keep != "smallest" else None
    people = FurtherTable(
        "people", DataSource("p.csv"), "pid", rows="one-per-person", keep=keep, by=by
    )
    labs = FurtherTable("labs", DataSource("l.csv"), "pid", case=CASES)
    labels = ("file 0", "file 1")
    more = (DataSource("m1.csv", label=labels[1]),) if labelled else ()
    columns: tuple[Column, ...] = (
        NumberColumn("stay", Decimal(0), Decimal(10), Decimal(1)),
        DateColumn("day", date(2024, 1, 1), date(2025, 6, 30)),
        *_of_table("people"),
        *_of_table("labs"),
        _number("both", Arithmetic("add", (Operand("stay"), Operand("people stay")))),
        _number("since", TimeBetween(("people day", "day"), "months")),
        _number("number", OfPerson("count", table="labs")),
        _number("first", OfPerson("first", "labs stay", "labs day", table="labs")),
        YesNoColumn("ever", ("y",), ("n",), made_from=OfPerson("any", where=IN_A, table="labs")),
        _number("before", BesideRow("previous", "labs day", "labs stay")),
        _number("highest", OfPerson("largest", "before", table="labs")),
        _number("rows", OfPerson("count")),
        _number("of case", OfCase("count", table="labs")),
        _number("case mean", OfCase("mean", "labs stay", table="labs")),
        *((CategoryColumn("file", labels, made_from=FileLabel()),) if labelled else ()),
    )
    share: dict[str, Any] = {"epsilon": Epsilon.of(1), "expected": 100}
    rows, people_of = Query("q").having(**share), Query("q", of="people").having(**share)
    queries = (
        people_of,
        people_of.having(by=("people ward", "ever")),
        *(people_of.having(statistic="sum", column=c) for c in ("number", "rows", "highest")),
        people_of.having(statistic="mean", column="first"),
        rows.having(by=("people ward", "ever")),
        *(
            rows.having(statistic="sum", column=c)
            for c in ("both", "since", "of case", "case mean", "first")
        ),
        rows.having(statistic="median", column="of case"),
        *((rows.having(by=("file",)),) if labelled else ()),
    )
    return Study(
        title="Several files",
        data=DataSource("m.csv", missing=(MISSING,), label=labels[0], more=more),
        unit=unit,
        budget=Budget("lines", epsilon=Epsilon.of(100)),
        tables=(people, labs),
        columns=columns,
        queries=tuple(replace(one, id=f"q{at}") for at, one in enumerate(queries)),
    )
