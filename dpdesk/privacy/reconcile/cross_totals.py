# SPDX-License-Identifier: Apache-2.0
r"""Totals of a released table of counts or sums over some of its groups, and their margins.

Post-processing of released figures and of their public noise: it costs no budget.

Claim (add-remove or change-one, any k): the exact sum of the cells of a total is within its margin
95 times in 100, for each total by itself. Why: a total is the sum of its cells as they are
published. It differs from the exact sum by the sum of the cells' noises, which is one weighted sum
of independent noises, and by what publishing moved, which is known exactly. With n of c cells in
a total, the noises are

* n of them, each with weight 1, where every cell was drawn by itself;
* where the cells were projected on a public total (``public_total``): p_i is its noisy count less
  T / c, T the sum of all c noises, so n noises have weight 1 - n / c and the others -n / c; the
  total of all is public;
* where the table was made consistent with others (``marginals``): those of the consistent table by
  the groupings that are left, whose figures the sums are.

The half-width of that sum is ``noise_sum``'s or, of n equal noises, the exact one of their sum.
The margin is that, and what publishing moved, rounded up to the decimals of the figures.

Claim (``shares``): the exact share that a total has of a larger one is within its margin 95 times
in 100. Why: of cells that were drawn by themselves it is that of ``distribution.share_of_some``.
Else, with c and t the two noisy totals, C and T their errors and p the exact share, c - p t is
E(p) = C - p T, a weighted sum of noises. In a range of shares of half-width h around m it differs
from E(m) by at most h |T|, so it is within the half-width of E(m), missed ``_MOST`` of 1 in 20,
and h times that of T, missed by the rest; p is among the shares s with |c - s t| within that of s.

A table of people has totals only where each has one row: one person may be in two of its cells.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpdesk.privacy.consistent import ConsistentFigures, NoiseTerms
from dpdesk.privacy.distributions.half_widths import sum_half_width
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.share_error import PARTS, fitting_shares
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.public_total import projected
from dpdesk.privacy.reconcile import noise_sum
from dpdesk.privacy.reconcile.joined_tables import added_by
from dpdesk.privacy.reconcile.same_rows import is_additive
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import Noisy
from dpdesk.privacy.statistics.distribution import share_of_some
from dpdesk.privacy.statistics.figures_text import Figure, fixed, rounded_texts
from dpdesk.privacy.usable import Possible, is_half, is_too_noisy
from dpdesk.study.model.groupings import Grouping

Groups = tuple[str, ...]
WHOLE = Possible(Fraction(0), Fraction(1))
_MOST, _ROOM = 0.98, Fraction(21, 20)
"""Of a miss, the part of the nearer error; what half-widths are too wide by, at most."""


@dataclass(frozen=True)
class CellTotal:
    """The sum of some cells.

    Attributes:
        value, half_width: decimal texts, as cells of a table; the latter "0" where it is public.
        is_noisy: whether it is too noisy to use.
    """

    value: str
    half_width: str
    is_noisy: bool


@dataclass(frozen=True)
class CellShare:
    """What a total is of a larger one, in per cent.

    Attributes:
        percent, half_width: decimal texts; empty where the larger total says nothing.
        is_noisy: whether it is too noisy to use.
    """

    percent: str
    half_width: str
    is_noisy: bool


@dataclass(frozen=True)
class _Parted:
    """A total that is part of a larger one.

    Attributes:
        kept, of: places of the groupings that each keeps; the former has one more.
        part, whole: how many cells each adds up.
    """

    kept: tuple[int, ...]
    part: int
    of: tuple[int, ...]
    whole: int


@dataclass(frozen=True)
class AddingTable:
    """A released table whose figures add up.

    Attributes:
        noisy: what was drawn.
        published: its figures as they are in the table, one a line.
        consistent: the same as they were made consistent with other tables, where they were.
    """

    plan: QueryPlan
    noisy: Noisy
    published: tuple[str, ...]
    consistent: ConsistentFigures | None = None

    @property
    def adds_up(self) -> bool:
        """Whether its cells have totals; see the head of the module."""
        plan, declared = self.plan, self.plan.query.declaration
        # The counts behind a share add up, too, but shares do not.
        is_total = is_additive(plan) and declared.is_total and added_by(plan).within is None
        return (
            is_total
            and not added_by(plan).of_tree
            and len(plan.lines) == len(plan.cells) == len(self.published) > 1
            and not (declared.unit == "people" and plan.unit.max_rows > 1)
            and all(self.published)
        )

    def totals(self, kept: Sequence[int]) -> Mapping[Groups, CellTotal]:
        """The total of each combination of the groups that are kept.

        Args:
            kept: places of the groupings that are left; those of all others are added up.
        """
        lines = self._lines(kept)
        width = self._half_width(tuple(kept), len(next(iter(lines.values()))))
        return {groups: self._total(among, width) for groups, among in lines.items()}

    @property
    def has_shares(self) -> bool:
        """Whether its figures count something, so that a part of a total is a share of it."""
        return self.adds_up and self.plan.query.declaration.unit in ("rows", "people")

    def shares(self, kept: Sequence[int], of: Sequence[int]) -> Mapping[Groups, CellShare]:
        """The share of each total by some groupings in the total by fewer of them.

        Args:
            kept: places of the groupings of the parts.
            of: all of them but one.
        """
        parts, wholes = self._lines(kept), self._lines(of)
        places = [list(kept).index(place) for place in of]
        return {
            groups: self._share(lines, kept, wholes[tuple(groups[at] for at in places)], of)
            for groups, lines in parts.items()
        }

    def _share(
        self, part: Sequence[int], kept: Sequence[int], whole: Sequence[int], of: Sequence[int]
    ) -> CellShare:
        count, total = self._sum(part), self._sum(whole)
        if self.consistent is None and not self.plan.is_projected:
            noise = self.plan.parts[0].noise
            figure = share_of_some(noise, len(part), len(whole), count, total)
        else:
            figure = self._fitted(
                _Parted(tuple(kept), len(part), tuple(of), len(whole)), count, total
            )
        if figure is None:
            return CellShare("", "", True)
        shown = Figure(100 * figure.value, 100 * figure.half_width)
        value, margin, *_ends = rounded_texts(shown, Fraction(0), Fraction(100))
        # As of a total: a share that cannot be told from 0 says nothing.
        is_noisy = is_half(figure.half_width, WHOLE) or figure.value <= figure.half_width
        return CellShare(value, margin, is_noisy)

    def _fitted(self, parted: _Parted, count: Fraction, total: Fraction) -> Figure | None:
        """See the second claim; ``None`` where the larger total is below one."""
        if total < 1:
            return None
        whole = self._whole_errors(parted)
        beside = noise_sum.half_width(whole, (1 - _MOST) * MISS) / (2 * PARTS)

        def width(part: int) -> Fraction:
            middle = (2 * part + 1) / (2 * PARTS)
            return noise_sum.half_width(self._errors(parted, middle), _MOST * MISS) + beside

        most = (self._errors(parted, 0.0), whole)
        widest = sum((noise_sum.half_width(one, _MOST * MISS / 2) for one in most), beside)
        near = count / total
        low, high = fitting_shares(near, total, width, widest * _ROOM)
        share = min(max(near, Fraction(0)), Fraction(1))
        return Figure(share, max(share - low, high - share))

    def _whole_errors(self, parted: _Parted) -> NoiseTerms:
        if self.consistent is not None:
            return self.consistent.errors.summed(self._by(parted.of))
        return _projected(self.plan.parts[0].noise, parted.whole, len(self.plan.cells))

    def _errors(self, parted: _Parted, share: float) -> NoiseTerms:
        """Of a total, less a share of the larger one."""
        if self.consistent is not None:
            inner = [place for place in parted.kept if place not in parted.of]
            rest = parted.whole // parted.part - 1
            lines = ((1 - share, 1), (-share, rest))
            return self.consistent.errors.summed(self._by((*parted.of, *inner)), lines)
        noise, cells = self.plan.parts[0].noise, len(self.plan.cells)
        part, whole = parted.part / cells, parted.whole / cells
        weights = (
            1 - part - share * (1 - whole),
            -part - share * (1 - whole),
            share * whole - part,
        )
        many = (parted.part, parted.whole - parted.part, cells - parted.whole)
        pairs = zip(weights, many, strict=True)
        return tuple((noise, weight, times) for weight, times in pairs if weight and times)

    def _by(self, places: Sequence[int]) -> tuple[Grouping, ...]:
        return tuple(self.plan.query.by[place] for place in places)

    def _sum(self, lines: Sequence[int]) -> Fraction:
        return sum((self._exact(line) for line in lines), Fraction(0))

    def _lines(self, kept: Sequence[int]) -> dict[Groups, list[int]]:
        """The lines of each total."""
        lines: dict[Groups, list[int]] = {}
        for line, groups in enumerate(self.plan.cells):
            lines.setdefault(tuple(groups[place] for place in kept), []).append(line)
        return lines

    def _total(self, lines: Sequence[int], half_width: Fraction) -> CellTotal:
        digits = max(len(text.partition(".")[2]) for text in self.published)
        published = sum((Fraction(self.published[line]) for line in lines), Fraction(0))
        moved = abs(published - self._sum(lines))
        margin = Fraction(math.ceil((half_width + moved) * 10**digits), 10**digits)
        possible = METHODS[self.plan.query.statistic].possible(self.plan)
        noisy = possible is not None and is_too_noisy(published, margin, possible)
        value, width = (fixed(int(one * 10**digits), digits) for one in (published, margin))
        return CellTotal(value, width, noisy)

    def _exact(self, line: int) -> Fraction:
        """A figure before it was rounded, which its noise alone parts from the exact one."""
        if self.consistent is not None:
            return self.consistent.value(line)
        drawn = self.noisy[0]
        if self.plan.is_projected:
            return projected(drawn, self.plan.public_total or 0)[line]
        return Fraction(drawn[line]) * self.plan.parts[0].width

    def _half_width(self, kept: tuple[int, ...], cells: int) -> Fraction:
        part, count = self.plan.parts[0], len(self.plan.cells)
        if self.consistent is not None:
            terms = self.consistent.errors.summed(self._by(kept))
            return noise_sum.half_width(terms) * self.consistent.width
        if self.plan.is_projected:
            return noise_sum.half_width(_projected(part.noise, cells, count)) * part.width
        name = "laplace" if part.noise.mechanism == "laplace" else "gaussian"
        return sum_half_width(name, part.noise.scale, cells) * part.width


def _projected(noise: Noise, cells: int, count: int) -> NoiseTerms:
    """The noises of a total of projected cells; none of the public total of all."""
    if cells == count:
        return ()
    return ((noise, 1 - cells / count, cells), (noise, -cells / count, count - cells))
