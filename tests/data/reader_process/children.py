# SPDX-License-Identifier: Apache-2.0
"""Reading processes as tests see and fake them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpdesk.data.reader_process import child, file_worker


def is_there(pid: int) -> bool:
    """Whether there is such a process, be it a dead one that nobody buried."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def kept_pid() -> int | None:
    """The process that is kept for the file it belongs to."""
    return None if file_worker._assigned is None else file_worker._assigned[1].pid


Started = list[child.Child]


def watch_starts(monkeypatch: pytest.MonkeyPatch, is_frozen: bool = False) -> Started:
    """All children that are started from now on; none is there from before or ahead.

    Those that are frozen stand still, as in a library that nobody can interrupt.
    """
    file_worker.end_all()
    monkeypatch.setattr(file_worker, "start_ahead", lambda: None)
    started: Started = []

    class Watched(child.Child):
        def __init__(self) -> None:
            super().__init__()
            started.append(self)
            if is_frozen:
                os.kill(self.pid, signal.SIGSTOP)

    monkeypatch.setattr(file_worker, "Child", Watched)
    return started


def speak(monkeypatch: pytest.MonkeyPatch, code: str) -> Started:
    """Instead of our own reading process, one that runs this code."""
    monkeypatch.setattr(child, "command", lambda: [sys.executable, "-c", code])
    return watch_starts(monkeypatch)


def answering(content: bytes, then: str = "") -> str:
    """The code of a process that answers whatever it is asked with these bytes."""
    return f"import os, time\nos.read(0, 9)\nos.write(1, {content!r})\n{then}\n"


def write_large_workbook(path: Path, rows: int) -> None:
    """A workbook of one sheet ``Stays``, quickly."""
    from zipfile import ZIP_STORED, ZipFile

    from tests.data.workbooks import write_workbook

    write_workbook(path, {"Stays": [["id", "ward", "los"]]})
    with ZipFile(path) as small:
        parts = {name: small.read(name) for name in small.namelist()}
    (sheet,) = (name for name in parts if name.startswith("xl/worksheets/sheet"))
    head, tail = parts[sheet].split(b"</sheetData>")
    with ZipFile(path, "w", ZIP_STORED) as large:
        for name in parts.keys() - {sheet}:
            large.writestr(name, parts[name])
        with large.open(sheet, "w") as body:
            body.write(head)
            for piece in _rows(rows):
                body.write(piece)
            body.write(b"</sheetData>" + tail)


def _rows(rows: int) -> Iterator[bytes]:
    for first in range(2, rows + 2, 10_000):
        yield "".join(
            f'<row r="{r}"><c r="A{r}"><v>{r}</v></c><c r="B{r}"><v>{r % 9}</v></c>'
            f'<c r="C{r}"><v>{r % 70}</v></c></row>'
            for r in range(first, min(first + 10_000, rows + 2))
        ).encode()
