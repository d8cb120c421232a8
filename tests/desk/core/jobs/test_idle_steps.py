# SPDX-License-Identifier: Apache-2.0
"""Work is done bit by bit, and dropped when it is no longer wanted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from tests.desk.screens import settle


@pytest.fixture
def owner(qtbot: QtBot) -> Iterator[QObject]:
    made = QObject()
    yield made
    made.deleteLater()


@pytest.fixture
def done() -> list[int]:
    return []


def steps(done: list[int], first: int, last: int) -> Iterator[None]:
    for number in range(first, last):
        yield done.append(number)


def test_events_get_their_turn_between_two_steps(owner: QObject, done: list[int]) -> None:
    slices = IdleSteps(owner)
    slices.begin(steps(done, 0, 1000))
    assert done == [] and slices.are_left
    QCoreApplication.processEvents()
    assert 1 <= len(done) < 1000 and slices.are_left


def test_what_fell_due_during_a_step_comes_before_the_next(owner: QObject) -> None:
    order: list[str] = []

    def busy() -> Iterator[None]:
        for _ in range(6):
            order.append("step")
            time.sleep(0.004)
            yield

    beat = QTimer(owner, interval=1)
    beat.setTimerType(Qt.TimerType.PreciseTimer)
    beat.timeout.connect(lambda: order.append("beat"))
    slices = IdleSteps(owner)
    beat.start()
    slices.begin(busy())
    while slices.are_left:
        QCoreApplication.processEvents()
    beat.stop()
    assert ("step", "step") not in set(pairwise(order))


def test_what_is_left_can_be_done_now(owner: QObject, done: list[int]) -> None:
    slices = IdleSteps(owner)
    slices.begin(steps(done, 0, 5))
    slices.finish()
    assert done == [0, 1, 2, 3, 4] and not slices.are_left


def test_other_steps_take_the_place_of_those_left(owner: QObject, done: list[int]) -> None:
    slices = IdleSteps(owner)
    slices.begin(steps(done, 0, 5))
    slices.begin(steps(done, 10, 12))
    slices.finish()
    assert done == [10, 11]


def test_dropped_steps_are_not_done(owner: QObject, done: list[int]) -> None:
    slices = IdleSteps(owner)
    slices.begin(steps(done, 0, 5))
    slices.stop()
    settle()
    slices.finish()
    assert done == [] and not slices.are_left


def test_nothing_is_done_for_a_widget_that_is_gone(done: list[int], qtbot: QtBot) -> None:
    gone = QObject()
    IdleSteps(gone).begin(steps(done, 0, 5))
    gone.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    settle()
    assert done == []
