# SPDX-License-Identifier: Apache-2.0
"""Work in two halves says what the work in one says."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from dpdesk.data.arrays import parallel as halves
from dpdesk.data.arrays.parallel import in_halves, of_each, prefetched, sort
from tests.waiting import LIMIT_S


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


@pytest.mark.parametrize("rows", [0, 1, 10])
def test_every_place_is_in_one_half(rows: int) -> None:
    first, last = in_halves(lambda places: list(range(places.start, places.stop)), rows)
    assert first + last == list(range(rows))


def test_halves_are_worked_on_at_once_and_errors_come_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halves, "WORTH_ROWS", 0)
    meet = threading.Barrier(2, timeout=LIMIT_S)

    def work(places: slice) -> None:
        meet.wait()
        if places.start:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_halves(work, 2)


@pytest.mark.parametrize("pieces", [0, 1, 2, 3, 40])
def test_results_come_in_the_order_of_the_pieces(pieces: int) -> None:
    assert list(prefetched(lambda piece: -piece, range(pieces))) == [-n for n in range(pieces)]


@pytest.mark.parametrize(("pieces", "other_threads"), [(1, False), (2, True)])
def test_one_piece_needs_no_thread(pieces: int, other_threads: bool) -> None:
    here = threading.get_ident()
    seen = set(prefetched(lambda _piece: threading.get_ident(), range(pieces)))
    assert (here not in seen) is other_threads


@pytest.mark.parametrize("pieces", [1, 5])
def test_what_work_or_pieces_raise_comes_out(pieces: int) -> None:
    def failing() -> Iterator[int]:
        yield from range(1, pieces)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(prefetched(lambda piece: piece, failing()))
    with pytest.raises(ZeroDivisionError):
        list(prefetched(lambda piece: 1 // (piece - piece), range(pieces)))


@pytest.mark.parametrize("rows", [10, 1 << 18])
def test_columns_keep_their_order(rows: int) -> None:
    here = threading.get_ident()
    done = of_each(lambda column: (column, threading.get_ident() == here), [3, 1, 2], rows)
    assert [column for column, _ in done] == [3, 1, 2]
    assert all(is_here is (rows == 10) for _, is_here in done)
