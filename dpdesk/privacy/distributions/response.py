# SPDX-License-Identifier: Apache-2.0
r"""Randomised response: every row answers by itself, and tells the truth with probability p.

Claim: for n known rows, where neighbours differ in the answer of one row, the vector of answers
is ln(p / (1 - p))-DP. Why: each row's answer is at most p / (1 - p) times likelier under one
truth than under the other, and the other rows' answers do not depend on it (Warner, Randomized
response, 1965; Dwork and Roth, The algorithmic foundations of differential privacy, 2014).

If t rows are truly yes, the yeses that are said are Binomial(t, p) + Binomial(n - t, 1 - p).
Hence (yeses - n (1 - p)) / (2 p - 1) is t on average (Warner), with a variance of
n p (1 - p) / (2 p - 1)^2 whatever t is. The float p is taken as the binary fraction that it is.
"""

from __future__ import annotations

import math
from fractions import Fraction

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.response_error import half_width, parts
from dpdesk.study.model.amount import Epsilon

__all__ = [
    "estimate",
    "half_width",
    "interval",
    "loss",
    "truth",
]


def loss(truth: float) -> float:
    """ln(p / (1 - p)), never below it.

    1 - p is exact (Sterbenz), so that division and logarithm alone round, by far less than the
    four last places that are added.
    """
    parts(truth)
    said = math.log(truth / (1 - truth))
    return said + 4 * math.ulp(max(said, 1.0))


def truth(epsilon: Epsilon) -> float:
    """The probability of the truth whose ``loss`` is at most ``epsilon`` and next to it.

    Raises:
        ValueError: no budget, or one so large that hardly anyone would not tell the truth.
    """
    limit = epsilon.micro / 1e6
    result = 1 / (1 + math.exp(-limit))
    parts(result)
    while result > 0.5 and loss(result) > limit:
        result = math.nextafter(result, 0.0)
    parts(result)
    return result


def estimate(yeses: int, rows: int, truth: float) -> Fraction:
    """The unbiased count of true yeses, exact; it may lie outside 0..rows.

    Args:
        yeses: how many randomised answers were yes.
        rows: how many rows answered.
        truth: probability p of the truth, above one half and below one.
    """
    honest, whole = parts(truth)
    return Fraction(yeses * whole - rows * (whole - honest), 2 * honest - whole)


def interval(yeses: int, rows: int, truth: float, miss: float = MISS) -> tuple[int, int]:
    """Whole counts between which the true count lies with probability 1 - miss or more.

    The estimate moved into 0..rows, plus and minus the half-width, cut at 0 and rows. This
    holds for every true count: moving and cutting never take away a count of 0..rows that was
    within the half-width of the estimate.
    """
    middle = min(Fraction(rows), max(Fraction(0), estimate(yeses, rows, truth)))
    width = half_width(rows, truth, miss)
    return max(0, math.ceil(middle - width)), min(rows, math.floor(middle + width))
