# SPDX-License-Identifier: Apache-2.0
"""Second moments: what a person moves, what follows from what is drawn, and its margins."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpdesk.data.aggregation.second_moments import second_moments
from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Mechanism
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.linear.linear_model import drawn_moments
from dpdesk.privacy.statistics.linear.moment_design import PARTS, MomentDesign, moment_design
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn, Replace, YesNoColumn
from dpdesk.study.model.parameters import LinearModelParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Neighbours, Unit
from tests.privacy import examples as ex

MECHANISMS: list[Mechanism] = ["laplace", "gaussian"]
NOTIONS: list[Neighbours] = ["add-remove", "change-one"]
COLUMNS = (
    NumberColumn("x", Decimal(0), Decimal(8), Decimal(1)),
    YesNoColumn("ill", ("yes",), ("no",)),
    NumberColumn("y", Decimal(-2), Decimal(2), Decimal("0.5")),
)
ZERO = Replace(Decimal(0))
KEPT = (
    NumberColumn("x", Decimal(0), Decimal(8), Decimal(1), ZERO, ZERO),
    NumberColumn("ill", Decimal(0), Decimal(1), Decimal(1), ZERO, ZERO),
    NumberColumn("y", Decimal(-2), Decimal(2), Decimal("0.5"), ZERO, ZERO),
)
"""No rule leaves a row out, so that a public number of people is that of the rows."""
LASTS = (8, 1, 8)
Vector = tuple[int, ...]


def plan_of(unit: Unit, **members: Any) -> QueryPlan:
    is_rho = "rho" in members
    budget = Budget("registry", rho=Rho.of(50)) if is_rho else Budget("registry", Epsilon.of(50))
    columns = KEPT if unit.people else COLUMNS
    study = replace(ex.STUDY, columns=columns, unit=unit, budget=budget, queries=())
    asked = Query("q", "linear-model", LinearModelParameters("y", ("x", "ill")))
    return compile_query(study, replace(asked, **members))


def vector_of(design: MomentDesign, indices: list[Any]) -> Vector:
    return tuple(second_moments(indices, design.lasts, design.contrasts, design.squares))


def norm(vector: Vector, mechanism: Mechanism) -> int:
    return sum(abs(one) if mechanism == "laplace" else one * one for one in vector)


@pytest.mark.threat("A1")
@pytest.mark.parametrize("is_public", [False, True])
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("neighbours", NOTIONS)
@pytest.mark.parametrize("lasts", [(4, 4), (2, 3, 1), (1, 2, 7, 1)])
def test_the_sensitivity_is_what_somebody_attains(
    lasts: tuple[int, ...], neighbours: Neighbours, mechanism: Mechanism, is_public: bool
) -> None:
    if is_public and neighbours == "add-remove":
        return  # the number of rows is what is protected
    design = moment_design(lasts, neighbours, mechanism, is_public=is_public)
    values = product(*(range(last + 1) for last in lasts))
    rows = [vector_of(design, [np.array([one]) for one in row]) for row in values]
    assert {len(row) for row in rows} == {design.entries}
    none = [(0,) * design.entries]
    others = none if neighbours == "add-remove" else none + rows
    moved = max(
        norm(tuple(a - b for a, b in zip(one, other, strict=True)), mechanism)
        for one in rows
        for other in others
    )
    said = design.sensitivity(1)
    assert moved <= said
    if neighbours == "add-remove" or mechanism == "gaussian" or 1 in lasts:
        assert said == moved
    # Without a column of two values no pair of rows differs by all parts and by all squares.
    assert said - moved <= 2 * PARTS / 2 ** len(lasts)
    assert design.sensitivity(3) == said * (3 if mechanism == "laplace" else 9)


@pytest.mark.parametrize("neighbours", NOTIONS)
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_no_row_adds_more_than_a_computer_holds(
    mechanism: Mechanism, neighbours: Neighbours
) -> None:
    for d in range(2, 10):
        design = moment_design((7,) * d, neighbours, mechanism, is_public=False)
        weights = [1, *(weight for _, weight in design.contrasts)]
        entries = [design.of_square, *(design.unit * weight for weight in weights)]
        assert 0 < min(entries) <= max(entries) <= 2**31


@pytest.mark.parametrize("amount", [{"epsilon": Epsilon.of(1)}, {"rho": Rho.of("0.5")}])
@pytest.mark.parametrize("unit", [Unit("pid", 1), Unit("pid", 1, "change-one", people=500)])
def test_moments_and_their_noise_follow_from_what_is_drawn(
    unit: Unit, amount: dict[str, Any]
) -> None:
    plan = plan_of(unit, **amount)
    assert plan.public_rows == unit.people
    how, dice = drawn_moments(plan, plan.parts[0]), np.random.default_rng(3)
    indices = [dice.integers(0, last + 1, 500) for last in LASTS]
    exact = vector_of(how.design, indices)
    z = np.stack(
        [np.ones(500), *(2 * i / n - 1 for i, n in zip(indices, LASTS, strict=True))], axis=1
    )
    assert how.matrix(exact) == pytest.approx(z.T @ z, abs=1e-3)
    noise = dice.integers(-(10**6), 10**6, len(exact))
    moved = how.matrix([a + int(b) for a, b in zip(exact, noise, strict=True)]) - how.matrix(exact)
    for _ in range(5):
        left, right = dice.normal(size=(2, 4))
        assert how.weights(left, right) @ noise == pytest.approx(left @ moved @ right)
    # Without the noise of a sum of its own, the variance of a moment is that of its terms.
    for first, second in how.lines:
        own = how.weights(np.eye(4)[first], np.eye(4)[second])
        terms, worth = how.terms((first, second))
        assert own @ own == pytest.approx(float(worth) ** 2 * sum(n * w * w for w, n in terms))


@pytest.mark.parametrize("amount", [{"epsilon": Epsilon.of(1)}, {"rho": Rho.of("0.05")}])
@pytest.mark.in_turn(2)
def test_margins_hold_for_each_moment_and_hardly_more(amount: dict[str, Any]) -> None:
    plan = plan_of(Unit("pid", 1), **amount)
    how, part = drawn_moments(plan, plan.parts[0]), plan.parts[0]
    draws, miss = 2_000, 0.05
    noise = OpenDPDoor().draw(
        "q", Exact(np.zeros(part.cells * draws, np.int64)), part.noise, part.sensitivity
    )
    outside = dict.fromkeys(how.lines, 0)
    widths = {pair: how.half_width(pair, miss) for pair in how.lines}
    for start in range(0, len(noise), part.cells):
        found = how.moments(noise[start : start + part.cells])
        for pair, width in widths.items():
            outside[pair] += abs(found[pair]) > width
    # Of 2,000 that miss 5 in 100 more than 160 do once in 10^9 times; smoothing costs a tenth.
    assert 40 <= min(outside.values()) <= max(outside.values()) <= 160
    method = METHODS["linear-model"]
    assert plan.half_width == method.accuracy_at(plan, miss) == max(widths.values())
    assert method.accuracy_together(plan, miss) == how.widest(miss / len(plan.lines))


def test_each_moment_is_published_with_its_margin() -> None:
    plan = plan_of(Unit("pid", 1), epsilon=Epsilon.of(1))
    how = drawn_moments(plan, plan.parts[0])
    drawn = vector_of(how.design, [np.array([8]), np.array([1]), np.array([2])])
    study = replace(ex.STUDY, columns=COLUMNS, queries=(plan.query,))
    rows = table(study, plan, (drawn,)).rows
    # A row at the upper bound, with yes, and halfway between the lower bound and the middle.
    exact = {"rows": 1, "x": 1, "ill": 1, "y": -0.5, "x²": 1, "x × ill": 1}
    exact |= {"x × y": -0.5, "ill × y": -0.5, "y²": 0.25}
    assert [row[0] for row in rows] == [*exact]
    for _, value, margin, low, high in rows:
        assert float(high) - float(low) == pytest.approx(2 * float(margin), abs=1)
        assert float(low) <= float(value) <= float(high)
    figures = METHODS["linear-model"].figures_at(plan, (drawn,), 0, 0.05)
    assert [float(one.value) for one in figures if one] == [*exact.values()]
    assert len({one.half_width for one in figures if one}) == 2
