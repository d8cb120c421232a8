# SPDX-License-Identifier: Apache-2.0
"""From a share of the budget to a scale that never costs more than the share."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from dpdesk.privacy.noise.door import loss
from dpdesk.privacy.noise.noise import SQUARED_NORMS, Noise
from dpdesk.study.model.amount import Measure, Rho, Share


@lru_cache(maxsize=8192)
def calibrated(noise: Noise, sensitivity: int, share: Share) -> Noise:
    """The same mechanism with the smallest float scale, or the next few above it, that pays.

    Claim: ``loss(result, sensitivity) <= share`` exactly, as rationals. Why: it is checked with
    OpenDP's own map before it is returned; sensitivity / share in floating point exceeds the
    share by one unit in the last place in half of all cases.

    Args:
        noise: the mechanism; its scale is not used, its measure is set to the share's.
        sensitivity: in the noise's norm, positive.
        share: the budget of this draw, positive.
    """
    measure: Measure = "rho" if isinstance(share, Rho) else "epsilon"
    noise = replace(noise, measure=measure, scale=1.0)
    if noise.mechanism == "randomised-response":
        return _truthful(noise, share)
    most = share.as_fraction()
    # The guess is a few floats off at most: each next one is asked of OpenDP until one pays.
    noise = replace(noise, scale=_first_guess(noise, sensitivity, most))
    while Fraction(loss(noise, sensitivity)) > most:
        noise = replace(noise, scale=math.nextafter(noise.scale, math.inf))
    return noise


def _first_guess(noise: Noise, sensitivity: int, most: Fraction) -> float:
    """The scale in real arithmetic: the loss is picks * distance / scale, or its half square."""
    # Scores that all move one way move two of them apart by one sensitivity, else by two.
    one_sided = 1 if noise.monotonic else 2
    if noise.mechanism == "gaussian":
        # rho = D^2 / (2 s^2), and the sensitivity is the square D^2 already.
        return math.sqrt(Fraction(sensitivity) / (2 * most))
    if noise.mechanism == "noisy-max" and noise.measure == "rho":
        # A pick whose scores move apart by d has rho (d / s)^2 / 8, and picks add.
        distance = math.sqrt(sensitivity) if noise.norm in SQUARED_NORMS else sensitivity
        reach = distance * one_sided / 2
        return reach * math.sqrt(noise.picks / (2 * most))
    if noise.mechanism == "noisy-max":
        return float(Fraction(sensitivity * one_sided * noise.picks) / most)
    # Laplace: epsilon = D / s, and rho = epsilon^2 / 2.
    return (
        sensitivity / math.sqrt(2 * most)
        if noise.measure == "rho"
        else float(Fraction(sensitivity) / most)
    )


def _truthful(noise: Noise, share: Share) -> Noise:
    """The largest probability of a true answer whose loss ln(p / (1 - p)) is within the share."""
    most = share.as_fraction()
    epsilon = math.sqrt(2 * most) if noise.measure == "rho" else float(most)
    # e^eps / (1 + e^eps), but never 1: that would be the truth for sure.
    noise = replace(noise, scale=min(1 / (1 + math.exp(-epsilon)), 1 - 2.0**-53))
    while Fraction(loss(noise, 1)) > most:
        noise = replace(noise, scale=math.nextafter(noise.scale, 0.0))
    return noise


def split(share: Share, weights: Sequence[int]) -> tuple[Share, ...]:
    """Parts of a share in the ratio of whole weights; they add up to it exactly.

    What whole units leave over goes to the first.

    >>> [str(part) for part in split(Rho(10), (1, 1, 1))]
    ['0.000000004', '0.000000003', '0.000000003']
    """
    total = sum(weights)
    rest = [type(share)(share.units * weight // total) for weight in weights[1:]]
    first = type(share)(share.units - sum(part.units for part in rest))
    return (first, *rest)
