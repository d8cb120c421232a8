# SPDX-License-Identifier: Apache-2.0
"""How precisely a noisy value is written says nothing of the exact one.

Haney, Desfontaines, Hartman, Shrestha and Hay, Precision-based attacks and interval refining,
2022: floats near 0 have finer digits than others, so that the last digits tell the answer.
"""

import numpy as np
import numpy.typing as npt
import pytest

from dpdesk.exact import Exact
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from tests.privacy.choosing import chi_square_tail

DRAWS = 10_000
MOST_ZEROS = 7
ALMOST_NEVER = 1e-9

Counts = npt.NDArray[np.int64]


def zeros(value: int) -> int:
    """The zeros at the end of a whole number in binary, up to a few."""
    return min(MOST_ZEROS, (value & -value).bit_length() - 1) if value else MOST_ZEROS


def drawn(exact: int) -> Counts:
    """How often noisy values end in so many zeros."""
    answer = Exact(np.full(DRAWS, exact, dtype=np.int64))
    noisy = OpenDPDoor().draw("test", answer, Noise("laplace", 1000.0), 1)
    return np.bincount([zeros(value) for value in noisy], minlength=MOST_ZEROS + 1)


def naive(exact: float) -> Counts:
    """How often the small ones of naive noisy floats need more than 53 binary places."""
    noisy = exact + np.random.default_rng(1).laplace(size=DRAWS)
    small = [float(value) for value in noisy if abs(value) < 0.25]
    return np.bincount([value.as_integer_ratio()[1] > 2**53 for value in small], minlength=2)


def same(first: Counts, second: Counts) -> float:
    """The chance of counts at least as different, were both of one distribution."""
    both = first + second
    expected = both * (first.sum() / both.sum()), both * (second.sum() / both.sum())
    apart = sum(((n - e) ** 2 / e).sum() for n, e in zip((first, second), expected, strict=True))
    return chi_square_tail(float(apart), len(both) - 1)


@pytest.mark.threat("A2")
@pytest.mark.parametrize("exact", [0, 10**6, 10**12])
def test_the_last_digits_of_noisy_numbers_reveal_no_neighbour(exact: int) -> None:
    assert same(drawn(exact), drawn(exact + 1)) > ALMOST_NEVER


@pytest.mark.threat("A2")
def test_the_last_digits_of_naive_floats_reveal_a_neighbour() -> None:
    assert same(naive(0.0), naive(1.0)) < ALMOST_NEVER
