# SPDX-License-Identifier: Apache-2.0
"""The difference between two released figures, and the margin of that difference.

Post-processing of what two releases drew and of public plans: it costs no budget, and anyone who
has both bundles can do it again. With e and l the exact figures, e + E and l + L the released ones,

    (l + L) - (e + E) - (l - e) = L - E,

so the margin of the difference is a bound on |L - E|, whatever e and l are.

Claim (one noise each, as in counts and sums): with q the half-width of the sum of both noises,
P(|L - E| > q) <= miss. Why: draws of different releases are independent, and the noise is
symmetric, so L - E is distributed as L + E. For noises of one scale and quantum q is that of two
equal noises (``weighted_sum``), exact but for the rounding to quanta; for two scales or quanta of
one mechanism it is that of their mixed sum (``mixed_sum``). For two mechanisms it is the margin of
the next claim. The noise is in whole quanta, so what lies behind the point of q is dropped where
both have one quantum.

Claim (figures that were made consistent with those of other tables, ``reconcile``): each error is a
weighted sum of noises, so L - E is one, too, and its half-width is that of ``noise_sum``. Where the
later release joined stored answers that the earlier one joined as well, the two sums share noises:
then it is the sum of both half-widths, each missed half as often, by the union of what both miss.

Claim (all others, as in means, shares and variances): with m1 and m2 the margins of both figures,
each for every miss, P(|L - E| > margin) <= miss for the margin of ``shared_miss``. Why: L and E are
independent, and ``shared_miss`` bounds the difference of two such errors by the part of its miss
that each margin has to one side, whatever else is true of them.

No sharper one is claimed for these. An exact one would need the distribution of
(X1 - mu1 Y1) / N1 - (X2 - mu2 Y2) / N2, with noisy counts N that the noises Y are part of: what
this is depends on the secret counts, and the bound for the worst of them is not known to us. Nor
is it for a mean over a public count: its figure is held within its bounds, and what that takes from
one error can add to the difference of both.

Claim (populations, ``population_differences``): with both intervals at half of the miss, what one
population's figure is less the other's lies between their far ends, at least 95 times in 100. Why:
each fails at most 2.5 times. Nothing is said about who is in both: two extracts may contain the
same people, and then their samples are no independent ones. Where they are, it is wider than it
must be, of two alike by 1.6 times.

"More than noise" says that the difference is larger than its margin: where e = l, that happens in
at most 5 of 100 comparisons. The reverse is not claimed: a difference within its margin may be
that of figures that differ.

Where counts are published whole or rounded (``published_form``), both stand beside the difference
as their tables have them, and the difference is that of the figures before: nearer to the exact one
than what is published, with the margin of the noise alone.

The same draw seen twice (a stored answer) has no noise of its own: the difference is exactly 0,
and says nothing. That is for the caller to know.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain

from dpdesk.privacy.consistent import ConsistentFigures, NoiseTerms
from dpdesk.privacy.distributions import noise_distribution, weighted_sum
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.mixed_sum import mixed_half_width
from dpdesk.privacy.distributions.shared_miss import margin_levels, margin_of_both
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.published_form import published
from dpdesk.privacy.reconcile import noise_sum
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import SYMMETRIC, Noisy, PlannedNoisy, by_cell
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.privacy.statistics.variance import mean_beside

_Answer = tuple[QueryPlan, Noisy, ConsistentFigures | None]


@dataclass(frozen=True)
class Difference:
    """Two released figures of one line, and what lies between them.

    Attributes:
        earlier, later: each with its own margin; ``None`` where one says nothing.
        value: the later less the earlier; ``None`` where one of them says nothing, or would not
            with the smaller chance to fail that it has in a difference.
        margin: the value lies within it of the exact difference, 95 times in 100.
    """

    earlier: Figure | None
    later: Figure | None
    value: Fraction | None = None
    margin: Fraction = Fraction(0)

    @property
    def is_more_than_noise(self) -> bool:
        """Whether noise alone would do that in at most 5 of 100 comparisons."""
        return self.value is not None and abs(self.value) > self.margin


def differences(
    earlier: tuple[QueryPlan, Noisy],
    later: tuple[QueryPlan, Noisy],
    miss: float = MISS,
    consistent: tuple[ConsistentFigures | None, ConsistentFigures | None] = (None, None),
    are_independent: bool = True,
) -> tuple[Difference, ...]:
    """The difference of each line of one question's two answers; none where none has a margin.

    Args:
        earlier: the plan that it was drawn by, and what was drawn.
        later: the same of the other release, drawn independently.
        miss: how often the margin of a difference may fail.
        consistent: the figures of each, where they were made consistent with other tables.
        are_independent: whether these share no draw.

    Raises:
        ValueError: the plans have not equally many lines; groups of periods may be later ones.
    """
    if len(earlier[0].lines) != len(later[0].lines):
        raise ValueError("only answers to one question are compared")
    sides = ((*earlier, consistent[0]), (*later, consistent[1]))
    if any(consistent) and _is_counted(earlier[0]):
        old, new = (_side(*side) for side in sides)
        lines = _of_sides(old, new, miss, are_independent)
    else:
        cells = range(len(earlier[0].cells))
        each = (_of_cell(*sides, cell, miss, are_independent) for cell in cells)
        lines = chain.from_iterable(each)
    return tuple(_in_form(line, earlier[0], later[0]) for line in lines)


def mean_differences(
    earlier: tuple[QueryPlan, Noisy],
    later: tuple[QueryPlan, Noisy],
    miss: float = MISS,
    are_independent: bool = True,
) -> tuple[Difference, ...]:
    """The difference of each cell's mean, of what was drawn for its variance.

    Claim: that of all others, by the margins of ``mean_beside``, which are a mean's.

    Args:
        earlier: the plan of a variance or a standard deviation, and what was drawn.
        later: the same of the other release.
        miss: how often the margin of a difference may fail.
        are_independent: whether these share no draw.
    """
    cells = zip(by_cell(*earlier), by_cell(*later), strict=True)
    plans = earlier[0], later[0]
    return tuple(_of_means(plans, drawn, miss, are_independent) for drawn in cells)


def _of_means(
    plans: tuple[QueryPlan, QueryPlan],
    drawn: tuple[tuple[int, ...], tuple[int, ...]],
    miss: float,
    are_independent: bool,
) -> Difference:
    sides = tuple(zip(plans, drawn, strict=True))
    old, new = (mean_beside(*side) for side in sides)
    levels = margin_levels(miss, METHODS["mean"].one_side) if are_independent else (miss / 2,)
    found = [[mean_beside(*side, level) for level in levels] for side in sides]
    first, second = ([one.half_width for one in margins if one is not None] for margins in found)
    if old is None or new is None or len(first) + len(second) < 2 * len(levels):
        return Difference(old, new)
    margin = margin_of_both(first, second) if are_independent else first[0] + second[0]
    return Difference(old, new, new.value - old.value, margin)


def _in_form(line: Difference, earlier: QueryPlan, later: QueryPlan) -> Difference:
    """A difference beside both figures as their tables have them; itself it is of those before."""
    old, new = (
        None if figure is None else published(figure, plan.form)
        for figure, plan in ((line.earlier, earlier), (line.later, later))
    )
    return Difference(old, new, line.value, line.margin)


def population_differences(
    earlier: tuple[PlannedNoisy, PlannedNoisy | None],
    later: tuple[PlannedNoisy, PlannedNoisy | None],
    miss: float = MISS,
) -> tuple[Ends | None, ...]:
    """Of each line, between what the later population's figure less the earlier one's lies.

    Args:
        earlier: the plan that it was drawn by, and what was drawn; the same of the variance of the
            same cells, for a mean.
        later: the same of the other release.
        miss: how often an interval may fail.
    """
    both = (
        METHODS[plan.query.statistic].population(plan, noisy, spread, miss / 2)
        for (plan, noisy), spread in (earlier, later)
    )
    return tuple(
        None if old is None or new is None else (new[0] - old[1], new[1] - old[0])
        for old, new in zip(*both, strict=True)
    )


def _is_counted(plan: QueryPlan) -> bool:
    """Whether its figures themselves add up, each with one weighted sum of noises."""
    added = METHODS[plan.query.statistic].added(plan)
    return added is not None and added.within is None and not added.of_tree


def _of_cell(
    earlier: _Answer, later: _Answer, cell: int, miss: float, are_independent: bool
) -> Iterator[Difference]:
    both = earlier, later
    shown = [_figures(one, cell, miss) for one in both]
    exact = _margin_of_noises(earlier[0], later[0], miss)
    for line, (old, new) in enumerate(zip(*shown, strict=True)):
        if old is None or new is None:
            yield Difference(old, new)
            continue
        margin = exact
        if margin is None:
            margin = _margin_of_figures(both, cell, line, miss, are_independent)
        if margin is None:
            yield Difference(old, new)
        else:
            yield Difference(old, new, new.value - old.value, margin)


def _margin_of_figures(
    both: tuple[_Answer, _Answer], cell: int, line: int, miss: float, are_independent: bool
) -> Fraction | None:
    """From the margins of both; ``None`` where one that fails more seldom is hidden by noise."""
    if are_independent:
        first, second = (_margins(one, cell, line, miss) for one in both)
        return margin_of_both(first, second) if first and second else None
    halves = [_figures(one, cell, miss / 2)[line] for one in both]
    known = [one.half_width for one in halves if one is not None]
    return sum(known, Fraction(0)) if len(known) == len(halves) else None


@dataclass(frozen=True)
class _ReleasedSide:
    """One release's figures of an additive question.

    Attributes:
        values: one a line.
        noises: the error of each, in whole numbers of ``worth``.
    """

    values: tuple[Fraction, ...]
    noises: NoiseTerms
    worth: Fraction

    def errors(self, unit: Fraction) -> NoiseTerms:
        """The error in another unit."""
        part = float(self.worth / unit)
        return tuple((noise, weight * part, many) for noise, weight, many in self.noises)


def _side(plan: QueryPlan, noisy: Noisy, consistent: ConsistentFigures | None) -> _ReleasedSide:
    if consistent is not None:
        values = tuple(consistent.value(line) for line in range(len(plan.lines)))
        return _ReleasedSide(values, consistent.noises, consistent.width)
    figures = (_figures((plan, noisy, None), cell, MISS) for cell in range(len(plan.cells)))
    values = tuple(figure.value for cell in figures for figure in cell if figure is not None)
    return _ReleasedSide(values, _noises(plan), plan.parts[0].width)


def _noises(plan: QueryPlan) -> NoiseTerms:
    """What is in a figure of an additive question, in whole quanta."""
    own = METHODS[plan.query.statistic].errors_of_count(plan, None)
    return ((plan.parts[0].noise, 1.0, 1),) if own is None else own


def _of_sides(
    earlier: _ReleasedSide, later: _ReleasedSide, miss: float, are_independent: bool
) -> Iterator[Difference]:
    """Each line's difference, whose error is one weighted sum of the noises of both."""
    unit = max(earlier.worth, later.worth)
    old, new = earlier.errors(unit), later.errors(unit)
    own, others, both = (noise_sum.half_width(e, miss) * unit for e in (old, new, (*old, *new)))
    if not are_independent:
        both = sum(noise_sum.half_width(e, miss / 2) for e in (old, new)) * unit
    for before, now in zip(earlier.values, later.values, strict=True):
        yield Difference(Figure(before, own), Figure(now, others), now - before, both)


