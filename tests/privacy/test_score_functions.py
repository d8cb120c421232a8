# SPDX-License-Identifier: Apache-2.0
"""Scores: none without its sensitivity, and what a choice loses when scores rise and fall."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.accounting.calibrate import calibrated
from dpdesk.privacy.distributions.selection import chances, miss_chance
from dpdesk.privacy.noise.door import loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.score_functions import Score
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Refused
from dpdesk.texts.problems import sentence
from tests.audit.length import FULL, runs
from tests.privacy.choosing import FIT, chi_square_tail, disagreement, drawn
from tests.privacy.distributions.ordered_choices import top_chances

COMES, REPLACED = Unit("p", 3), Unit("p", 3, "change-one", people=9)
scores = st.lists(st.integers(-8, 8), min_size=2, max_size=5)


@pytest.mark.parametrize(
    "score",
    [Score("luck"), Score("luck", 1), Score("luck", 0, 0), Score("luck", -1, 1), Score("l", 1, 3)],
)
@pytest.mark.parametrize("unit", [COMES, REPLACED])
def test_a_score_whose_sensitivity_is_not_declared_is_refused(score: Score, unit: Unit) -> None:
    with pytest.raises(Refused) as refused:
        score.sensitivity(unit, 1)
    (problem,) = refused.value.problems
    assert problem.code == "score-without-sensitivity"
    assert score.name in sentence(problem)


def test_a_persons_rows_add_up_step_by_step() -> None:
    score = Score("known", row=5, swap=7)
    assert [score.sensitivity(COMES, cells) for cells in (1, 2, 90)] == [15, 15, 15]
    assert [score.sensitivity(REPLACED, cells) for cells in (1, 2, 90)] == [21, 30, 30]
    assert Score("still", row=5, swap=0).sensitivity(REPLACED, 1) == 15


@pytest.mark.parametrize(("row", "swap"), [(1, 0), (1, 1), (5, 6), (5, 7), (5, 8), (1, 2)])
@pytest.mark.parametrize(
    ("k", "m", "cells"),
    [
        (1, 1, 2),
        (2, 2, 2),
        (3, 3, 2),
        (2, 2, 3),
        (2, 1, 3),
        (3, 1, 2),
        (3, 2, 2),
        (3, 2, 3),
        (3, 2, 1),
    ],
)
def test_the_squares_of_several_cells_are_the_largest_of_any_persons_rows(
    row: int, swap: int, k: int, m: int, cells: int
) -> None:
    """Every way in which up to k rows leave cells, m of each, and up to k others enter them."""
    placed = [p for p in product(range(m + 1), repeat=cells) if sum(p) <= k]

    def steps(out: int, into: int) -> int:
        return swap * min(out, into) + row * abs(out - into)

    moved = [[steps(*pair) for pair in zip(x, y, strict=True)] for x in placed for y in placed]
    score, unit = Score("any", row=row, swap=swap), Unit("p", k, "change-one", people=9)
    assert score.squared(unit, cells, m) == max(sum(d * d for d in each) for each in moved)
    assert score.sensitivity(unit, cells, m) == max(map(sum, moved))
    came = [[row * n for n in x] for x in placed]
    assert score.squared(Unit("p", k), cells, m) == max(sum(d * d for d in each) for each in came)
    assert score.sensitivity(Unit("p", k), cells, m) == max(map(sum, came))
    in_rho = score.squared(unit, cells, m) if cells > 1 else score.sensitivity(unit, cells, m)
    assert score.distance(unit, cells, Rho.of(1), m) == in_rho
    assert score.distance(unit, cells, Epsilon.of(1), m) == score.sensitivity(unit, cells, m)


@given(scores, st.data(), st.floats(0.5, 9), st.integers(1, 2))
def test_in_rho_two_groups_lose_the_squares_of_both(
    first: list[int], data: st.DataObject, scale: float, picks: int
) -> None:
    """Renyi's divergences of independent choices add up, to no more than the door's own map."""
    apart, both = 0, [0.0, 0.0, 0.0]
    for _ in range(2):
        second = [s + data.draw(st.integers(-2, 2)) for s in first]
        apart += moves(first, second) ** 2
        here = top_chances(first, scale, picks, "gumbel")
        there = top_chances(second, scale, picks, "gumbel")
        for place, order in enumerate((1.01, 2.0, 30.0)):
            parts = [order * math.log(here[c]) + (1 - order) * math.log(there[c]) for c in here]
            total = max(parts) + math.log(sum(math.exp(part - max(parts)) for part in parts))
            both[place] += total / (order - 1) / order
    noise = Noise("noisy-max", scale, "rho", blocks=2, picks=picks, monotonic=True)
    assert noise.norm == "linf-squared"
    assert max(both) <= (loss(noise, apart) if apart else 0.0) + 1e-9
    # No map of one group is undercut.
    single = Noise("noisy-max", scale, "rho", picks=picks, monotonic=True)
    for reach in (1, 3, 10**6):
        if reach / scale < 100:
            assert loss(noise, reach**2) == pytest.approx(loss(single, reach), rel=1e-12)


def moves(first: list[int], second: list[int]) -> int:
    """The largest rise plus the largest fall."""
    moved = [b - a for a, b in zip(first, second, strict=True)]
    return max(0, *moved) - min(0, *moved)


@pytest.mark.threat("D4")
@given(scores, st.data(), st.floats(0.5, 9), st.integers(1, 2))
def test_a_choice_loses_no_more_than_rises_and_falls_together(
    first: list[int], data: st.DataObject, scale: float, picks: int
) -> None:
    """For epsilon: the largest ratio of exact chances, against the door's own map."""
    second = [s + data.draw(st.integers(-4, 4)) for s in first]
    reach = moves(first, second)
    here = top_chances(first, scale, picks, "exponential")
    there = top_chances(second, scale, picks, "exponential")
    lost = max(abs(math.log(here[choice] / there[choice])) for choice in here)
    noise = Noise("noisy-max", scale, picks=picks, monotonic=True)
    assert lost <= (loss(noise, reach) if reach else 0) + 1e-9
    side = Noise("noisy-max", scale, picks=picks)
    most = max(abs(a - b) for a, b in zip(first, second, strict=True))
    assert lost <= (loss(side, most) if most else 0) + 1e-9


