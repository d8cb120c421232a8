# SPDX-License-Identifier: Apache-2.0
"""The log: what was done and what was refused, in words that stand in the code.

No line holds a cell, a path, a figure, a name or a title, because nothing can be noted that has
room for one: an event is one of a list, a refusal is its code. A line has a minute and no second,
as how long something took may depend on the data. Nothing is sent to Python's own ``logging``,
where other people's libraries write what they like.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import Enum
from itertools import pairwise
from pathlib import Path

from dpdesk import __version__
from dpdesk.release.places.home import Home
from dpdesk.study.problem import Problem
from dpdesk.study.regular_file import append_regular, open_regular

MOST_BYTES = 200_000
"""A log of this size is kept as the one before, and a new one is begun."""
OLDER = 3
ABOUT_THE_FILE = ("data-", "people-", "seems-", "extract-")
"""How codes begin that may depend on rows: whose people they are, how many, what they look like."""
_CODE = re.compile(r"[a-z0-9+-]{1,60}", re.ASCII)


class Event(Enum):
    """What may be noted."""

    DESK_STARTED = "the window is made"
    DESK_SHOWN = "the window is shown"
    DESK_ENDED = "the window was closed"
    STUDY_OPENED = "a study was opened, or closed"
    FILE_TAKEN = "opened what a later start asked for"
    FILE_DECLINED = "left what a later start asked for to a second window"


def path_of(home: Home) -> Path:
    """The newest log; older ones end in ``.1`` to ``.3``."""
    return home.logs / "dpdesk.log"


def note(home: Home, event: Event) -> None:
    """Write down that something happened."""
    write(path_of(home), event.value)


def note_command(home: Home, name: str, status: int) -> None:
    """Write down that a command of the shell ended; its name is one of a list."""
    write(path_of(home), f"command {name} ended with {status}")


def note_refused(home: Home, problems: Iterable[Problem]) -> None:
    """Write down what was refused: the codes, without place and parameters.

    Of the data file not even the code: a log is sent to others, and a code is an answer, too.
    """
    codes = [_shown(p.code) for p in problems]
    if codes:
        write(path_of(home), "refused: " + " ".join(codes))


def _shown(code: str) -> str:
    if code.startswith(ABOUT_THE_FILE):
        return "about-the-data-file"
    return code if _CODE.fullmatch(code) else "unknown"


def write(path: Path, text: str) -> None:
    """Append a text with its minute and dpdesk's version; a log never grows beyond its size."""
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ")
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > MOST_BYTES:
            _rotate(path)
        with append_regular(path) as stream:
            stream.write(f"{stamp} dpdesk {__version__} {text}\n".encode())


def _rotate(path: Path) -> None:
    kept = [path, *(path.with_name(f"{path.name}.{n}") for n in range(1, OLDER + 1))]
    for newer, older in reversed(list(pairwise(kept))):
        with contextlib.suppress(FileNotFoundError):
            os.replace(newer, older)


def tail(path: Path, most_lines: int) -> list[str]:
    """The last lines of a log; none where there is no log."""
    with contextlib.suppress(OSError):
        with open_regular(path) as stream:
            text = stream.read().decode("utf-8", "replace")
        return text.splitlines()[-most_lines:]
    return []
