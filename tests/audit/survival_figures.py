# SPDX-License-Identifier: Apache-2.0
"""What follows from survival curves moves with each number that was drawn as its margin says.

Each noisy count is raised by one, and how far a figure moves is seen: by nothing but the figure
itself. The range of noise is that of all these noises together, and no wider; the log-rank test
divides by their variance and by that of chance, both worked out here word for word.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.planning.survival import shares
from dpdesk.privacy.planning.survival.derived_figures import DerivedFigure, derived_figures
from dpdesk.privacy.planning.survival.incidence_figures import incidence_figures
from dpdesk.privacy.planning.survival.log_rank import log_rank
from dpdesk.privacy.reconcile import noise_sum
from dpdesk.privacy.statistics.survival.band import Band
from dpdesk.privacy.statistics.survival.curve import survival_curve
from dpdesk.privacy.statistics.survival.entry_band import EntryBand
from dpdesk.privacy.statistics.survival.incidence_band import IncidenceBand
from tests.privacy.statistics.survival.shapes import at_risk_of, entry_bins

MISS, SLACK = 0.05, 0.02
"""Second order, and steps of one instead of none, are less than this part of a range."""
ENDS, TIMES = (10.0, 20.0, 30.0, 40.0), (1, 3)
GROUPS = (
    (6_000, 2_000, 5_000, 1_500, 4_000, 1_000, 9_000, 12_000),
    (9_000, 3_000, 4_000, 1_000, 6_000, 2_000, 5_000, 11_000),
)
"""Of each bin the events, then the censored."""
KINDS = tuple((*one, 3_000) for one in GROUPS)
"""Of each bin the events of two kinds, then the censored."""
LATE_KINDS = tuple((*one, *one[::-1]) for one in (one[:6] for one in KINDS))
"""Of each bin of entries, and in it of each time bin, the same."""
WIDE = (True, False, True, True)
"""Of each bin whether it holds several times."""
LATE = entry_bins((0, 1), 2, WIDE[:2])
"""The two bins of entries are those of the time."""
NOISE = Noise("laplace", 40.0)
SMALLEST = 1e-9
SAMPLES, OF_SAMPLES = 800, 0.12
"""A deviation of so many is further off but once in 100,000."""
Groups = tuple[tuple[int, ...], ...]


def survival_findings(_folder: Path) -> Iterator[str]:
    """What is not as the drawn numbers have it."""
    for total in (None, sum(GROUPS[0]) + 50):
        yield from _ranges(GROUPS, lambda groups, total=total: _figures(groups, total))  # type: ignore[misc]
        yield from _test(total)
    yield from _ranges(GROUPS, _late)
    yield from _vanishing()
    yield from _entering()
    for total in (None, sum(KINDS[0]) + 50):
        yield from _ranges(KINDS, lambda groups, total=total: _incidences(groups, total))  # type: ignore[misc]
    yield from _ranges(LATE_KINDS, _late_incidences)
    yield from _chance()
    yield from _wilson()


def _bands(groups: Groups, total: int | None) -> list[Band]:
    curves = [survival_curve(one, total, 1, WIDE) for one in groups]
    return [
        Band(NOISE, one, curve, total is not None)
        for one, curve in zip(groups, curves, strict=True)
    ]


def _figures(groups: Groups, total: int | None) -> list[DerivedFigure]:
    return [*derived_figures(_bands(groups, total), ENDS, 0.0, TIMES, MISS)]


def _late(groups: Groups) -> list[DerivedFigure]:
    """Of two bins of entries, each with two time bins; some enter after their last bin."""
    bands = [EntryBand(NOISE, one, LATE, keeps_late=True) for one in groups]
    return [*derived_figures(bands, ENDS[:2], 0.0, (0, 1), MISS)]


def _vanishing() -> Iterator[str]:
    """Of stays on a calendar nearly all end in each of many bins, and as many begin."""
    bins = range(20)
    noisy = tuple(n * (begin == bin) for begin in bins for bin in bins for n in (30_000, 9_000))
    band = EntryBand(NOISE, noisy, entry_bins(tuple(bins), 20), keeps_late=False)
    if min(band.shares[: band.sure(MISS)], default=0.0) < SMALLEST:
        yield "a share that is nothing is called sure"


def _entering() -> Iterator[str]:
    """Rows that enter within a bin are at risk for a part of it; see ``at_risk_of``."""
    entries, bins = entry_bins((0, 1, 2), 3, (True,) * 3), range(3)
    for place in range(18):
        one = tuple(int(place == other) for other in range(18))
        found = EntryBand(NOISE, one, entries, keeps_late=True).chain[::2]
        entry, exit, way = place // 6, place // 2 % 3, place % 2
        half = 0.5 if way and exit < 2 else 1.0
        exact = [
            float(at_risk_of(entries, entry, exit, bin, True)) * (half if bin == exit else 1.0)
            for bin in bins
        ]
        if abs(found - exact).max() > SMALLEST:
            yield f"a row of entry {entry} and exit {exit} is at risk {found}, {exact} is right"


def _incidences(groups: Groups, total: int | None) -> list[DerivedFigure]:
    """Of two kinds of event in three bins."""
    curves = [survival_curve(one, total, 2, WIDE[:3]) for one in groups]
    wholes = [
        Band(NOISE, one, curve, total is not None)
        for one, curve in zip(groups, curves, strict=True)
    ]
    return [*incidence_figures(_by_kind(wholes), (0, 2), MISS)]


def _late_incidences(groups: Groups) -> list[DerivedFigure]:
    """Of two kinds of event, two bins of entries, each with two time bins."""
    wholes = [EntryBand(NOISE, one, LATE, keeps_late=True, kinds=2) for one in groups]
    return [*incidence_figures(_by_kind(wholes), (0, 1), MISS)]


def _by_kind(wholes: Sequence[Band]) -> list[list[IncidenceBand]]:
    return [[IncidenceBand(whole, kind) for kind in (0, 1)] for whole in wholes]


def _chance() -> Iterator[str]:
    """Chance of an incidence, beside people that are drawn anew."""
    counts, dice = KINDS[0], np.random.default_rng(11)
    rates = np.array(counts) / sum(counts)
    whole = Band(NOISE, counts, survival_curve(counts, None, 2, WIDE[:3]), False)
    found = IncidenceBand(whole, 0)
    drawn = [tuple(map(int, dice.multinomial(sum(counts), rates))) for _ in range(SAMPLES)]
    curves = (survival_curve(one, None, 2, WIDE[:3]) for one in drawn)
    shares = [math.log(1 - curve.incidence(0)[2]) for curve in curves]
    if abs(found.chance(2) / float(np.std(shares)) - 1) > OF_SAMPLES:
        yield f"chance of an incidence: {found.chance(2)}, {np.std(shares)} is right"


def _wilson() -> Iterator[str]:
    """Ends of one bin without noise to speak of: Wilson's, and Newcombe's of a difference."""
    quiet, miss = Noise("laplace", 0.01), MISS * shares.PART
    square = NormalDist().inv_cdf(1 - miss / 2) ** 2
    parts, ends = [], []
    for had, people in ((12, 80), (40, 100)):
        share, middle = had / people, (had + square / 2) / (people + square)
        far = math.sqrt(square * (share * (1 - share) + square / people / 4) / people)
        parts.append(share)
        far /= 1 + square / people
        ends.append((middle - far, middle + far))
    below, above = (
        math.hypot(parts[0] - ends[0][side], parts[1] - ends[1][1 - side]) for side in (0, 1)
    )
    difference = parts[0] - parts[1]
    exact = (ends[1], ends[0], (difference - below, difference + above))
    bands = [
        Band(quiet, one, survival_curve(one, None, 2), False)
        for one in ((40, 30, 30), (12, 20, 48))
    ]
    figures = [*incidence_figures(_by_kind(bands), (0,), MISS)]
    found = (figures[0].chance, figures[2].chance, figures[4].chance)
    for right, pair in zip(exact, found, strict=True):
        if pair is None or max(abs(a - b) for a, b in zip(right, pair, strict=True)) > 1e-3:
            yield f"noise and chance of an incidence: {pair}, {right} is right"


def _ranges(groups: Groups, figures: Callable[[Groups], list[DerivedFigure]]) -> Iterator[str]:
    for place, figure in enumerate(figures(groups)):
        if figure.name in ("median-time", "log-rank") or figure.noise is None:
            continue
        weights = _moves(groups, lambda moved, at=place: figures(moved)[at].value or 0.0)  # type: ignore[misc]
        terms = tuple((NOISE, float(abs(weight)), 1) for weight in weights if weight)
        # A part of what may miss is kept for what is of second order.
        exact = 2 * float(noise_sum.half_width(terms, MISS * shares.PART))
        width = figure.noise[1] - figure.noise[0]
        if abs(width / exact - 1) > SLACK:
            yield f"{figure.name} of {figure.groups}: {width} wide, {exact} is right"
        if figure.chance is None or figure.chance[1] - figure.chance[0] <= width:
            yield f"{figure.name} of {figure.groups}: chance adds nothing"


def _moves(drawn: Groups, figure: Callable[[Groups], float]) -> list[float]:
    """How far one more of each drawn number moves a figure."""
    now, moved = figure(drawn), []
    for group, counts in enumerate(drawn):
        for place in range(len(counts)):
            raised = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
            groups = tuple(raised if at == group else one for at, one in enumerate(drawn))
            moved.append(figure(groups) - now)
    return moved


def _test(total: int | None) -> Iterator[str]:
    """Chi-squared of one degree of freedom, word for word."""
    found = log_rank(_bands(GROUPS, total), MISS)
    moved, chance = _by_persons(GROUPS, total)
    weights = np.array(_moves(GROUPS, lambda groups: _by_persons(groups, total)[0]))
    p = np.exp(-1 / NOISE.scale)
    exact = moved**2 / (chance + float(weights @ weights) * 2 * p / (1 - p) ** 2)
    if found is None or abs(found.chi_squared / exact - 1) > SLACK:
        yield f"log-rank: {found}, {exact} is right"


def _by_persons(groups: Groups, total: int | None) -> tuple[float, float]:
    """How many more events the first group had than its share, and the variance of that."""
    kept = [np.array(one, dtype=float) for one in groups]
    if total is not None:
        # All counts are far above 0, so those that add up are moved alike.
        kept = [one + (total - one.sum()) / len(one) for one in kept]
    moved = spread = 0.0
    left = [one.sum() for one in kept]
    for bin, place in enumerate(range(0, len(groups[0]), 2)):
        away = 0.5 * (WIDE[bin] and bin < len(WIDE) - 1)
        exposed = [a - away * one[place + 1] for a, one in zip(left, kept, strict=True)]
        n, d = sum(exposed), sum(one[place] for one in kept)
        moved += kept[0][place] - exposed[0] * d / n
        spread += d * (n - d) / (n - 1) * exposed[0] / n * exposed[1] / n
        left = [a - one[place] - one[place + 1] for a, one in zip(left, kept, strict=True)]
    return moved, spread
