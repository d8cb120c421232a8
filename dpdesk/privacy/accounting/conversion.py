# SPDX-License-Identifier: Apache-2.0
"""What an account in zCDP means as (epsilon, delta), and the rho that an (epsilon, delta) buys.

An account's delta has two parts, set by policy and by nothing of the data. C converts rho to
epsilon; F is kept for releases of found categories, whose own guarantee fails with some
probability, and is nothing in most accounts.

Claim: all that an account ever releases is (epsilon(rho, C), C + F)-DP for its neighbours, with its
rho and F as they are in the end, in whatever order they are spent, and also where each question is
chosen after seeing the answers before it.

Proof. Release i is rho_i-zCDP but for an event of probability delta_i (``categories_found``; others
have none). The ledger lets neither sum exceed rho or F, whatever was answered (``accounts``).

* Where no such event happens, the rho_i compose to rho-zCDP although they are chosen on the way
  (Feldman and Zrnic, Individual privacy accounting via a Renyi filter, 2021), which is
  (epsilon(rho, C), C)-DP.
* That one happens at all has a probability of at most the mean, over all answers, of the sum of the
  delta_i that these answers led to. No such sum is above F, so neither is their mean.

Both together: C + F (Bun and Steinke, Concentrated differential privacy, 2016, section 8).

A raise adds to F and to the whole alike, and leaves C as it was opened. So the epsilon of a rho
stays what every bundle says, and what was released before keeps its claim: it had charged no more
than the F of its day. Taken from C instead, the same rho would mean more than bundles have said.
Anyone who raises after seeing answers promises the largest F that they would raise to: C + F is at
most ``MAX_DELTA_ATTO`` in any case.

>>> with_none = AccountDelta(Delta.of("1e-6"))
>>> with_half = AccountDelta(Delta.of("1e-6"), Delta.of("5e-7"))
>>> [str(account_epsilon(Rho.of("0.05"), delta)) for delta in (with_half, with_none)]
['1.517537', '1.471595']
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
from dpdesk.study.model.amount import (
    MAX_RHO_NANO,
    MICRO,
    WITHOUT_DELTA,
    AccountDelta,
    Delta,
    Epsilon,
    Rho,
    Share,
)
from dpdesk.study.problem import refuse

PLAIN_DIGITS = 3
"""How many digits a rho has that an account is opened with."""


def account_epsilon(rho: Rho, delta: AccountDelta) -> Epsilon:
    """What spending a rho means in an account, for the same neighbours, rounded up.

    Claim: releases that are rho-zCDP together, but for failures of probability ``delta.kept`` at
    most, are (epsilon, ``delta.whole``)-DP. Why: see the head of the module.

    Args:
        rho: what was or may be spent.
        delta: the account's; some of it converts where rho is not nothing.
    """
    if not rho.nano:
        return Epsilon(0)
    return Epsilon(ceil(Fraction(epsilon_of_rho(rho, delta.converts)) * MICRO))


def account_rho(epsilon: Epsilon, delta: AccountDelta) -> Rho:
    """The largest rho that an account may have to stay within epsilon at its delta.

    Raises:
        Refused: as :func:`rho_for`.
    """
    return rho_for(epsilon, delta.converts)


def plain_account_rho(epsilon: Epsilon, delta: AccountDelta) -> Rho:
    """A rho of three digits within epsilon at a delta: the largest one, rounded down.

    What is within a rho is within a larger one; nine digits would show nobody more, and would
    be shown beside every figure of the account.

    Raises:
        Refused: as :func:`rho_for`.
    """
    return _largest(_plain_rhos(), epsilon, delta.converts)


@cache
def _plain_rhos() -> tuple[int, ...]:
    """Every nano-rho of an account that three digits and zeros write, in order."""
    digits = range(10 ** (PLAIN_DIGITS - 1), 10**PLAIN_DIGITS)
    below = range(1, digits.start)
    tens = (10**zeros for zeros in range(len(str(MAX_RHO_NANO))))
    found = chain(below, (digit * ten for ten in tens for digit in digits))
    return tuple(takewhile(lambda nano: nano <= MAX_RHO_NANO, found))


def account_right_in_100(amount: Share, delta: AccountDelta = WITHOUT_DELTA) -> int:
    """How often of 100 times a coin-toss guess about one person can be right at most.

    Claim: after spending ``amount``, a guess that starts at 50 in 100 is right at most so often,
    for the same neighbours. Why: in pure epsilon see ``guess_probability.right_in_100``, in rho
    ``guess_probability.rho_right_in_100``. Releases that fail with probability ``delta.kept`` in
    all move two worlds apart by that much more in total variation, and the guess by half of it.

    Args:
        amount: what was or may be spent.
        delta: the account's.
    """
    if isinstance(amount, Epsilon):
        return right_in_100(amount, delta.whole)
    right = rho_right_in_100(amount)
    if not delta.kept.atto:
        return right
    # ``right`` was rounded up: failures raise it where they reach beyond what that had given.
    failing = 100 * Fraction(guess_bound_of_rho(amount)) + 50 * delta.kept.as_fraction()
    return min(100, max(right, ceil(failing)))


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
