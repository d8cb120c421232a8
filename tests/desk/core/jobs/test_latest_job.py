# SPDX-License-Identifier: Apache-2.0
"""A short look at a file: shown at once where it is quick, later where not, and only the last."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.jobs import Job, JobRunner
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.study.problem import refuse
from tests.waiting import LIMIT_S


@pytest.fixture
def runner(qapp: QApplication) -> Iterator[JobRunner]:
    made = JobRunner(qapp, at_once=3)
    yield made
    assert made.stop()
    made.deleteLater()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dpdesk.desk.core.jobs.jobs.PATIENCE_MS", 30)


class Asker:
    def __init__(self, latest: LatestJob) -> None:
        self.latest = latest
        self.said: list[object] = []

    def ask(self, work: object) -> None:
        self.latest.run(work, self.said.append, self.said.append)  # type: ignore[arg-type]


def quick(_progress: Progress, _cancel: CancelToken) -> str:
    return "quick"


def refused(_progress: Progress, _cancel: CancelToken) -> str:
    raise refuse("data-file-empty", "$.data.path")


def test_a_quick_answer_is_there_at_once(runner: JobRunner) -> None:
    asker = Asker(LatestJob(runner))
    asker.ask(quick)
    assert asker.said == ["quick"]
    assert not asker.latest.is_pending
    asker.ask(refused)
    assert asker.said[1:] == [refuse("data-file-empty", "$.data.path").problems]


@pytest.mark.usefixtures("impatient")
def test_a_slow_answer_comes_later_and_nobody_waits(runner: JobRunner, qtbot: QtBot) -> None:
    asker, free = Asker(LatestJob(runner)), threading.Event()
    asker.ask(lambda _progress, _cancel: free.wait(LIMIT_S))
    assert asker.said == [] and asker.latest.is_pending
    free.set()
    qtbot.waitUntil(lambda: asker.said == [True])
    assert not asker.latest.is_pending


@pytest.mark.usefixtures("impatient")
def test_all_waits_of_one_turn_together_are_one_wait(
    runner: JobRunner, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[int] = []
    wait = Job.wait
    monkeypatch.setattr(Job, "wait", lambda job, ms: (waits.append(ms), wait(job, ms)))
    free = threading.Event()
    looks = [Asker(LatestJob(runner)) for _ in range(3)]
    for asker in looks:
        asker.ask(lambda _progress, _cancel: free.wait(LIMIT_S))
    assert waits == [30, 0, 0]
    free.set()
    qtbot.waitUntil(lambda: all(asker.said for asker in looks))
    looks[0].ask(quick)
    assert waits[3:] == [30]


@pytest.mark.usefixtures("impatient")
def test_only_the_last_question_is_answered(runner: JobRunner, qtbot: QtBot) -> None:
    asker, free = Asker(LatestJob(runner)), threading.Event()
    asker.ask(lambda _progress, _cancel: free.wait(LIMIT_S))
    asker.ask(quick)
    qtbot.waitUntil(lambda: asker.said == ["quick"])
    free.set()
    qtbot.waitUntil(lambda: runner.current is None)
    assert asker.said == ["quick"]


@pytest.mark.usefixtures("impatient")
def test_what_is_dropped_is_cancelled(runner: JobRunner, qtbot: QtBot) -> None:
    def endless(_progress: Progress, cancel: CancelToken) -> None:
        while True:
            cancel.check()
            time.sleep(0.002)

    asker = Asker(LatestJob(runner))
    asker.ask(endless)
    with qtbot.waitSignal(runner.idle):
        asker.latest.drop()
    assert asker.said == []


def test_long_work_is_not_waited_for(runner: JobRunner, qtbot: QtBot) -> None:
    asker = Asker(LatestJob(runner))
    asker.latest.run(quick, asker.said.append, asker.said.append, is_long=True)
    assert asker.said == [] and asker.latest.is_pending
    qtbot.waitUntil(lambda: asker.said == ["quick"])


@pytest.mark.usefixtures("impatient")
def test_what_was_deleted_meanwhile_hears_nothing(runner: JobRunner, qtbot: QtBot) -> None:
    """A dialog that went with its window has no fields to say it in."""
    asking, free = QObject(), threading.Event()
    asker = Asker(LatestJob(runner, asking))
    asker.ask(lambda _progress, _cancel: free.wait(LIMIT_S))
    delete(asking)
    with qtbot.waitSignal(runner.idle):
        free.set()
    assert asker.said == []
