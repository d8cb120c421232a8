# SPDX-License-Identifier: Apache-2.0
"""What may crash, done in a process of its own.

``python -m tests.desk.core.jobs.in_child WHAT ...`` is that process.
"""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs import garbage_collector, jobs
from dpdesk.desk.core.jobs.garbage_collector import MANY, GarbageCollector
from dpdesk.desk.core.jobs.jobs import JobRunner
from tests.waiting import LIMIT_S

ROOT = Path(__file__).parents[4]


def run(what: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Do it in a child, whatever becomes of that."""
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", __name__, what, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def widgets_beside_jobs(seed: str, rounds: str) -> None:
    """Make and drop widgets while jobs come and go; each must be what it was made as."""
    app, drawn, kept = QApplication([]), random.Random(int(seed)), []
    runner = JobRunner(app, at_once=4)
    for _ in range(int(rounds)):
        runner.run(lambda _progress, _cancel: None)
        for _ in range(drawn.randrange(20)):
            holder = QWidget()
            made = [drawn.choice([QObject, QWidget, QLabel, QMenu])(holder) for _ in range(2)]
            assert list(map(type, holder.children()[:1])) == [type(made[0])]
            kept.append(holder)
            del kept[:-30]
        app.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert runner.stop()


def garbage_beside_jobs(seconds: str) -> None:
    """Drop widgets in cycles while a job makes Python collect; say which threads collected."""
    app, threads = QApplication([]), set()
    garbage, runner = GarbageCollector(app), JobRunner(app)

    def collected(phase: str, _info: dict[str, int]) -> None:
        threads.add((phase, threading.current_thread() is threading.main_thread()))

    gc.callbacks.append(collected)

    def work(_progress: Progress, cancel: CancelToken) -> None:
        while True:
            cancel.check()
            ring: list[object] = []
            ring.append(ring)

    runner.run(work)
    ends, gone = time.monotonic() + float(seconds), []
    while time.monotonic() < ends:
        label = QLabel("dropped")
        label.itself = label
        QTimer(label).start(1_000)
        weakref.finalize(label, gone.append, True)
        del label
        app.processEvents()
    assert runner.stop()
    garbage.collect()
    garbage.look_through()
    gc.callbacks.remove(collected)
    assert gone, "nothing was collected"
    assert threads == {("start", True), ("stop", True)}, threads
    garbage.stop()
    assert gc.isenabled()


def much_at_once() -> None:
    """Hold what a large job has found: it is not walked through while somebody looks."""
    app = QApplication([])
    garbage = GarbageCollector(app)
    walks: list[dict[str, int]] = []
    gc.callbacks.append(lambda _phase, info: walks.append(info))
    dropped: list[object] = []
    dropped.append(dropped)
    gone = weakref.ref(label := QLabel("in a cycle"))
    label.itself = label
    del label
    found = [[place] for place in range(2 * MANY)]
    garbage.collect()
    assert not walks and gone() is not None and len(found) == 2 * MANY
    app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert not walks
    app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert walks and gone() is None, "it is looked through while another program is in front"
    del walks[:], found
    app.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert not walks, "once"
    garbage_collector.MOST_UNSEEN = 3 * MANY
    held = []
    for _ in range(2):
        held.append([[place] for place in range(2 * MANY)])
        garbage.collect()
    assert walks, "too much to wait for that"


def much_bit_by_bit() -> None:
    """Make much in many turns: what survived is not walked through where it is too much by then."""
    garbage = GarbageCollector(QApplication([]))
    walks: list[int] = []
    gc.callbacks.append(lambda _phase, info: walks.append(info["generation"]))
    held = []
    for _ in range(25):
        held.append([[place] for place in range(MANY // 8)])
        garbage.collect()
    assert len(walks) > 20 and set(walks) == {0}
    gone = weakref.ref(label := QLabel("in a cycle"))
    label.itself = label
    del label, held[:]
    for _ in range(25):
        held.append([[place] for place in range(MANY // 40)])
        garbage.collect()
    assert 1 in walks, "little is"
    assert gone() is None


def end_while_a_job(kind: str) -> None:
    """Leave while a job hangs in a read, or talks without end and heeds nobody."""
    app = QApplication([])
    jobs.WAIT_S = 0.2
    runner = JobRunner(app)
    silent, _writer = os.pipe()

    def hang(_progress: Progress, _cancel: CancelToken) -> None:
        os.read(silent, 1)

    def talk(progress: Progress, _cancel: CancelToken) -> None:
        while True:
            progress(1, 1)

    runner.run({"hangs": hang, "talks": talk}[kind])
    QTimer.singleShot(50, app.quit)
    app.exec()
    assert not runner.stop()


if __name__ == "__main__":
    known = (
        widgets_beside_jobs,
        garbage_beside_jobs,
        much_at_once,
        much_bit_by_bit,
        end_while_a_job,
    )
    {f.__name__: f for f in known}[sys.argv[1]](*sys.argv[2:])
    print("done")
