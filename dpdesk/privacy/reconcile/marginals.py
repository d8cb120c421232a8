# SPDX-License-Identifier: Apache-2.0
r"""Tables of one set of rows by overlapping groups, made consistent by weighted least squares.

Let x be the counts of the rows by all groupings that any of the tables uses, one cell a
combination. A table by the groupings S is A_S x, sums of x; its cells have independent noise of one
variance v. The generalised least-squares estimate of all A_S x is found without solving a system:
the space of x is the orthogonal sum of one subspace for each set R of groupings (what a function
of R holds beyond all functions of fewer groupings; its projection of a table by R is

    P_R = product over i in R of (I - 1/n_i 1 1'),

with n_i groups of grouping i), and a table sees the part of each R within S, and of no other.

* Summing a table by S over the groupings outside R leaves noise of variance v m, m the product of
  the n_i summed over; its projection has the covariance v m P_R. Parts of different R are
  uncorrelated, as P_R P_T = 0.
* So of each R the best estimate is the mean of those sums over all tables with R within S, with
  weights in the ratio of 1 / (v m): ``weights``. Where the number of rows is public it is the part
  of the empty R, without noise.
* A table is put together again from its parts: A_S x = sum over R within S of P_R y_R / n_{S-R}.

Two tables that share groupings therefore have equal sums over the others, exactly: what they
share is made of the same y_R. The weights are rounded to 40 bits and add up to 1, so that all
figures are exact rationals of small denominators, the same for anyone who computes them; any
weights that add up to 1 leave every estimate unbiased.

Claim (errors). All cells of one table have the same error distribution: the noise of a table q at a
cell c' counts in the cell c of S with

    kappa(U) = sum over R within both of w_q(R) / n_{S-R} prod over i in R of ([i in U] - 1/n_i),

where U is where c and c' agree: ``noises``. Why: P_R at (c, c') is that product. Of cells that
differ in their last grouping alone, a weighted sum with the weights a_i has the weights
a_j kappa(U + last) + (sum of all a_i - a_j) kappa(U), where j is the group of c'.
Any weighted sum a over the cells of a table S has the variance sum over R within S of
|P_R a_R|^2 / n_{S-R}^2 sum over q of w_q(R)^2 v_q m_q, a_R the sums of a over S-R: ``variance``.

Sources: Barak, Chaudhuri, Dwork, Kale, McSherry and Talwar, Privacy, accuracy and consistency too
(2007); Xiao, He, Zhang and Kifer, An optimal and scalable matrix mechanism for noisy marginals
(ResidualPlanner, 2023), whose residuals are these parts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.consistent import FloatArray, NoiseTerms
from dpdesk.privacy.noise.noise import Noise

Axis = Hashable
Axes = frozenset[Axis]
LineWeights = tuple[tuple[float, int], ...]
"""Weights of the groups of a grouping, each with how many have it; in the groups' order."""
Integers = npt.NDArray[Any]
"""Python's whole numbers, which do not overflow, in an array with one dimension an axis."""

ONE = 1 << 40
"""Weights are whole multiples of one part in this many."""

_HALF = 0.5


@dataclass(frozen=True)
class NoisyTable:
    """What is public of one table.

    Attributes:
        axes: its groupings, in the order of its cells.
        noises: of each cell, as sums of independent noises: one, or those of a tree's total.
        is_mirrored: it has two cells that add up to the public total, and one noise: what the
            first has too much, the second lacks.
    """

    axes: tuple[Axis, ...]
    noises: NoiseTerms
    is_mirrored: bool = False

    @property
    def variance(self) -> float:
        """Of a cell, but for less than a hundredth; of a mirrored table, of two such cells."""
        square = variance_of(self.noises)
        return 2 * square if self.is_mirrored else square


