# SPDX-License-Identifier: Apache-2.0
"""Errors of cells that the reader does not know are empty cells, and nothing else changes."""

from __future__ import annotations

import io
from pathlib import Path
from zipfile import ZipFile

import pytest

from dpdesk.data.files.workbook import known_errors
from dpdesk.data.files.workbook.known_errors import with_known_errors
from dpdesk.data.files.workbook.workbook_file import open_workbook
from dpdesk.study.model.unit import DataSource
from tests.data.workbooks import write_workbook

SHEET = "xl/worksheets/sheet1.xml"
KNOWN = "#N/A"
ODD = "#SPILL!"
CELLS = [
    '<c r="B2" t="e"><v>{}</v></c>',
    "<c t='e' r='B2' vm='1'><v>{}</v></c>",
    '<c r="B2" s="0" t="e"><f>1/0</f><v>{}</v></c>',
    '<c r="B2" t="e"><f t="shared" si="0"/><v>{}</v></c>',
    '<x:c r="B2" t="e"><x:f>1</x:f><x:v>{}</x:v></x:c>',
]


def with_sheet(path: Path, cell: str) -> bytes:
    """A workbook of two rows, in which one cell is written so."""
    if not path.exists():  # it notes the second at which it was made
        write_workbook(path, {"S": [["pid", "stay"], [1, 4_711], ["e", ODD]]})
    content = io.BytesIO()
    with ZipFile(path) as old, ZipFile(content, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name == SHEET:
                before = b'<c r="B2" t="n"><v>4711</v></c>'
                assert before in part
                part = part.replace(before, cell.encode()).replace(
                    b"<worksheet ", b'<worksheet xmlns:x="%s" ' % MAIN
                )
            new.writestr(name, part)
    return content.getvalue()


MAIN = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("chunk", [1 << 20, 7, 64])
def test_an_error_of_any_name_is_an_empty_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: str, chunk: int
) -> None:
    monkeypatch.setattr(known_errors, "_CHUNK_BYTES", chunk)
    path = tmp_path / "t.xlsx"
    path.write_bytes(with_sheet(path, cell.format(ODD)))
    source = DataSource(path.name, "excel", sheet="S", header_row=1)
    with open_workbook(source, tmp_path) as table:
        assert table.header == ("pid", "stay")
        assert table.first_rows(9) == [["1", ""], ["e", ODD]]


@pytest.mark.parametrize("cell", CELLS)
def test_nothing_but_the_names_of_errors_changes(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "t.xlsx"
    odd, known = (with_sheet(path, cell.format(name)) for name in (ODD, KNOWN))
    made = with_known_errors(io.BytesIO(odd))
    assert made is not None
    with ZipFile(made) as result, ZipFile(io.BytesIO(known)) as wanted:
        assert result.namelist() == wanted.namelist()
        for name in wanted.namelist():
            assert result.read(name) == wanted.read(name)


def test_what_is_no_archive_has_no_such_names() -> None:
    assert with_known_errors(io.BytesIO(b"\xd0\xcf\x11\xe0" * 99)) is None
