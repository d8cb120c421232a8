# SPDX-License-Identifier: Apache-2.0
"""The square root of running sums against its matrices, and what a person can move of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate, product
from random import Random

import numpy as np
import pytest

from dpdesk.privacy.running_counts.square_root import ROW, SquareRoot, square_roots
from dpdesk.privacy.running_counts.strategy import worst_variance
from dpdesk.privacy.statistics.distribution import root_sensitivity
from dpdesk.study.model.unit import Neighbours, Unit
from tests.audit.length import runs
from tests.privacy.running_counts.exact_numbers import exact_numbers

ROOTS = [
    SquareRoot(bins, is_normalised, is_public)
    for bins in (3, 4, 7, 20, 50)
    for is_normalised in (False, True)
    for is_public in (False, True)
]
TOTAL = 77


def matrix(root: SquareRoot) -> np.ndarray:
    """R', as the rows of a single row in each bin."""
    return np.array([exact_numbers(root, row) for row in np.eye(root.bins, dtype=np.int64)]).T


def least_squares(root: SquareRoot) -> np.ndarray:
    """Running counts as a matrix on what is drawn, where a public total is known exactly."""
    sums, drawn = np.tril(np.ones((root.bins, root.bins))), matrix(root).astype(float)
    if not root.has_public_total:
        return sums @ np.linalg.inv(drawn)
    free = np.linalg.svd(np.ones((1, root.bins)))[2][1:].T  # changes that keep the total
    return sums @ free @ np.linalg.pinv(drawn @ free)


@pytest.mark.parametrize("root", ROOTS, ids=str)
def test_without_noise_each_count_is_exact(root: SquareRoot) -> None:
    for seed in range(5):
        counts = np.random.default_rng(seed).integers(0, 10**9, root.bins)
        exact = [int(number) for number in exact_numbers(root, counts)]
        wanted = list(accumulate(counts.tolist()))
        found = root.running_counts(exact, wanted[-1])
        assert max(abs(a - b) for a, b in zip(found, wanted, strict=True)) < Fraction(1, 2**50)
        assert [round(count) for count in root.counts_below(exact, None)] == wanted


@pytest.mark.parametrize("root", ROOTS, ids=str)
def test_counts_weights_and_variances_are_those_of_least_squares(root: SquareRoot) -> None:
    dice, system = Random(root.bins), least_squares(root)
    even = np.full(root.bins, TOTAL / root.bins if root.has_public_total else 0.0)
    noisy = [dice.randint(-30 * ROW, 60 * ROW) for _ in range(root.bins)]
    wanted = np.cumsum(even) + system @ (np.array(noisy) - matrix(root) @ even)
    found = root.running_counts(noisy, TOTAL)
    assert np.allclose([float(count) for count in found], wanted, atol=1e-3)
    for bin in range(root.bins):
        assert root.variance(bin) == pytest.approx((system[bin] ** 2).sum(), rel=1e-6, abs=1e-30)
        for share in (0.0, 1.0, 0.25):
            # A public total has no noise, so that no share of it takes any away.
            row = system[bin] - (0 if root.has_public_total else share) * system[-1]
            terms = root.weights(bin, share)
            assert sum(many for _, many in terms) in (0, root.bins)
            squares = sum(many * weight**2 for weight, many in terms)
            assert squares == pytest.approx((row**2).sum(), rel=1e-6, abs=1e-30)


@pytest.mark.parametrize("is_normalised", [False, True])
def test_a_better_total_moves_each_count_by_its_covariance(is_normalised: bool) -> None:
    root = SquareRoot(9, is_normalised)
    system = least_squares(root)
    noisy = [5 * ROW * (n + 1) for n in range(9)]
    without, with_it = root.counts_below(noisy, None), root.counts_below(noisy, TOTAL)
    beyond = TOTAL - float(without[-1])
    covariance = system @ system[-1] / (system[-1] @ system[-1])
    moved = [float(b - a) / beyond for a, b in zip(without, with_it, strict=True)]
    assert np.allclose(moved, covariance, atol=1e-6)
    assert np.allclose([root.part_of_total(bin) for bin in range(9)], moved, atol=1e-12)
    assert with_it[-1] == TOTAL


