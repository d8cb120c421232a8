# SPDX-License-Identifier: Apache-2.0
"""The top of a file: its n-th row or line is the one that a header row of n names."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.data.inspection.raw_preview import filled_cells, top_rows
from dpdesk.data.opened import read_header
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused

TEXT = 'Stays of 2025;;\n\n"made; by hand";;\nid;"stay; days";ward\np1;3,5;A\n'


@pytest.fixture
def text(tmp_path: Path) -> DataSource:
    (tmp_path / "a.csv").write_text(TEXT, encoding="utf-16")
    return DataSource("a.csv", separator=";", encoding="utf-16")


@pytest.fixture
def book(tmp_path: Path) -> DataSource:
    openpyxl = pytest.importorskip("openpyxl")
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.title = "Stays"
    for row in (["Stays of 2025"], [], ["made by hand"], ["id", "days", "ward"], ["p1", 3.5, "A"]):
        sheet.append(row)
    made.create_sheet("Notes")
    made.save(tmp_path / "a.xlsx")
    return DataSource("a.xlsx", "excel", sheet="Stays")


def test_lines_are_counted_as_the_header_line_is(text: DataSource, tmp_path: Path) -> None:
    rows = top_rows(text, tmp_path, 30)
    assert rows[3] == ["id", "stay; days", "ward"]
    assert filled_cells(rows) == (1, 0, 1, 3, 3)
    found = DataSource("a.csv", separator=";", encoding="utf-16", header_row=4)
    assert read_header(found, tmp_path) == tuple(rows[3])


def test_rows_of_a_sheet_are_counted_with_the_blank_ones(book: DataSource, tmp_path: Path) -> None:
    rows = top_rows(book, tmp_path, 30)
    assert filled_cells(rows) == (1, 0, 1, 3, 3)
    found = DataSource("a.xlsx", "excel", sheet="Stays", header_row=4)
    assert read_header(found, tmp_path) == ("id", "days", "ward")
    assert rows[4] == ["p1", "3.5", "A"]


def test_no_more_is_read_than_asked_for(text: DataSource, book: DataSource, tmp_path: Path) -> None:
    assert len(top_rows(text, tmp_path, 2)) == len(top_rows(book, tmp_path, 2)) == 2
    (tmp_path / "long.csv").write_bytes(b"a" * 3_000_000)
    (row,) = top_rows(DataSource("long.csv"), tmp_path, 5)
    assert len(row[0]) < 300_000


def test_files_that_know_their_header_have_no_top(tmp_path: Path) -> None:
    assert top_rows(DataSource("a.parquet", "parquet"), tmp_path, 5) == []
    assert top_rows(DataSource("a.xlsx", "excel"), tmp_path, 5) == []


@pytest.mark.parametrize("content", [b'"\n"\n\x00;"a""\r\n', b"\xff\xfe\x00", b'a"' * 200_000])
def test_no_content_breaks_it(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.csv").write_bytes(content)
    for quotes in (True, False):
        assert top_rows(DataSource("odd.csv", quotes=quotes), tmp_path, 9)
    with pytest.raises(Refused):
        top_rows(DataSource("gone.csv"), tmp_path, 9)
