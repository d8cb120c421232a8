# SPDX-License-Identifier: Apache-2.0
"""A bundle's file: written whole or not at all, in room that can be reserved before the draw.

A release is paid for before its bundle can be written. So its room on the disk is reserved first:
a full disk then refuses the release instead of a bundle that is already paid for.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from dpdesk.release.bundle.bundle_zip import MAX_BYTES
from dpdesk.release.record.size import Size
from dpdesk.study.json.study_files import (
    make_part,
    remove_left_behind,
    replace_by,
    write_whole,
)
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import real_path

_ROOM, _ROOM_QUERY, _ROOM_LINE, _ROOM_NAME_BYTE = 327_680, 32_768, 3_072, 24
_ROOM_ENTRY = 224
_PIECE = bytes(1 << 20)


def room_for(study: Study, entries: int) -> int:
    """Bytes that a study's bundle does not exceed, as far as it is known before the draw.

    Args:
        entries: of the ledger, whose hashes and charges the bundle lists.
    """
    size = Size.of(study)
    room = _ROOM + _ROOM_ENTRY * entries
    room += 12 * len(study_to_bytes(study)) + _ROOM_QUERY * len(study.queries)
    return min(MAX_BYTES, room + _ROOM_LINE * size.lines + _ROOM_NAME_BYTE * size.label_bytes)


class ReservedFile:
    """An unfinished file beside a bundle's place, as large as the bundle may become."""

    def __init__(self, path: Path, part: Path, stream: BinaryIO) -> None:
        self._path, self._part, self._stream = path, part, stream

    def write(self, content: bytes) -> None:
        """Put the bundle in its place.

        Raises:
            Refused: ``bundle-unwritable`` (param name).
        """
        try:
            self._stream.seek(0)
            self._stream.write(content)
            self._stream.truncate()
            self._stream.flush()
            os.fsync(self._stream.fileno())
            self._stream.close()
            replace_by(self._part, self._path)
        except OSError:
            raise refuse("bundle-unwritable", name=self._path.name) from None


@contextmanager
def reserved(path: Path, size: int) -> Iterator[ReservedFile]:
    """Reserve room for a bundle; what is not written by the end is given back.

    Raises:
        Refused: ``bundle-no-room`` (params name, megabytes) or ``bundle-unwritable`` (param name).
    """
    path = real_path(path)
    try:
        remove_left_behind(path)
        handle, part = make_part(path, handed_out=True)
    except OSError:
        raise refuse("bundle-unwritable", name=path.name) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            _reserve(stream, size, path.name)
            yield ReservedFile(path, Path(part), stream)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(part)


def _reserve(stream: BinaryIO, size: int, name: str) -> None:
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(stream.fileno(), 0, size)
        else:
            for start in range(0, size, len(_PIECE)):
                stream.write(_PIECE[: size - start])
        stream.flush()
        os.fsync(stream.fileno())
    except OSError:
        megabytes = f"{-(-size // 100_000) / 10:.1f}"
        raise refuse("bundle-no-room", name=name, megabytes=megabytes) from None


def write_bundle(path: Path, content: bytes) -> None:
    """Write a bundle whole or not at all.

    Raises:
        Refused: ``bundle-unwritable`` (param name).
    """
    try:
        remove_left_behind(path)
        write_whole(path, content, handed_out=True)
    except OSError:
        raise refuse("bundle-unwritable", name=path.name) from None
