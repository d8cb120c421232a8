# SPDX-License-Identifier: Apache-2.0
r"""The cumulative distribution of a number column: how many rows lie up to the end of each bin.

Three ways (``running_counts``), of which trees are a family:

* **bins**: one noisy count for each bin, added up. The count up to bin j carries j noises.
* **tree**: besides, noisy counts of runs of bins, level by level, up to all bins together where
  that helps. Every level is a histogram, so with L levels the noise is L times as wide (Laplace)
  or the root of L times (Gaussian), but consistent counts add up few of them.
* **weighted bins**: sums of bins with the weights of a square root, under Gaussian noise.

Claim (sensitivity, k rows a person, G groups; of weighted bins: see ``square_root``). In a tree
each row counts once in each level, so under add-remove L1 is L k; each level's vector is v >= 0
with sum k at most, so L2 squared is L k^2; both attained by k equal rows. Under change-one a level
moves by v' - v: 2k in L1 and 2k^2 in L2 squared at most (see ``sensitivity``), attained at all
levels at once by rows that move between bins under different nodes of the top level. Only a single
total, over all bins where G = 1, moves less: rows j and j' give |j - j'| there and at most j + j'
at each of the other L - 1 levels. The L1 distance |j - j'| + (L - 1)(j + j') and the L2 square (j -
j')^2 + (L - 1)(j^2 + j'^2) are convex, so largest at a corner: for L >= 2 at j = j' = k, 2k (L - 1)
and 2k^2 (L - 1): that total is free.

Where m of the k rows count in one group, each level is a histogram of split groups: its sensitivity
is that of ``rows_sensitivity`` with m. L levels move by at most L times that; attained under
change-one where all of a person's rows can leave their groups for others.

Where the number of rows is public (``Question.public_rows``) it is above the top level. Of two bins
one count is then drawn, which a row moves by 1 (``public_total``): L1 and L2 squared are 1, not 2.

Of all strategies but the bins the one with the smallest worst variance is taken, and before the
bins only where its worst proven 95 % half-width is smaller: all of it known before the data. The
part is named after it. Beside other tables over the same rows, bins join in each by itself, a tree
or weighted bins by their total alone (``reconcile.joined_tables``). Which tables there will be is
not asked: one by the same bins at the same share makes bins 1.4 times as certain, and weighted
bins alone are as good as that from 4 bins on (with a public total from 14 on).
What is drawn becomes consistent (``hierarchical_counts``, ``square_root``), then rising
(``isotonic``) and cut at 0 and at the public number of rows: post-processing on whole numbers and
fractions.

Claim (margins). A count of the least-squares strategy lies within its half-width of the exact one
95 times in 100 (``weighted_sum``); the published count within that and what making it rise, cutting
and rounding moved it by. For the share p of the F rows up to a bin among all N,

    F' - p N' = (F' - F) - p (N' - N)

is a weighted sum of noises too, within q(p) of 0 at least 95 times in 100, so p is among the shares
s with |F' - s N'| <= q(s): the share's margin reaches from the published one to the farther end of
them (``share_error.fitting_shares``). In a range of s the weights mix those at its ends, so that
the larger half-width there holds in all of it (``weighted_sum``). So does (1 - s) a + s b, with
F' within a of F and the count behind the bin within b of its own, each 97.5 times in 100: for a
noise of few rows that is the smaller one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial
from itertools import accumulate
from typing import cast

from dpdesk.privacy.consistent import ConsistentFigures, FigureErrors
from dpdesk.privacy.distributions.half_widths import each_miss
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.share_error import PARTS, ConsistentShare, fitting_shares
from dpdesk.privacy.distributions.weighted_sum import Terms, half_width, half_width_between
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.public_total import all_counts
from dpdesk.privacy.question import Question
from dpdesk.privacy.running_counts.hierarchical_counts import Hierarchy, trees
from dpdesk.privacy.running_counts.isotonic import isotonic
from dpdesk.privacy.running_counts.square_root import ROW, SquareRoot, square_roots
from dpdesk.privacy.running_counts.strategy import Strategy, least_certain
from dpdesk.privacy.sensitivity import Sensitivity, rows_sensitivity
from dpdesk.privacy.statistics.base import (
    Added,
    Method,
    Noisy,
    PublishedColumn,
    additive_part,
    measure_of,
    mechanism_of,
    number_column,
)
from dpdesk.privacy.statistics.counts import RANGE
from dpdesk.privacy.statistics.figures_text import Figure, rounded_texts
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.columns import keeps_every_row
from dpdesk.study.model.groupings import Bins, bin_ends
from dpdesk.study.model.parameters import DistributionParameters
from dpdesk.study.model.unit import Unit

ZERO, ONE = Fraction(0), Fraction(1)


def tree_sensitivity(unit: Unit, groups: int, tree: Hierarchy, m: int | None = None) -> Sensitivity:
    """See the head of the module.

    Args:
        unit: the privacy unit.
        groups: how many cells the query has.
        tree: the shape drawn in each of them.
        m: a person's rows in one cell, at most; ``None`` for no limit of its own.
    """
    levels = len(tree.widths)
    if tree.draws_one:
        return rows_sensitivity(unit.max_rows, 1, unit.neighbours)
    if tree.sizes[0] == 1 and groups == 1 and levels > 1 and unit.neighbours == "change-one":
        levels -= 1
    level = rows_sensitivity(unit.max_rows, groups, unit.neighbours, m, split=tree.bins > 1)
    return Sensitivity(levels * level.l1, levels * level.l2_squared, level.linf)


def root_sensitivity(
    unit: Unit, groups: int, root: SquareRoot, m: int | None = None
) -> Sensitivity:
    """See the head of ``square_root``."""
    reach, most = root.reach, min(m or unit.max_rows, unit.max_rows)
    rows = rows_sensitivity(unit.max_rows, groups, unit.neighbours, m, split=True)
    squared = rows.l2_squared * reach.column
    if groups == 1 and unit.neighbours == "change-one":
        squared = most * most * reach.columns
    return Sensitivity(rows.l1 * reach.added, squared, most * reach.entry)


def sensitivity_of(
    unit: Unit, groups: int, strategy: Strategy, m: int | None = None
) -> Sensitivity:
    """How far a person can move what is drawn of every cell."""
    if isinstance(strategy, SquareRoot):
        return root_sensitivity(unit, groups, strategy, m)
    return tree_sensitivity(unit, groups, cast(Hierarchy, strategy), m)


class Distribution(Method):
    """Counts and shares of the rows up to the end of each bin."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """The bins alone, or the best of the other strategies."""
        edges, is_public = _edges(question), question.public_rows is not None
        bins, *others = strategies(question, len(edges) + 1, is_public)
        alone = counts_part(question, edges, bins)
        if not others:
            return (alone,)
        other = best_strategy(question, tuple(others))
        part = counts_part(question, edges, other)
        return (part if worst(part.noise, other) < worst(alone.noise, bins) else alone,)

    def inner(self, question: Question) -> tuple[str, ...]:
        """Each line says up to where it counts."""
        return ("up_to",)

    def inner_labels(self, question: Question) -> tuple[tuple[str, ...], ...]:
        """The last value of every bin."""
        return tuple((end,) for end in bin_ends(number_column(question), _edges(question)))

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """That of the least certain count, in rows."""
        tree = tree_over(parts[0], question.public_rows is not None)
        return Fraction(worst(parts[0].noise, tree))

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of the least certain running count."""
        return Fraction(max(margins(plan.parts[0].noise, tree_of(plan), miss)))

    def accuracy_together(self, plan: QueryPlan, miss: float) -> Fraction:
        """Of all counts, which share their noise."""
        return Fraction(band(plan, miss))

    def added(self, plan: QueryPlan) -> Added | None:
        """Rows by bins; of a tree, the rows of each cell."""
        part, column = plan.parts[0], number_column(plan)
        *_, bins = part.measure.by
        tree, dropping = tree_of(plan), frozenset({column.name})
        is_tree = not tree.is_bins
        is_alone = plan.public_rows is not None and (is_tree or tree.draws_one)
        if bins in plan.query.by or is_alone:
            return None
        dropping = frozenset() if keeps_every_row(column) else dropping
        return Added("rows", None if is_tree else bins, dropping, is_tree)

    def consistent_accuracy(self, plan: QueryPlan, errors: FigureErrors, miss: float) -> Fraction:
        """Of the running count with the largest variance."""
        return errors.half_width(errors.least_certain, miss=miss)

    def possible(self, plan: QueryPlan) -> Possible:
        """Of the counts: from 0 to all rows, where their number is public."""
        rows = plan.public_rows
        return Possible(ZERO, None if rows is None else Fraction(rows), is_total=True)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Count and share, each with its margin; the noisy counts of bins."""
        value, *margin = (PublishedColumn("rows_up_to", "value"), *RANGE)
        counts = tuple(
            PublishedColumn(head.name, head.role, has_unit=False) for head in (value, *margin)
        )
        shares = (
            PublishedColumn("share", "share", has_unit=False),
            PublishedColumn("share_half_width_95", "share-half-width", has_unit=False),
        )
        drawn = (PublishedColumn("noisy_rows", "part", False),) if tree_of(plan).is_bins else ()
        return (*counts, *shares, *drawn)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a bin; no share where the total is below one."""
        tree = tree_of(plan)
        has_parts = tree.is_bins
        for cell in range(len(plan.cells)):
            found = drawn_counts(plan, noisy, cell)
            drawn = _bin_counts(plan, tree, noisy, cell)
            parts = [(str(count),) for count in drawn] if has_parts else [()] * tree.bins
            counts = _count_texts(plan, tree, found)
            shares = share_figures(plan.parts[0].noise, tree, found, plan.public_rows)
            for count, share, part in zip(counts, shares, parts, strict=True):
                text, half, *_ = rounded_texts(share, ZERO, ONE)
                yield (*count, text, half, *part)

    def consistent_rows(
        self, plan: QueryPlan, noisy: Noisy, figures: ConsistentFigures
    ) -> tuple[tuple[str, ...], ...]:
        """One line a bin, as without other tables; its noisy counts stay as they were drawn."""
        tree, errors = tree_of(plan), figures.errors
        widths = [errors.half_width(bin, miss=MISS) for bin in range(tree.bins)]
        shares = [ConsistentShare(errors, bin, tree.bins) for bin in range(tree.bins)]
        rows, labels = [], iter(plan.lines)
        for cell, drawn in enumerate(_drawn_by_cell(plan, noisy)):
            counts = _consistent_counts(plan, drawn, figures, cell)
            texts = _texts_of_counts(counts, widths, plan.public_rows)
            made = _consistent_shares(counts, shares, plan.public_rows)
            parts = [(str(n),) for n in drawn] if tree.is_bins else [()] * tree.bins
            for text, share, part in zip(texts, made, parts, strict=True):
                value, half, *_ = rounded_texts(share, ZERO, ONE)
                rows.append((*next(labels), *text, value, half, *part))
        return tuple(rows)


