# SPDX-License-Identifier: Apache-2.0
r"""Logistic, Poisson and linear models of a released table, by equations that know its noise.

A cell c has n_c rows (or as much exposure) and in them y_c events (or a sum), both with known
noise; g(m_c) = x_c b is the model, x_c the groups that the cell is in, without interactions. With
m_c = g^-1(x_c b) the score

    U(b) = sum of x_c (y_c - m_c n_c)

is linear in what was drawn, so noise leaves its mean at 0 for the true b: b solves U(b) = 0, the
likelihood equation where there is no noise (McCullagh and Nelder, Generalized linear models, 1989;
corrected scores: Nakamura 1990). The noise of y_c - m_c n_c is sum_k (s_k - m_c t_k) Z_ck, where y
takes s_k and n takes t_k of the k-th noise of a cell; chance has n_c m_c (1 - m_c), n_c m_c, or n_c
times the released variance of a row.

Intervals are those of Rao's score test (1948), inverted as Fieller (1954) does: nothing divides by
a noisy number. For an effect e of one group the others solve their own equations, b(e), and

    z = U_e - A_er A_rr^-1 U_r,    A = sum of x_c x_c' n_c dm_c

is free of them to first order. e is in the interval where |z| <= q D(z), at (e, b(e)), D the
deviation of noise and chance together, q the normal 1.96 with the second term of Cornish and Fisher
(1938) for the kurtosis of z: of one Laplace noise alone it is 2.17, exactly 2.12. Where z stays
within it however large e is, noise leaves nothing, and there is no figure.

Claim: at least 95 times in 100, over noise and chance, the population's effect is between both
ends, as far as the model is right; where p is published, it is at most 5 % in 5 of 100 releases,
give or take 0.5, of groups that are alike. No proof: measured by releases of the real door
(``tests/privacy/group_comparisons/test_score_models.py``, ``python -m tests.acceptance publish``).

A group whose totals cannot be told from noise has no effect, and would leave no estimate of the
others: its cells are left out (``ModelCells.included``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from dpdesk.privacy.group_comparisons.model_cells import FloatArray, ModelCells

_NORMAL: Final = NormalDist()
_Z: Final = _NORMAL.inv_cdf(0.975)
_LARGEST_KURTOSIS = 3.0
"""Of one Laplace noise."""
_STEPS, _FAR = 60, 50.0
"""Of Newton's method; a logarithm beyond all that a table can hold."""
_DOUBLED = 8
_CLOSE = 1e-9
"""What is left of a step, whose square is left of the next one; of a score, in deviations."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Effect:
    """Of one group beside the reference, all other groupings alike.

    Attributes:
        value: on the scale of the link: the logarithm of an odds or a rate ratio, or a difference.
        low, high: between what the population's lies.
        p: ``None`` where the level of the test is not known.
    """

    value: float
    low: float
    high: float
    p: float | None


def effect_of(cells: ModelCells, grouping: int, group: int, reference: int) -> Effect | None:
    """One group's effect beside another's; ``None`` where noise leaves none.

    Args:
        cells: those of the model.
        grouping: the place of the grouping.
        group: the place of the group in it.
        reference: that of the other one.
    """
    own = cells.groups[:, grouping]
    both = [cells.included & (own == one) for one in (group, reference)]
    if not all(one.any() for one in both):
        return None
    others = _indicators(cells, grouping, (group, reference))
    profile = _Profile(cells, others, both[0].astype(np.float64))
    return profile.effect(is_tested=all(map(cells.can_be_tested, both)))


def reach(kurtosis: float) -> float:
    """How many deviations a score may be out, 95 times in 100.

    >>> round(reach(0.0), 2), round(reach(3.0), 2)
    (1.96, 2.17)
    """
    return _Z + _bent(_Z) * min(kurtosis, _LARGEST_KURTOSIS)


def p_value(standard: float, kurtosis: float) -> float:
    """How often a score is as many deviations out.

    >>> round(p_value(1.96, 0.0), 3), round(p_value(2.166, 3.0), 3)
    (0.05, 0.05)
    """
    bent, out = min(kurtosis, _LARGEST_KURTOSIS), abs(standard)
    # z + (z^3 - 3 z) k / 24 rises with z, as k is below 8.
    low, high = 0.0, out + 1
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if middle + _bent(middle) * bent < out else (low, middle)
    return 2 * _NORMAL.cdf(-high)


def _bent(z: float) -> float:
    return (z**3 - 3 * z) / 24


def _indicators(cells: ModelCells, grouping: int, left_out: Sequence[int]) -> FloatArray:
    """One for all, and each group but one of each grouping; of one grouping two are left out."""
    columns = [cells.included]
    for place, own in enumerate(cells.groups.T):
        there = np.unique(own[cells.included])
        out = left_out if place == grouping else there[:1]
        columns += [cells.included & (own == one) for one in there if one not in out]
    return np.stack(columns, axis=1).astype(np.float64)


@dataclass(frozen=True)
class _Score:
    """The score of an effect, the others fitted.

    Attributes:
        others: what was fitted.
        standard: z in deviations.
        deviation: of z.
        kurtosis: of z, beyond a normal one's.
        information: about the effect.
    """

    others: FloatArray
    standard: float
    deviation: float
    kurtosis: float
    information: float


class _Profile:
    """The score of one effect, as a function of it.

    Args:
        cells: those of the model.
        others: the columns of all else, 0 in cells that are left out.
        own: the column of the effect.
    """

    def __init__(self, cells: ModelCells, others: FloatArray, own: FloatArray) -> None:
        self._cells, self._others, self._own = cells, others, own

    def effect(self, *, is_tested: bool) -> Effect | None:
        """The figure and its interval, and its p-value if it is tested."""
        both = np.column_stack((self._others, self._own))
        found = self._fitted(both, np.zeros(len(self._own)), self._alike(both.shape[1]))
        here = None if found is None else self._score(float(found[-1]), found[:-1])
        if found is None or here is None or here.information <= 0:
            return None
        low, high = (self._end(side, float(found[-1]), here) for side in (-1, 1))
        if low is None or high is None:
            return None
        none = self._score(0.0, self._alike(self._others.shape[1])) if is_tested else None
        p = None if none is None else p_value(none.standard, none.kurtosis)
        return Effect(float(found[-1]), low, high, p)

    def _alike(self, size: int) -> FloatArray:
        """All groups alike."""
        mean, start = self._cells.mean, np.zeros(size)
        if self._cells.is_linear:
            start[0] = mean
        else:
            start[0] = math.log(mean) - (math.log1p(-mean) if self._is_logistic else 0.0)
        return start

    @property
    def _is_logistic(self) -> bool:
        return self._cells.shape.kind == "logistic"

    def _means(self, linear: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Means, and how steeply they rise."""
        if self._cells.is_linear:
            return linear, np.ones(len(linear))
        means: FloatArray = np.exp(np.clip(linear, -_FAR, _FAR))
        if not self._is_logistic:
            return means, means
        means = means / (1 + means)
        return means, means * (1 - means)

    def _fitted(
        self, columns: FloatArray, offset: FloatArray, start: FloatArray
    ) -> FloatArray | None:
        """Where the scores of some columns are 0 (Newton); ``None`` where noise leaves no place."""
        cells, found, is_bent = self._cells, start, not self._cells.is_linear
        for _ in range(_STEPS):
            means, slopes = self._means(offset + columns @ found)
            information = columns.T @ (columns * (cells.rows * slopes)[:, None])
            try:
                np.linalg.cholesky(information)  # a maximum, no saddle
                step = np.linalg.solve(information, columns.T @ (cells.events - means * cells.rows))
            except np.linalg.LinAlgError:
                return None
            if is_bent:
                step /= max(1.0, float(np.abs(columns @ step).max()))
            found = found + step
            if float(np.abs(step).max()) <= _CLOSE * max(1.0, float(np.abs(found).max())):
                return found
        return None

    def _score(self, effect: float, start: FloatArray) -> _Score | None:
        cells, others, own = self._cells, self._others, self._own
        fitted = self._fitted(others, effect * own, start)
        if fitted is None:
            return None
        means, slopes = self._means(effect * own + others @ fitted)
        heavy = cells.rows * slopes
        try:
            slope = np.linalg.solve(others.T @ (others * heavy[:, None]), others.T @ (own * heavy))
        except np.linalg.LinAlgError:  # the last step of the fit left nothing of a group
            return None
        beside: FloatArray = own - others @ slope
        # Not 0 everywhere: groups are left out whole, so that none of what remains is others' sum.
        weights = cells.noises_of(beside, -beside * means)
        chance = float((beside**2 * cells.of_chance(means)).sum())
        variance = chance + cells.noise_variance(weights)
        return _Score(
            fitted,
            float((beside * (cells.events - means * cells.rows)).sum()) / math.sqrt(variance),
            math.sqrt(variance),
            cells.shape.fourth * float((weights**4).sum()) / variance**2,
            float((beside**2 * heavy).sum()),
        )

    def _end(self, side: int, value: float, here: _Score) -> float | None:
        """Where the score is as far out as it may be, to one side; ``None`` where it never is."""
        at = here

        def beyond(effect: float) -> float | None:
            nonlocal at
            score = self._score(effect, at.others)
            if score is None:
                return None
            at = score
            return -side * score.standard - reach(score.kurtosis)

        step = 2 * side * here.deviation / here.information
        near: Point = (value, -reach(here.kurtosis))
        for _ in range(_DOUBLED):
            effect = near[0] + step
            out = beyond(effect)
            if out is None:
                return None
            if out > 0:
                return root(beyond, near, (effect, out))
            near, step = (effect, out), 2 * step
        return None


