# SPDX-License-Identifier: Apache-2.0
r"""The coefficients of a linear model, of noisy second moments, with intervals that know the noise.

M is the matrix of the moments of z = (1, t_1 .. t_p, t_y), with noise N: linear algebra in z, in
whatever basis coefficients are published. A coefficient belongs to a vector e of what explains; O
are all others. h is e less what O explains of it, r(b) is y less b e and less what O explains of
that, both by M: so h' M o = r' M o = 0 for all o in O. The score of b is

    s(b) = h' M r(b) = S_y - b S_e,    S_y = h' M r(0), S_e = h' M h,

and the coefficient S_y / S_e is where it is 0, that of least squares. Of exact moments s is 0 at
the exact coefficient; as h and r are where h' M r is stationary, noise moves it there by h' N r to
first order: a sum of independent noises, whose weights follow from h and r (``DrawnMoments``). Its
variance V(b) is that of the noise; for the population beside it that of chance, S_e times the
variance of what no column explains, taken for that of all rows alike.

The interval holds all b with |s(b)| <= q V(b)^(1/2): between the roots of a quadratic, as r is
linear in b (Fieller, Some problems in interval estimation, 1954). Nothing divides by a noisy
number. q is 1.96, bent by the kurtosis at the coefficient (``score_models.reach``).

To second order noise moves h and r themselves, so nothing is published where that is not small:
where M is not positive definite, or S_e of one of the columns is below ``CLEAR`` deviations of
h' N h, the noise in it. Then the column that others explain best cannot be told from them and from
noise. The outcome where all is 0 is then not published alone: it may be far from all rows.

Claim: at least 95 times in 100 the coefficient of these rows is within the range of the noise; and
that of the population within that of noise and chance where its rows are independent, the model is
right and errors spread alike; where both hold, p is at most 5 % in 5 of 100 releases without an
effect. No proof: measured by ``python -m tests.acceptance publish`` and its short slice.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.group_comparisons.score_models import p_value, reach
from dpdesk.privacy.statistics.linear.moment_design import DrawnMoments

FloatArray = npt.NDArray[np.float64]
Ends = tuple[float, float]
CLEAR = 5.0


@dataclass(frozen=True)
class Coefficient:
    """By how much the outcome rises with one column, the others alike.

    Attributes:
        value: of least squares.
        noise: between what the coefficient of these rows is.
        chance: between what that of the population is; ``None`` where nobody knows.
        p: of noise and chance together; ``None`` likewise.
    """

    value: float
    noise: Ends
    chance: Ends | None
    p: float | None


@dataclass(frozen=True, eq=False)
class MomentModel:
    """A model of moments that were drawn, or are assumed.

    Attributes:
        how: how they are drawn.
        of_z: M; shape (d + 1, d + 1).
        basis: what explains, and last the outcome, each as a vector of z; the first is 1.
    """

    how: DrawnMoments
    of_z: FloatArray
    basis: FloatArray

    @cached_property
    def moments(self) -> FloatArray:
        """M in the basis."""
        in_basis: FloatArray = self.basis @ self.of_z @ self.basis.T
        return in_basis

    @property
    def rows_needed(self) -> float:
        """How many rows like these make each S_e as large as has to be; see the head."""
        own = [self._score(at).parts_of_clear for at in range(1, len(self.moments) - 1)]
        return float(self.moments[0, 0]) * max(own)

    @cached_property
    def is_known(self) -> bool:
        """Whether noise leaves anything of it; see the head of the module."""
        explaining = self.moments[:-1, :-1]
        if self.moments[0, 0] <= len(explaining) or np.linalg.eigvalsh(explaining)[0] <= 0:
            return False
        return all(self._score(at).is_clear for at in range(1, len(explaining)))

    def coefficients(self, *, with_chance: bool) -> list[Coefficient | None]:
        """The value where all is 0, then the coefficient of each column.

        Args:
            with_chance: whether rows are independent, so that something is known of chance.

        Returns:
            ``None`` for what noise leaves nothing of; of the first one that can be so alone.
        """
        places = range(len(self.moments) - 1)
        if not self.is_known:
            return [None for _ in places]
        return [self._score(at).coefficient(with_chance=with_chance) for at in places]

    def _score(self, at: int) -> _ScoreOfMoments:
        """The score of one of what explains."""
        moments, y = self.moments, len(self.moments) - 1
        others = [place for place in range(y) if place != at]
        among = moments[np.ix_(others, others)]
        left = []
        for place in (at, y):
            vector = np.zeros(len(moments))
            vector[place] = 1.0
            vector[others] = -np.linalg.solve(among, moments[others, place])
            left.append(vector)
        h, r = left
        free = moments[0, 0] - y
        beside = r - (h @ moments @ r) / (h @ moments @ h) * h
        of_outcome, of_own = (self.how.weights(h @ self.basis, one @ self.basis) for one in (r, h))
        return _ScoreOfMoments(
            float(h @ moments @ r),
            float(h @ moments @ h),
            of_outcome,
            of_own,
            max(0.0, float(beside @ moments @ beside)) / float(free),
            self.how.cumulants,
        )


@dataclass(frozen=True, eq=False)
class _ScoreOfMoments:
    """One score; letters as in the head of the module.

    Attributes:
        of_outcome, of_own: S_y and S_e.
        noise_of_outcome, noise_of_own: the weights of the noises in h' N r(0) and in h' N h.
        spread: the variance of what no column explains.
        cumulants: the second and the fourth one of a noise.
    """

    of_outcome: float
    of_own: float
    noise_of_outcome: FloatArray
    noise_of_own: FloatArray
    spread: float
    cumulants: tuple[float, float]

    @property
    def parts_of_clear(self) -> float:
        """The least S_e that is clear of its noise, in parts of S_e."""
        noise = math.sqrt(self.cumulants[0] * float(self.noise_of_own @ self.noise_of_own))
        return CLEAR * noise / self.of_own if self.of_own > 0 else math.inf

    @property
    def is_clear(self) -> bool:
        """Whether S_e is clear of its noise."""
        return self.parts_of_clear <= 1

    def coefficient(self, *, with_chance: bool) -> Coefficient | None:
        """The figure; ``None`` where S_e is not clear of its noise."""
        if not self.is_clear:
            return None
        value = self.of_outcome / self.of_own
        noise = self._ends(value, 0.0)
        if not with_chance:
            return Coefficient(value, noise, None, None)
        return Coefficient(value, noise, self._ends(value, self.of_own * self.spread), self._p())

    def _noise(self, value: float, beside: float) -> tuple[float, float]:
        """The variance of the score there, and the kurtosis."""
        weights, (second, fourth) = (
            self.noise_of_outcome - value * self.noise_of_own,
            self.cumulants,
        )
        variance = second * float(weights @ weights) + beside
        return variance, fourth * float((weights**4).sum()) / variance**2

    def _ends(self, value: float, beside: float) -> Ends:
        """Both roots, with a variance beside that of the noise; q is less than ``CLEAR``."""
        squared = self.cumulants[0] * reach(self._noise(value, beside)[1]) ** 2
        first, own = self.noise_of_outcome, self.noise_of_own
        # a b^2 - 2 m b + c <= 0
        a = self.of_own**2 - squared * float(own @ own)
        m = self.of_outcome * self.of_own - squared * float(first @ own)
        c = self.of_outcome**2 - squared * (float(first @ first) + beside / self.cumulants[0])
        far = math.sqrt(max(0.0, m * m - a * c))
        return (m - far) / a, (m + far) / a

    def _p(self) -> float:
        variance, kurtosis = self._noise(0.0, self.of_own * self.spread)
        return p_value(self.of_outcome / math.sqrt(variance), kurtosis)
