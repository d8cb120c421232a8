# SPDX-License-Identifier: Apache-2.0
"""Files that are not what they should be, and text that is what it should be after reading."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dpdesk.data.files.header import column_names
from dpdesk.data.files.source import bounded_lines, open_data, read_chunks
from dpdesk.data.files.unsupported import HEAD_BYTES
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import locate_columns, read_header, sample_rows
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused


def header_of(content: bytes, folder: Path, **layout: object) -> tuple[str, ...]:
    (folder / "t.csv").write_bytes(content)
    return read_header(DataSource("t.csv", **layout), folder)


def codes(refused: pytest.ExceptionInfo[Refused]) -> list[tuple[str, str]]:
    return [(p.path, p.code) for p in refused.value.problems]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in ("absent.csv", "absent/t.csv", "nul\x00byte.csv"):
        with pytest.raises(Refused) as refused:
            read_header(DataSource(path), tmp_path)
        assert codes(refused) == [("$.data.path", "data-file-missing")]
    with pytest.raises(Refused) as refused:
        read_header(DataSource(), tmp_path)
    assert codes(refused) == [("$.data.path", "data-not-chosen")]


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(Refused) as refused:
        read_header(DataSource("folder.csv"), tmp_path)
    assert codes(refused) == [("$.data.path", "data-file-unreadable")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(Refused) as refused:
        open_data(DataSource("pipe.csv"), tmp_path)
    assert codes(refused) == [("$.data.path", "data-file-unreadable")]


@pytest.mark.parametrize("content", [b"", b"\n\n \r\n", b"\xef\xbb\xbf", b" \t \n"])
def test_an_empty_file(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        header_of(content, tmp_path)
    assert codes(refused) == [("$.data.path", "data-file-empty")]


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00[Content_Types].xml\n",
        b"\x04\x8b\x08\x00\x00\x00\x00\x00\x00\x03\n",
        "id,größe\n1,2\n".encode("utf-16"),
        b"\x00" * 3_000,
    ],
)
def test_a_file_that_is_no_text(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        header_of(content, tmp_path)
    assert codes(refused) == [("$.data.path", "data-file-not-text")]


def test_the_declared_layout_is_judged_before_the_file_is_opened(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        read_header(DataSource("absent.csv", separator="ab", encoding="utf-7"), tmp_path)
    assert codes(refused) == [
        ("$.data.separator", "separator-unknown"),
        ("$.data.encoding", "encoding-unknown"),
    ]


@pytest.mark.parametrize(
    ("content", "names"),
    [
        (b"a,b\n1,2\n", ("a", "b")),
        (b"\xef\xbb\xbfa,b", ("a", "b")),
        (b"\n  \n a , b\tc \r\n", ("a", "b c")),
        (b'"a, or A","b ""x"""\n1,2\n', ("a, or A", 'b "x"')),
        (b",a,a\n", ("(column 1)", "a (column 2)", "a (column 3)")),
        (b'a"b,c\n', ('a"b', "c")),
        ("A\u0308,b\n".encode(), ("\u00c4", "b")),
    ],
)
def test_header_names(content: bytes, names: tuple[str, ...], tmp_path: Path) -> None:
    assert header_of(content, tmp_path) == names


@pytest.mark.parametrize("line_breaks", [False, True])
def test_a_header_is_one_line(tmp_path: Path, line_breaks: bool) -> None:
    """Where it ends, a mark of a row would say."""
    header = b'"b ""x""","a, or'
    for rows in (b"", b"\n1,2\n", b'\nA"\n1,2\n', b'\n1,2\n3,"4\n'):
        with pytest.raises(Refused) as refused:
            header_of(header + rows, tmp_path, line_breaks=line_breaks)
        assert codes(refused) == [("$.data.path", "data-header-open")]


def test_a_header_of_tabs_keeps_its_empty_names(tmp_path: Path) -> None:
    assert header_of(b"\ta\tb\n", tmp_path, separator="\t") == ("(column 1)", "a", "b")


def test_absent_and_doubled_columns_are_named_where_they_are_declared() -> None:
    study = Study(
        unit=Unit("who"),
        columns=(CategoryColumn("a"), NumberColumn("b"), CategoryColumn("c")),
    )
    with pytest.raises(Refused) as refused:
        locate_columns(study, column_names(("b", "x", "b", "x", "c")))
    assert [(p.path, p.code, dict(p.params)) for p in refused.value.problems] == [
        ("$.columns[0]", "data-column-absent", {"name": "a"}),
        ("$.columns[1]", "data-header-duplicate", {"name": "b"}),
        ("$.unit.person", "data-column-absent", {"name": "who"}),
    ]


def test_columns_that_nobody_declared_may_stand_twice() -> None:
    study = Study(unit=Unit("who"), columns=(CategoryColumn("a"),))
    places = locate_columns(study, column_names(("x", "a", "x", "who")))
    assert (places.person, places.columns) == (3, (1,))


def test_rows_can_be_shown_as_they_stand(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b'a,b\n\n1,"x\ny"\n2\n  \n3,"z\n')
    source = DataSource("t.csv", line_breaks=True)
    assert sample_rows(source, tmp_path, 2) == [["1", "x\ny"], ["2"]]
    assert sample_rows(source, tmp_path, 9) == [["1", "x\ny"], ["2"]]
    assert sample_rows(source, tmp_path, 0) == []
    assert sample_rows(DataSource("t.csv"), tmp_path, 9) == [['y"'], ["2"]]


