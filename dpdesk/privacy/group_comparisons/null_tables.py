# SPDX-License-Identifier: Apache-2.0
r"""How often noise and chance alone would do what a released table shows: p-values.

A test asks whether groups are alike. Of the noisy counts y of its cells a table m is made in which
they are (``alike``): row and column totals of y, none below 0. Then ``DRAWS`` tables are drawn of
it, each cell a Poisson number of mean m with the noise that was really added, and the p-value is

    p = (1 + how many have a statistic of at least the released one) / (1 + DRAWS),

which has the level that it says where m is the true table (Davison and Hinkley 1997, 4.2.5), and
nearly so where the noise leaves m near it (Gaboardi, Lim, Rogers and Vadhan 2016, MCIndep). Each
statistic is divided by its variance, chance and noise together, with the fitted m (Rogers and Kifer
2017): what of m is not known then hardly matters. How many rows a group has is as informative as in
a table of fixed totals, so they are drawn as well.

Claim (level): where ``alike`` is true, p is at most 5 % in 5 of 100 releases, give or take 0.5,
in the tables for which a p-value is published. No proof: measured on 10,000 releases of each shape
and budget (``tests/privacy/group_comparisons/test_null_tables.py``). Where the noise is large
beside the groups the level is not known well enough, so there is none (``is_measured``).

The tables come from SHAKE-256 of the released numbers, in place of chance: it protects nothing, and
anyone who verifies a release draws the same ones. No data but released figures flows in.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.noise.noise import Noise

FloatArray = npt.NDArray[np.float64]

DRAWS = 9_999
_AT_ONCE = 4_000_000
"""Numbers that are drawn at once."""
_SURE = 1e-9
"""Statistics that differ by less of themselves are taken for equal on every machine."""
_LARGE = 1_000.0
"""From this mean on a Poisson number follows from a normal one (Cornish and Fisher)."""

FEWEST_ROWS = 20.0
FEWEST_IN_CELL = 5.0
FEWEST_NOISES = 8.0
"""What each group, and each category of all groups, must have for a p-value: rows, and rows in
deviations of the noise of that total."""


@dataclass(frozen=True)
class CrossCounts:
    """Noisy counts of groups by categories, or of groups alone, with one noise each.

    Attributes:
        counts: the noisy numbers of each group, one a category.
        noise: of every one.
    """

    counts: tuple[tuple[int, ...], ...]
    noise: Noise

    @property
    def shape(self) -> tuple[int, int]:
        """How many groups, and how many categories."""
        return len(self.counts), len(self.counts[0])

    @property
    def variance(self) -> float:
        """Of the noise of one count."""
        scale = self.noise.scale
        return (2 if self.noise.mechanism == "laplace" else 1) * scale * scale

    @property
    def array(self) -> FloatArray:
        """The counts, for computing."""
        return np.array(self.counts, dtype=np.float64)


Statistic = Callable[[FloatArray], FloatArray]
"""Of tables, one behind the other, how unlike their groups are."""


def chi_squared(cross: CrossCounts) -> tuple[float, int]:
    """Pearson's sum of squares, each over chance and noise; and its degrees of freedom."""
    groups, categories = cross.shape
    return float(_of_tables(cross)(cross.array)), (groups - 1) * (categories - 1)


def p_of_table(cross: CrossCounts) -> Fraction | None:
    """How often groups that are alike would differ as much; ``None`` where it is not measured."""
    return _p_value(cross, _of_tables(cross)) if is_measured(cross) else None


def p_of_contrast(cross: CrossCounts, weights: Sequence[Fraction]) -> Fraction | None:
    """The same of a weighted sum over groups: of shares of the last of two categories, or counts.

    Args:
        cross: without and with the property; or one count a group.
        weights: one a group, which add up to 0.
    """
    if not is_measured(cross):
        return None
    exact = np.array([float(one) for one in weights])
    of = _of_shares if cross.shape[1] > 1 else _of_counts
    return _p_value(cross, of(cross, exact))


def is_measured(cross: CrossCounts) -> bool:
    """Whether the level of a p-value was measured for tables like this."""
    fitted, (groups, categories) = alike(cross.array), cross.shape
    noise = math.sqrt(cross.variance)
    rows, columns = fitted.sum(axis=1).min(), fitted.sum(axis=0).min()
    of_rows = 0.0 if categories == 1 else FEWEST_NOISES * noise * math.sqrt(categories)
    of_columns = FEWEST_NOISES * noise * math.sqrt(groups)
    is_large = rows >= max(FEWEST_ROWS, of_rows) and columns >= of_columns
    return bool(is_large and fitted.min() >= FEWEST_IN_CELL)


