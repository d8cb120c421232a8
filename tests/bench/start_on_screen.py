# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.start_on_screen [PROGRAM] [--rounds N]``: starts on a real screen.

On a virtual screen of 1366 x 768 with a window manager, from starting the process until the window
is on the screen, until a menu stands open that was asked for by a key pressed at that moment, and
until a study given on the command line is shown. From the source and, where it is named, with the
installed program, in turns. Needs xvfb, openbox and xdotool.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.source_files import ROOT
from tests.x11.screen import screen

ROUNDS = 5
MOST_SHOWN_S, MOST_USABLE_S = 1.0, 2.0
PATIENCE_S = 60.0
SAMPLE = ROOT / "resources" / "sample"
MILESTONES = ("on the screen", "a menu is open", "the sample is shown")


class Start:
    """A program that is started again and again on one screen.

    Args:
        command: starts it.
        display: the screen.
        folder: its home; the sample study lies there.
    """

    def __init__(self, command: list[str], display: str, folder: Path) -> None:
        self._command = command
        self._display = display
        self._study = folder / "sample.dpdesk"
        self._variables = {
            **{name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"},
            **{"DISPLAY": display, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
            **{"PYTHONPATH": str(ROOT), "DPDESK_HOME": str(folder / "home")},
        }

    def seconds(self) -> tuple[float, float, float]:
        """The three milestones, each in seconds from the start of a process."""
        with self._running() as begun:
            shown = self._until(lambda: self._windows() >= 1, begun)
            self._x("key", "alt+f")
            usable = self._until(lambda: self._windows() >= 2, begun)
        with self._running(str(self._study)) as begun:
            opened = self._until(self._names_a_study, begun)
        return shown, usable, opened

    @contextmanager
    def _running(self, *arguments: str) -> Iterator[float]:
        """The program while it runs; yields when it was started."""
        begun = time.perf_counter()
        program = subprocess.Popen(
            [*self._command, *arguments], env=self._variables, stderr=subprocess.DEVNULL
        )
        try:
            yield begun
        finally:
            program.kill()
            program.wait()
            self._until(lambda: self._windows() == 0, begun)

    def _until(self, holds: Callable[[], bool], begun: float) -> float:
        while not holds():
            if time.perf_counter() - begun > PATIENCE_S:
                raise TimeoutError(" ".join(self._command))
            time.sleep(0.005)
        return time.perf_counter() - begun

    def _windows(self) -> int:
        return len(self._x("search", "--onlyvisible", "--class", "dpdesk").split())

    def _names_a_study(self) -> bool:
        """Whether a window's title says more than the program's name."""
        asked = ("search", "--onlyvisible", "--name", "^.+ \N{EN DASH} dpdesk$")
        return bool(self._x(*asked).strip())

    def _x(self, *words: str) -> str:
        asked = ["xdotool", *words]
        variables = {**os.environ, "DISPLAY": self._display}
        return subprocess.run(asked, env=variables, capture_output=True, text=True).stdout


def main(arguments: list[str]) -> int:
    """Print the table; 1 where the window is shown or usable later than it should be."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.start_on_screen")
    parser.add_argument("program", nargs="?", help="an installed program")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    wanted = parser.parse_args(arguments)
    commands = {"from the source": [sys.executable, "-m", "dpdesk"]}
    if wanted.program:
        commands["installed"] = [wanted.program]
    late = False
    with tempfile.TemporaryDirectory() as name, screen(1366, 768) as display:
        folder = Path(name)
        for path in SAMPLE.iterdir():
            if path.is_file():
                shutil.copy(path, folder)
        starts = {name: Start(command, display, folder) for name, command in commands.items()}
        # The first turn warms up.
        turns = [{name: start.seconds() for name, start in starts.items()} for _ in _rounds(wanted)]
        print(f"{'median seconds':18}" + "".join(f"{one:>22}" for one in MILESTONES))
        for name in starts:
            columns = zip(*(turn[name] for turn in turns[1:]), strict=True)
            took = [statistics.median(column) for column in columns]
            print(f"{name:18}" + "".join(f"{one:20.2f} s" for one in took))
            late |= took[0] > MOST_SHOWN_S or took[1] > MOST_USABLE_S
    return 1 if late else 0


def _rounds(wanted: argparse.Namespace) -> range:
    return range(wanted.rounds + 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
