# SPDX-License-Identifier: Apache-2.0
"""Folders and documents in other programs, and what is said where there is none for them.

Linux hands them to ``xdg-open``, which ends with a status where no program is there for them; Qt
starts it and does not wait, so that nothing happened and nothing was said.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QObject, QProcess, QUrl
from PySide6.QtGui import QDesktopServices

SOON_MS = 10_000
"""A program that was there and ends later with a status of its own was there."""


def open_elsewhere(owner: QObject, path: Path, failed: Callable[[], None]) -> None:
    """Open a file or a folder where the system does.

    Args:
        owner: who waits for it.
        path: the file or folder.
        failed: called where no program of the system shows it.
    """
    opener = system_opener()
    if not opener:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            failed()
        return
    process, running = QProcess(owner), QElapsedTimer()
    process.setStandardOutputFile(QProcess.nullDevice())
    process.setStandardErrorFile(QProcess.nullDevice())

    def end(status: int) -> None:
        if status and running.elapsed() < SOON_MS:
            failed()
        process.deleteLater()

    process.finished.connect(end)
    process.errorOccurred.connect(
        lambda error: failed() if error == QProcess.ProcessError.FailedToStart else None
    )
    running.start()
    process.start(opener, [str(path)])


def system_opener() -> str:
    """The program of the system that opens files and says whether it could; empty for Qt's way."""
    found = shutil.which("xdg-open") if sys.platform == "linux" else None
    return found or ""
