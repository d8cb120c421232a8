# SPDX-License-Identifier: Apache-2.0
"""What a budget means: how right an attacker's guess about one person can become.

An attacker who holds a coin-toss belief (50 in 100) about a person, and sees everything that a
pure epsilon bought, is right with probability at most e^eps / (1 + e^eps) (Wasserman and Zhou,
A statistical framework for differential privacy, 2010; Kairouz, Oh and Viswanath, The
composition theorem for differential privacy, 2015). This holds whatever else the attacker knows.
"""

from __future__ import annotations

import math

from dpdesk.study.amount import Epsilon


def guess_bound(epsilon: Epsilon) -> float:
    """The highest probability of a right guess after starting from one half."""
    return 1.0 / (1.0 + math.exp(-epsilon.micro / 1e6))


def right_in_100(epsilon: Epsilon) -> int:
    """The bound as "at most n in 100 times", rounded up so that "at most" stays true.

    >>> right_in_100(Epsilon.of("1")), right_in_100(Epsilon(0))
    (74, 50)
    """
    return min(100, math.ceil(guess_bound(epsilon) * 100 - 1e-9))


def likelihood_ratio(epsilon: Epsilon) -> float:
    """e^eps: how much likelier any answer can be in one of two neighbouring worlds."""
    return math.exp(epsilon.micro / 1e6)
