# SPDX-License-Identifier: Apache-2.0
"""Orders made from cut keys and cut priorities are those of the whole ones."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.arrays import packed_sort, parallel
from dpdesk.data.arrays.packed_sort import Keys, Order, sort_rows

Row = tuple[int, int, int, int]
"""Low and high half of the key, priority, content."""

near = st.integers(-1, 4)
far = st.sampled_from([0, 1, -1, 2**33, 2**40, 2**49, 2**63 - 1, -(2**63)])
anything = st.integers(-(2**63), 2**63 - 1)
halves = near | far | anything
priorities = st.integers(0, 3) | st.sampled_from([2**31, 2**32 - 1]) | st.integers(0, 2**32 - 1)
contents = st.integers(-1, 1)


def order_of(
    rows: list[Row], alike: bool, known: list[bool] | None = None, by_place: bool = False
) -> Order:
    """The order in which the rows stand; one high half for all where they are alike."""
    low, high, drawn, content = np.array(rows, np.int64).reshape(-1, 4).T
    keys = Keys(low.copy(), -7 if alike else high.copy())
    is_known = None if known is None else np.array(known, np.bool_)
    priorities = None if by_place else drawn.astype(np.uint32)
    return sort_rows(keys, priorities, lambda at: [content[at]], is_known)


def check(
    rows: list[Row],
    order: Order,
    alike: bool,
    known: list[bool] | None = None,
    by_place: bool = False,
) -> None:
    """Each run of the order is all rows of one key, in the order of all else about them."""
    kept = [n for n in range(len(rows)) if known is None or known[n]]
    key = {n: rows[n][:1] if alike else rows[n][:2] for n in kept}
    places = order.rows.tolist()
    assert sorted(places) == kept
    runs = [list(run) for _, run in groupby(places, lambda n: key[n])]
    assert len(runs) == len(set(key.values()))
    for run in runs:
        assert run == sorted(run, key=lambda n: n if by_place else (rows[n][2:], n))
    starts = [at == 0 for run in runs for at in range(len(run))]
    assert order.starts.tolist() == starts


@given(
    rows=st.lists(st.tuples(halves, halves, priorities, contents), max_size=50),
    alike=st.booleans(),
    at_once=st.booleans(),
    meets=st.booleans(),
    by_place=st.booleans(),
    chunk=st.sampled_from([2, 3, 1 << 14]),
    data=st.data(),
)
def test_rows_stand_by_key_priority_content_and_place(
    rows: list[Row],
    alike: bool,
    at_once: bool,
    meets: bool,
    by_place: bool,
    chunk: int,
    data: st.DataObject,
) -> None:
    """With a multiplier of 1 the highest bits say nothing about small keys: hashes meet."""
    known = data.draw(st.none() | st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel, "WORTH_ROWS", 0 if at_once else parallel.WORTH_ROWS)
        patch.setattr(packed_sort, "CHUNK_ROWS", chunk)
        patch.setattr(packed_sort, "_ODD", np.uint64(1) if meets else packed_sort._ODD)
        order = order_of(rows, alike, known, by_place)
    check(rows, order, alike, known, by_place)


@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.parametrize("span", [1, 7, 500, 2**62])
@pytest.mark.parametrize("worth", [0, 1 << 18])
@pytest.mark.parametrize("drawn_as", ["all", "few", "none"])
@pytest.mark.in_turn(5)
def test_long_runs_cross_chunks_and_halves(
    alike: bool, span: int, worth: int, drawn_as: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of one hash are sorted again, also where their priorities all differ."""
    monkeypatch.setattr(packed_sort, "_ODD", np.uint64(1))
    monkeypatch.setattr(packed_sort, "CHUNK_ROWS", 3)
    monkeypatch.setattr(parallel, "WORTH_ROWS", worth)
    dice = np.random.default_rng(span)
    low = dice.integers(0, 9, 700) * span
    high = dice.integers(0, 3, 700)
    few = dice.choice([5, 6, 2**31, 2**31 + 1], 700)
    drawn = few if drawn_as == "few" else dice.permutation(700) << 20
    rows = list(zip(*(a.tolist() for a in (low, high, drawn, drawn % 3)), strict=True))
    by_place = drawn_as == "none"
    check(rows, order_of(rows, alike, by_place=by_place), alike, by_place=by_place)


def test_content_is_looked_at_only_where_whole_priorities_are_equal() -> None:
    """Long keys leave few bits of each priority, with which many rows look alike at first."""
    low = np.array([0] * 8 + [2**49], np.int64)
    drawn = np.array([5, 4, 7, 3, 7, 0, 1, 2, 6], np.uint32)
    seen: list[int] = []

    def content(rows: packed_sort.Ints) -> list[packed_sort.Ints]:
        seen.extend(rows.tolist())
        return [-rows]

    order = sort_rows(Keys(low), drawn, content)
    assert order.rows.tolist() == [5, 6, 7, 3, 1, 0, 4, 2, 8]
    assert sorted(seen) == [2, 4]


@pytest.mark.in_turn(2)
def test_two_of_a_million_hashes_that_meet_stay_two_people() -> None:
    """The real hash, over so many keys that some of them surely share their bits."""
    rows = 1 << 20
    keys = Keys(np.arange(rows) % (rows // 2), np.full(rows, 1 << 62) - np.arange(rows) % 3)
    drawn = np.random.default_rng(1).integers(0, 2**32, rows, np.uint32)
    order = sort_rows(keys, drawn, lambda at: [])
    bits = packed_sort._key_bits(keys, slice(0, rows), packed_sort._layout(keys, 32))
    people = set(zip(keys.low.tolist(), keys.high.tolist(), strict=True))  # type: ignore[union-attr]
    assert len(np.unique(bits)) < len(people) == np.count_nonzero(order.starts)
