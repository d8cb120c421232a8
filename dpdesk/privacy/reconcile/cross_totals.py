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
* of two cells of which one was drawn, the other being what it leaves of a public total, that one's;
* where the table was made consistent with others (``marginals``): those of the consistent table by
  the groupings that are left, whose figures the sums are.

The half-width of that sum is ``noise_sum``'s or, of n equal noises, the exact one of their sum.
The margin is that, and what publishing moved, rounded up to the decimals of the figures.

Claim (``combined``): of cells that were drawn by themselves the exact sum of some, less that of
others, is within its margin 95 times in 100. Why: every noise is symmetric, so that those of n
cells and m others, with whatever signs, are together what those of n + m cells are.

Claim (``shares``): the exact share that a total has of a larger one is within its margin 95 times
in 100. Why: of cells that were drawn by themselves it is that of ``distribution.share_of_some``.
Else, with c and t the two noisy totals, C and T their errors and p the exact share, c - p t is
E(p) = C - p T, a weighted sum of noises. In a range of shares of half-width h around m it differs
from E(m) by at most h |T|, so it is within the half-width of E(m), missed ``_MOST`` of 1 in 20,
and h times that of T, missed by the rest; p is among the shares s with |c - s t| within that of s.

Where counts are published whole or rounded (``published_form``), so is each total: of the sum of
the cells before that, which is nearer to the exact one than the sum of what is published, and
within floor(half-width + what rounding it moved). Shares are those before it.

A table of people has totals only where each has one row: one person may be in two of its cells.

Claim (``part_of_another``): where the rows of one table's total are among those of another one's,
the exact share that the one has of the other is within its margin 95 times in 100. Why: with
probability 1 - miss / 2 each count is within its half-width w, so that with probability 1 - miss or
more both are, and then (c' - w) / (t' + v) <= c / t <= (c' + w) / (t' - v), within 0 and 1. Where
t is public it has no noise, v is 0, and c' may miss with all of the probability.
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
from dpdesk.privacy.public_total import all_counts, projected
from dpdesk.privacy.published_form import published
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
_ANY = Possible(None, None, is_total=True)
"""What a difference can be."""
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


def part_of_another(part: Figure, whole: Figure) -> CellShare:
    """What a count is of one of another table that holds its rows; see the head of the module.

    Args:
        part: with the half-width that it misses half as often as the share may.
        whole: with such a one.
    """
    if whole.value < 1:
        return CellShare("", "", True)
    least = max(Fraction(0), part.value - part.half_width) / (whole.value + whole.half_width)
    rest = whole.value - whole.half_width
    most = min(Fraction(1), (part.value + part.half_width) / rest) if rest > 0 else Fraction(1)
    share = min(max(part.value / whole.value, Fraction(0)), Fraction(1))
    return _shown_share(Figure(share, max(share - least, most - share)))


