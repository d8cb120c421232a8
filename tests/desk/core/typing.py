# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.desk.core.typing FILE PAUSE_MS``: edit a study without end, and say when.

Each edit is announced with its number and the beat before it was made, so that whoever kills this
process knows what its file must hold. A beat is 10 ms of this process's own: none passes while
other processes have the machine, and none of what the program does.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, QTimer

from dpdesk.desk.core.document import Document
from dpdesk.study.model.document import Study


def main(path: Path, pause_ms: int) -> None:
    """Type until killed."""
    app = QCoreApplication([])
    document, number, beats = Document(), 0, 0
    document.start(Study(title="0"), path)

    def say() -> None:
        sys.stdout.write(f"{number} {beats}\n")
        sys.stdout.flush()

    def beat() -> None:
        nonlocal beats
        beats += 1
        say()

    def edit() -> None:
        nonlocal number
        number += 1
        say()
        document.edit(replace(document.study, title=str(number)), "typing", "title")

    timers = QTimer(interval=pause_ms), QTimer(interval=10, timerType=Qt.TimerType.PreciseTimer)
    for timer, done in zip(timers, (edit, beat), strict=True):
        timer.timeout.connect(done)
        timer.start()
    app.exec()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
