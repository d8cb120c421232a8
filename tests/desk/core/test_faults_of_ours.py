# SPDX-License-Identifier: Apache-2.0
"""A fault of ours is told in one sentence and written down without a value."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from dpdesk.release.home import Home
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts

CANARY = "canary-4711"


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
    told = "\n".join(texts(window))
    assert CANARY not in told
    assert "Traceback" not in told


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
