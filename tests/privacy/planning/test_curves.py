# SPDX-License-Identifier: Apache-2.0
"""What is drawn is what is drawn from: areas, bands and worlds of the plots."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import norm

from dpdesk.privacy.compiler import compile, compile_query
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Part
from dpdesk.privacy.planning.curves import (
    POINTS,
    NoiseCurve,
    averaging_curve,
    noise_curve,
)
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.privacy import examples as ex
from tests.privacy.distributions.exact_laplace import probabilities
from tests.strategies import studies

WIDE = [
    ex.ROWS,
    ex.PEOPLE,
    ex.TOTAL,
    ex.MEAN,
    ex.MEAN.having(column="weight", expected=50_000),
    replace(ex.ROWS, epsilon=Epsilon.of("1")),
]


def drawn(query: Query) -> NoiseCurve:
    made = noise_curve(compile_query(ex.STUDY, query))
    assert made
    return made


def area(curve: NoiseCurve, within: float | None = None) -> float:
    """Area under the curve, on a grid fine enough for its peak."""
    reach = curve.x[-1] if within is None else within
    x = np.linspace(-reach, reach, 40_001)
    return float(np.trapezoid(np.exp(np.interp(x, curve.x, np.log(curve.density))), x))


@pytest.mark.parametrize("query", WIDE, ids=lambda q: f"{q.id} {q.epsilon}")
def test_nearly_all_the_noise_is_drawn(query: Query) -> None:
    assert area(drawn(query)) == pytest.approx(0.998, abs=0.012)


@pytest.mark.parametrize("query", WIDE, ids=lambda q: f"{q.id} {q.epsilon}")
def test_ninety_five_in_a_hundred_lie_within_the_band(query: Query) -> None:
    curve = drawn(query)
    plan = compile_query(ex.STUDY, query)
    assert Fraction(curve.half_width).limit_denominator(10**6) == plan.half_width
    assert area(curve, curve.half_width) == pytest.approx(0.95, abs=0.012)


def test_the_curve_of_a_mean_is_that_of_its_two_noises() -> None:
    curve = drawn(ex.MEAN)
    rows = compile_query(ex.STUDY, ex.MEAN).parts
    _, chance_x = probabilities(rows[0].scale, 6_000)
    _, chance_y = probabilities(rows[1].scale, 850)
    spread = np.zeros(2 * 850 * 7 + 1)
    spread[::7] = chance_y
    joint = np.convolve(chance_x, spread)
    value = np.arange(joint.size) - joint.size // 2
    seen = np.interp(curve.x * 700, value, np.convolve(joint, np.ones(7) / 7, mode="same"))
    assert curve.density == pytest.approx(seen * 700, rel=0.02)


def of_scale(part: Part, scale: float) -> Part:
    return replace(part, noise=replace(part.noise, scale=scale))


def test_equal_noises_are_no_exception() -> None:
    """Just off equal scales, where the two formulas meet, the curve does not jump."""
    plan = compile_query(ex.STUDY, ex.MEAN)
    assert plan.parts[0].scale == pytest.approx(7 * plan.parts[1].scale)
    for off in (1.0, 1 + 1e-9, 1 + 1e-5, 1 - 1e-5):
        parts = (of_scale(plan.parts[0], 7 * plan.parts[1].scale * off), plan.parts[1])
        made = noise_curve(replace(plan, parts=parts))
        assert made
        assert made.density == pytest.approx(drawn(ex.MEAN).density, rel=1e-4)


@pytest.mark.parametrize("noises", [("gaussian", "gaussian"), ("laplace", "gaussian")])
def test_a_mean_with_gaussian_noise_has_a_normal_curve_of_the_same_spread(
    noises: tuple[Any, Any],
) -> None:
    study = replace(ex.STUDY, budget=Budget("registry", rho=Rho.of(1)))
    query = replace(ex.MEAN, by=(), epsilon=None, rho=Rho.of("0.01"))
    plan = compile_query(study, query)
    parts = tuple(
        replace(part, noise=Noise(kind, part.scale, "rho"))
        for part, kind in zip(plan.parts, noises, strict=True)
    )
    curve = noise_curve(replace(plan, parts=parts))
    assert curve is not None
    one, other = (part.scale / 700 for part in parts)
    variance = sum(
        scale**2 * (2 if kind == "laplace" else 1)
        for scale, kind in zip((one, 7 * other), noises, strict=True)
    )
    assert curve.density == pytest.approx(norm.pdf(curve.x, 0, variance**0.5), rel=1e-9)


def test_a_mean_without_a_guess_of_its_size_has_no_curve() -> None:
    assert noise_curve(compile_query(ex.STUDY, replace(ex.MEAN, expected=None))) is None


def of_little(query: Query, epsilon: str = "0.01") -> Query:
    return replace(query, epsilon=Epsilon.of(epsilon), expected=20)


NARROW = [
    ex.MEAN,
    ex.MEAN.having(id="variance", statistic="variance"),
    ex.MEAN.having(id="deviation", statistic="standard-deviation"),
    Query("share", "share", PropertyParameters(has=(IsIn("sex", ("Male",)),))),
]


@pytest.mark.parametrize("query", NARROW, ids=lambda q: q.id)
def test_noise_wider_than_the_range_is_drawn_as_wide_as_it_is(query: Query) -> None:
    """No figure is published outside its range, so that the picture ends there and is nearly flat.

    A bell that fell to nothing within the range would promise what the margin does not.
    """
    little = of_little(query)
    plan, curve = compile_query(ex.STUDY, little), drawn(little)
    possible = METHODS[query.statistic].possible(plan)
    assert possible is not None and possible.width is not None
    assert curve.fills_range
    assert curve.x[[0, -1]] == pytest.approx([-float(possible.width), float(possible.width)])
    assert curve.density.min() > 0.5 * curve.density.max()
    enough = replace(query, epsilon=Epsilon.of("1"), expected=1_000_000)
    assert not drawn(enough).fills_range


@given(studies())
def test_every_plan_can_be_drawn(study: Study) -> None:
    for plan in compile(study).queries:
        curve = noise_curve(plan)
        if curve is not None:
            assert curve.x.shape == curve.density.shape == (POINTS,)
            assert np.isfinite(curve.x).all()
            assert np.isfinite(curve.density).all()
            assert (curve.density >= 0).all()
            assert (np.diff(curve.x) > 0).all()
            assert curve.density.argmax() == POINTS // 2
            assert curve.density == pytest.approx(curve.density[::-1])


def test_asking_again_costs_linearly_and_helps_with_the_root() -> None:
    curve = averaging_curve(Epsilon.of("0.1"), 25)
    assert curve.repeats.tolist() == list(range(1, 26))
    assert curve.error[[0, 3, 24]] == pytest.approx([1, 1 / 2, 1 / 5])
    assert curve.spent[[0, 9, 24]] == pytest.approx([0.1, 1.0, 2.5])


@pytest.mark.parametrize(("share", "budget", "answers"), [("0.1", "0.7", 7), ("0.1", "0.3", 3)])
def test_a_budget_pays_for_as_many_answers_as_go_into_it(
    share: str, budget: str, answers: int
) -> None:
    curve = averaging_curve(Epsilon.of(share), 25)
    total = float(Epsilon.of(budget).as_fraction())
    assert int((curve.spent <= total).sum()) == answers
