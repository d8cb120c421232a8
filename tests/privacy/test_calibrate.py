# SPDX-License-Identifier: Apache-2.0
"""A scale never costs more than its share, and hardly less."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.calibrate import halves, laplace_scale
from dpdesk.privacy.door import MAX_SCALE, check_request, laplace_loss
from dpdesk.study import limits
from dpdesk.study.amount import MAX_EPSILON_MICRO, Epsilon
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
    return Fraction(laplace_loss(sensitivity, scale)) <= share.as_fraction()


def test_the_grid_is_as_large_as_it_claims() -> None:
    assert len(SENSITIVITIES) * len(SHARES) >= 5_000


@pytest.mark.parametrize("share", SHARES, ids=str)
def test_the_loss_is_within_the_share_and_not_wasteful(share: Epsilon) -> None:
    for sensitivity in SENSITIVITIES:
        scale = laplace_scale(sensitivity, share)
        assert loss_is_within(sensitivity, scale, share)
        ideal = float(Fraction(sensitivity) / share.as_fraction())
        lower = math.nextafter(scale, 0.0)
        close = scale - ideal <= 4 * math.ulp(ideal)
        assert close or not loss_is_within(sensitivity, lower, share)


@given(st.integers(1, MOST), epsilons())
def test_every_scale_that_a_study_can_need_may_be_drawn(sensitivity: int, share: Epsilon) -> None:
    scale = laplace_scale(sensitivity, share)
    check_request(sensitivity, scale)
    assert loss_is_within(sensitivity, scale, share)


def test_the_dearest_sum_at_the_smallest_share_still_fits() -> None:
    assert MAX_SCALE / 2 < laplace_scale(MOST, Epsilon(1)) < MAX_SCALE


def test_dividing_alone_exceeds_the_share_often() -> None:
    """What the rounding up is for."""
    exceeded = [
        not loss_is_within(s, s / float(share.as_fraction()), share)
        for s in SENSITIVITIES
        for share in SHARES
    ]
    assert sum(exceeded) > 0.2 * len(exceeded)


@given(epsilons(2))
def test_halves_add_up_and_differ_by_a_millionth_at_most(share: Epsilon) -> None:
    first, second = halves(share)
    assert first + second == share
    assert 0 <= first.micro - second.micro <= 1
    assert second.micro >= 1