def test_bytes_that_are_no_text_stay_in_their_cell(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n\xff,1\nx\xe2,2\n")
    rows = sample_rows(DataSource("t.csv"), tmp_path, 9)
    assert rows == [["\ufffd", "1"], ["x\ufffd", "2"]]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_long_lines_are_cut_alike_wherever_chunks_end(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dpdesk.data.files.source.LINE_BYTES", 100)
    text = b"short\n" + b"x" * 250 + b"\n" + b"y" * 100 + b"\nend"
    chunks = (text[i : i + size] for i in range(0, len(text), size))
    expected = b"short\n" + b"x" * 100 + b"\n" + b"y" * 100 + b"\nend"
    assert b"".join(bounded_lines(chunks)) == expected


def test_the_file_is_closed_when_reading_stops(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a\n" + b"1\n" * 2_000_000)
    chunks = read_chunks(DataSource("t.csv"), tmp_path, no_progress, CancelToken())
    next(chunks)
    chunks.close()
    # A file left open is a warning, and warnings fail tests.
    (tmp_path / "t.csv").unlink()


@pytest.mark.parametrize(
    ("content", "layout"),
    [
        (b"a,b,c\n1;2;3;4;5\n", (",", ".", "utf-8")),
        (b"a;b\n1,5;2\n", (";", ".", "utf-8")),
        (b'a\tb\t"c;d;e;f"\n', ("\t", ".", "utf-8")),
        (b"a|b\n", ("|", ".", "utf-8")),
        (b"a\n1\n", (",", ".", "utf-8")),
        ("größe;b\r\n".encode("cp1252"), (";", ".", "cp1252")),
        ("größe;b\r\n".encode("utf-8-sig"), (";", ".", "utf-8")),
        ("größe,b\r\n".encode("utf-16"), (",", ".", "utf-16")),
        (b"a\n" + b"x" * 65_533 + "ö".encode(), (",", ".", "utf-8")),
    ],
)
def test_the_layout_is_recognised(
    content: bytes, layout: tuple[str, str, str], tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    source = recognise(path)
    assert source == DataSource(
        str(path), separator=layout[0], decimal=layout[1], encoding=layout[2]
    )
    assert read_header(source, Path())[0].isprintable()


def test_what_ends_a_line_and_the_byte_order_are_recognised_in_the_header(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for content, ending in ((b"a|b\r1,2\n3\r", "cr"), (b"a|b\n1\r2", ""), (b"a|b\r\n1\r", "")):
        path.write_bytes(content)
        assert recognise(path) == DataSource(str(path), separator="|", line_ending=ending)
        assert read_header(recognise(path), Path()) == ("a", "b")
    path.write_bytes("\ufeffgröße,b\r\n1,2".encode("utf-16-be"))
    assert recognise(path).encoding == "utf-16-be"
    assert read_header(recognise(path), Path()) == ("größe", "b")


def test_a_lone_carriage_return_in_the_header_asks_for_the_declaration(tmp_path: Path) -> None:
    content = b"a,b\r1,2\r\n3,4\r"
    with pytest.raises(Refused) as refused:
        header_of(content, tmp_path)
    assert codes(refused) == [("$.data.line_ending", "line-ending-not-declared")]
    assert header_of(content, tmp_path, line_ending="cr") == ("a", "b")
    assert header_of(content, tmp_path, line_ending="lf") == ("a", "b 1", "2")
    assert header_of(b"a,b\r\n1\r2\r\n", tmp_path) == ("a", "b")


@pytest.mark.parametrize("rows", [b"", b"1,2", b"1,2\r", b"\r", b"\r\r1,2\r", b"1,2\r\n3,4\n"])
def test_what_follows_a_lone_carriage_return_does_not_matter(tmp_path: Path, rows: bytes) -> None:
    with pytest.raises(Refused) as refused:
        header_of(b"a,b\r" + rows, tmp_path)
    assert codes(refused) == [("$.data.line_ending", "line-ending-not-declared")]
    for ended in (b"a,b\r\n", b"a,b\r\r\n"):
        assert header_of(ended + rows, tmp_path) == ("a", "b")


def test_a_header_that_is_cut_between_its_returns(tmp_path: Path) -> None:
    names = ("a" * 4_000, "b" * 4_000, "c" * 4_000, "d" * (HEAD_BYTES - 12_004))
    content = ",".join(names).encode() + b"\r\n"
    assert len(content) == HEAD_BYTES + 1
    assert header_of(content, tmp_path) == header_of(content + b"1\r2\n", tmp_path) == names


def test_nothing_is_recognised_in_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b" \n")
    with pytest.raises(Refused) as refused:
        recognise(tmp_path / "t.csv")
    assert codes(refused) == [("$.data.path", "data-file-empty")]
    with pytest.raises(Refused) as refused:
        recognise(tmp_path / "absent.csv")
    assert codes(refused) == [("$.data.path", "data-file-missing")]


def test_utf_16_without_its_mark_is_that_of_windows(tmp_path: Path) -> None:
    assert header_of("id,Größe\n".encode("utf-16-le"), tmp_path, encoding="utf-16") == (
        "id",
        "Größe",
    )
    assert header_of("id,Größe\n".encode("utf-16"), tmp_path, encoding="utf-16") == ("id", "Größe")
    # Plain text under a wrong declaration is a row of nonsense, and no fault.
    assert len(header_of(b"id,days\n1,2\n", tmp_path, encoding="utf-16")) == 1


def test_a_stray_quotation_mark_in_a_header_without_quotes(tmp_path: Path) -> None:
    assert header_of(b'id,"days\n', tmp_path, quotes=False) == ("id", '"days')
    assert header_of(b'id,"days\n1,"2\n', tmp_path, quotes=False) == ("id", '"days')
