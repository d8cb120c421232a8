# SPDX-License-Identifier: Apache-2.0
"""How often each ordered choice of several candidates is made."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesk.privacy.distributions.selection import SelectionNoise, chances


def top_chances(
    scores: Sequence[int], scale: float, count: int, way: SelectionNoise
) -> dict[tuple[int, ...], float]:
    """The chance of every ordered choice of ``count`` candidates, by peeling.

    There are d (d - 1) ... of them: few candidates, therefore.
    """
    found: dict[tuple[int, ...], float] = {(): 1.0}
    for _ in range(count):
        found = {
            (*chosen, i): chance * float(step)
            for chosen, chance in found.items()
            for i, step in _from_the_rest(scores, scale, chosen, way)
        }
    return found


def _from_the_rest(
    scores: Sequence[int], scale: float, chosen: tuple[int, ...], way: SelectionNoise
) -> list[tuple[int, float]]:
    left = [i for i in range(len(scores)) if i not in chosen]
    return list(zip(left, chances([scores[i] for i in left], scale, way), strict=True))
