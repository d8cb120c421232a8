# SPDX-License-Identifier: Apache-2.0
"""The values between which quantiles lie that were read off counts."""

from __future__ import annotations

from decimal import Decimal
from functools import cache, partial

import numpy as np
import pytest
from scipy.stats import binom

from dpdesk.exact import Exact
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning import quantile_ranges as own
from dpdesk.privacy.planning.quantile_ranges import possible_places, quantile_ranges
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.running_counts.hierarchical_counts import Hierarchy
from dpdesk.privacy.statistics.distribution import tree_of
from dpdesk.privacy.statistics.quantile_counts import ends_between, rank_bound
from dpdesk.study.model.amount import Epsilon, Rho
from tests.privacy.running_counts.exact_numbers import exact_numbers
from tests.privacy.statistics.test_quantile_counts import plan_of, query_of, study_of

TIMES = 150
SHARES = pytest.mark.parametrize("share", [Epsilon.of("0.5"), Rho.of("0.05")], ids=["eps", "rho"])


def rows_of(plan: QueryPlan) -> np.ndarray:
    """A quarter of the rows at 30 and at 50 each: of two ranks nothing but noise decides."""
    rows = np.zeros(tree_of(plan).bins, int)
    rows[[30, 50, 80]] = 2_000, 2_000, 4_000
    return rows


def releases(plan: QueryPlan, times: int = TIMES) -> list[tuple[int, ...]]:
    """What the real door gives for the same rows, again and again."""
    (part,), tree = plan.parts, tree_of(plan)
    exact = exact_numbers(tree, rows_of(plan))
    vector = Exact(np.tile(exact, times))
    drawn = OpenDPDoor().draw(part.name, vector, part.noise, part.sensitivity)
    return [tuple(drawn[i : i + len(exact)]) for i in range(0, len(drawn), len(exact))]


def missed(plan: QueryPlan, parts: tuple[int, ...]) -> dict[int, list[int]]:
    """How often the first quartile and the median lie outside, by parts of the error."""
    tree, noise = tree_of(plan), plan.parts[0].noise
    found = {part: [0, 0] for part in parts}
    for noisy in releases(plan):
        counts = tree.running_counts(noisy, None)
        for part in parts:
            for number, (level, exact) in enumerate((((1, 3), 30), ((1, 1), 50))):
                error = partial(error_part, noise, tree, part, level)
                low, high = possible_places(counts, level, error, 10**9)
                found[part][number] += not low <= exact <= high
    return found


def error_part(noise: Noise, tree: Hierarchy, part: int, level: tuple[int, int], place: int) -> int:
    """A part of the error at a candidate."""
    return whole_error(noise, tree, level, place) // part


@cache
def whole_error(noise: Noise, tree: Hierarchy, level: tuple[int, int], place: int) -> int:
    """All of it; no release makes it another."""
    return own._error(noise, tree, ends_between(tuple(range(tree.bins))), level, place)


@SHARES
@pytest.mark.in_turn(2)
def test_the_exact_quantile_is_within_95_times_in_100(share: Epsilon | Rho) -> None:
    plan = plan_of(20, share)
    assert plan.parts[0].noise.is_additive
    most, found = binom.isf(1e-9, TIMES, 0.05), missed(plan, (1, 50))
    assert max(found[1]) <= most
    assert min(found[50]) > most, "a fiftieth of the error would not do"


@SHARES
@pytest.mark.in_turn(2)
def test_what_was_read_off_lies_within(share: Epsilon | Rho) -> None:
    plan = plan_of(20, share)
    for noisy in releases(plan, 20):
        lines = table(study_of(share), plan, (noisy,)).rows
        ranges = quantile_ranges(plan, (noisy,), 0)
        assert all(
            low <= Decimal(value) <= high
            for (_, value, off), (low, high) in zip(lines, ranges, strict=True)
            if off  # one that crossed shows another quantile's
        )


def test_the_bound_of_the_search_is_no_smaller_than_an_error() -> None:
    """What is skipped by it could not have decided."""
    for share in (Epsilon.of("0.2"), Rho.of("0.02")):
        plan = plan_of(20, share)
        tree, noise = tree_of(plan), plan.parts[0].noise
        ends = ends_between(tuple(range(tree.bins)))
        counts = tree.running_counts(releases(plan, 1)[0], None)
        for level in ((1, 19), (1, 1), (9, 1)):
            most = rank_bound(noise, tree, tree.bins, level)
            error = partial(own._error, noise, tree, ends, level)
            assert max(map(error, range(tree.bins - 1))) <= most
            quick = possible_places(counts, level, error, most)
            assert quick == possible_places(counts, level, error, 10**9)


def test_ends_are_candidates() -> None:
    """Nothing lies beyond the bounds, however loud the noise is."""
    plan = plan_of(20, Epsilon.of("0.0001"))
    for noisy in releases(plan, 5):
        for low, high in quantile_ranges(plan, (noisy,), 0):
            assert Decimal(0) <= low <= high <= Decimal(100)
        nothing = (0,) * len(noisy)
        assert set(quantile_ranges(plan, (nothing,), 0)) == {(Decimal(0), Decimal(100))}


def test_choices_have_no_ranges() -> None:
    query = query_of(2)
    plan = compiler.compile_query(study_of(), query)
    assert not plan.parts[0].noise.is_additive
    assert quantile_ranges(plan, ((1,),), 0) == ()
