# SPDX-License-Identifier: Apache-2.0
"""OpenDP's own stability maps, where its transformations can express the question.

Its unit is a number of rows d in symmetric distance: a person of k rows who comes or goes is
d = k, one who is replaced is d = 2k. It does not know that the rows that leave and the rows that
enter belong to one person, so under change-one ours may be smaller, for two reasons: in a single
cell rows that leave and rows that enter cancel (OpenDP gains this only where it knows the number
of rows), and it has no map for counting people.
"""

import math
from typing import Any

import opendp.prelude as dp
import pytest

from dpdesk.privacy.noise.door import loss  # importing the door switches OpenDP's constructors on
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.running_counts.hierarchical_counts import Hierarchy
from dpdesk.privacy.sensitivity import rows_sensitivity, sum_sensitivity
from dpdesk.privacy.statistics.base import additive_noise
from dpdesk.privacy.statistics.distribution import tree_sensitivity
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.unit import Unit

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


@pytest.mark.threat("A6")
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


# --- Gaussian noise, means of known size, trees, and whole chains -------------------------------


def categories_chain(d: int, noise: Noise, cells: int) -> float:
    """OpenDP's own histogram with its own noise: the loss of d rows."""
    domain, metric = rows_space()
    norm = "L1Distance<i64>" if noise.mechanism == "laplace" else "L2Distance<f64>"
    counts = dp.t.make_count_by_categories(
        domain, metric, list(range(cells)), null_category=False, MO=norm, TOA="i64"
    )
    make = dp.m.make_laplace if noise.mechanism == "laplace" else dp.m.make_gaussian
    chain = counts >> make(counts.output_domain, counts.output_metric, scale=noise.scale)
    return float(chain.map(d))


@pytest.mark.threat("D7")
@pytest.mark.parametrize("k", ROWS)
@pytest.mark.parametrize("share", [Epsilon.of("0.1"), Rho.of("0.01")], ids=["epsilon", "rho"])
def test_a_histograms_loss_is_that_of_opendps_whole_chain(k: int, share: Any) -> None:
    """Where a person comes or goes both norms are k rows; replaced, L1 is that of 2k rows."""
    for neighbours, rows in (("add-remove", k), ("change-one", 2 * k)):
        found = rows_sensitivity(k, 10, neighbours)  # type: ignore[arg-type]
        noise, sensitivity = additive_noise(found, share, "auto")
        ours, theirs = loss(noise, sensitivity), categories_chain(rows, noise, 10)
        if noise.mechanism == "laplace" or neighbours == "add-remove":
            assert ours == theirs
        else:
            # k rows in and k rows out are at right angles: half the square of 2k in one cell.
            assert ours == pytest.approx(theirs / 2)


@pytest.mark.parametrize("n", [10, 1_000, 10_000])
@pytest.mark.parametrize("bounds", [(0, 110), (-40, 60), (0, 1)])
def test_a_mean_of_public_size_has_opendps_sensitivity(n: int, bounds: tuple[int, int]) -> None:
    """(upper - lower) / n: OpenDP's sized mean, one row replaced, up to its float rounding."""
    low, high = bounds
    domain = dp.vector_domain(dp.atom_domain(bounds=(float(low), float(high)), nan=False), n)
    theirs = dp.t.make_mean(domain, dp.symmetric_distance()).map(2)
    centre = (high - low) // 2
    ours = sum_sensitivity(1, 1, "change-one", -centre, high - low - centre).l1 / n
    assert ours == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("leaves", [2, 8, 60, 64])
@pytest.mark.parametrize("branches", [2, 3, 4])
@pytest.mark.parametrize("k", [1, 5])
def test_a_tree_of_counts_moves_as_opendps_does(leaves: int, branches: int, k: int) -> None:
    """Each level is a histogram; ours have fewer levels, so the levels are counted."""
    domain, metric = rows_space()
    counts = dp.t.make_count_by_categories(
        domain, metric, list(range(leaves - 1)), null_category=True, MO="L1Distance<i64>", TOA="i64"
    )
    tree = dp.t.make_b_ary_tree(counts.output_domain, counts.output_metric, leaves, branches)
    levels = 1 + math.ceil(round(math.log(leaves, branches), 9))
    widths = tuple(branches**level for level in reversed(range(levels)))
    shape = Hierarchy(leaves, widths, False)
    assert (counts >> tree).map(k) == tree_sensitivity(Unit("p", k), 1, shape).l1


@pytest.mark.parametrize("monotonic", [False, True])
@pytest.mark.parametrize("picks", [1, 3])
@pytest.mark.parametrize("measure", ["epsilon", "rho"])
def test_a_choice_loses_what_theory_says(monotonic: bool, picks: int, measure: Any) -> None:
    """2 d / s a pick, half of it where scores move to one side; in rho half the square of that."""
    noise = Noise("noisy-max", 7.0, measure, picks=picks, monotonic=monotonic)
    each = (1 if monotonic else 2) * 3 / 7.0
    theory = each if measure == "epsilon" else each**2 / 8
    assert loss(noise, 3) == pytest.approx(picks * theory)
