# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.x11.locker``: a locked desktop, until its standard input ends.

As lockers do on X: a window over everything that no window manager places, which has taken mouse
and keyboard from every program. ``locked`` on standard output says that it holds both.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from tests.x11.screen import ROOT

LOCKED_S = 0.4
ASLEEP_S = 0.3


def main() -> int:
    """Lock until the input ends."""
    app = QApplication([])
    cover = QWidget(None, Qt.WindowType.X11BypassWindowManagerHint)
    cover.setGeometry(QGuiApplication.primaryScreen().geometry())
    cover.show()

    def take() -> None:
        cover.raise_()
        cover.grabKeyboard()
        cover.grabMouse()
        print("locked", flush=True)

    QTimer.singleShot(150, take)
    ended = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    ended.activated.connect(app.quit)
    return int(app.exec())


@contextmanager
def locked(display: str) -> Iterator[None]:
    """A locked desktop on a display."""
    locker = subprocess.Popen(
        [sys.executable, "-m", "tests.x11.locker"],
        cwd=ROOT,
        env={**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert locker.stdin is not None and locker.stdout is not None
    assert locker.stdout.readline() == "locked\n"
    try:
        yield
    finally:
        locker.stdin.close()
        locker.wait(10)
        locker.stdout.close()


def lock_for_a_while(display: str, program: int) -> None:
    """Lock, type and press where nothing may hear it, let the machine sleep meanwhile, unlock."""
    env = {**os.environ, "DISPLAY": display}
    with locked(display):
        for order in (["type", "lost"], ["key", "Return"], ["click", "1"], ["key", "ctrl+w"]):
            subprocess.run(["xdotool", *order], env=env, check=True)
        time.sleep(LOCKED_S)
        os.kill(program, signal.SIGSTOP)
        time.sleep(ASLEEP_S)
        os.kill(program, signal.SIGCONT)


if __name__ == "__main__":
    sys.exit(main())
