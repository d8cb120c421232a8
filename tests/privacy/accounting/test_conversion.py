# SPDX-License-Identifier: Apache-2.0
"""Rho as (epsilon, delta): never less than is true, never more than the simple formula says."""

import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from dpdesk.privacy.accounting.conversion import (
    account_epsilon,
    account_rho,
    account_right_in_100,
    plain_account_rho,
    rho_for,
)
from dpdesk.privacy.noise.door import DoorRefused, epsilon_of_rho
from dpdesk.study.model.amount import (
    MAX_DELTA_ATTO,
    MAX_RHO_NANO,
    AccountDelta,
    Delta,
    Epsilon,
    Rho,
)
from dpdesk.study.problem import Refused
from tests.audit.length import runs
from tests.turns import in_turn

DELTA = AccountDelta(Delta(10**9))
GOLDEN = Decimal("0.6180339887498948482045868343656381177203")


def pairs(count: int) -> list[tuple[Rho, AccountDelta]]:
    """Pairs of all sizes that an account may have; one in three keeps nothing."""
    choose = random.Random(20261121)
    found = []
    for number in range(count):
        rho = Rho(round(10 ** choose.uniform(0, 11)))
        whole = Delta(round(10 ** choose.uniform(0.4, 12)))
        kept = Delta(choose.randrange(whole.atto) if number % 3 else 0)
        found.append((rho, AccountDelta(whole, kept)))
    return found


def converting(delta: AccountDelta) -> Delta:
    """Said again here: what is not kept."""
    return Delta(delta.whole.atto - delta.kept.atto)


def epsilon_at(order: Decimal, rho: Decimal, delta: Decimal) -> Decimal:
    """Canonne, Kamath and Steinke 2020, proposition 12 with the Renyi divergence of zCDP."""
    more = -delta.ln() + (order - 1) * (1 - 1 / order).ln() - order.ln()
    return order * rho + more / (order - 1)


def best_epsilon(rho: Fraction, delta: Fraction) -> Decimal:
    """The least over all orders, to 40 digits: golden section on the logarithm of order - 1."""
    with localcontext() as context:
        context.prec = 50
        r = Decimal(rho.numerator) / rho.denominator
        d = Decimal(delta.numerator) / delta.denominator
        low, high = Decimal(-6), Decimal(16)
        for _ in range(100):
            left, right = high - (high - low) * GOLDEN, low + (high - low) * GOLDEN
            if epsilon_at(1 + left.exp(), r, d) < epsilon_at(1 + right.exp(), r, d):
                high = right
            else:
                low = left
        return max(Decimal(0), epsilon_at(1 + ((low + high) / 2).exp(), r, d))


def simple_epsilon(rho: Fraction, delta: Fraction) -> Decimal:
    """``rho + 2 sqrt(rho ln(1 / delta))``: Bun and Steinke 2016, proposition 1.3."""
    with localcontext() as context:
        context.prec = 50
        r = Decimal(rho.numerator) / rho.denominator
        d = Decimal(delta.numerator) / delta.denominator
        return r + 2 * (r * -d.ln()).sqrt()


@pytest.mark.threat("A12", "A14")
def test_the_conversion_lies_between_the_optimum_and_the_simple_formula() -> None:
    for rho, delta in pairs(runs(short=24, full=200)):
        exact, at = rho.as_fraction(), converting(delta).as_fraction()
        shown = account_epsilon(rho, delta).as_decimal()
        best, simple = best_epsilon(exact, at), simple_epsilon(exact, at)
        assert best <= Decimal(epsilon_of_rho(rho, converting(delta))) <= shown <= simple
        # Tight as well: not a millionth more than rounding up to millionths makes of it.
        assert shown - best < Decimal("0.000001") * (1 + best)


def test_the_largest_rho_within_an_epsilon_is_found() -> None:
    for text in in_turn(("0.0003", "0.1", "0.693147", "1", "3.5", "20", "100"), 7):
        for delta in (AccountDelta(Delta(2), Delta(1)), DELTA, AccountDelta(Delta(MAX_DELTA_ATTO))):
            epsilon = Epsilon.of(text)
            if epsilon_of_rho(Rho(1), converting(delta)) > epsilon.as_fraction():
                continue
            rho = account_rho(epsilon, delta)
            assert account_epsilon(rho, delta) <= epsilon
            assert epsilon_of_rho(Rho(rho.nano + 1), converting(delta)) > epsilon.as_fraction()
            plain = plain_account_rho(epsilon, delta)
            digits = str(rho.nano)
            assert str(plain.nano) == digits[:3] + "0" * len(digits[3:]), "rounded down"


def test_rho_never_leaves_what_an_account_may_have() -> None:
    assert rho_for(Epsilon.of(1000), Delta(MAX_DELTA_ATTO)) == Rho(MAX_RHO_NANO)


def test_an_epsilon_below_every_rho_is_refused() -> None:
    with pytest.raises(Refused, match="rho-unreachable"):
        rho_for(Epsilon(1), Delta(10**9))


@pytest.mark.parametrize(("rho", "delta"), [(Rho(0), Delta(1)), (Rho(1), Delta(0))])
def test_nothing_is_not_converted(rho: Rho, delta: Delta) -> None:
    with pytest.raises(DoorRefused):
        epsilon_of_rho(rho, delta)


def test_nothing_spent_means_nothing() -> None:
    assert account_epsilon(Rho(0), DELTA) == Epsilon(0)


@pytest.mark.threat("A14")
def test_an_account_that_keeps_none_means_less_and_a_raise_changes_nothing_of_it() -> None:
    """What is kept does not convert; raised, both the whole and what is kept are more."""
    whole, half = Delta.of("1e-6"), Delta.of("5e-7")
    rho = Rho.of("0.05")
    none, some = AccountDelta(whole), AccountDelta(whole, half)
    assert (str(account_epsilon(rho, some)), str(account_epsilon(rho, none))) == (
        *("1.517537", "1.471595"),
    )
    raised = AccountDelta(DELTA.whole + Delta(7), Delta(7))
    assert account_epsilon(rho, raised) == account_epsilon(rho, DELTA)
    assert account_rho(Epsilon.of(1), raised) == account_rho(Epsilon.of(1), DELTA)
    # What may fail moves a guess by half of its chance.
    wide = AccountDelta(Delta.of("0.2"), Delta.of("0.1"))
    assert account_right_in_100(rho, wide) == account_right_in_100(rho) + 5


def test_more_rho_means_more_and_more_delta_means_less() -> None:
    delta = DELTA
    found = [account_epsilon(Rho(n), delta) for n in (1, 10, 10**6, 10**9, MAX_RHO_NANO)]
    assert found == sorted(found) and len(set(found)) == len(found)
    assert account_epsilon(Rho(10**8), AccountDelta(Delta(10**12))) < account_epsilon(
        Rho(10**8), delta
    )
