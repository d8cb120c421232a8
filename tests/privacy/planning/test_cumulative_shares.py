# SPDX-License-Identifier: Apache-2.0
"""Shares that a histogram adds up to hold their margins, which less would not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from dpdesk.exact import Exact
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.planning.cumulative_shares import cumulative_shares
from dpdesk.privacy.statistics.figures_text import Figure

ROWS = (40, 90, 160, 220, 150, 90, 50)
TIMES = 1_000
NOISES = [(Noise("laplace", 20.0), 1), (Noise("gaussian", 25.0, "rho"), 1)]


def drawn(noise: Noise, sensitivity: int) -> list[tuple[Figure, ...]]:
    """The shares of many releases of the same rows."""
    exact = Exact(np.tile(np.array(ROWS), TIMES))
    counts = np.array(OpenDPDoor().draw("rows", exact, noise, sensitivity)).reshape(TIMES, -1)
    found = []
    for line in counts:
        shares = [one for one in cumulative_shares(noise, line.tolist()) if one is not None]
        assert len(shares) == len(ROWS)
        found.append(tuple(shares))
    return found


@pytest.mark.parametrize(("noise", "sensitivity"), NOISES, ids=["laplace", "gaussian"])
@pytest.mark.in_turn(2)
def test_every_share_lies_within_its_margin_95_times_in_100(noise: Noise, sensitivity: int) -> None:
    releases, total = drawn(noise, sensitivity), sum(ROWS)
    most = binom.isf(1e-9, TIMES, 0.05)
    for place in range(len(ROWS) - 1):
        exact = Fraction(sum(ROWS[: place + 1]), total)
        off = [(abs(one[place].value - exact), one[place].half_width) for one in releases]
        assert sum(far > margin for far, margin in off) <= most, place
        # A fifth of the margin would not do.
        assert sum(5 * far > margin for far, margin in off) > most, place


def test_shares_rise_to_all_rows() -> None:
    noise = Noise("laplace", 5.0)
    found = [one for one in cumulative_shares(noise, (50, -20, 30, 100)) if one is not None]
    values = [one.value for one in found]
    assert values == sorted(values)
    assert found[-1] == Figure(Fraction(1), Fraction(0))


def test_counts_that_add_up_to_none_have_no_shares() -> None:
    assert cumulative_shares(Noise("laplace", 5.0), (3, -9, 2)) == (None, None, None)


def test_more_bins_have_wider_margins_in_the_middle() -> None:
    noise = Noise("laplace", 5.0)
    few, many = cumulative_shares(noise, [600] * 2)[0], cumulative_shares(noise, [100] * 12)[5]
    assert few is not None and many is not None
    assert few.value == many.value == Fraction(1, 2)
    assert many.half_width > 2 * few.half_width
