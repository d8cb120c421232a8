# SPDX-License-Identifier: Apache-2.0
"""The list of slow tests is of tests that there are, and has each of them wait for its turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import conftest
from tests.slow_tests import SLICES, slow_tests
from tests.turns import SLOW_EVERY, SLOW_TESTS


def test_each_listed_test_is_there() -> None:
    """One that was renamed would run at every commit again; the list is made anew then."""
    root, missing = Path(__file__).parents[1], []
    for name in sorted(SLOW_TESTS):
        file, _, function = name.partition("::")
        path = root / file
        if not path.is_file() or f"def {function}(" not in path.read_text(encoding="utf-8"):
            missing.append(name)
    assert not missing
    assert all((root / file).is_file() for file in SLICES)
    assert len(SLOW_TESTS) > 100


def test_the_cases_of_a_test_are_added_up(tmp_path: Path) -> None:
    one = "0.300 tests/a/b.py::test_a[1]\n0.100 tests/a/b.py::test_b\n9.000 tests/c.py::test_c\n"
    (tmp_path / "1").write_text(one, "utf-8")
    (tmp_path / "2").write_text(
        f"0.300 tests/a/b.py::test_a[2 x]\n9.000 {SLICES[0]}::test_d\n", "utf-8"
    )
    assert slow_tests(tmp_path) == ["tests/a/b.py::test_a"]


@pytest.mark.parametrize(("own", "every"), [(None, SLOW_EVERY), (2, SLOW_EVERY), (8, 8), (1, 1)])
def test_a_slow_test_waits_for_its_turn(
    own: int | None, every: int, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = request.node
    if own is not None:
        item.add_marker(pytest.mark.in_turn(own))
    conftest.pytest_itemcollected(item)
    assert own is None or item.get_closest_marker("in_turn").args == (own,)
    monkeypatch.setattr(conftest, "SLOW_TESTS", {item.nodeid.partition("[")[0]})
    conftest.pytest_itemcollected(item)
    assert item.get_closest_marker("in_turn").args == (every,)
