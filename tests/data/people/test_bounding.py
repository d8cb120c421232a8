# SPDX-License-Identifier: Apache-2.0
"""The contribution bound: it holds always, is fair, and looks at one person at a time."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.arrays import parallel as halves
from dpdesk.data.people import bounded_integers, bounding
from dpdesk.data.people.bounded_integers import bound_integers
from dpdesk.data.people.bounding import bound_contributions, random_priorities

priority = st.one_of(st.integers(0, 3), st.integers(0, 2**64 - 1))
rows = st.lists(st.tuples(st.integers(-1, 5), priority, st.integers(-4, 2)), max_size=40)
Row = tuple[int, int, int]


def kept(table: list[Row], k: int) -> list[Row]:
    persons = np.array([row[0] for row in table], np.int64)
    priorities = np.array([row[1] for row in table], np.uint64)
    content = np.array([row[2] for row in table], np.int8)
    mask = bound_contributions(persons, k, priorities, lambda at: [content[at]])
    return [row for row, keep in zip(table, mask, strict=True) if keep]


@given(table=rows, k=st.integers(1, 4))
def test_each_person_keeps_the_smallest_priorities(table: list[Row], k: int) -> None:
    expected = [
        row
        for person in range(6)
        for row in sorted((r for r in table if r[0] == person), key=lambda r: r[1:])[:k]
    ]
    assert Counter(kept(table, k)) == Counter(expected)


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


def test_every_row_of_a_person_is_kept_as_often() -> None:
    people, each, k = 20_000, 5, 2
    persons = np.repeat(np.arange(people), each)
    mask = bound_contributions(persons, k, random_priorities(len(persons)))
    times = mask.reshape(people, each).sum(axis=0)
    expected = people * k / each
    spread = (people * (k / each) * (1 - k / each)) ** 0.5
    assert (abs(times - expected) < 6 * spread).all()


ids = st.one_of(
    st.integers(-1, 4), st.sampled_from([10**6, 10**6 + 1, 2**33, 2**49]), st.just(10**17)
)


@given(
    table=st.lists(st.tuples(ids, priority.map(lambda p: p % 2**32), st.integers(-1, 1))),
    k=st.integers(1, 4),
    pooled=st.booleans(),
    at_once=st.booleans(),
)
def test_two_sorts_keep_what_the_slower_way_keeps(
    table: list[Row], k: int, pooled: bool, at_once: bool
) -> None:
    numbers = np.array([row[0] for row in table], np.int64)
    priorities = np.array([row[1] for row in table], np.uint32)
    content = np.array([row[2] for row in table], np.int8)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(halves, "WORTH_ROWS", 0 if at_once else halves.WORTH_ROWS)
        found = bound_integers(numbers.copy(), k, priorities, lambda at: [content[at]], pooled)
    known, persons = np.unique(numbers, return_inverse=True)
    if -1 in known:
        persons = np.where(numbers < 0, len(known) - 1 if pooled else -1, persons - 1)
    people = known[known >= 0]
    if found is None:
        # Ids whose range leaves too few bits.
        assert people.size and int(people[-1]) - int(people[0]) > 2**40
        return
    mask = bound_contributions(persons, k, priorities, lambda at: [content[at]])
    assert found.rows.tolist() == np.flatnonzero(mask).tolist()
    assert found.persons.tolist() == persons[mask].tolist()
    assert found.ids.tolist() == people.tolist()
    assert found.people == len(people) + (pooled and -1 in known)


def test_content_is_looked_at_only_where_whole_priorities_are_equal() -> None:
    """Long ids leave few bits of each priority, with which many rows look alike at first."""
    numbers = np.array([0] * 8 + [2**49], np.int64)
    priorities = np.array([5, 4, 7, 3, 7, 0, 1, 2, 6], np.uint32)
    seen: list[int] = []

    def content(rows: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[bounding.Persons]:
        seen.extend(rows.tolist())
        return [np.zeros(len(rows), np.int8)]

    found = bound_integers(numbers, 3, priorities, content)
    assert found is not None and found.rows.tolist() == [5, 6, 7, 8]
    assert sorted(seen) == [2, 4]


@pytest.mark.parametrize("k", [1, 3, 40, 1 << 40])
@pytest.mark.parametrize("pooled", [False, True])
@pytest.mark.parametrize("worth", [0, 1 << 18])
def test_two_sorts_over_many_pieces(
    k: int, pooled: bool, worth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs of one person, and of alike priorities, that cross pieces and halves of the work."""
    monkeypatch.setattr(bounded_integers, "CHUNK_ROWS", 3)
    monkeypatch.setattr(halves, "WORTH_ROWS", worth)
    dice = np.random.default_rng(k)
    numbers = np.repeat(np.arange(-1, 30), dice.integers(1, 60, 31))
    dice.shuffle(numbers)
    priorities = dice.choice(np.array([5, 6, 2**31], np.uint32), len(numbers))
    content = dice.integers(0, 3, len(numbers))
    found = bound_integers(numbers.copy(), k, priorities, lambda at: [content[at]], pooled)
    persons = np.where(numbers < 0, 30 if pooled else -1, numbers)
    mask = bound_contributions(persons, k, priorities, lambda at: [content[at]])
    assert found is not None
    assert found.rows.tolist() == np.flatnonzero(mask).tolist()
    assert found.persons.tolist() == persons[mask].tolist()
