# SPDX-License-Identifier: Apache-2.0
"""The contribution bound: it holds always, is fair, and looks at one person at a time."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.arrays import packed_sort
from dpdesk.data.arrays import parallel as halves
from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.people import bounding
from dpdesk.data.people.bounding import KeptRows, bound_rows, random_priorities
from dpdesk.data.people.person_keys import PersonCoder

priority = st.one_of(st.integers(0, 3), st.integers(0, 2**64 - 1))
person = st.integers(-1, 5) | st.sampled_from([10**6, 2**33, 2**49, 10**17])
rows = st.lists(st.tuples(person, priority, st.integers(-4, 2)), max_size=40)
Row = tuple[int, int, int]


def bounded(table: list[Row], k: int, pooled: bool = False, high: bool = False) -> KeptRows:
    """What is kept of a table; with a high half, persons differ in both halves."""
    ids, drawn, content = ([row[n] for row in table] for n in range(3))
    coder = PersonCoder((), without_id="one-person" if pooled else "drop")
    low = np.array(ids, np.int64)
    # What stands there for those without an id means nothing.
    coder.add(Keys(low, np.where(low < 0, np.arange(len(low)), low // 3) if high else 0))
    held = np.array(content, np.int8)
    return bound_rows(coder, k, np.array(drawn, np.uint64), lambda at: [held[at]], 0, True)


def kept(table: list[Row], k: int) -> list[Row]:
    return [table[place] for place in bounded(table, k).rows]


@given(table=rows, k=st.integers(1, 4))
def test_each_person_keeps_the_smallest_priorities(table: list[Row], k: int) -> None:
    expected = [
        row
        for person in {r[0] for r in table if r[0] >= 0}
        for row in sorted((r for r in table if r[0] == person), key=lambda r: r[1:])[:k]
    ]
    assert Counter(kept(table, k)) == Counter(expected)


@pytest.mark.threat("C4")
@given(table=rows, k=st.integers(1, 4), dice=st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(table: list[Row], k: int, dice: object) -> None:
    shuffled = list(table)
    dice.shuffle(shuffled)
    assert Counter(kept(shuffled, k)) == Counter(kept(table, k))


@given(table=rows, k=st.integers(1, 4), victim=st.integers(0, 5))
def test_what_is_kept_of_one_person_depends_on_nobody_else(
    table: list[Row], k: int, victim: int
) -> None:
    others = [row for row in table if row[0] != victim]
    rest = [row for row in kept(table, k) if row[0] != victim]
    assert Counter(rest) == Counter(kept(others, k))


@pytest.mark.threat("C4")
@given(table=rows, k=st.integers(1, 4), pooled=st.booleans(), high=st.booleans())
def test_the_order_of_a_persons_rows_is_that_of_their_priorities(
    table: list[Row], k: int, pooled: bool, high: bool
) -> None:
    found = bounded(table, k, pooled, high)
    assert found.order is not None
    own: dict[int, list[int]] = {}
    for place, person in zip(found.rows.tolist(), found.persons.tolist(), strict=True):
        own.setdefault(person, []).append(place)
    for places in own.values():
        places.sort(key=lambda place: (table[place][1:], place))
    numbers = {place: n for places in own.values() for n, place in enumerate(places)}
    assert found.order.tolist() == [numbers[place] for place in found.rows.tolist()]


@given(count=st.integers(1, 60), k=st.integers(1, 10))
def test_equal_rows_with_equal_priorities_stay_within_the_bound(count: int, k: int) -> None:
    assert len(kept([(0, 7, 1)] * count, k)) == min(count, k)


@pytest.mark.parametrize("worth", [0, 1 << 18])
def test_priorities_are_fresh_and_spread(worth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halves, "WORTH_ROWS", worth)
    monkeypatch.setattr(bounding, "_DRAWN_AT_ONCE", 90)
    first, second = random_priorities(1000), random_priorities(1000)
    assert first.dtype == np.uint32
    assert not (first == second).any()
    assert len(np.unique(first >> np.uint32(24))) > 200
    assert len(random_priorities(0)) == 0


@pytest.mark.threat("C4")
def test_every_row_of_a_person_is_kept_as_often() -> None:
    people, each, k = 20_000, 5, 2
    coder = PersonCoder(())
    coder.add(Keys(np.repeat(np.arange(people), each)))
    found = bound_rows(coder, k, random_priorities(people * each), lambda at: [])
    times = np.bincount(found.rows % each)
    expected = people * k / each
    spread = (people * (k / each) * (1 - k / each)) ** 0.5
    assert (abs(times - expected) < 6 * spread).all()


def slow(table: list[Row], k: int, pooled: bool) -> dict[int, int]:
    """Which rows are kept, and whose they are, person by person."""
    own: dict[int, list[int]] = {}
    for place, row in enumerate(table):
        if pooled or row[0] >= 0:
            own.setdefault(row[0], []).append(place)
    for places in own.values():
        places.sort(key=lambda place: (table[place][1:], place))
    return {place: owner for owner, places in own.items() for place in places[:k]}


@pytest.mark.threat("C4")
@given(
    table=rows,
    k=st.integers(1, 4) | st.just(1 << 40),
    pooled=st.booleans(),
    high=st.booleans(),
    at_once=st.booleans(),
    meets=st.booleans(),
)
def test_one_person_at_a_time_keeps_the_same_rows(
    table: list[Row], k: int, pooled: bool, high: bool, at_once: bool, meets: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(halves, "WORTH_ROWS", 0 if at_once else halves.WORTH_ROWS)
        patch.setattr(packed_sort, "_ODD", np.uint64(1) if meets else packed_sort._ODD)
        found = bounded(table, k, pooled, high)
    wanted = slow(table, k, pooled)
    assert found.rows.tolist() == sorted(wanted)
    pairs = {(wanted[row], p) for row, p in zip(found.rows.tolist(), found.persons, strict=True)}
    assert len(pairs) == found.people == len(set(wanted.values()))
    assert {number for _, number in pairs} == set(range(found.people))
    ids = sorted(row for row in set(wanted.values()) if row >= 0)
    assert sorted(found.keys.tolist()) == sorted([i // 3 if high else 0, i] for i in ids)


@pytest.mark.parametrize("chunk", [1, 2, 3, 50])
@pytest.mark.parametrize("nobodys", [0, 4])
def test_the_rows_of_people_are_counted_across_chunks(
    chunk: int, nobodys: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_sort, "CHUNK_ROWS", chunk)
    numbers = [4] * 7 + [-1] * 5 + [2] + [3] * 2 + [5] * 4 + [-1] * nobodys
    starts = np.array([place == 0 or n != numbers[place - 1] for place, n in enumerate(numbers)])
    order = packed_sort.Order(np.arange(len(numbers)), starts)
    counts = bounding.people_by_rows(packed_sort.Keys(np.array(numbers)), order, 5)
    assert counts.tolist() == [0, 1, 1, 0, 1, 1]


@pytest.mark.parametrize("k", [1, 3, 40, 1 << 40])
@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("worth", [0, 1 << 18])
@pytest.mark.in_turn(3)
def test_runs_of_one_person_cross_chunks_and_halves(
    k: int, pooled: bool, worth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_sort, "CHUNK_ROWS", 3)
    monkeypatch.setattr(halves, "WORTH_ROWS", worth)
    dice = np.random.default_rng(k)
    numbers = np.repeat(np.arange(-1, 30), dice.integers(1, 60, 31))
    dice.shuffle(numbers)
    drawn = dice.choice([5, 6, 2**31], len(numbers))
    content = dice.integers(0, 3, len(numbers))
    table = list(zip(numbers.tolist(), drawn.tolist(), content.tolist(), strict=True))
    for high in (False, True):
        assert bounded(table, k, pooled, high).rows.tolist() == sorted(slow(table, k, pooled))