def _drawn_by_cell(plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[int, ...]]:
    size = tree_of(plan).drawn
    return (noisy[0][at : at + size] for at in range(0, len(noisy[0]), size))


def _consistent_counts(
    plan: QueryPlan, drawn: tuple[int, ...], figures: ConsistentFigures, cell: int
) -> tuple[Fraction, ...]:
    """How many rows of a cell lie up to the end of each bin."""
    tree = tree_of(plan)
    if not tree.is_bins:
        return tree.counts_below(drawn, figures.value(cell))
    places = range(cell * tree.bins, (cell + 1) * tree.bins)
    return tuple(accumulate(figures.value(place) for place in places))


def _consistent_shares(
    counts: tuple[Fraction, ...], widths: list[ConsistentShare], most: int | None
) -> Iterator[Figure | None]:
    """The share of all rows up to the end of each bin, with the claim of ``share_error``."""
    total, risen = counts[-1], _isotonic(counts, most)
    for count, value, width in zip(counts[:-1], risen, widths, strict=False):
        if total < 1:
            yield None
            continue
        share, (low, high) = value / risen[-1], width.figure_ends(count / total, total)
        yield Figure(share, max(share - low, high - share))
    yield Figure(ONE, ZERO) if total >= 1 else None


def _bin_counts(plan: QueryPlan, tree: Strategy, noisy: Noisy, cell: int) -> tuple[int, ...]:
    """The noisy count of every bin, where bins alone are drawn."""
    if tree.draws_one:
        return all_counts(noisy[0], plan.public_rows or 0, tree.bins)
    return noisy[0][cell * tree.bins : (cell + 1) * tree.bins]


