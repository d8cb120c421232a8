# SPDX-License-Identifier: Apache-2.0
"""What is at work for a window that is left is given up, and nothing of another one is."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from shiboken6 import delete

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.at_work import drop_work_of
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.core.jobs.jobs import JobRunner
from dpdesk.desk.core.jobs.latest_job import LatestJob


def test_what_is_at_work_inside_an_object_is_given_up(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The job is at work when it is given up: nothing waits for its end.
    monkeypatch.setattr("dpdesk.desk.core.jobs.jobs.PATIENCE_MS", 0)
    window, other = QObject(), QObject()
    page = QObject(window)
    own, others, ended, gone = (IdleSteps(top) for top in (page, other, page, page))
    runner, waits = JobRunner(qapp), threading.Event()
    job = LatestJob(runner, page)

    def work(_progress: Progress, cancel: CancelToken) -> None:
        while not waits.wait(0.01):
            cancel.check()

    for steps in (own, others, ended, gone):
        steps.begin(iter(range(1_000_000)))
    ended.stop()
    delete(gone)
    job.run(work, lambda _found: None, lambda _problems: None)
    drop_work_of(window)
    assert not own.are_left and others.are_left and not job.is_pending
    others.stop()
    waits.set()
    assert runner.stop()
    # Here and not by Python's collector, which may run in the thread of a later test's job.
    for top in (window, other, runner):
        delete(top)
