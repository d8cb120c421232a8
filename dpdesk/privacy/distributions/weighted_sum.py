# SPDX-License-Identifier: Apache-2.0
r"""The weighted sum of independent noises of one scale: what a figure made consistent carries.

S = sum of w_i X_i for real weights w_i lies on no lattice, so nothing is summed up exactly.
Instead each noise gets a small, independent, symmetric U_i, with which its distribution is a
smooth one. With T = sum of w_i (X_i + U_i) and R = sum of w_i U_i, for every c > 0

    P(S > t + c) * P(R > -c) <= P(T > t),    hence    P(|S| > t + c) <= P(|T| > t) / P(R > -c),

because S > t + c and R > -c give T > t, and S and T are symmetric.

Laplace. The whole part of an exponential variable of mean s is geometric with p = exp(-1/s) and
independent of what is behind the point; X is the difference of two such whole parts (Inusah and
Kozubowski 2006). So X + U is a continuous Laplace variable of scale s, U the difference of two
exponentials cut at 1. The logarithm of E exp(l U) is g(r - l) + g(r + l) - 2 g(r), r = 1/s, for
g(x) = log(sinh(x/2) / (x/2)), whose second derivative is at most 1/12: at most l^2 / 12. So
P(R <= -c) <= exp(-3 c^2 / |w|^2). The tail of T comes from its characteristic function, the
product of 1 / (1 + (w_i s x)^2), by a sum over x = h, 2h, ... That sum gives the chance of all
t + 2 pi n / h at once, so too little by less than P(|T| > 2 pi / h - t), which is at most
4 exp(-(2 pi / h - t) / d), d the standard deviation of T (Chernoff at 1/d). What is cut off
where the sum ends is at most (2 / pi) f / e, where f is the function at that place and e how
fast it falls there in powers of x, which only grows.

Gaussian. With U normal of variance r^2, the density of X + U is at most 1 + e times the normal
one of variance s^2 + r^2, e = 2 sum of exp(-2 pi^2 k^2 t^2), t^2 = s^2 r^2 / (s^2 + r^2) (complete
the square, and sum by Poisson, as in ``convolution``). Where s is so small that this does not help,
P(|S| > t) <= 2 exp(-t^2 / (2 s^2 |w|^2)) does: discrete Gaussians are sub-Gaussian (Canonne,
Kamath and Steinke, The discrete Gaussian for differential privacy, 2020, corollary 17).

Beside a normal number G of deviation v, independent of the noises (``half_width_beside``): the
same inequalities hold of S + G and T + G. The characteristic function is multiplied by
exp(-v^2 x^2 / 2), with which it falls faster, and Chernoff's 4 still is enough: with g the part of
G in d^2, log E exp(T / d) is at most -log((1 + g) / 2) + g / 2, which is log 2 or less.

Equal weights have their exact sum in ``convolution``.

Claim: ``half_width`` is never too small. Why: each inequality above, with the floats' rounding
added.

Claim: ``half_width_between`` is never too small for any weights that mix others in parts which add
up to 1, nor is a mixture of ``convex_half_widths`` for those that are mixed in the same parts.
Why: both bounds above are convex in the weights, so a mixture's is at most the same mixture of its
ends' bounds, and that is at most the largest of these. Where T is beyond t
with a given chance below one half, t is convex in the weights as the noises of T have a symmetric
density whose logarithm is concave (Lagoa, Li and Sznaier, Probabilistically constrained linear
programs and risk-adjusted controller design, 2005); norms are convex; and a Gaussian's bound is a
norm times a factor that grows with the number of noises alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.distributions.half_widths import sum_half_width
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.noise.noise import Noise

Terms = tuple[tuple[float, int], ...]
"""Weights, each with how many noises have it."""

PERIOD = 40.0
"""How many standard deviations apart the sums lie that one series adds together."""

_BLOCK, _BLOCKS, _SMALL = 512, 64, 1e-9
_SECANTS, _CLOSE = 4, 1e-8
ROUNDING = 1e-9
_CUT = 1.4
"""c, in norms of the weights: what R may miss beyond it takes 3 in 1000 of a tail's."""
_SMOOTH = tuple(product((0.6, 0.7, 0.8, 0.9, 1.0, 1.2), (1.5, 2.0, 2.5, 3.0)))

FloatVector = npt.NDArray[np.float64]


