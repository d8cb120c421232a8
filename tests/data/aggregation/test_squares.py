# SPDX-License-Identifier: Apache-2.0
"""Sums of rounded squares against one square at a time."""

import numpy as np
import pytest

from dpdesk.data.aggregation import squares
from dpdesk.data.aggregation.squares import square_sums
from dpdesk.privacy.distributions.moments import IndexGrid
from dpdesk.study import limits

LASTS = [1, 2, 13, 110, 131_071, 131_073, 3_000_001, limits.MAX_QUANTA]


def one_by_one(indices: list[int], cells: list[int], size: int, frame: IndexGrid) -> list[int]:
    """The slow and obvious way: each square is rounded to the nearest, halves upwards."""
    sums = [0] * size
    for index, cell in zip(indices, cells, strict=True):
        whole, left = divmod((index - frame.centre) ** 2, frame.grain)
        sums[cell] += whole + (2 * left >= frame.grain)
    return sums


@pytest.mark.parametrize("last", LASTS)
@pytest.mark.parametrize("chunk", [7, 1 << 20])
def test_sums_are_exact(last: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(squares, "_CHUNK_ROWS", chunk)
    rng = np.random.default_rng(last)
    frame = IndexGrid(last)
    indices = np.append(rng.integers(0, last, 500, endpoint=True), [0, last, frame.centre])
    cells = rng.integers(0, 5, indices.size).astype(np.intp)
    found = square_sums(indices.astype(np.uint32), cells, 6, frame.centre, frame.grain)
    assert found == one_by_one(indices.tolist(), cells.tolist(), 6, frame)


def test_a_million_of_the_largest_squares_lose_no_digit() -> None:
    frame, rows = IndexGrid(limits.MAX_QUANTA), 1 << 20
    indices = np.full(rows, limits.MAX_QUANTA, np.uint32)
    found = square_sums(indices, np.zeros(rows, np.intp), 1, frame.centre, frame.grain)
    assert found == [rows * frame.top]


def test_a_table_without_rows_has_empty_sums() -> None:
    empty = np.array([], np.int32)
    assert square_sums(empty, np.array([], np.intp), 3, 6, 1) == [0, 0, 0]
