# SPDX-License-Identifier: Apache-2.0
"""Rows as they were written, and broken rows that stay alone with their fault."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.files.csv import records
from dpdesk.data.files.csv.records import LineReader, RecordSplitter
from dpdesk.study.model.unit import DataSource
from tests.data.line_reader import read_line

SEPARATOR = ","
broken_text = st.text(st.sampled_from('ab,;"\n \x00é'), max_size=60)
cells = st.text(st.sampled_from('ab,;"\n \x00é'), max_size=8)


def split(text: str, sizes: Iterable[int] = (), separator: str = SEPARATOR) -> bytes:
    """What the splitter makes of a text that comes in pieces of these sizes."""
    raw, chunks = text.encode(), []
    for size in sizes:
        chunks.append(raw[:size])
        raw = raw[size:]
    return b"".join(RecordSplitter(separator).blocks([*chunks, raw]))


def rows_of(block: bytes, separator: str = SEPARATOR) -> list[list[str]]:
    """The rows of a block, read by the strictest reader there is."""
    text = io.StringIO(block.decode("utf-8", "replace"), newline="")
    return [row for row in csv.reader(text, delimiter=separator, strict=True) if row]


@given(table=st.lists(st.lists(cells, min_size=2, max_size=4), max_size=12))
def test_what_is_written_by_the_book_is_read_as_it_was_written(table: list[list[str]]) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    assert split(text.getvalue()) == text.getvalue().encode()
    assert rows_of(split(text.getvalue())) == table


@given(text=broken_text, sizes=st.lists(st.integers(0, 9)))
def test_any_text_becomes_rows_in_good_order(text: str, sizes: list[int]) -> None:
    whole = split(text)
    assert split(text, sizes) == whole
    assert len(rows_of(whole)) <= text.count("\n") + 1
    assert split(whole.decode()) == whole


@given(line=st.text(st.sampled_from('ab,"é '), min_size=1), above=st.integers(0, 3))
def test_a_broken_line_leaves_the_others_as_they_are(line: str, above: int) -> None:
    # A cell that is opened and never closed looks for its end in all that follows.
    plain = [f"{i},x,y" for i in range(6)]
    text = "\n".join([*plain[:above], line, *plain[above:]])
    others = [p.split(",") for p in plain]
    for rows in (rows_of(split(text)), rows_of(LineReader(",").rows(f"{text}\n".encode()))):
        assert rows[:above] == others[:above]
        assert rows[len(rows) - 6 + above :] == others[above:]
        assert len(rows) in (6, 7)


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ('1,5" tall,x', ["1", '5" tall', "x"]),
        ('1,"a"b,x', ["1", "ab", "x"]),
        ('1, "a, b",x', ["1", "a, b", "x"]),
        ('"",x"', ["", 'x"']),
        ("1,\"he said \"hi\"\",x", ["1", 'he said hi""', "x"]),
    ],
)  # fmt: skip
def test_how_a_broken_line_is_read(line: str, row: list[str]) -> None:
    assert rows_of(split(line + "\n7,8,9\n")) == [row, ["7", "8", "9"]]


@pytest.mark.parametrize("line", ['1,"open,x', '"', '""",x', '1, "a""', '1,"a"b,"', '"a,b""c'])
def test_a_line_on_which_a_cell_stays_open_is_no_row(line: str) -> None:
    assert LineReader(SEPARATOR).rows(f"{line}\n7,8,9\n".encode()) == b"\n7,8,9\n"
    assert split(line + "\n7,8,9\n") == b"\n7,8,9\n"


@given(lines=st.lists(st.text(st.sampled_from('ab,"é \x00'), max_size=12), max_size=8))
def test_each_line_is_read_as_if_it_stood_alone(lines: list[str]) -> None:
    lines = [line for line in lines if line.strip(" ")]
    reader, text = LineReader(SEPARATOR), "".join(line + "\n" for line in lines).encode()
    alone = [reader.rows((line + "\n").encode()) for line in lines]
    assert reader.rows(text) == b"".join(alone)
    # Each row is one line still, so that lines keep their numbers.
    assert [row.count(b"\n") for row in alone] == [1] * len(lines)
    read = [read_line(line.encode(), DataSource()) for line in lines]
    assert rows_of(b"".join(alone)) == [row for row in read if row is not None]
    assert reader.open_lines(text) == [place for place, row in enumerate(read) if row is None]


def test_a_cell_over_many_lines_is_one_row() -> None:
    note = '"first\n\nsecond, ""quoted""\n' + "more\n" * 1000 + 'end"'
    rows = rows_of(split(f"1,{note},x\n2,y,z\n", [5, 100, 1000]))
    assert [row[0] for row in rows] == ["1", "2"]
    assert rows[0][1].endswith("more\nend")


def test_a_cell_that_runs_too_long_is_no_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "RECORD_BYTES", 50)
    long, short = "1,\"" + "x\n" * 30 + "y\"\n", "1,\"" + "x\n" * 10 + "y\"\n"  # fmt: skip
    assert len(rows_of(split(short))) == 1
    for size in (1, 7, 49, 51, 200):
        sizes = [size] * (len(long) // size)
        assert len(rows_of(split(long, sizes))) == 30


@given(text=broken_text, separator=st.sampled_from([";", "\t", "|"]))
def test_every_separator_is_as_good(text: str, separator: str) -> None:
    text = text.replace(";", "").replace(",", separator)
    comma = rows_of(split(text.replace(separator, ",")))
    same = [[cell.replace(",", separator) for cell in row] for row in comma]
    assert rows_of(split(text, separator=separator), separator) == same
