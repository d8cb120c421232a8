# SPDX-License-Identifier: Apache-2.0
"""A released cumulative incidence is what numpy says, and a difference is seen."""

import pytest

from tests.acceptance.publish import incidence


def test_a_release_without_noise_is_what_numpy_says() -> None:
    assert list(incidence.differing()) == []


def test_another_incidence_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    real = incidence.incidence_of
    monkeypatch.setattr(
        incidence, "incidence_of", lambda people, group, kind: real(people, group, 1 - kind)
    )
    found = list(incidence.differing())
    assert "incidence-at of A, tumour, up to 360" in found
    assert "incidence of B, other, up to 360" in found


def test_ranges_of_noise_hold() -> None:
    counts = incidence.coverage(False, 20).counts.values()
    assert counts and all(of - held <= 6 for held, of in counts)
