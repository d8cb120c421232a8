# SPDX-License-Identifier: Apache-2.0
"""The bounds on a best guess against the worst mechanisms, found by linear programming."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import linprog
from scipy.stats import norm

from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.privacy.accounting.guess_probability import guess_bound_of_rho
from dpdesk.privacy.planning.best_guess import best_guess_in_100
from dpdesk.study.model.amount import NO_DELTA, WITHOUT_DELTA, AccountDelta, Delta, Epsilon, Rho

EPSILONS = ("0.1", "0.5", "1", "3")
DELTAS = (NO_DELTA, Delta.of("0.01"), Delta.of("0.1"))


def worst(
    epsilon: Epsilon, delta: Delta, priors: tuple[float, ...], pairs: list[tuple[int, int]]
) -> float:
    """How often the best guess is right under the worst mechanism that keeps to (eps, delta).

    An output is a guess. The world after those of the answers, if ``pairs`` name one, is that
    without the person. Every event is a constraint, in both directions of each pair.
    """
    answers = len(priors)
    worlds = 1 + max(max(pair) for pair in pairs)
    grown, fails = math.exp(float(epsilon.as_fraction())), float(delta.as_fraction())
    events = [e for n in range(1, answers) for e in combinations(range(answers), n)]
    rows = []
    for one, other in (pair for found in pairs for pair in permutations(found)):
        for event in events:
            row = np.zeros((worlds, answers))
            row[one, list(event)] += 1
            row[other, list(event)] -= grown
            rows.append(row.ravel())
    sums = np.kron(np.eye(worlds), np.ones(answers))
    right = np.zeros((worlds, answers))
    right[range(answers), range(answers)] = priors
    found = linprog(-right.ravel(), np.array(rows), [fails] * len(rows), sums, [1] * worlds)
    assert found.success
    return -float(found.fun)


def without(answers: int) -> list[tuple[int, int]]:
    """Each answer's world is a neighbour of the one without the person."""
    return [(x, answers) for x in range(answers)]


def rounded_up(probability: float) -> int:
    return math.ceil(100 * probability - 1e-6)


@pytest.mark.parametrize("delta", DELTAS, ids=str)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("answers", [2, 3, 5])
def test_no_mechanism_lets_a_statement_be_right_more_often_and_one_as_often(
    answers: int, epsilon: str, delta: Delta
) -> None:
    amount = Epsilon.of(epsilon)
    found = worst(amount, delta, (1 / answers,) * answers, without(answers))
    bound = best_guess_in_100(amount, AccountDelta(delta), Fraction(1, answers))
    assert bound >= rounded_up(found)
    if delta == NO_DELTA:
        assert bound == rounded_up(found)


@pytest.mark.parametrize("priors", [(0.7, 0.2, 0.1), (0.5, 0.49, 0.01), (0.9, 0.1)], ids=str)
@pytest.mark.parametrize("delta", DELTAS, ids=str)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_unlike_beginnings_are_bounded_by_the_likeliest(
    epsilon: str, delta: Delta, priors: tuple[float, ...]
) -> None:
    amount = Epsilon.of(epsilon)
    found = worst(amount, delta, priors, without(len(priors)))
    assert best_guess_in_100(amount, AccountDelta(delta), Fraction(str(max(priors)))) >= rounded_up(
        found
    )


@pytest.mark.parametrize("prior", ["0.5", "0.1", "0.99"])
@pytest.mark.parametrize("delta", DELTAS, ids=str)
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_presence_is_guessed_exactly_as_often(epsilon: str, delta: Delta, prior: str) -> None:
    amount, p = Epsilon.of(epsilon), Fraction(prior)
    found = worst(amount, delta, (float(p), float(1 - p)), [(0, 1)])
    assert best_guess_in_100(amount, AccountDelta(delta), p, "presence") == rounded_up(found)


@pytest.mark.parametrize("delta", DELTAS, ids=str)
@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("answers", [2, 3, 4])
def test_no_mechanism_betrays_a_value_more_often_where_all_worlds_are_neighbours(
    answers: int, epsilon: str, delta: Delta
) -> None:
    amount = Epsilon.of(epsilon)
    pairs = list(combinations(range(answers), 2))
    found = worst(amount, delta, (1 / answers,) * answers, pairs)
    bound = best_guess_in_100(amount, AccountDelta(delta), Fraction(1, answers), "value")
    assert bound >= rounded_up(found)
    if delta == NO_DELTA:
        assert bound == rounded_up(found)


