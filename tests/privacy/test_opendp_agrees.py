# SPDX-License-Identifier: Apache-2.0
"""OpenDP's own stability maps, where its transformations can express the question.

Its unit is a number of rows d in symmetric distance: a person of k rows who comes or goes is
d = k, one who is replaced is d = 2k. It does not know that the rows that leave and the rows that
enter belong to one person, so under change-one ours may be smaller, for two reasons: in a single
cell rows that leave and rows that enter cancel (OpenDP gains this only where it knows the number
of rows), and it has no map for counting people.
"""

from typing import Any

import opendp.prelude as dp
import pytest

import dpdesk.privacy.door  # noqa: F401 - switches the constructors on, as in the program
from dpdesk.privacy.sensitivity import rows_sensitivity, sum_sensitivity

BOUNDS = [(0, 1), (1, 14), (-5, 3), (-9, -2), (-7, 7), (0, 2**31 - 1), (-(2**30), 2**30)]
ROWS = [1, 2, 3, 7, 100, 10_000]


def rows_space(size: int | None = None) -> tuple[Any, Any]:
    return dp.vector_domain(dp.atom_domain(T="i64"), size), dp.symmetric_distance()


def count_map(d: int) -> int:
    domain, metric = rows_space()
    return int(dp.t.make_count(domain, metric, TO="i64").map(d))


def categories_map(d: int, cells: int) -> int:
    """OpenDP's histogram has a last cell for everything else; the others are declared."""
    domain, metric = rows_space()
    made = dp.t.make_count_by_categories(
        domain, metric, list(range(cells)), null_category=False, MO="L1Distance<i64>", TOA="i64"
    )
    return int(made.map(d))


def sum_map(d: int, bounds: tuple[int, int]) -> int:
    domain, metric = rows_space()
    clamp = dp.t.make_clamp(domain, metric, bounds)
    bounded = dp.t.make_sum(clamp.output_domain, clamp.output_metric)
    return int((clamp >> bounded).map(d))


def sized_sum_map(d: int, bounds: tuple[int, int]) -> int:
    """The map where the number of rows is known, here few enough that no sum overflows."""
    domain = dp.vector_domain(dp.atom_domain(bounds=bounds, T="i64"), 1_000)
    return int(dp.t.make_sum(domain, dp.symmetric_distance()).map(d))


@pytest.mark.parametrize("k", ROWS)
def test_counts_agree_where_a_person_comes_or_goes(k: int) -> None:
    assert rows_sensitivity(k, 1, "add-remove").l1 == count_map(k)
    assert rows_sensitivity(k, 10, "add-remove").l1 == categories_map(k, 10)


@pytest.mark.parametrize("k", ROWS)
def test_counts_of_groups_agree_where_a_person_is_replaced(k: int) -> None:
    assert rows_sensitivity(k, 10, "change-one").l1 == categories_map(2 * k, 10)


@pytest.mark.parametrize("k", ROWS)
def test_one_count_moves_by_half_of_what_opendp_says_of_twice_the_rows(k: int) -> None:
    """k rows out and k rows in change one count by k at most."""
    assert 2 * rows_sensitivity(k, 1, "change-one").l1 == count_map(2 * k)


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("k", ROWS)
def test_sums_agree_where_a_person_comes_or_goes(k: int, bounds: tuple[int, int]) -> None:
    assert sum_sensitivity(k, 1, "add-remove", *bounds).l1 == sum_map(k, bounds)


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("k", ROWS)
def test_sums_of_groups_agree_where_a_person_is_replaced(k: int, bounds: tuple[int, int]) -> None:
    assert sum_sensitivity(k, 5, "change-one", *bounds).l1 == sum_map(2 * k, bounds)


@pytest.mark.parametrize("bounds", BOUNDS)
@pytest.mark.parametrize("k", ROWS)
def test_one_sum_lies_between_the_two_maps_of_opendp(k: int, bounds: tuple[int, int]) -> None:
    """Not above that of 2k free rows; not below that of k rows that exactly replace k others.

    The lower one assumes that as many rows enter as leave, which holds for people and not for
    rows. It is reached exactly where 0 is within the bounds: then a row that is not there weighs
    no more and no less than one that may be there.
    """
    ours = sum_sensitivity(k, 1, "change-one", *bounds).l1
    free, fixed = sum_map(2 * k, bounds), sized_sum_map(2 * k, bounds)
    assert fixed <= ours <= free
    assert (ours == fixed) == (bounds[0] <= 0 <= bounds[1])
