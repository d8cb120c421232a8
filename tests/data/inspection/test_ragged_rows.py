# SPDX-License-Identifier: Apache-2.0
"""Rows that do not fit are named by their line, and nothing else of them."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.data.files import source as sources
from dpdesk.data.inspection.ragged_rows import RaggedRows, ragged_rows
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused


def found(folder: Path, text: str, most: int = 10, **how: object) -> RaggedRows:
    (folder / "t.csv").write_bytes(text.encode())
    return ragged_rows(DataSource("t.csv", **how), folder, most)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a,b\n1,2\n3,4\n", ()),
        ("a,b\n1\n3,4\n5,6,7\n", (2, 4)),
        ("\n\na,b\n1\n", (4,)),
        ("a,b\n\n  \n1,2\n9\n", (5,)),
        ('"a","b"\n1,"x,y"\n3\n', (3,)),
        ('a,b\n1,"x,,y"\n"1,2"\n', (3,)),
        ("a,b\r\n1\r\n3,4", (2,)),
        ("a,b\n1,2\n,", ()),
        ("a,b\n1,2\n,,", (3,)),
    ],
)
def test_the_line_on_which_a_misfit_begins(
    text: str, lines: tuple[int, ...], tmp_path: Path
) -> None:
    assert found(tmp_path, text) == RaggedRows(lines)


def test_rows_over_several_lines_begin_on_their_first(tmp_path: Path) -> None:
    for text, lines in (
        ('\n"a","b"\n1,"x\ny"\n3\n', (5,)),
        ('a,b\n1,"x,\n,y"\n"1,2"\n', (4,)),
    ):
        assert found(tmp_path, text, line_breaks=True) == RaggedRows(lines)


def test_a_line_on_which_a_cell_stays_open_is_reported(tmp_path: Path) -> None:
    text = 'a,b\n1,"x\ny",2\n3,5" tall\n"\n\n4,"z\n'
    assert found(tmp_path, text) == RaggedRows(lines=(), open_lines=(2, 5, 7))
    assert found(tmp_path, text, 2) == RaggedRows(open_lines=(2, 5), more_open=True)
    assert found(tmp_path, text, quotes=False).open_lines == ()
    titles = 'Report\n"of 2024\na,b\n1,2\n3,"4\n'
    assert found(tmp_path, titles, header_row=3).open_lines == (5,)
    assert found(tmp_path, '"1,2\n3,4\n5,"6', header_row=0).open_lines == (1, 3)


def test_lines_count_from_the_top_of_the_file(tmp_path: Path) -> None:
    titles = "Report of 2024\n\na,b\n1\n2,3\n"
    assert found(tmp_path, titles, header_row=3).lines == (4,)
    assert found(tmp_path, "1,2\n3\n", header_row=0).lines == (2,)
    assert found(tmp_path, 'a,b\n1,"2\n3,4\n', quotes=False).lines == ()


def test_a_few_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "CHUNK_BYTES", 64)
    text = "a,b\n" + "1\n2,3\n" * 500
    assert found(tmp_path, text, 3) == RaggedRows((2, 4, 6), more=True)
    assert found(tmp_path, text, 500).lines == tuple(range(2, 1001, 2))


def test_other_files_have_none_and_bad_layouts_are_refused(tmp_path: Path) -> None:
    assert ragged_rows(DataSource("t.parquet", "parquet"), tmp_path) == RaggedRows()
    with pytest.raises(Refused):
        ragged_rows(DataSource("t.csv", separator="x"), tmp_path)


cells = st.text(st.sampled_from('ab,"\n'), max_size=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(cells, min_size=1, max_size=4), max_size=12))
def test_what_the_standard_library_writes_is_counted_as_it_was_written(
    tmp_path: Path, rows: list[list[str]]
) -> None:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)
    lines = [1]
    for row in [["x", "y"], *rows]:
        writer.writerow(row)
        lines.append(stream.getvalue().count("\n") + 1)
    wanted = tuple(line for line, row in zip(lines[1:], rows, strict=False) if len(row) != 2)
    assert found(tmp_path, stream.getvalue(), 99, line_breaks=True).lines == wanted
