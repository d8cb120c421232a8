# SPDX-License-Identifier: Apache-2.0
"""The picture of a choice, against chances that are added up by their definition."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.planning.choice_curve import choice_curve
from dpdesk.privacy.statistics.bounds import threshold
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.parameters import (
    CandidateParameters,
    ColumnParameters,
    CutOffParameters,
    MostCommonParameters,
    QuantileParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from tests.privacy import examples as ex
from tests.privacy.distributions import exact_laplace as exact

HALF, TENTH = Epsilon.of("0.5"), Rho.of("0.1")
RHO = replace(ex.STUDY, budget=Budget("registry", rho=Rho.of(1)))
PRICES = CutOffParameters("stay", candidates=(Decimal(2), Decimal(5)), score="value-times-count")
CHOICES = [
    # The query, and how many points of its score are one of the bound's unit.
    (Query("q", "most-common", MostCommonParameters("ward")), 1),
    (Query("q", "median", CandidateParameters("stay")), 2),
    (Query("q", "quantiles", QuantileParameters("weight", quantiles=(Decimal("0.1"),))), 10),
    (Query("q", "cut-off", PRICES), 1),
    (Query("q", "cut-off", replace(PRICES, score="closest-to-target", target=20)), 1),
]


@pytest.mark.parametrize(("query", "points"), CHOICES, ids=lambda q: getattr(q, "statistic", ""))
@pytest.mark.parametrize("measure", ["epsilon", "rho"])
def test_of_two_candidates_the_worse_one_is_chosen_as_often_as_drawn(
    query: Query, points: int, measure: str
) -> None:
    """Exponential noise: half of exp(-gap / scale). Gumbel noise: one in 1 + exp(gap / scale)."""
    asked: Any = {"epsilon": HALF} if measure == "epsilon" else {"rho": TENTH}
    study = ex.STUDY if measure == "epsilon" else RHO
    plan = compile_query(study, replace(query, **asked))
    curve, scale = choice_curve(plan), plan.parts[0].scale
    assert curve is not None and plan.bound is not None and not curve.rises
    assert curve.bound == pytest.approx(float(plan.bound.distance))

    def chance(gap: float) -> float:
        if measure == "epsilon":
            return math.exp(-gap * points / scale) / 2
        return 1 / (1 + math.exp(gap * points / scale))

    assert curve.chance == pytest.approx([chance(gap) for gap in curve.x], rel=1e-9)
    assert curve.at_bound == pytest.approx(chance(curve.bound), rel=1e-9)
    assert curve.x[0] == 0 and curve.x[-1] >= 2 * curve.bound


def test_a_size_of_value_is_found_as_often_as_its_count_passes_the_threshold() -> None:
    plan = compile_query(
        ex.STUDY, Query("q", "bounds", ColumnParameters("stay"), epsilon=Epsilon.of("2"))
    )
    curve, noise = choice_curve(plan), plan.parts[0].noise
    assert curve is not None and plan.bound is not None and curve.rises
    least, found_from = threshold(noise), int(plan.bound.distance)

    def passes(rows: int) -> float:
        """P(rows + X > least), X added up from its probabilities."""
        with exact.many_digits():
            reach = range(least - rows + 1, least + 400)
            return float(sum(exact.probability(x, noise.scale) for x in reach))

    places = [0, 5, len(curve.x) // 2, len(curve.x) - 1]
    seen = [passes(int(curve.x[place])) for place in places]
    assert curve.chance[places] == pytest.approx(seen, rel=1e-6)
    assert curve.at_bound == pytest.approx(passes(found_from), rel=1e-6)
    assert curve.at_bound >= 0.975
    assert (np.diff(curve.chance) >= 0).all()


@pytest.mark.parametrize("measure", ["epsilon", "rho"])
def test_of_two_groups_that_noisy_counts_rank_the_smaller_is_ahead_as_often_as_drawn(
    measure: str,
) -> None:
    """The picture is that of normal noise: of two Laplace noises it is 4 in 100 off at most."""
    ward = CategoryColumn("ward", tuple("ABCDEFGHIJ"))
    asked: Any = {"epsilon": HALF} if measure == "epsilon" else {"rho": TENTH}
    study = replace(ex.STUDY if measure == "epsilon" else RHO, columns=(ward,))
    query = replace(Query("q", "most-common", MostCommonParameters("ward", top=8)), **asked)
    plan = compile_query(study, query)
    (part,), dice = plan.parts, np.random.default_rng(8)
    assert part.noise.is_additive
    curve, size = choice_curve(plan), (2, 100_000)
    assert curve is not None and plan.bound is not None and not curve.rises
    assert curve.bound == float(plan.bound.distance)
    noises = dice.laplace if part.noise.mechanism == "laplace" else dice.normal
    first, second = noises(0, part.scale, size)
    seen = np.array([(first - second > gap).mean() for gap in curve.x])
    off = 0.04 if part.noise.mechanism == "laplace" else 0.006
    assert curve.chance == pytest.approx(seen, abs=off)
    assert curve.at_bound <= 0.025


def test_figures_with_noise_of_their_own_are_no_choice() -> None:
    assert choice_curve(compile_query(ex.STUDY, ex.ROWS)) is None
