# SPDX-License-Identifier: Apache-2.0
"""What is drawn is what is drawn from: areas, bands and worlds of the plots."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from dpdesk.privacy.compiler import compile, compile_query
from dpdesk.privacy.planning.curves import (
    POINTS,
    NoiseCurve,
    averaging_curve,
    noise_curve,
)
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
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
    assert curve.half_width == float(plan.half_width or 0)
    assert area(curve, curve.half_width) == pytest.approx(0.95, abs=0.012)


def test_the_curve_of_a_mean_is_that_of_the_worst_one() -> None:
    """All values at the lower bound: of the two sums only the noise of the first moves it."""
    curve, (part,) = drawn(ex.MEAN), compile_query(ex.STUDY, ex.MEAN).parts
    values, chances = probabilities(part.scale, 6_000)
    seen = np.interp(curve.x * 700, values, chances)
    assert curve.density == pytest.approx(seen * 700, rel=0.02)


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
