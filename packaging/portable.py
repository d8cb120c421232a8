# SPDX-License-Identifier: Apache-2.0
"""The program's folder as one file that is unpacked anywhere and asks for no rights."""

from __future__ import annotations

import gzip
import tarfile
from pathlib import Path

import freeze
import program


def pack(folder: Path, target: Path) -> Path:
    """Pack a folder, always to the same bytes.

    Raises:
        ValueError: it holds a link, which a memory stick's file system does not know.
    """
    name = f"{program.NAME}-{program.version()}-linux-x86_64"
    path = target / f"{name}.tar.gz"
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        for each in [folder, *sorted(folder.rglob("*"))]:
            inside = Path(name, each.relative_to(folder)).as_posix()
            archive.add(each, inside, recursive=False, filter=_plain)
    return path


def _plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    """An entry that says nothing of who made it and when."""
    if not (entry.isfile() or entry.isdir()):
        raise ValueError(f"{entry.name} is a link")
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = freeze.commit_time()
    entry.mode = 0o755 if entry.mode & 0o100 else 0o644
    return entry
