# SPDX-License-Identifier: Apache-2.0
"""A released survival curve with delayed entry is what numpy says, and a difference is seen."""

import pytest

from tests.acceptance.publish import entry


def test_a_release_without_noise_is_what_numpy_says() -> None:
    assert list(entry.differing()) == []


def test_people_who_are_all_there_from_the_start_are_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = entry.curve_of
    monkeypatch.setattr(entry, "curve_of", lambda entered, *more: real(0 * entered, *more))
    found = list(entry.differing())
    assert "survival-at up to 360" in found and "survival up to 60" in found


def test_ranges_of_noise_hold() -> None:
    assert max(entry.coverage(20).values()) <= 6
