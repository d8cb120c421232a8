# SPDX-License-Identifier: Apache-2.0
"""What a plan says of a linear model's coefficients is what a release of such rows gives."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.linear.model_lines import NOT_KNOWN
from dpdesk.privacy.planning.linear.planned import TIMES, planned_coefficients
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import Replace, YesNoColumn
from dpdesk.study.model.unit import Unit
from tests.acceptance.publish import linear

SHARES = [Epsilon.of(1), Epsilon.of("0.1"), Rho.of("0.05")]


def plan_of(share: Epsilon | Rho) -> QueryPlan:
    study = linear.made_up(share)
    a, b, _, y = study.columns
    study = replace(study, columns=(a, b, YesNoColumn("c", ("yes",), ("no",)), y))
    return compile_query(study, study.queries[0])


def lines_of(plan: QueryPlan, rows: int) -> dict[str, dict[str, str]]:
    """Of rows that spread as is taken for granted: 0 to 100, so a deviation of 100 / 6."""
    dice = np.random.default_rng(rows)
    a, b, y = np.clip(np.rint(dice.normal(50, 100 / 6, (3, rows))), 0, 100)
    indices: list[Any] = [a, b, (dice.random(rows) < 0.1).astype(float), y]
    return linear.drawn_lines(plan, linear.exact(plan, indices), OpenDPDoor())


@pytest.mark.parametrize("share", SHARES)
def test_margins_are_those_of_a_release(share: Epsilon | Rho) -> None:
    plan = plan_of(share)
    planned = planned_coefficients(plan)
    assert planned.size == TIMES * planned.needed
    lines = lines_of(plan, planned.size)
    assert [*lines] == ["", "a", "b", "c"]
    for name, expected in zip("abc", planned.half_widths, strict=True):
        half = (float(lines[name]["high"]) - float(lines[name]["low"])) / 2
        assert half == pytest.approx(float(expected), rel=0.35)


@pytest.mark.parametrize("share", SHARES)
def test_coefficients_need_that_many_rows(share: Epsilon | Rho) -> None:
    plan = plan_of(share)
    needed = planned_coefficients(plan).needed
    few, many = lines_of(plan, needed // 2), lines_of(plan, needed * 2)
    assert {line["note"] for line in few.values()} == {NOT_KNOWN}
    assert NOT_KNOWN not in {many[name]["note"] for name in "abc"}


def test_of_a_public_number_of_rows_they_are_of_that_number() -> None:
    """No row is left out, or nobody would know how many count."""
    study, rule = linear.made_up(Epsilon.of(1)), Replace(Decimal(0))
    columns = tuple(replace(one, missing=rule, unparsable=rule) for one in study.columns)
    few, many = (
        planned_coefficients(compile_query(replace(study, unit=unit, columns=columns), query))
        for query in study.queries
        for unit in (Unit(None, 1, neighbours="change-one", people=size) for size in (20, 50_000))
    )
    assert few.needed == many.needed
    assert (few.size, many.size) == (TIMES * few.needed, 50_000)
    ratio = float(many.half_widths[0] / few.half_widths[0])
    assert ratio == pytest.approx(few.size / many.size, rel=0.01)
