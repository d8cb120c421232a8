# SPDX-License-Identifier: Apache-2.0
"""The bus of a session, and the one of screen readers on it."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
SYSTEM_PYTHON = "/usr/bin/python3"
READER = Path(__file__).with_name("screen_reader.py")
BINDINGS = Path("/usr/lib/python3/dist-packages/gi/__init__.py")
PATIENCE_S = 60.0


def are_there() -> bool:
    """Whether this system has what a screen reader needs."""
    return BINDINGS.exists() and any(Path(path).exists() for path in LAUNCHERS)


@contextmanager
def buses(runtime: Path, user: int | None = None) -> Iterator[dict[str, str]]:
    """The session's bus and the one of screen readers; yields what leads to them.

    Args:
        runtime: the session's folder.
        user: who has the session; whoever runs this where absent.
    """
    address = f"unix:path={runtime}/bus"
    variables = {"XDG_RUNTIME_DIR": str(runtime), "DBUS_SESSION_BUS_ADDRESS": address}
    bus = ["dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}"]
    launcher = next(path for path in LAUNCHERS if Path(path).exists())
    started = [_start(bus, variables, user)]
    _wait_for(runtime / "bus")
    command = [launcher, "--launch-immediately", "--a11y=1"]
    started.append(_start(command, variables, user))
    try:
        yield dict(variables)
    finally:
        for each in reversed(started):
            each.terminate()
            each.wait()


def _start(
    command: list[str], variables: dict[str, str], user: int | None
) -> subprocess.Popen[bytes]:
    quiet = subprocess.DEVNULL
    environment = {"PATH": os.environ["PATH"], **variables}
    return subprocess.Popen(
        command, env=environment, user=user, group=user, stdout=quiet, stderr=quiet
    )


def _wait_for(path: Path) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not path.exists():
        assert time.monotonic() < ends, f"{path} does not appear"
        time.sleep(0.02)
