# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.x11.canary_day``: a working day on a file of canaries, then a search for them.

A person opens the file in the window, looks at its rows, copies, declares, releases, exports and
verifies; the program crashes, aborts and is killed, with cores allowed. Then home, temporary
folders, shared memory, cores, settings, logs, lists of recent files and the clipboard are searched
for what stood in the cells, the ids, the headers, and the names of file and folder.

Prints what was searched, and every canary that was found; 1 where there is one. A study may name
its file and folder: that is what it is for.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.x11.canaries import Canary, Search, Sighting
from tests.x11.first_hour import Declared, from_nothing_to_a_verified_bundle
from tests.x11.hands import Mouse
from tests.x11.screen import ROOT, Desk, screen

KINDS = ("id", "cell", "header", "file", "folder")
ROWS = 4_000
WITH_CORES = ["sh", "-c", 'ulimit -c unlimited; exec "$@"', "sh"]
SHARED = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"))  # noqa: S108
ENDS = (signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL)
CLIPBOARD = """
from PySide6.QtGui import QGuiApplication, QClipboard
app = QGuiApplication([])
board = QGuiApplication.clipboard()
for mode in (QClipboard.Mode.Clipboard, QClipboard.Mode.Selection):
    said = board.mimeData(mode)
    for form in (said.formats() if said else ()):
        print(form, bytes(said.data(form)).decode("utf-8", "replace"))
"""
CRASH_A_CHILD = "import ctypes; ctypes.string_at(0)"


