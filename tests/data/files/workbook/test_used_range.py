# SPDX-License-Identifier: Apache-2.0
"""One stray cell far from a sheet's table, for which the reader would fill the memory."""

from __future__ import annotations

import io
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest

from dpdesk.data.files.workbook.used_range import MOST_CELLS, column_number, spanned_cells
from dpdesk.data.inspection.recognise import recognise
from dpdesk.study.problem import Refused
from tests.data.workbooks import write_workbook


def spanned(text: bytes) -> int:
    return spanned_cells(io.BytesIO(text))


@pytest.mark.parametrize("column", ["A", "B", "Z", "AA", "AZ", "BA", "ZZ", "AAA", "XFD"])
def test_the_furthest_column_wherever_it_stands(column: str) -> None:
    far = f'<c r="{column}2"/>'.encode()
    for text in (far + b'<c r="A2"/>', b'<c r="A2"/>' + far, b"<c r='A2'/>" + far):
        assert spanned(text) == 2 * column_number(column)


def test_a_reference_across_two_pieces() -> None:
    for space in range((1 << 20) - 12, (1 << 20) + 2):
        assert spanned(b" " * space + b'<c r="XFD1048576"/>') == 16_384 * 1_048_576


FAR = b'<c r="XFD1048576"/>'


@pytest.mark.parametrize(
    "text",
    [
        b'<c r="A1"><is><t>see bed r="XFD9999999" moved</t></is></c>',
        b"<c r='A1'><is><t>&lt;c r='XFD9999999'/></t></is></c>",
        b'<c r="A1"><v foo="1" r="XFD9"/></c>',
        b"<c s=' r=\"XFD9\"' r='A1'/>",
        b'<c r="A1"><is><t><![CDATA[' + FAR + b"]]></t></is></c>",
        b"<!-- " + FAR + b" -->",
        b"<!---" + b" " * (1 << 20) + FAR + b" -->",
        b"<![CDATA[>" + b" " * (3 << 20) + FAR + b"]]>",
    ],
)
def test_what_a_cell_says_is_no_cell(text: bytes) -> None:
    assert spanned(text) == 1
    assert spanned(text + FAR) == spanned(FAR + text) == 16_384 * 1_048_576


@pytest.mark.parametrize("cut", range(40))
@pytest.mark.in_turn(8)
def test_words_across_two_pieces(cut: int) -> None:
    text = b"<c><is><t>" + b"x" * ((1 << 20) - 10 - cut)
    assert spanned(text + b' r="XFD9999999"</t><![CDATA[' + FAR + b"]]></is></c>") == 1
    assert spanned(text + b"</t></is></c><x:c s='1' t=\"n\"  r = 'B2'/>") == 4


def test_rows_in_order_and_out_of_it() -> None:
    rows = b"".join(b'<row r="%d"><c r="A%d"/></row>' % (n, n) for n in range(1, 50_001))
    assert spanned(rows) == 50_000
    assert spanned(b'<c r="A1048576"/>' + rows) == 1_048_576


def test_what_openpyxl_writes(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    write_workbook(path, {"Stays": [["x"] * 30 for _ in range(40)]})
    with ZipFile(path) as archive, archive.open("xl/worksheets/sheet1.xml") as stream:
        assert spanned_cells(stream) == 30 * 40


def test_a_stray_cell_in_the_corner_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    book.active.cell(1, 1, "id")
    book.active.cell(1_048_576, 16_384, "stray")
    book.save(path)
    with pytest.raises(Refused) as refused:
        recognise(path)
    assert [problem.code for problem in refused.value.problems] == ["data-file-too-wide"]


def test_a_stray_cell_in_the_last_row_of_a_common_table_is_not(tmp_path: Path) -> None:
    assert MOST_CELLS > 1_048_576 * 100
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["id", "days"])
    book.active.cell(100_000, 1, "stray")
    book.save(path)
    assert recognise(path).header_row == 1