def _edges(question: Question) -> tuple[Decimal, ...]:
    return question.query.parameters_as(DistributionParameters).edges


def tree_of(plan: QueryPlan) -> Strategy:
    """The tree that a plan draws in every cell; one level for the bins alone."""
    return tree_over(plan.parts[0], plan.public_rows is not None)


def tree_over(part: Part, has_public_total: bool) -> Strategy:
    """What is drawn over the bins of a part's last grouping."""
    *_, bins = part.measure.by
    if not isinstance(bins, Bins):
        raise ValueError("running counts need bins")
    count, scales = len(bins.edges) + 1, part.measure.scales
    if scales:
        return SquareRoot(count, scales[0] != scales[-1], has_public_total)
    return Hierarchy(count, part.measure.widths or (1,), has_public_total)


def strategies(question: Question, bins: int, is_public: bool) -> tuple[Strategy, ...]:
    """What may be drawn over some bins, the bins alone first.

    Square roots under Gaussian noise alone: weights between 0 and 1 make a column longer in L1.
    """
    more = square_roots(bins, is_public) if mechanism_of(question) == "gaussian" else ()
    return (*trees(bins, is_public), *more)


def drawn_counts(plan: QueryPlan, noisy: Noisy, cell: int) -> tuple[Fraction, ...]:
    """How many rows of a cell lie up to the end of each bin, as the consistent tree says."""
    tree = tree_of(plan)
    size = tree.drawn
    return tree.running_counts(noisy[0][cell * size : (cell + 1) * size], plan.public_rows)


