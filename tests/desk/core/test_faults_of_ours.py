# SPDX-License-Identifier: Apache-2.0
"""A fault of ours is reported in one sentence and written down without a value."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from dpdesk.release.places.home import Home
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts

CANARY = "canary-4711"
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def hook_kept() -> Iterator[None]:
    before = sys.excepthook
    yield
    sys.excepthook = before


def fail(deep: int = 0) -> None:
    if deep:
        fail(deep - 1)
    cell = CANARY
    raise ValueError(f"cannot read {cell}")


def fault_files(home: Home) -> list[Path]:
    return [p for p in home.root.rglob("*.log*") if p.is_file() and "fault" in p.name]


@pytest.mark.faulty
def test_a_fault_leaves_type_and_places_but_no_value(
    open_window: OpenWindow, study_file: Path, home: Home, qtbot: QtBot
) -> None:
    window = open_window(study_file)
    ours = sys.excepthook
    try:
        fail()
    except ValueError as error:
        ours(ValueError, error, error.__traceback__)
    settle()
    (log,) = fault_files(home)
    written = log.read_text(encoding="utf-8")
    assert "ValueError" in written
    assert "fail" in written
    assert CANARY not in written
    assert str(Path(__file__).parent) not in written
    assert window.trouble.isVisible()
    shown = "\n".join(texts(window))
    assert CANARY not in shown
    assert "Traceback" not in shown


@pytest.mark.faulty
def test_many_faults_do_not_fill_the_disk(
    open_window: OpenWindow, study_file: Path, home: Home
) -> None:
    open_window(study_file)
    ours = sys.excepthook
    for _ in range(400):
        try:
            fail(100)
        except ValueError as error:
            ours(ValueError, error, error.__traceback__)
    assert sum(log.stat().st_size for log in fault_files(home)) < 1_000_000


def test_a_fault_in_a_slot_does_not_close_the_window(
    open_window: OpenWindow, study_file: Path, qtbot: QtBot
) -> None:
    window = open_window(study_file)
    with capture_exceptions() as caught:
        QTimer.singleShot(0, fail)
        settle(10)
    assert [kind for kind, _value, _trace in caught] == [ValueError]
    assert window.isVisible()


TESTS = """
import pytest
from dpdesk.program import faults
from tests.desk.conftest import no_faults

def test_quiet(): pass
def test_mistaken(home): faults.write(home, "a fault of ours")
@pytest.mark.faulty
def test_mistaken_on_purpose(home): faults.write(home, "a fault of ours")
@pytest.mark.faulty
def test_quiet_against_its_mark(): pass
@pytest.fixture
def home(tmp_path): return faults.Home.at(tmp_path)
"""


@pytest.mark.in_turn(2)
def test_a_test_in_which_the_window_made_a_mistake_fails(tmp_path: Path) -> None:
    """The window notes its own and goes on: hundreds of tests would hear of none."""
    (tmp_path / "test_mistakes.py").write_text(TESTS, encoding="utf-8")
    command = ["-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        [sys.executable, *command, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    failed = [line.split("::")[1] for line in done.stdout.splitlines() if line.startswith("ERROR")]
    assert [line.split()[0] for line in failed] == ["test_mistaken", "test_quiet_against_its_mark"]
    assert "4 passed, 2 errors" in done.stdout
