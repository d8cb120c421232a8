# SPDX-License-Identifier: Apache-2.0
"""Worst-case pairs of studies with three tables, which the guess audit attacks.

One person has rows in stays, laboratory values and patients, under a case number that others have,
too; each query counts or adds what the tables together say of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from dpdesk.data.encode import encode
from dpdesk.privacy.compiler import compile
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import OfCase, OfPerson
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.pairs import EPSILON, Attack
from tests.audit.worlds import draw_plan
from tests.doors import Call, RecordingDoor

HEADERS = {"stays": "pid,case", "labs": "pid,case,value", "patients": "pid,sex"}
MOST = 5
"""Values of a person, or of a case, that count at most."""

World = Mapping[str, Sequence[str]]
"""The lines of each table."""

OTHERS: World = {
    "stays": ("1,c1", "1,c2", "2,c1", "3,c3"),
    "labs": ("1,c1,1", "2,c1,1", "4,c9,1"),
    "patients": ("1,F", "2,M", "5,M"),
}
MINE: World = {
    "stays": ("7,c1",) * 9,
    "labs": ("7,c1,1",) * 9,
    "patients": ("7,M", "7,F", "7,F"),
}


@dataclass(frozen=True)
class SeveralPair:
    """Neighbours of three tables, and the query that is attacked.

    Attributes:
        name: what is special about the pair.
        without, with_person: the lines of each table.
    """

    name: str
    query: Query
    unit: Unit
    without: World
    with_person: World

    @property
    def study(self) -> Study:
        data = {name: DataSource(f"{name}.csv", extract="") for name in HEADERS}
        return Study(
            title=self.name,
            data=replace(data["stays"], extract="made up"),
            unit=self.unit,
            budget=Budget("audit", Epsilon.of(100)),
            tables=(
                FurtherTable("labs", data["labs"], "pid", "case"),
                FurtherTable("patients", data["patients"], "pid", rows="one-per-person"),
            ),
            columns=(
                CategoryColumn("sex", ("F", "M"), table="patients"),
                _number("of person", OfPerson("count", table="labs")),
                _number("of case", OfCase("count", table="labs")),
            ),
            queries=(self.query,),
        )

    def attack(self, folder: Path) -> Attack:
        worlds = [self._exact(world, folder) for world in (self.without, self.with_person)]
        return Attack(list(zip(*worlds, strict=True)))

    def _exact(self, world: World, folder: Path) -> list[Call]:
        for name, header in HEADERS.items():
            (folder / f"{name}.csv").write_text("\n".join([header, *world[name], ""]), "utf-8")
        door = RecordingDoor()
        table = encode(self.study, folder, priorities=lambda n: np.arange(n, dtype=np.uint32))
        draw_plan(self.study, compile(self.study), table, door)
        return door.calls


def _number(name: str, step: Any) -> NumberColumn:
    return NumberColumn(name, Decimal(0), Decimal(MOST), Decimal(1), made_from=step)


def _with(others: World, mine: World) -> World:
    return {name: (*others[name], *mine.get(name, ())) for name in HEADERS}


def several_pairs() -> tuple[SeveralPair, ...]:
    """Each shows all of its claim."""
    people, rows = Query("q", of="people", epsilon=EPSILON), Query("q", epsilon=EPSILON)
    unit = Unit("pid", 2, case="case")
    changed = replace(unit, neighbours="change-one", people=6)
    by_sex = people.having(by=("sex",))
    alone = {"labs": MINE["labs"]}
    other_sex = _with(OTHERS, {**MINE, "patients": ("7,M",)})
    asked = {
        "people: in three tables, with rows many times": people,
        "people by an attribute: in three tables": by_sex,
        "sum of people: more values than count": people.having(statistic="sum", column="of person"),
        "rows by an attribute: more rows than count": rows.having(by=("sex",)),
        "sum of rows: a case number that others have": rows.having(
            statistic="sum", column="of case"
        ),
    }
    return (
        *(SeveralPair(name, q, unit, OTHERS, _with(OTHERS, MINE)) for name, q in asked.items()),
        SeveralPair("people: in one table alone", people, unit, OTHERS, _with(OTHERS, alone)),
        SeveralPair("change-one: another sex", by_sex, changed, _with(OTHERS, MINE), other_sex),
    )
