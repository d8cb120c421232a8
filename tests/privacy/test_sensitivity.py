# SPDX-License-Identifier: Apache-2.0
"""Sensitivities equal, not merely bound, what trying out every person gives."""

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from dpdesk.privacy.sensitivity import (
    Sensitivity,
    people_sensitivity,
    rows_sensitivity,
    sum_sensitivity,
)
from dpdesk.study.model.unit import Neighbours

Vectors = npt.NDArray[np.int64]
NEIGHBOURS: tuple[Neighbours, ...] = ("add-remove", "change-one")
SIZES = [(k, cells) for k in (1, 2, 3, 4) for cells in (1, 2, 3, 4) if k * cells <= 12]
WEIGHTS = [(0, 1), (1, 3), (-1, 2), (-3, -1), (-2, 2), (0, 4), (-1, 0), (2, 3), (-6, 7)]


def people(k: int, cells: int) -> list[list[int | None]]:
    """Every person: k rows, each in a cell or, by a rule or a condition, in none."""
    return [list(rows) for rows in product((None, *range(cells)), repeat=k)]


def row_counts(k: int, cells: int) -> Vectors:
    """What each possible person adds to the vector of row counts."""
    return np.array(sorted({tuple(map(rows.count, range(cells))) for rows in people(k, cells)}))


def people_counts(k: int, cells: int) -> Vectors:
    return np.unique(np.minimum(row_counts(k, cells), 1), axis=0)


def sums(k: int, cells: int, lowest: int, highest: int) -> Vectors:
    """What each possible person adds to the vector of sums, with every weight of every row."""
    single = [np.zeros(cells, dtype=np.int64)]
    for cell, weight in product(range(cells), range(lowest, highest + 1)):
        one = np.zeros(cells, dtype=np.int64)
        one[cell] = weight
        single.append(one)
    found = np.zeros((1, cells), dtype=np.int64)
    for _ in range(k):
        found = np.unique((found[:, None] + np.array(single)).reshape(-1, cells), axis=0)
    return found


def measured(persons: Vectors, neighbours: Neighbours) -> Sensitivity:
    """The largest distances between data with and without, or with one and another, person."""
    if neighbours == "add-remove":
        apart = persons
    else:
        apart = (persons[:, None] - persons).reshape(-1, persons.shape[1])
    size = np.abs(apart)
    return Sensitivity(
        int(size.sum(axis=1).max()), int((size**2).sum(axis=1).max()), int(size.max())
    )


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("k", "cells"), SIZES)
def test_rows(k: int, cells: int, neighbours: Neighbours) -> None:
    assert rows_sensitivity(k, cells, neighbours) == measured(row_counts(k, cells), neighbours)


def limited_rows(k: int, m: int, cells: int) -> Vectors:
    """What each possible person adds where no cell has more than m of its rows."""
    return np.array([js for js in product(range(m + 1), repeat=cells) if sum(js) <= k])


LIMITS = [(k, m, cells) for k in range(2, 6) for m in range(1, k) for cells in range(1, 5)]


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("k", "m", "cells"), LIMITS)
def test_rows_under_a_limit_for_each_group(
    k: int, m: int, cells: int, neighbours: Neighbours
) -> None:
    """Where whoever has rows has few in each cell, and where a cell is split in two."""
    found = limited_rows(k, m, cells)
    assert rows_sensitivity(k, cells, neighbours, m) == measured(found, neighbours)
    if cells < 4:
        halves = limited_rows(k, m, 2 * cells)
        within = halves[(halves.reshape(-1, cells, 2).sum(axis=2) <= m).all(axis=1)]
        split = rows_sensitivity(k, cells, neighbours, m, split=True)
        assert split == measured(within, neighbours)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("lowest", "highest"), [(0, 1), (1, 3), (-1, 2), (-3, -1), (-2, 2)])
def test_sums_under_a_limit_for_each_group(
    lowest: int, highest: int, neighbours: Neighbours
) -> None:
    for k, m, cells in LIMITS:
        if k * cells > 12:
            continue
        # A norm is the largest at corners: rows of a cell all have one of both ends.
        ends = [(j * lowest, j * highest) for j in range(m + 1)]
        sums = {v for js in limited_rows(k, m, cells) for v in product(*(ends[j] for j in js))}
        found = sum_sensitivity(k, cells, neighbours, lowest, highest, m)
        assert found == measured(np.array(sorted(sums)), neighbours), (k, m, cells)


def test_at_most_one_row_a_quarter_costs_the_root_of_what_three_in_one_cost() -> None:
    assert rows_sensitivity(3, 8, "add-remove", 1) == Sensitivity(3, 3, 1)
    assert rows_sensitivity(3, 8, "add-remove") == Sensitivity(3, 9, 3)
    assert rows_sensitivity(3, 8, "change-one", 1) == Sensitivity(6, 6, 1)
    assert rows_sensitivity(3, 4, "change-one", 1) == Sensitivity(4, 4, 1)


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("k", "cells"), SIZES)
def test_people(k: int, cells: int, neighbours: Neighbours) -> None:
    found = measured(people_counts(k, cells), neighbours)
    assert people_sensitivity(k, cells, neighbours) == found


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize(("lowest", "highest"), WEIGHTS)
@pytest.mark.parametrize(("k", "cells"), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (2, 3)])
def test_sums(k: int, cells: int, lowest: int, highest: int, neighbours: Neighbours) -> None:
    found = measured(sums(k, cells, lowest, highest), neighbours)
    assert sum_sensitivity(k, cells, neighbours, lowest, highest) == found


@pytest.mark.parametrize("neighbours", NEIGHBOURS)
@pytest.mark.parametrize("cells", [1, 2, 7])
def test_a_sum_of_ones_is_a_count_of_rows(cells: int, neighbours: Neighbours) -> None:
    for k in range(1, 6):
        ones = sum_sensitivity(k, cells, neighbours, 1, 1)
        assert ones == rows_sensitivity(k, cells, neighbours)


def test_the_middle_of_the_bounds_halves_a_mean() -> None:
    around_zero = sum_sensitivity(3, 10, "add-remove", 0, 200)
    around_middle = sum_sensitivity(3, 10, "add-remove", -100, 100)
    assert around_zero.l1 == 2 * around_middle.l1 == 600


@pytest.mark.threat("C6")
def test_groups_do_not_compose_in_parallel_for_a_person_with_many_rows() -> None:
    assert rows_sensitivity(5, 100, "add-remove").l1 == 5
    assert rows_sensitivity(5, 100, "change-one").l1 == 10
    assert people_sensitivity(5, 100, "add-remove").l1 == 5
    assert people_sensitivity(5, 1, "add-remove").l1 == 1
