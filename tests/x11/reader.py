# SPDX-License-Identifier: Apache-2.0
"""A third way to use the desk: through the accessibility bus, as screen readers and voices do.

Controls are found, pressed and written into over the bus. Lists that open under a button, and the
file dialog's field, are used with keys, as everybody does who hears them read out: the bus can
choose a line but has no word for taking it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.x11.buses import READER, SYSTEM_PYTHON, buses
from tests.x11.hands import MOST_TABS, PAUSE_S, Hands, holds
from tests.x11.screen import PATIENCE_S, ROOT, Control, Desk, environment_of, start_probe
from tests.x11.spoken import Name, Spoken

TRIES = 5
LEADS_TO = {f"Continue to {page}": page for page in ("People", "Columns", "Queries")}


class Reader(Hands):
    """Does what controls offer over the bus."""

    def press(self, name: Name, role: str = "") -> None:
        """Let it do what it is there for; of a page that it leads to, wait to hear the name.

        What a page that is left within half a second would say is not said any more.
        """
        for _ in range(TRIES):
            control = self.there(name, role)
            if self._does("press", control, name=control.name):
                break
        else:
            raise AssertionError(f"{control.role} {control.name!r} is not pressed")
        self.desk.effort.clicks += 1
        if (page := LEADS_TO.get(name)) is not None:
            self.desk.wait(lambda _view: not self.unheard([page]), f"{page} to be announced")

    def _do(self, what: str, control: Control, **more: str) -> None:
        done = self._does(what, control, **more)
        assert done, f"{control.role} {control.name!r} does not {what}"

    def _does(self, what: str, control: Control, **more: str) -> bool:
        return bool(self.desk.ask(json.dumps({"do": what, "place": control.place, **more})))

    def write(self, name: str, text: str) -> None:
        """Replace what stands in a field, and leave it."""
        field = self.there(name, "EditableText")
        self._do("focus", field)
        self._do("write", field, text=text)
        self.desk.wait(lambda view: holds(view, text), f"{text!r} in {name!r}")
        self.desk.effort.letters += len(text)

    def take(self, name: str) -> None:
        """Go down to the line and take it."""
        self.there(name, "ListItem")
        wanted = self.spoken.of(name)
        for _ in range(MOST_TABS):
            if any(c.selected for c in self.desk.look().all(wanted, "ListItem")):
                self.desk.key("Return")
                return
            self.desk.key("Down")
            time.sleep(PAUSE_S)
        raise AssertionError(f"Down does not come to {name!r}")

    def go_to_field(self, name: str) -> None:
        """Give it the keyboard."""
        self._do("focus", self.there(name, "EditableText"))

    def spend(self, name: str) -> None:
        """As any other."""
        self.press(name)

    def verify(self, bundle: Path) -> None:
        """By the rail, the page's own button, and the file's name.

        Whoever hears the program goes on once it has said that the bundle is there: of a page that
        is left within half a second nothing is said any more.
        """
        announced = ["Exported and signed."]
        self.desk.wait(lambda _view: not self.unheard(announced), "the export to be announced")
        self.press("Verify")
        self.press("Open a bundle…")
        self.choose_file("Verify a bundle", bundle)

    def end_file_dialog(self, title: str) -> None:
        """Return agrees."""
        self.desk.key("Return")

    def heard_out(self, beginnings: Sequence[str]) -> list[str]:
        """Those that were not announced, once the last of them was, or nothing more comes."""
        ends = time.monotonic() + PATIENCE_S
        while self.unheard(beginnings[-1:]) and time.monotonic() < ends:
            time.sleep(PAUSE_S)
        return self.unheard(beginnings)

    def unheard(self, beginnings: Sequence[str]) -> list[str]:
        """Sentences of which no announcement so far was the beginning."""
        self.desk.look()
        heard = self.desk.ask("heard")
        patterns = {text: self.spoken.beginning(text) for text in beginnings}
        return [text for text, of in patterns.items() if not any(map(of.fullmatch, heard))]


class ReadDesk(Desk):
    """The program as it is started from its source, and seen over the bus alone.

    Args:
        program: its process.
        display: the screen.
        probe: the one that asks the bus.
        pictures: where pictures of the screen go.
    """

    def __init__(
        self,
        program: subprocess.Popen[bytes],
        display: str,
        probe: subprocess.Popen[str],
        pictures: Path | None,
    ) -> None:
        super().__init__(display, probe, pictures)
        self.program = program

    def close(self) -> None:
        """End the program with its shortcut, then the reader."""
        self.key("ctrl+q")
        try:
            self.program.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.program.kill()
            self.program.wait()
        super().close()


@contextmanager
def read_desk(
    display: str, home: Path, runtime: Path, pictures: Path | None, spoken: Spoken
) -> Iterator[ReadDesk]:
    """The program on a screen, with a session's buses and a reader on them.

    Args:
        display: the screen.
        home: folder for ledger, keys, settings and as home.
        runtime: folder of the session; its path is short, as that of a socket must be.
        pictures: where pictures of the screen go; none where absent.
        spoken: what the system's language is.
    """
    with buses(runtime) as variables:
        environment = {**environment_of(display, home, spoken), **variables}
        command = [sys.executable, "-m", "dpdesk"]
        program = subprocess.Popen(command, cwd=ROOT, env=environment)
        reader = start_probe([SYSTEM_PYTHON, str(READER)], {**os.environ, **variables})
        desk = ReadDesk(program, display, reader, pictures)
        try:
            yield desk
        finally:
            desk.close()
