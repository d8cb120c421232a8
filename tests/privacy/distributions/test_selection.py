# SPDX-License-Identifier: Apache-2.0
"""Who is chosen how often, and how far below the best: against exact sums and real draws."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.privacy.distributions import selection
from dpdesk.privacy.distributions.selection import SelectionNoise
from tests.privacy.distributions.ordered_choices import top_chances

WAYS: tuple[SelectionNoise, ...] = ("exponential", "gumbel")
VECTORS = [[5], [0, 0], [3, 2, 0], [7, 7, 7, 1], [0, -1, -2, -3, -4], [10, 9, 9, 9, 2, 2]]


def flip_by_permutations(p: list[Fraction]) -> list[Fraction]:
    """The definition: every order, each candidate accepted with its own chance."""
    found = [Fraction(0)] * len(p)
    for order in itertools.permutations(range(len(p))):
        left = Fraction(1)
        for i in order:
            found[i] += left * p[i]
            left *= 1 - p[i]
    return [f / math.factorial(len(p)) for f in found]


def draw(scores: list[int], scale: float, way: SelectionNoise, times: int, seed: int) -> np.ndarray:
    """Noisy maxima; the noise of each way as its paper has it."""
    random = np.random.default_rng(seed)
    shape = (times, len(scores))
    exponential = way == "exponential"
    noise = random.exponential(scale, shape) if exponential else random.gumbel(0, scale, shape)
    return np.argmax(np.array(scores) + noise, axis=1)


@pytest.mark.parametrize("scores", VECTORS)
@pytest.mark.parametrize("scale", [0.3, 1.0, 2.5, 40.0])
def test_permute_and_flip_is_its_definition(scores: list[int], scale: float) -> None:
    p = [Fraction(math.exp((s - max(scores)) / scale)) for s in scores]
    true = [float(f) for f in flip_by_permutations(p)]
    assert selection.permute_and_flip(scores, scale) == pytest.approx(true, rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("scores", VECTORS)
def test_gumbel_is_the_exponential_mechanism(scores: list[int]) -> None:
    weights = [math.exp(s / 2.5) for s in scores]
    true = [w / sum(weights) for w in weights]
    assert selection.gumbel(scores, 2.5) == pytest.approx(true, rel=1e-13)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", [2, 9, 63, 64, 65, 1000, 10_000])
@pytest.mark.in_turn(3)
def test_the_chances_of_many_candidates_make_one(way: SelectionNoise, size: int) -> None:
    for scores in ([0] * size, list(range(size)), [s * s % 37 for s in range(size)]):
        for scale in (0.5, 30.0):
            found = selection.chances(scores, scale, way)
            assert found.sum() == pytest.approx(1, abs=1e-12)
            assert (found >= 0).all()
            assert found[scores.index(max(scores))] == found.max()


def test_scores_that_no_float_can_tell_apart_are_told_apart() -> None:
    high = 2**62
    for way in WAYS:
        near = selection.chances([high, high - 1], 1.0, way)
        assert near == pytest.approx(selection.chances([1, 0], 1.0, way), rel=1e-15)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scores", VECTORS[1:])
def test_draws_fall_as_the_chances_say(way: SelectionNoise, scores: list[int]) -> None:
    times = 40_000
    seen = np.bincount(draw(scores, 2.0, way, times, 7), minlength=len(scores))
    expected = times * selection.chances(scores, 2.0, way)
    assert np.abs(seen - expected).max() < 5 * math.sqrt(times) / 2
    assert ((seen - expected) ** 2 / expected).sum() < 30


@pytest.mark.parametrize("way", WAYS)
def test_several_are_drawn_as_the_chances_say(way: SelectionNoise) -> None:
    scores, times = [3, 2, 0], 30_000
    chances = top_chances(scores, 2.0, 2, way)
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    assert len(chances) == 6
    first = draw(scores, 2.0, way, times, 3)
    seen: Counter[tuple[int, int]] = Counter()
    for i in range(3):
        left = [j for j in range(3) if j != i]
        second = draw([scores[j] for j in left], 2.0, way, int((first == i).sum()), 10 + i)
        seen.update((i, left[j]) for j in second.tolist())
    for pair, chance in chances.items():
        assert abs(seen[pair] / times - chance) < 0.012  # type: ignore[index]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("size", "scale"), [(2, 1.0), (5, 4.0), (40, 10.0), (1000, 3.0)])
def test_the_worst_case_is_what_the_formula_says(
    way: SelectionNoise, size: int, scale: float
) -> None:
    for short in (0, 3, 12):
        worst = selection.chances([short + 1, *[0] * (size - 1)], scale, way)[1:].sum()
        assert selection.miss_chance(size, scale, short, way) == pytest.approx(worst, rel=1e-11)


@settings(max_examples=150)
@given(
    st.lists(st.integers(-12, 12), min_size=1, max_size=8),
    st.floats(0.3, 20),
    st.integers(0, 12),
    st.sampled_from(WAYS),
)
def test_no_scores_are_worse_than_the_worst(
    scores: list[int], scale: float, short: int, way: SelectionNoise
) -> None:
    gaps = max(scores) - np.array(scores)
    beyond = selection.chances(scores, scale, way)[gaps > short].sum()
    assert beyond <= selection.miss_chance(len(scores), scale, short, way) + 1e-14


@pytest.mark.parametrize("miss", [0.5, 0.05, 1e-9])
@pytest.mark.parametrize("size", [2, 3, 20, 500, 100_000])
@pytest.mark.parametrize("scale", [0.4, 2.0, 55.5, 1e7])
def test_the_bound_is_the_smallest_and_the_books_are_never_below(
    miss: float, size: int, scale: float
) -> None:
    bounds = {way: selection.score_bound(size, scale, way, miss) for way in WAYS}
    for way, bound in bounds.items():
        assert selection.miss_chance(size, scale, bound, way) <= miss
        assert bound == 0 or selection.miss_chance(size, scale, bound - 1, way) > miss
        assert bound <= scale * math.log(size / miss)
    assert bounds["exponential"] <= bounds["gumbel"]


def test_one_candidate_cannot_be_wrong() -> None:
    for way in WAYS:
        assert selection.score_bound(1, 100.0, way) == 0
        assert selection.miss_chance(1, 100.0, 0, way) == 0


@pytest.mark.parametrize("way", WAYS)
def test_a_small_miss_keeps_its_digits(way: SelectionNoise) -> None:
    for size, scale, short in ((2, 1.0, 30), (7, 2.0, 80), (1000, 1.0, 40)):
        p = Fraction(math.exp(-(short + 1) / scale))
        flip = 1 - (1 - (1 - p) ** size) / (size * p)
        others = (size - 1) * p
        true = flip if way == "exponential" else others / (1 + others)
        said = Fraction(selection.miss_chance(size, scale, short, way))
        assert true <= said <= true * (1 + Fraction(1, 10**11))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("size", "scale"), [(3, 2.0), (20, 5.0), (100, 30.0)])
def test_draws_keep_the_bound_and_come_near_it(
    way: SelectionNoise, size: int, scale: float
) -> None:
    bound, times = selection.score_bound(size, scale, way), 10_000
    worst = [bound + 1, *[0] * (size - 1)]
    missed = (draw(worst, scale, way, times, 11) != 0).mean()
    chance = selection.miss_chance(size, scale, bound, way)
    assert abs(missed - chance) < 4 * math.sqrt(0.05 / times)
    easier = [bound + 1, *[0] * (size - 2), bound]
    gaps = bound + 1 - np.array(easier)
    assert (gaps[draw(easier, scale, way, times, 12)] > bound).mean() <= missed + 0.01


@pytest.mark.parametrize("way", WAYS)
def test_several_choices_hold_together(way: SelectionNoise) -> None:
    for scores in ([9, 8, 0, 0, 0], [6, 6, 5, 1], [4, 4, 4, 0, 0], [0, 0, 0, 0]):
        for count in (1, 2, 3):
            bound = selection.top_bound(len(scores), 1.0, count, way)
            for short in (bound, max(bound - 3, 0)):
                missed = sum(
                    chance
                    for chosen, chance in top_chances(scores, 1.0, count, way).items()
                    if _worst_gap(scores, chosen) > short
                )
                limit = 1.0
                for size in range(len(scores), len(scores) - count, -1):
                    limit *= 1 - selection.miss_chance(size, 1.0, short, way)
                assert missed <= 1 - limit + 1e-12
            assert 1 - _all_hold(len(scores), count, bound, way) <= 0.05


def _worst_gap(scores: list[int], chosen: tuple[int, ...]) -> int:
    left = [s for i, s in enumerate(scores) if i not in chosen]
    return max(left) - min(scores[i] for i in chosen) if left else 0


def _all_hold(size: int, count: int, short: int, way: SelectionNoise) -> float:
    held = 1.0
    for left in range(size, size - count, -1):
        held *= 1 - selection.miss_chance(left, 1.0, short, way)
    return held


@pytest.mark.parametrize("way", WAYS)
def test_more_choices_need_more_room_and_all_of_them_none_at_the_last(way: SelectionNoise) -> None:
    bounds = [selection.top_bound(50, 10.0, count, way) for count in (1, 2, 5, 20)]
    assert bounds == sorted(bounds)
    assert bounds[0] == selection.score_bound(50, 10.0, way)
    assert selection.top_bound(2, 10.0, 2, way) == selection.score_bound(2, 10.0, way)


@pytest.mark.parametrize("way", WAYS)
def test_noise_that_drowns_every_score_chooses_blindly(way: SelectionNoise) -> None:
    assert selection.miss_chance(4, 2.0**66, 0, way) == pytest.approx(3 / 4, rel=1e-11)
    assert selection.score_bound(4, 2.0**66, way) > 2**66
    assert selection.top_bound(10**9, 2.0**66, 3, way) > 2**66
