# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.x11.as_started [FILE]``: ``dpdesk [FILE]`` itself, with a probe in it.

Everything that ``python -m dpdesk`` does before its window is there is done here, too: what it
does about cores and crashes among it.
"""

from __future__ import annotations

import sys

from dpdesk.__main__ import main


def start_with_probe() -> int:
    """Run the program; its window gets the probe when it is made."""
    from PySide6.QtCore import QSocketNotifier
    from PySide6.QtWidgets import QApplication

    from dpdesk.desk import app
    from dpdesk.desk.main_window.window import MainWindow
    from dpdesk.release.places.home import Home
    from tests.x11.program import answer

    make_window = app.make_window

    def make_and_listen(application: QApplication, home: Home) -> MainWindow:
        window = make_window(application, home)
        notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, application)
        notifier.activated.connect(answer)
        return window

    app.make_window = make_and_listen
    return main()


if __name__ == "__main__":
    sys.exit(start_with_probe())
