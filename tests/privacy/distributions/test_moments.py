# SPDX-License-Identifier: Apache-2.0
"""The margin of a variance: whole-number frames, and how often it is missed."""

from collections.abc import Callable
from fractions import Fraction
from math import trunc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.distributions import moments
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.mixed_sum import mixed_half_width
from dpdesk.privacy.distributions.moments import BITS, IndexGrid, Noises
from dpdesk.privacy.distributions.ratio import ratio_half_width
from dpdesk.privacy.noise.noise import Noise
from dpdesk.study import limits
from tests.audit.length import runs

LASTS = [1, 2, 3, 13, 100, 110, 131_071, 131_072, 131_073, 3_000_001, limits.MAX_QUANTA]
DRAWS = runs(short=1_000, full=10_000)
ALLOWED = 0.05 + 6.1 * (0.05 * 0.95 / DRAWS) ** 0.5
"""An honest margin is missed more often than this with a chance below 10^-9."""


def exactly(frame: IndexGrid, indices: Any) -> tuple[int, int, int, Fraction]:
    """Rounded squares, sum, count and population variance of grid indices, one by one."""
    away = [int(index) - frame.centre for index in indices]
    rounded = [(d * d + frame.grain // 2) // frame.grain - frame.shift for d in away]
    rows = len(away)
    mean = Fraction(sum(away), rows)
    return sum(rounded), sum(away), rows, Fraction(sum(d * d for d in away), rows) - mean**2


@pytest.mark.parametrize("last", LASTS)
def test_no_sum_of_squares_passes_what_the_door_carries(last: int) -> None:
    frame = IndexGrid(last)
    ends = (-frame.shift, frame.top - frame.shift)
    assert max(map(abs, ends)) * limits.ROW_CAP <= 2**62
    assert frame.grain == 1 or frame.top.bit_length() in (BITS, BITS + 1)
    assert frame.centre + frame.reach == last


@pytest.mark.parametrize("last", LASTS)
def test_rounded_squares_are_as_close_as_the_margin_supposes(last: int) -> None:
    frame = IndexGrid(last)
    places = {0, 1, last, frame.centre, frame.centre + 1, last // 3, last - 1}
    for index in places:
        away = index - frame.centre
        rounded = (away**2 + frame.grain // 2) // frame.grain
        assert abs(rounded * frame.grain - away**2) <= frame.slack
        assert 0 <= rounded <= frame.top


DATA: dict[str, Callable[[int, int], Any]] = {
    "in the middle": lambda last, n: np.full(n, last // 2),
    "at the upper bound": lambda last, n: np.full(n, last),
    "at both bounds": lambda last, n: np.arange(n) % 2 * last,
    "spread evenly": lambda last, n: np.arange(n) * last // (n - 1),
    "low and close": lambda last, n: last // 5 + np.arange(n) % (last // 8 + 1),
}


CASES = [
    *(("laplace", 110, 6_000, name) for name in DATA),
    ("laplace", 13, 400, "low and close"),
    ("laplace", 3_000_001, 2_000, "spread evenly"),
    ("laplace", 1, 60, "at both bounds"),
    ("gaussian", 110, 6_000, "spread evenly"),
    ("gaussian", 13, 400, "at the upper bound"),
    ("gaussian", 3_000_001, 2_000, "low and close"),
]


@pytest.mark.parametrize(("kind", "last", "rows", "name"), CASES)
def test_the_margin_holds_95_times_in_100(kind: Any, last: int, rows: int, name: str) -> None:
    frame = IndexGrid(last)
    squares, total, n, variance = exactly(frame, DATA[name](last, rows))
    scales = (2.0 * (frame.top - frame.shift) + 0.3, 1.2 * frame.reach, 3.0)
    noises = noises_of(kind, scales)
    missed = 0
    for z, x, y in zip(*drawn_from(kind, scales), strict=True):
        found = moments.released_variance(frame, noises, (squares + z, total + x, n + y))
        missed += found is not None and abs(found.value - variance) > found.margin
    assert missed / DRAWS <= ALLOWED


def noises_of(kind: Any, scales: tuple[float, float, float]) -> Noises:
    measure: Any = "rho" if kind == "gaussian" else "epsilon"
    return Noises(*(Noise(kind, scale, measure) for scale in scales))


def drawn_from(kind: str, scales: tuple[float, ...]) -> list[list[int]]:
    return [noise_of(kind, scale, seed) for seed, scale in enumerate(scales)]


def test_a_margin_after_the_release_is_never_above_the_one_for_any_data() -> None:
    frame, noises = IndexGrid(110), noises_of("laplace", (6_000.0, 130.0, 3.0))
    rng = np.random.default_rng(5)
    for rows in (1, 7, 200, 9_000):
        before = moments.margin_before(frame, noises, rows)
        for _ in range(100):
            squares, total = rng.integers(-1_600 * rows, 1_600 * rows), rng.integers(-60, 60) * rows
            found = moments.released_variance(frame, noises, (int(squares), int(total), rows))
            assert found is not None
            assert found.margin <= before <= frame.most


def noise_of(kind: str, scale: float, seed: int) -> list[int]:
    """Discrete noise from a fixed seed; the Gaussian is rounded, which is as wide or wider."""
    rng = np.random.default_rng(seed + int(scale))
    if kind == "gaussian":
        found = np.rint(rng.normal(0, scale, DRAWS))
    else:
        p = -np.expm1(-1 / scale)
        found = rng.geometric(p, DRAWS) - rng.geometric(p, DRAWS)
    return [int(number) for number in found]


def test_the_margin_is_not_far_too_wide() -> None:
    """The share of the misses that is allowed is used to a good part."""
    frame = IndexGrid(110)
    squares, total, n, variance = exactly(frame, DATA["spread evenly"](110, 20_000))
    scales = (3_000.0, 65.0, 3.0)
    noises = noises_of("laplace", scales)
    missed = 0
    for z, x, y in zip(*drawn_from("laplace", scales), strict=True):
        found = moments.released_variance(frame, noises, (squares + z, total + x, n + y))
        assert found is not None
        missed += abs(found.value - variance) > found.margin
    assert missed / DRAWS > 0.025


@given(data=st.data(), last=st.sampled_from([1, 2, 13, 110, 131_073]))
def test_where_both_events_hold_the_published_variance_is_within_its_margin(
    data: st.DataObject, last: int
) -> None:
    """However wild: the noises are put where the events just hold, and the data anywhere."""
    frame = IndexGrid(last)
    indices = data.draw(st.lists(st.integers(0, last), min_size=1, max_size=40))
    indices = indices * data.draw(st.integers(1, 30))
    squares, total, n, variance = exactly(frame, indices)
    kind = data.draw(st.sampled_from(["laplace", "gaussian"]))
    scale = data.draw(st.floats(0.3, 30))
    noises = noises_of(kind, (scale * (frame.top + 1), scale * frame.reach, scale))
    mean, sides = Fraction(total, n), st.sampled_from([-1, 0, 1])
    far = ratio_half_width(noises.total, noises.rows, frame.reach, MISS / 10)
    y = data.draw(st.integers(1 - n, 4 * int(scale) + 1))
    x = trunc(mean * y + data.draw(sides) * far)
    r = 2 * mean**2 - frame.grain * Fraction(squares, n)
    weights = (float(frame.grain), float(abs(2 * mean)), float(abs(r)))
    trio = (noises.squares, noises.total, noises.rows)
    linear = Fraction(mixed_half_width(trio, weights, 0.9 * MISS)) * data.draw(sides)
    z = trunc((linear + 2 * mean * x - r * y) / frame.grain)
    if abs(x - mean * y) > far or abs(frame.grain * z - 2 * mean * x + r * y) > abs(linear):
        return  # truncated towards 0, and past the event
    found = moments.released_variance(frame, noises, (squares + z, total + x, n + y))
    assert found is not None
    assert abs(found.value - variance) <= found.margin
