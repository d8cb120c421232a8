# SPDX-License-Identifier: Apache-2.0
"""Libraries without their symbols for debuggers, and that this changed nothing that is loaded.

The noise library among them: what the program ships, digests and audits is the stripped one. Each
stripped file is compared with the one from the wheel: the same segments are mapped to the same
places, and every section that is loaded holds the same bytes. One that differs stays as it was.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from struct import Struct
from typing import NamedTuple

_HEADER = Struct("<16sHHIQQQIHHHHHH")
_SEGMENT = Struct("<IIQQQQQQ")
_SECTION = Struct("<IIQQQQIIQQ")
_ALLOCATED, _NO_BITS = 2, 8


class Loaded(NamedTuple):
    """What the loader takes from a library.

    Attributes:
        segments: kind, flags, address, size in the file and in memory, alignment.
        sections: kind, flags, address, bytes.
    """

    segments: list[tuple[int, ...]]
    sections: list[tuple[int, int, int, bytes]]


def is_library(path: Path) -> bool:
    """Whether a file is a native library or program of Linux on 64 bits."""
    with path.open("rb") as stream:
        return stream.read(6) == b"\x7fELF\2\1"


def loaded(content: bytes) -> Loaded:
    """What the loader takes from a library's bytes."""
    header = _HEADER.unpack_from(content)
    return Loaded(list(_segments(content, header)), list(_sections(content, header)))


def _segments(content: bytes, header: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for number in range(header[10]):
        kind, flags, _at, address, _, size, memory, align = _SEGMENT.unpack_from(
            content, header[5] + number * header[9]
        )
        yield kind, flags, address, size, memory, align


def _sections(content: bytes, header: tuple[int, ...]) -> Iterator[tuple[int, int, int, bytes]]:
    for number in range(header[12]):
        _, kind, flags, address, at, size, *_ = _SECTION.unpack_from(
            content, header[6] + number * header[11]
        )
        if flags & _ALLOCATED:
            yield kind, flags, address, b"" if kind == _NO_BITS else content[at : at + size]


def forget_folder(path: Path, folder: str) -> None:
    """Take out of a library where it was compiled to look for others, where that is a folder.

    On another machine that folder may be anybody's, and its libraries would be loaded.
    """
    found = subprocess.run(["chrpath", "-l", str(path)], capture_output=True, text=True)
    if f"={folder}" in found.stdout:
        subprocess.run(["chrpath", "-d", str(path)], check=True, stdout=subprocess.DEVNULL)


def strip(path: Path) -> bool:
    """Take a library's symbols for debuggers away; whether that was possible."""
    bare = path.with_name(path.name + ".bare")
    subprocess.run(["strip", "--strip-unneeded", "-o", str(bare), str(path)], check=True)
    same = loaded(bare.read_bytes()) == loaded(path.read_bytes())
    if same:
        shutil.copyfile(bare, path)
    bare.unlink()
    return same
