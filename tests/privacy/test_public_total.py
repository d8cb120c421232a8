# SPDX-License-Identifier: Apache-2.0
"""Where everybody is in one cell and the total is public, counts cost less and add up to it."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy.compiler import compile, compile_query
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.planning.differences import differences
from dpdesk.privacy.public_total import half_width, projected, whole_parts
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.release.record.drawn import Drawn, is_of_plan
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, Replace
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.length import runs
from tests.audit.tables import FILE, HEADER, Row
from tests.audit.worlds import run
from tests.doors import RecordingDoor, distance

ONE = Epsilon.of(1)
UNIT = Unit("pid", 1, "change-one", people=3)
GROUPS = ("A", "B", "C", "D")
COUNTED: dict[str, dict[str, Any]] = {
    "count": {"by": ("ward",)},
    "count-people": {"by": ("ward",)},
    "rows-per-person": {},
}


def study_of(statistic: Any, cells: int, share: Epsilon | Rho = ONE, **unit: Any) -> Study:
    """One count of so many cells, into one of which each row falls whatever it holds."""
    rest = Replace("A")
    more = {"top_code": cells} if statistic == "rows-per-person" else COUNTED[statistic]
    return Study(
        data=DataSource(FILE, extract="made up"),
        unit=replace(UNIT, **unit),
        budget=Budget("wards", **{share.measure: type(share).of(50)}),
        columns=(CategoryColumn("ward", GROUPS[:cells], missing=rest, unknown=rest),),
        queries=(Query("q").having(statistic=statistic, **more, **{share.measure: share}),),
    )


def rows_of(statistic: str, places: tuple[int, ...]) -> tuple[Row, ...]:
    """People by their cell: of a ward, or of so many rows and one."""
    many = statistic == "rows-per-person"
    return tuple(
        Row((str(who), "1", GROUPS[place], *[""] * (len(HEADER) - 3)), 10 * who + i)
        for who, place in enumerate(places)
        for i in range(place + 1 if many else 1)
    )


@pytest.mark.parametrize("statistic", COUNTED)
@pytest.mark.parametrize("cells", [2, 3])
@pytest.mark.parametrize("share", [ONE, Rho.of(1)])
def test_one_changed_person_moves_what_is_drawn_by_its_sensitivity_and_no_further(
    statistic: str, cells: int, share: Epsilon | Rho, tmp_path: Path
) -> None:
    study, calls = study_of(statistic, cells, share), {}
    for places in product(range(cells), repeat=3):
        door = RecordingDoor()
        run(study, tmp_path, rows_of(statistic, places), door)
        (calls[places],) = door.calls
    pairs = [
        (calls[one], calls[other])
        for one, other in combinations(calls, 2)
        if sum(a != b for a, b in zip(one, other, strict=True)) == 1
    ]
    declared = pairs[0][0].sensitivity
    assert max(distance(*pair) for pair in pairs) == declared == (1 if cells == 2 else 2)
    assert {len(call.exact) for call in calls.values()} == {1 if cells == 2 else cells}


@pytest.mark.parametrize(
    ("change", "unit"),
    [
        ({"missing": "drop"}, {}),
        ({"unknown": "drop"}, {}),
        ({}, {"max_rows": 2}),
        ({}, {"neighbours": "add-remove", "people": None}),
    ],
)
def test_all_cells_are_drawn_where_the_total_is_not_public(
    change: dict[str, Any], unit: dict[str, Any]
) -> None:
    study = study_of("count", 2, **unit)
    study = replace(study, columns=(replace(study.columns[0], **change),))
    plan = compile_query(study, study.queries[0])
    assert (plan.public_total, plan.parts[0].cells) == (None, 2)


def test_a_condition_or_a_row_without_an_id_keeps_the_total_secret() -> None:
    study = study_of("count", 3)
    asked = study.queries[0].having(where=(IsIn("ward", ("A",)),))
    assert compile_query(study, asked).public_total is None
    study = study_of("rows-per-person", 3, without_id="one-person")
    assert compile_query(study, study.queries[0]).public_total is None


@pytest.mark.parametrize("cells", [2, 3, 4])
@pytest.mark.parametrize("share", [Epsilon.of("0.003"), ONE, Rho.of("0.2")])
def test_published_counts_add_up_to_the_public_total(cells: int, share: Epsilon | Rho) -> None:
    study = study_of("count", cells, share, people=1000)
    plan, door, dice = compile(study).queries[0], OpenDPDoor(), random.Random(cells)
    part = plan.parts[0]
    for _ in range(20):
        values = np.array([dice.randint(0, 400) for _ in range(part.cells)])
        drawn = door.add_noise("q", values, part.noise, part.sensitivity)
        rows = table(study, plan, (drawn,)).rows
        assert sum(Fraction(row[1]) for row in rows) == 1000
        for cell, row in enumerate(rows):
            (figure,) = METHODS["count"].figures_at(plan, (drawn,), cell, 0.05)
            assert figure is not None
            # What the published figure was moved by is in its margin.
            moved = abs(Fraction(row[1]) - figure.value)
            assert Fraction(row[2]) >= figure.half_width + moved


def test_yes_and_no_have_half_of_the_noise_and_groups_less() -> None:
    def spread(cells: int, share: Epsilon | Rho) -> Fraction:
        found = compile(study_of("count", cells, share)).queries[0].half_width
        assert found is not None
        return found

    single = Fraction(noise_distribution.half_width(Noise("laplace", 1 / 0.02)))
    assert spread(2, Epsilon.of("0.02")) == single == 150
    assert single < spread(3, Epsilon.of("0.02")) < Fraction(4, 5) * 2 * single
    half, third = spread(2, Rho.of("0.0002")), spread(3, Rho.of("0.0002"))
    assert half == 98
    assert Fraction(114, 100) < third / half < Fraction(117, 100)  # the root of 4 / 3


@pytest.mark.parametrize("noise", [Noise("laplace", 1.7), Noise("gaussian", 1.3, "rho")])
@pytest.mark.parametrize("cells", [2, 3, 4])
def test_the_half_width_is_the_smallest_that_holds(noise: Noise, cells: int) -> None:
    far = range(-24, 25)
    chances = {x: noise_distribution.tail(abs(x) - 1, noise) for x in far}
    one = {x: (chances[x] - noise_distribution.tail(abs(x), noise)) / (2 if x else 1) for x in far}
    others = {0: 1.0}
    for _ in range(cells - 1):
        added: dict[int, float] = {}
        for (a, p), (b, q) in product(others.items(), one.items()):
            added[a + b] = added.get(a + b, 0.0) + p * q
        others = added
    width = half_width(noise, cells) * cells

    def beyond(most: Fraction) -> float:
        return sum(
            p * q
            for (x, p), (r, q) in product(one.items(), others.items())
            if abs((cells - 1) * x - r) > most
        )

    assert beyond(width) <= 0.05 < beyond(width - 1)


@pytest.mark.in_turn(2)
def test_where_the_chances_would_be_too_many_the_half_width_still_holds() -> None:
    wide = half_width(Noise("laplace", 1e6), 50)
    draws = np.array(OpenDPDoor().add_noise("q", np.zeros(50 * 2000), Noise("laplace", 1e6), 1))
    left = draws.reshape(2000, 50) - draws.reshape(2000, 50).mean(axis=1, keepdims=True)
    assert 0.04 < float((abs(left) > wide).mean()) < 0.055


def test_projection_and_whole_parts_are_the_nearest() -> None:
    dice = random.Random(1)
    for cells in (3, 4, 9):
        noisy = [dice.randint(-9, 50) for _ in range(cells)]
        total = dice.randint(0, 100)
        found = projected(noisy, total)
        assert sum(found) == total
        # Nearest: what was taken away is the same everywhere, at right angles to the plane.
        assert len({one - value for one, value in zip(noisy, found, strict=True)}) == 1
        whole = whole_parts(found)
        assert sum(whole) == total
        assert all(abs(n - value) < 1 for n, value in zip(whole, found, strict=True))


def test_a_difference_of_projected_counts_has_a_margin_that_holds_and_is_no_wider() -> None:
    study = study_of("count", 3, people=30)
    plan, door = compile(study).queries[0], OpenDPDoor()
    part, missed, times = plan.parts[0], 0, runs(short=600, full=10_000)
    for _ in range(times):
        pair = (
            (door.add_noise("q", np.full(3, 10), part.noise, part.sensitivity),) for _ in range(2)
        )
        one, *_ = differences(*((plan, drawn) for drawn in pair))
        assert one.value is not None
        missed += abs(one.value) > one.margin
    assert abs(missed - 0.04 * times) < 6 * (0.04 * times) ** 0.5
    assert one.margin < 1.5 * half_width(part.noise, 3)


def test_a_table_follows_from_what_was_drawn() -> None:
    """As Verify makes it again: by the study, the plan and the drawn numbers alone."""
    study = study_of("count", 3, people=30)
    plan = compile(study).queries[0]
    made = table(study, plan, ((12, 9, 7),))
    assert [row[1] for row in made.rows] == ["12.7", "9.7", "7.6"]
    assert [row[5] for row in made.rows] == ["12", "9", "7"]
    assert is_of_plan(Drawn(((12, 9, 7),)), plan)
    assert not is_of_plan(Drawn(((12, 9),)), plan)
    # Of two groups one number is drawn, and both are made of it.
    two = compile(study_of("count", 2, people=30)).queries[0]
    assert [row[1] for row in table(study_of("count", 2, people=30), two, ((12,),)).rows] == [
        "12",
        "18",
    ]
    assert is_of_plan(Drawn(((12,),)), two)
    assert not is_of_plan(Drawn(((12, 18),)), two)


def test_a_public_number_alone_is_exact_at_every_place_where_counts_are_noisy() -> None:
    study = study_of("count", 3, people=30)
    alone = replace(study.queries[0], by=(), whole_numbers=True)
    study = replace(study, queries=(alone,))
    (plan,) = compile(study).queries
    method = METHODS["count"]
    assert plan.is_public
    assert list(method.population(plan, ())) == [(30, 30)]
    assert list(method.exact_counts(plan, (), None) or ()) == [Figure(Fraction(30), Fraction(0))]
    assert method.figures_at(plan, (), 0, MISS) == (Figure(Fraction(30), Fraction(0)),)
    assert method.noise_of_figure(plan) is None
    assert method.accuracy_together(plan, MISS) == 0


def test_of_two_groups_that_are_one_draw_both_margins_hold_together() -> None:
    """Of three, each has its own part of the miss; of two, one part is enough."""
    for cells in (2, 3):
        plan = compile(study_of("count", cells, people=30)).queries[0]
        own = METHODS["count"].accuracy_at(plan, MISS / (1 if cells == 2 else cells))
        assert METHODS["count"].accuracy_together(plan, MISS) == own