@given(scores, st.data(), st.floats(0.5, 9), st.integers(1, 2))
def test_in_rho_too(first: list[int], data: st.DataObject, scale: float, picks: int) -> None:
    """Renyi's divergence of every order stays below order times rho."""
    second = [s + data.draw(st.integers(-4, 4)) for s in first]
    reach = moves(first, second)
    here = top_chances(first, scale, picks, "gumbel")
    there = top_chances(second, scale, picks, "gumbel")
    noise = Noise("noisy-max", scale, "rho", picks=picks, monotonic=True)
    rho = loss(noise, reach) if reach else 0.0
    for order in (1.01, 1.5, 2.0, 5.0, 30.0):
        # In logarithms: a chance of 1e-13 to the power of -29 is beyond every float.
        parts = [order * math.log(here[c]) + (1 - order) * math.log(there[c]) for c in here]
        total = max(parts) + math.log(sum(math.exp(part - max(parts)) for part in parts))
        assert total / (order - 1) <= order * rho + 1e-9


def test_the_ratio_of_one_rise_and_one_fall_is_reached() -> None:
    """So nothing smaller than rise plus fall would do."""
    first, second = [0, 0, -40], [1, -1, -40]
    lost = math.log(
        chances([20, 0], 1.0, "exponential")[1] / chances([18, 0], 1.0, "exponential")[1]
    )
    assert lost == pytest.approx(-2, rel=1e-6)
    assert moves(first, second) == 2


LADDER = [12, 9, 6, 3, 0, -3]


@pytest.mark.threat("D5")
@pytest.mark.parametrize("share", [Epsilon.of("0.7"), Rho.of("0.03")], ids=["epsilon", "rho"])
@pytest.mark.in_turn(3)
def test_the_door_chooses_as_often_as_the_exact_chances_say(
    share: Epsilon | Rho,
) -> None:
    """And the comparison tells the other way to choose, and a scale that is off, apart."""
    noise = calibrated(Noise("noisy-max", 1.0, monotonic=True), 3, share)
    way, other = ("exponential", "gumbel") if noise.measure == "epsilon" else ("gumbel",) * 2
    found = drawn(LADDER, noise, 3, FIT)
    assert disagreement(found, top_chances(LADDER, noise.scale, 1, way)) == ""
    # Of a slice's draws, one in a million would not tell such scales apart.
    low, high = (0.9, 1.15) if FULL else (0.5, 2.0)
    assert disagreement(found, top_chances(LADDER, noise.scale * low, 1, other))
    assert disagreement(found, top_chances(LADDER, noise.scale * high, 1, way))


def test_the_chi_square_tail_is_the_tables() -> None:
    for value, freedom, tail in ((3.841459, 1, 0.05), (18.307038, 10, 0.05), (27.877165, 9, 0.001)):
        assert chi_square_tail(value, freedom) == pytest.approx(tail, rel=1e-5)
    assert chi_square_tail(0.0, 4) == 1


@pytest.mark.parametrize("share", [Epsilon.of(1), Rho.of("0.05")], ids=["epsilon", "rho"])
@pytest.mark.parametrize(("size", "reach", "t"), [(10, 1, 0.7), (25, 7, 3.0)])
def test_the_noisy_max_error_bound_of_the_lecture_notes(
    size: int, reach: int, t: float, share: Epsilon | Rho
) -> None:
    """4 D (ln d + t) / epsilon is exceeded at most exp(-t) of the time, as measured.

    Half of it already is, as Dwork and Roth say of the exponential mechanism (theorem 3.11); the
    scores here are the worst ones for that, and for the same mechanism in rho.
    """
    noise = calibrated(Noise("noisy-max", 1.0), reach, share)
    half = noise.scale * (math.log(size) + t)
    if isinstance(share, Epsilon):
        wanted = 4 * reach * (math.log(size) + t) / float(share.as_fraction())
        assert 2 * half == pytest.approx(wanted, rel=1e-9)
    short, times = math.floor(half), runs(short=300, full=10_000)
    seen = drawn([short + 1, *[0] * (size - 1)], noise, reach, times)
    missed = times - seen[(0,)]
    allowed = times * math.exp(-t)
    assert missed <= allowed + 7 * math.sqrt(allowed)
    way = "gumbel" if noise.measure == "rho" else "exponential"
    assert miss_chance(size, noise.scale, short, way) <= math.exp(-t)
    assert miss_chance(size, noise.scale, 2 * short, way) <= math.exp(-t)
