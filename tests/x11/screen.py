# SPDX-License-Identifier: Apache-2.0
"""A virtual screen with a window manager, the desk on it, and what a hand can do there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.x11.effort import Effort
from tests.x11.spoken import Name, Spoken, is_called

ROOT = Path(__file__).parents[2]
SPOKEN = Spoken()
TEXTS = ("StaticText", "Heading")
"""What can be read and not pressed."""
PATIENCE_S = 120.0
SETTLES_WITHIN = 20
HELD_MS = 120
"""So long a hand holds a letter together with Alt."""


@dataclass(frozen=True)
class Rect:
    """A rectangle on the screen, in its own pixels."""

    left: int
    top: int
    width: int
    height: int

    @property
    def middle(self) -> tuple[int, int]:
        """Where a hand would press it."""
        return self.left + self.width // 2, self.top + self.height // 2

    def holds(self, other: Rect) -> bool:
        """Whether another lies within this one."""
        return (
            self.left <= other.left
            and self.top <= other.top
            and other.left + other.width <= self.left + self.width
            and other.top + other.height <= self.top + self.height
        )


@dataclass(frozen=True)
class Control:
    """What a screen reader learns of a control."""

    name: str
    role: str
    value: str
    rect: Rect
    seen: Rect
    enabled: bool
    checked: bool
    focused: bool
    focusable: bool
    selected: bool
    tab: bool
    window: str
    place: tuple[str, str] = ("", "")
    """Where it is on the accessibility bus, if that is what was asked."""


@dataclass(frozen=True)
class View:
    """All that is on show.

    Attributes:
        windows: title and process of each window, where the probe says them.
    """

    controls: tuple[Control, ...]
    modal: str
    active: str
    focus: str
    windows: tuple[tuple[str, int], ...] = ()

    def all(self, name: Name, role: str = "") -> list[Control]:
        """Controls of a name, in the order in which they are read out."""
        fits = [c for c in self.controls if is_called(name, c.name) and role in ("", c.role)]
        return [c for c in fits if c.seen.width > 0 and c.seen.height > 0]


TRIES = 3
"""Two servers that begin at once may both take one display, and one of them loses it."""


@contextmanager
def screen(width: int, height: int, manager: str = "openbox") -> Iterator[str]:
    """A screen of that size with a window manager; yields the display's name."""
    for tries_left in reversed(range(TRIES)):
        server, display = _server(width, height)
        hands = subprocess.Popen(
            [manager], env={**os.environ, "DISPLAY": display}, stderr=subprocess.DEVNULL
        )
        try:
            if not _has_manager(display, hands) and tries_left:
                continue
            assert _has_manager(display, hands), "no window manager"
            yield display
            return
        finally:
            for program in (hands, server):
                program.terminate()
                program.wait()


def _server(width: int, height: int) -> tuple[subprocess.Popen[bytes], str]:
    """A display's server and its name."""
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            "Xvfb",
            "-displayfd",
            str(write),
            "-screen",
            "0",
            f"{width}x{height}x24",
            "-nolisten",
            "tcp",
        ],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as pipe:
        return server, f":{pipe.readline().strip()}"


def _has_manager(display: str, hands: subprocess.Popen[bytes]) -> bool:
    """Whether the window manager names itself on the root window before it ends."""
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends and hands.poll() is None:
        asked = subprocess.run(
            ["xdotool", "get_num_desktops"],
            env={**os.environ, "DISPLAY": display},
            capture_output=True,
            check=False,
        )
        if asked.returncode == 0 and asked.stdout.strip().isdigit():
            return True
        time.sleep(0.05)
    return False


