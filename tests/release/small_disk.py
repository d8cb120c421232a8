# SPDX-License-Identifier: Apache-2.0
"""A program that runs commands on a disk with little room; run by the tests of full disks.

Each line of its input asks for one run: how many blocks of 4 KiB are free, and the commands, the
first of which meets the full disk. Each run has a disk of its own: a ``tmpfs`` in a mount
namespace of a forked copy, which ends with it.
"""

import contextlib
import ctypes
import io
import json
import os
import shutil
import sys
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

BLOCK = 4096
DISK_BLOCKS = 2_000
LOADED = ("pandas", "dpdesk.shell.release", "dpdesk.shell.account", "dpdesk.shell.ledger.backup")
_NEW_USER, _NEW_MOUNTS = 0x10000000, 0x00020000


def mount(folder: Path) -> None:
    """Put an empty disk on a folder, for this process alone.

    Raises:
        OSError: the system does not let this user do so.
    """
    libc, user, group = ctypes.CDLL(None, use_errno=True), os.getuid(), os.getgid()
    _check(libc.unshare(_NEW_USER | _NEW_MOUNTS))
    Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
    Path("/proc/self/uid_map").write_text(f"0 {user} 1", encoding="ascii")
    Path("/proc/self/gid_map").write_text(f"0 {group} 1", encoding="ascii")
    options = f"size={DISK_BLOCKS * BLOCK}".encode("ascii")
    _check(libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, options))


def _check(result: int) -> None:
    if result:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def fill(folder: Path, free: int) -> Path:
    """Leave so many blocks free; gives the file that takes the room."""
    ballast = folder / "ballast"
    with ballast.open("wb") as stream:
        left = os.statvfs(folder)
        size = (left.f_bavail - free) * left.f_frsize
        os.posix_fallocate(stream.fileno(), 0, max(size, 1))
    return ballast


def command(arguments: list[str]) -> dict[str, Any]:
    """Run a command; what it printed and how it ended."""
    from dpdesk import cli

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = cli.main(arguments)
        except SystemExit as left:
            status = int(left.code or 0)
    return {"status": status, "out": out.getvalue(), "err": err.getvalue()}


def run(
    template: str, disk: str, home: str, free: int, commands: list[list[str]]
) -> list[dict[str, Any]]:
    """Copy a folder to a new disk, fill it, run the first command; then the others with room."""
    mount(Path(disk))
    os.environ["DPDESK_HOME"] = home
    os.environ["DPDESK_PASSPHRASE_FILE"] = f"{disk}/passphrase"
    for path in Path(template).iterdir():
        copy = shutil.copytree if path.is_dir() else shutil.copy
        copy(path, Path(disk) / path.name)
    ballast = fill(Path(disk), free)
    found = [command(commands[0])]
    ballast.unlink()
    found += [command(arguments) for arguments in commands[1:]]
    files = [str(path.relative_to(disk)) for path in Path(disk).rglob("*") if path.is_file()]
    return [*found, {"files": sorted(files)}]


def answer(line: str) -> str:
    """Do what a line asks in a forked copy; what came of it, as JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            found: Any = run(*json.loads(line))
        except BaseException:
            found = {"failed": traceback.format_exc()}
        with os.fdopen(writing, "w", encoding="utf-8") as stream:
            json.dump(found, stream)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        found = stream.read()
    os.waitpid(child, 0)
    return found


def main() -> None:
    """Answer each line."""
    from dpdesk.privacy.noise.door import software
    from dpdesk.release.signing import keys

    keys.BCRYPT_ROUNDS = 4
    software()
    for name in LOADED:  # once for all copies
        import_module(name)
    for line in sys.stdin:
        print(answer(line), flush=True)


if __name__ == "__main__":
    main()
