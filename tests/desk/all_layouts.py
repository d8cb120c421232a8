# SPDX-License-Identifier: Apache-2.0
"""Every page, query, column and dialog in every language, at every size and scale, in both schemes.

``python -m tests.desk.all_layouts`` goes through all that ``pictures.py`` photographs, in each
language, and looks for words that are cut off or lie over each other (``layout_faults.py``), at
100, 125, 150 and 200 %, each scale in a process of its own, and light and dark: what lies elsewhere
in the other colours is a fault, too. ``test_layouts.py`` is the short slice.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault(
    "QT_QPA_PLATFORM", f"offscreen:configfile={Path(__file__).parents[1] / 'screen.json'}"
)

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk.desk.app import application, make_window
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.text.translators.chosen_language import languages
from dpdesk.release.places.home import Home
from tests.desk.camera import USUAL, Photographer
from tests.desk.dialogs import DIALOGS
from tests.desk.layout_faults import layout_faults, moved, page_faults, places
from tests.desk.pictures import open_sample, take_all
from tests.desk.screens import settle
from tests.desk.test_layouts import faults_as_it_grows

SCALES = ("1", "1.25", "1.5", "2")
SIZES = tuple(
    QSize(*size)
    for size in (
        (1366, 738),  # the most common screen of hospitals
        (1280, 770),
        (1279, 770),  # the panel is narrow from here on,
        (1231, 738),  # the rail,
        (1152, 700),
        (1151, 700),  # and the panel a strip
        (1092, 585),  # 1366 x 768 at 125 %
        (1024, 670),
        (958, 529),  # Full HD at 200 %
        (910, 483),  # 1366 x 768 at 150 %
        (683, 354),  # 1366 x 768 at 200 %
    )
)


def main() -> int:
    """Look at every scale, this process at one where one is named."""
    if "QT_SCALE_FACTOR" in os.environ:
        return _look_at_all()
    return max(_at(scale) for scale in SCALES)


def _at(scale: str) -> int:
    command = [sys.executable, "-m", "tests.desk.all_layouts"]
    done = subprocess.run(command, env={**os.environ, "QT_SCALE_FACTOR": scale}, check=False)
    print(f"{float(scale):.0%}: {'all is well' if done.returncode == 0 else 'see above'}")
    return done.returncode


def _look_at_all() -> int:
    try:
        found = [f"{code}: {fault}" for code in languages() for fault in _in_language(code)]
    except Exception:  # the program's own hook would write it to a log that is gone by then
        traceback.print_exc()
        return 1
    print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


class Inspector(Photographer):
    """Goes where a photographer goes, and looks at each page and dialog instead."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        super().__init__(window, folder, "")
        self.found: list[str] = []

    def take(self, name: str, size: QSize = USUAL) -> None:
        """Look at what is on show, at every size."""
        if size != USUAL:
            return
        self.found += list(_at_every_size(self.window, self.window.page, name))
        self.window.resize(size)

    def take_dialog(self, name: str) -> None:
        """Look at the dialog that is open."""
        settle()
        dialog = QApplication.activeModalWidget()
        self.found += [f"{name}: {fault}" for fault in layout_faults(dialog)] if dialog else []

    def take_popup(self, name: str, popup: QWidget) -> None:
        """A list scrolls: there is nothing to look at."""
        popup.close()


def _in_language(code: str) -> Iterator[str]:
    with _window(code) as window, tempfile.TemporaryDirectory() as pictures:
        inspector = Inspector(window, Path(pictures))
        take_all(inspector)
        yield from inspector.found
    # Of their own: what is released there is paid by an account that nobody used.
    with _window(code) as window:
        open_sample(window)
        settle(10)
        for name, make in DIALOGS.items():
            yield from (f"{name}: {fault}" for fault in faults_as_it_grows(make(window)))


@contextmanager
def _window(code: str) -> Iterator[MainWindow]:
    """The window in a language, with a home of its own."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home.at(Path(folder))
        Settings(home).language = code
        window = make_window(application(), home)
        window.show()
        settle(10)
        yield window
        window.close()


def _at_every_size(window: MainWindow, key: str, what: str) -> Iterator[str]:
    """Each size in light, the last and the first in dark: a change of colours takes long."""
    for size in SIZES:
        window.resize(size)
        settle()
        yield from (f"{_sized(size)}, {what}: {fault}" for fault in _faults(window, key))
    before = places(window)
    window.theme.apply("dark")
    settle()
    dark = f"{_sized(SIZES[-1])}, {what}, dark"
    yield from (f"{dark}: {fault}" for fault in _faults(window, key) + moved(before, window))
    window.resize(SIZES[0])
    settle()
    yield from (f"{_sized(SIZES[0])}, {what}, dark: {f}" for f in _faults(window, key))
    window.theme.apply("light")


def _sized(size: QSize) -> str:
    return f"{size.width()} x {size.height()}"


def _faults(window: MainWindow, key: str) -> list[str]:
    return page_faults(window, key) if key else layout_faults(window.welcome)


if __name__ == "__main__":
    sys.exit(main())
