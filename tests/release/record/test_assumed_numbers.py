# SPDX-License-Identifier: Apache-2.0
"""What is assumed of a figure comes back from a manifest, where numbers are decimal texts."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from dpdesk.release.record.released_study import ReleasedStudy
from dpdesk.resources import resource_path
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.queries import Query

SAMPLE = load_study(resource_path("sample/sample.dpdesk")).study
STAY = next(one.name for one in SAMPLE.columns if isinstance(one, NumberColumn))
RATE: dict[str, Any] = {"statistic": "rate", "per": 1_000, "has": (IsMissing(STAY, missing=False),)}


@pytest.mark.parametrize("number", ["2", "2.5"])
@pytest.mark.parametrize(
    ("member", "own"),
    [
        ("typical", RATE),
        ("expected_exposure", RATE),
        ("expected_deviation", {"statistic": "variance"}),
    ],
)
def test_an_assumed_number_comes_back(member: str, own: dict[str, Any], number: str) -> None:
    asked = Query("q", epsilon=Epsilon.of("0.1")).having(
        **own, column=STAY, **{member: Decimal(number)}
    )
    released = ReleasedStudy.of(replace(SAMPLE, queries=(asked,))).study
    assert released is not None
    assert released.queries == (asked,)
