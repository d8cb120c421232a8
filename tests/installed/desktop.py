# SPDX-License-Identifier: Apache-2.0
"""A screen with a window manager, a session bus and an accessibility bus, on the clean system."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from clean_root import USER_ID, CleanRoot, copy

from tests.x11.buses import READER, SYSTEM_PYTHON, buses
from tests.x11.screen import Desk, View, screen, start_probe

SOCKETS = Path("/tmp/.X11-unix")  # noqa: S108 - where every X server has them
PATIENCE_S = 60.0


@dataclass(frozen=True)
class Desktop:
    """Where the installed program runs.

    Attributes:
        root: the system that it is installed in.
        variables: what a desktop's session tells its programs.
        desk: looks at the program's windows, presses and types.
        display: the screen's name.
        started: what was started and may still run.
    """

    root: CleanRoot
    variables: dict[str, str]
    desk: Desk
    display: str
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @contextmanager
    def on_another_screen(self, size: tuple[int, int], ratio: float) -> Iterator[Desktop]:
        """The same session on a screen of which the program takes several pixels for one."""
        with screen(*size) as display:
            desk = Desk(display, self.desk.process, self.desk.pictures, ratio)
            variables = {**self.variables, "DISPLAY": display, "QT_SCALE_FACTOR": str(ratio)}
            other = Desktop(self.root, variables, desk, display)
            try:
                yield other
            finally:
                other.end()

    def start(self, *words: str, **variables: str) -> None:
        """Start something as the session does; what it says is kept."""
        command = self.root.command(words, {**self.variables, **variables})
        with self._log.open("ab") as log:
            self.started.append(subprocess.Popen(command, cwd="/", stdout=log, stderr=log))

    @property
    def _log(self) -> Path:
        return self.root.shared[-1] / "session.log"

    def forget(self) -> None:
        """Begin a new log."""
        self._log.write_bytes(b"")

    def said(self) -> str:
        """What started programs said since then."""
        return self._log.read_text("utf-8", "replace")

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run something to its end as the session does."""
        return self.root.run(*words, **{**self.variables, **variables})

    def wait(self, fits: Callable[[View], object], what: str) -> View:
        """The first view that fits; a program takes a while to start."""
        return self.desk.wait(fits, what, PATIENCE_S)

    def windows(self) -> set[int]:
        """The processes that show a window."""
        view = self.desk.look()
        return {int(process) for _title, process in view.windows}

    def close(self) -> None:
        """Close every window as its user does, and wait until the program has ended."""
        for number in self._numbers():
            subprocess.run(
                ["xdotool", "windowactivate", "--sync", number, "key", "ctrl+q"],
                env={**os.environ, "DISPLAY": self.display},
                check=False,
                capture_output=True,
            )
        ends = time.monotonic() + PATIENCE_S / 2
        while self.root.processes() and time.monotonic() < ends:
            time.sleep(0.05)
        self.end()

    def _numbers(self) -> list[str]:
        asked = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--class", "dpdesk"],
            env={**os.environ, "DISPLAY": self.display},
            check=False,
            capture_output=True,
            text=True,
        )
        return asked.stdout.split()

    def end(self) -> None:
        """End what is left inside."""
        for process in self.root.processes():
            os.kill(process, signal.SIGKILL)
        for each in self.started:
            each.wait(PATIENCE_S)
        self.started.clear()


@contextmanager
def desktop(
    base: CleanRoot, folder: Path, pictures: Path, size: tuple[int, int]
) -> Iterator[Desktop]:
    """A copy of the system and a screen for it, for as long as they are used.

    Args:
        pictures: where pictures of the screen go.
        size: of the screen, in pixels.
    """
    runtime = Path(tempfile.mkdtemp(prefix="dpdesk-session-"))
    os.chown(runtime, USER_ID, USER_ID)
    pictures.mkdir(parents=True, exist_ok=True)
    root = copy(base, folder, (SOCKETS, runtime))
    with screen(*size) as display, buses(runtime, USER_ID) as variables:
        variables |= {"DISPLAY": display, "LANG": "C.UTF-8"}
        shutil.copyfile(READER, runtime / READER.name)
        command = [SYSTEM_PYTHON, str(runtime / READER.name)]
        reader = start_probe(command, {**variables, "HOME": str(runtime)}, USER_ID)
        made = Desktop(root, variables, Desk(display, reader, pictures), display)
        try:
            yield made
        finally:
            made.end()
            made.desk.close()
    shutil.rmtree(runtime)
    shutil.rmtree(root.folder)
