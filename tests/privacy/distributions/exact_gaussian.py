# SPDX-License-Identifier: Apache-2.0
"""The discrete Gaussian distribution to 60 digits, straight from its definition.

Scales up to ``ADDED`` are added term by term. Beyond, the tail is Euler and Maclaurin's formula
at whole numbers with six Bernoulli numbers (not the midpoint rule that is under test), its
integral by Gauss and Laplace's series; both were checked against the plain sums at scale 300.
"""

from decimal import Decimal
from fractions import Fraction
from functools import cache

from tests.privacy.distributions.exact_laplace import many_digits

ADDED = 300
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628621")
BERNOULLI = [Fraction(1, 6), Fraction(-1, 30), Fraction(1, 42), Fraction(-1, 30), Fraction(5, 66)]


def weight(value: int, scale: float) -> Decimal:
    """exp(-x^2 / (2 s^2)), of the float scale exactly as it is."""
    return (-(Decimal(value) ** 2) / (2 * Decimal(scale) ** 2)).exp()


def added_beyond(width: int, scale: float) -> Decimal:
    """The sum of the weights of all whole numbers > width, until they no longer count."""
    total, value = Decimal(0), width + 1
    step = (-1 / Decimal(scale) ** 2).exp()
    term = weight(value, scale)
    ratio = (-(2 * Decimal(value) + 1) / (2 * Decimal(scale) ** 2)).exp()
    first = term
    while term > first * Decimal("1e-45"):
        total += term
        term, ratio = term * ratio, ratio * step
    return total


def beyond(width: int, scale: float) -> Decimal:
    """The sum of the weights of all whole numbers > width >= 0."""
    if scale <= ADDED:
        return added_beyond(width, scale)
    return maclaurin_beyond(width, scale)


def maclaurin_beyond(width: int, scale: float) -> Decimal:
    """Sum from a = width + 1: integral + f(a)/2 - B2/2! f'(a) - B4/4! f'''(a) - ..."""
    start = width + 1
    s, f = Decimal(scale), weight(start, scale)
    u = Decimal(start) / s
    total = s * area_beyond(u) + f / 2
    factorial = 1
    for k, number in enumerate(BERNOULLI, start=1):
        factorial *= (2 * k) * (2 * k - 1)
        derivative = -hermite(2 * k - 1, u) * f / s ** (2 * k - 1)
        total -= Decimal(number.numerator) / number.denominator / factorial * derivative
    return total


def hermite(order: int, u: Decimal) -> Decimal:
    """He_n(u): the n-th derivative of exp(-u^2/2) is (-1)^n He_n(u) exp(-u^2/2)."""
    before, now = Decimal(1), u
    for n in range(1, order):
        before, now = now, u * now - n * before
    return now


def area_beyond(u: Decimal) -> Decimal:
    """The integral of exp(-t^2/2) from u to infinity: half of sqrt(2 pi) less the series."""
    term = total = u
    k = 1
    while term > total * Decimal("1e-58"):
        term = term * u * u / (2 * k + 1)
        total += term
        k += 1
    return (2 * PI).sqrt() / 2 - (-u * u / 2).exp() * total


@cache
def total(scale: float) -> Decimal:
    """The sum of all the weights, with all digits whoever asks first: it is kept."""
    with many_digits():
        return 1 + 2 * beyond(0, scale)


def probability(value: int, scale: float) -> Decimal:
    """P(X = value)."""
    return weight(value, scale) / total(scale)


def tail(width: int, scale: float) -> Decimal:
    """P(|X| > width)."""
    return 2 * beyond(width, scale) / total(scale)
