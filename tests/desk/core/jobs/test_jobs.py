# SPDX-License-Identifier: Apache-2.0
"""Work off the GUI thread: progress before the end, a quick cancel, never an exception's text."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import count

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.jobs import Job, JobRunner
from dpdesk.study.problem import refuse
from tests.waiting import LIMIT_S

CANARY = "patient-4711-syphilis"


@pytest.fixture
def runner(qapp: QApplication) -> Iterator[JobRunner]:
    made = JobRunner(qapp)
    yield made
    assert made.stop()
    made.deleteLater()


def endless(progress: Progress, cancel: CancelToken) -> None:
    for step in count():
        cancel.check()
        progress(step, step + 1)
        time.sleep(0.005)


class Heard:
    def __init__(self, job: Job) -> None:
        self.said: list[tuple[str, object]] = []
        job.progressed.connect(lambda done, total: self.said.append(("progressed", (done, total))))
        job.finished.connect(lambda result: self.said.append(("finished", result)))
        job.refused.connect(lambda problems: self.said.append(("refused", problems)))
        job.cancelled.connect(lambda: self.said.append(("cancelled", None)))
        job.ended.connect(lambda: self.said.append(("ended", None)))

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.said]


def test_progress_comes_before_the_result_in_the_gui_thread(
    runner: JobRunner, qtbot: QtBot
) -> None:
    threads = []

    def work(progress: Progress, _cancel: CancelToken) -> str:
        threads.append(threading.current_thread())
        progress(50, 100)
        progress(100, 100)
        return "figures"

    job = runner.run(work)
    heard = Heard(job)
    job.finished.connect(lambda _r: threads.append(QThread.currentThread()))
    qtbot.waitUntil(lambda: "ended" in heard.kinds())
    assert heard.kinds()[-2:] == ["finished", "ended"]
    assert heard.said[-3] == ("progressed", (100, 100))
    assert ("finished", "figures") in heard.said
    assert threads[0] is not threading.main_thread()
    assert threads[1] is QApplication.instance().thread()


def test_cancel_ends_work_that_has_no_end(runner: JobRunner, qtbot: QtBot) -> None:
    job = runner.run(endless)
    heard = Heard(job)
    qtbot.waitUntil(lambda: "progressed" in heard.kinds())
    job.cancel()
    qtbot.waitUntil(lambda: "ended" in heard.kinds())
    assert heard.kinds()[-2:] == ["cancelled", "ended"]
    assert runner.current is None


def test_the_text_of_an_exception_is_never_delivered(runner: JobRunner, qtbot: QtBot) -> None:
    def work(_progress: Progress, _cancel: CancelToken) -> None:
        raise ValueError(CANARY)

    heard = Heard(runner.run(work))
    qtbot.waitUntil(lambda: "ended" in heard.kinds())
    ((problem,),) = (value for kind, value in heard.said if kind == "refused")  # type: ignore[misc]
    assert (problem.code, problem.params) == ("internal-fault", {"kind": "ValueError"})
    assert CANARY not in repr(heard.said)


def test_a_refusal_arrives_with_its_problems(runner: JobRunner, qtbot: QtBot) -> None:
    def work(_progress: Progress, _cancel: CancelToken) -> None:
        raise refuse("budget-exceeded", left="0.1")

    heard = Heard(runner.run(work))
    qtbot.waitUntil(lambda: "ended" in heard.kinds())
    assert heard.said[0][0] == "refused"
    assert heard.said[0][1][0].code == "budget-exceeded"  # type: ignore[index]


def test_few_progress_signals_for_many_steps(runner: JobRunner, qtbot: QtBot) -> None:
    def work(progress: Progress, _cancel: CancelToken) -> None:
        for step in range(100_000):
            progress(step, 100_000)

    heard = Heard(runner.run(work))
    qtbot.waitUntil(lambda: "ended" in heard.kinds())
    assert heard.kinds().count("progressed") < 100


def test_two_jobs_one_after_the_other_both_arrive(runner: JobRunner, qtbot: QtBot) -> None:
    go_on = threading.Event()
    first = Heard(runner.run(lambda _p, _c: go_on.wait(LIMIT_S) and "first"))
    job = runner.run(lambda _p, _c: "second")
    second = Heard(job)
    go_on.set()
    qtbot.waitUntil(lambda: "ended" in first.kinds() and "ended" in second.kinds())
    assert ("finished", "first") in first.said
    assert ("finished", "second") in second.said
    assert runner.current is None


def test_the_later_of_two_jobs_can_still_be_cancelled(runner: JobRunner, qtbot: QtBot) -> None:
    go_on = threading.Event()
    first = Heard(runner.run(lambda _p, _c: go_on.wait(LIMIT_S)))
    second = Heard(runner.run(endless))
    go_on.set()
    qtbot.waitUntil(lambda: "ended" in first.kinds() and "progressed" in second.kinds())
    assert runner.current is not None
    runner.current.cancel()
    qtbot.waitUntil(lambda: "cancelled" in second.kinds())


def test_stopping_waits_for_all_that_runs(qapp: QApplication) -> None:
    runner = JobRunner(qapp)
    runner.run(endless)
    runner.run(endless)
    assert runner.stop()
    runner.deleteLater()


def test_what_nobody_waits_for_begins_when_the_window_has_shown_what_it_is_at(
    runner: JobRunner, qtbot: QtBot
) -> None:
    begun = threading.Event()
    job = runner.run_later(lambda _progress, _cancel: begun.set())
    heard = Heard(job)
    # It is work in progress already, for whoever waits until nothing is left to do.
    assert runner.current is job
    assert not begun.wait(0.02) and not job.is_running
    qtbot.waitUntil(lambda: heard.kinds() == ["finished", "ended"])
    assert begun.is_set() and runner.current is None


def test_what_is_cancelled_before_it_begins_does_nothing(runner: JobRunner, qtbot: QtBot) -> None:
    begun = threading.Event()
    job = runner.run_later(lambda _progress, _cancel: begun.set())
    heard = Heard(job)
    job.cancel()
    qtbot.waitUntil(lambda: heard.kinds() == ["cancelled", "ended"])
    assert not begun.is_set()
