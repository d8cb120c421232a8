# SPDX-License-Identifier: Apache-2.0
"""The fixed worst-case pairs of neighbours that the guess audit attacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import Plan
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS, Statistic
from dpdesk.study.model.steps.step import Arithmetic, Operand
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.asking import exists, query_for, with_group_limit
from tests.audit.evidence import draw, ratios
from tests.audit.tables import CANARY, FILE, Row, Rows
from tests.audit.worlds import run_plan
from tests.doors import Call, RecordingDoor

EPSILON = Epsilon.of(2)
"""Guessing is strongest near 2: 1.5 times the claim is caught with about 1,500 guesses."""

ALONE, TOGETHER = 200, 50
"""So many releases are drawn alone, the others so many in one vector."""

STAY = NumberColumn("stay", Decimal(0), Decimal(10), Decimal(1))
COLUMNS = (
    STAY,
    CategoryColumn("ward", ("A", "B", "C"), compare="folded"),
    CategoryColumn("sex", ("F", "M")),
    YesNoColumn("ok", ("yes",), ("no",), compare="folded"),
)
BEGUN = replace(STAY, name="begun", made_from=Arithmetic("subtract", (Operand("stay"), Decimal(2))))
LATE = (Decimal(3), Decimal(7))
"""When a row came under observation: two before its time, and not before 0."""
ADD_REMOVE = Unit("pid", 1, "add-remove")
CHANGE_ONE = Unit("pid", 1, "change-one", people=2)


def row(pid: str, stay: str = "5", ward: str = "A", sex: str = "F", ok: str = "yes") -> Row:
    """One row of the made-up table."""
    return Row((pid, stay, ward, sex, ok, ""), crc32(f"{pid}/{stay}/{ward}".encode()))


ODD_ROWS = (
    row("7", "1e999", "nowhere", CANARY, "?"),
    row("", "NaN", "", "", "two\nlines"),
    row(CANARY, CANARY, "A"),
    row("9", "4", "C"),
    row("10", "4", "c\u00a0", "f", " YES"),
    Row(("8", "-5"), 77),
)
"""Rows in which hardly a cell is as declared."""


@dataclass(frozen=True)
class Pair:
    """Neighbours and the query that is attacked.

    Attributes:
        name: what is special about the pair.
        unit, query: the declaration.
        without, with_person: the neighbours.
        tight: whether the pair shows all of the claim; others must not show more.
        derived: columns beside those of the table.
    """

    name: str
    unit: Unit
    query: Query
    without: Rows
    with_person: Rows
    tight: bool = True
    derived: tuple[NumberColumn, ...] = ()

    @property
    def study(self) -> Study:
        """The study that asks the one query."""
        return Study(
            title=self.name,
            data=DataSource(FILE, missing=("?",), extract="made up"),
            unit=self.unit,
            budget=Budget("audit", None, Rho.of(100))
            if self.query.rho
            else Budget("audit", Epsilon.of(100)),
            columns=(*COLUMNS, *self.derived),
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

    def __init__(self, calls: list[tuple[Call, Call]]) -> None:
        self._calls = calls
        self._door = OpenDPDoor()

    @classmethod
    def on(cls, pair: Pair, folder: Path) -> Attack:
        """An attack on a pair of tables."""
        plan = pair.plan()
        worlds = [pair.exact(folder, plan, w) for w in (pair.without, pair.with_person)]
        return cls(list(zip(*worlds, strict=True)))

    @property
    def moved(self) -> int:
        """How far the only cell of the only draw moves."""
        ((without, present),) = self._calls
        return abs(present.exact[0] - without.exact[0])

    @property
    def scale(self) -> float:
        """The declared scale of the only draw."""
        ((_, present),) = self._calls
        return present.scale

    def weigh(self, tossed: Sequence[bool]) -> list[float]:
        """The log-likelihood ratio of one release for each coin.

        Releases of several coins are drawn in one vector, as a release of many groups is; their
        cells are their own. Some are drawn alone.
        """
        found: list[float] = []
        while len(found) < len(tossed):
            size = 1 if len(found) < ALONE else TOGETHER
            found += self._together(tossed[len(found) : len(found) + size])
        return found

    def _together(self, block: Sequence[bool]) -> list[float]:
        found = np.zeros(len(block))
        for without, present in self._calls:
            absent, there = np.array(without.exact), np.array(present.exact)
            truths = np.where(np.array(block)[:, None], there, absent)
            found += ratios(without, present, draw(self._door, present, truths))
        return found.tolist()


def _query(statistic: Statistic, by: tuple[str, ...] = (), **more: Any) -> Query:
    share = {} if "rho" in more else {"epsilon": EPSILON}
    return query_for(statistic, STAY, by=by, **share, **more)


def choices() -> tuple[Pair, ...]:
    """Worst cases of the statistics that choose, split cells, or flip answers."""
    low = tuple(row(str(i), "0") for i in range(20, 60))
    high = (row("7", "10"),)
    sure = replace(CHANGE_ONE, max_rows=1, people=3)
    two = (row("1", ok="no"), row("2", ok="yes"))
    return (
        Pair("share: one with the property", ADD_REMOVE, _query("share"), low, low + high),
        Pair(
            "change-one: share, without to with the property",
            CHANGE_ONE,
            _query("share", ("ward",)),
            (row("1"), row("7", ok="no")),
            (row("1"), row("7", ok="yes")),
        ),
        Pair("median: one above many below", ADD_REMOVE, _query("median"), low, low + high, False),
        Pair(
            "change-one: median, lowest to highest",
            CHANGE_ONE,
            _query("median"),
            (*low, row("7", "0")),
            low + high,
            tight=False,
        ),
        Pair(
            "quantiles",
            ADD_REMOVE,
            _query("quantiles", quantiles=(Decimal("0.1"), Decimal("0.5"))),
            low,
            low + high,
            tight=False,
        ),
        Pair(
            "most common of three wards: one of a tie",
            ADD_REMOVE,
            _query("most-common", top=1),
            (row("1", ward="A"), row("2", ward="B")),
            (row("1", ward="A"), row("2", ward="B"), row("7", ward="C")),
            tight=False,
        ),
        Pair(
            "two most common, change-one",
            CHANGE_ONE,
            _query("most-common"),
            (row("1", ward="A"), row("7", ward="B")),
            (row("1", ward="A"), row("7", ward="C")),
            tight=False,
        ),
        Pair("cut-off: the highest bidder", ADD_REMOVE, _query("cut-off"), (), high, tight=False),
        Pair("variance: the highest value", ADD_REMOVE, _query("variance"), (), high, tight=False),
        Pair("linear model: a row at a corner", ADD_REMOVE, _query("linear-model"), (), high),
        Pair(
            "linear model: from a corner to the middle and the other end",
            CHANGE_ONE,
            _query("linear-model"),
            (row("1"), row("7", "10")),
            (row("1"), row("7", "5", ok="no")),
        ),
        Pair("distribution", ADD_REMOVE, _query("distribution"), low, low + high, tight=False),
        Pair("survival", ADD_REMOVE, _query("survival"), low, low + high, tight=False),
        Pair(
            "survival: from censored to an event in another bin",
            CHANGE_ONE,
            _query("survival"),
            (row("1"), row("7", "0", ok="no")),
            (row("1"), row("7", "10")),
        ),
        Pair(
            "survival with entries: from one bin of entries and of time to others",
            CHANGE_ONE,
            _query("survival", edges=LATE, entry="begun", entry_edges=LATE, late="last-bin"),
            (row("1"), row("7", "4", ok="no")),
            (row("1"), row("7", "10")),
            derived=(BEGUN,),
        ),
        Pair(
            "survival with entries: one that is left out, and one that is not",
            ADD_REMOVE,
            _query("survival", edges=LATE, entry="begun", entry_edges=LATE, late="leave-out"),
            (*low, row("7", "0")),
            low + high,
            tight=False,
            derived=(BEGUN,),
        ),
        Pair(
            "cumulative incidence: from one kind of event to another, and another bin",
            CHANGE_ONE,
            _query("cumulative-incidence"),
            (row("1"), row("7", "0", ward="A")),
            (row("1"), row("7", "10", ward="B")),
        ),
        Pair(
            "cumulative incidence with entries: from one kind and bin of entries to others",
            CHANGE_ONE,
            _query(
                "cumulative-incidence",
                edges=LATE,
                entry="begun",
                entry_edges=LATE,
                late="last-bin",
            ),
            (row("1"), row("7", "4", ward="A")),
            (row("1"), row("7", "10", ward="B")),
            derived=(BEGUN,),
        ),
        Pair(
            "quantiles read off counts",
            ADD_REMOVE,
            _query("quantiles"),
            low,
            low + high,
            tight=False,
        ),
        Pair(
            "randomised response: one of three",
            sure,
            _query("randomised-response"),
            (*two, row("7", "")),
            (*two, row("7", "4")),
            tight=False,
        ),
    )


def gaussian_pairs() -> tuple[Pair, ...]:
    """Counts and sums in zCDP, each moved in one cell by all of its sensitivity."""
    rho: dict[str, Any] = {"rho": Rho.of(2), "noise": "gaussian"}
    three = replace(ADD_REMOVE, max_rows=3)
    crowd = (row("1", "5", "B"), row("2", "0", "C"))
    mine = tuple(replace(row("7", "10"), priority=i) for i in range(3))
    return (
        Pair("Gaussian count", three, _query("count", **rho), crowd, crowd + mine),
        Pair("Gaussian people", ADD_REMOVE, _query("count-people", **rho), crowd, crowd + mine),
        Pair("Gaussian sum", three, _query("sum", **rho), crowd, crowd + mine),
    )


def _kept_in_order(rows: Iterable[Row]) -> Rows:
    """Rows of which the bound keeps the first."""
    return tuple(replace(row, priority=index) for index, row in enumerate(rows))


def pairs() -> tuple[Pair, ...]:
    """Every pair, the honest program's weakest spots first."""
    crowd = (row("1", "5", "B"), row("2", "0", "C"))
    three = replace(ADD_REMOVE, max_rows=3)
    many = _kept_in_order(row("7", "10", ward) for _ in range(10) for ward in ("A", "B", "C"))
    one_cell = tuple(row("7", "10", "A") for _ in range(50))
    spelled = tuple(row(i, "10") for i in ("7", "07", " 7", "7.0", "\u200b7", "007 "))
    # Hashed: no bits of theirs can be left out.
    long_names = (row("\u00e41", "5", "B"), row("\u00e42", "0", "C"))
    long_name = tuple(row("\u00e47", "10", "A") for _ in range(50))
    lettered = tuple(row(i, "10") for i in ("AB1", "ab1", " aB1", "\uff21b1"))
    hashed = tuple(row(i, "10") for i in ("AB/1", "ab/1", " aB/1", "\uff21b/1"))
    count, people = _query("count"), _query("count-people")
    by_rows = _query("rows-per-person")
    added, mean = _query("sum"), _query("mean")
    return (
        Pair("count: empty table or one row", ADD_REMOVE, count, (), (row("7"),)),
        Pair("count: victim with 50 rows", ADD_REMOVE, count, crowd, crowd + one_cell),
        Pair(
            "count: victim with 50 rows and a hashed id",
            ADD_REMOVE,
            count,
            long_names,
            long_names + long_name,
        ),
        Pair("count: one id in six spellings", ADD_REMOVE, count, crowd, crowd + spelled),
        Pair("count: one id of letters in four", ADD_REMOVE, count, crowd, crowd + lettered),
        Pair("count: one hashed id in four", ADD_REMOVE, count, crowd, crowd + hashed),
        Pair(
            "count by ward: rows in every group",
            three,
            _query("count", ("ward",)),
            crowd,
            crowd + many,
        ),
        Pair(
            "count by sex: two rows in one group, of which one counts",
            three,
            replace(_query("count", ("sex",)), rows_per_group=1),
            crowd,
            crowd + _kept_in_order(row("7", "10", "A", sex) for sex in "FFM"),
        ),
        Pair("people: 50 rows in one cell", three, people, crowd, crowd + one_cell),
        Pair(
            "people by ward: rows in every group",
            three,
            _query("count-people", ("ward",)),
            crowd,
            crowd + many,
        ),
        Pair("rows per person: 50 rows", three, by_rows, crowd, crowd + one_cell),
        Pair(
            "change-one: rows per person, from one to 50",
            replace(CHANGE_ONE, max_rows=3),
            by_rows,
            (row("1"), row("7")),
            (row("1"), *one_cell),
        ),
        Pair("sum: highest value", ADD_REMOVE, added, crowd, (*crowd, row("7", "10"))),
        Pair("sum: outlier 1e9", ADD_REMOVE, added, crowd, (*crowd, row("7", "1e9"))),
        Pair("sum: infinity", ADD_REMOVE, added, crowd, (*crowd, row("7", "1e999"))),
        Pair("sum: not a number", ADD_REMOVE, added, crowd, (*crowd, row("7", "NaN")), tight=False),
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
        Pair("missing id", ADD_REMOVE, count, crowd, (*crowd, row("")), tight=False),
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
            tight=False,
        ),
        Pair(
            "change-one: mean by ward, to another ward",
            CHANGE_ONE,
            _query("mean", ("ward",)),
            (row("1"), row("7", "10", "B")),
            (row("1"), row("7", "10", "C")),
        ),
        Pair(
            "change-one: people by ward, k = 3",
            replace(CHANGE_ONE, max_rows=3),
            _query("count-people", ("ward",)),
            (row("1"), row("7", ward="B")),
            (row("1"), row("7", ward="A"), row("7", ward="C")),
        ),
        Pair(
            "folded: one ward in two spellings",
            ADD_REMOVE,
            _query("count", ("ward",)),
            (row("1", ward="B"), row("2", ward="c"), row("3", ward="c")),
            (row("1", ward="B"), row("2", ward="c"), row("3", ward="c"), row("7", ward=" b")),
        ),
        Pair("row is person", Unit(None), added, crowd, (*crowd, row("1", "10"))),
    )


def every_statistic(
    unit: Unit, by: tuple[str, ...] = (), stay: NumberColumn = STAY, measure: str = "epsilon"
) -> Study:
    """A study that asks each statistic that exists for a unit by the same groups.

    Where people have several rows, also with at most one of them in a group.

    Args:
        unit: the privacy unit.
        by: grouping columns; a statistic takes as many as it may have.
        stay: the number column.
        measure: what shares are counted in.
    """
    shares: dict[str, Any] = {measure: Rho.of(2) if measure == "rho" else EPSILON}
    limit: dict[str, Any] = {measure: Rho.of(100) if measure == "rho" else Epsilon.of(100)}
    plain = [
        query_for(statistic, stay, statistic, by=by[: DECLARATIONS[statistic].groups], **shares)
        for statistic in STATISTICS
        if exists(statistic, unit, measure, stay)
    ]
    limited = [with_group_limit(replace(one, id=f"{one.id}-limited"), unit) for one in plain]
    queries = (*plain, *(query for query in limited if query.rows_per_group))
    return replace(
        pairs()[0].study,
        unit=unit,
        budget=Budget("audit", **limit),
        columns=(stay, *COLUMNS[1:]),
        queries=queries,
    )
