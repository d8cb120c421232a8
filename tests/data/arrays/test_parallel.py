# SPDX-License-Identifier: Apache-2.0
"""Work in two halves says what the work in one says."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from dpdesk.data.arrays import parallel as halves
from dpdesk.data.arrays.parallel import in_halves, sort


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 1000])
@pytest.mark.parametrize("most", [1, 5, 2**63])
def test_halves_are_sorted_to_one_whole(
    rows: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(halves, "WORTH_ROWS", 0)
    keys = np.random.default_rng(rows).integers(0, most, rows, np.uint64)
    expected = np.sort(keys)
    sort(keys)
    assert (keys == expected).all()


@pytest.mark.parametrize("middle", [None, 0, 7, 10])
def test_every_place_is_in_one_half(middle: int | None) -> None:
    first, last = in_halves(lambda places: list(range(places.start, places.stop)), 10, middle)
    assert first + last == list(range(10))
    assert middle is None or len(first) == middle


def test_halves_are_worked_on_at_once_and_errors_come_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halves, "WORTH_ROWS", 0)
    meet = threading.Barrier(2, timeout=10)

    def work(places: slice) -> None:
        meet.wait()
        if places.start:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_halves(work, 2)
