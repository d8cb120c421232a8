# SPDX-License-Identifier: Apache-2.0
"""An exact test of a privacy claim by guessing which of two neighbours was released.

If a release is epsilon-DP, a guess of a fair coin from its output is right with probability at
most q = e^eps / (1 + e^eps), whatever the output, and this also holds for each guess that is not
abstained from. The number of right guesses among r is then dominated by Binomial(r, q), so
p = P[Bin(r, q) >= right] is an exact p-value: no estimate, no asymptotics.

Source: Steinke, Nasr and Jagielski, Privacy auditing with one (1) training run (2023), theorem
5.2 with independent coins; Kairouz, Oh and Viswanath (2015) for the bound.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scipy.stats import binom

ALPHA = 1e-8
"""An honest program fails one audit with at most this probability."""

SURE = 0.9
"""Guesses are made where the ratio is at least this part of the claim: few, and nearly as often
right as the claim allows. With this, 4,000 coins show 1.5 times the claim for every statistic."""

TOO_LOW = 1.5
"""The true epsilon, in parts of the claim that a control must refute."""


@dataclass(frozen=True)
class Audit:
    """What an audit found."""

    runs: int
    guesses: int
    right: int
    p: float

    @property
    def caught(self) -> bool:
        """Whether the claim is refuted."""
        return self.p < ALPHA


def guess_audit(
    weigh: Callable[[Sequence[bool]], Sequence[float]], claim: float, n: int, sure: float = SURE
) -> Audit:
    """Toss coins, release, guess from the log-likelihood ratios, count.

    Args:
        weigh: for each coin draws from the neighbour that it names, and returns the
            log-likelihood ratio of what came out (positive: likelier with the person). Coins
            whose neighbours share a draw must not share a cell.
        claim: epsilon as declared.
        n: number of coins.
        sure: see ``SURE``.
    """
    tossed = coins(n)
    return judge(weigh(tossed), tossed, claim, sure)


def judge(
    ratios: Sequence[float], tossed: Sequence[bool], claim: float, sure: float = SURE
) -> Audit:
    """Judge a claim by the guesses that log-likelihood ratios make of as many coins."""
    pairs = zip(ratios, tossed, strict=True)
    right = [(ratio > 0) == coin for ratio, coin in pairs if abs(ratio) >= sure * claim]
    return Audit(len(tossed), len(right), sum(right), p_value(len(right), sum(right), claim))


def p_value(guesses: int, right: int, epsilon: float) -> float:
    """P[Bin(guesses, q) >= right]."""
    return float(binom.sf(right - 1, guesses, 1 / (1 + math.exp(-epsilon))))


def coins(number: int) -> list[bool]:
    """Fair coins from the operating system, never from what is audited."""
    bits = secrets.randbits(number)
    return [bool(bits >> i & 1) for i in range(number)]
