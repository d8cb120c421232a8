# SPDX-License-Identifier: Apache-2.0
r"""Choosing the best of d candidates: who is chosen how often, and how far below the best.

Scores are whole numbers, higher is better. ``scale`` is what OpenDP's ``make_noisy_max`` and
``make_noisy_top_k`` call so. There are two ways to choose:

``exponential``: permute and flip, which is the largest of score plus exponential noise
(``max_divergence``). ``gumbel``: the exponential mechanism, which is the largest of score plus
Gumbel noise (``zero_concentrated_divergence``): P(i) proportional to exp(score_i / scale).

Several are chosen one after the other, each from those that are left ("peeling").

Claims, for every vector of whole scores:

*One choice.* P(best score - chosen score > q) is at most ``miss_chance``, and equals it where
d - 1 candidates tie at q + 1 below the one best. Why, for Gumbel: it is A / (A + G), where G >= 1
is the weight, relative to the best, of those within q and A the weight of the others; it grows
with A and falls with G; A is at most (d - 1) exp(-(q + 1) / scale). Why, for permute and flip:
give every candidate a uniform time; with the chances p to be accepted, the chance that one within
q is chosen is the mean, over the time t at which the first of those within q is accepted, of the
product of 1 - t p over the others. That falls with every other p and every other candidate, and
it falls where t comes later; t comes latest where the best is alone, and is then uniform. So the
failure is 1 - (1 - (1 - p)^d) / (d p) with p = exp(-(q + 1) / scale). It is never above Gumbel's.

*Several choices.* With chance 1 - miss, no candidate left out is more than q above a chosen one.
Why: if each choice is within q of the best then left, that follows; given all before, choice r
of d - r candidates fails with at most ``miss_chance`` of this many, so all hold with at least the
product of the complements.

Sources: McKenna and Sheldon, Permute-and-flip (2020); Ding, Kifer, Steinke and others, The
permute-and-flip mechanism is identical to report-noisy-max with exponential noise (2021); Dwork
and Roth, The algorithmic foundations of differential privacy (2014), theorem 3.11, whose bound
scale * ln(d / miss) is never below the one here; Durfee and Rogers (2019) for peeling.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.distributions.laplace import MISS

FloatVector = npt.NDArray[np.float64]
SelectionNoise = Literal["exponential", "gumbel"]

SLACK = 1e-12
"""What is added to a chance, as a part of it, for the rounding of floating point."""


@lru_cache(maxsize=1)
def _rule() -> tuple[FloatVector, FloatVector]:
    """Nodes and weights of Gauss and Legendre's rule.

    Made when a choice is asked for: to load numpy's polynomials takes a twentieth of a plan.
    """
    nodes, weights = np.polynomial.legendre.leggauss(64)
    return nodes, weights


def gumbel(scores: Sequence[int], scale: float) -> FloatVector:
    """The chance of each candidate under Gumbel noise: the exponential mechanism.

    Args:
        scores: exact scores of the candidates, one or more.
        scale: scale of the noise, in points of score; positive.

    Returns:
        Chances that sum to 1, shape ``(len(scores),)``.
    """
    weights = _acceptance(scores, scale)
    result: FloatVector = weights / weights.sum()
    return result


def permute_and_flip(scores: Sequence[int], scale: float) -> FloatVector:
    """The chance of each candidate under exponential noise.

    P(i) = p_i times the integral over t from 0 to 1 of the product of 1 - t p_j over the others
    (each candidate at a uniform time, accepted with p_j = exp(-gap_j / scale)). The integrand is
    a polynomial without sign changes; Gauss and Legendre's rule on halving intervals adds
    positive terms only and is exact to rounding. Arguments and result as in :func:`gumbel`.
    """
    p = _acceptance(scores, scale)
    total, (nodes, weights) = np.zeros_like(p), _rule()
    for start, length in _halving(p.size):
        times = start + length * (nodes + 1) / 2
        parts = length * weights / 2
        logs = np.log1p(-np.outer(p, times))
        total += np.exp(logs.sum(axis=0) - logs) @ parts
    result: FloatVector = p * total
    return result


def chances(scores: Sequence[int], scale: float, way: SelectionNoise) -> FloatVector:
    """The chance of each candidate, either way; see :func:`gumbel`."""
    return gumbel(scores, scale) if way == "gumbel" else permute_and_flip(scores, scale)


def _acceptance(scores: Sequence[int], scale: float) -> FloatVector:
    """exp(-(best - score) / scale), from whole differences so that no digit is lost."""
    best = max(scores)
    result: FloatVector = np.exp(-np.array([(best - s) / scale for s in scores]))
    return result


def _halving(candidates: int) -> list[tuple[float, float]]:
    """Intervals that cover 0 to 1, halving towards 0 until one candidate in all is expected."""
    halvings = max(0, math.ceil(math.log2(candidates)) - 3)
    starts = [2.0**-k for k in range(1, halvings + 1)]
    return [(0.0, 2.0**-halvings), *((s, s) for s in starts)]


def miss_chance(candidates: int, scale: float, short: int, way: SelectionNoise) -> float:
    """The largest P(best score - chosen score > short) over all score vectors.

    Never below the truth, unless that is below 10^-300: ``SLACK`` is added. See the claim at
    the head of the module.

    Args:
        candidates: how many there are, one or more.
        scale: scale of the noise, positive.
        short: whole number of points that the choice may fall short, 0 or more.
        way: the noise.
    """
    p = math.exp(-(short + 1) / scale)
    chance = _gumbel_miss(candidates, p) if way == "gumbel" else _flip_miss(candidates, p)
    return min(1.0, chance * (1 + SLACK))


def _gumbel_miss(candidates: int, p: float) -> float:
    others = (candidates - 1) * p
    return others / (1 + others)


def _flip_miss(candidates: int, p: float) -> float:
    """1 - (1 - (1 - p)^d) / (d p), as it stands where that loses no digits."""
    if candidates * p > 1:
        spared = -math.expm1(candidates * math.log1p(-p)) if p < 1 else 1.0
        return 1 - spared / (candidates * p)
    nodes, weights = _rule()
    times = (nodes + 1) / 2
    missed = -np.expm1((candidates - 1) * np.log1p(-p * times))
    return float(missed @ weights) / 2


def score_bound(candidates: int, scale: float, way: SelectionNoise, miss: float = MISS) -> int:
    """The smallest whole q with P(best score - chosen score > q) <= miss, whatever the scores.

    Args:
        candidates: how many there are, one or more.
        scale: scale of the noise, in points of score.
        way: the noise.
        miss: probability that the choice may fall shorter.
    """
    return top_bound(candidates, scale, 1, way, miss)


@lru_cache(maxsize=1024)
def top_bound(
    candidates: int, scale: float, count: int, way: SelectionNoise, miss: float = MISS
) -> int:
    """The smallest whole q for which the claim on several choices gives ``miss``.

    With chance at least 1 - miss, no candidate left out is more than q above a chosen one. For
    one choice it is the smallest q there is; for several it may be wider than need be.
    """
    low, high = -1, math.ceil(scale * math.log(2 * count * candidates / miss)) + 1
    while high - low > 1:
        middle = (low + high) // 2
        held = _any_miss(candidates, scale, count, middle, way) <= miss
        low, high = (low, middle) if held else (middle, high)
    return high


def _any_miss(candidates: int, scale: float, count: int, short: int, way: SelectionNoise) -> float:
    """1 - the product of the chances that each choice holds; of the first alone, itself.

    None of them is 1: a choice among fewer than 10^11 candidates never fails for sure.
    """
    sizes = range(candidates, max(candidates - count, 0), -1)
    each = [miss_chance(size, scale, short, way) for size in sizes]
    if len(each) == 1:
        return each[0]
    return -math.expm1(math.fsum(math.log1p(-m) for m in each)) * (1 + SLACK)