def _margins(one: _Answer, cell: int, line: int, miss: float) -> tuple[Fraction, ...]:
    """A figure's margin at each of the levels at which two of them share a miss.

    None at all where noise hides one: a number at risk is surely above 0 at fewer of the levels.
    """
    levels = margin_levels(miss, METHODS[one[0].query.statistic].one_side)
    found = [_figures(one, cell, level)[line] for level in levels]
    known = tuple(figure.half_width for figure in found if figure is not None)
    return known if len(known) == len(levels) else ()


def _figures(one: _Answer, cell: int, miss: float) -> tuple[Figure | None, ...]:
    plan, noisy, consistent = one
    method = METHODS[plan.query.statistic]
    if consistent is not None:
        return method.consistent_figures_at(plan, consistent, cell, miss)
    return method.figures_at(plan, noisy, cell, miss)


def _margin_of_noises(earlier: QueryPlan, later: QueryPlan, miss: float) -> Fraction | None:
    """The margin where each figure has one noise, or those of a public total; else ``None``."""
    if earlier.is_projected and later.is_projected:
        return noise_sum.half_width((*_noises(earlier), *_noises(later)), miss)
    method = METHODS[earlier.query.statistic]
    old, new = method.noise_of_figure(earlier), method.noise_of_figure(later)
    if old is None or new is None:
        return None
    (one, worth), (other, worth_of_other) = old, new
    if worth == worth_of_other:
        return sum_half_width(one, other, miss) * worth
    if one.mechanism != other.mechanism:
        return _of_two_mechanisms(one, worth, other, worth_of_other, miss)
    # In units of the wider quantum: what is a float then is near 1, however small a quantum is.
    wider = max(worth, worth_of_other)
    weights = (_up(worth / wider), _up(worth_of_other / wider))
    return Fraction(mixed_half_width((one, other), weights, miss)) * wider


