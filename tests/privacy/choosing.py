# SPDX-License-Identifier: Apache-2.0
"""Whether what was chosen, and how often, agrees with the exact chances."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping

import numpy as np

from dpdesk.exact import Exact
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from tests.audit.length import runs

ALPHA = 1e-9
"""With so much or less an honest program fails one comparison by bad luck."""

FIT = runs(short=1_500, full=20_000)
"""Draws of one fit: a slice tells a chance that is off by 0.05 apart, all of them one by 0.02."""


def drawn(
    scores: list[int], noise: Noise, sensitivity: int, times: int
) -> Counter[tuple[int, ...]]:
    """How often each ordered choice came through the real door, one block at a time."""
    exact, door = Exact(np.array(scores, np.int64)), OpenDPDoor()
    return Counter(door.draw("test", exact, noise, sensitivity) for _ in range(times))


def disagreement(seen: Mapping[Hashable, int], chances: Mapping[Hashable, float]) -> str:
    """What is wrong with how often each was seen; the empty text where nothing is.

    Each by itself must lie within as many standard deviations as bad luck allows with
    probability ``ALPHA`` in all (about six), and all together by chi-square.
    """
    times = sum(seen.values())
    if seen.keys() - chances.keys():
        return "something was chosen that cannot be"
    far = _deviations(ALPHA / len(chances))
    for which, chance in chances.items():
        expected, spread = times * chance, math.sqrt(times * chance * (1 - chance))
        if abs(seen.get(which, 0) - expected) > far * spread + far * far / 3:
            return f"{which}: seen {seen.get(which, 0)}, expected {expected:.1f}"
    squares = sum((seen.get(w, 0) - times * c) ** 2 / (times * c) for w, c in chances.items())
    tail = chi_square_tail(squares, len(chances) - 1)
    return f"chi-square {squares:.1f}" if tail < ALPHA else ""


def _deviations(miss: float) -> float:
    """The t with 2 exp(-t^2 / 2) = miss: Bernstein's bound, with t^2 / 3 for the other term."""
    return math.sqrt(2 * math.log(2 / miss))


def chi_square_tail(value: float, freedom: int) -> float:
    """P(chi-square of so many degrees of freedom > value).

    >>> round(chi_square_tail(3.841459, 1), 6), round(chi_square_tail(18.307038, 10), 6)
    (0.05, 0.05)
    """
    half = value / 2
    shape = 0.5 if freedom % 2 else 1.0
    tail = math.erfc(math.sqrt(half)) if freedom % 2 else math.exp(-half)
    while shape < freedom / 2:
        tail += math.exp(shape * math.log(half) - half - math.lgamma(shape + 1)) if half else 0
        shape += 1
    return tail
