# SPDX-License-Identifier: Apache-2.0
"""Rows are spread over corners in whole parts, none of which is lost; products are exact."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
import pytest

from dpdesk.data.aggregation.second_moments import HALF, PARTS, second_moments

ALL = [(0, 5), (1, 2), (4, 3), (3, 1), (6, 7)]


@pytest.mark.parametrize("lasts", [(2, 7), (1, 3, 10**9), (6,) * 9])
@pytest.mark.parametrize("rows", [0, 1, 700])
def test_a_row_is_spread_by_the_shares_of_its_values(lasts: tuple[int, ...], rows: int) -> None:
    dice = np.random.default_rng(rows)
    indices = [dice.integers(0, last + 1, rows) for last in lasts]
    found = second_moments(indices, lasts, (), (0,) * len(lasts))
    assert sum(found) == rows * PARTS
    assert min(found) >= 0
    shares = [index / last for index, last in zip(indices, lasts, strict=True)]
    for corner, parts in enumerate(found):
        ends = (one if corner >> at & 1 else 1 - one for at, one in enumerate(shares))
        # Each of d roundings is of half a part at most, and none grows on the way.
        expected = PARTS * float(np.sum(prod(ends)))
        assert parts == pytest.approx(expected, abs=max(1, rows) * len(lasts))


@pytest.mark.parametrize("index", [0, 1, 3, 4, 7])
def test_no_row_adds_more_than_its_weight_for_a_square(index: int) -> None:
    row = [np.array([index]), np.array([index])]
    *corners, first, second = second_moments(row, (7, 7), (), (100, 9))
    t = 2 * index / 7 - 1
    assert (first, second) == (round(100 * (2 * t * t - 1)), round(9 * (2 * t * t - 1)))
    assert sum(corners) == PARTS
    assert abs(first) <= 100


def test_products_are_those_of_rounded_values() -> None:
    dice = np.random.default_rng(9)
    lasts = (1, 3, 10**6)
    indices = [dice.integers(0, last + 1, 50) for last in lasts]
    each = [np.rint(HALF * (2 * one / n - 1)) for one, n in zip(indices, lasts, strict=True)]
    a, b, c = [one.astype(np.int64) for one in each]
    assert second_moments(indices, lasts, ALL, (0, 2, 3)) == [
        *(5 * 50 * HALF**2, 2 * HALF * sum(a), 3 * HALF * sum(c), sum(a * b), 7 * sum(b * c)),
        *(weight * (2 * sum(one * one) - 50 * HALF**2) for weight, one in ((2, b), (3, c))),
    ]


@pytest.mark.parametrize("contrasts", [[], ALL])
def test_rows_add_up_whatever_is_worked_out_at_a_time(
    contrasts: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = np.random.default_rng(5)
    each: list[Any] = [dice.integers(0, 10, 100).astype(np.int8) for _ in range(3)]
    whole = second_moments(each, (9, 9, 9), contrasts, (50, 0, 70))
    monkeypatch.setattr("dpdesk.data.aggregation.second_moments._CHUNK_CELLS", 8 * 7)
    assert second_moments(each, (9, 9, 9), contrasts, (50, 0, 70)) == whole
