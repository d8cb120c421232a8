# SPDX-License-Identifier: Apache-2.0
"""Sums of products against one product at a time."""

import numpy as np
import pytest

from dpdesk.data.aggregation import products
from dpdesk.data.aggregation.products import product_sums
from dpdesk.privacy.joint_sums import fineness
from dpdesk.study import limits

LASTS = [1, 2, 13, 110, 46_340, 46_341, 131_073, 3_000_001, limits.MAX_QUANTA]


def one_by_one(indices: list[int], cells: list[int], size: int, last: int) -> list[int]:
    """The slow and obvious way."""
    sums = [0] * size
    for index, cell in zip(indices, cells, strict=True):
        sums[cell] += index * (last - index) * fineness(last) // last
    return sums


@pytest.mark.parametrize("last", LASTS)
@pytest.mark.parametrize("chunk", [7, 1 << 20])
def test_sums_are_exact(last: int, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "_CHUNK_ROWS", chunk)
    rng = np.random.default_rng(last)
    indices = np.append(rng.integers(0, last, 500, endpoint=True), [0, last, last // 2])
    cells = rng.integers(0, 5, indices.size).astype(np.intp)
    found = product_sums(indices.astype(np.uint32), cells, 6, last, fineness(last))
    assert found == one_by_one(indices.tolist(), cells.tolist(), 6, last)


def test_a_million_of_the_largest_products_lose_no_digit() -> None:
    last, rows = limits.MAX_QUANTA, 1 << 20
    indices = np.full(rows, last // 2, np.uint32)
    found = product_sums(indices, np.zeros(rows, np.intp), 1, last, fineness(last))
    assert found == [rows * (last // 2 * (last - last // 2) * fineness(last) // last)]


def test_a_table_without_rows_has_empty_sums() -> None:
    empty = np.array([], np.int32)
    assert product_sums(empty, np.array([], np.intp), 3, 12, 12) == [0, 0, 0]
