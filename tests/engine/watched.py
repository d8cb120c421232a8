# SPDX-License-Identifier: Apache-2.0
"""The runner as a process that is watched: all that it says, leaves and shows of itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True)
class WatchedRun:
    """A run of ``dpdesk-engine``.

    Attributes:
        status: its exit status.
        said: all that it printed.
        processes: command lines and variables of every process while it ran.
        limits: the limits that it ran under, as the system lists them.
        left: what lies in its own folders and was not there before, by path.
    """

    status: int
    said: bytes
    processes: frozenset[bytes]
    limits: str
    left: Mapping[Path, bytes]


def watched(arguments: list[str], folder: Path, variables: Mapping[str, str]) -> WatchedRun:
    """Run ``dpdesk-engine``, with home, temporary and working folder in one of the test's own."""
    own = {name: str(folder / name) for name in ("HOME", "TMPDIR", "XDG_CACHE_HOME")}
    for one in own.values():
        Path(one).mkdir()
    before = set(_files(folder))
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **own, **variables}
    command = [sys.executable, "-m", "dpdesk.engine.cli", "run", *arguments]
    seen: set[bytes] = set()
    limits, said = "", folder / "TMPDIR" / "said"
    with said.open("wb") as stream, subprocess.Popen(
        command, cwd=folder, env=environment, stdout=stream, stderr=subprocess.STDOUT
    ) as process:  # fmt: skip
        while process.poll() is None:
            seen |= set(_processes())
            with suppress(OSError):
                limits = Path(f"/proc/{process.pid}/limits").read_text() or limits
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.1)
    left = {path: path.read_bytes() for path in set(_files(folder)) - before - {said}}
    return WatchedRun(process.returncode, said.read_bytes(), frozenset(seen), limits, left)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _processes() -> Iterator[bytes]:
    for folder in Path("/proc").glob("[0-9]*"):
        for name in ("cmdline", "environ"):
            with suppress(OSError):
                yield (folder / name).read_bytes()
