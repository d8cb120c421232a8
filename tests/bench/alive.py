# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.alive [ROWS]``: the window while a large file is read.

For a file of each kind: how long reading takes, how long the window's event loop stood still at
most meanwhile, and how long the reading went on after it was cancelled, at worst of several
moments. ROWS is that of CSV and Parquet; the other kinds have a million at most, as a sheet has.
Then how long it stands still with 5,000 columns, 50 queries or 700 groups; see ``standstill``.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyreadstat
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer

from dpdesk.data.encode import encode
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.app import application
from dpdesk.desk.core.jobs.jobs import Job, JobRunner
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from tests.bench import standstill
from tests.bench.size.admissions import write
from tests.bench.size.ours import study_of
from tests.data.reader_process.children import write_large_workbook

ROWS = 10_000_000
SHEET_ROWS = 1_000_000
MOMENTS = (0.02, 0.2, 0.4, 0.6, 0.8, 0.95)
MOST_PAUSE_S, MOST_CANCEL_S = 0.1, 1.0


@dataclass(frozen=True)
class Watched:
    """How a job went: seconds in all, the longest standstill, and from cancelling to its end."""

    seconds: float
    pause: float
    cancelled: float


class Loop:
    """An event loop like the window's, which notices when it stands still."""

    def __init__(self) -> None:
        self._runner = JobRunner(application())

    def watch(self, study: Study, cancel_after: float | None = None) -> Watched:
        """Read a study's file as the window does, and perhaps cancel that."""

        def work(progress: Progress, token: CancelToken) -> int:
            return len(encode(study, Path(), progress, token).persons())

        loop, last, pause, asked = QEventLoop(), time.perf_counter(), 0.0, 0.0

        def tick() -> None:
            nonlocal last, pause
            now = time.perf_counter()
            last, pause = now, max(pause, now - last)

        def cancel(job: Job) -> None:
            nonlocal asked
            asked = time.perf_counter()
            job.cancel()

        timer = QTimer(interval=1)
        timer.timeout.connect(tick)
        timer.start()
        begun = time.perf_counter()
        job = self._runner.run(work)
        job.ended.connect(loop.quit)
        job.refused.connect(lambda problems: sys.exit(f"refused: {problems}"))
        if cancel_after is not None:
            QTimer.singleShot(int(1000 * cancel_after), lambda: cancel(job))
        loop.exec()
        ended = time.perf_counter()
        timer.stop()
        # Before the loop itself goes: the job's own end is still to come.
        self._runner.stop()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return Watched(ended - begun, pause, ended - asked if asked else 0.0)


def files(folder: Path, rows: int) -> Iterator[tuple[str, Study]]:
    """A study about a large file of each kind."""
    few = min(rows, SHEET_ROWS)
    write(folder, rows)
    yield "CSV", study_of(folder / "admissions.csv")
    yield "Parquet", study_of(folder / "admissions.parquet")
    write_large_workbook(folder / "large.xlsx", few)
    yield (
        "Excel",
        _stays(folder / "large.xlsx", DataSource(format="excel", sheet="Stays", header_row=1)),
    )
    table = pd.DataFrame({"id": range(few), "los": [row % 70 for row in range(few)]})
    pyreadstat.write_sav(table, folder / "large.sav")
    yield "SPSS", _stays(folder / "large.sav", DataSource(format="spss"))


def _stays(path: Path, source: DataSource) -> Study:
    column = NumberColumn("los", lower=Decimal(0), upper=Decimal(70), step=Decimal(1))
    data = replace(source, path=str(path))
    return Study("Made-up stays", data=data, unit=Unit("id"), columns=(column,))


def left_behind() -> list[str]:
    """Threads that still read."""
    return [t.name for t in threading.enumerate() if t.name.startswith("dpdesk-")]


def main(arguments: list[str]) -> int:
    """Print the table; 1 where the window stands still or goes on for too long."""
    rows, failed = int(arguments[0]) if arguments else ROWS, False
    loop = Loop()
    print(f"{'':10}{'whole':>10}{'longest pause':>16}{'cancelled within':>19}")
    with tempfile.TemporaryDirectory() as name:
        for kind, study in files(Path(name), rows):
            whole = loop.watch(study)
            stopped = [loop.watch(study, whole.seconds * moment) for moment in MOMENTS]
            pause = max(one.pause for one in [whole, *stopped])
            cancelled = max(one.cancelled for one in stopped)
            failed |= pause > MOST_PAUSE_S or cancelled > MOST_CANCEL_S or bool(left_behind())
            print(f"{kind:10}{whole.seconds:8.2f} s{1000 * pause:13.0f} ms{cancelled:17.2f} s")
    failed |= bool(standstill.main([]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
