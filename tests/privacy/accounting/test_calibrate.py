# SPDX-License-Identifier: Apache-2.0
"""A scale never costs more than its share, and hardly less."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.accounting.calibrate import calibrated, split
from dpdesk.privacy.noise.door import MAX_SCALE, check_request, loss
from dpdesk.privacy.noise.noise import Noise
from dpdesk.study import limits
from dpdesk.study.model.amount import MAX_EPSILON_MICRO, MAX_RHO_NANO, Epsilon, Rho
from tests.audit.length import some
from tests.strategies import epsilons

MOST = 2 * limits.MAX_ROWS_PER_PERSON * limits.MAX_QUANTA
SENSITIVITIES = sorted({*range(1, 31), *(int(1.9**n) for n in range(49)), MOST})
SHARES = [
    Epsilon(micro)
    for micro in sorted(
        {
            *(10**n for n in range(9)),
            *(100_000 * n for n in range(1, 21)),
            *(333_333 * n for n in range(1, 20)),
            *(int(1.47**n) for n in range(4, 47)),
            MAX_EPSILON_MICRO,
        }
    )
]


def loss_is_within(sensitivity: int, scale: float, share: Epsilon) -> bool:
    return Fraction(loss(Noise("laplace", scale), sensitivity)) <= share.as_fraction()


def test_the_grid_is_as_large_as_it_claims() -> None:
    assert len(SENSITIVITIES) * len(SHARES) >= 5_000


@pytest.mark.threat("A11")
@pytest.mark.parametrize("share", some(SHARES, 4), ids=str)
@pytest.mark.in_turn(8)
def test_the_loss_is_within_the_share_and_not_wasteful(share: Epsilon) -> None:
    for sensitivity in SENSITIVITIES:
        scale = calibrated(Noise("laplace", 1.0), sensitivity, share).scale
        assert loss_is_within(sensitivity, scale, share)
        ideal = float(Fraction(sensitivity) / share.as_fraction())
        lower = math.nextafter(scale, 0.0)
        close = scale - ideal <= 4 * math.ulp(ideal)
        assert close or not loss_is_within(sensitivity, lower, share)


@given(st.integers(1, MOST), epsilons())
def test_every_scale_that_a_study_can_need_may_be_drawn(sensitivity: int, share: Epsilon) -> None:
    scale = calibrated(Noise("laplace", 1.0), sensitivity, share).scale
    check_request(Noise("laplace", scale), sensitivity)
    assert loss_is_within(sensitivity, scale, share)


def test_the_dearest_sum_at_the_smallest_share_still_fits() -> None:
    assert MAX_SCALE / 2 < calibrated(Noise("laplace", 1.0), MOST, Epsilon(1)).scale < MAX_SCALE


@pytest.mark.threat("A11")
def test_dividing_alone_exceeds_the_share_often() -> None:
    """What the rounding up is for."""
    exceeded = [
        not loss_is_within(s, s / float(share.as_fraction()), share)
        for s in SENSITIVITIES
        for share in some(SHARES, 4)
    ]
    assert sum(exceeded) > 0.2 * len(exceeded)


@given(st.integers(2, 10**12), st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_a_split_share_adds_up(units: int, weights: list[int]) -> None:
    parts = split(Rho(units), weights)
    assert sum(part.units for part in parts) == units
    assert len(parts) == len(weights)


@given(
    st.sampled_from(["gaussian", "laplace", "noisy-max"]),
    st.booleans(),
    st.integers(1, 5),
    st.integers(1, 10**9),
    st.integers(1, MAX_RHO_NANO),
)
def test_no_mechanism_costs_more_than_its_rho(
    mechanism: str, monotonic: bool, picks: int, sensitivity: int, nano: int
) -> None:
    noise = Noise(mechanism, 1.0, "rho", picks=picks, monotonic=monotonic)  # type: ignore[arg-type]
    found = calibrated(noise, sensitivity, Rho(nano))
    assert Fraction(loss(found, sensitivity)) <= Rho(nano).as_fraction()
    smaller = Noise(found.mechanism, found.scale * (1 - 1e-9), "rho", 1, picks, monotonic)
    assert Fraction(loss(smaller, sensitivity)) > Rho(nano).as_fraction()


@given(st.booleans(), st.integers(1, 5), st.integers(1, 10**9), epsilons())
def test_no_choice_costs_more_than_its_epsilon(
    monotonic: bool, picks: int, sensitivity: int, share: Epsilon
) -> None:
    noise = Noise("noisy-max", 1.0, picks=picks, monotonic=monotonic)
    found = calibrated(noise, sensitivity, share)
    assert Fraction(loss(found, sensitivity)) <= share.as_fraction()
    smaller = Noise("noisy-max", found.scale * (1 - 1e-9), "epsilon", 1, picks, monotonic)
    assert Fraction(loss(smaller, sensitivity)) > share.as_fraction()


@given(epsilons(1_000, 30_000_000))
def test_no_flipped_answer_costs_more_than_its_epsilon(share: Epsilon) -> None:
    found = calibrated(Noise("randomised-response", 1.0), 1, share)
    assert 0.5 < found.scale < 1
    assert Fraction(loss(found, 1)) <= share.as_fraction()


def test_gaussian_noise_has_the_scale_of_its_definition() -> None:
    """rho = d^2 / (2 sigma^2), Bun and Steinke 2016."""
    assert math.isclose(calibrated(Noise("gaussian", 1.0), 9, Rho.of("0.005")).scale, 30)
