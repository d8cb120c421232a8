# SPDX-License-Identifier: Apache-2.0
"""The discrete Laplace distribution to 60 digits, straight from its definition."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, localcontext

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@contextmanager
def many_digits(digits: int = 60) -> Iterator[None]:
    """Decimal arithmetic that is far finer than binary floating point."""
    with localcontext() as context:
        context.prec = digits
        context.Emin, context.Emax = -(10**9), 10**9
        yield


def base(scale: float) -> Decimal:
    """p = exp(-1/scale), of the float scale exactly as it is."""
    return (Decimal(-1) / Decimal(scale)).exp()


def probability(value: int, scale: float) -> Decimal:
    """P(X = value)."""
    p = base(scale)
    return (1 - p) / (1 + p) * p ** abs(value)


def tail(width: int, scale: float) -> Decimal:
    """P(|X| > width): the geometric series, twice."""
    p = base(scale)
    return 2 * p ** (width + 1) / (1 + p)


def probabilities(scale: float, most: int) -> tuple[Floats, Floats]:
    """Values ``-most..most`` and their probabilities as floats."""
    x = np.arange(-most, most + 1, dtype=np.float64)
    return x, np.tanh(0.5 / scale) * np.exp(-np.abs(x) / scale)
