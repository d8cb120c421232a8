# SPDX-License-Identifier: Apache-2.0
"""What ``--bench`` measures runs where the real files are absent, on the sample hospital."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import cases


@pytest.mark.in_turn(4)
def test_every_command_that_is_measured_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sample has a key of its own, without which nothing of it is released."""
    monkeypatch.setattr(cases, "DIABETES", tmp_path / "absent.csv")
    place = cases.Place(tmp_path)
    place.prepare()
    measured = [*cases.cases(place)]
    assert len(measured) >= 3
    for case in measured:
        assert case.ours.seconds() > 0
    assert (tmp_path / "bundle.zip").is_file()
