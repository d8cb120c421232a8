# SPDX-License-Identifier: Apache-2.0
"""Made-up rows: as many in each group as were guessed, none that a condition excludes."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from dpdesk.data import made_up_rows
from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.made_up_rows import made_up_table
from dpdesk.exact import Exact
from dpdesk.privacy.noise import door
from dpdesk.privacy.noise.noise import Noise
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import Between, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit

STUDY = Study(
    unit=Unit("pid", 2),
    columns=(
        NumberColumn("stay", lower=Decimal(1), upper=Decimal(14), step=Decimal("0.5")),
        NumberColumn("age", lower=Decimal(0), upper=Decimal(109), step=Decimal(1)),
        CategoryColumn("ward", ("A", "B", "C"), unknown="category", missing="category"),
        YesNoColumn("ok", ("yes",), ("no",)),
        DateColumn("day", date(2024, 1, 1), date(2024, 12, 31)),
    ),
)


class CountsSeen(door.Door):
    """Keeps what it was given: made-up rows are nobody's secret."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def add_noise(self, name: str, values: Any, noise: Noise, sensitivity: int) -> tuple[int, ...]:
        self.seen = values.tolist()
        return tuple(self.seen)


def vector(sealed: Exact) -> list[int]:
    seen = CountsSeen()
    seen.draw("rows", sealed, Noise("laplace", 1.0), 1)
    return seen.seen


def counts(query: Query, size: int, **more: Any) -> list[int]:
    table = made_up_table(STUDY, query, size)
    spec = AggregateSpec("rows", by=query.by, where=query.where, **more)
    return vector(measure(table, STUDY, spec))


@pytest.mark.parametrize(
    "by",
    [
        ("ward",),
        ("ok", "ward"),
        (Bins("age", (Decimal(18), Decimal(65))),),
        (Periods("day", "quarter"), "ok"),
        (Periods("day", "weekday"), Bins("stay", (Decimal(2), Decimal("7.5")))),
        (Periods("day", "month"), Periods("day", "quarter")),
    ],
)
def test_every_group_has_as_many_rows_as_were_guessed(by: tuple[Any, ...]) -> None:
    found = counts(Query("q", by=by), 40)
    possible = [count for count in found if count]
    assert set(possible) == {40}
    excluded = len(found) - len(possible)
    assert excluded == (36 if len({getattr(g, "column", g) for g in by}) < len(by) else 0)


@pytest.mark.parametrize(
    ("where", "left_out"),
    [
        ((IsIn("ward", ("A", "C")),), 3),
        ((IsNotIn("ward", ("(other)", "(missing)")),), 2),
        ((Between("age", Decimal(30), Decimal(40)),), 0),
        ((DateBetween("day", date(2024, 3, 3), date(2024, 3, 4)), IsIn("ok", ("yes",))), 0),
        ((IsMissing("stay"),), 0),
        ((IsMissing("ward", missing=False), IsIn("ward", ("B",))), 4),
    ],
)
def test_conditions_leave_whole_groups_or_nothing(where: tuple[Any, ...], left_out: int) -> None:
    found = counts(Query("q", by=("ward",), where=where), 25)
    assert sorted(found) == [0] * left_out + [25] * (5 - left_out)


def test_values_are_spread_evenly_over_the_bounds() -> None:
    query = Query("q").having(statistic="mean", column="stay", by=("ward",))
    table = made_up_table(STUDY, query, 2_700)
    bins = Bins("stay", tuple(Decimal(n) / 2 for n in range(3, 29)))
    found = vector(measure(table, STUDY, AggregateSpec("rows", by=("ward", bins))))
    assert len(found) == 5 * 27
    assert max(abs(count - 100) for count in found) <= 5


def test_columns_do_not_run_in_step() -> None:
    query = Query("q").having(
        statistic="share", has=(IsIn("ok", ("yes",)), Between("age", Decimal(0), Decimal(54)))
    )
    table = made_up_table(STUDY, query, 4_000)
    spec = AggregateSpec("rows", where=query.parameters_as(type(query.parameters)).has)  # type: ignore[attr-defined]
    assert abs(vector(measure(table, STUDY, spec))[0] - 1_000) < 40


def test_nothing_is_left_to_chance() -> None:
    query = Query("q", by=("ward", "ok"))
    first, second = (made_up_table(STUDY, query, 50) for _ in range(2))
    for one, other in zip(first.columns(), second.columns(), strict=True):
        assert np.array_equal(one.codes, other.codes)


def test_groups_of_millions_are_made_smaller_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_up_rows, "MOST_ROWS", 1_000)
    assert counts(Query("q", by=("ward",)), 10**9) == [200] * 5
