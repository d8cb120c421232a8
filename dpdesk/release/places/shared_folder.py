# SPDX-License-Identifier: Apache-2.0
"""The ledger that several custodians of one machine share: chosen by its administrator.

A file of the machine names a folder. It belongs to a group: its members write there, what is made
there belongs to the group, and nobody else can look. Keys, signers and settings stay in each
user's own home, so that who signs is a person, no matter who released.
"""

from __future__ import annotations

import getpass
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from dpdesk.study.json.strict_json import parse_json
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

NAME = "machine.json"
MEMBER = "shared_ledger"
_MOST_BYTES = 10_000
_OTHERS = stat.S_IRWXO
_FOR_GROUP = stat.S_ISGID | stat.S_IRWXG


def machine_file(environ: Mapping[str, str]) -> Path:
    """Where a machine's administrator says what holds for all its users."""
    given = environ.get("DPDESK_MACHINE", "")
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(environ.get("PROGRAMDATA", r"C:\ProgramData")) / "dpdesk" / NAME
    if sys.platform == "darwin":
        return Path("/Library/Application Support/dpdesk") / NAME
    return Path("/etc/dpdesk") / NAME


def shared_folder(environ: Mapping[str, str]) -> Path | None:
    """The folder of the ledger that this machine's custodians share; ``None`` where they do not.

    Raises:
        Refused: ``machine-file-wrong`` or ``machine-file-open`` (param name).
    """
    path = machine_file(environ)
    try:
        with open_regular(path) as stream:
            mode = os.fstat(stream.fileno()).st_mode
            raw = stream.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise refuse("machine-file-wrong", name=str(path)) from None
    if os.name == "posix" and mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise refuse("machine-file-open", name=str(path))
    folder = _named(raw)
    if folder is None or not folder.is_absolute():
        raise refuse("machine-file-wrong", name=str(path))
    return folder


def _named(raw: bytes) -> Path | None:
    try:
        members = parse_json(raw) if len(raw) <= _MOST_BYTES else None
    except Refused:
        return None
    if type(members) is not dict or set(members) != {MEMBER} or type(members[MEMBER]) is not str:
        return None
    return Path(members[MEMBER])


def check_shared(folder: Path) -> None:
    """Refuse a shared folder whose rights do not keep its budgets to the group.

    Raises:
        Refused: ``shared-missing``, ``shared-open``, ``shared-not-grouped`` or
            ``shared-not-member`` (param name).
    """
    try:
        mode = folder.stat().st_mode
    except OSError:
        # It may lie in a folder that only the group can enter.
        raise refuse("shared-missing", name=str(folder)) from None
    if not stat.S_ISDIR(mode):
        raise refuse("shared-missing", name=str(folder))
    if os.name == "posix":
        if mode & _OTHERS:
            raise refuse("shared-open", name=str(folder))
        if mode & _FOR_GROUP != _FOR_GROUP:
            raise refuse("shared-not-grouped", name=str(folder))
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise refuse("shared-not-member", name=str(folder))


def refuse_links(folder: Path, begin: str = "") -> None:
    """Refuse links among a shared folder's files: writing through one changes a file elsewhere.

    Anyone who is of the group can put one there, and each colleague's program writes with that
    colleague's rights.

    Args:
        folder: the shared folder, or one within it.
        begin: how the names of the files begin that are dpdesk's.

    Raises:
        Refused: ``shared-linked`` or ``shared-missing`` (param name).
    """
    try:
        with os.scandir(folder) as found:
            linked = [e.name for e in found if e.name.startswith(begin) and e.is_symlink()]
    except OSError:
        raise refuse("shared-missing", name=str(folder)) from None
    if linked:
        raise refuse("shared-linked", name=min(linked))


def is_shared(folder: Path) -> bool:
    """Whether what is in a folder belongs to its group."""
    if os.name != "posix":
        return False
    try:
        mode = folder.stat().st_mode
    except OSError:
        return False
    return mode & _FOR_GROUP == _FOR_GROUP


def file_mode(folder: Path) -> int:
    """The rights of a file with budgets: its owner's, in a shared folder its group's, too."""
    return 0o660 if is_shared(folder) else 0o600


def hand_to_group(path: Path) -> None:
    """Let the group write a file of a shared folder; whose it is, may do so."""
    if is_shared(path.parent):
        with suppress(OSError):
            path.chmod(file_mode(path.parent))


def make_shared(folder: Path) -> None:
    """Make a folder within a shared one, for its group alone.

    Raises:
        OSError: it cannot be made.
    """
    with suppress(FileExistsError):
        folder.mkdir(mode=0o770)
        folder.chmod(0o2770 if os.name == "posix" else 0o770)


def user_name() -> str:
    """Who works here, as the operating system knows them; empty where it knows nobody.

    No variable of the environment decides where the system has accounts.
    """
    if sys.platform == "win32":
        with suppress(OSError, ImportError, KeyError):
            return getpass.getuser()
        return ""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())
