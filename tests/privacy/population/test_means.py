# SPDX-License-Identifier: Apache-2.0
"""Intervals for the mean of the population hold over the noise and over who came."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from statistics import NormalDist

import numpy as np
import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions.moments import DrawnSums, released_mean, released_variance
from dpdesk.privacy.joint_sums import JointSums, fineness, mean_sums, variance_sums
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.population.means import (
    FEWEST,
    OF_SPREAD,
    _ends,
    expected_mean,
    expected_mean_of_known,
)
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import Method
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.model.unit import Budget, Unit
from tests.audit.length import runs
from tests.privacy.population.test_counts_and_shares import draws, most

LAST = 100
RUNS = runs(short=60, full=2_000)
Dice = np.random.Generator
SHAPES: dict[str, tuple[Callable[[Dice, int], np.ndarray], float]] = {
    "even": (lambda dice, n: dice.integers(0, 101, n), 50.0),
    "skewed": (
        lambda dice, n: np.minimum(dice.geometric(0.08, n), 100),
        (1 - 0.92**100) / 0.08,
    ),
    "tied": (lambda dice, n: np.where(dice.random(n) < 0.85, 40, dice.integers(0, 101, n)), 41.5),
    "ends": (lambda dice, n: np.where(dice.random(n) < 0.5, 0, 100), 50.0),
    "constant": (lambda _dice, n: np.full(n, 100), 100.0),
    # 12 of 400 rows far from all others: the shape that a normal interval holds least.
    "rare": (lambda dice, n: np.where(dice.random(n) < 0.03, 100, 0), 3.0),
}


def both(mechanism: Mechanism, scale: float) -> tuple[JointSums, JointSums, DrawnSums, DrawnSums]:
    """The sums of a mean and of a variance, with noise of so many rows each."""
    sums = (
        mean_sums(LAST, 2, "add-remove", mechanism),
        variance_sums(LAST, 2, "add-remove", mechanism, is_public=False),
    )
    sizes = (LAST, LAST * fineness(LAST))
    how = (
        DrawnSums(LAST, one.weights, Noise(mechanism, scale * size))
        for one, size in zip(sums, sizes, strict=True)
    )
    return (*sums, *how)


def exact(sums: JointSums, values: np.ndarray) -> list[int]:
    """T (n, I, S) of the rows, by its definition."""
    t = fineness(LAST)
    products = int((values * (LAST - values) * t // LAST).sum())
    whole = (len(values), int(values.sum()), products)
    return [sum(a * b for a, b in zip(row, whole, strict=True)) for row in sums.weights]


def noisy(dice: Dice, sums: JointSums, how: DrawnSums, values: np.ndarray) -> list[int]:
    totals = exact(sums, values)
    return [a + int(b) for a, b in zip(totals, draws(dice, how.noise, len(totals)), strict=True)]


@pytest.mark.parametrize(("mechanism", "scale"), [("laplace", 3.0), ("gaussian", 0.5)])
@pytest.mark.parametrize("shape", list(SHAPES))
@pytest.mark.in_turn(6)
def test_the_mean_of_the_population_is_held(shape: str, mechanism: Mechanism, scale: float) -> None:
    dice, (sample, truth) = np.random.default_rng(103), SHAPES[shape]
    of_mean, of_variance, mean, variance = both(mechanism, scale)
    missed = 0
    for _ in range(RUNS):
        values = sample(dice, 400)
        spread = released_variance(variance, noisy(dice, of_variance, variance, values), OF_SPREAD)
        assert spread is not None
        upper = float(spread.value + spread.margin) / LAST**2
        ends = expected_mean(mean, noisy(dice, of_mean, mean, values), upper)
        assert ends is not None
        missed += not ends[0] * LAST <= truth <= ends[1] * LAST
    assert missed <= most(RUNS)


def test_without_noise_it_is_the_one_of_the_textbook_and_what_skewness_may_take() -> None:
    """Student's interval of 80 rows, and both ends moved by the longest tails there can be."""
    of_mean, _, mean, _ = both("laplace", 0.0001)
    values = np.repeat([0, 20, 90], [50, 20, 10])
    variance = float(values.var()) / LAST**2
    ends = expected_mean(mean, exact(of_mean, values), variance)
    assert ends is not None
    low, high = map(float, ends)
    middle, rows = values.mean() / LAST, len(values)
    # z of what noise and chance may miss together, and the factor of Student's t.
    z = NormalDist().inv_cdf(1 - (0.05 - 0.002 - 0.51 * 0.004) / 2)
    half = z * (1 + (1.96**2 + 1) / (4 * rows)) * math.sqrt(variance / (rows - 1))
    # The skewness is the largest of all means that noise and chance leave.
    assert middle - low == pytest.approx(half + 1.447 * (middle + half) / rows, rel=0.004)
    assert high - middle == pytest.approx(half + 1.447 * (1 - middle + half) / rows, rel=0.004)