@pytest.mark.parametrize("rho", ["0.001", "0.02", "0.1", "0.5", "2", "8"])
@pytest.mark.parametrize("answers", [2, 10, 100])
def test_the_gaussian_mechanism_stays_below_the_bound_of_rho(rho: str, answers: int) -> None:
    """Each answer moves another coordinate by mu, rho = mu^2 / 2; the largest one is guessed."""
    amount = Rho.of(rho)
    moved = math.sqrt(2 * float(amount.as_fraction()))
    right, _error = quad(
        lambda z: norm.pdf(z - moved) * norm.cdf(z) ** (answers - 1), -12, 12 + moved
    )
    bound = best_guess_in_100(amount, WITHOUT_DELTA, Fraction(1, answers))
    assert rounded_up(right) <= bound
    there = norm.cdf(moved / 2)
    assert rounded_up(there) <= best_guess_in_100(amount, WITHOUT_DELTA, Fraction(1, 2), "presence")


@pytest.mark.parametrize("prior", [0.01, 0.1, 0.5])
@pytest.mark.parametrize("rho", [0.01, 0.3, 2.0])
def test_rho_is_bounded_by_what_divergences_of_every_order_allow(rho: float, prior: float) -> None:
    """The closed form is the best of all orders: none that is tried beats it."""
    surprise = -math.log(prior)
    orders = np.linspace(1.001, 60, 4_000)
    tried = min(math.exp((a - 1) / a * (rho * a - surprise)) for a in orders)
    closed = math.exp(-((math.sqrt(surprise) - math.sqrt(rho)) ** 2)) if surprise > rho else 1.0
    assert closed <= tried * (1 + 1e-9)
    bound = best_guess_in_100(Rho.of(str(rho)), WITHOUT_DELTA, Fraction(str(prior)))
    assert bound <= math.ceil(100 * tried)


@pytest.mark.parametrize("prior", ["0.1", "0.4", "0.7", "0.99"])
@pytest.mark.parametrize("rho", ["0.001", "0.1", "0.5", "2"])
def test_presence_that_is_not_even_is_bounded_by_the_distance_of_the_worlds(
    rho: str, prior: str
) -> None:
    """The best guess after a Gaussian: likelier worlds win further out."""
    amount, p = Rho.of(rho), float(prior)
    moved = math.sqrt(2 * float(amount.as_fraction()))
    cut = moved / 2 + math.log((1 - p) / p) / moved
    right = p * norm.sf(cut - moved) + (1 - p) * norm.cdf(cut)
    bound = best_guess_in_100(amount, WITHOUT_DELTA, Fraction(prior), "presence")
    assert rounded_up(right) <= bound
    assert rounded_up(max(p, 1 - p)) <= bound
    # No more than the distance of two normal laws takes from the rest, and a bit for rho's others.
    apart = 2 * guess_bound_of_rho(amount) - 1
    assert bound <= rounded_up(max(p, 1 - p) + min(p, 1 - p) * apart) + 1


def test_a_coin_toss_about_presence_is_what_the_window_shows() -> None:
    for amount in (Epsilon.of("0.4"), Epsilon.of(3), Rho.of("0.1")):
        delta = AccountDelta(Delta.of("1e-9") if isinstance(amount, Rho) else NO_DELTA)
        shown = account_right_in_100(amount, delta)
        assert best_guess_in_100(amount, delta, Fraction(1, 2), "presence") == shown


def test_nothing_spent_leaves_a_guess_as_it_was_and_much_spent_makes_it_certain() -> None:
    for nothing, much in ((Epsilon(0), Epsilon.of(100)), (Rho(0), Rho.of(100))):
        assert best_guess_in_100(nothing, WITHOUT_DELTA, Fraction(1, 10)) in (10, 11)
        assert best_guess_in_100(much, WITHOUT_DELTA, Fraction(1, 10)) == 100


@pytest.mark.parametrize("prior", [Fraction(0), Fraction(-1, 2), Fraction(3, 2)])
def test_a_beginning_is_a_probability(prior: Fraction) -> None:
    with pytest.raises(ValueError, match="prior"):
        best_guess_in_100(Epsilon.of(1), WITHOUT_DELTA, prior)
