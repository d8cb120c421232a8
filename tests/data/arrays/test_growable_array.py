# SPDX-License-Identifier: Apache-2.0
"""A column in one piece: it grows by batches, and kept rows move to its front."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.arrays import growable_array
from dpdesk.data.arrays.growable_array import GrowableArray

KINDS = [np.int8, np.int16, np.int32, np.int64, np.bool_]


@given(
    batches=st.lists(st.lists(st.integers(-128, 127), max_size=5), max_size=8),
    kind=st.sampled_from(KINDS),
    data=st.data(),
)
def test_kept_rows_are_those_asked_for(
    batches: list[list[int]], kind: type[np.generic], data: st.DataObject
) -> None:
    column = GrowableArray(np.dtype(kind))
    for batch in batches:
        column.add(np.array(batch, kind))
    whole = np.array([value for batch in batches for value in batch], kind)
    assert len(column) == len(whole)
    assert column.all().tolist() == whole.tolist()
    mask = data.draw(st.lists(st.booleans(), min_size=len(whole), max_size=len(whole)))
    rows = np.flatnonzero(np.array(mask, bool))
    kept = column.keep(rows)
    assert kept.dtype == np.dtype(kind)
    assert kept.tolist() == whole[rows].tolist()
    assert len(column) == len(rows)


@pytest.mark.parametrize("chunk", [1, 3, 1 << 15])
def test_no_row_is_overwritten_before_it_moved(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growable_array, "_CHUNK_ROWS", chunk)
    dice = np.random.default_rng(chunk)
    whole = dice.integers(0, 2**60, 1000)
    column = GrowableArray(whole.dtype)
    column.add(whole)
    rows = np.flatnonzero(dice.random(1000) < 0.7)
    assert column.keep(rows).tolist() == whole[rows].tolist()


def test_values_that_do_not_lie_next_to_each_other_are_taken_in() -> None:
    column = GrowableArray(np.dtype(np.int16))
    column.add(np.arange(10, dtype=np.int16)[::3])
    assert column.all().tolist() == [0, 3, 6, 9]