def half_width(noise: Noise, terms: Terms, miss: float = MISS) -> int:
    """A whole w with P(|S| > w) <= miss, and not much more.

    Args:
        noise: Laplace or Gaussian.
        terms: the weights.
        miss: probability that may lie beyond, above 10^-6.

    With the weights 1, 1/2 and 1/2, twice the sum is 2 X + Y + Z, a whole number, whose
    distribution can be added up: 36 would have been enough, the smoothing costs 2 more.

    >>> p = math.exp(-1 / 10)
    >>> one = [(1 - p) / (1 + p) * p ** abs(x) for x in range(-300, 301)]
    >>> double = np.zeros(1201)
    >>> double[::2] = one
    >>> chances, sums = np.convolve(np.convolve(one, one), double), np.abs(np.arange(-1200, 1201))
    >>> half_width(Noise("laplace", 10.0), ((1.0, 1), (0.5, 2)), 0.05)
    38
    >>> [round(float(chances[sums > 2 * width].sum()), 3) for width in (38, 36, 35)]
    [0.038, 0.046, 0.051]
    """
    if not terms:
        return 0
    if len(terms) == 1:
        # Equal weights: a multiple of a whole number, whose distribution is known exactly.
        (weight, count), mechanism = terms[0], _mechanism(noise)
        return math.ceil(abs(weight) * sum_half_width(mechanism, noise.scale, count, miss))
    return math.ceil(_smooth(noise, terms, miss, sum(many for _, many in terms)))


def half_width_beside(
    noise: Noise, weights: tuple[float, ...], deviation: float, miss: float
) -> float:
    """A w with P(|S + G| > w) <= miss, G a normal number beside the noises.

    Convex in the weights, as the half-widths without G are.

    Args:
        noise: Laplace or Gaussian.
        weights: one a noise, not all of them 0.
        deviation: of G.
        miss: see ``half_width``.

    Without noise it is 1.96 deviations, but for what smoothing adds.

    >>> round(half_width_beside(Noise("laplace", 0.01), (1.0,), 1000.0, 0.05) / 1000, 2)
    1.96
    """
    terms = tuple((weight, 1) for weight in weights)
    return _smooth(noise, terms, miss, len(weights), deviation)


def half_width_between(noise: Noise, ends: tuple[Terms, ...], noises: int, miss: float) -> int:
    """A whole w with P(|S| > w) <= miss for all weights that mix some, each of the same noises.

    Args:
        noise: Laplace or Gaussian.
        ends: the weights that are mixed, in parts which add up to 1.
        noises: how many noises there are.
        miss: see ``half_width``.
    """
    return math.ceil(max(_smooth(noise, terms, miss, noises) for terms in ends))


@dataclass(frozen=True, eq=False)
class ManyTerms:
    """Weights of many sums, each of the same noises; what depends on no noise is kept.

    Attributes:
        each: the weights of every sum.
        noises: how many noises there are.
    """

    each: tuple[Terms, ...]
    noises: int
    _places: dict[float, FloatVector] = field(default_factory=dict, repr=False)

    @cached_property
    def norms(self) -> FloatVector:
        """Of every sum's weights."""
        return np.array([_norm(terms) for terms in self.each])

    def laplace_places(self, miss: float) -> FloatVector:
        """Where each sum of continuous noises of scale 1 is beyond with such a chance."""
        if miss not in self._places:
            self._places[miss] = np.array([_laplace_place(terms, miss) for terms in self.each])
        return self._places[miss]


def convex_half_widths(noise: Noise, many: ManyTerms, miss: float) -> FloatVector:
    """Of each sum a w with P(|S| > w) <= miss, and of a mixture the same mixture of these.

    Args:
        noise: Laplace or Gaussian.
        many: the weights.
        miss: see ``half_width``.
    """
    scale: float = noise.scale
    if noise.mechanism == "gaussian":
        factor = _gaussian_factor(scale, miss, many.noises) * (1 + ROUNDING)
        return many.norms * factor
    places = many.laplace_places(_missed_by_sum(miss))
    return (scale * places + _CUT * many.norms) * (1 + ROUNDING)


def _smooth(noise: Noise, terms: Terms, miss: float, noises: int, deviation: float = 0.0) -> float:
    if noise.mechanism == "laplace":
        return _laplace(noise.scale, terms, miss, deviation) * (1 + ROUNDING)
    if deviation:
        return _gaussian_beside(noise.scale, _norm(terms), miss, (noises, deviation))
    return _gaussian(noise.scale, terms, miss, noises) * (1 + ROUNDING)


def _mechanism(noise: Noise) -> Literal["laplace", "gaussian"]:
    return "laplace" if noise.mechanism == "laplace" else "gaussian"


def _norm(terms: Terms) -> float:
    return math.sqrt(math.fsum(count * weight * weight for weight, count in terms))


def _gaussian(scale: float, terms: Terms, miss: float, noises: int) -> float:
    return _norm(terms) * _gaussian_factor(scale, miss, noises)


def _gaussian_beside(scale: float, norm: float, miss: float, beside: tuple[int, float]) -> float:
    """The half-width of some noises and of a normal number of a deviation."""
    noises, deviation = beside
    factor = _gaussian_factor(scale, miss, noises, deviation / norm)
    return norm * factor * (1 + ROUNDING)