def best_strategy(question: Question, among: tuple[Strategy, ...]) -> Strategy:
    """The one with the smallest worst variance, whatever the share is."""
    return _best_strategy(question.unit, question.size, among, mechanism_of(question))


@lru_cache(maxsize=256)
def _best_strategy(
    unit: Unit, groups: int, among: tuple[Strategy, ...], mechanism: Mechanism
) -> Strategy:
    return least_certain(among, lambda one: moved(unit, groups, one, mechanism))[0]


def moved(
    unit: Unit, groups: int, strategy: Strategy, mechanism: Mechanism, m: int | None = None
) -> int:
    """The square of how far a person moves what is drawn: at one share, noise varies as it."""
    found = sensitivity_of(unit, groups, strategy, m)
    return found.l2_squared if mechanism == "gaussian" else found.l1**2


def counts_part(question: Question, edges: tuple[Decimal, ...], strategy: Strategy) -> Part:
    """The draw of a strategy over the bins of the query's column, in every cell."""
    query = question.query
    by = (*query.by, Bins(query.column or "", edges))
    name, measure = "bins", replace(measure_of(question, "rows"), column=None, by=by)
    if isinstance(strategy, SquareRoot):
        name, falls, scales = "weighted-bins", strategy.falls, strategy.scales
        measure = replace(measure, kind="weighted-bins", falls=falls, scales=scales)
    elif isinstance(strategy, Hierarchy) and not strategy.is_bins:
        name, measure = "tree", replace(measure, kind="tree", widths=strategy.widths)
    elif strategy.draws_one:
        measure = replace(measure, without_last=True)
    sensitivity = sensitivity_of(question.unit, question.size, strategy, query.rows_per_group)
    cells = question.size * strategy.drawn
    width = Fraction(1, ROW) if isinstance(strategy, SquareRoot) else ONE
    return additive_part(name, measure, cells, sensitivity, question.share, question, width)


@lru_cache(maxsize=4096)
def worst(noise: Noise, tree: Strategy) -> int:
    """The half-width of the least certain count, in rows.

    Of bins alone it is that of all bins, where their number of rows is secret: a sum of noises is
    nearer to 0 than the same with one more, which is symmetric, its chances falling from 0 on
    (Anderson, The integral of a symmetric unimodal function, 1955).
    """
    if tree.is_bins and not tree.has_public_total:
        return half_width(noise, ((1.0, tree.bins),))
    return max(half_width(noise, terms) for terms in set(_weights(tree)))


@lru_cache(maxsize=256)
def margins(noise: Noise, tree: Strategy, miss: float = MISS) -> tuple[int, ...]:
    """The half-width of every running count of the consistent tree, in rows."""
    return tuple(half_width(noise, terms, miss) for terms in _weights(tree))


@lru_cache(maxsize=64)
def _weights(tree: Strategy) -> tuple[Terms, ...]:
    """What every running count takes of the noises."""
    return tuple(tree.weights(bin) for bin in range(tree.bins))


def band(plan: QueryPlan, miss: float = MISS) -> int:
    """Within this many rows of the exact counts lie all published ones at once, 95 in 100.

    Claim: all counts of the consistent trees do, by the union of what each may miss; for bins
    alone in one group also by Lévy's inequality, P(max |S_j| > w) <= 2 P(|S_m| > w) for sums of
    symmetric noises. Rising, cutting and rounding to whole counts keep it (see ``isotonic``).
    """
    tree, noise = tree_of(plan), plan.parts[0].noise
    each = each_miss(len(plan.cells), miss)
    result = max(margins(noise, tree, each / tree.bins))
    if tree.is_bins and not tree.has_public_total:
        result = min(result, half_width(noise, ((1.0, tree.bins),), each / 2))
    return result


