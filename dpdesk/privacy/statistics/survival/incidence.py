# SPDX-License-Identifier: Apache-2.0
r"""Cumulative incidence: of several kinds of event, how many have had each of them so far.

Each counted row lies in one time bin, with an event of one kind or censored, so what is drawn is
one histogram: rows by group, bin and kind. Claim (sensitivity): that of ``survival`` over the
(K + 1) b G cells of K kinds; L1 is 1 under add-remove and 2 under change-one for people, whose row
leaves one cell and enters another one.

Which kinds there are is declared, in one order whatever way the question is spelled, so that a
stored answer is that of the same cells. How the incidences follow is in ``curve``, how far they may
be off in ``incidence_band``: post-processing of what was drawn.

Published figures of a group are rounded down to the same digits: so they rise from bin to bin, and
those of all kinds together stay at 1 at most, as they do before rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics.base import Noisy, PlannedNoisy, PublishedColumn, measure_of
from dpdesk.privacy.statistics.figures_text import NOTHING, Figure, fixed, rounding_digits
from dpdesk.privacy.statistics.survival import band as bands
from dpdesk.privacy.statistics.survival.incidence_band import IncidenceBand
from dpdesk.privacy.statistics.survival.survival import (
    Survival,
    after_entry,
    band_of,
    kinds,
    population_ends,
)
from dpdesk.study.model.aggregate_spec import AggregateSpec

MOST_DIGITS = 6
"""Where there is no noise to speak of."""
NEARLY = Fraction(1, 10**9)
"""Of the last digit: the kinds of a group together do not reach another one by that."""


class CumulativeIncidence(Survival):
    """Of each kind of event the share that has had it at the end of each bin, with its counts."""

    def measure(self, question: Question) -> AggregateSpec:
        """Rows of each cell, those without an event first, then those of each kind."""
        after = after_entry(question)
        return measure_of(question, "rows", split=question.has, splits_values=True, after=after)

    def inner(self, question: Question) -> tuple[str, ...]:
        """Each line says of which kind, and up to when."""
        return ("kind", "up_to")

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """Of each kind the last value of every bin."""
        ends = super().inner_labels(question)
        return tuple((kind, *end) for kind in kinds_of(question) for end in ends)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """The incidence with its band, what it is made of, and the noisy counts."""
        _value, *others = super().heads(plan)
        return (PublishedColumn("incidence", "value"), *others)

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """Each incidence at each bin's end, with a margin of its own."""
        found: list[Figure | None] = []
        for band in incidence_bands(plan, noisy, cell):
            sure = band.sure(miss / band.bins)
            turned = [_turned(band.around(bin, miss)) for bin in range(sure)]
            found += [_figure(band, bin, ends) for bin, ends in enumerate(turned)]
            found += [None] * (band.bins - sure)
        return tuple(found)

    def population(
        self,
        plan: QueryPlan,
        noisy: Noisy,
        spread: PlannedNoisy | None = None,
        miss: float = MISS,
    ) -> Iterator[Ends | None]:
        """Of the probability to have had such an event by then, at each time by itself."""
        for cell in range(len(plan.cells)):
            for band in incidence_bands(plan, noisy, cell):
                for ends in population_ends(band, miss):
                    yield None if ends is None else (1 - ends[1], 1 - ends[0])

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a kind and bin; no incidence where the curve has no value."""
        for cell in range(len(plan.cells)):
            made = incidence_bands(plan, noisy, cell)
            ends = [band.incidence_ends(MISS / len(made)) for band in made]
            figures = [
                [_figure(band, bin, pair) for bin, pair in enumerate(pairs)]
                for band, pairs in zip(made, ends, strict=True)
            ]
            digits = _digits([one for line in figures for one in line if one is not None])
            for band, pairs, line in zip(made, ends, figures, strict=True):
                for bin, (figure, pair) in enumerate(zip(line, pairs, strict=True)):
                    texts = NOTHING if figure is None else _texts(figure, pair, digits)
                    yield (*texts, *_counts(band, bin))


def kinds_of(question: Question) -> tuple[str, ...]:
    """The names of the kinds, in the order in which they are counted."""
    (condition,) = question.has
    values: tuple[str, ...] = condition.values
    return values


def incidence_bands(plan: QueryPlan, noisy: Noisy, cell: int) -> tuple[IncidenceBand, ...]:
    """The band of each kind of event in one cell."""
    whole = band_of(plan, noisy, cell)
    return tuple(IncidenceBand(whole, kind) for kind in range(kinds(plan)))


def _turned(ends: bands.Ends) -> bands.Ends:
    """Of the part without the event that with it."""
    return 1 - ends[1], 1 - ends[0]


def _figure(band: IncidenceBand, bin: int, ends: bands.Ends) -> Figure | None:
    """The incidence at the end of a bin; ``None`` where it has none there.

    It keeps its place among the others of its group, so that ends which it lies beyond are widened.
    """
    if not band.curve.has_value(bin):
        return None
    value, low, high = map(Fraction, (float(band.shown[bin]), *ends))
    return Figure(value, max(value - low, high - value, Fraction(0)))


def _digits(figures: Sequence[Figure]) -> int:
    """To two digits of the smallest margin."""
    found = [rounding_digits(one.half_width) for one in figures if one.half_width]
    return min(max(found, default=MOST_DIGITS), MOST_DIGITS)


def _texts(figure: Figure, ends: bands.Ends, digits: int) -> tuple[str, str, str, str]:
    """Incidence, margin and range; the figure rounded down, its ends outwards."""
    unit = 10**digits
    value, low, high = (Fraction(one) * unit for one in (figure.value, *ends))
    near = down(value)
    first, last = min(near, math.floor(low)), max(near, math.ceil(high))
    wholes = (near, max(near - first, last - near), max(first, 0), min(last, unit))
    one, margin, lowest, highest = (fixed(whole, digits) for whole in wholes)
    return one, margin, lowest, highest


def down(value: Fraction) -> int:
    """A figure in units of its last digit, rounded down; one that is as near to a whole has it."""
    return math.floor(value + NEARLY)


def _counts(band: IncidenceBand, bin: int) -> Iterator[str]:
    """At risk, events of the kind and censored; then both as they were drawn."""
    curve, kind, noisy = band.curve, band.kind, band.drawn
    start = curve.size * bin
    yield from map(str, (band.at_risk(bin), *band.entered_in(bin)))
    yield from map(str, (curve.events(bin, kind), curve.censored(bin)))
    yield from map(str, (noisy[start + kind], noisy[start + curve.kinds]))