@pytest.mark.parametrize("bins", [3, 4, 5, 20, 101, 200])
def test_rounding_costs_a_part_in_a_thousand(bins: int) -> None:
    """Beside the matrices of both papers, of real numbers."""
    falls = np.cumprod([1.0, *((2 * k - 1) / (2 * k) for k in range(1, bins))])
    apart = np.subtract.outer(np.arange(bins), np.arange(bins))
    own = np.where(apart >= 0, falls[np.maximum(apart, 0)], 0.0)
    sums = np.tril(np.ones((bins, bins)))
    for root in square_roots(bins, False):
        ideal = own / np.linalg.norm(own, axis=0) if root.is_normalised else own
        least = (np.linalg.norm(sums @ np.linalg.inv(ideal), axis=1)).max()
        least *= np.linalg.norm(ideal, axis=0).max()
        found = (worst_variance(root) * root.reach.column) ** 0.5
        assert found == pytest.approx(least, rel=1e-3)


def test_each_size_has_an_inverse_and_room_for_many_rows() -> None:
    sizes = (*range(3, 40), 101, 999, 1_000)
    for root in (root for bins in sizes for root in square_roots(bins, False)):
        assert root.falls[0] * max(root.scales) <= ROW == 2**24
        assert min(root.falls) > 0 < min(root.scales)
    assert square_roots(2, False) == ()


def vectors(bins: int, k: int, cells: int, m: int) -> list[tuple[int, ...]]:
    """Every way in which up to k rows lie in bins of some cells, at most m in a cell."""
    one = [v for v in product(range(m + 1), repeat=bins) if sum(v) <= m]
    every = [()]
    for _ in range(cells):
        every = [(*v, *w) for v in every for w in one if sum(v) + sum(w) <= k]
    return every


@pytest.mark.parametrize("is_normalised", [False, True])
@pytest.mark.parametrize(
    ("k", "m", "cells"),
    [(1, 1, 1), (2, 2, 1), (4, 4, 1), (4, 3, 1), (1, 1, 2), (2, 2, 2), (3, 1, 2), (2, 1, 4)],
)
def test_the_sensitivity_is_the_largest_distance_of_all_persons(
    k: int, m: int, cells: int, is_normalised: bool
) -> None:
    root = SquareRoot(3, is_normalised)
    drawn = np.array([exact_numbers(root, np.array(v)) for v in vectors(3, k, cells, m)], object)
    pairs = {"add-remove": [drawn[0]], "change-one": drawn}
    for neighbours, others in pairs.items():
        unit = Unit("pid", k, neighbours, None if neighbours == "add-remove" else 9)
        found = root_sensitivity(unit, cells, root, m)
        moved = [drawn - other for other in others]
        squared = max(int((d * d).sum(axis=1).max()) for d in moved)
        assert squared <= found.l2_squared
        assert max(int(abs(d).sum(axis=1).max()) for d in moved) <= found.l1
        assert max(int(abs(d).max()) for d in moved) <= found.linf
        # It is attained unless rows would need more cells than there are to go elsewhere.
        has_room = neighbours == "add-remove" or cells == 1 or 2 * -(-k // m) <= cells
        assert (squared == found.l2_squared) == has_room


@pytest.mark.parametrize("neighbours", ["add-remove", "change-one"])
def test_many_random_persons_move_no_more(neighbours: Neighbours) -> None:
    """Of more bins than all can be tried of; two columns far apart attain it."""
    dice, k = np.random.default_rng(3), 3
    unit = Unit("pid", k, neighbours, None if neighbours == "add-remove" else 9)
    for root in square_roots(20, False):
        found, moves = root_sensitivity(unit, 1, root).l2_squared, []
        for _ in range(runs(200, 2_000)):
            before, after = (np.bincount(dice.integers(0, 20, k), minlength=20) for _ in range(2))
            move = exact_numbers(root, after - (before if neighbours == "change-one" else 0))
            moves.append(sum(int(number) ** 2 for number in move))
        assert max(moves) <= found
        columns = matrix(root).astype(object).T * k
        others = columns if neighbours == "change-one" else [0 * columns[0]]
        apart = max(int(((one - other) ** 2).sum()) for one in columns for other in others)
        assert max(apart, max(int((one**2).sum()) for one in columns)) == found