@lru_cache(maxsize=256)
def _both(noise: Noise, tree: Strategy, bin: int) -> tuple[int, int]:
    """Half-widths of the rows up to a bin and of those behind it, each 97.5 times in 100."""
    before, behind = (half_width(noise, tree.weights(bin, one), MISS / 2) for one in (0.0, 1.0))
    return before, behind


@lru_cache(maxsize=65_536)
def _share_width(noise: Noise, tree: Strategy, bin: int, part: int) -> Fraction:
    """Q of the claim at the head of the module in one range of shares, in rows."""
    ends = (Fraction(part, PARTS), Fraction(part + 1, PARTS))
    before, behind = _both(noise, tree, bin)
    apart = max((1 - share) * before + share * behind for share in ends)
    mixed = tuple(tree.weights(bin, float(share)) for share in ends)
    return min(apart, Fraction(half_width_between(noise, mixed, tree.drawn, MISS)))


def _isotonic(fractions: tuple[Fraction, ...], most: int | None) -> tuple[Fraction, ...]:
    """The published counts, still fractions."""
    values = [max(value, ZERO) for value in isotonic(fractions)]
    return tuple(values if most is None else [min(value, Fraction(most)) for value in values])


def _count_texts(
    plan: QueryPlan, tree: Strategy, fractions: tuple[Fraction, ...]
) -> list[tuple[str, str, str, str]]:
    widths = margins(plan.parts[0].noise, tree)
    return _texts_of_counts(fractions, widths, plan.public_rows)


def _texts_of_counts(
    fractions: tuple[Fraction, ...], widths: Sequence[Fraction | int], most: int | None
) -> list[tuple[str, str, str, str]]:
    texts = []
    for raw, value, width in zip(fractions, _isotonic(fractions, most), widths, strict=True):
        whole = round(value)
        margin = math.ceil(width + abs(whole - raw))
        high = whole + margin if most is None else min(whole + margin, most)
        texts.append((str(whole), str(margin), str(max(0, whole - margin)), str(high)))
    return texts


def share_figures(
    noise: Noise, tree: Strategy, fractions: tuple[Fraction, ...], most: int | None
) -> list[Figure | None]:
    """The share of all rows up to the end of each bin; see the head of the module.

    Args:
        noise: of every count.
        tree: the shape drawn.
        fractions: how many rows lie up to the end of each bin, as the consistent tree says.
        most: how many rows there are, where that is public.

    Returns:
        One a bin; ``None`` where the total is below one.
    """
    if fractions[-1] < 1:
        return [None] * len(fractions)
    risen = _isotonic(fractions, most)
    shares = [value / risen[-1] for value in risen]
    ranges = _share_ranges(noise, tree, fractions)
    return [
        Figure(share, max(share - low, high - share))
        for share, (low, high) in zip(shares, ranges, strict=True)
    ]


def share_of_some(
    noise: Noise, cells: int, of: int, count: Fraction, total: Fraction
) -> Figure | None:
    """The share that some of several cells have of all of them; ``None`` where these are below one.

    Claim: that of the first bins of one level of bins, see the head of the module. Which cells are
    the first ones is nothing to it: their noises are independent and alike.

    Args:
        noise: of the count of every cell.
        cells: how many of the cells are counted, fewer than all.
        of: how many there are.
        count: the noisy count of rows in the former.
        total: that in all.
    """
    if total < 1:
        return None
    tree, last = Hierarchy(of, (1,)), cells - 1
    near, width = count / total, partial(_share_width, noise, tree, last)
    low, high = fitting_shares(near, total, width, max(_both(noise, tree, last)))
    share = min(max(near, ZERO), ONE)
    return Figure(share, max(share - low, high - share))


def _share_ranges(
    noise: Noise, tree: Strategy, fractions: tuple[Fraction, ...]
) -> list[tuple[Fraction, Fraction]]:
    """Between what the exact share of every bin lies, 95 times in 100."""
    total = fractions[-1]
    if tree.has_public_total:
        ends = zip(fractions, margins(noise, tree), strict=True)
        return [(max((c - w) / total, Fraction(0)), min((c + w) / total, ONE)) for c, w in ends]
    ranges = []
    for bin, count in enumerate(fractions[:-1]):
        width = partial(_share_width, noise, tree, bin)
        ranges.append(fitting_shares(count / total, total, width, max(_both(noise, tree, bin))))
    return [*ranges, (ONE, ONE)]
