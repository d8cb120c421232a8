# SPDX-License-Identifier: Apache-2.0
"""The fixed worst-case pairs of neighbours that the guess audit attacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from zlib import crc32

import numpy as np

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.door import OpenDPDoor
from dpdesk.privacy.plan import Plan
from dpdesk.study.amount import Epsilon
from dpdesk.study.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.document import Study
from dpdesk.study.queries import IsIn, Query
from dpdesk.study.unit import Budget, DataSource, Unit
from tests.audit.tables import FILE, Row, Rows
from tests.audit.worlds import run_plan
from tests.doors import Call, RecordingDoor

EPSILON = Epsilon.of(2)
"""Guessing is strongest near 2: 1.5 times the claim is caught with about 1,500 guesses."""

COLUMNS = (
    NumberColumn("stay", Decimal(0), Decimal(10), Decimal(1)),
    CategoryColumn("ward", ("A", "B", "C")),
    CategoryColumn("sex", ("F", "M")),
    YesNoColumn("ok", ("yes",), ("no",)),
)
ADD_REMOVE = Unit("pid", 1, "add-remove")
CHANGE_ONE = Unit("pid", 1, "change-one", people=2)


def row(pid: str, stay: str = "5", ward: str = "A", sex: str = "F", ok: str = "yes") -> Row:
    """One row of the made-up table."""
    return Row((pid, stay, ward, sex, ok, ""), crc32(f"{pid}/{stay}/{ward}".encode()))


@dataclass(frozen=True)
class Pair:
    """Neighbours and the query that is attacked.

    Attributes:
        name: what is special about the pair.
        unit, query: the declaration.
        without, with_person: the neighbours.
    """

    name: str
    unit: Unit
    query: Query
    without: Rows
    with_person: Rows

    @property
    def study(self) -> Study:
        """The study that asks the one query."""
        return Study(
            title=self.name,
            data=DataSource(FILE, missing=("?",)),
            unit=self.unit,
            budget=Budget("audit", Epsilon.of(100)),
            columns=COLUMNS,
            queries=(self.query,),
        )

    def plan(self) -> Plan:
        """The compiled query."""
        return compile(self.study)

    def exact(self, folder: Path, plan: Plan, rows: Rows) -> list[Call]:
        """The exact vectors of one world."""
        door = RecordingDoor()
        run_plan(self.study, plan, folder, rows, door)
        return door.calls


class Attack:
    """Draws from either world with the real door and weighs what comes out."""

    def __init__(self, pair: Pair, folder: Path) -> None:
        self.plan = pair.plan()
        self._worlds = [pair.exact(folder, self.plan, w) for w in (pair.without, pair.with_person)]
        self._door = OpenDPDoor()

    def release(self, coin: bool) -> float:
        """The log-likelihood ratio of one release from the world the coin names."""
        total = 0.0
        for without, present in zip(*self._worlds, strict=True):
            truth = present if coin else without
            values = np.array(truth.exact, dtype=np.int64)
            noisy = self._door.add_noise(truth.name, values, truth.sensitivity, truth.scale)
            total += _log_ratio(noisy, without, present)
        return total


def _log_ratio(noisy: tuple[int, ...], without: Call, present: Call) -> float:
    moved = (
        abs(y - a) - abs(y - b) for y, a, b in zip(noisy, without.exact, present.exact, strict=True)
    )
    return sum(moved) / present.scale


def _query(statistic: str, by: tuple[str, ...] = (), **more: object) -> Query:
    column = "stay" if statistic in ("sum", "mean") else None
    return Query("q", statistic, column, by, epsilon=EPSILON, **more)  # type: ignore[arg-type]


def pairs() -> tuple[Pair, ...]:
    """Every pair, the honest program's weakest spots first."""
    crowd = (row("1", "5", "B"), row("2", "0", "C"))
    three = replace(ADD_REMOVE, max_rows=3)
    many = tuple(row("7", "10", ward) for ward in ("A", "B", "C") for _ in range(10))
    one_cell = tuple(row("7", "10", "A") for _ in range(50))
    spelled = tuple(row(i, "10") for i in ("7", "07", " 7", "7.0", "\u200b7", "007 "))
    count, people = _query("count"), _query("count-people")
    added, mean = _query("sum"), _query("mean")
    return (
        Pair("count: empty table or one row", ADD_REMOVE, count, (), (row("7"),)),
        Pair("count: victim with 50 rows", ADD_REMOVE, count, crowd, crowd + one_cell),
        Pair("count: one id in six spellings", ADD_REMOVE, count, crowd, crowd + spelled),
        Pair(
            "count by ward: rows in every group",
            three,
            _query("count", ("ward",)),
            crowd,
            crowd + many,
        ),
        Pair("people: 50 rows in one cell", three, people, crowd, crowd + one_cell),
        Pair(
            "people by ward: rows in every group",
            three,
            _query("count-people", ("ward",)),
            crowd,
            crowd + many,
        ),
        Pair("sum: highest value", ADD_REMOVE, added, crowd, (*crowd, row("7", "10"))),
        Pair("sum: outlier 1e9", ADD_REMOVE, added, crowd, (*crowd, row("7", "1e9"))),
        Pair("sum: infinity", ADD_REMOVE, added, crowd, (*crowd, row("7", "1e999"))),
        Pair("sum: not a number", ADD_REMOVE, added, crowd, (*crowd, row("7", "NaN"))),
        Pair("sum by ward, k = 3", three, _query("sum", ("ward",)), crowd, crowd + many),
        Pair("mean: empty table or the highest", ADD_REMOVE, mean, (), (row("7", "10"),)),
        Pair("mean: lowest value", ADD_REMOVE, mean, crowd, (*crowd, row("7", "-1e9"))),
        Pair("mean by sex, k = 3", three, _query("mean", ("sex",)), crowd, crowd + one_cell),
        Pair(
            "filtered count",
            ADD_REMOVE,
            _query("count", where=(IsIn("ward", ("A",)),)),
            crowd,
            (*crowd, row("7")),
        ),
        Pair("missing id", ADD_REMOVE, count, crowd, (*crowd, row(""))),
        Pair(
            "rows without id as one person",
            replace(ADD_REMOVE, without_id="one-person"),
            count,
            crowd,
            (*crowd, row(""), row("?"), row(" ")),
        ),
        Pair(
            "change-one: another ward",
            CHANGE_ONE,
            _query("count", ("ward",)),
            (row("1"), row("7", ward="B")),
            (row("1"), row("7", ward="C")),
        ),
        Pair(
            "change-one: lowest to highest",
            CHANGE_ONE,
            added,
            (row("1"), row("7", "0")),
            (row("1"), row("7", "10")),
        ),
        Pair(
            "change-one: mean, lowest to highest",
            CHANGE_ONE,
            mean,
            (row("1"), row("7", "0")),
            (row("1"), row("7", "10")),
        ),
        Pair(
            "change-one: people by ward, k = 3",
            replace(CHANGE_ONE, max_rows=3),
            _query("count-people", ("ward",)),
            (row("1"), row("7", ward="B")),
            (row("1"), row("7", ward="A"), row("7", ward="C")),
        ),
        Pair("row is person", Unit(None), added, crowd, (*crowd, row("1", "10"))),
    )
