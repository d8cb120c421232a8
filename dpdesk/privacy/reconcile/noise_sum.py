# SPDX-License-Identifier: Apache-2.0
r"""The weighted sum of independent noises of several scales and kinds, with known weights.

S = sum of w_i X_i, each X_i discrete Laplace or discrete Gaussian. With one small normal Z of
deviation e, T = S + Z has an integrable characteristic function, and for every c > 0

    P(S > t + c) P(Z > -c) <= P(T > t),  hence  P(|S| > t + c) <= P(|T| > t) / P(Z > -c),

because S > t + c and Z > -c give T > t, and S and T are symmetric.

The characteristic function of T is the product of exp(-e^2 x^2 / 2) and, for each noise, of

* Laplace: 1 / (1 + V (1 - cos(w x))) with V = 2 p / (1 - p)^2, p = exp(-1/s), its variance;
* Gaussian: theta(w x) / theta(0) with theta(y) the sum of exp(-s^2 (y + 2 pi k)^2 / 2) over all k
  (Poisson's sum), or, for small s, of exp(-k^2 / (2 s^2)) cos(k y).

P(|T| <= t) is the integral of 2 sin(t x) / (pi x) f(x) over x > 0, worked out by the trapezoidal
rule with step h. The rule adds the chances of all t + 2 pi n / h, so it is too large by less than
P(|T| > 2 pi / h - t) <= 4 exp(-(2 pi / h - t) / d), where d^2 adds up w^2 s^2, twice for Laplace,
and e^2: at 1/d the moment generating function of T is at most 2, since that of a discrete Laplace
noise is below the continuous one's, 1 / (1 - s^2 l^2), and a discrete Gaussian is sub-Gaussian
(Canonne, Kamath and Steinke 2020). What is left out behind the last place X is at most
(2 / pi) exp(-e^2 X^2 / 2) / (e X)^2, as |f| is below its normal factor.

Claim: ``half_width`` is never too small. Why: each inequality above, with the floats' rounding
added. It is too large by less than one part in 100 of d for up to ``_FEW`` different terms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.consistent import NoiseTerm, NoiseTerms
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.noise.noise import Noise

FloatVector = npt.NDArray[np.float64]

_FEW = 60
_SMOOTH = 1 / 400
_CUT = 2.5
_PARTS = 2_000
"""Each of the three things left out is at most one part in so many of what may miss."""
_DEAD = -40.0
"""Places whose characteristic function is below the exponential of this add less than 10^-14."""
_LARGE = 700.0
_NEAR = 1e-5
_WIDE = 4.0
"""From this scale on a period adds less than exp(-70) to the next one's."""
_SMALL, _ROUNDING = 1e-9, 1e-9
_BITS = 24


@lru_cache(maxsize=4096)
def half_width(terms: NoiseTerms, miss: float = MISS) -> Fraction:
    """A w with P(|S| > w) <= miss, and not much more.

    Args:
        terms: noises with weights that are not 0.
        miss: probability that may lie beyond, above 10^-6.

    >>> one, other = Noise("laplace", 10.0), Noise("laplace", 5.0)
    >>> half_width(((one, 1.0, 1),)) == noise_distribution.half_width(one)
    True
    >>> 33 < half_width(((one, 1.0, 1), (other, 1.0, 1))) < 34  # 33 would be right
    True
    """
    if not terms:
        return Fraction(0)
    if len(terms) == 1 and terms[0][2] == 1:
        noise, weight, _ = terms[0]
        return abs(Fraction(weight)) * noise_distribution.half_width(noise, miss)
    return _rounded_up(_smooth(terms, miss) * (1 + _ROUNDING))


def _smooth(terms: NoiseTerms, miss: float) -> float:
    squares = (many * (weight * noise.scale) ** 2 * _two(noise) for noise, weight, many in terms)
    bare = math.sqrt(math.fsum(squares))
    blur = bare * _SMOOTH * max(1.0, len(terms) / _FEW)
    kept = miss * NormalDist().cdf(_CUT)
    return _place(terms, bare, blur, kept) + _CUT * blur


def _two(noise: Noise) -> int:
    return 2 if noise.mechanism == "laplace" else 1


