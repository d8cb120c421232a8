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
from collections.abc import Callable
from dataclasses import dataclass

from scipy.stats import binom

ALPHA = 1e-8
"""An honest program fails one audit with at most this probability."""


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
    release: Callable[[bool], float], epsilon: float, runs: int, abstain: float = 0.6
) -> Audit:
    """Toss coins, release, guess from the log-likelihood ratio, count.

    Args:
        release: draws from the neighbour that the coin names and returns the log-likelihood
            ratio of what came out (positive: likelier with the person).
        epsilon: the claim.
        runs: number of coins.
        abstain: no guess where the ratio is below this part of epsilon.
    """
    guesses = right = 0
    for coin in coins(runs):
        ratio = release(coin)
        if abs(ratio) < abstain * epsilon:
            continue
        guesses += 1
        right += (ratio > 0) == coin
    return Audit(runs, guesses, right, p_value(guesses, right, epsilon))


def p_value(guesses: int, right: int, epsilon: float) -> float:
    """P[Bin(guesses, q) >= right]."""
    return float(binom.sf(right - 1, guesses, 1 / (1 + math.exp(-epsilon))))


def coins(number: int) -> list[bool]:
    """Fair coins from the operating system, never from what is audited."""
    bits = secrets.randbits(number)
    return [bool(bits >> i & 1) for i in range(number)]
