# SPDX-License-Identifier: Apache-2.0
"""Curves with delayed entry are released as numpy says, and a difference is seen."""

import pytest

from tests.acceptance.publish import each_time, entry


def test_a_release_without_noise_is_what_numpy_says() -> None:
    assert list(entry.differing()) == []


def test_people_who_are_all_there_from_the_start_are_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = entry.curves_of
    monkeypatch.setattr(entry, "curves_of", lambda entered, *more: real(0 * entered, *more))
    found = list(entry.differing())
    assert {"survival-at 360", "up to 60", "tumour incidence-at 360", "other up to 60"} <= {*found}


def test_ranges_of_noise_and_chance_hold() -> None:
    counts = entry.coverage(True, 20).counts.values()
    assert counts and all(of - held <= 6 for held, of in counts)


def test_intervals_for_the_population_hold_at_each_time() -> None:
    for case in (each_time.of_shape("few people"), each_time.of_entries(1)):
        early, _late = each_time.covered(case, "1", 20)
        assert early.counts and all(held >= 15 for held, of in early.counts.values() if of == 20)


def test_entries_on_one_day_of_their_bin_take_the_curve_as_far_as_is_said() -> None:
    assert [round(100 * entry.of_uneven(shift), 1) for shift in (0, -1)] == [-5.0, 4.8]
