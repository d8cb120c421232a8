# SPDX-License-Identifier: Apache-2.0
"""Replay: between neighbours, every exact vector moves by at most its declared sensitivity."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.audit.length import examples
from tests.audit.replay import violations
from tests.audit.worlds import Neighbours, neighbours

pytestmark = pytest.mark.audit


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=examples(short=150, full=5_000),
)
@given(world=neighbours())
def test_one_person_moves_every_answer_by_at_most_its_sensitivity(
    world: Neighbours, tmp_path: Path
) -> None:
    assert violations(world, tmp_path) == []
