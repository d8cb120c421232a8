# SPDX-License-Identifier: Apache-2.0
"""Bugs of what is said to be certain: margins of totals, of shares of them, of statistics."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy.distributions import moments, noise_distribution
from dpdesk.privacy.group_comparisons import compared, null_tables, released_cells
from dpdesk.privacy.group_comparisons.model_cells import ModelCells
from dpdesk.privacy.planning import differences
from dpdesk.privacy.planning.linear import coefficients
from dpdesk.privacy.planning.survival import derived_figures, incidence_figures, log_rank, shares
from dpdesk.privacy.reconcile import cross_totals
from dpdesk.privacy.reconcile.cross_totals import AddingTable
from dpdesk.privacy.running_counts.hierarchical_counts import Hierarchy
from dpdesk.privacy.statistics import distribution, share, variance
from dpdesk.privacy.statistics import mean as statistics_mean
from dpdesk.privacy.statistics.linear.moment_design import DrawnMoments
from dpdesk.privacy.statistics.survival import curve, entry_band
from dpdesk.privacy.statistics.survival.band import Band
from dpdesk.privacy.statistics.survival.entry_band import EntryBand
from dpdesk.privacy.statistics.survival.incidence_band import IncidenceBand
from tests.audit.bugs.planting import Bug, bug

MARGINS: list[Bug] = []


@bug(MARGINS, "a total is as certain as one of its cells", "totals")
def _(patch: pytest.MonkeyPatch) -> None:
    real = AddingTable._half_width
    patch.setattr(AddingTable, "_half_width", lambda self, kept, _cells: real(self, kept, 1))


@bug(MARGINS, "a total of consistent cells as if each had noise of its own", "totals")
def _(patch: pytest.MonkeyPatch) -> None:
    real = AddingTable._half_width

    def half_width(self: Any, kept: Any, cells: int) -> Fraction:
        return real(replace(self, consistent=None), kept, cells)

    patch.setattr(AddingTable, "_half_width", half_width)


@bug(MARGINS, "totals of cells that a public total holds together as if nothing did", "totals")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(cross_totals, "_projected", lambda noise, cells, _count: ((noise, 1.0, cells),))


@bug(MARGINS, "a change as certain as the first of its two totals", "totals")
def _(patch: pytest.MonkeyPatch) -> None:
    real = AddingTable.combined

    def combined(self: Any, plus: Any, minus: Any = ()) -> Any:
        total, first = real(self, plus, minus), real(self, plus)
        return total and first and replace(total, half_width=first.half_width)

    patch.setattr(AddingTable, "combined", combined)


@bug(MARGINS, "changes of cells that a public total holds together as if nothing did", "totals")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(AddingTable, "_is_independent", True)


@bug(MARGINS, "a share of a total as if that were exact", "totals")
def _(patch: pytest.MonkeyPatch) -> None:
    real = AddingTable._errors
    patch.setattr(AddingTable, "_errors", lambda self, parted, _share: real(self, parted, 0.0))


@bug(MARGINS, "a share of cells drawn alone as if their total were exact", "totals")
def _(patch: pytest.MonkeyPatch) -> None:
    def of_some(noise: Any, cells: int, _of: int, count: Fraction, total: Fraction) -> Any:
        off = cross_totals.sum_half_width(noise.mechanism, noise.scale, cells)
        return cross_totals.Figure(count / total, off / total)

    patch.setattr(cross_totals, "share_of_some", of_some)


@bug(MARGINS, "what rounding moved a total by is left out of its margin", "totals")
def _(patch: pytest.MonkeyPatch) -> None:
    def exact(self: Any, line: int) -> Fraction:
        return Fraction(self.published[line])

    patch.setattr(AddingTable, "_exact", exact)


@bug(MARGINS, "people who may be in several cells are added up", "totals")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(AddingTable, "adds_up", property(lambda self: len(self.plan.cells) > 1))


@bug(MARGINS, "a share's margin over rows of which some are counted twice", "margins")
def _(patch: pytest.MonkeyPatch) -> None:
    real = share.share_margin

    def margin(noise: Any, having: int, total: int, miss: float) -> Fraction:
        return real(noise, having, having + total, miss)

    patch.setattr(share, "share_margin", margin)


@bug(MARGINS, "a mean's margin as if it lay in the middle", "margins")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(moments, "_parts", lambda _interval: (moments.FINENESS // 2,) * 2)


@bug(MARGINS, "a variance's margin from one of its three sums", "margins")
def _(patch: pytest.MonkeyPatch) -> None:
    real = variance.moments.released_variance

    def of_one(how: Any, drawn: Any, miss: float) -> Any:
        found, n = real(how, drawn, miss), how.solved(drawn)
        off = Fraction(noise_distribution.half_width(how.noise, miss), how.unit) * n[-1] / n[0]
        return found and replace(found, margin=off / 2 * how.last**2)

    patch.setattr(variance.moments, "released_variance", of_one)


@bug(MARGINS, "a standard deviation is as certain as half its variance", "margins")
def _(patch: pytest.MonkeyPatch) -> None:
    real = variance.root_texts

    def half(figure: Any, highest: Any) -> Any:
        return real(figure and replace(figure, half_width=figure.half_width / 2), highest)

    patch.setattr(variance, "root_texts", half)


@bug(MARGINS, "a share of bins as if each of its counts had one noise", "margins")
def _(patch: pytest.MonkeyPatch) -> None:
    real, two = distribution._share_width, Hierarchy(2, (1,))
    one_each = lambda noise, _tree, _bin, part: real(noise, two, 0, part)  # noqa: E731
    patch.setattr(distribution, "_share_width", one_each)


@bug(MARGINS, "a difference of counts is as certain as one of them", "margins")
def _(patch: pytest.MonkeyPatch) -> None:
    def one_alone(one: Any, _other: Any, miss: float) -> int:
        return noise_distribution.half_width(one, miss)

    patch.setattr(differences, "sum_half_width", one_alone)


@bug(MARGINS, "a difference of means is as certain as one of them", "margins")
def _(patch: pytest.MonkeyPatch) -> None:
    near = 2  # of the levels the one next to what the claim may miss
    patch.setattr(differences, "margin_of_both", lambda one, _other: one[near])


@bug(MARGINS, "an interval for the population holds the noise alone", "margins")
def _(patch: pytest.MonkeyPatch) -> None:
    def noise_alone(plan: Any, drawn: Any, _variance: Any, miss: float) -> Any:
        figure = statistics_mean.mean_figure(plan, drawn, miss)
        return figure and (figure.value - figure.half_width, figure.value + figure.half_width)

    patch.setattr(statistics_mean, "_of_population", noise_alone)


@bug(MARGINS, "a linear model whose columns are taken for exact", "linear")
def _(patch: pytest.MonkeyPatch) -> None:
    real = DrawnMoments.weights

    def weights(self: Any, left: Any, right: Any) -> Any:
        return real(self, left, np.append(np.zeros(len(right) - 1), right[-1]))

    patch.setattr(DrawnMoments, "weights", weights)


@bug(MARGINS, "a linear model of whose rows chance has no part", "linear")
def _(patch: pytest.MonkeyPatch) -> None:
    real = coefficients._ScoreOfMoments._ends
    patch.setattr(
        coefficients._ScoreOfMoments, "_ends", lambda self, value, _beside: real(self, value, 0.0)
    )


@bug(MARGINS, "a log-rank test as if the numbers had no noise", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(log_rank, "noise_variance", lambda _noise: 0.0)


@bug(MARGINS, "a log-rank test as if noise moved the events alone", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    real = log_rank._weights

    def weights(at_risk: Any, events: Any, group: int, band: Any) -> Any:
        found = real(at_risk, events, group, band)
        found[:, 1::2] = 0.0
        return found

    patch.setattr(log_rank, "_weights", weights)


@bug(MARGINS, "a difference of two curves as if the other one were exact", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    real = shares.half_width
    patch.setattr(shares, "half_width", lambda pairs, miss, far: real(pairs[:1], miss, far))


@bug(MARGINS, "noise and chance as if chance were none", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    real = derived_figures.half_width
    patch.setattr(derived_figures, "half_width", lambda pairs, miss, _far: real(pairs, miss, 0.0))


@bug(MARGINS, "a curve as certain as if everybody had entered at the start", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    def spread(band: Any, at_risk: Any, events: Any) -> Any:
        first = np.repeat(np.cumsum(at_risk, axis=-1), band.curve.size, axis=-1)
        first[..., :: band.curve.size] += events
        later = np.zeros((*first.shape[:-1], len(band.beside) - first.shape[-1]))
        return np.concatenate([first, later], axis=-1)

    patch.setattr(EntryBand, "spread", spread)


@bug(MARGINS, "who enters late is at risk from the start of a bin of entries", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    real = entry_band._members

    def members(*args: Any) -> Any:
        at_risk, left, there = real(*args)
        return np.where(at_risk > 0, np.where(at_risk == 0.5, 0.5, 1.0), 0.0), left, there

    patch.setattr(entry_band, "_members", members)


@bug(MARGINS, "who is censored in the last bin is at risk for half of it, too", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(curve, "halved_in", lambda wide, bins: wide or (False,) * bins)


@bug(MARGINS, "who is censored counts for half of a bin, and the noise in it for all", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    real = Band.spread

    def spread(band: Any, at_risk: Any, events: Any) -> Any:
        found = real(band, at_risk, events)
        found[..., band.curve.kinds :: band.curve.size] += band.halves * at_risk
        return found

    patch.setattr(Band, "spread", spread)


@bug(MARGINS, "a curve as sure as those at risk, however little is left of it", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(entry_band, "LEAST", 0.0)


@bug(MARGINS, "an incidence as if nobody had another kind of event before", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    def own_alone(band: Any, bin: int) -> Any:
        events = np.zeros(band.bins)
        events[: bin + 1] = band._before[: bin + 1] / band.chain[: 2 * bin + 2 : 2]
        moved = band.whole.of_kind(events, band.kind)
        return band.drawn_together(-moved / band.shares[bin])

    patch.setattr(IncidenceBand, "weights", own_alone)


@bug(MARGINS, "an incidence of those who enter late as if its own events were exact", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    real = EntryBand.of_kind
    patch.setattr(EntryBand, "of_kind", lambda band, events, kind: 0 * real(band, events, kind))


@bug(MARGINS, "an incidence near nothing as certain above it as below", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    def own(middle: float, _bare: float, part: float, _miss: float) -> tuple[float, float]:
        return (math.sqrt(part * middle * (1 - middle)),) * 2

    patch.setattr(shares, "_deviations", own)


@bug(MARGINS, "a difference of incidences by the wrong end of the other one", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    real = shares.difference

    def turned(one: Any, other: Any, miss: float) -> Any:
        ends = other and other.chance and other.chance[::-1]
        return real(one, other and replace(other, chance=ends), miss)

    patch.setattr(incidence_figures, "difference", turned)


@bug(MARGINS, "chance of an incidence as if its kind were the only one", "survival")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(IncidenceBand, "chance", Band.chance)


@bug(MARGINS, "a difference of two groups is as certain as the first of them", "comparisons")
def _(patch: pytest.MonkeyPatch) -> None:
    real = compared.contrast_ends

    def of_first(weights: Any, sides: Any) -> Any:
        value = float(sides[1].value)
        exact = replace(sides[1], low=sides[1].value, high=sides[1].value)
        return real(weights, (sides[0], exact)) if value >= 0 else real(weights, sides)

    patch.setattr(compared, "contrast_ends", of_first)


@bug(MARGINS, "groups that are alike differ by chance alone, not by the noise", "comparisons")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(null_tables, "_noise", lambda _noise, one, _other: 0 * one)


@bug(MARGINS, "effects of a model are as certain as if nothing had noise", "models")
def _(patch: pytest.MonkeyPatch) -> None:
    real = released_cells.released_cells

    def without_noise(answered: Any) -> Any:
        return replace(real(answered), noise_variance=lambda _weights: 0.0)

    patch.setattr(compared, "released_cells", without_noise)


@bug(MARGINS, "effects of a model are about these rows alone, without chance", "models")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ModelCells, "of_chance", lambda _cells, means: 0 * means)