@dataclass(frozen=True)
class Marginals:
    """Tables over the same rows: their shapes and noises, nothing of their figures.

    Attributes:
        sizes: how many groups each grouping has.
        tables: two or more.
        has_public_total: whether all rows together are a public number.
    """

    sizes: Mapping[Axis, int]
    tables: tuple[NoisyTable, ...]
    has_public_total: bool = False

    @cached_property
    def order(self) -> tuple[Axis, ...]:
        """All groupings, each where it is used first."""
        return tuple(dict.fromkeys(axis for table in self.tables for axis in table.axes))

    def cells(self, axes: Iterator[Axis] | Sequence[Axis] | Axes) -> int:
        """How many cells a table by some groupings has."""
        return math.prod(self.sizes[axis] for axis in axes)

    @cached_property
    def weights(self) -> dict[Axes, dict[int, int]]:
        """Of each set R the tables that see its part, each with its weight in parts of ``ONE``."""
        seen = dict.fromkeys(part for table in self.tables for part in parts_of(table.axes))
        found = {part: self._weights(part) for part in seen}
        return found | {frozenset(): {}} if self.has_public_total else found

    def _weights(self, part: Axes) -> dict[int, int]:
        precisions = {
            place: 1 / self._variance_of_sum(place, part)
            for place, table in enumerate(self.tables)
            if part <= frozenset(table.axes)
        }
        total = math.fsum(precisions.values())
        weights = {place: round(one / total * ONE) for place, one in precisions.items()}
        # What rounding left over goes to the largest: they add up to 1.
        largest = max(weights, key=lambda place: weights[place])
        weights[largest] += ONE - sum(weights.values())
        return weights

    def noises(
        self, axes: tuple[Axis, ...], lines: LineWeights = (), own: int | None = None
    ) -> NoiseTerms:
        """The error of every cell of the consistent table by some groupings; see the head.

        Args:
            axes: the groupings.
            lines: of cells that differ in the last grouping alone, with their weights, the error
                of the weighted sum.
            own: the place of a table by these groupings whose noise in the same cell is left out.
        """
        found: Counter[tuple[Noise, float]] = Counter()
        for place, table in enumerate(self.tables):
            for agree, weight, many in self._noises(axes, lines, place):
                # None of a grouping with one group differs in it: such a noise is there 0 times.
                if weight and many and not (place == own and agree == frozenset(axes)):
                    for noise, part, times in table.noises:
                        found[noise, weight * part] += many * times
        return tuple((*term, many) for term, many in found.items())

    def variance(self, axes: tuple[Axis, ...], weights: FloatArray) -> float:
        """Of a weighted sum over the cells of the consistent table by some groupings.

        Args:
            axes: the groupings.
            weights: of each cell.
        """
        array, total = weights.reshape([self.sizes[axis] for axis in axes]), 0.0
        for part in parts_of(axes):
            outside = tuple(place for place, axis in enumerate(axes) if axis not in part)
            beyond = array.sum(axis=outside, keepdims=True)
            for place, axis in enumerate(axes):
                if axis in part:
                    beyond = beyond - beyond.mean(axis=place, keepdims=True)
            each = (
                (weight / ONE) ** 2 * self._variance_of_sum(place, part)
                for place, weight in self.weights[part].items()
            )
            spread = float((beyond**2).sum()) / self.cells(frozenset(axes) - part) ** 2
            total += spread * math.fsum(each)
        return total

    def _variance_of_sum(self, place: int, part: Axes) -> float:
        """V m of the head of the module."""
        table = self.tables[place]
        return table.variance * self.cells(frozenset(table.axes) - part)

    def own_weight(self, axes: tuple[Axis, ...], place: int) -> float:
        """What a table by some groupings counts in the same cell of its consistent figures."""
        each = self._noises(axes, (), place)
        return math.fsum(weight for agree, weight, _many in each if agree == frozenset(axes))

    def _noises(
        self, axes: tuple[Axis, ...], lines: LineWeights, place: int
    ) -> Iterator[tuple[Axes, float, int]]:
        """Where the cells of a table agree, with their weight and how many have it."""
        table, whole = self.tables[place], frozenset(axes)
        shared = tuple(axis for axis in table.axes if axis in whole)
        factors = self._factors(whole, shared, place)
        found = {
            agree: sum(factors[part] * self._product(part, agree) for part in factors)
            for agree in parts_of(shared)
        }
        last = axes[-1] if lines else None
        total = math.fsum(weight * many for weight, many in lines)
        if last not in shared:
            lines = ((total if lines else 1.0, 1),)
        if table.is_mirrored:
            yield frozenset(), self._mirrored(found, shared, last, lines), 1
            return
        outside = self.cells(frozenset(table.axes) - whole)
        for agree, weight in found.items():
            differ = (self.sizes[axis] - 1 for axis in shared if axis not in agree | {last})
            times = outside * math.prod(differ)
            if last not in shared:
                yield agree, weight * lines[0][0], times
            elif last not in agree:
                near = found[agree | {last}]
                for one, many in lines:
                    yield agree, total * weight + one * (near - weight), many * times

    def _mirrored(
        self,
        found: Mapping[Axes, float],
        shared: tuple[Axis, ...],
        last: Axis | None,
        lines: LineWeights,
    ) -> float:
        """What the one noise counts: in one of the two cells, less in the other, of their sum 0."""
        # Cells agree in a grouping of one group, whatever they differ in.
        other = frozenset(axis for axis in shared if self.sizes[axis] == 1)
        apart = found[frozenset(shared)] - found[other]
        if last in shared and self.sizes[last] > 1:
            weights = [weight for weight, many in lines for _ in range(many)]
            return apart * (weights[0] - weights[-1])
        return apart * math.fsum(weight * many for weight, many in lines)

    def _factors(self, axes: Axes, shared: tuple[Axis, ...], place: int) -> dict[Axes, float]:
        """What the weight of each part is divided by, times the weight."""
        return {
            part: self.weights[part].get(place, 0) / ONE / self.cells(axes - part)
            for part in parts_of(shared)
        }

    def _product(self, part: Axes, agree: Axes) -> float:
        return math.prod((axis in agree) - 1 / self.sizes[axis] for axis in part)


