# SPDX-License-Identifier: Apache-2.0
"""Two worlds: what is drawn keeps the bound, reaches it, and is what a person can do."""

import math
from dataclasses import replace
from decimal import Decimal
from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import norm

from dpdesk.privacy.compiler import compile, compile_query
from dpdesk.privacy.distributions.selection import chances
from dpdesk.privacy.planning.curves import POINTS
from dpdesk.privacy.planning.two_worlds import moved_apart, two_worlds
from dpdesk.privacy.statistics.base import way_of
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import (
    CandidateParameters,
    MostCommonParameters,
    PropertyParameters,
    QuantileParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from tests.privacy import examples as ex
from tests.strategies import studies

HALF = Epsilon.of("0.5")
CHOICES = [
    Query("q", "most-common", MostCommonParameters("sex"), epsilon=HALF),
    Query(
        "q",
        "most-common",
        MostCommonParameters(columns=("dead", "again"), top=2),
        epsilon=HALF,
    ),
    Query("q", "median", CandidateParameters("stay"), epsilon=HALF),
    Query("q", "quantiles", QuantileParameters("stay", quantiles=(Decimal("0.1"),)), epsilon=HALF),
]


@given(studies())
def test_two_worlds_never_differ_by_more_than_the_bound(study: Study) -> None:
    for plan in compile(study).queries:
        if plan.is_public:
            continue  # in both worlds the figure is the same
        worlds = two_worlds(plan)
        for chances_ in (worlds.without, worlds.with_person):
            assert chances_.shape == worlds.x.shape
            assert np.isfinite(chances_).all()
        assert (np.diff(worlds.x) >= 0).all()
        assert (worlds.ratio <= worlds.bound * (1 + 1e-9)).all()
        assert (1 / worlds.ratio <= worlds.bound * (1 + 1e-9)).all()


@pytest.mark.parametrize("query", [ex.ROWS, ex.TOTAL, ex.MEAN], ids=lambda q: q.id)
def test_a_figure_reaches_the_bound(query: Query) -> None:
    plan = compile_query(ex.STUDY, query)
    worlds = two_worlds(plan)
    assert worlds.outcome == "figure"
    assert worlds.x.shape == (POINTS,)
    assert worlds.ratio.max() == pytest.approx(worlds.bound)
    assert worlds.ratio.min() == pytest.approx(1 / worlds.bound)
    assert worlds.bound == pytest.approx(np.exp(plan.parts[0].loss))
    assert worlds.ratio == pytest.approx(worlds.without / worlds.with_person)


def test_the_person_shifts_the_figure_by_the_sensitivity() -> None:
    worlds = two_worlds(compile_query(ex.STUDY, replace(ex.TOTAL, epsilon=Epsilon.of("5"))))
    between = worlds.x[worlds.with_person.argmax()] - worlds.x[worlds.without.argmax()]
    assert between == pytest.approx(751.5, rel=0.1)


@pytest.mark.parametrize("unit", [ex.PERSON, ex.REPLACED], ids=lambda u: u.neighbours)
@pytest.mark.parametrize("query", CHOICES, ids=lambda q: f"{q.statistic} {q.parameters.draws}")
def test_a_choice_reaches_the_bound_of_one_draw_and_no_more(query: Query, unit: Unit) -> None:
    """All draws of the query together cost its share: each has its part of the logarithm."""
    again = replace(ex.DEAD, name="again")
    study = replace(ex.STUDY, unit=unit, columns=(*ex.STUDY.columns, again))
    plan = compile_query(study, query)
    worlds, part = two_worlds(plan), plan.parts[0]
    assert worlds.outcome == "choice"
    assert (np.diff(worlds.without) >= 0).all() and (np.diff(worlds.with_person) >= 0).all()
    assert (worlds.ratio <= 1).all()
    assert worlds.ratio.min() == pytest.approx(1 / worlds.bound)
    # The other candidate's chances keep it as well.
    left_out = (1 - worlds.without) / (1 - worlds.with_person)
    assert left_out.max() == pytest.approx(worlds.bound)
    draws = len(plan.parts) * part.noise.picks
    assert worlds.bound**draws == pytest.approx(np.exp(float(HALF.as_fraction())), rel=1e-6)


def test_a_choice_is_even_where_neither_is_ahead_and_moved_by_the_person() -> None:
    worlds = two_worlds(compile_query(ex.STUDY, CHOICES[2]))
    middle = int(np.flatnonzero(worlds.x == 0)[0])
    assert worlds.without[middle] == 0.5
    apart = moved_apart(compile_query(ex.STUDY, CHOICES[2]).parts[0])
    # A row between the two makes one rank better and the other worse; a point is half a row.
    assert apart == 2 * ex.PERSON.max_rows
    (moved,) = np.flatnonzero(worlds.x == -apart / 2)
    assert worlds.with_person[moved] == 0.5


def test_no_rows_of_a_person_move_two_candidates_further_apart() -> None:
    """Every table of up to four values, every pair of candidates, every row that may come."""
    furthest = 0
    for values in combinations_with_replacement(range(4), 4):
        for more in range(4):
            before, after = _median_scores(values), _median_scores((*values, more))
            for a in range(4):
                for b in range(4):
                    change = (after[a] - after[b]) - (before[a] - before[b])
                    furthest = max(furthest, change)
    one_row = replace(ex.STUDY, unit=replace(ex.PERSON, max_rows=1))
    assert furthest == moved_apart(compile_query(one_row, CHOICES[2]).parts[0]) == 2


def _median_scores(values: tuple[int, ...]) -> list[int]:
    return [-abs(sum(v < c for v in values) - sum(v > c for v in values)) for c in range(4)]


def test_with_more_candidates_the_bound_holds_too() -> None:
    """The worst that a person does to all of them: one rises, all others fall."""
    part = compile_query(ex.STUDY, CHOICES[2]).parts[0]
    scores = np.array([0, 3, -8, 5, 1])
    change = np.where(np.arange(5) == 0, part.sensitivity, -part.sensitivity)
    way = way_of(part.noise)
    here = chances(scores.tolist(), part.noise.scale, way)
    there = chances((scores + change).tolist(), part.noise.scale, way)
    ratio = here / there
    bound = two_worlds(compile_query(ex.STUDY, CHOICES[2])).bound
    assert max(ratio.max(), 1 / ratio.min()) <= bound * (1 + 1e-9)


def test_in_zcdp_no_ratio_is_impossible() -> None:
    study = replace(ex.STUDY, budget=Budget(account="registry", rho=Rho.of("0.05")))
    worlds = two_worlds(compile_query(study, replace(CHOICES[2], epsilon=None, rho=Rho.of("0.01"))))
    assert worlds.bound == np.inf
    assert worlds.ratio.min() < 1


def test_a_gaussian_figure_has_the_worlds_of_two_normal_laws() -> None:
    """Their ratio grows without end to one side: exp(s (s - 2 x) / (2 sigma^2))."""
    study = replace(ex.STUDY, budget=Budget(account="registry", rho=Rho.of("0.05")))
    query = replace(ex.TOTAL, by=(), epsilon=None, rho=Rho.of("0.01"), noise="gaussian")
    plan = compile_query(study, query)
    worlds, (part,) = two_worlds(plan), plan.parts
    assert part.noise.mechanism == "gaussian"
    sigma, shift = part.scale * float(part.width), math.sqrt(part.sensitivity) * float(part.width)
    assert worlds.without == pytest.approx(norm.pdf(worlds.x, 0, sigma), rel=1e-9)
    assert worlds.with_person == pytest.approx(norm.pdf(worlds.x, shift, sigma), rel=1e-9)
    wanted = np.exp(shift * (shift - 2 * worlds.x) / (2 * sigma**2))
    assert worlds.ratio == pytest.approx(wanted, rel=1e-9)


def test_a_flipped_answer_is_true_with_p_and_its_ratio_is_the_bound() -> None:
    """With epsilon ln 3 a cell tells the truth three times in four."""
    study = replace(ex.STUDY, unit=replace(ex.REPLACED, max_rows=1))
    study = replace(study, columns=(replace(ex.SEX, unknown="category", missing="category"),))
    women = PropertyParameters((IsIn("sex", ("Female",)),))
    query = Query("q", "randomised-response", women, epsilon=Epsilon.of("1.098612"))
    plan = compile_query(study, query)
    worlds = two_worlds(plan)
    assert worlds.outcome == "flipped"
    assert worlds.without == pytest.approx([0.75, 0.75, 0.25, 0.25], abs=1e-6)
    assert worlds.with_person == pytest.approx([0.25, 0.25, 0.75, 0.75], abs=1e-6)
    assert worlds.ratio == pytest.approx([3, 3, 1 / 3, 1 / 3], abs=1e-5)
    assert worlds.bound == pytest.approx(3, abs=1e-5)
