# SPDX-License-Identifier: Apache-2.0
"""What hospitals publish is what pandas says of the same file, and a difference is seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.study.checks.study_checks import check
from tests.acceptance.publish import rates


def test_the_rates_of_a_real_file_are_those_of_pandas(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check(rates.study()) == ()
    path = shared_data / rates.FILE
    cells, folder = rates.read(path), path.parent
    found = [*rates.beside_pandas(cells, folder)]
    assert [text for text, is_same in found if not is_same] == []
    assert [text[-12:] for text, _ in found] == ["figures: 10)", "(figures: 2)", "(figures: 2)"]
    ours = {
        "rate": {},
        "indirect": {},
        "direct": rates.released(rates.study(), folder)["direct"],
    }
    monkeypatch.setattr(rates, "released", lambda _study, _folder: ours)
    monkeypatch.setattr(rates, "EUROPE", (*rates.EUROPE[:8], 3_000, 2_000))
    said = [text for text, is_same in rates.beside_pandas(cells, folder) if not is_same]
    assert [text.rpartition(": ")[2] for text in said] == ["DIFFERS in Female, Male"]


def test_ranges_of_rates_hold(shared_data: Path) -> None:
    found = rates.covered(rates.read(shared_data / rates.FILE), 10)
    assert len(found) == 6
    assert [name for name, held in found.items() if not held.line(10)[1]] == []
