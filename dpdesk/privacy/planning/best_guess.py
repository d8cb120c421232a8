# SPDX-License-Identifier: Apache-2.0
"""How often an attacker's best guess about one person is right, for a stated beginning.

The attacker knows everything about everyone else, has any amount of time, and sees all that an
amount bought. ``prior`` is how often the guess would be right from an output in which this person
plays no part: 1 in N where one of N equally likely answers is right. In every game below, x is
what is secret of the person, S_x the outputs after which the attacker answers x, P_x the law of
the output where x is so, and q = sum of pi_x P_x(S_x) how often the guess is right.

**Statement** (any statement about the person, whatever the number of answers). Let P_0 be the law
of the output without the person (add-remove), or with any fixed row in the person's place
(change-one); it is one neighbour away from each P_x. Then q_0 = sum of pi_x P_0(S_x) <= prior,
because the output of that world has nothing to do with x. From P_x(S) <= e^eps P_0(S) + delta,
weighted: q <= e^eps q_0 + delta. The same for the outputs after which the answer is wrong, from
P_0 to P_x: 1 - q_0 <= e^eps (1 - q) + delta, so q <= 1 - e^-eps (1 - q_0 - delta). Hence

    q <= min(e^eps p + delta, 1 - e^-eps (1 - p - delta)).

**Presence** (there or not; the two worlds are neighbours). The rates of the two errors lie above
the lines that (eps, delta) draws (Wasserman and Zhou 2010; Kairouz, Oh and Viswanath 2015), whose
corners are (0, 1 - delta), ((1 - delta) / (1 + e^eps), the same) and (1 - delta, 0); how often a
guess is right is linear in the two, so largest at a corner: with m = max(p, 1 - p),

    q <= max(m + (1 - m) delta, (e^eps + delta) / (1 + e^eps)).

**Value** (one of M = 1/p equally likely values, every two worlds neighbours, as under change-one).
P_y(S_x) >= e^-eps (P_x(S_x) - delta) for each y other than x. Weighted over all such pairs the
left sides add up to 1 - q, so 1 - q >= e^-eps (M - 1) (q - delta), and

    q <= (p e^eps + (1 - p) delta) / (p e^eps + 1 - p).

**Rho.** Two neighbouring laws have a total variation of at most t (``guess_bound_of_rho``), so
q <= p + t for a statement and q <= m + (1 - m) t for presence. For a statement also, with the
Renyi divergence of order a at most rho a (Bun and Steinke 2016), P_x(S) <=
(P_0(S) e^(rho a))^((a - 1) / a) (van Erven and Harremoes, Renyi divergence and Kullback-Leibler
divergence, 2014), which is concave in P_0(S), so that the same holds for q and q_0. With
L = -ln p the best order is sqrt(L / rho), which is above 1 where L > rho:

    q <= exp(-(sqrt(L) - sqrt(rho))^2).

What may fail with some probability beside (the part of an account's delta that is kept for it) is
added.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from typing import Literal

from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.privacy.accounting.guess_probability import guess_bound_of_rho
from dpdesk.study.model.amount import AccountDelta, Delta, Epsilon, Rho, Share

Game = Literal["statement", "presence", "value"]
_DIGITS = 60
_GUARD = 1 + 1e-12
_EVEN = Fraction(1, 2)


def best_guess_in_100(
    amount: Share, delta: AccountDelta, prior: Fraction, game: Game = "statement"
) -> int:
    """How often of 100 times the best guess is right at most, rounded up so that it stays true.

    Claim: see the head of the module; for the neighbours that the amount was spent for.

    Args:
        amount: what was, or may be, spent in all.
        delta: the account's.
        prior: how often the guess is right without the person's data, above 0 and at most 1.
        game: what is guessed.

    >>> [best_guess_in_100(Epsilon.of(1), AccountDelta(), Fraction(1, n)) for n in (2, 10, 100)]
    [82, 28, 3]
    """
    if not 0 < prior <= 1:
        raise ValueError("a prior is above 0 and at most 1")
    if game == "presence" and prior == _EVEN:
        return account_right_in_100(amount, delta)
    if isinstance(amount, Rho):
        return _up(Decimal(_of_rho(amount, delta, float(prior), game) * _GUARD))
    with localcontext() as context:
        context.prec = _DIGITS
        return _up(min(_of_epsilon(amount, delta.whole, prior, game)))


def _of_epsilon(amount: Epsilon, delta: Delta, prior: Fraction, game: Game) -> Iterable[Decimal]:
    """Each bound that holds in a game."""
    grown, fails = amount.as_decimal().exp(), delta.as_decimal()
    p = Decimal(prior.numerator) / Decimal(prior.denominator)
    if game == "presence":
        most = max(p, 1 - p)
        return [max(most + (1 - most) * fails, (grown + fails) / (1 + grown))]
    bounds = [grown * p + fails, 1 - (1 - p - fails) / grown]
    if game == "value":
        bounds.append((p * grown + (1 - p) * fails) / (p * grown + 1 - p))
    return bounds


def _of_rho(amount: Rho, delta: AccountDelta, prior: float, game: Game) -> float:
    apart, rho = 2 * guess_bound_of_rho(amount) - 1, amount.nano / 1e9
    fails = float(delta.kept.as_fraction())
    if game == "presence":
        most = max(prior, 1 - prior)
        return most + (1 - most) * apart + fails
    bounds = [prior + apart]
    surprise = -math.log(prior)
    if surprise > rho:
        bounds.append(math.exp(-((math.sqrt(surprise) - math.sqrt(rho)) ** 2)))
    return min(bounds) + fails


def _up(probability: Decimal) -> int:
    with localcontext() as context:
        context.prec = _DIGITS
        return min(100, int((100 * probability).to_integral_value(ROUND_CEILING)))
