# SPDX-License-Identifier: Apache-2.0
r"""The discrete Laplace distribution: tails, half-widths and the curve that is drawn.

P(X = x) = (1 - p) / (1 + p) * p^|x| with p = exp(-1/scale), on the integers. Summing the
geometric series gives P(|X| > w) = 2 p^(w+1) / (1 + p) for whole w >= 0.

Source: Inusah and Kozubowski, A discrete analogue of the Laplace distribution (2006);
Ghosh, Roughgarden and Sundararajan, Universally utility-maximizing privacy mechanisms (2009).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

FloatVector = npt.NDArray[np.float64]

MISS = 0.05
"""One minus the confidence of the margins that are shown: 95 times in 100."""


def tail(width: int, scale: float) -> float:
    """P(|X| > width) for a whole width >= 0."""
    return 1.0 if width < 0 else math.exp(_log_tail(width, scale))


def _log_tail(width: int, scale: float) -> float:
    """The logarithm of the tail, accurate for any scale.

    (1 + p) / 2 = 1 + expm1(-1/scale) / 2 keeps its digits where p is close to 1.
    """
    return -(width + 1) / scale - math.log1p(math.expm1(-1.0 / scale) / 2)


def half_width(scale: float, miss: float = MISS) -> int:
    """The smallest whole w with P(|X| > w) <= miss, exact for the discrete distribution.

    The logarithm of the tail is linear in w; the closed form is then checked against its
    neighbours, because rounding could put it one off.

    Args:
        scale: scale of the noise, in quanta; positive.
        miss: probability that may lie beyond.
    """
    bound = math.log(miss)
    offset = math.log1p(math.expm1(-1.0 / scale) / 2)
    width = max(0, math.ceil(-scale * (bound + offset)) - 1)
    while width > 0 and _log_tail(width - 1, scale) <= bound:
        width -= 1
    while _log_tail(width, scale) > bound:
        width += 1
    return width


def within(low: FloatVector, high: FloatVector, scale: float) -> FloatVector:
    """P(low <= X <= high) elementwise, for real ends with low <= high.

    Args:
        low: lower ends, in quanta.
        high: upper ends, of the same shape.
        scale: scale of the noise, in quanta; positive.
    """
    result: FloatVector = _below(np.floor(high), scale) - _below(np.ceil(low) - 1, scale)
    return result


def _below(whole: FloatVector, scale: float) -> FloatVector:
    """P(X <= whole), elementwise, for whole numbers."""
    weight = 1.0 / (2.0 + math.expm1(-1.0 / scale))
    left = weight * np.exp(np.minimum(whole, 0.0) / scale)
    right = 1.0 - weight * np.exp(-(np.maximum(whole, 0.0) + 1.0) / scale)
    result: FloatVector = np.where(whole < 0, left, right)
    return result


def curve(scale: float, reach: float, points: int = 201) -> tuple[FloatVector, FloatVector]:
    """The envelope of the probabilities over ``-reach..reach``, in quanta.

    Args:
        scale: scale of the noise.
        reach: how far to draw on either side.
        points: how many points; odd numbers put one on zero.

    Returns:
        Positions and densities, both of shape ``(points,)``. Between whole numbers the
        probabilities are joined by the same exponential.
    """
    x = np.linspace(-reach, reach, points)
    height = math.tanh(0.5 / scale)
    return x, height * np.exp(-np.abs(x) / scale)
