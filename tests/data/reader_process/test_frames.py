# SPDX-License-Identifier: Apache-2.0
"""What goes through a pipe comes out as it was, or not at all."""

from __future__ import annotations

import io
import struct
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.reader_process.frames import Broken, FrameKind, TooLong, read_frame, write_frame


class Slow(io.RawIOBase):
    """A pipe that gives and takes a few bytes at a time."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__()
        self.content = content

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = min(3, len(buffer), len(self.content))
        buffer[:count] = self.content[:count]
        self.content = self.content[count:]
        return count

    def write(self, data: memoryview) -> int:  # type: ignore[override]
        self.content += bytes(data[:5])
        return len(data[:5])


@given(
    sent=st.lists(
        st.tuples(
            st.sampled_from([FrameKind.ASK, FrameKind.VALUE, FrameKind.BATCH]),
            st.binary(max_size=90),
        ),
        max_size=5,
    )
)
def test_frames_come_out_as_they_went_in(sent: list[tuple[FrameKind, bytes]]) -> None:
    pipe = Slow()
    for kind, content in sent:
        write_frame(pipe, kind, content[:7], memoryview(content)[7:])
    for kind, content in sent:
        frame = read_frame(pipe)
        assert (frame.kind, bytes(frame.content)) == (kind, content)
        assert repr(content) not in repr(frame)
    with pytest.raises(Broken):
        read_frame(pipe)


@given(st.binary(max_size=40))
def test_any_bytes_are_a_frame_or_broken(content: bytes) -> None:
    try:
        frame = read_frame(io.BytesIO(content))
    except Broken as broken:
        assert broken.__context__ is None and broken.args == ()
    else:
        assert content.startswith(frame.kind.mark) and len(frame.content) <= len(content) - 9


@pytest.mark.parametrize("kind", FrameKind)
def test_a_length_beyond_what_a_kind_may_hold_is_not_even_waited_for(kind: FrameKind) -> None:
    pipe = io.BytesIO(struct.pack(">cQ", kind.mark, kind.most + 1) + b"x" * 100)
    with pytest.raises(Broken):
        read_frame(pipe)
    assert pipe.tell() == 9


def test_no_room_is_made_for_what_does_not_come() -> None:
    pipe = io.BytesIO(struct.pack(">cQ", FrameKind.BATCH.mark, FrameKind.BATCH.most) + b"x" * 100)
    tracemalloc.start()
    try:
        with pytest.raises(Broken):
            read_frame(pipe)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1 << 26


def test_what_is_too_long_is_not_begun() -> None:
    pipe = io.BytesIO()
    with pytest.raises(TooLong):
        write_frame(pipe, FrameKind.PROGRESS, b"x" * 9, b"x" * 8)
    assert pipe.getvalue() == b""


def test_a_pipe_that_nobody_reads_is_broken() -> None:
    pipe = io.BytesIO()
    pipe.close()
    for use in (lambda: write_frame(pipe, FrameKind.ASK, b""), lambda: read_frame(pipe)):
        with pytest.raises(Broken) as caught:
            use()
        assert caught.value.__context__ is None
