# SPDX-License-Identifier: Apache-2.0
"""Files that end some lines with LF and others with CR: read by declaration, proposed, named."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import cycle
from pathlib import Path

import pytest

from dpdesk.data.encode import encode
from dpdesk.data.files import source
from dpdesk.data.files.csv.csv_file import open_csv
from dpdesk.data.files.line_ends import LineEnds
from dpdesk.data.inspection.file_check import check_file
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit

HEAD = "pid,age,sex"
ROWS = [f"{n},{20 + n % 60},{'MF'[n % 2]}" for n in range(400)]
QUOTED = [f'"{n}","{20 + n % 60}","{"MF"[n % 2]}"' for n in range(400)]
MANY = [f"{n},30,F" for n in range(400, 20_000)]
"""More than is looked at to propose how a file is read."""
NOTES = [f'{n},30,"see\rback"' for n in range(400)]
AGE = NumberColumn("age", Decimal(0), Decimal(120), Decimal(1))


def written(rows: list[str], *ends: str) -> str:
    """The header and these rows; what ends them takes turns."""
    return "".join(line + end for line, end in zip([HEAD, *rows], cycle(ends), strict=False))


def study_of(data: DataSource) -> Study:
    return Study(data=data, unit=Unit("pid"), columns=(AGE,))


def named(data: DataSource, folder: Path) -> list[str]:
    """What the check says of lines."""
    said = check_file(study_of(data), folder)
    return [finding.code for finding in said if finding.code in ("lone-cr", "lines-open")]


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        (written(ROWS, "\r\n", "\n", "\r"), "any"),
        (written(ROWS, "\r", "\n"), "any"),
        (written(ROWS[:200], "\n") + ROWS[200] + "\r" + written(ROWS[201:], "\n")[12:], "any"),
        (written(ROWS[:200], "\n") + written(ROWS[200:], "\r")[12:], "any"),
        (written(QUOTED, "\n", "\r"), "any"),
        (written(ROWS, "\r"), "cr"),
        (written(ROWS, "\r\r\n"), "cr"),
        (written(ROWS, "\n"), ""),
        (written(NOTES, "\n"), ""),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_all_rows_are_read_where_the_beginning_shows(
    text: str, ending: str, encoding: str, tmp_path: Path
) -> None:
    """267 of 400 people were counted, where every third line ended with CR."""
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode(encoding))
    found = recognise(path)
    assert found.line_ending == ending and "line_ending" not in found.by_hand
    table = encode(study_of(found), tmp_path)
    assert table.people() == 400 and (table.column("age").codes >= 0).all()
    assert named(found, tmp_path) == []
    if ending == "any" and not text.startswith(f"{HEAD}\r0"):
        assert named(replace(found, line_ending="lf"), tmp_path) == ["lone-cr"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (written(MANY, "\n") + written(ROWS, "\n", "\r")[12:], ["lone-cr"]),
        (written(MANY, "\r\n") + written(ROWS, "\r\n", "\r")[13:], ["lone-cr"]),
        (written(MANY, "\n") + written(QUOTED, "\n", "\r")[12:], ["lone-cr"]),
        (written([*MANY, *NOTES], "\n"), []),
        (written([f"{row},ä" for row in MANY], "\n") + "\r".join(ROWS), ["lone-cr"]),
        (written([f'{row},"a\nb"' for row in MANY], "\r\n"), ["lines-open"]),
        (written([f'{row},"a\rb"' for row in MANY], "\r"), ["lines-open"]),
    ],
)
@pytest.mark.in_turn(3)
def test_the_check_names_what_the_beginning_does_not_show(
    text: str, codes: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    found = recognise(path)
    assert found.line_ending != "any"
    assert named(found, tmp_path) == codes
    if codes == ["lone-cr"]:
        whole = replace(found, line_ending="any")
        assert named(whole, tmp_path) == []
        assert encode(study_of(whole), tmp_path).people() == 20_000


@pytest.mark.parametrize("chunk", [1, 2, 7, 1 << 20])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("ends", [("\r\n", "\n", "\r"), ("\r", "\r\n"), ("\n\r",)])
def test_pieces_and_lines_above_the_header_do_not_matter(
    chunk: int,
    encoding: str,
    ends: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source, "CHUNK_BYTES", chunk * (2 if "16" in encoding else 1))
    text = "Title" + "\r\n" + "Ward\r" + written(ROWS[:30], *ends)
    (tmp_path / "t.csv").write_bytes(text.encode(encoding))
    data = DataSource("t.csv", encoding=encoding, header_row=3, line_ending="any")
    with open_csv(data, tmp_path, no_progress, CancelToken()) as table:
        assert table.header == ("pid", "age", "sex")
        assert table.first_rows(99) == [row.split(",") for row in ROWS[:30]]


@pytest.mark.parametrize("cut", range(25))
def test_a_carriage_return_is_lone_or_meant_wherever_pieces_end(cut: int) -> None:
    text = '1,"a\rb",2\n3,4\r5,"é\r"\r\n'
    for quotes, lone in ((True, 1), (False, 3)):
        ends = LineEnds("lf", quotes=quotes)
        read = ends.translate(text[:cut]) + ends.translate(text[cut:], final=True)
        assert (read, ends.lone) == ('1,"a b",2\n3,4 5,"é "\n', lone)
        signs = LineEnds("lf", quotes=quotes)
        assert "".join(map(signs.translate, text)) == read
        assert signs.lone == lone