def root(function: Callable[[float], float | None], low: Point, high: Point) -> float | None:
    """Where a function that rises from below 0 to above it is 0 (false position, Illinois).

    Args:
        function: ``None`` where it has no value; then there is no root.
        low: a place where it is below 0, with its value.
        high: one where it is above.

    >>> round(root(lambda x: x**3 - 8, (0.0, -8.0), (3.0, 19.0)), 6)
    2.0

    Where it jumps over 0, it is above 0 there, so that an interval that ends there leaves nothing
    out.

    >>> at = root(lambda x: -1.0 if x < 2 else 1.0, (0.0, -1.0), (3.0, 1.0))
    >>> 2 <= at < 2.000001
    True
    """
    stayed = 0
    for _ in range(_STEPS):
        middle = (low[0] * high[1] - high[0] * low[1]) / (high[1] - low[1])
        found = function(middle)
        if found is None or abs(found) <= _CLOSE:
            return None if found is None else middle
        # An end that stays twice counts half, else the other one creeps.
        if found > 0:
            high, low = (middle, found), (low[0], low[1] / 2 if stayed < 0 else low[1])
            stayed = -1
        else:
            low, high = (middle, found), (high[0], high[1] / 2 if stayed > 0 else high[1])
            stayed = 1
    return high[0]