def _shown_share(figure: Figure) -> CellShare:
    shown = Figure(100 * figure.value, 100 * figure.half_width)
    value, margin, *_ends = rounded_texts(shown, Fraction(0), Fraction(100))
    # As of a total: a share that cannot be told from 0 says nothing.
    is_noisy = is_half(figure.half_width, WHOLE) or figure.value <= figure.half_width
    return CellShare(value, margin, is_noisy)


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

    def combined(self, plus: Sequence[int], minus: Sequence[int] = ()) -> CellTotal | None:
        """The sum of some lines, less that of others: of a year's quarters, less those of another.

        Args:
            plus: places of lines.
            minus: places of others.

        Returns:
            ``None`` where the lines were not drawn by themselves, or were rounded by a house rule.
        """
        is_alone = self.consistent is None and self._is_independent and self.plan.form is None
        if not (self.adds_up and is_alone):
            return None
        return self._shown(plus, minus, self._alone(len(plus) + len(minus)))

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
        if self.consistent is None and self._is_independent:
            noise = self.plan.parts[0].noise
            figure = share_of_some(noise, len(part), len(whole), count, total)
        else:
            figure = self._fitted(
                _Parted(tuple(kept), len(part), tuple(of), len(whole)), count, total
            )
        if figure is None:
            return CellShare("", "", True)
        return _shown_share(figure)

    def figures(self, kept: Sequence[int], miss: float = MISS) -> Mapping[Groups, Figure]:
        """The total of each combination of groups before it is rounded, and its half-width."""
        lines = self._lines(kept)
        width = self._half_width(tuple(kept), len(next(iter(lines.values()))), miss)
        return {groups: Figure(self._sum(among), width) for groups, among in lines.items()}

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
        if self._is_mirrored:
            return ()
        return _projected(self.plan.parts[0].noise, parted.whole, len(self.plan.cells))

    def _errors(self, parted: _Parted, share: float) -> NoiseTerms:
        """Of a total, less a share of the larger one."""
        if self.consistent is not None:
            inner = [place for place in parted.kept if place not in parted.of]
            rest = parted.whole // parted.part - 1
            lines = ((1 - share, 1), (-share, rest))
            return self.consistent.errors.summed(self._by((*parted.of, *inner)), lines)
        noise, cells = self.plan.parts[0].noise, len(self.plan.cells)
        if self._is_mirrored:
            return ((noise, 1.0, 1),) if parted.part < parted.whole else ()
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
        if self.plan.form is None:
            return self._shown(lines, (), half_width)
        whole = published(Figure(self._sum(lines), half_width), self.plan.form)
        possible = METHODS[self.plan.query.statistic].possible(self.plan)
        noisy = possible is not None and is_too_noisy(whole.value, whole.half_width, possible)
        return CellTotal(str(int(whole.value)), str(int(whole.half_width)), noisy)

    def _shown(self, plus: Sequence[int], minus: Sequence[int], half_width: Fraction) -> CellTotal:
        """A sum of lines as they are published, less others, its margin with what that moved."""
        possible = _ANY if minus else METHODS[self.plan.query.statistic].possible(self.plan)
        digits = max(len(text.partition(".")[2]) for text in self.published)
        terms = [*((1, line) for line in plus), *((-1, line) for line in minus)]
        value = sum((sign * Fraction(self.published[line]) for sign, line in terms), Fraction(0))
        moved = abs(value - self._sum(plus) + self._sum(minus))
        margin = Fraction(math.ceil((half_width + moved) * 10**digits), 10**digits)
        noisy = possible is not None and is_too_noisy(value, margin, possible)
        shown, width = (fixed(int(one * 10**digits), digits) for one in (value, margin))
        return CellTotal(shown, width, noisy)

    @property
    def _is_independent(self) -> bool:
        """Whether each cell was drawn by itself, and published so."""
        return not (self.plan.is_projected or self._is_mirrored)

    @property
    def _is_mirrored(self) -> bool:
        """Whether one of two cells was drawn, and the other one is what that leaves of all."""
        total, drawn = self.plan.public_total, self.plan.parts[0].cells
        return total is not None and drawn < len(self.plan.lines)

    def _exact(self, line: int) -> Fraction:
        """A figure before it was rounded, which its noise alone parts from the exact one."""
        if self.plan.is_public:
            return Fraction(self.plan.public_total or 0)
        if self.consistent is not None:
            return self.consistent.value(line)
        drawn = self.noisy[0]
        if self._is_mirrored:
            total = self.plan.public_total or 0
            return Fraction(all_counts(drawn, total, len(self.plan.lines))[line])
        if self.plan.is_projected:
            return projected(drawn, self.plan.public_total or 0)[line]
        return Fraction(drawn[line]) * self.plan.parts[0].width

    def _half_width(self, kept: tuple[int, ...], cells: int, miss: float = MISS) -> Fraction:
        if self.plan.is_public:
            return Fraction(0)
        part, count = self.plan.parts[0], len(self.plan.cells)
        if self.consistent is not None:
            terms = self.consistent.errors.summed(self._by(kept))
            return noise_sum.half_width(terms, miss) * self.consistent.width
        if self._is_mirrored and cells == count:
            return Fraction(0)
        if self.plan.is_projected:
            terms = _projected(part.noise, cells, count)
            return noise_sum.half_width(terms, miss) * part.width
        return self._alone(cells, miss)

    def _alone(self, cells: int, miss: float = MISS) -> Fraction:
        """Of a sum of cells that were drawn by themselves."""
        part = self.plan.parts[0]
        name = "laplace" if part.noise.mechanism == "laplace" else "gaussian"
        return sum_half_width(name, part.noise.scale, cells, miss) * part.width


def _projected(noise: Noise, cells: int, count: int) -> NoiseTerms:
    """The noises of a total of projected cells; none of the public total of all."""
    if cells == count:
        return ()
    return ((noise, 1 - cells / count, cells), (noise, -cells / count, count - cells))
