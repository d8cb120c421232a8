# SPDX-License-Identifier: Apache-2.0
"""What a budget means: how right an attacker's guess about one person can become.

An attacker who holds a coin-toss belief (50 in 100) about a person, and sees everything that an
(epsilon, delta) bought, is right with probability at most (e^eps + delta) / (1 + e^eps)
(Wasserman and Zhou, A statistical framework for differential privacy, 2010; Kairouz, Oh and
Viswanath, The composition theorem for differential privacy, 2015). This holds whatever else the
attacker knows. The bounds for other beginnings, for rho and for groups say why they hold.
"""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, localcontext
from fractions import Fraction

from dpdesk.study.model.amount import ATTO, NO_DELTA, Delta, Epsilon, Rho

_DIGITS = 60


def right_in_100(epsilon: Epsilon, delta: Delta = NO_DELTA) -> int:
    """The bound as "at most n in 100 times", rounded up so that "at most" stays true.

    >>> right_in_100(Epsilon.of("1")), right_in_100(Epsilon(0)), right_in_100(Epsilon(0), Delta(1))
    (74, 50, 51)
    """
    with localcontext() as context:
        context.prec = _DIGITS
        grown = epsilon.as_decimal().exp()
        bound = 100 * (grown + delta.as_decimal()) / (1 + grown)
        return min(100, int(bound.to_integral_value(ROUND_CEILING)))


def likelihood_ratio(epsilon: Epsilon) -> float:
    """e^eps: how much likelier any answer can be in one of two neighbouring worlds."""
    return math.exp(epsilon.micro / 1e6)


def guess_bound_of_rho(rho: Rho) -> float:
    """The same for rho of zCDP: one half plus half the total variation that rho allows.

    Two neighbouring worlds have a Kullback-Leibler divergence of at most rho (Bun and Steinke,
    2016, at order 1), and a total variation of at most sqrt(rho / 2) (Pinsker) and of at most
    sqrt(1 - e^-rho) (Bretagnolle and Huber, 1979). The mechanism need not be Gaussian.
    """
    amount = rho.nano / 1e9
    apart = min(math.sqrt(amount / 2), math.sqrt(-math.expm1(-amount)))
    return 0.5 + 0.5 * apart


def rho_right_in_100(rho: Rho) -> int:
    """The bound of rho as "at most n in 100 times", rounded up.

    >>> rho_right_in_100(Rho.of("0.5")), rho_right_in_100(Rho(0)), rho_right_in_100(Rho.of("0.02"))
    (75, 50, 55)
    """
    exact = Fraction(rho.nano, Rho.PER_ONE) / 2
    if exact <= Fraction(1, 4):  # Pinsker: the least n with n >= 50 + 50 sqrt(rho / 2), exact
        return 50 + _root_up(exact * 2500)
    return min(100, math.ceil(guess_bound_of_rho(rho) * 100 * (1 + 1e-12)))


def _root_up(square: Fraction) -> int:
    """The least whole number whose square is at least this."""
    root = math.isqrt(math.ceil(square))
    return root if root * root >= square else root + 1


def group_epsilon(epsilon: Epsilon, people: int) -> Epsilon:
    """What protects ``people`` together: c epsilon, along a path of c neighbouring worlds."""
    return Epsilon(_at_least_one(people) * epsilon.micro)


def group_rho(rho: Rho, people: int) -> Rho:
    """What protects ``people`` together: c^2 rho (Bun and Steinke, 2016, proposition 1.9)."""
    return Rho(_at_least_one(people) ** 2 * rho.nano)


def group_delta(epsilon: Epsilon, delta: Delta, people: int) -> Delta:
    """The delta that goes with ``group_epsilon``: c e^((c - 1) eps) delta, rounded up, at most 1.

    Along the path of c worlds the chance of anything is at most e^(c eps) times the one at its
    end plus delta times the sum of e^(i eps), i = 0..c - 1, whose largest term comes c times at
    most (after Vadhan, The complexity of differential privacy, 2017, lemma 2.2).
    """
    with localcontext() as context:
        context.prec = _DIGITS
        grown = ((_at_least_one(people) - 1) * epsilon.as_decimal()).exp()
        most = people * grown * delta.atto
        return Delta(ATTO if most > ATTO else int(most.to_integral_value(ROUND_CEILING)))


def _at_least_one(people: int) -> int:
    if people < 1:
        raise ValueError("a group has one person or more")
    return people
