# SPDX-License-Identifier: Apache-2.0
"""What a budget means in odds: never better for the person than it is."""

import doctest
import math
from decimal import Decimal, localcontext

import pytest
from hypothesis import given

from dpdesk.privacy import odds
from dpdesk.study.amount import Epsilon
from tests.strategies import epsilons


def exact(epsilon: Epsilon) -> Decimal:
    """100 * e^eps / (1 + e^eps), to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        grown = epsilon.as_decimal().exp()
        return 100 * grown / (1 + grown)


def test_the_examples_of_the_text_are_right() -> None:
    ran = doctest.testmod(odds)
    assert ran.attempted >= 1
    assert ran.failed == 0


@given(epsilons())
def test_at_most_is_never_too_little(epsilon: Epsilon) -> None:
    said = odds.right_in_100(epsilon)
    assert exact(epsilon) <= said <= 100
    assert said - exact(epsilon) < 1


@pytest.mark.parametrize("n", range(51, 100))
def test_at_most_holds_at_the_first_amount_beyond_each_whole_number(n: int) -> None:
    edge = math.log(n / (100 - n)) * 1e6
    for micro in range(math.floor(edge) - 1, math.ceil(edge) + 2):
        assert exact(Epsilon(micro)) <= odds.right_in_100(Epsilon(micro))


def test_no_budget_tells_nothing() -> None:
    assert odds.right_in_100(Epsilon(0)) == 50
    assert odds.guess_bound(Epsilon(0)) == 0.5
    assert odds.likelihood_ratio(Epsilon(0)) == 1


@given(epsilons())
def test_guess_and_likelihood_agree(epsilon: Epsilon) -> None:
    guess, ratio = odds.guess_bound(epsilon), odds.likelihood_ratio(epsilon)
    assert guess == pytest.approx(ratio / (1 + ratio))
    assert float(exact(epsilon)) == pytest.approx(100 * guess)