def test_chance_is_taken_of_the_most_rows_and_its_corrections_of_the_least() -> None:
    """What Q is asked for, by the numbers of rows that noise leaves open."""
    seen: list[float] = []

    def widest(_low: float, _high: float, deviation: float) -> float:
        seen.append(deviation)
        return deviation

    low, high = _ends(0.5, (100.0, 110.0, 121.0), 0.01, widest)
    deviation = math.sqrt(0.01 * 121**2 / 120) * (1 + (1.96**2 + 1) / 400)
    assert seen == [pytest.approx(deviation)] * len(seen)
    off = deviation / 110
    moved = 1.447 / 100 * (0.5 + off)
    assert float(0.5 - low) == float(high - 0.5) == pytest.approx(off + moved, abs=1e-5)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_it_holds_the_margin_of_the_rows_and_more(mechanism: Mechanism) -> None:
    of_mean, _, mean, _ = both(mechanism, 3.0)
    totals = exact(of_mean, np.repeat([10, 60], [900, 300]))
    figure = released_mean(mean, totals, 0.05)
    assert figure is not None
    widths = []
    for variance in (0.0, 0.01, 0.04, 0.25):
        ends = expected_mean(mean, totals, variance)
        assert ends is not None
        widths.append(float(ends[1] - ends[0]) * LAST / 2)
    assert float(figure.margin) < widths[0] < widths[1] < widths[2] < widths[3]
    # The noise is that of both sums at the mean: of one alone it is 1.4 times as much.
    assert widths[0] < 1.25 * float(figure.margin)
    # Noise and chance together, not one after the other: their squares about add up.
    alone = widths[0]
    chance = 2.0 * LAST * math.sqrt(0.25 / 1_200)
    assert widths[3] == pytest.approx(math.hypot(alone, chance), rel=0.08)


def test_few_rows_have_none() -> None:
    of_mean, _, mean, _ = both("laplace", 1.0)
    assert expected_mean(mean, exact(of_mean, np.full(FEWEST, 7)), 0.01) is None
    assert expected_mean(mean, exact(of_mean, np.full(3 * FEWEST, 7)), 0.01) is not None
    assert expected_mean_of_known(Noise("laplace", 50.0), LAST, 0.5, FEWEST - 1, 0.01) is None


def test_noise_beyond_the_bounds_leaves_the_whole_range_or_its_end() -> None:
    of_mean, _, mean, _ = both("laplace", 4.0)
    ends = expected_mean(mean, exact(of_mean, np.full(80, 50)), 0.25)
    assert ends is not None and (ends[0], ends[1]) != (0, 1)
    assert expected_mean_of_known(Noise("laplace", 50_000.0), LAST, 0.5, 90, 0.25) == (0, 1)
    # A sum that is drawn above all that can be.
    ends = expected_mean_of_known(Noise("laplace", 50.0), LAST, 1.2, 90, 0.0)
    assert ends is not None and ends[1] == 1


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_over_a_public_number_of_rows_the_mean_is_held(mechanism: Mechanism) -> None:
    dice, rows, noise = np.random.default_rng(104), 200, Noise(mechanism, 300.0)
    sample, truth = SHAPES["even"]
    missed, many = 0, 4 * RUNS
    for error in draws(dice, noise, many):
        values = sample(dice, rows)
        mean = float(values.sum() + error) / (LAST * rows)
        ends = expected_mean_of_known(noise, LAST, mean, rows, float(values.var()) / LAST**2)
        assert ends is not None
        missed += not ends[0] * LAST <= truth <= ends[1] * LAST
    assert missed <= most(many)
    assert missed > 0  # it is not much too wide: without a miss in 240 once in 70,000


