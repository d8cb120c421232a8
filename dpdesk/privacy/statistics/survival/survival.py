# SPDX-License-Identifier: Apache-2.0
r"""Survival: how many are still without an event at the end of each time bin.

Each counted row lies in one time bin, either with the event or censored, so what is drawn is one
histogram: rows by group, bin and event. Claim (sensitivity, k rows a person, G groups, b bins): it
is a count of rows over 2 b G cells, so its sensitivity is that of ``rows_sensitivity``; of people,
or with one row each, L1 and L2 are 1 under add-remove, and under change-one, where a row leaves one
cell and enters another, 2 and the root of 2. Attained by a person whose row changes its bin.
Of K kinds of event it is the same over (K + 1) b G cells: in each, too, a row lies once at most.
So it is where entry is delayed, over a times as many cells of a bins of entries: rows that are left
out as their entry is not before their time lie in none, which their own cells alone decide.

What becomes of the noisy counts is in ``curve``, how far the curve may be off in ``band``:
post-processing of what was drawn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import prod

import numpy as np

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import rows_sensitivity
from dpdesk.privacy.statistics.base import (
    Method,
    Noisy,
    PlannedNoisy,
    PublishedColumn,
    additive_part,
    measure_of,
    number_column,
)
from dpdesk.privacy.statistics.figures_text import NOTHING, Figure, fixed, rounding_digits
from dpdesk.privacy.statistics.survival.band import Band, half_width
from dpdesk.privacy.statistics.survival.curve import survival_curve
from dpdesk.privacy.statistics.survival.entry_band import EntryBand, EntryBins
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.groupings import Bins, bin_ends, bin_spans, wide_bins
from dpdesk.study.model.parameters import TimeToEventParameters
from dpdesk.study.model.queries import Query

FEWEST_EVENTS = 10
"""With fewer events nothing is said of chance: Greenwood's variance is then no good."""
BESIDE = 2.0
BAND_NAME = "curve_"
BAND = (
    PublishedColumn(f"{BAND_NAME}half_width_95", "half-width"),
    PublishedColumn(f"{BAND_NAME}lowest_95", "lowest"),
    PublishedColumn(f"{BAND_NAME}highest_95", "highest"),
)
"""Of all of a curve at once: what follows from it has ranges of single figures beside them."""


class Survival(Method):
    """The share that is still without the event at the end of each bin, with its counts."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """One histogram: of each bin the censored and the events, in every cell."""
        query, unit = question.query, question.unit
        own = query.parameters_as(TimeToEventParameters)
        exits, entries = Bins(query.column or "", own.edges), entries_of(query)
        measure = replace(self.measure(question), by=(*query.by, *entries, exits))
        sensitivity = rows_sensitivity(
            *(unit.max_rows, question.size, unit.neighbours, query.rows_per_group), split=True
        )
        parts = 1 + len(measure.split_into)
        bins = prod(len(one.edges) + 1 for one in (*entries, exits))
        cells = parts * bins * question.size
        return (additive_part("events", measure, cells, sensitivity, question.share, question),)

    def measure(self, question: Question) -> AggregateSpec:
        """Rows of each cell, those without the event apart from those with it."""
        own = question.query.parameters_as(TimeToEventParameters)
        return measure_of(question, "rows", split=own.has, after=after_entry(question))

    def in_one_form(self, question: Question) -> Question:
        """Times at which more is published are no part of what is drawn."""
        return replace(question, query=question.query.having(times=()))

    def inner(self, question: Question) -> tuple[str, ...]:
        """Each line says up to when."""
        return ("up_to",)

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """The last value of every bin."""
        edges = question.query.parameters_as(TimeToEventParameters).edges
        return tuple((end,) for end in bin_ends(number_column(question), edges))

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """Of a curve of that many rows, nobody censored: see ``band``."""
        rows = question.public_rows or question.query.expected
        return None if rows is None else widest(parts[0], question.size, MISS, rows)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of all of one group's curve."""
        return widest(plan.parts[0], len(plan.cells), miss, plan.rows_divided_by)

    def possible(self, plan: QueryPlan) -> Possible:
        """Any part of the whole."""
        return Possible(Fraction(0), Fraction(1))

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """The curve with its band, what it is made of, and the noisy counts."""
        entered = ("entered",) if entries_of(plan.query) else ()
        counts = ("at_risk", *entered, "events", "censored")
        drawn = ("noisy_events", "noisy_censored")
        return (
            PublishedColumn("survival", "value"),
            *BAND,
            *(PublishedColumn(name, "beside", has_unit=False) for name in counts),
            *(PublishedColumn(name, "part", has_unit=False) for name in drawn),
        )

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The curve at each bin's end, each with a margin of its own."""
        band = band_of(plan, noisy, cell)
        ends = [band.around(bin, miss) for bin in range(band.sure(miss / band.bins))]
        found = [_figure(band, bin, pair) for bin, pair in enumerate(ends)]
        return (*found, *[None] * (band.bins - len(found)))

    def population(
        self,
        plan: QueryPlan,
        noisy: Noisy,
        spread: PlannedNoisy | None = None,
        miss: float = MISS,
    ) -> Iterator[Ends | None]:
        """Of the probability to be without the event so long, at each time by itself."""
        for cell in range(len(plan.cells)):
            band = band_of(plan, noisy, cell)
            yield from population_ends(band, miss)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a bin; no survival where the curve has no value."""
        for cell in range(len(plan.cells)):
            band = band_of(plan, noisy, cell)
            curve = band.curve
            for bin, ends in enumerate(band.ends(MISS)):
                had = (curve.events(bin), curve.censored(bin))
                counts = (band.at_risk(bin), *band.entered_in(bin), *had)
                parts = band.drawn[2 * bin : 2 * bin + 2]
                yield (*_texts(_figure(band, bin, ends), ends), *map(str, counts), *map(str, parts))


def population_ends(band: Band, miss: float) -> Iterator[Ends | None]:
    """Of each bin between what the population's curve is; ``None`` where nothing is said.

    It is said more often where noise has made the number at risk large, and so the curve's last
    steps small. Half-widths are therefore larger by ``BESIDE`` times the noise beside those at
    risk: without that, where it was said in few releases it held in half of these at worst. Claim:
    it holds 95 times in 100. No proof: measured by ``each_time`` of ``python -m tests.acceptance
    publish``.
    """
    sure = band.sure(miss / band.bins)
    for bin in range(band.bins):
        if bin >= sure or band.events(bin) < FEWEST_EVENTS or not band.curve.has_value(bin):
            yield None
            continue
        wider = 1 + BESIDE * band.unsure(bin)
        low, high = band.around(bin, miss, band.chance(bin), wider)
        yield Fraction(low), Fraction(high)


def widest(part: Part, groups: int, miss: float, rows: int) -> Fraction:
    """The largest margin of a group's curves, nobody censored; see the heads of both bands."""
    counts, kinds = part.cells // groups, len(part.measure.split_into)
    exits = part.measure.by[-1]
    bins = len(exits.edges) + 1 if isinstance(exits, Bins) else 1
    width = half_width(part.noise, np.ones(counts), miss / (bins * kinds))
    return min(Fraction(width) / rows, Fraction(1))


