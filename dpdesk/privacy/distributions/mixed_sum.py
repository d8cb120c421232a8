# SPDX-License-Identifier: Apache-2.0
r"""The half-width of a sum of independent noises of different scales and unknown real weights.

Claim: with q = ``mixed_half_width(noises, weights, miss)``, P(|sum of a_i X_i| > q) <= miss for
all real a_i with |a_i| <= weights_i. Three bounds are worked out, each holds, the least is taken.

*Each noise within its own.* The noises are independent, so all |X_i| <= w_i at once with the
product of the chances, and then |sum| <= sum of weights_i w_i.

*Smoothing, then closed forms.* Let U_i be uniform on (-1/2, 1/2) and X'_i = X_i + U_i. The density
of X'_i is a step function, symmetric and falling outwards (unimodal), and |sum a_i X_i| <=
|sum a_i X'_i| + (sum of weights_i) / 2. For W symmetric and unimodal P(|W + x| > q) grows with
|x|, and sums of such variables are such variables (Wintner 1936; Birnbaum, On random variables
with comparable peakedness, 1948). So P(|sum a_i X'_i| > q) grows with every |a_i|, and also where
an X'_i is replaced by another such variable N_i for which P(|N_i| > w) is nowhere below it.

Laplace of scale s, p = exp(-1/s): N_i is the continuous Laplace of scale 1/t, t = 2 tanh(1/(2s)).
Why: around a whole k > 0 the tail of |X'| is the straight line p^k (1 - (w - k) t), around 0 it is
1 - w t, and e^(-w t) = e^(-k t) e^(-(w - k) t) is at least that, as t <= 1/s and e^(-x) >= 1 - x.
The sum of continuous Laplaces of scales b_i that differ has, by partial fractions of its
characteristic function, P(|sum| > q) = sum of c_i e^(-q / b_i) with c_i the product over the
others of b_i^2 / (b_i^2 - b_j^2). Scales closer than ``APART`` are first moved apart, upwards.

Gaussian of scale s: N_i is round(N) + U with N normal of deviation s. Why: P(X = j) over the
normal mass around j is a constant over the integral of exp(-u^2/(2 s^2)) cosh(j u / s^2) over
|u| <= 1/2, which grows with j; so their difference changes its sign once, from plus to minus, and
P(|X| <= k) is nowhere below P(|N| < k + 1/2). And |round(N) + U - N| <= 1, so three halves of
each weight are lost in all.

*Gaussian, sub-Gaussian.* E exp(tX) <= exp(t^2 s^2 / 2) (Canonne, Kamath and Steinke, The discrete
Gaussian, 2020), so P(|sum| > q) <= 2 exp(-q^2 / (2 v)), v = sum of (weights_i s_i)^2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

from dpdesk.privacy.distributions.noise_distribution import half_width
from dpdesk.privacy.noise.noise import Noise

APART = 1.01
"""Scales are held at least so far apart, as a factor: terms of the closed form stay small."""

SLACK = 1e-9
"""What is added, as a part, for the rounding of floating point."""

_BITS = 24


@lru_cache(maxsize=16_384)
def mixed_half_width(noises: tuple[Noise, ...], weights: tuple[float, ...], miss: float) -> float:
    """The half-width q of the claim at the head of the module.

    Args:
        noises: additive noises, of one mechanism all.
        weights: the largest |a_i|, 0 or more.
        miss: probability that may lie beyond, below 1.

    Raises:
        ValueError: the noises are of two mechanisms.

    Noises of scales 2 and 5, added up: beyond the half-width lies less than is allowed, by little.

    >>> chances = [[math.tanh(0.5 / s) * math.exp(-abs(x) / s) for x in range(-150, 151)]
    ...            for s in (2.0, 5.0)]
    >>> q = mixed_half_width((Noise("laplace", 2.0), Noise("laplace", 5.0)), (1.0, 1.0), 0.05)
    >>> sums = [(x + y, a * b) for x, a in enumerate(chances[0], -150)
    ...         for y, b in enumerate(chances[1], -150)]
    >>> 0.03 < sum(chance for total, chance in sums if abs(total) > q) < 0.05
    True
    """
    pairs = [(noise, weight) for noise, weight in zip(noises, weights, strict=True) if weight]
    if not pairs:
        return 0.0
    some, sizes = zip(*pairs, strict=True)
    return min(mixed_bounds(some, sizes, miss))


@lru_cache(maxsize=65_536)
def mixed_bounds(
    noises: tuple[Noise, ...], weights: tuple[float, ...], miss: float
) -> tuple[float, ...]:
    """Each of the bounds at the head of the module, in one order.

    Claim: for weights that mix some others, in parts which add up to 1, each bound is at most the
    largest of these others' same bound. Why: of the half-widths of independent noises whose
    densities are symmetric and have concave logarithms, that of their sum is convex in the weights
    (Lagoa, Li and Sznaier, 2005; see ``weighted_sum``); all else is norms of the weights.

    Args:
        noises: see ``mixed_half_width``; one or more.
        weights: see ``mixed_half_width``.
        miss: see ``mixed_half_width``.
    """
    if len({noise.mechanism for noise in noises}) > 1:
        raise ValueError("mixed noises are of one mechanism")
    pairs = [(noise, weight) for noise, weight in zip(noises, weights, strict=True) if weight]
    # All n noises are within their own widths with (1 - each)^n = 1 - miss.
    each = -math.expm1(math.log1p(-miss) / len(noises)) * (1 - SLACK)
    bounds = [math.fsum(weight * half_width(noise, each) for noise, weight in pairs)]
    is_gaussian = noises[0].mechanism == "gaussian"
    bounds += _gaussian(pairs, miss) if is_gaussian else _laplace(pairs, miss)
    return tuple(_rounded_up(bound * (1 + SLACK)) for bound in bounds)


def _gaussian(pairs: Sequence[tuple[Noise, float]], miss: float) -> list[float]:
    spread = math.hypot(*(weight * noise.scale for noise, weight in pairs))
    lost = 1.5 * sum(weight for _, weight in pairs)  # 1/2 for U, 1 for round(N) + U - N
    normal = -NormalDist().inv_cdf(miss / 2 * (1 - SLACK))
    return [spread * normal + lost, spread * math.sqrt(2 * math.log(2 / miss))]


def _laplace(pairs: Sequence[tuple[Noise, float]], miss: float) -> list[float]:
    # 1 / t for t = 2 tanh(1 / (2 s)): the continuous Laplace that is nowhere less spread out.
    scales = [weight / (2 * math.tanh(0.5 / noise.scale)) for noise, weight in pairs]
    lost = sum(weight for _, weight in pairs) / 2
    return [_laplace_sum(_moved_apart(scales), miss * (1 - SLACK)) + lost]


def _moved_apart(scales: Sequence[float]) -> list[float]:
    """The scales in rising order, none less than ``APART`` times the one before."""
    moved: list[float] = []
    for scale in sorted(scales):
        moved.append(max(scale, moved[-1] * APART) if moved else scale)
    return moved


def _laplace_sum(scales: Sequence[float], miss: float) -> float:
    """The q with P(|sum| > q) = miss, by bisection, on the side where it holds."""
    parts = [(_fraction(scale, scales), scale) for scale in scales]
    # Each |c_i| e^(-q / b_i) is at most |c_i| e^(-q / b) for the largest scale b, so all of them
    # together are at most ``miss`` at ``high``.
    low, high = 0.0, scales[-1] * math.log(sum(abs(c) for c, _ in parts) / miss)
    while high - low > SLACK * high:
        middle = (low + high) / 2
        beyond = math.fsum(c * math.exp(-middle / scale) for c, scale in parts)
        low, high = (low, middle) if beyond <= miss else (middle, high)
    return high


def _fraction(scale: float, scales: Sequence[float]) -> float:
    """The partial fraction of one scale: by ratios, since squares of scales could overflow."""
    return math.prod(1 / (1 - (other / scale) ** 2) for other in scales if other != scale)


def _rounded_up(value: float) -> float:
    """The next float of 24 bits: the same on machines whose last bits differ."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(math.ceil(mantissa * 2**_BITS), exponent - _BITS)