def start_probe(
    command: list[str], environment: dict[str, str], user: int | None = None
) -> subprocess.Popen[str]:
    """A process that is asked on its standard input and answers on its standard output."""
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        user=user,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def environment_of(display: str, home: Path, spoken: Spoken) -> dict[str, str]:
    """What a program is started with, on a system of one language."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("LC_")},
        "DISPLAY": display,
        "DPDESK_HOME": str(home),
        "QT_QPA_PLATFORM": "xcb",
        "HOME": str(home),
        "LANG": spoken.locale,
    }


class Desk:
    """The program on a screen; looks at it, presses and types.

    Args:
        display: the screen.
        probe: answers each line ``look`` with a line of JSON, as ``tests.x11.program`` does.
        pictures: where pictures of the screen go; none where absent.
        ratio: how many of the screen's pixels the probe counts as one.
    """

    def __init__(
        self,
        display: str,
        probe: subprocess.Popen[str],
        pictures: Path | None = None,
        ratio: float = 1.0,
    ) -> None:
        self._display = display
        self.pictures = pictures
        self._ratio = ratio
        self.process = probe
        self.effort = Effort()

    @classmethod
    def start(
        cls,
        display: str,
        home: Path,
        pictures: Path | None = None,
        scale: str = "",
        spoken: Spoken = SPOKEN,
    ) -> Desk:
        """The program from its source, with a folder for ledger, keys, settings and as home."""
        environment = environment_of(display, home, spoken)
        if scale:
            environment["QT_SCALE_FACTOR"] = scale
        command = [sys.executable, "-m", "tests.x11.program"]
        return cls(display, start_probe(command, environment), pictures, float(scale or 1))

    # Looking

    def look(self) -> View:
        """What is on show now."""
        look = self.ask("look")
        controls = tuple(self._control(item) for item in look["controls"])
        windows = tuple((title, process) for title, process in look.get("windows", ()))
        return View(controls, look["modal"], look["active"], look["focus"], windows)

    def ask(self, question: str) -> Any:
        """What the probe answers to a line."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{question}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"the program has ended: {self.process.wait()}"
        return json.loads(line)

    def _control(self, item: dict[str, Any]) -> Control:
        return Control(
            **{
                **item,
                "rect": self._rect(item["rect"]),
                "seen": self._rect(item["seen"]),
                "place": tuple(item.get("place", ("", ""))),
            }
        )

    def _rect(self, sides: list[int]) -> Rect:
        return Rect(*(round(side * self._ratio) for side in sides))

    def wait(
        self, fits: Callable[[View], object], what: str = "", within: float = PATIENCE_S
    ) -> View:
        """The first view that fits."""
        ends = time.monotonic() + within
        while True:
            view = self.look()
            if fits(view):
                return view
            if time.monotonic() > ends:
                self.picture("failed")
                shown = sorted({c.name for c in view.controls if c.name})
                raise AssertionError(
                    f"not on show: {what}; the keyboard is in {view.focus!r}; there is: {shown}"
                )
            time.sleep(0.1)  # a look goes through all that is on show

    def settled(self) -> View:
        """What is on show once two looks in turn see the same."""
        before = self.look()
        for _ in range(SETTLES_WITHIN):
            time.sleep(0.1)
            now = self.look()
            if now == before:
                return now
            before = now
        return before

    # Doing

    def x(self, *arguments: str | int) -> str:
        """One command of xdotool."""
        done = subprocess.run(
            ["xdotool", *map(str, arguments)],
            env={**os.environ, "DISPLAY": self._display},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def there(self, name: Name, role: str = "") -> Control:
        """A control by its accessible name that can be used, on show or scrolled away."""

        def fits(view: View) -> list[Control]:
            named = [c for c in view.controls if is_called(name, c.name) and role in ("", c.role)]
            usable = [c for c in named if c.enabled and c.role not in TEXTS]
            inside = [c for c in usable if not view.modal or c.window == view.modal]
            return inside or (usable if not view.modal else [])

        return fits(self.wait(fits, f"{role} {name!r}"))[0]

    def page_room(self) -> Rect:
        """The window in front; while it comes on show, there is none."""
        view = self.wait(lambda view: view.active, "a window in front")
        return next(c.rect for c in view.controls if c.window == view.active)

    def press_at(self, left: int, top: int) -> None:
        """Press the mouse's first button."""
        self.x("mousemove", left, top, "click", 1)
        self.effort.clicks += 1

    def wheel(self, left: int, top: int, button: int) -> None:
        """Turn the wheel by one notch."""
        self.x("mousemove", left, top, "click", button)
        self.effort.notches += 1

    def key(self, *keys: str) -> None:
        """Press keys, one after the other."""
        # A menu that is opened by Alt and a letter closes where both are let go at once.
        is_held = any(key.startswith("alt+") for key in keys)
        self.x("key", "--clearmodifiers", "--delay", HELD_MS if is_held else 12, *keys)
        self.effort.keys += len(keys)

    def type(self, text: str) -> None:
        """Type a text where the keyboard is."""
        self.x("type", "--delay", 12, text)
        self.effort.letters += len(text)

    def picture(self, name: str) -> None:
        """What the X server shows, as it shows it."""
        if self.pictures is None:
            return
        target = self.pictures / f"{name}.png"
        subprocess.run(["import", "-display", self._display, "-window", "root", target], check=True)

    def close(self) -> None:
        """End the program by its closing its window, as a user does."""
        if self.process.poll() is None:
            assert self.process.stdin is not None
            self.process.stdin.close()
            self.process.wait(PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()