def drawn(plan: QueryPlan, noisy: Noisy, cell: int) -> tuple[int, ...]:
    """A cell's noisy counts: of each bin the events, of every kind, then the censored."""
    size, parts = plan.parts[0].cells // len(plan.cells), 1 + kinds(plan)
    counts = noisy[0][cell * size : (cell + 1) * size]
    # Those without an event are drawn first.
    bins = (counts[start : start + parts] for start in range(0, size, parts))
    return tuple(count for censored, *events in bins for count in (*events, censored))


def entries_of(query: Query) -> tuple[Bins, ...]:
    """The bins of entries; none where all rows are there from the start."""
    own = query.parameters_as(TimeToEventParameters)
    return () if own.entry is None else (Bins(own.entry, own.entry_edges),)


def after_entry(question: Question) -> str | None:
    """The entry that a row's time must be behind for it to count; ``None`` where all count."""
    own = question.query.parameters_as(TimeToEventParameters)
    return own.entry if own.late == "leave-out" else None


def kinds(plan: QueryPlan) -> int:
    """Of how many kinds events are."""
    return len(plan.parts[0].measure.split_into)


def band_of(plan: QueryPlan, noisy: Noisy, cell: int) -> Band:
    """The band around the curve of one cell, of all kinds of event together."""
    noise, counts, rows = plan.parts[0].noise, drawn(plan, noisy, cell), plan.public_rows
    own, many = plan.query.parameters_as(TimeToEventParameters), kinds(plan)
    column = number_column(plan)
    if own.entry:
        entries = EntryBins(*_bins_of_entries(plan, own), bin_spans(column, own.edges))
        keeps_late = own.late == "last-bin"
        return EntryBand(noise, counts, entries, keeps_late=keeps_late, kinds=many)
    wide = wide_bins(column, own.edges)
    return Band(noise, counts, survival_curve(counts, rows, many, wide), rows is not None)


def _bins_of_entries(plan: QueryPlan, own: TimeToEventParameters) -> tuple[tuple[int, ...], int]:
    """With which time bins those of the entries begin, and the one behind the highest entry."""
    entry = next(one for one in plan.question.used if one.name == own.entry)
    upper = entry.upper if isinstance(entry, NumberColumn) else None
    begins = tuple(own.edges.index(edge) + 1 for edge in own.entry_edges)
    return (0, *begins), 1 + sum(upper is None or edge <= upper for edge in own.edges)


def _figure(band: Band, bin: int, ends: tuple[float, float]) -> Figure | None:
    """The curve at the end of a bin, within its band; ``None`` where it has none there."""
    if not band.curve.has_value(bin):
        return None
    low, high = map(Fraction, ends)
    value = min(max(Fraction(band.curve.survival[bin]), low), high)
    return Figure(value, max(value - low, high - value))


def _texts(figure: Figure | None, ends: tuple[float, float]) -> tuple[str, str, str, str]:
    """Survival, margin and range to two digits of the margin, rounded outwards."""
    if figure is None:
        return NOTHING
    digits = rounding_digits(figure.half_width)
    unit = 10**digits
    value, low, high = (Fraction(one) * unit for one in (figure.value, *ends))
    near, first, last = round(value), math.floor(low), math.ceil(high)
    wholes = (near, max(near - first, last - near), first, last)
    one, margin, lowest, highest = (fixed(whole, digits) for whole in wholes)
    return one, margin, lowest, highest
