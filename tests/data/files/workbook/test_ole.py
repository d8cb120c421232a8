# SPDX-License-Identifier: Apache-2.0
"""Old workbooks that were cut off or damaged: their sectors lead nowhere, or in a circle."""

from __future__ import annotations

import io
import struct
from pathlib import Path

import pytest

from dpdesk.data.files.workbook.archive import check_container
from dpdesk.data.files.workbook.ole import ole_mistake
from dpdesk.data.files.workbook.workbook_file import open_workbook
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused
from tests.data.workbooks import write_workbook

FIRST_FOLLOWER = 512
"""Where the table begins that names for each sector the next."""


@pytest.fixture
def workbook(tmp_path: Path) -> bytes:
    path = tmp_path / "t.xls"
    write_workbook(path, {"Stays": [["id", "days"], ["1", 2]]})
    return path.read_bytes()


def changed(content: bytes, place: int, number: int) -> bytes:
    return content[:place] + struct.pack("<I", number) + content[place + 4 :]


def is_whole(content: bytes) -> bool:
    return ole_mistake(content) != "data-file-damaged"


def test_a_whole_file_is_whole(workbook: bytes) -> None:
    assert is_whole(workbook)
    # The last sector may be cut short.
    assert is_whole(workbook[:-100])


def test_sectors_in_a_circle(workbook: bytes) -> None:
    assert not is_whole(changed(workbook, FIRST_FOLLOWER + 4 * 5, 2))
    assert not is_whole(changed(workbook, FIRST_FOLLOWER + 4, 1))


def test_a_sector_beyond_the_file(workbook: bytes) -> None:
    assert not is_whole(changed(workbook, FIRST_FOLLOWER + 4 * 5, 1_000))
    assert not is_whole(changed(workbook, 48, 1_000))


@pytest.mark.parametrize("place", [40, 44, 64, 72])
def test_counts_that_no_file_of_this_size_has(workbook: bytes, place: int) -> None:
    assert not is_whole(changed(workbook, place, 1 << 30))


def test_a_table_of_tables_in_a_circle(workbook: bytes) -> None:
    circle = changed(workbook, 68, 3)
    assert not is_whole(changed(circle, 512 + 3 * 512 + 508, 3))


def test_a_part_longer_than_its_sectors(workbook: bytes) -> None:
    entry = 512 + 512 + 128
    assert not is_whole(changed(workbook, entry + 120, 1 << 30))


def test_a_small_part_needs_small_sectors(workbook: bytes) -> None:
    entry = 512 + 512 + 128
    assert not is_whole(changed(workbook, entry + 120, 100))


def test_no_beginning_of_a_file_is_whole(workbook: bytes) -> None:
    for length in range(0, len(workbook) - 512, 97):
        assert not is_whole(workbook[:length])


def test_a_circle_is_refused_before_the_reader_follows_it(tmp_path: Path, workbook: bytes) -> None:
    path = tmp_path / "circle.xls"
    path.write_bytes(changed(workbook, FIRST_FOLLOWER + 4 * 5, 2))
    with path.open("rb") as stream, pytest.raises(Refused) as refused:
        check_container(stream)
    assert [problem.code for problem in refused.value.problems] == ["data-file-damaged"]


def test_a_cell_in_a_column_that_no_sheet_has(workbook: bytes) -> None:
    place = workbook.index(struct.pack("<HHH", 0x204, 4 + 5 + 4, 0))
    assert workbook[place + 6 : place + 8] == b"\0\0"
    assert is_whole(workbook[: place + 6] + b"\xff\0" + workbook[place + 8 :])
    assert not is_whole(workbook[: place + 6] + b"\xff\xff" + workbook[place + 8 :])


def test_rows_that_are_cut_off_are_missed(tmp_path: Path) -> None:
    path = tmp_path / "t.xls"
    write_workbook(path, {"Stays": [["id", "days"], *([n, n % 9] for n in range(1_000))]})
    content = path.read_bytes()
    used = len(content.rstrip(b"\0"))
    assert is_whole(content) and is_whole(content[: used + 3])
    assert not is_whole(content[: used - 30]), "its last row, without a word"


def test_a_table_of_sectors_may_be_the_last_and_a_short_one(
    workbook: bytes, tmp_path: Path
) -> None:
    head, table, rest = workbook[:512], workbook[512:1024], workbook[1024:]
    following = list(struct.unpack("<128I", table))
    # The directory comes first now, then the book, then the table.
    count = len(rest) // 512
    moved = [0xFFFFFFFE, *range(2, count), 0xFFFFFFFE, 0xFFFFFFFD]
    assert len(moved) == count + 1 and following[0] == 0xFFFFFFFD
    head = changed(changed(head, 48, 0), 76, count)
    entries = rest[:512].replace(struct.pack("<IQ", 2, 4096), struct.pack("<IQ", 1, 4096))
    short = head + entries + rest[512:] + b"".join(struct.pack("<I", n) for n in moved)
    assert len(short) % 512
    (tmp_path / "t.xls").write_bytes(short)
    source = DataSource("t.xls", "excel", sheet="Stays", header_row=1)
    with open_workbook(source, tmp_path) as table_:
        assert table_.header == ("id", "days")
        assert table_.first_rows(9) == [["1", "2"]]


def test_a_book_behind_a_password_is_locked(workbook: bytes) -> None:
    begin = workbook.index(struct.pack("<HH", 0x809, 16))
    password = struct.pack("<HH", 0x2F, 54) + b"\1\0" + bytes(52)
    locked = workbook[: begin + 20] + password + workbook[begin + 20 : -len(password)]
    with pytest.raises(Refused) as refused:
        check_container(io.BytesIO(locked))
    assert [p.code for p in refused.value.problems] == ["data-file-locked"]
