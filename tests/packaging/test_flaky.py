# SPDX-License-Identifier: Apache-2.0
"""A test that passes when run again is named and is no failure; a process that died is one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.source_files import ROOT

PASSES = "def test_passes():\n    pass\n"
FAILS = "def test_fails():\n    assert 0\n"
ONCE = """
from pathlib import Path

def test_fails_once():
    again = Path("ran-" + __name__).exists()
    Path("ran-" + __name__).touch()
    assert again
"""
DIES_ONCE = """
import os
from pathlib import Path

def test_dies_once():
    again = Path("ran-" + __name__).exists()
    Path("ran-" + __name__).touch()
    if not again:
        os._exit(9)
"""
FALLS_DOWN_ONCE = """
from pathlib import Path
import pytest

@pytest.fixture
def ground():
    yield
    again = Path("ran-" + __name__).exists()
    Path("ran-" + __name__).touch()
    assert again

def test_falls_down_once(ground):
    pass
"""


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """How tests ended that were run twice by pytest itself."""
    monkeypatch.syspath_prepend(str(ROOT / "packaging"))
    import flaky

    return partial(run_twice, flaky.run_twice, tmp_path)


def run_twice(both: Callable[..., int], folder: Path, *tests: str, processes: bool = False) -> int:
    for number, test in enumerate(tests):
        (folder / f"test_{number}.py").write_text(test)
    command = [sys.executable, "-m", "pytest", "-q", "-c", "/dev/null", "--rootdir=."]
    command += ["-p", "xdist", "-n", "1"] if processes else []
    # Without the plug-ins of the project's own tests, which take most of a run's time.
    bare = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run(arguments: list[str], *more: str) -> int:
        each = [*command, *more, *arguments]
        return subprocess.run(each, cwd=folder, env=bare, check=False).returncode

    (folder / "reports").mkdir()
    return both(run, lambda more: run(more, "--last-failed"), str(folder / "reports"))


@pytest.mark.in_turn(2)
def test_what_passes_when_run_again_is_named(
    ended: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert ended(PASSES, ONCE, FALLS_DOWN_ONCE) == 0
    printed = capfd.readouterr().out
    assert "Flaky, passed when run again: test_1::test_fails_once" in printed
    assert "Flaky, passed when run again: test_2::test_falls_down_once" in printed


@pytest.mark.parametrize("tests", [(ONCE, FAILS), ("import nothing_of_this_name",), ()])
@pytest.mark.in_turn(3)
def test_what_fails_again_has_failed(tests: tuple[str, ...], ended: Callable[..., int]) -> None:
    assert ended(*tests) != 0


@pytest.mark.in_turn(2)
def test_a_process_that_died_is_not_excused(
    ended: Callable[..., int], capfd: pytest.CaptureFixture[str]
) -> None:
    assert ended(PASSES, DIES_ONCE, processes=True) == 1
    assert "A process of the tests died." in capfd.readouterr().out
