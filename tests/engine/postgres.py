# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of the tests' own, from Debian's package, or another one.

``DPDESK_POSTGRES`` names the folder of another's programs, such as that of the wheel ``pgserver``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_PORT = "5432"


def _programs() -> Path | None:
    """The folder of the newest server's programs, which are not on the path."""
    if named := os.environ.get("DPDESK_POSTGRES"):
        return Path(named)
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def _as_server(*command: str) -> list[str]:
    """A command as a user that a server may run as: it refuses the system's own."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else list(command)


@contextmanager
def postgres_server(**settings: str) -> Iterator[dict[str, str]]:
    """A server on a socket in a folder of its own, and the variables by which it is found.

    The folder holds its ``data`` and its ``log``.

    Args:
        settings: of the server, by name.
    """
    programs = _programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed")
    # Not where the tests' own temporary files are: the server's user may not enter there.
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        data = str(folder / "data")
        options = f"-p {_PORT} -k {folder} -c listen_addresses= -c fsync=off"
        options += "".join(f" -c {name}={value}" for name, value in settings.items())
        made = [str(programs / "initdb"), "-D", data, "-A", "trust", "-U", "dpdesk", "--no-sync"]
        started = [str(programs / "pg_ctl"), "-D", data, "-o", options, "-w", "start"]
        log = ["-l", str(folder / "log")]
        for command in (made, [*started[:-1], *log, "start"]):
            subprocess.run(_as_server(*command), check=True, capture_output=True, cwd=folder)
        try:
            yield {
                "PGHOST": str(folder),
                "PGPORT": _PORT,
                "PGUSER": "dpdesk",
                "PGDATABASE": "postgres",
            }
        finally:
            stopped = [str(programs / "pg_ctl"), "-D", data, "-m", "immediate", "stop"]
            subprocess.run(_as_server(*stopped), check=False, capture_output=True, cwd=folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