def sum_half_width(one: Noise, other: Noise, miss: float = MISS) -> int:
    """The half-width of the sum of two independent noises; see the head of the module.

    >>> sum_half_width(Noise("laplace", 20.0), Noise("laplace", 20.0))
    82
    """
    if one.mechanism != other.mechanism:
        return int(_of_two_mechanisms(one, Fraction(1), other, Fraction(1), miss))
    halves = [noise_distribution.half_width(noise, miss / 2) for noise in (one, other)]
    if one.scale == other.scale:
        exact = weighted_sum.half_width(one, ((1.0, 2),), miss)
    else:
        exact = math.floor(mixed_half_width((one, other), (1.0, 1.0), miss))
    return min(sum(halves), exact)


def _of_two_mechanisms(
    one: Noise, worth: Fraction, other: Noise, worth_of_other: Fraction, miss: float
) -> Fraction:
    """The margin of two noises that have no known sum; see ``shared_miss``."""
    levels = margin_levels(miss, SYMMETRIC)
    margins = (
        [noise_distribution.half_width(noise, level) * quantum for level in levels]
        for noise, quantum in ((one, worth), (other, worth_of_other))
    )
    return margin_of_both(*margins)


def _up(value: Fraction) -> float:
    """The nearest float that is not below a fraction."""
    near = float(value)
    return near if Fraction(near) >= value else math.nextafter(near, math.inf)