def _place(terms: NoiseTerms, bare: float, blur: float, miss: float) -> float:
    """Where P(|T| > t) is ``miss``, from above, to the hundred-thousandth part of it."""
    whole = math.hypot(bare, blur)
    # By the moment generating function at 1/d no place lies further out.
    furthest = math.log(4 / miss)
    period = furthest + math.log(4 * _PARTS / miss)
    end = _last_place(miss)
    step = 2 * math.pi / (period * whole)
    places = step * np.arange(1, math.ceil(end / blur / step) + 1, dtype=np.float64)
    places, heights = _characteristic(terms, places, blur)
    parts = 2 * heights / places
    lost = _left_out(end) + _SMALL
    low, high, t = 0.0, furthest * whole, 2 * bare / math.sqrt(2)
    while True:
        # Added without the threads of a matrix product, which wait for one another.
        inside = step / math.pi * (t + float(np.sum(np.sin(t * places) * parts)))
        beyond = 1 - inside + 4 * math.exp(t / whole - period) + lost
        low, high = (low, t) if beyond <= miss else (t, high)
        if miss * (1 - _NEAR) <= beyond <= miss or high - low <= _NEAR * _NEAR * high:
            return high
        # Newton's step, a little beyond; in the middle where it leaves what is known.
        density = step / math.pi * (1 + 2 * float(np.sum(np.cos(t * places) * heights)))
        t += (beyond - miss * (1 - _NEAR / 2)) / density if density > 0 else math.inf
        t = t if low < t < high else (low + high) / 2


@lru_cache(maxsize=64)
def _last_place(miss: float) -> float:
    """How many deviations out the normal factor leaves nothing."""
    end = 2.0
    while _left_out(end) > miss / _PARTS:
        end += 0.25
    return end


def _left_out(end: float) -> float:
    return 2 / math.pi * math.exp(-end * end / 2) / (end * end)


def _characteristic(
    terms: NoiseTerms, places: FloatVector, blur: float
) -> tuple[FloatVector, FloatVector]:
    """Where it is not all but 0, and its value there."""
    largest = sorted(terms, key=lambda term: -abs(term[1]) * term[0].scale)
    places = _without_dead(largest[: 3 * ((len(largest) - 1) // 3) + 1], places)
    logs = -0.5 * (blur * places) ** 2
    for number, (noise, weight, many) in enumerate(largest):
        of_one = _laplace if noise.mechanism == "laplace" else _gaussian
        logs += many * of_one(abs(weight) * places, noise.scale)
        if number % 3 == 0:
            alive = logs > _DEAD
            places, logs = places[alive], logs[alive]
    return places, np.exp(logs)


def _without_dead(terms: Sequence[NoiseTerm], places: FloatVector) -> FloatVector:
    """Less most places at which one of some terms leaves nothing, found by its period alone."""
    for noise, weight, many in terms:
        near = _near(noise, many)
        if near < math.pi:
            turns = abs(weight) / (2 * math.pi) * places
            places = places[np.abs(turns - np.rint(turns)) < near / (2 * math.pi)]
    return places


@lru_cache(maxsize=4096)
def _near(noise: Noise, many: int) -> float:
    """How near to a whole number of turns its characteristic function is not all but 0."""
    least = (1 - _DEAD) / many  # one more, as these are floats
    if noise.mechanism != "laplace":
        return math.sqrt(2 * least) / noise.scale if noise.scale >= _WIDE else math.inf
    square = math.expm1(min(least, _LARGE)) / (2 * _variance(noise.scale))
    return 2 * math.asin(math.sqrt(square)) if square < 1 else math.inf


def _laplace(places: FloatVector, scale: float) -> FloatVector:
    # 1 - cos y = 2 sin(y / 2)^2 keeps its digits where y is small.
    result: FloatVector = -np.log1p(2 * _variance(scale) * np.sin(places / 2) ** 2)
    return result


def _variance(scale: float) -> float:
    return 2 * math.exp(-1 / scale) / math.expm1(-1 / scale) ** 2


def _gaussian(places: FloatVector, scale: float) -> FloatVector:
    if scale < 1:
        whole = np.arange(1, math.ceil(9 * scale) + 2)
        heights = 2 * np.exp(-0.5 * (whole / scale) ** 2)
        summed = 1 + np.cos(np.outer(places, whole)) @ heights
        small: FloatVector = np.log(np.maximum(summed / (1 + heights.sum()), 1e-300))
        return small
    # exp(-s^2 y^2 / 2) times 1 and what the periods on both sides add to it, for y in 0..pi; the
    # next one is below exp(-4 pi^2) of that.
    near = np.abs(np.remainder(places + math.pi, 2 * math.pi) - math.pi)
    result: FloatVector = -0.5 * (scale * near) ** 2
    if scale < _WIDE:
        slope = -2 * math.pi * scale * scale
        beside = np.exp(slope * (math.pi - near)) + np.exp(slope * (math.pi + near))
        result += np.log1p(beside) - math.log1p(2 * math.exp(slope * math.pi))
    return result


def _rounded_up(value: float) -> Fraction:
    """The next number of 24 bits: the same on machines whose last bits differ."""
    mantissa, exponent = math.frexp(value)
    return Fraction(math.ceil(mantissa * 2**_BITS)) * Fraction(2) ** (exponent - _BITS)
