# SPDX-License-Identifier: Apache-2.0
"""From a share of the budget to a scale that never costs more than the share."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

from dpdesk.privacy.door import laplace_loss
from dpdesk.study.amount import Epsilon


@lru_cache(maxsize=8192)
def laplace_scale(sensitivity: int, share: Epsilon) -> float:
    """The smallest float scale, or the next few above it, whose loss is within the share.

    Claim: ``laplace_loss(sensitivity, scale) <= share`` exactly, as rationals. Why: it is
    checked with OpenDP's own map before it is returned; sensitivity / share in floating point
    exceeds the share by one unit in the last place in half of all cases.

    Args:
        sensitivity: L1 sensitivity in quanta, positive.
        share: the budget of this draw, positive.
    """
    most = share.as_fraction()
    scale = float(Fraction(sensitivity) / most)
    while Fraction(laplace_loss(sensitivity, scale)) > most:
        scale = math.nextafter(scale, math.inf)
    return scale


def halves(share: Epsilon) -> tuple[Epsilon, Epsilon]:
    """Split a share in two that add up to it; the first is the larger by at most a millionth."""
    second = Epsilon(share.micro // 2)
    return share - second, second
