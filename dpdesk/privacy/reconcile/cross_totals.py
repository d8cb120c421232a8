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

A table of people has totals only where each has one row: one person may be in two of its cells.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpdesk.privacy.consistent import ConsistentFigures, NoiseTerms
from dpdesk.privacy.distributions.half_widths import sum_half_width
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.public_total import projected
from dpdesk.privacy.reconcile import noise_sum
from dpdesk.privacy.reconcile.joined_tables import added_by
from dpdesk.privacy.reconcile.same_rows import is_additive
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import Noisy
from dpdesk.privacy.statistics.figures_text import fixed
from dpdesk.privacy.usable import is_too_noisy

Groups = tuple[str, ...]


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
        lines: dict[Groups, list[int]] = {}
        for line, groups in enumerate(self.plan.cells):
            lines.setdefault(tuple(groups[place] for place in kept), []).append(line)
        width = self._half_width(tuple(kept), len(next(iter(lines.values()))))
        return {groups: self._total(among, width) for groups, among in lines.items()}

    def _total(self, lines: Sequence[int], half_width: Fraction) -> CellTotal:
        digits = max(len(text.partition(".")[2]) for text in self.published)
        published = sum((Fraction(self.published[line]) for line in lines), Fraction(0))
        moved = abs(published - sum((self._exact(line) for line in lines), Fraction(0)))
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
            by = tuple(self.plan.query.by[place] for place in kept)
            return noise_sum.half_width(self.consistent.errors.summed(by)) * self.consistent.width
        if self.plan.is_projected:
            return noise_sum.half_width(_projected(part.noise, cells, count)) * part.width
        name = "laplace" if part.noise.mechanism == "laplace" else "gaussian"
        return sum_half_width(name, part.noise.scale, cells) * part.width


def _projected(noise: Noise, cells: int, count: int) -> NoiseTerms:
    """The noises of a total of projected cells; none of the public total of all."""
    if cells == count:
        return ()
    return ((noise, 1 - cells / count, cells), (noise, -cells / count, count - cells))
