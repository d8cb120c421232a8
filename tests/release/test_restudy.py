# SPDX-License-Identifier: Apache-2.0
"""A released study is read back as it was declared, and its claim priced again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from dpdesk.privacy.door import laplace_loss
from dpdesk.privacy.laplace import half_width
from dpdesk.release.record import public_study
from dpdesk.release.restudy import MAX_CELLS_IN_ALL, priced_again, read_released_study
from dpdesk.release.verify import verify
from dpdesk.study.columns import CategoryColumn
from dpdesk.study.document import Study
from dpdesk.study.queries import Query
from dpdesk.study.unit import Unit
from tests.release.bundles import KNOWN, resigned
from tests.strategies import studies


@given(study=studies())
def test_what_was_released_reads_back_as_it_was_declared(study: Study) -> None:
    found = read_released_study(public_study(study))
    assert found is not None
    kept = replace(study.data, path="") if study.data else None
    assert found == replace(study, data=kept)


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"dpdesk": 1, "columns": [{"kind": "number", "name": "a", "lower": "x"}]},
        {"dpdesk": 1, "columns": 3},
        {"dpdesk": 1, "columns": [3]},
        {"dpdesk": 1, "queries": [{"id": "a", "where": [{"between": 3}]}]},
        {"dpdesk": 1, "budget": {"epsilon": "NaN"}},
        {"dpdesk": 1, "budget": {"epsilon": "1e999999"}},
    ],
)
def test_what_is_no_study_reads_as_none(members: dict[str, Any]) -> None:
    assert read_released_study(members) is None


def test_more_cells_than_a_bundle_holds_are_not_made() -> None:
    wide = CategoryColumn("a", tuple(str(i) for i in range(5_000)))
    queries = tuple(Query(f"q{i}", by=("a",)) for i in range(MAX_CELLS_IN_ALL // 5_000 + 1))
    assert priced_again(Study(unit=Unit(), columns=(wide,), queries=queries)) is None


def _lie(statement: dict[str, Any]) -> None:
    """Half the sensitivity, with the scale and the loss that go with it."""
    part = statement["predicate"]["queries"][0]["parts"][0]
    lower = int(part["sensitivity"]) // 2
    assert lower >= 1
    scale = float(part["scale"]) * lower / int(part["sensitivity"])
    part["sensitivity"] = str(lower)
    part["scale"] = repr(scale)
    part["loss"] = repr(laplace_loss(lower, scale))
    part["half_width"] = str(half_width(scale))


def _narrow(statement: dict[str, Any]) -> None:
    part = statement["predicate"]["queries"][0]["parts"][0]
    part["half_width"] = str(int(part["half_width"]) - 1)


@pytest.mark.parametrize(
    ("lie", "code"),
    [(_lie, "claim-sensitivity-too-small"), (_narrow, "claim-margin-differs")],
)
def test_a_signed_lie_about_noise_does_not_add_up(lie: Any, code: str) -> None:
    found = verify(resigned(lie), KNOWN)
    assert found.is_whole and found.is_known
    assert found.claim is not None and code in [p.code for p in found.claim]
