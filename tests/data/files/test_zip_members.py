# SPDX-License-Identifier: Apache-2.0
"""Archives whose members lie in each other are refused, whatever Python's own zip module does."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from dpdesk.data.files.packed import open_text
from dpdesk.data.files.workbook.archive import check_container
from dpdesk.data.files.zip_members import are_disjoint
from dpdesk.study.problem import Refused
from tests.data.workbooks import write_workbook

CENTRAL = b"PK\1\2"
_SIZES, _OFFSET = 20, 42


def entries(raw: bytes) -> list[int]:
    """Where the entries of the directory begin."""
    at = raw.index(CENTRAL)
    found = []
    while raw[at : at + 4] == CENTRAL:
        found.append(at)
        name, extra, comment = struct.unpack_from("<3H", raw, at + 28)
        at += 46 + name + extra + comment
    return found


def larger(raw: bytes, entry: int, more: int = 40) -> bytes:
    """A member whose content reaches into what comes behind it."""
    changed = bytearray(raw)
    (size,) = struct.unpack_from("<L", raw, entry + _SIZES)
    struct.pack_into("<L", changed, entry + _SIZES, size + more)
    return bytes(changed)


def at_one_place(raw: bytes, entry: int, other: int) -> bytes:
    """Two entries that name one member's place."""
    changed = bytearray(raw)
    changed[entry + _OFFSET : entry + _OFFSET + 4] = raw[other + _OFFSET : other + _OFFSET + 4]
    return bytes(changed)


def book(folder: Path, suffix: str) -> bytes:
    path = folder / f"a{suffix}"
    write_workbook(path, {"one": [["id", "days"], ["a", 1.0]]})
    return path.read_bytes()


@pytest.mark.threat("G2")
@pytest.mark.parametrize("suffix", [".xlsx", ".ods"])
def test_a_workbook_whose_parts_lie_in_each_other_is_refused(tmp_path: Path, suffix: str) -> None:
    raw = book(tmp_path, suffix)
    check_container(io.BytesIO(raw))
    places = entries(raw)
    assert len(places) > 2
    for number, entry in enumerate(places):
        other = places[number - 1]
        for bad in (larger(raw, entry), at_one_place(raw, entry, other)):
            with pytest.raises(Refused) as refused:
                check_container(io.BytesIO(bad))
            assert [p.code for p in refused.value.problems] == ["data-file-damaged"]


@pytest.mark.threat("G2")
def test_a_packed_text_that_reaches_into_the_directory_is_refused(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("t.csv", "id,days\na,1\n")
    raw = stream.getvalue()
    for content, is_right in ((raw, True), (larger(raw, *entries(raw)), False)):
        path = tmp_path / f"{is_right}.csv.zip"
        path.write_bytes(content)
        if is_right:
            with open_text(path.open("rb")) as text:
                assert text.read() == b"id,days\na,1\n"
            continue
        with pytest.raises(Refused) as refused:
            open_text(path.open("rb"))
        assert [p.code for p in refused.value.problems] == ["data-file-damaged"]


def test_honest_archives_of_every_kind_lie_apart(tmp_path: Path) -> None:
    """Streamed ones, whose sizes stand behind each member, too."""
    pipe = io.BufferedWriter(NoSeek())
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("a", "b", "c"):
            archive.writestr(name, name * 999)
    pipe.flush()
    for raw in (NoSeek.written, book(tmp_path, ".xlsx"), book(tmp_path, ".ods")):
        with zipfile.ZipFile(io.BytesIO(bytes(raw))) as opened:
            assert are_disjoint(opened)
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    with zipfile.ZipFile(empty) as opened:
        assert are_disjoint(opened)


class NoSeek(io.RawIOBase):
    """A pipe."""

    written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, content: object) -> int:
        NoSeek.written += bytes(content)  # type: ignore[call-overload]
        return len(bytes(content))  # type: ignore[call-overload]


def test_a_member_that_is_not_where_the_directory_says_lies_nowhere() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr("a.csv", "id\n1\n")
    raw = bytearray(stream.getvalue())
    raw[0] ^= 1
    assert not are_disjoint(zipfile.ZipFile(io.BytesIO(bytes(raw))))