def alike(tables: FloatArray) -> FloatArray:
    """Of each table the one with its totals in which all groups are alike.

    >>> alike(np.array([[10.0, 30.0], [10.0, 10.0]])).tolist()
    [[13.333333333333334, 26.666666666666668], [6.666666666666667, 13.333333333333334]]
    """
    if tables.shape[-1] == 1:
        mean = np.maximum(tables.mean(axis=-2, keepdims=True), 0.0)
        return np.broadcast_to(mean, tables.shape)
    rows = np.maximum(tables.sum(axis=-1, keepdims=True), 1.0)
    columns = np.maximum(tables.sum(axis=-2, keepdims=True), 1.0)
    found: FloatArray = rows * columns / columns.sum(axis=-1, keepdims=True)
    return found


def _of_tables(cross: CrossCounts) -> Statistic:
    variance = cross.variance

    def statistic(tables: FloatArray) -> FloatArray:
        fitted = alike(tables)
        found: FloatArray = ((tables - fitted) ** 2 / (fitted + variance)).sum(axis=(-1, -2))
        return found

    return statistic


def _of_shares(cross: CrossCounts, weights: FloatArray) -> Statistic:
    variance = cross.variance

    def statistic(tables: FloatArray) -> FloatArray:
        rows = np.maximum(tables.sum(axis=-1), 1.0)
        having = tables[..., 1]
        share = np.clip(having.sum(axis=-1) / rows.sum(axis=-1), 0.0, 1.0)[..., None]
        other = 1 - share
        spread = share * other / rows + variance * (share**2 + other**2) / rows**2
        found = (having / rows) @ weights
        squares: FloatArray = found**2 / (spread @ weights**2)
        return squares

    return statistic


def _of_counts(cross: CrossCounts, weights: FloatArray) -> Statistic:
    variance, norm = cross.variance, float(weights @ weights)

    def statistic(tables: FloatArray) -> FloatArray:
        counts = tables[..., 0]
        found = counts @ weights
        mean = np.maximum(counts.mean(axis=-1), 0.0)
        squares: FloatArray = found**2 / (norm * (mean + variance))
        return squares

    return statistic


def _p_value(cross: CrossCounts, statistic: Statistic) -> Fraction:
    released = float(statistic(cross.array)) * (1 - _SURE)
    means, many = alike(cross.array), 0
    each = max(1, _AT_ONCE // means.size)
    for first in range(0, DRAWS, each):
        drawn = _drawn(cross, means.ravel(), min(each, DRAWS - first), first)
        many += int((statistic(drawn) >= released).sum())
    return Fraction(1 + many, 1 + DRAWS)


def _drawn(cross: CrossCounts, means: FloatArray, tables: int, first: int) -> FloatArray:
    """A number of tables, of which the first has the number ``first``."""
    chance, one, other = _uniform(cross, 3 * tables * means.size, first).reshape(3, tables, -1)
    counts = np.stack([_poisson(*pair) for pair in zip(means, chance.T, strict=True)], axis=1)
    counts += _noise(cross.noise, one, other)
    return counts.reshape(tables, *cross.shape)


def _uniform(cross: CrossCounts, numbers: int, first: int) -> FloatArray:
    seed = f"{cross.counts} {cross.noise.mechanism} {cross.noise.scale!r} {first}".encode()
    raw = np.frombuffer(hashlib.shake_256(seed).digest(4 * numbers), dtype="<u4")
    found: FloatArray = (raw + 0.5) / 2.0**32
    return found


def _poisson(mean: float, uniform: FloatArray) -> FloatArray:
    """Poisson numbers by the inverse of their distribution."""
    if mean >= _LARGE:
        normal = _normal(uniform, np.roll(uniform, 1))
        found: FloatArray = np.rint(mean + math.sqrt(mean) * normal + (normal**2 - 1) / 6)
        return found
    values = np.arange(1.0, math.ceil(mean + 9 * math.sqrt(mean) + 40))
    steps = math.log(mean) - np.log(values) if mean > 0 else np.full(values.shape, -np.inf)
    chances = np.exp(np.concatenate(([0.0], np.cumsum(steps))) - mean)
    return np.searchsorted(np.cumsum(chances), uniform).astype(np.float64)


def _noise(noise: Noise, one: FloatArray, other: FloatArray) -> FloatArray:
    """Discrete Laplace numbers, each the difference of two geometric ones, or Gaussian ones."""
    found: FloatArray
    if noise.mechanism == "laplace":
        found = np.floor(-noise.scale * np.log(one)) - np.floor(-noise.scale * np.log(other))
    else:
        found = np.rint(noise.scale * _normal(one, other))
    return found


def _normal(one: FloatArray, other: FloatArray) -> FloatArray:
    """Normal numbers of two uniform ones each (Box and Muller 1958)."""
    found: FloatArray = np.sqrt(-2 * np.log(one)) * np.cos(2 * np.pi * other)
    return found
