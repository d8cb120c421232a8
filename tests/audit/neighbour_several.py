# SPDX-License-Identifier: Apache-2.0
"""Another study of several tables, whose columns meet over people, cases and both at once.

Its files are made as those of ``several_files``. All have the same headers, so that a column that
is read from the wrong file is found.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

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
from tests.audit.neighbour_files import MISSING
from tests.audit.several_files import (
    CHUNKS,
    LABELS,
    SeveralFiles,
    made_world,
    random_writings,
    sources,
)

KEPT: tuple[Keep, ...] = ("smallest", "first", "last")
CASES = "note"
"""The header of the case numbers: texts that many people share."""


def several_files(seed: int) -> SeveralFiles:
    """A made-up world; the same for the same seed."""
    dice = random.Random(seed)
    unit = _unit(dice)
    chunk = dice.choice(CHUNKS)
    writings = random_writings(dice, 3, unit)
    main, labs, people = sources(writings)
    asked = several_study(unit, dice.choice(KEPT))
    further = (replace(asked.tables[0], data=people), replace(asked.tables[1], data=labs))
    return made_world(dice, replace(asked, data=main, tables=further), writings, chunk)


def _unit(dice: random.Random) -> Unit:
    unit = Unit("pid", dice.choice([1, 2, 5]), case=CASES)
    unit = replace(unit, without_id=dice.choice(["drop", "drop", "one-person"]))
    if unit.without_id == "drop" and dice.random() < 0.4:
        unit = replace(unit, id_shape=IdShape(of="any", longest=dice.choice([1, 2])))
    if dice.random() < 0.4:
        return replace(unit, neighbours="change-one", people=3)
    return unit


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
def several_study(unit: Unit, keep: Keep) -> Study:
    """A study of three tables, complete but for their files."""
    by = "people day" if keep != "smallest" else None
    people = FurtherTable(
        "people", DataSource("p.csv"), "pid", rows="one-per-person", keep=keep, by=by
    )
    labs = FurtherTable("labs", DataSource("l.csv"), "pid", case=CASES)
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
        CategoryColumn("file", LABELS, made_from=FileLabel()),
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
        rows.having(by=("file",)),
    )
    return Study(
        title="Several files",
        data=DataSource("m.csv", missing=(MISSING,), label=LABELS[0]),
        unit=unit,
        budget=Budget("lines", epsilon=Epsilon.of(100)),
        tables=(people, labs),
        columns=columns,
        queries=tuple(replace(one, id=f"q{at}") for at, one in enumerate(queries)),
    )
