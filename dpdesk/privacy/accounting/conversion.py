# SPDX-License-Identifier: Apache-2.0
"""What an account in zCDP means as (epsilon, delta), and the rho that an (epsilon, delta) buys.

An account has one delta for its whole life, set by policy and by nothing of the data. One half of
it converts rho to epsilon, the other half is what releases may charge whose own guarantee fails
with some probability. Whatever is charged, and in whatever order (Feldman and Zrnic, Individual
privacy accounting via a Renyi filter, 2021; deltas add by basic composition), the account as a
whole is (epsilon(rho, delta / 2), delta)-DP.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, takewhile
from math import ceil

from dpdesk.privacy.accounting.guess_probability import (
    guess_bound_of_rho,
    rho_right_in_100,
    right_in_100,
)
from dpdesk.privacy.noise.door import epsilon_of_rho
from dpdesk.study.model.amount import MAX_RHO_NANO, MICRO, Delta, Epsilon, Rho, Share
from dpdesk.study.problem import refuse

PLAIN_DIGITS = 3
"""How many digits a rho has that an account is opened with."""


def account_epsilon(rho: Rho, delta: Delta) -> Epsilon:
    """What spending a rho means in an account, for the same neighbours, rounded up.

    Claim: releases that are rho-zCDP together, but for failures of probability delta / 2 at most,
    are (epsilon, delta)-DP. Why: see the head of the module.

    Args:
        rho: what was or may be spent.
        delta: the account's whole delta; two parts of 10**-18 at least where rho is not nothing.
    """
    if not rho.nano:
        return Epsilon(0)
    return Epsilon(ceil(Fraction(epsilon_of_rho(rho, half(delta))) * MICRO))


def account_rho(epsilon: Epsilon, delta: Delta) -> Rho:
    """The largest rho that an account may have to stay within (epsilon, delta).

    Raises:
        Refused: as :func:`rho_for`.
    """
    return rho_for(epsilon, half(delta))


def plain_account_rho(epsilon: Epsilon, delta: Delta) -> Rho:
    """A rho of three digits within (epsilon, delta): the largest one, rounded down.

    What is within a rho is within a larger one; nine digits would tell nobody more, and would
    be shown beside every figure of the account.

    Raises:
        Refused: as :func:`rho_for`.
    """
    return _largest(_plain_rhos(), epsilon, half(delta))


@cache
def _plain_rhos() -> tuple[int, ...]:
    """Every nano-rho of an account that three digits and zeros write, in order."""
    digits = range(10 ** (PLAIN_DIGITS - 1), 10**PLAIN_DIGITS)
    below = range(1, digits.start)
    tens = (10**zeros for zeros in range(len(str(MAX_RHO_NANO))))
    found = chain(below, (digit * ten for ten in tens for digit in digits))
    return tuple(takewhile(lambda nano: nano <= MAX_RHO_NANO, found))


def account_right_in_100(amount: Share, delta: Delta) -> int:
    """How often of 100 times a coin-toss guess about one person can be right at most.

    Claim: after spending ``amount``, a guess that starts at 50 in 100 is right at most so often,
    for the same neighbours. Why: in pure epsilon see ``guess_probability.right_in_100``, in rho
    ``guess_probability.rho_right_in_100``. Releases that fail with probability delta / 2 in all
    move two worlds apart by that much more in total variation, and the guess by half of it.

    Args:
        amount: what was or may be spent.
        delta: the account's whole delta.
    """
    if isinstance(amount, Epsilon):
        return right_in_100(amount, delta)
    right = rho_right_in_100(amount)
    # ``found`` was rounded up: failures raise it where they reach beyond what that had given.
    fails = 50 * float(half(delta).as_fraction())
    return min(100, right + (100 * guess_bound_of_rho(amount) + fails > right))


def half(delta: Delta) -> Delta:
    """The half of an account's delta that converts; the other one is never less."""
    return Delta(delta.atto // 2)


def rho_for(epsilon: Epsilon, delta: Delta) -> Rho:
    """The largest rho whose conversion at a delta is at most epsilon.

    Claim: what is rho-zCDP for the rho returned is (epsilon, delta)-DP. Why: the conversion says
    so; it grows with rho, so bisection finds the last whole nano-rho.

    Args:
        epsilon: more than nothing.
        delta: the conversion's own delta, more than nothing.

    Raises:
        Refused: ``rho-unreachable``: not even a nano-rho is within epsilon.
    """
    return _largest(range(1, MAX_RHO_NANO + 1), epsilon, delta)


def _largest(nanos: Sequence[int], epsilon: Epsilon, delta: Delta) -> Rho:
    """The last of these nano-rho, which grow, that is within (epsilon, delta).

    Raises:
        Refused: ``rho-unreachable``: not even the first is.
    """
    most = epsilon.as_fraction()
    within = bisect_right(nanos, most, key=lambda nano: Fraction(epsilon_of_rho(Rho(nano), delta)))
    if not within:
        raise refuse("rho-unreachable")
    return Rho(nanos[within - 1])