STEPS = 20
"""Of a column from 10 to 20 by halves; half of its values are evenly spread."""
COLUMN = NumberColumn(
    "days",
    Decimal(10),
    Decimal(20),
    Decimal("0.5"),
    missing=Replace(Decimal(10)),
    unparsable=Replace(Decimal(10)),
)


def plans_of(rows: int | None) -> list[QueryPlan]:
    """A mean and the variance of the same rows, of which the number may be public."""
    public = Unit(None, 1, "change-one", people=rows)
    unit = Unit("id", 1) if rows is None else public
    study = Study(unit=unit, budget=Budget("registry", Epsilon.of(9)), columns=(COLUMN,))
    asked = Query("q", epsilon=Epsilon.of("0.5"))
    return [
        compile_query(study, asked.having(statistic=one, column="days"))
        for one in ("mean", "variance")
    ]


def drawn_of(dice: Dice, plan: QueryPlan, values: np.ndarray) -> tuple[tuple[int, ...], ...]:
    """What a release of rows draws, by the definition of its sums."""
    (part,) = plan.parts
    t = fineness(STEPS)
    columns = len(values), int(values.sum()), int((values * (STEPS - values) * t // STEPS).sum())
    totals = [sum(a * b for a, b in zip(row, columns, strict=True)) for row in part.measure.weights]
    totals = totals or [int((values + part.measure.offset).sum())]
    noises = draws(dice, part.noise, len(totals)).tolist()
    return (tuple(a + b for a, b in zip(totals, noises, strict=True)),)


@pytest.mark.parametrize("rows", [400, None])
def test_a_released_mean_holds_the_population_in_the_columns_unit(rows: int | None) -> None:
    dice, (plan, of_spread) = np.random.default_rng(105), plans_of(rows)
    missed, widths, size = 0, [], 400
    for _ in range(2 * RUNS):
        values = dice.integers(0, STEPS + 1, size)
        noisy, spread = (drawn_of(dice, one, values) for one in (plan, of_spread))
        (ends,) = METHODS["mean"].population(plan, noisy, (of_spread, spread))
        assert ends is not None
        missed += not ends[0] <= 15 <= ends[1]
        widths.append(float(ends[1] - ends[0]) / 2)
    assert missed <= most(2 * RUNS)
    chance = 1.96 * math.sqrt((10**2 / 12 + 0.5**2) / size)
    (figure,) = METHODS["mean"].figures_at(plan, noisy, 0, 0.05)
    assert figure is not None
    both = math.hypot(chance, float(figure.half_width))
    assert both < sum(widths) / len(widths) < 1.2 * both


def test_no_population_is_stated_of_few_rows_or_of_a_variance_that_says_nothing() -> None:
    dice, values = np.random.default_rng(106), np.arange(FEWEST - 1) % STEPS
    plan, of_spread = plans_of(len(values))
    noisy, spread = (drawn_of(dice, one, values) for one in (plan, of_spread))
    assert list(METHODS["mean"].population(plan, noisy, (of_spread, spread))) == [None]
    plan, of_spread = plans_of(None)
    noisy = drawn_of(dice, plan, np.arange(400) % STEPS)
    used_up = tuple(-abs(one) for one in drawn_of(dice, of_spread, values)[0])
    assert list(METHODS["mean"].population(plan, noisy, (of_spread, (used_up,)))) == [None]


def test_a_population_is_stated_by_the_statistics_that_are_declared_to_have_one() -> None:
    for statistic, method in METHODS.items():
        has_none = type(method).population is Method.population
        assert not (has_none and DECLARATIONS[statistic].has_population), statistic
    _, variance = plans_of(None)
    with pytest.raises(ValueError, match="no interval"):
        METHODS["variance"].population(variance, ((900, 600, 500),))
