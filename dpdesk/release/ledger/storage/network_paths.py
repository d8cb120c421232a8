# SPDX-License-Identifier: Apache-2.0
"""Whether a path lies on another machine, where file locks cannot be trusted."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_NETWORK_TYPES = frozenset(
    {"afs", "ceph", "cifs", "fuse.sshfs", "nfs", "nfs4", "smb2", "smb3", "smbfs"}
)
_DRIVE_REMOTE = 4
_MOUNTS = Path("/proc/self/mounts")


def is_on_network(path: Path) -> bool:
    """Whether a file lies on a network share, as far as this system tells."""
    text = os.fspath(path)
    if is_unc(text):
        return True
    if sys.platform == "win32":
        return _is_remote_drive(path.absolute().drive)
    return _mount_type(path) in _NETWORK_TYPES


def is_unc(text: str) -> bool:
    r"""Whether a path names a machine: ``\\server\share``, ``//server/share``.

    >>> is_unc(r"\\server\share\ledger.sqlite"), is_unc(r"\\?\UNC\server\share")
    (True, True)
    >>> is_unc(r"\\?\C:\Users"), is_unc("/var/lib"), is_unc(r"C:\Users")
    (False, False, False)
    """
    plain = text.replace("/", "\\")
    if plain.upper().startswith(("\\\\?\\", "\\\\.\\")):
        return plain[4:].upper().startswith("UNC\\")
    return plain.startswith("\\\\")


def _is_remote_drive(drive: str) -> bool:
    if sys.platform != "win32":
        return False
    import ctypes

    return bool(ctypes.windll.kernel32.GetDriveTypeW(drive + "\\") == _DRIVE_REMOTE)


def _mount_type(path: Path) -> str:
    """File system of the longest mount point above a path; empty where that is not known."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    place = os.path.realpath(path)
    # Of two mounts on one point the later hides the earlier.
    found = max(
        (line.split()[1:3] for line in reversed(lines) if _holds(line, place)),
        key=lambda pair: len(pair[0]),
        default=["", ""],
    )
    return found[1]


def _holds(mount: str, place: str) -> bool:
    parts = mount.split()
    if len(parts) < 3:
        return False
    point = parts[1].replace("\\040", " ")
    return point == "/" or place == point or place.startswith(point.rstrip("/") + "/")