def variance_of(terms: NoiseTerms) -> float:
    """Of a weighted sum of noises, but for less than a hundredth."""
    return math.fsum(many * weight * weight * _variance(noise) for noise, weight, many in terms)


def _variance(noise: Noise) -> float:
    square = noise.scale * noise.scale
    if noise.mechanism == "laplace":
        # 2 p / (1 - p)^2 with p = exp(-1 / scale), without a function that machines round apart
        return 2 * square - 1 / 6 if noise.scale >= _HALF else square
    return square


class Consistent:
    """Some tables' noisy figures, made consistent.

    Args:
        marginals: their shapes and noises.
        figures: each table's noisy whole numbers, cells in row-major order.
        total: the public number of rows, where there is one.

    Three rows by ward and by sex, all noises alike:

    >>> noises = ((Noise("laplace", 10.0), 1.0, 1),)
    >>> tables = (NoisyTable(("ward",), noises), NoisyTable(("sex",), noises))
    >>> found = Consistent(Marginals({"ward": 2, "sex": 2}, tables), [(10, 4), (9, 3)])
    >>> [[str(x) for x in found.fractions(axes)] for axes in (("ward",), ("sex",))]
    [['19/2', '7/2'], ['19/2', '7/2']]
    """

    def __init__(
        self,
        marginals: Marginals,
        figures: Sequence[Sequence[int]],
        total: int | None = None,
    ) -> None:
        self._of = marginals
        self._arrays = [
            self._ordered(table.axes, numbers)
            for table, numbers in zip(marginals.tables, figures, strict=True)
        ]
        self._total = total
        self._parts: dict[Axes, Integers] = {}

    def _ordered(self, axes: tuple[Axis, ...], numbers: Sequence[int]) -> Integers:
        """Figures with one dimension for each of all groupings, of length 1 where it has none."""
        array = np.empty(len(numbers), object)
        array[:] = numbers
        array = array.reshape([self._of.sizes[axis] for axis in axes])
        places = sorted(range(len(axes)), key=lambda at: self._of.order.index(axes[at]))
        shape = [self._of.sizes[axis] if axis in axes else 1 for axis in self._of.order]
        return array.transpose(places).reshape(shape)

    def _summed(self, array: Integers, kept: Axes) -> Integers:
        """Sums over all groupings but some; their dimensions stay, of length 1."""
        out = [
            place
            for place, axis in enumerate(self._of.order)
            if axis not in kept and array.shape[place] > 1
        ]
        return np.add.reduce(array, axis=tuple(out), keepdims=True) if out else array

    def _part(self, part: Axes) -> Integers:
        """y_R of the head of the module, times ``ONE``."""
        if part not in self._parts:
            if not part and self._of.has_public_total:
                array = np.empty([1] * len(self._of.order), object)
                array.fill(ONE * (self._total or 0))
            else:
                weighted = (
                    weight * self._summed(self._arrays[place], part)
                    for place, weight in self._of.weights[part].items()
                )
                array = np.add.reduce(list(weighted))
            self._parts[part] = array
        return self._parts[part]

    def numerators(self, axes: tuple[Axis, ...]) -> tuple[Integers, int]:
        """The consistent table by some groupings, in their order, and its denominator.

        A_S x is the sum over T within R within S of (-1)^|R-T| times the sums of y_R over R-T,
        divided by n_{S-T}: so times n_S, each is multiplied by n_T.
        """
        result: Any = 0
        for inner in parts_of(axes):
            outer = (part for part in parts_of(axes) if inner <= part)
            signed = (
                (-1) ** len(part - inner) * self._summed(self._part(part), inner) for part in outer
            )
            result = result + self._of.cells(inner) * sum(signed)
        whole = frozenset(axes)
        # All other dimensions are of length 1; those of the table go back into its own order.
        kept = [axis for axis in self._of.order if axis in whole]
        array = result.reshape([self._of.sizes[axis] for axis in kept])
        back = array.transpose([kept.index(axis) for axis in axes])
        # Without groupings one cell: an array of no dimension would become a number.
        return back if axes else back.reshape(1), self._of.cells(whole) * ONE

    def fractions(self, axes: tuple[Axis, ...]) -> list[Fraction]:
        """The consistent table by some groupings, cells in row-major order."""
        numerators, denominator = self.numerators(axes)
        return [Fraction(one, denominator) for one in numerators.ravel()]


def parts_of(axes: Sequence[Axis]) -> list[Axes]:
    """Every set of some groupings, the smallest first."""
    return [frozenset(one) for size in range(len(axes) + 1) for one in combinations(axes, size)]


def rounded(numerators: Integers, denominator: int, steps: int) -> Integers:
    """Whole numbers of 1 / ``steps`` near to figures, so that consistent tables still add up.

    Each running total, over all groupings at once, is rounded to the nearest whole number, halves
    upwards; a figure is what lies between those. Claim: tables by S and S' whose figures have
    equal sums over what they do not share have equal sums of the rounded figures. Why: these sums
    are differences of running totals at the ends of the groupings summed over, where both tables
    have the same ones. A figure is moved by at most 2^(d-1) steps, d how many groupings there are.

    >>> rounded(np.array([31, 10, 19], object), 3, 1)  # of 31/3, 10/3 and 19/3
    array([10, 4, 6], dtype=object)
    """
    array = numerators
    for axis in range(array.ndim):
        array = np.add.accumulate(array, axis=axis)
    array = (2 * steps * array + denominator) // (2 * denominator)
    for axis in range(numerators.ndim):
        array = np.diff(array, axis=axis, prepend=np.array(0, object))
    return array
