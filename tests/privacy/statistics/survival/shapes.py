# SPDX-License-Identifier: Apache-2.0
"""Exact counts of events and of censored by time bin, and the curve of Kaplan and Meier."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

Counts = tuple[int, ...]
Wide = tuple[bool, ...]

EACH_WIDTH = pytest.mark.parametrize("is_wide", [False, True], ids=["single times", "wide"])

LUNG_EVENTS = (17, 20, 26, 24, 14, 16, 9, 12, 5, 5, 6, 4, 4, 2, 1, 0, 0, 0)
LUNG_CENSORED = (0, 2, 4, 17, 13, 5, 6, 2, 3, 4, 0, 0, 1, 3, 0, 0, 2, 1)
"""228 people with lung cancer (Loprinzi and others, Journal of Clinical Oncology, 1994): deaths and
censored in each 60 days, the last day of a bin included."""


def interleaved(events: Counts, censored: Counts) -> Counts:
    return tuple(count for pair in zip(events, censored, strict=True) for count in pair)


LUNG = interleaved(LUNG_EVENTS, LUNG_CENSORED)


def mixed(bins: int, is_wide: bool = True) -> Wide:
    """Of each bin whether it holds several times: of two in three, or of none."""
    return tuple(bin % 3 != 1 for bin in range(bins)) if is_wide else ()


def halves(wide: Wide, bins: int) -> list[Fraction]:
    """What who is censored in a bin does not count of it: a half of wide ones, but the last."""
    return [Fraction(int(bool(wide) and wide[bin] and bin < bins - 1), 2) for bin in range(bins)]


def kaplan_meier(counts: Counts, wide: Wide = ()) -> list[float]:
    """Word for word: of those at risk, the part without the event, multiplied up."""
    at_risk, now, curve = sum(counts), Fraction(1), []
    away = halves(wide, len(counts) // 2)
    for events, censored, half in zip(counts[::2], counts[1::2], away, strict=True):
        exposed = at_risk - half * censored
        now *= (exposed - events) / exposed if exposed else 1
        curve.append(float(now))
        at_risk -= events + censored
    return curve


def made(people: int, bins: int, typical: float, censored: float, shape: float = 1.0) -> Counts:
    """Made-up people: Weibull times to the event, exponential times to being censored."""
    chance = np.random.default_rng(7)
    times, ends = typical * chance.weibull(shape, people), chance.exponential(censored, people)
    within = np.minimum(np.minimum(times, ends), bins - 0.001).astype(int)
    has = (times <= ends) & (times < bins)
    events, others = (np.bincount(within[which], minlength=bins) for which in (has, ~has))
    return interleaved(tuple(map(int, events)), tuple(map(int, others)))


SHAPES: dict[str, Counts] = {
    "lung": LUNG,
    "many people": made(5_000, 18, 8, 15, 1.2),
    "early events": made(2_000, 18, 2, 30, 0.7),
    "late events": made(1_000, 18, 25, 40, 3),
    "few people": made(150, 5, 3, 6),
    "rare events": made(3_000, 18, 400, 30),
    "mostly censored": made(800, 12, 500, 4),
    "two bins": made(400, 2, 1.5, 3),
    "nobody censored": made(300, 8, 2, 1e9),
    "a cliff": interleaved((0, 0, 90, 0, 0, 5), (0, 0, 0, 0, 0, 5)),
}
