# SPDX-License-Identifier: Apache-2.0
"""Consistent trees against least squares solved as one system, and against the literature."""

from fractions import Fraction
from itertools import accumulate
from random import Random

import numpy as np
import pytest

from dpdesk.privacy.running_counts.hierarchical_counts import Hierarchy, trees
from dpdesk.privacy.running_counts.isotonic import isotonic
from dpdesk.privacy.running_counts.strategy import least_certain, worst_variance
from tests.audit.length import runs

SHAPES = [
    tree
    for bins in (1, 2, 3, 5, 7, 8, 9, 13, 16, 30)
    for is_public in (False, True)
    for tree in trees(bins, is_public)
]
TOTAL = 77


def design(tree: Hierarchy) -> np.ndarray:
    """Which bins each node counts; of two below a public total the first alone."""
    bins = np.arange(tree.bins)
    if tree.draws_one:
        return np.array([[1.0, 0.0]])
    return np.array(
        [
            (bins // width == node).astype(float)
            for width in tree.widths
            for node in range(-(-tree.bins // width))
        ]
    )


def least_squares(tree: Hierarchy) -> np.ndarray:
    """Running counts as a matrix on noisy counts; on what differs from even bins where public."""
    nodes, sums = design(tree), np.tril(np.ones((tree.bins, tree.bins)))
    if not tree.has_public_total:
        return sums @ np.linalg.pinv(nodes)
    if tree.bins == 1:
        return np.zeros((1, len(nodes)))
    free = np.linalg.svd(np.ones((1, tree.bins)))[2][1:].T  # changes that keep the total
    return sums @ free @ np.linalg.pinv(nodes @ free)


@pytest.mark.parametrize("tree", SHAPES, ids=str)
@pytest.mark.in_turn(8)
def test_running_counts_are_those_of_one_least_squares_system(tree: Hierarchy) -> None:
    dice, nodes = Random(tree.bins), design(tree)
    noisy = tuple(dice.randint(-30, 60) for _ in range(len(nodes)))
    even = np.full(tree.bins, TOTAL / tree.bins if tree.has_public_total else 0.0)
    wanted = np.cumsum(even) + least_squares(tree) @ (np.array(noisy) - nodes @ even)
    found = tree.running_counts(noisy, TOTAL)
    assert np.allclose([float(value) for value in found], wanted, atol=1e-8)
    if tree.has_public_total:
        assert found[-1] == TOTAL


@pytest.mark.parametrize("tree", SHAPES, ids=str)
@pytest.mark.in_turn(8)
def test_weights_and_variances_are_those_of_the_system(tree: Hierarchy) -> None:
    system = least_squares(tree)
    for bin in range(tree.bins):
        assert tree.variance(bin) == pytest.approx((system[bin] ** 2).sum(), abs=1e-9)
        for share in (0.0, 1.0, 0.25):
            row = system[bin] - share * system[-1]
            listed = sorted(w for w, many in tree.weights(bin, share) for _ in range(many))
            assert np.allclose(listed, sorted(w for w in row if abs(w) > 1e-9), atol=1e-9)


def test_nothing_is_lost_where_nothing_is_noisy() -> None:
    for tree in SHAPES:
        counts = tuple(range(3, 3 + tree.bins))
        noisy = tuple(int(count) for count in design(tree) @ counts)
        assert tree.running_counts(noisy, sum(counts)) == tuple(accumulate(counts))


def test_the_three_leaves_of_hay_and_others() -> None:
    """Figure 2 of Hay, Rastogi, Miklau and Suciu (2010): noisy <13, 3, 11, 4, 1, 12, 1> over four
    bins in pairs becomes <14, 3, 11, 3, 0, 11, 0>."""
    found = Hierarchy(4, (4, 2, 1)).running_counts((13, 3, 11, 4, 1, 12, 1), None)
    assert found == (3, 3, 14, 14)


def test_trees_are_distinct_and_the_bins_come_first() -> None:
    for bins in (1, 2, 3, 10, 100):
        for is_public in (False, True):
            listed = trees(bins, is_public)
            assert listed[0] == Hierarchy(bins, (1,), is_public)
            assert len(set(listed)) == len(listed)
            for tree in listed:
                pairs = zip(tree.widths, tree.widths[1:], strict=False)
                assert tree.widths[-1] == 1
                assert all(wide % narrow == 0 and wide > narrow for wide, narrow in pairs)
                assert not (is_public and tree.sizes[0] == 1 and bins > 2)


@pytest.mark.parametrize("is_public", [False, True])
@pytest.mark.parametrize("power", [1, 2])
def test_the_least_certain_count_is_the_best_of_all_trees(is_public: bool, power: int) -> None:
    for bins in (2, 9, 40, 101):
        every = trees(bins, is_public)
        costs = {tree: len(tree.widths) ** (3 - power) for tree in every}
        best, least = least_certain(every, costs.__getitem__)
        assert least == min(worst_variance(tree) * costs[tree] for tree in every)
        assert least == worst_variance(best) * costs[best]


def test_bins_alone_have_a_variance_that_grows_by_one() -> None:
    assert [Hierarchy(5, (1,)).variance(bin) for bin in range(5)] == pytest.approx([1, 2, 3, 4, 5])
    assert worst_variance(Hierarchy(6, (1,), True)) == pytest.approx(6 / 4)


def test_rising_pools_what_falls() -> None:
    values = [Fraction(v) for v in (3, 1, 2, 5, 4, 4, 9)]
    third = Fraction(13, 3)
    assert isotonic(values) == (2, 2, 2, third, third, third, 9)
    assert isotonic(()) == ()


def test_rising_is_the_nearest_rising_sequence_and_keeps_a_band() -> None:
    dice = Random(5)
    for _ in range(runs(60, 300)):
        truth = sorted(dice.randint(0, 40) for _ in range(12))
        noisy = [Fraction(value + dice.randint(-9, 9)) for value in truth]
        found = isotonic(noisy)
        assert list(found) == sorted(found)
        width = max(abs(n - t) for n, t in zip(noisy, truth, strict=True))
        assert max(abs(f - t) for f, t in zip(found, truth, strict=True)) <= width
        error = sum((n - f) ** 2 for n, f in zip(noisy, found, strict=True))
        for _ in range(20):
            other = sorted(f + Fraction(dice.randint(-9, 9), 5) for f in found)
            assert error <= sum((n - o) ** 2 for n, o in zip(noisy, other, strict=True))