@lru_cache(maxsize=1024)
def _gaussian_factor(scale: float, miss: float, noises: int, beside: float = 0.0) -> float:
    """What the norm of the weights is multiplied by; a normal number's deviation in norms."""
    normal = NormalDist()
    result = math.hypot(scale, beside) * math.sqrt(2 * math.log(2 / miss))  # sub-Gaussian
    # Smoothing with more variance r^2 brings e down and T further out; the best of some is taken.
    for r, cut in _SMOOTH:
        # e is below 2.1 wave, and (1 + e)^noises below exp(2.2 wave noises).
        wave = math.exp(-2 * math.pi**2 / (1 / scale**2 + 1 / r**2))
        # What T may miss: R is normal, so P(R > -cut r |w|) is cdf(cut).
        kept = miss * normal.cdf(cut) * math.exp(-2.2 * wave * noises)
        if kept > _SMALL:
            # Half of it on either side of a normal variable of deviation |w| hypot(s, r).
            far = math.hypot(scale, r, beside) * -normal.inv_cdf(kept / 2)
            result = min(result, far + cut * r)
    return result


def _laplace(scale: float, terms: Terms, miss: float, deviation: float = 0.0) -> float:
    """T grows with the scale alone, so its place is worked out once."""
    # The continuous Laplaces scale with the noise, the parts behind the point do not.
    place = _laplace_place(terms, _missed_by_sum(miss), deviation / scale)
    return scale * place + _CUT * _norm(terms)


def _missed_by_sum(miss: float) -> float:
    """What T may miss: 1 - e^(-3 c^2) <= P(R > -c |w|)."""
    return miss * -math.expm1(-3 * _CUT * _CUT)


@lru_cache(maxsize=65536)
def _laplace_place(terms: Terms, miss: float, beside: float = 0.0) -> float:
    """Where P(|T| > t) is ``miss`` for a scale of 1, from above, to the millionth part.

    Args:
        terms: the weights.
        miss: what may lie beyond.
        beside: the deviation of a normal number beside the noises.
    """
    deviation = math.hypot(math.sqrt(2) * _norm(terms), beside)
    step = 2 * math.pi / (PERIOD * deviation)
    places, heights, cut_off = _series(step, terms, beside)
    # P(|T| <= t) is the integral of 2 sin(t x) / (pi x) f(x) over x > 0, here by the trapezoidal
    # rule with width h = ``step``; at 0 the integrand is 2 t / pi, of which half counts.
    parts = 2 * heights / places

    def beyond(t: float) -> float:
        inside = step / math.pi * (t + float(np.sin(t * places) @ parts))
        # What the series adds of other periods, what it leaves out, and rounding: all upwards.
        return 1 - inside + 4 * math.exp(t / deviation - PERIOD) + cut_off + _SMALL

    low, high = 0.0, PERIOD / 2 * deviation
    # P(|T| > t) falls with t, so two places show on which side of them all others lie.
    near, far = _enclosed(beyond, miss, deviation, high)
    while high - low > 1e-6 * high:
        t = (low + high) / 2
        is_enough = t >= far or (t > near and beyond(t) <= miss)
        low, high = (low, t) if is_enough else (t, high)
    return high


def _enclosed(
    beyond: Callable[[float], float], miss: float, deviation: float, end: float
) -> tuple[float, float]:
    """Two places close together: beyond the first is more than ``miss``, beyond the second not.

    By secants of the logarithm, which is nearly straight. The two are looked at: where secants led
    astray, the one that is not what it should be is 0 or infinite.
    """
    place = deviation * max(0.5, -NormalDist().inv_cdf(miss / 2))
    excess, move = math.log(beyond(place) / miss), 0.1 * place
    for _ in range(_SECANTS):
        place, last = min(place + move, end), excess
        excess = math.log(beyond(place) / miss)
        move *= excess / (last - excess or 1.0)
    place = min(place + move, end)
    near, far = place * (1 - _CLOSE), place * (1 + _CLOSE)
    return near if beyond(near) > miss else 0.0, far if beyond(far) <= miss else math.inf


def _series(step: float, terms: Terms, beside: float) -> tuple[FloatVector, FloatVector, float]:
    """Places and values of the characteristic function, and what is lost behind the last."""
    squares = np.array([weight * weight for weight, _ in terms])
    counts = np.array([count for _, count in terms], np.float64)
    heights: list[FloatVector] = []
    for block in range(1, _BLOCKS + 1):
        places = step * np.arange((block - 1) * _BLOCK + 1, block * _BLOCK + 1)
        # The product of 1 / (1 + w^2 x^2), each as often as its weight: one row a weight, one
        # column a place.
        logs = counts @ np.log1p(np.outer(squares, places**2)) + (beside * places) ** 2 / 2
        heights.append(np.exp(-logs))
        # f falls like x^-e here, e = - d log f / d log x, and ever faster: what is behind is at
        # most the integral of f (x / last)^-e / x, which is f / e.
        last = squares * places[-1] ** 2
        falls = float(counts @ (2 * last / (1 + last))) + float(beside * places[-1]) ** 2
        lost = 2 / math.pi * float(heights[-1][-1]) / falls
        if lost < _SMALL:
            break
    every: FloatVector = step * np.arange(1, block * _BLOCK + 1, dtype=np.float64)
    return every, np.concatenate(heights), lost
