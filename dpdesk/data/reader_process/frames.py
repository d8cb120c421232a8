# SPDX-License-Identifier: Apache-2.0
"""What goes through a pipe: one byte for the kind, eight for the length, and the content."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import Enum
from typing import IO

_HEAD = struct.Struct(">cQ")
_PIECE = 1 << 24


class FrameKind(Enum):
    """What a frame is, and the most bytes that it may hold."""

    ASK = b"a", 1 << 28
    VALUE = b"v", 1 << 28
    BATCH = b"b", 1 << 31
    PROGRESS = b"p", 16
    REFUSAL = b"r", 1 << 20
    FAULT = b"f", 1 << 8

    def __init__(self, mark: bytes, most: int) -> None:
        self.mark = mark
        self.most = most


_KINDS = {kind.mark: kind for kind in FrameKind}


class Broken(Exception):
    """The other end is gone, or sends nonsense."""


class TooLong(Exception):
    """More than a frame may hold."""


@dataclass(frozen=True, repr=False)
class ReceivedFrame:
    kind: FrameKind
    content: bytes | bytearray


def write_frame(pipe: IO[bytes], kind: FrameKind, *parts: bytes | memoryview) -> None:
    """Write a frame whose content is these parts, one after the other.

    Raises:
        TooLong: nothing was written.
        Broken: nobody reads it.
    """
    views = [memoryview(part).cast("B") for part in parts]
    length = sum(len(view) for view in views)
    if length > kind.most:
        raise TooLong
    gone = False
    try:
        for view in (memoryview(_HEAD.pack(kind.mark, length)), *views):
            _write(pipe, view)
        pipe.flush()
    except (OSError, ValueError):
        gone = True
    if gone:
        raise Broken


def read_frame(pipe: IO[bytes]) -> ReceivedFrame:
    """Read the next frame.

    Raises:
        Broken: there is none, or what there is is none.
    """
    mark, length = _HEAD.unpack(_read(pipe, _HEAD.size))
    kind = _KINDS.get(mark)
    if kind is None or length > kind.most:
        raise Broken
    return ReceivedFrame(kind, _read(pipe, length))


def _write(pipe: IO[bytes], view: memoryview) -> None:
    while view:
        view = view[pipe.write(view) :]


def _read(pipe: IO[bytes], length: int) -> bytearray:
    """This many bytes. Room is made as they come: a length is only what the other end says."""
    content = bytearray()
    while len(content) < length:
        done = len(content)
        content += bytes(min(_PIECE, length - done))
        _fill(pipe, memoryview(content)[done:])
    return content


def _fill(pipe: IO[bytes], view: memoryview) -> None:
    while view:
        try:
            count = pipe.readinto(view)  # type: ignore[attr-defined]  # a buffered pipe has it
        except (OSError, ValueError):
            count = 0
        if not count:
            break
        view = view[count:]
    if view:
        raise Broken
