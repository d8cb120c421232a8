# SPDX-License-Identifier: Apache-2.0
"""The log rotates, is the user's alone, and has no room for anything but words of the code."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from dpdesk.program import log
from dpdesk.program.log import Event
from dpdesk.release.places.home import Home
from dpdesk.study.problem import Problem


@pytest.fixture
def home(dpdesk_home: Path) -> Home:
    return Home.at(dpdesk_home)


def lines(home: Home) -> list[str]:
    return log.path_of(home).read_text(encoding="utf-8").splitlines()


def test_a_line_has_a_minute_a_version_and_the_event(home: Home) -> None:
    log.note(home, Event.DESK_SHOWN)
    (line,) = lines(home)
    minute, name, _version, text = line.split(" ", 3)
    assert len(minute) == len("2026-11-22T20:10Z")
    assert (name, text) == ("dpdesk", "the window is shown")


def test_a_refusal_leaves_its_code_and_neither_place_nor_parameters(home: Home) -> None:
    problem = Problem("$.columns[canary]", "data-file-missing", {"name": "canary"})
    log.note_refused(home, [problem, Problem("$", "Canary, 4711")])
    (line,) = lines(home)
    assert line.endswith(" refused: about-the-data-file unknown")


@pytest.mark.parametrize("code", ["people-count-differs", "seems-aggregates", "extract-used"])
def test_a_refusal_that_rows_decide_leaves_not_even_its_code(home: Home, code: str) -> None:
    """The text for support holds the log; whose people they are would be an answer."""
    log.note_refused(home, [Problem("$", code)])
    (line,) = log.tail(log.path_of(home), 9)
    assert code not in line and line.endswith(" refused: about-the-data-file")


def test_the_log_rotates_and_the_oldest_goes(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "MOST_BYTES", 1_000)
    for number in range(300):
        log.write(log.path_of(home), f"line {number}")
    files = sorted(home.logs.iterdir())
    assert [path.name for path in files] == ["dpdesk.log", *(f"dpdesk.log.{n}" for n in (1, 2, 3))]
    assert all(path.stat().st_size < 1_100 for path in files)
    together = "".join(p.read_text(encoding="utf-8") for p in [*reversed(files[1:]), files[0]])
    numbers = [int(line.rsplit(" ", 1)[1]) for line in together.splitlines()]
    assert numbers == list(range(numbers[0], 300))
    assert numbers[0] > 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps a user's folders by itself")
def test_the_log_is_the_users_alone(home: Home) -> None:
    log.note(home, Event.DESK_SHOWN)
    assert not home.logs.stat().st_mode & 0o077
    assert not log.path_of(home).stat().st_mode & 0o077


def test_the_last_lines_are_found_and_a_missing_log_has_none(home: Home) -> None:
    assert log.tail(log.path_of(home), 5) == []
    for number in range(10):
        log.write(log.path_of(home), f"line {number}")
    assert [line[-1] for line in log.tail(log.path_of(home), 3)] == ["7", "8", "9"]


def test_where_nothing_can_be_written_work_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    log.note(Home.at(tmp_path / "file"), Event.DESK_SHOWN)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among files")
@pytest.mark.parametrize("kind", ["pipe", "loop"])
def test_what_lies_in_the_place_of_the_log_keeps_nobody_waiting(home: Home, kind: str) -> None:
    path = log.path_of(home)
    path.parent.mkdir(parents=True)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path.name)
    signal.alarm(10)
    try:
        log.note(home, Event.DESK_SHOWN)
        assert log.tail(path, 9) == []
    finally:
        signal.alarm(0)