@dataclass
class Day:
    """A person's folders on a machine, and what they do there.

    Attributes:
        folder: everything of this day lies in it.
        display: the screen.
        said: what the program printed as errors, and what lay on the clipboard.
    """

    folder: Path
    display: str
    said: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.since = time.time() - 1
        self.canaries = tuple(map(Canary.of, KINDS))
        self.words = {canary.kind: canary.word for canary in self.canaries}
        self.home = self._made("home")
        self.temporary, self.working = self._made("tmp"), self._made("working")
        self._made("run").chmod(0o700)
        self.bundle = self.home / "Documents" / "figures.zip"
        self.bundle.parent.mkdir()
        self.source = self.folder / "hospital"
        self.data = self.source / self.words["folder"] / f"{self.words['file']}.csv"
        self.data.parent.mkdir(parents=True)
        self.data.write_text("".join(self._rows()), encoding="utf-8")

    def _made(self, name: str) -> Path:
        made = self.folder / name
        made.mkdir()
        return made

    def _rows(self) -> Iterator[str]:
        word = self.words
        yield f"patient_id,sex,note,length_of_stay,{word['header']}\n"
        for number in range(ROWS):
            sex = ("female", "male", word["cell"])[number % 3]
            cell = f"{word['cell']} {number}"
            yield f"{word['id']}{number:05},{sex},{cell},{number % 40},{cell}\n"

    @property
    def declared(self) -> Declared:
        """What the person knows of the file."""
        category = ("sex", "sex", "female\nmale")
        number = ("length_of_stay", "length_of_stay", "1", "30")
        return Declared(self.data, category, number, "length_of_stay")

    @property
    def variables(self) -> dict[str, str]:
        """The environment of a person who has only this home."""
        kept = ("PATH", "LD_LIBRARY_PATH", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")
        found = {name: os.environ[name] for name in kept if name in os.environ}
        return found | {
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "DISPLAY": self.display,
            "QT_QPA_PLATFORM": "xcb",
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
        }

    # The window

    @contextlib.contextmanager
    def desk(self, name: str, *files: Path) -> Iterator[Desk]:
        """The program as it is started, with cores allowed; ended, if it is there at the end."""
        command = [*WITH_CORES, sys.executable, "-m", "tests.x11.as_started", *map(str, files)]
        with (self.folder / f"{name}.said").open("wb") as errors:
            program = subprocess.Popen(
                command,
                cwd=self.working,
                env=self.variables,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
        desk = Desk(self.display, program)
        try:
            yield desk
        finally:
            desk.close()
            if program.stdin is not None and not program.stdin.closed:
                with contextlib.suppress(BrokenPipeError):
                    program.stdin.close()
            self.said[f"what {name} printed"] = (self.folder / f"{name}.said").read_bytes()

    def crash(self, desk: Desk, how: signal.Signals) -> None:
        """End the program as a fault in a library would, or the system."""
        desk.process.send_signal(how)
        assert desk.process.wait(60) == -how, f"{how.name} did not end it"

    def look_and_copy(self, desk: Desk) -> None:
        """Show the file's rows, and copy all that can be copied there."""
        Mouse(desk).press("Show rows")
        desk.wait(lambda view: self.words["id"] in str(view.controls), "the rows")
        for shown in desk.look().controls:
            if self.words["cell"] in shown.name and shown.seen.width > 0:
                desk.press_at(*shown.seen.middle)
                break
        desk.key("ctrl+a", "ctrl+c")
        time.sleep(0.3)
        self.said["the clipboard"] = self.clipboard()

    def clipboard(self) -> bytes:
        """What another program could paste now."""
        asked = subprocess.run(
            [sys.executable, "-c", CLIPBOARD], env=self.variables, capture_output=True, check=True
        )
        return asked.stdout

    def release_and_export(self) -> None:
        """From nothing to a verified bundle, and then a crash."""

        def look(page: str) -> None:
            desk.settled()
            if page == "2-data":
                self.look_and_copy(desk)

        with self.desk("the first hour") as desk:
            from_nothing_to_a_verified_bundle(Mouse(desk), self.declared, self.bundle, look)
            self.crash(desk, signal.SIGSEGV)

    def open_and_die(self, how: signal.Signals) -> None:
        """Open the file anew, look at it, and end so."""
        with self.desk(f"the program before {how.name}", self.data) as desk:
            desk.wait(lambda view: view.all("Show rows"), "the file")
            desk.settled()
            self.look_and_copy(desk)
            self.crash(desk, how)

    # The shell

    def check_and_release(self) -> None:
        """The same study in the shell, into another bundle; then its account and history."""
        studies = sorted(self.folder.rglob("*.dpdesk"))
        assert studies, "the window has kept no study"
        for number, arguments in enumerate(
            (
                ["check", str(studies[0])],
                ["plan", str(studies[0])],
                ["release", str(studies[0]), "--out", str(self.bundle.with_name("again.zip"))],
                ["verify", str(self.bundle)],
                ["account", "show", "registry"],
                ["ledger", "check"],
            )
        ):
            ended = subprocess.run(
                [*WITH_CORES, sys.executable, "-m", "dpdesk", *arguments],
                cwd=self.working,
                env=self.variables | {"DPDESK_PASSPHRASE": "made-up passphrase"},
                capture_output=True,
            )
            self.said[f"the shell's answer {number}, {arguments[0]}"] = ended.stdout + ended.stderr

    # The search

    def keeps_cores(self) -> bool:
        """Whether a crash of some other program leaves a core here: or else none was to be seen."""
        apart = self.folder / "another-program"
        apart.mkdir()
        subprocess.run([*WITH_CORES, sys.executable, "-c", CRASH_A_CHILD], cwd=apart)
        return any(apart.iterdir())

    def sightings(self) -> tuple[list[Sighting], int]:
        """Every canary that is anywhere but in the source, and how many files were searched."""
        search = Search(self.canaries)
        own = [self.folder, *(place for place in SHARED if place not in self.folder.parents)]
        found = search.in_folders(own, self.since, beside=(self.source,))
        for place, raw in self.said.items():
            found += search.in_bytes(place, raw)
        return [sighting for sighting in found if not self._may_be(sighting)], search.files

    def _may_be(self, sighting: Sighting) -> bool:
        """A study says where its file lies and is called after it; recent studies are listed.

        That much is what the person wrote down; of header, ids and cells it is true nowhere.
        """
        if sighting.kind not in ("file", "folder") or sighting.form != "raw":
            return False
        own = self.home / ".local" / "share" / "dpdesk"
        is_study = Path(sighting.place).suffix == ".dpdesk"
        return is_study or (sighting.kind, sighting.place) == ("file", str(own / "settings.ini"))


def live(day: Day) -> None:
    """All of it."""
    day.release_and_export()
    day.check_and_release()
    for how in ENDS:
        day.open_and_die(how)
    day.said["the clipboard of the dead"] = day.clipboard()
    with day.desk("the program after the crashes") as desk:
        desk.wait(lambda view: view.active, "a window")


def main() -> int:
    """Live a day and print what is left of it."""
    missing = [tool for tool in ("Xvfb", "openbox", "xdotool") if shutil.which(tool) is None]
    if missing:
        print(f"This needs {', '.join(missing)}.")
        return 2
    with tempfile.TemporaryDirectory() as name, screen(1366, 768) as display:
        day = Day(Path(name), display)
        live(day)
        found, files = day.sightings()
        cores = "kept here" if day.keeps_cores() else "not kept on this machine by any program"
        print(f"{files} files and {len(day.said)} outputs searched for {len(KINDS)} canaries")
        print(f"cores: {cores}")
        for sighting in found:
            print(f"{sighting.kind} ({sighting.form}): {sighting.place}")
        print("found:", len(found) or "nothing")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
