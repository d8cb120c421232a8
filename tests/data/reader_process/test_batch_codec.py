# SPDX-License-Identifier: Apache-2.0
"""Rows come through a pipe as they were; what is no row does no harm."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.files.batch import Batch
from dpdesk.data.reader_process import batch_codec
from dpdesk.data.reader_process.batch_codec import packed, pieces, unpacked
from dpdesk.data.reader_process.frames import Broken

COLUMNS: dict[str, pa.Array] = {
    "texts": pa.array(["a", None, "ä", ""]),
    "words": pa.array(["a", None, "ä", "a"]).dictionary_encode(),
    "whole": pa.array([1, None, -3, 2**62]),
    "numbers": pa.array([0.5, None, -1e300, 3.0]),
    "days": pa.array([date(2020, 1, 1), None, date(1, 1, 1), date(9999, 12, 31)]),
    "answers": pa.array([True, None, False, True]),
    "nothing": pa.array([None] * 4, pa.string()),
}


def sent(batch: Batch) -> bytes:
    return b"".join(packed(batch))


@pytest.mark.parametrize("name", COLUMNS)
def test_every_kind_of_column_comes_as_it_was(name: str) -> None:
    for column in (COLUMNS[name], COLUMNS[name][1:3], COLUMNS[name][:0]):
        batch = unpacked(sent(Batch(len(column), (column,))), 1)
        assert batch.rows == len(column)
        assert batch.columns[0].type == column.type and batch.columns[0].equals(column)


def test_columns_of_one_batch_may_be_none_or_the_same() -> None:
    assert unpacked(sent(Batch(7, ())), 0) == Batch(7, ())
    batch = unpacked(sent(Batch(4, (COLUMNS["texts"],) * 2)), 2)
    assert [column.to_pylist() for column in batch.columns] == [["a", None, "ä", ""]] * 2


@pytest.mark.parametrize("rows", [0, 1, 2, 7, 100])
def test_a_large_batch_goes_in_pieces(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_codec, "PIECE_BYTES", 64)
    column = pa.array(["x" * (n % 5) for n in range(rows)], pa.string())
    parts = list(pieces(Batch(rows, (column, column))))
    assert sum(part.rows for part in parts) == rows
    assert (len(parts) > 1) == (rows > 6)
    assert [c for part in parts for c in part.columns[1].to_pylist()] == column.to_pylist()
    assert all(len(sent(part)) < 2_000 for part in parts)


WRONG: dict[str, Batch] = {
    "another type": Batch(2, (pa.array([b"a", b"b"]),)),
    "lists": Batch(2, (pa.array([[1], [2]]),)),
    "other words": Batch(2, (pa.array([1.5, 2.5]).dictionary_encode(),)),
    "another number of rows": Batch(3, (pa.array(["a", "b"]),)),
    "a column more": Batch(2, (pa.array(["a", "b"]),) * 2),
    "a column less": Batch(2, ()),
    "moments": Batch(1, (pa.array([datetime(2020, 1, 1, 3)], pa.timestamp("us")),)),
    "a zone that says something": Batch(1, (pa.array([0], pa.timestamp("s", "HIV-positive")),)),
    "a day before all days": Batch(2, (pa.array([0, -719_163], pa.int32()).cast(pa.date32()),)),
    "a day after all days": Batch(2, (pa.array([2_932_897, None], pa.int32()).cast(pa.date32()),)),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_batch_as_asked_for_is_broken(name: str) -> None:
    with pytest.raises(Broken):
        unpacked(sent(WRONG[name]), 1)


def test_a_stream_of_no_batch_is_broken() -> None:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, pa.schema([("0", pa.string())])):
        pass
    with pytest.raises(Broken) as caught:
        unpacked(bytes(8) + sink.getvalue().to_pybytes(), 1)
    assert caught.value.__context__ is None


def unsound(name: str) -> pa.Array:
    """A column that points beyond what it holds, or holds no texts."""
    if name == "no text":
        return pa.array([b"\xff\xfe", b"a"]).view(pa.string())
    if name == "no such word":
        words = pa.array([0, 7], pa.int32())
        return pa.DictionaryArray.from_arrays(words, pa.array(["a"]), safe=False)
    ends = pa.array([0, 900, 1], pa.int32()).buffers()[1]
    return pa.Array.from_buffers(pa.string(), 2, [None, ends, pa.py_buffer(b"a")])


@pytest.mark.parametrize("name", ["beyond the end", "no text", "no such word"])
def test_a_column_that_would_crash_whoever_uses_it_is_broken(name: str) -> None:
    content = sent(Batch(2, (unsound(name),)))
    with pytest.raises(Broken) as caught:
        unpacked(content, 1)
    assert caught.value.__context__ is None and caught.value.args == ()


WHOLE = sent(Batch(4, tuple(COLUMNS.values())))


@given(data=st.data())
def test_a_damaged_batch_is_broken_or_sound(data: Any) -> None:
    content = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(content)[: data.draw(st.integers(0, len(content)) | st.just(len(content)))]
    try:
        batch = unpacked(cut, len(COLUMNS))
    except Broken:
        return
    for column in batch.columns:
        column.validate(full=True)
        assert len(column.to_pylist()) == batch.rows
