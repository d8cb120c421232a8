# SPDX-License-Identifier: Apache-2.0
"""What a budget means in odds: never better for the person than it is."""

import doctest
import math
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.accounting import guess_probability
from dpdesk.study.model.amount import ATTO, MAX_DELTA_ATTO, Delta, Epsilon, Rho
from tests.strategies import epsilons

deltas = st.integers(0, MAX_DELTA_ATTO).map(Delta)
rhos = st.integers(0, 2_000_000_000).map(Rho)


def exact(epsilon: Epsilon, delta: Delta = Delta(0)) -> Decimal:  # noqa: B008 - frozen
    """100 * (e^eps + delta) / (1 + e^eps), to 70 digits."""
    with localcontext() as context:
        context.prec = 70
        grown = epsilon.as_decimal().exp()
        return 100 * (grown + delta.as_decimal()) / (1 + grown)


def test_the_examples_of_the_text_are_right() -> None:
    ran = doctest.testmod(guess_probability)
    assert ran.attempted >= 1
    assert ran.failed == 0


@given(epsilons())
def test_at_most_is_never_too_little(epsilon: Epsilon) -> None:
    said = guess_probability.right_in_100(epsilon)
    assert exact(epsilon) <= said <= 100
    assert said - exact(epsilon) < 1


@pytest.mark.parametrize("n", range(51, 100))
def test_at_most_holds_at_the_first_amount_beyond_each_whole_number(n: int) -> None:
    edge = math.log(n / (100 - n)) * 1e6
    for micro in range(math.floor(edge) - 1, math.ceil(edge) + 2):
        assert exact(Epsilon(micro)) <= guess_probability.right_in_100(Epsilon(micro))


def test_no_budget_reveals_nothing() -> None:
    assert guess_probability.right_in_100(Epsilon(0)) == 50
    assert guess_probability.likelihood_ratio(Epsilon(0)) == 1


@given(epsilons())
def test_guess_and_likelihood_agree(epsilon: Epsilon) -> None:
    ratio = guess_probability.likelihood_ratio(epsilon)
    assert float(exact(epsilon)) == pytest.approx(100 * ratio / (1 + ratio))


@given(epsilons(0), deltas)
def test_delta_adds_what_the_worst_mechanism_gains(epsilon: Epsilon, delta: Delta) -> None:
    """It answers outright with chance delta, and by a coin of e^eps otherwise."""
    said = guess_probability.right_in_100(epsilon, delta)
    assert exact(epsilon, delta) <= said < exact(epsilon, delta) + 1
    d, coin = delta.atto / ATTO, float(exact(epsilon)) / 100
    assert float(exact(epsilon, delta)) == pytest.approx(100 * (d + (1 - d) * coin), rel=1e-12)


def test_the_smallest_delta_is_not_said_to_be_none() -> None:
    assert guess_probability.right_in_100(Epsilon(0), Delta(1)) == 51
    assert guess_probability.right_in_100(Epsilon(100_000_000), Delta(MAX_DELTA_ATTO)) == 100


@given(rhos)
def test_rho_is_at_least_as_revealing_as_gaussian_noise(rho: Rho) -> None:
    """Gaussian noise of rho is right with Phi(sqrt(2 rho) / 2); the bound is for any noise."""
    gaussian = 1 - 0.5 * math.erfc(math.sqrt(rho.nano / 1e9) / 2)
    bound = guess_probability.guess_bound_of_rho(rho)
    assert gaussian - 1e-15 <= bound <= 1
    assert bound * 100 <= guess_probability.rho_right_in_100(rho) + 1e-9
    assert guess_probability.rho_right_in_100(rho) < bound * 100 + 1.000001


@given(epsilons(0, 3_000_000))
def test_pure_epsilon_seen_as_rho_is_bounded_by_both(epsilon: Epsilon) -> None:
    """Randomised response of eps is eps^2/2-zCDP, and reaches the pure bound."""
    rho = Rho(math.ceil((epsilon.micro / 1e6) ** 2 / 2 * 1e9))
    assert float(exact(epsilon)) / 100 <= guess_probability.guess_bound_of_rho(rho) + 1e-12


def test_rho_that_ends_on_a_whole_number_is_not_rounded_beyond_it() -> None:
    assert [
        guess_probability.rho_right_in_100(Rho.of(r)) for r in ("0", "0.0002", "0.02", "0.5")
    ] == [
        50,
        51,
        55,
        75,
    ]
    assert guess_probability.rho_right_in_100(Rho.of("0.020000001")) == 56
    assert guess_probability.rho_right_in_100(Rho.of("100")) == 100


def test_a_group_shares_what_protects_each() -> None:
    assert guess_probability.group_epsilon(Epsilon.of("0.25"), 4) == Epsilon.of("1")
    assert guess_probability.group_rho(Rho.of("0.01"), 3) == Rho.of("0.09")
    assert guess_probability.group_delta(Epsilon.of("1"), Delta(7), 1) == Delta(7)
    assert guess_probability.group_delta(Epsilon(0), Delta(7), 3) == Delta(21)
    assert guess_probability.group_delta(Epsilon.of("100"), Delta(1), 50) == Delta(ATTO)
    for use in (
        lambda: guess_probability.group_epsilon(Epsilon(1), 0),
        lambda: guess_probability.group_rho(Rho(1), 0),
        lambda: guess_probability.group_delta(Epsilon(1), Delta(1), 0),
    ):
        with pytest.raises(ValueError, match="group"):
            use()


@given(epsilons(0, 2_000_000), deltas, st.integers(1, 6))
def test_the_group_s_delta_is_above_the_sum_along_the_path(
    epsilon: Epsilon, delta: Delta, people: int
) -> None:
    with localcontext() as context:
        context.prec = 60
        path = sum((i * epsilon.as_decimal()).exp() for i in range(people)) * delta.atto
        assert path - Decimal("1e-30") <= guess_probability.group_delta(epsilon, delta, people).atto
