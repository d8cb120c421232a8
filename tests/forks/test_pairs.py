# SPDX-License-Identifier: Apache-2.0
"""A copied home is noticed by whoever holds a bundle of each copy, and no honest one suspected."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.forks.pairs import FARTHEST, pair


@pytest.mark.threat("E6", "G9")
@pytest.mark.parametrize("is_forked", [True, False])
@pytest.mark.parametrize("distance", [0, 1, 2, 3, FARTHEST])
@pytest.mark.in_turn(4)
def test_two_copies_are_told_from_one_ledger(
    tmp_path: Path, distance: int, is_forked: bool
) -> None:
    found = pair(tmp_path, random.Random(distance), distance, is_forked=is_forked)
    assert found.is_right and found.distance == distance
