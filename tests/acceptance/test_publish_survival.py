# SPDX-License-Identifier: Apache-2.0
"""A released survival curve is what numpy says, and a difference is seen."""

import pytest

from tests.acceptance.publish import survival


def test_a_release_without_noise_says_what_numpy_says_and_nearly_that_of_each_day() -> None:
    assert list(survival.differing()) == []
    daily = survival.of_each_day(survival.lung())
    assert list(survival.differing(daily, survival.DAILY)) == []
    assert "survival of B up to 360" in set(survival.differing(daily))


def test_a_difference_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = survival.curve_of
    monkeypatch.setattr(survival, "curve_of", lambda one, group, bins: real(one, 1 - group, bins))
    found = list(survival.differing())
    assert "median-time of A up to " in found and "survival of B up to 360" in found


@pytest.mark.parametrize("chance", [False, True])
@pytest.mark.in_turn(2)
def test_ranges_hold(chance: bool) -> None:
    """Of 20 releases: of 5 in 100 misses more than 6 happen less than once in 1,000."""
    counts = survival.coverage(chance, 20).counts
    assert counts["A", "survival-at", "360"][1] > 10, "of those that have one"
    assert all(of - held <= 6 for held, of in counts.values())
