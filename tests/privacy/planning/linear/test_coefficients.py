# SPDX-License-Identifier: Apache-2.0
"""Coefficients of noisy moments: those of least squares, ranges that hold, and a refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.linear.coefficients import MomentModel
from dpdesk.privacy.planning.linear.model_lines import NOT_KNOWN, model_lines
from dpdesk.privacy.statistics.linear.linear_model import drawn_moments
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import YesNoColumn
from dpdesk.study.model.unit import Unit
from tests.acceptance.publish import linear

ROWS = 3_000


def rows_of(seed: int) -> tuple[list[Any], Any, Any]:
    """Grid indices of two numbers, a yes/no column and the outcome; what they are in numbers."""
    dice = np.random.default_rng(seed)
    a, b = dice.integers(0, 101, (2, ROWS))
    c = dice.integers(0, 2, ROWS)
    y = np.clip(np.rint(30 + 0.3 * a - 0.1 * b + 5 * c + 8 * dice.normal(size=ROWS)), 0, 100)
    return [a, b, c, y], np.column_stack([a, b, c]), y


def plan_of(share: Epsilon | Rho, unit: Unit | None = None) -> QueryPlan:
    study = linear.made_up(share)
    a, b, _, y = study.columns
    study = replace(study, columns=(a, b, YesNoColumn("c", ("yes",), ("no",)), y))
    return compile_query(replace(study, unit=unit or study.unit), study.queries[0])


@pytest.mark.parametrize("share", [Epsilon.of(100), Rho.of(50)])
def test_without_noise_to_speak_of_they_are_those_of_least_squares(share: Epsilon | Rho) -> None:
    plan = plan_of(share)
    indices, explaining, outcome = rows_of(1)
    found, deviations = linear.least_squares(explaining, outcome)
    lines = model_lines(plan, (linear.exact(plan, indices),))
    assert [(term, cells[0]) for (term,), cells in lines] == [
        *(("", "intercept"), ("a", "coefficient"), ("b", "coefficient")),
        ("c", "coefficient-of-yes"),
    ]
    for (_, cells), value, deviation in zip(lines, found, deviations, strict=True):
        ours, low, high, lowest, highest = map(float, cells[1:6])
        assert ours == pytest.approx(value, abs=0.02 * deviation + 1e-4)
        assert high - low < 0.4 * deviation
        assert (lowest, highest) == pytest.approx(
            (value - 1.96 * deviation, value + 1.96 * deviation), abs=0.1 * deviation + 1e-4
        )
        assert cells[6:] == ("0.0001", "")


def test_nothing_is_said_of_chance_where_people_have_several_rows() -> None:
    plan = plan_of(Epsilon.of(100), Unit("pid", 3))
    lines = model_lines(plan, (linear.exact(plan, rows_of(2)[0]),))
    assert {cells[4:] for _, cells in lines} == {("", "", "", "")}
    assert all(cells[1] and cells[2] for _, cells in lines)


@pytest.mark.parametrize("share", [Epsilon.of(1), Rho.of("0.05")])
def test_ranges_hold_where_noise_is_as_large_as_chance(share: Epsilon | Rho) -> None:
    held = linear.of_shape("low", share, 25, 5_000)
    # Of 100 lines, four of each release, 95 hold on average.
    assert held.said == 100
    assert min(held.noise, held.chance) >= 82
    assert held.tested <= 8


def test_a_model_is_refused_where_noise_leaves_nothing() -> None:
    indices, _, _ = rows_of(3)
    plan = plan_of(Epsilon.of("0.005"))
    exact = linear.exact(plan, indices)
    lines = linear.drawn_lines(plan, exact, OpenDPDoor())
    assert {line["note"] for line in lines.values()} == {NOT_KNOWN}
    assert {line["value"] for line in lines.values()} == {""}


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda i: [i[0], i[0], *i[2:]], id="columns that say the same"),
        pytest.param(lambda i: [i[0] * 0 + 50, *i[1:]], id="a column of one value"),
        pytest.param(lambda i: [one[:3] for one in i], id="fewer rows than columns"),
        pytest.param(lambda i: [one[:0] for one in i], id="no rows"),
    ],
)
def test_a_model_is_refused_where_columns_cannot_be_told_apart(change: Any) -> None:
    plan = plan_of(Epsilon.of(1))
    exact = linear.exact(plan, change(rows_of(4)[0]))
    assert {cells[-1] for _, cells in model_lines(plan, (exact,))} == {NOT_KNOWN}


def test_the_outcome_where_all_is_zero_can_be_hidden_alone() -> None:
    """As the first direction, the difference of two columns that are nearly the same."""
    plan = compile_query(linear.made_up(Epsilon.of(1)), linear.made_up(Epsilon.of(1)).queries[0])
    dice = np.random.default_rng(5)
    a, c, y = np.rint(dice.uniform(0, 100, (3, 4_000)))
    drawn = linear.exact(plan, [a, np.clip(a + dice.choice([-3, 3], 4_000), 0, 100), c, y])
    basis = np.array(
        [[0, 1, -1, 0, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
    )
    how = drawn_moments(plan, plan.parts[0])
    model = MomentModel(how, how.matrix(drawn), basis)
    found = model.coefficients(with_chance=True)
    assert found[0] is None
    assert None not in found[1:]
