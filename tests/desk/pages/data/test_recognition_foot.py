# SPDX-License-Identifier: Apache-2.0
"""A large file is looked at to its end: the window shows how far, can stop it, and lives on."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.reuse.study_reuse import StudyReuse
from dpdesk.desk.widgets.work_bar import WorkBar
from tests.desk.conftest import OpenWindow

GIGABYTE = 1 << 30


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the program: a look is awaited for a moment, and no longer."""
    monkeypatch.setattr("dpdesk.desk.core.jobs.jobs.PATIENCE_MS", 20)


def large(folder: Path, size: int) -> Path:
    """A text of any size that takes no room on the disk: nothing is written behind its rows."""
    path = folder / "large.csv"
    path.write_text("pid,age\n" + "p1,64\n" * 20_000, encoding="utf-8")
    os.truncate(path, size)
    return path


@pytest.mark.in_turn(2)
def test_a_large_file_shows_how_far_it_is_read_and_is_stopped_at_once(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window()
    recognition, foot = window.session.recognition, window.reading
    bar = foot.findChild(WorkBar)
    assert bar is not None and foot.isHidden()
    ticks: list[float] = []
    ticking = QTimer(window, interval=20)
    ticking.timeout.connect(lambda: ticks.append(time.monotonic()))
    ticking.start()
    window.opening.new_study(large(tmp_path, 200 * GIGABYTE))
    qtbot.waitUntil(lambda: foot.isVisible() and bar.value() > 0)
    seen = bar.value()
    qtbot.waitUntil(lambda: bar.value() > seen)
    qtbot.waitUntil(lambda: len(ticks) > 5)
    assert recognition.is_pending
    assert bar.accessibleName() == "Reading large.csv…"
    foot.cancel.click()
    assert foot.isHidden() and not recognition.is_pending
    qtbot.waitUntil(lambda: window.session.looks.current is None)
    assert not window.session.document.is_open and window.trouble.isHidden()


def test_a_file_that_is_read_to_its_end_is_opened_and_the_foot_goes(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window()
    path = large(tmp_path, GIGABYTE // 4)
    with path.open("r+b") as stream:
        stream.seek(-1, os.SEEK_END)
        stream.write("ö".encode("cp1252"))
    far: list[int] = []
    window.session.recognition.progressed.connect(lambda done, _total: far.append(done))
    window.opening.new_study(path)
    qtbot.waitUntil(lambda: window.session.document.is_open)
    assert window.reading.isHidden() and far == sorted(far) and far
    data = window.session.document.study.data
    assert data is not None and data.encoding == "cp1252"


def test_the_file_of_a_next_study_is_looked_at_in_the_same_way(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window()
    reuse = StudyReuse(window, window.session, lambda _study, _name: None, str)
    reuse.take(window.session.document.study, large(tmp_path, 200 * GIGABYTE))
    qtbot.waitUntil(window.reading.isVisible)
    window.reading.cancel.click()
    qtbot.waitUntil(lambda: window.session.looks.current is None)
    assert reuse.dialog is None and window.trouble.isHidden()


def test_another_choice_takes_the_place_of_the_one_before(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    window = open_window()
    window.opening.new_study(large(tmp_path, 200 * GIGABYTE))
    qtbot.waitUntil(window.reading.isVisible)
    small = tmp_path / "small.csv"
    small.write_text("pid,age\np1,64\n", encoding="utf-8")
    window.opening.new_study(small)
    qtbot.waitUntil(lambda: window.session.document.is_open)
    data = window.session.document.study.data
    assert data is not None and data.path.endswith("small.csv") and window.reading.isHidden()
