# SPDX-License-Identifier: Apache-2.0
"""The distribution of a figure's noise, whichever of the two additive mechanisms it comes from."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

from dpdesk.privacy.distributions import gaussian, laplace
from dpdesk.privacy.distributions.laplace import MISS, FloatVector
from dpdesk.privacy.noise.noise import Mechanism, Noise

_MODULES: dict[Mechanism, ModuleType] = {"laplace": laplace, "gaussian": gaussian}


@lru_cache(maxsize=4096)
def half_width(noise: Noise, miss: float = MISS) -> int:
    """The smallest whole w with P(|X| > w) <= miss."""
    result: int = _MODULES[noise.mechanism].half_width(noise.scale, miss)
    return result


def tail(width: int, noise: Noise) -> float:
    """P(|X| > width), never understated."""
    result: float = _MODULES[noise.mechanism].tail(width, noise.scale)
    return result


def within(low: FloatVector, high: FloatVector, noise: Noise) -> FloatVector:
    """P(low <= X <= high) elementwise, for real ends of one shape with low <= high, in quanta."""
    vector: FloatVector = _MODULES[noise.mechanism].within(low, high, noise.scale)
    return vector


def curve(noise: Noise, reach: float, points: int = 201) -> tuple[FloatVector, FloatVector]:
    """The envelope of the probabilities over ``-reach..reach``, in quanta.

    Returns:
        Positions and densities, both of shape ``(points,)``.
    """
    result: tuple[FloatVector, FloatVector] = _MODULES[noise.mechanism].curve(
        noise.scale, reach, points
    )
    return result
