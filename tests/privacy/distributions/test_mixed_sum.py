# SPDX-License-Identifier: Apache-2.0
"""The half-width of a mixed sum against the exact distribution of the sum."""

from functools import lru_cache

import numpy as np
import pytest

from dpdesk.privacy.distributions.gaussian import pmf
from dpdesk.privacy.distributions.mixed_sum import mixed_half_width
from dpdesk.privacy.distributions.noise_distribution import half_width
from dpdesk.privacy.noise.noise import Mechanism, Noise
from tests.privacy.distributions.exact_laplace import Floats, probabilities

KINDS: list[Mechanism] = ["laplace", "gaussian"]
SCALES = [(0.2, 0.2, 0.2), (0.7, 0.4, 2.0), (3.0, 3.0, 3.0), (20.0, 4.0, 1.5), (1.0, 30.0, 6.0)]
WEIGHTS = [(1, 1, 1), (1, 2, 5), (3, 0, 2), (1, 9, 4), (0, 7, 0)]
MISSES = [0.05, 0.045, 0.01, 0.1]


def noises(kind: Mechanism, scales: tuple[float, ...]) -> tuple[Noise, ...]:
    measure = "rho" if kind == "gaussian" else "epsilon"
    return tuple(Noise(kind, scale, measure) for scale in scales)


@lru_cache(maxsize=64)
def chances(kind: Mechanism, scale: float) -> Floats:
    """P(X = x) for x from -reach to reach."""
    if kind == "laplace":
        return probabilities(scale, int(30 * scale) + 12)[1]
    reach = int(9 * scale) + 9
    return np.array([pmf(x, scale) for x in range(-reach, reach + 1)])


def spread(values: Floats, weight: int) -> Floats:
    """The distribution of a whole multiple."""
    wide = np.zeros((values.size - 1) * weight + 1)
    wide[:: max(weight, 1)] = values if weight else values.sum()
    return wide


@lru_cache(maxsize=256)
def tails(kind: Mechanism, scales: tuple[float, ...], weights: tuple[int, ...]) -> Floats:
    """P(|sum| > w) for w = 0, 1, 2 ..., by adding up every combination."""
    total = np.array([1.0])
    for scale, weight in zip(scales, weights, strict=True):
        total = np.convolve(total, spread(chances(kind, scale), abs(weight)))
    middle = total.size // 2
    upper = np.cumsum(total[::-1])[::-1][middle + 1 :]
    return 2 * np.append(upper, 0.0)


def smallest(kind: Mechanism, scales: tuple[float, ...], weights: tuple[int, ...], miss: float):
    return int(np.argmax(tails(kind, scales, weights) <= miss))


@pytest.mark.parametrize("miss", MISSES)
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("scales", SCALES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.in_turn(8)
def test_it_holds_for_the_weights_and_for_all_smaller_ones(
    kind: Mechanism, scales: tuple[float, ...], weights: tuple[int, ...], miss: float
) -> None:
    width = mixed_half_width(noises(kind, scales), tuple(map(float, weights)), miss)
    ranges = [range(weight + 1) for weight in weights]
    smaller = [(a, b, c) for a in ranges[0] for b in ranges[1] for c in ranges[2]]
    for each in smaller:
        beyond = tails(kind, scales, each)
        assert beyond[min(int(width), beyond.size - 1)] <= miss + 1e-12, each


@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 2, 5), (1, 9, 4)])
@pytest.mark.parametrize("scales", [s for s in SCALES if min(s) > 0.9])
@pytest.mark.parametrize(("kind", "lost"), [("laplace", 0.5), ("gaussian", 1.5)])
def test_it_is_close_to_the_smallest_but_for_what_smoothing_loses(
    kind: Mechanism, lost: float, scales: tuple[float, ...], weights: tuple[int, ...]
) -> None:
    width = mixed_half_width(noises(kind, scales), tuple(map(float, weights)), 0.05)
    least = smallest(kind, scales, weights, 0.05)
    assert least <= width <= 1.06 * least + lost * sum(weights) + 1


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_much_narrower_than_each_noise_in_its_own_bound(kind: Mechanism) -> None:
    found = noises(kind, (100.0, 100.0, 100.0))
    each = sum(half_width(noise, 0.05 / 3) for noise in found)
    assert mixed_half_width(found, (1.0, 1.0, 1.0), 0.05) < 0.63 * each


@pytest.mark.parametrize("kind", KINDS)
def test_it_grows_with_every_weight_and_with_the_confidence(kind: Mechanism) -> None:
    found = noises(kind, (40.0, 7.0, 2.0))
    grid = np.linspace(0, 12, 41)
    for place in range(3):
        widths = []
        for weight in grid:
            weights = [1.0, 1.0, 1.0]
            weights[place] = float(weight)
            widths.append(mixed_half_width(found, tuple(weights), 0.05))
        assert widths == sorted(widths)
    ones = (1.0, 1.0, 1.0)
    assert [mixed_half_width(found, ones, m) for m in (0.1, 0.05, 0.01)] == sorted(
        mixed_half_width(found, ones, m) for m in (0.1, 0.05, 0.01)
    )


def test_nothing_is_added_where_no_noise_counts() -> None:
    assert mixed_half_width(noises("laplace", (5.0,)), (0.0,), 0.05) == 0.0
    assert mixed_half_width(noises("laplace", (0.02, 0.02)), (1.0, 6.0), 0.05) == 0.0


def test_two_mechanisms_are_not_mixed() -> None:
    found = noises("laplace", (5.0,)) + noises("gaussian", (5.0,))
    with pytest.raises(ValueError, match="one mechanism"):
        mixed_half_width(found, (1.0, 1.0), 0.05)
