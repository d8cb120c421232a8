# SPDX-License-Identifier: Apache-2.0
"""Orders made from cut keys are those of the whole keys."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.arrays import packed_sort
from dpdesk.data.arrays.packed_sort import ordered, together

words = st.integers(-(2**63), 2**63 - 1)
few = st.sampled_from([0, 1, -1, 2**40, 2**63 - 1, -(2**63)])


def stand_together(*halves: npt.NDArray[np.int64]) -> bool:
    """Whether equal keys have no other key between them."""
    keys = list(zip(*(half.tolist() for half in halves), strict=True))
    changes = sum(a != b for a, b in pairwise(keys))
    return not keys or changes + 1 == len(set(keys))


def beginnings(*halves: npt.NDArray[np.int64]) -> list[bool]:
    """Where another key begins than the one before."""
    keys = list(zip(*(half.tolist() for half in halves), strict=True))
    return [place == 0 or keys[place - 1] != key for place, key in enumerate(keys)]


@given(st.lists(st.one_of(words, few, st.integers(0, 9)), max_size=60))
def test_equal_numbers_stand_together(numbers: list[int]) -> None:
    low = np.array(numbers, np.int64)
    order, begins = together(low)
    assert sorted(order.tolist()) == list(range(len(low)))
    assert stand_together(low[order])
    assert begins.tolist() == beginnings(low[order])


@given(st.lists(st.tuples(few | words, few | words), max_size=60))
def test_equal_pairs_stand_together(pairs: list[tuple[int, int]]) -> None:
    low, high = (np.array([pair[i] for pair in pairs], np.int64) for i in (0, 1))
    order, begins = together(low, high)
    assert sorted(order.tolist()) == list(range(len(low)))
    assert stand_together(low[order], high[order])
    assert begins.tolist() == beginnings(low[order], high[order])


@pytest.mark.parametrize("halves", [1, 2])
def test_keys_that_look_alike_once_cut_are_told_apart(
    halves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a multiplier of 1 the highest bits say nothing about small keys: all look alike."""
    monkeypatch.setattr(packed_sort, "_ODD", np.uint64(1))
    monkeypatch.setattr(packed_sort, "CHUNK_ROWS", 64)
    dice = np.random.default_rng(5)
    low = np.concatenate([dice.integers(0, 7, 500), [2**62]])
    high = dice.integers(0, 3, 501) if halves == 2 else None
    order, begins = together(low, high)
    assert sorted(order.tolist()) == list(range(501))
    sorted_halves = [low[order], *([] if high is None else [high[order]])]
    assert stand_together(*sorted_halves)
    assert begins.tolist() == beginnings(*sorted_halves)


@given(st.data())
def test_rows_are_sorted_by_group_priority_and_content(data: st.DataObject) -> None:
    rows = data.draw(st.integers(0, 40))
    most = data.draw(st.sampled_from([1, 5, 2**40, 2**62]))
    high = st.sampled_from([0, 1, 2**63, 2**64 - 1]) | st.integers(0, 2**64 - 1)
    groups = np.array(data.draw(st.lists(st.integers(0, most), min_size=rows, max_size=rows)), int)
    priorities = np.array(data.draw(st.lists(high, min_size=rows, max_size=rows)), np.uint64)
    content = np.array(data.draw(st.lists(st.integers(-3, 3), min_size=rows, max_size=rows)), int)
    order, found = ordered(groups, priorities, lambda rows: [content[rows]])
    assert found.tolist() == groups[order].tolist()
    wanted = np.lexsort((content, priorities, groups))
    for part in (groups, priorities, content):
        assert part[order].tolist() == part[wanted].tolist()
