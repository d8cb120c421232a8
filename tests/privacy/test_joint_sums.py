# SPDX-License-Identifier: Apache-2.0
"""Sums that are drawn together: what one person moves all of them by, by trying everyone."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from dpdesk.privacy import joint_sums
from dpdesk.privacy.joint_sums import JointSums, fineness, leaves_groups, mean_sums, variance_sums
from dpdesk.privacy.noise.noise import Mechanism
from dpdesk.study import limits
from dpdesk.study.model.unit import Neighbours

SMALL = [*range(1, 14), 31, 64]
LARGE = [46_340, 46_341, 92_682, 3_000_001, 2**30, 2**30 + 1, limits.MAX_QUANTA]
WAYS = list(product(("laplace", "gaussian"), ("add-remove", "change-one"), (1, 2)))

Vector = tuple[int, ...]


def every(
    last: int, mechanism: Mechanism, neighbours: Neighbours, cells: int, *, is_limited: bool = False
) -> list[JointSums]:
    """All sums of one kind: of a mean, of a variance, of one beside a public number of rows."""
    made = [mean_sums(last, cells, neighbours, mechanism)]
    publics = (False, True) if (cells, neighbours) == (1, "change-one") else (False,)
    for is_public in publics:
        made.append(
            variance_sums(
                *(last, cells, neighbours, mechanism),
                is_public=is_public,
                is_limited=is_limited,
            )
        )
    return made


def row_vector(sums: JointSums, index: int) -> Vector:
    last = sums.last
    counted = index * (last - index) * fineness(last) // last
    return tuple(a + b * index + c * counted for a, b, c in sums.weights)


def persons(sums: JointSums, k: int, cells: int, *, is_public: bool) -> set[Vector]:
    """What a person of at most k rows can add to the sums of all cells."""
    width = len(sums.weights)
    choices: list[Vector] = [] if is_public else [(0,) * width * cells]
    for cell, index in product(range(cells), range(sums.last + 1)):
        before, after = (0,) * width * cell, (0,) * width * (cells - cell - 1)
        choices.append((*before, *row_vector(sums, index), *after))
    picked = combinations_with_replacement(choices, k)
    return {tuple(map(sum, zip(*rows, strict=True))) for rows in picked}


def norm(mechanism: Mechanism, moved: np.ndarray) -> int:
    powers = np.abs(moved) if mechanism == "laplace" else moved**2
    return int(powers.sum(-1).max())


@pytest.mark.threat("D2")
@pytest.mark.parametrize(("mechanism", "neighbours", "cells"), WAYS)
@pytest.mark.parametrize(("k", "lasts"), [(1, SMALL), (2, [1, 2, 3, 5])])
def test_some_person_moves_the_sums_by_all_that_is_declared_and_nobody_by_more(
    k: int, lasts: list[int], mechanism: Mechanism, neighbours: Neighbours, cells: int
) -> None:
    for last in lasts:
        for place, sums in enumerate(every(last, mechanism, neighbours, cells)):
            found = np.array(sorted(persons(sums, k, cells, is_public=place == 2)))
            others = found if neighbours == "change-one" else np.zeros((1, found.shape[1]), int)
            moved = max(norm(mechanism, found - other) for other in others)
            assert sums.sensitivity(k, mechanism, k, cells) == moved, (last, sums)


def limited_persons(sums: JointSums, k: int, m: int, cells: int) -> set[Vector]:
    """What a person adds who has at most k rows, at most m of them in one cell."""
    vectors, found = [row_vector(sums, index) for index in range(sums.last + 1)], set()
    nothing = (0,) * len(sums.weights)
    for counts in product(range(m + 1), repeat=cells):
        if sum(counts) <= k:
            own = [list(combinations_with_replacement(vectors, n)) or [()] for n in counts]
            for picked in product(*own):
                each = (tuple(map(sum, zip(*rows, strict=True))) or nothing for rows in picked)
                found.add(tuple(entry for cell in each for entry in cell))
    return found


@pytest.mark.threat("D2")
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("neighbours", ["add-remove", "change-one"])
@pytest.mark.parametrize(
    ("k", "m", "cells"), [(2, 1, 1), (2, 1, 2), (2, 1, 3), (2, 1, 4), (3, 2, 2), (3, 2, 3)]
)
def test_nor_by_more_than_what_a_limit_for_each_group_leaves(
    k: int, m: int, cells: int, mechanism: Mechanism, neighbours: Neighbours
) -> None:
    is_limited = not leaves_groups(k, m, cells)
    for last in (1, 2) if cells > 2 else (1, 2, 5):
        for place, sums in enumerate(
            every(last, mechanism, neighbours, cells, is_limited=is_limited)
        ):
            if place == 2:
                continue  # a public number of rows is that of one row a person
            found = np.array(sorted(limited_persons(sums, k, m, cells)))
            others = found if neighbours == "change-one" else np.zeros((1, found.shape[1]), int)
            moved = max(norm(mechanism, found - other) for other in others)
            assert sums.sensitivity(k, mechanism, m, cells) == moved, (last, sums)


def test_a_row_that_meets_many_moves_a_variance_by_more_than_the_squares_of_both() -> None:
    """Why its ends are drawn where rows of one group are fewer than the limit lets through."""
    last, m = 64, 60
    sums = variance_sums(last, 2, "change-one", "gaussian", is_public=False)
    vectors = np.array([row_vector(sums, index) for index in range(last + 1)])
    apart = m * vectors[:, None] - vectors[None]
    assert 2 * int((apart**2).sum(-1).max()) > (m * m + 1) * sums.moved


@pytest.mark.parametrize(("mechanism", "neighbours", "cells"), WAYS)
@pytest.mark.parametrize("last", LARGE)
@pytest.mark.in_turn(8)
def test_on_grids_whose_products_are_rounded_nobody_moves_them_by_more_either(
    last: int, mechanism: Mechanism, neighbours: Neighbours, cells: int
) -> None:
    """The bounds, the middle, their neighbours, and a sweep: numbers that need no 64 bits."""
    near = {0, last, last // 2, last // 2 + 1, *(last * part // 40 for part in range(41))}
    places = sorted(i for one in near for i in (one - 1, one, one + 1) if 0 <= i <= last)
    for number, sums in enumerate(every(last, mechanism, neighbours, cells)):
        power = 1 if mechanism == "laplace" else 2
        vectors = [row_vector(sums, index) for index in places]
        assert max(abs(entry) for vector in vectors for entry in vector) <= joint_sums.LARGEST
        alone = [sum(abs(entry) ** power for entry in vector) for vector in vectors]
        most = 0 if number == 2 else max(alone)
        if neighbours == "change-one":
            pairs = product(vectors, vectors)
            beside = max(sum(abs(a - b) ** power for a, b in zip(*p, strict=True)) for p in pairs)
            most = max(most, beside, 2 * max(alone) if cells > 1 else 0)
        assert sums.moved == most


@pytest.mark.parametrize("last", [*SMALL, *LARGE])
def test_products_are_below_what_makes_the_sums_of_a_variance_none_below_zero(last: int) -> None:
    t = fineness(last)
    for index in {0, 1, last, last - 1, last // 2, last // 3, (last + 1) // 2}:
        counted = index * (last - index) * t // last
        assert counted <= min(t * index, t * (last - index))
        assert 4 * counted <= t * last <= joint_sums.LARGEST
    assert joint_sums.LARGEST * limits.ROW_CAP <= 2**62
