# SPDX-License-Identifier: Apache-2.0
"""Made-up rows have the counts of tables that meet as a tree does, and nearly those of circles."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pytest

from dpdesk.release.bundle.synthetic.alone import count_alone, join_the_alone
from dpdesk.release.bundle.synthetic.first_rows import FittedTable, apportioned, first_rows
from dpdesk.release.bundle.synthetic.stream import Places, Stream
from dpdesk.release.bundle.synthetic.swaps import Swaps

ROWS = 5_000
ATOMS = (4, 5, 6, 8)
TREE = ((0, 1), (1, 2), (2, 3))
CIRCLES = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def columns(seed: int) -> list[Places]:
    """Four columns, each of which depends on those before it."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 4, ROWS)
    second = (first + rng.integers(0, 2, ROWS)) % 5
    third = (second * rng.integers(0, 3, ROWS) + first) % 6
    return [first, second, third, rng.integers(0, 8, ROWS) * (third % 2)]


def table(data: Sequence[Places], over: tuple[int, ...], cut: int = 1) -> FittedTable:
    """The counts of some columns, of each as many neighbouring atoms together as are wanted."""
    groups = tuple(np.arange(ATOMS[column]) // cut for column in over)
    shape = [int(one.max()) + 1 for one in groups]
    empty = FittedTable(over, groups, np.zeros(shape, np.int64))
    counts = np.bincount(empty.cells(data), minlength=empty.counts.size).reshape(shape)
    return FittedTable(over, groups, counts)


def fitted(tables: Sequence[FittedTable], seed: str = "a") -> list[Places]:
    stream = Stream(seed)
    rows = first_rows(ATOMS, tables, ROWS, stream)
    Swaps(rows, tables, stream).run()
    return rows


def misplaced(tables: Sequence[FittedTable], rows: Sequence[Places]) -> float:
    """The largest part of all rows that would have to be elsewhere, over all tables."""
    return max(int(np.abs(one.differences(rows)).sum()) / (2 * ROWS) for one in tables)


@pytest.mark.parametrize("seed", range(3))
def test_tables_that_meet_as_a_tree_are_met_exactly(seed: int) -> None:
    data = columns(seed)
    tables = [table(data, over) for over in TREE]
    assert misplaced(tables, fitted(tables)) == 0
    # What no table says of the columns together is not in the rows.
    assert misplaced([table(data, (0, 2))], fitted(tables)) > 0.05


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.in_turn(3)
def test_swaps_bring_tables_in_circles_within_a_hundredth_of_the_rows(seed: int) -> None:
    tables = [table(columns(seed), over) for over in CIRCLES]
    before = misplaced(tables, first_rows(ATOMS, tables, ROWS, Stream("a")))
    after = misplaced(tables, fitted(tables))
    assert before > 0.05 and after < 0.01


def test_a_column_that_is_cut_in_two_ways_has_both() -> None:
    data = columns(0)
    tables = [table(data, (0, 3), cut=2), table(data, (3,)), table(data, (1, 3), cut=3)]
    tables += [table(data, (2,))]
    assert misplaced(tables, fitted(tables)) < 0.002


def test_counts_that_contradict_each_other_are_met_half_way() -> None:
    all_first = FittedTable((0,), (np.arange(4),), np.array([ROWS, 0, 0, 0]))
    none_first = FittedTable((0, 1), (np.arange(4), np.arange(5)), np.zeros((4, 5), np.int64))
    none_first.counts[3, 4] = ROWS
    rest = [FittedTable((c,), (np.arange(ATOMS[c]),), even(ATOMS[c])) for c in (2, 3)]
    rows = fitted([all_first, none_first, *rest])
    assert misplaced(rest, rows) == 0


def even(atoms: int) -> Places:
    return apportioned(np.ones(atoms, np.int64), ROWS)


@pytest.mark.parametrize("largest", [10**7, 10**13])
def test_counts_that_noise_made_huge_are_apportioned_too(largest: int) -> None:
    weights = np.array([largest, 3 * largest, 0, largest // 7])
    assert apportioned(weights, 100_000).tolist() == [24_138, 72_414, 0, 3_448]
    assert (apportioned(np.full(100_000, largest), 99_999) >= 0).all()


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_a_handful_of_rows_is_made_too(count: int) -> None:
    counts = apportioned(np.array([[3, 0], [1, 2]]), count)
    one = FittedTable((0, 1), (np.arange(2), np.arange(2)), counts)
    rows = first_rows((2, 2), [one], count, Stream("a"))
    Swaps(rows, [one], Stream("a")).run()
    assert not one.differences(rows).any()


def test_the_same_words_make_the_same_rows_on_every_machine() -> None:
    tables = [table(columns(0), over) for over in CIRCLES]
    rows = np.stack(fitted(tables)).astype("<i8")
    assert (np.stack(fitted(tables)) == rows).all()
    assert (np.stack(fitted(tables, "b")) != rows).any()
    assert hashlib.sha256(rows.tobytes()).hexdigest().startswith("3c17e64467a08415")


@pytest.mark.parametrize("named", [(0,), (1, 2), (0, 1, 2, 3)])
def test_no_row_is_alone_in_the_named_columns(named: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 400, 600) for _ in ATOMS]
    kept = [rows[c].copy() for c in range(4) if c not in named]
    alone = count_alone(rows, named)
    joined = join_the_alone(rows, named)
    assert alone > 0 and 0 < joined <= alone
    assert count_alone(rows, named) == 0
    assert all(
        (rows[c] == before).all()
        for c, before in zip((c for c in range(4) if c not in named), kept, strict=True)
    )
    assert join_the_alone(rows, named) == 0


def test_a_single_row_stays_alone() -> None:
    rows = [np.array([3]), np.array([1])]
    assert join_the_alone(rows, (0, 1)) == 0 and count_alone(rows, (0, 1)) == 1
