# SPDX-License-Identifier: Apache-2.0
"""Exact counts of events and of censored by time bin, and the curve of Kaplan and Meier."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from dpdesk.privacy.statistics.survival.entry_band import EntryBins

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


def entry_bins(begins: Counts, bins: int, wide: Wide = (), times: int = 4) -> EntryBins:
    """Bins of entries beside time bins of some times, or of one; the last ends with the time."""
    ends = [0]
    for bin in range(bins):
        ends.append(ends[-1] + (times if wide and wide[bin] else 1))
    return EntryBins(begins, bins, tuple((a, b - 1) for a, b in pairwise(ends)))


@cache
def part_at_risk(entries: EntryBins, entry: int, exit: int, bin: int) -> Fraction:
    """Which part of a time bin's times is behind an entry, over all pairs of entry and exit."""
    spans, begins = entries.spans, (*entries.begins, entries.behind)
    if entry == 0 or begins[entry + 1] <= bin:
        return Fraction(1)
    enters = range(spans[begins[entry]][0], spans[begins[entry + 1] - 1][1] + 1)
    leaves, times = (range(spans[one][0], spans[one][1] + 1) for one in (exit, bin))
    pairs = [(a, b) for a in enters for b in leaves if a < b]
    there = sum(time > a for a, _b in pairs for time in times)
    return Fraction(there, len(pairs) * len(times)) if pairs else Fraction(1)


def at_risk_of(
    entries: EntryBins, entry: int, exit: int, bin: int, keeps_late: bool = False
) -> Fraction:
    """How far a row is at risk in a bin, however it leaves."""
    if entries.begins[entry] > exit:
        return Fraction(int(keeps_late and bin == exit))
    is_there = entries.begins[entry] <= bin <= exit
    return part_at_risk(entries, entry, exit, bin) if is_there else Fraction(0)


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


@dataclass(frozen=True)
class Made:
    """Made-up people: Weibull times to the event, exponential times to being censored, in bins."""

    people: int
    bins: int
    typical: float
    censored: float
    shape: float = 1.0

    @property
    def times(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
        """How long each is there, and whether the event ends it."""
        chance = np.random.default_rng(7)
        times = self.typical * chance.weibull(self.shape, self.people)
        ends = chance.exponential(self.censored, self.people)
        within = np.minimum(np.minimum(times, ends), self.bins - 0.001)
        return within, (times <= ends) & (times < self.bins)

    @property
    def counts(self) -> Counts:
        """Of each bin."""
        times, has = self.times
        events, others = (
            np.bincount(times[which].astype(int), minlength=self.bins) for which in (has, ~has)
        )
        return interleaved(tuple(map(int, events)), tuple(map(int, others)))


MADE = {
    "many people": Made(5_000, 18, 8, 15, 1.2),
    "early events": Made(2_000, 18, 2, 30, 0.7),
    "late events": Made(1_000, 18, 25, 40, 3),
    "few people": Made(150, 5, 3, 6),
    "rare events": Made(3_000, 18, 400, 30),
    "mostly censored": Made(800, 12, 500, 4),
    "two bins": Made(400, 2, 1.5, 3),
    "nobody censored": Made(300, 8, 2, 1e9),
}
SHAPES: dict[str, Counts] = {
    "lung": LUNG,
    **{name: made.counts for name, made in MADE.items()},
    "a cliff": interleaved((0, 0, 90, 0, 0, 5), (0, 0, 0, 0, 0, 5)),
}
