# SPDX-License-Identifier: Apache-2.0
"""How a text seems to be laid out: titles, comments, row names, and no separator at all."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dpdesk.data.inspection.file_check import check_file
from dpdesk.data.inspection.next_file import look_at_next
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.inspection.text_layout import TextLayout, text_layout
from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Refused
from dpdesk.texts.findings import said

ROWS = [f"{n};{20 + n}" for n in range(50)]
PLAIN = ["pid;age", *ROWS]


@pytest.mark.parametrize(
    ("lines", "layout"),
    [
        (PLAIN, TextLayout(";")),
        (["sep=;", *PLAIN], TextLayout(";", 2)),
        (['"sep=,"', "a;b,c", *["1;2,3"] * 9], TextLayout(",", 2)),
        (["Stays 2024", *PLAIN], TextLayout(";", 2)),
        (["Stays, by ward, 2024", "", *PLAIN], TextLayout(";", 3)),
        (["Stays;;", ";;", "pid;age;sex", *[f"{row};F" for row in ROWS]], TextLayout(";", 3)),
        (["# made by a program", "# a;b", *PLAIN], TextLayout(";", 3)),
        (["#pid;age", *ROWS], TextLayout(";")),
        (
            ["Ward A, Town", *[r.replace(";", ",") + ",F" for r in ["pid;age", *ROWS]]],
            TextLayout(",", 2),
        ),
        (["Ward;A", "Day;2024-01-01", "", *[f"{r};x" for r in PLAIN]], TextLayout(";", 4)),
        ([*[""] * 3, *PLAIN], TextLayout(";")),
        (["pid;age", *[f"r{n};{row}" for n, row in enumerate(ROWS)]], TextLayout(";", None, True)),
        (['"age"', *[f'"{n}";{20 + n}' for n in range(50)]], TextLayout(";", None, True)),
        (["pid;age", *[f"{row};" for row in ROWS]], TextLayout(";")),
        (["pid;age", "1;2;3", *ROWS], TextLayout(";")),
        (["pid;age"], TextLayout(";")),
        (["age", *map(str, range(50))], TextLayout(",")),
        (["name", *["Ann Lee", "Bo", "C. D. E."] * 9], TextLayout(",")),
        (["full name", *["Ann Lee", "Bo Chu"] * 9], TextLayout(",")),
        (["ward;note", *["A;x", "B;y"] * 9], TextLayout(";")),
        (["Wards", "ward;note", *["A;x", "B;y"] * 9], TextLayout(";")),
        ([], TextLayout(",")),
    ],
)
def test_a_layout_is_proposed(lines: list[str], layout: TextLayout) -> None:
    assert text_layout(lines) == layout


@pytest.mark.parametrize(
    "lines",
    [
        [f"{n:05}{20 + n}{n % 2}" for n in range(50)],
        ["pid age sex", *[f"{n} {20 + n} F" for n in range(50)]],
        ['"pid" "age"', *[f'"{n}" {n} {20 + n}' for n in range(50)]],
        ["pid     age sex", *[f"{n:<8}{20 + n:<4}F  " for n in range(50)]],
    ],
)
def test_columns_without_a_separator_are_refused(lines: list[str], tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("\n".join(lines) + "\n")
    with pytest.raises(Refused) as refused:
        recognise(tmp_path / "t.txt")
    assert [p.code for p in refused.value.problems] == ["data-file-fixed-width"]


def test_row_names_are_proposed_with_the_columns_that_follow(tmp_path: Path) -> None:
    rows = "".join(f'"{n}",{n % 4},{20 + n}\n' for n in range(30))
    (tmp_path / "t.csv").write_text('"pid","age"\n' + rows)
    looked = look_at_next(Study(), tmp_path / "t.csv")
    assert looked.source.row_names and looked.header == ("(column 1)", "pid", "age")
    assert "row_names" not in looked.source.by_hand


@pytest.mark.parametrize(("codec", "encoding"), [("utf-16-le", "utf-16"), ("utf-16-be",) * 2])
def test_utf_16_without_a_mark_is_recognised(codec: str, encoding: str, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes("pid\tGröße\r\n1\t180\r\n".encode(codec))
    looked = look_at_next(Study(), tmp_path / "t.txt")
    assert (looked.source.encoding, looked.header) == (encoding, ("pid", "Größe"))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("place", [0, 40_000, 99_999])
def test_the_encoding_is_looked_for_to_the_end_of_a_file(
    packed: bool, place: int, tmp_path: Path
) -> None:
    rows = [b"%d,Bonn\n" % n for n in range(100_000)]
    reported: list[tuple[int, int]] = []
    for town, encoding in ((b"K\xf6ln", "cp1252"), ("Köln".encode(), "utf-8")):
        rows[place] = b"1," + town + b"\n"
        raw = b"pid,town\n" + b"".join(rows)
        path = tmp_path / ("t.csv.gz" if packed else "t.csv")
        path.write_bytes(gzip.compress(raw, 1) if packed else raw)
        found = recognise(path, progress=lambda done, total: reported.append((done, total)))
        assert found.encoding == encoding
    assert reported[-1][0] == reported[-1][1] == path.stat().st_size, (
        "to its end, where it is UTF-8"
    )


def test_the_look_for_the_encoding_can_be_cancelled(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"pid,town\n" + b"1,Bonn\n" * 1_000_000)
    cancel, reported = CancelToken(), []

    def progress(done: int, _total: int) -> None:
        reported.append(done)
        cancel.cancel()

    with pytest.raises(Cancelled):
        recognise(tmp_path / "t.csv", cancel, progress)
    assert len(reported) == 1


@pytest.mark.parametrize("first", ["", "p"])
def test_a_decimal_comma_between_commas_is_taken_for_no_row_names(
    tmp_path: Path, first: str
) -> None:
    """``1,36,5,44`` was read with 36 as the person, and 44.5 years became 34.8."""
    path = tmp_path / "a.csv"
    rows = "".join(f"{first}{n},{36 + n % 4},{n % 10},{n + 30}\n" for n in range(30))
    path.write_text(f"pid,temp,age\n{rows}", encoding="utf-8")
    source = recognise(path)
    assert not source.row_names
    study = Study(data=source, unit=Unit("pid"))
    (found,) = check_file(study, tmp_path)
    assert found.code == "row-names" and "decimal comma" in said(found, study)
    quoted = "".join(f'"{n}",{36 + n % 4},{n % 10},{n + 30}\n' for n in range(30))
    path.write_text(f"pid,temp,age\n{quoted}", encoding="utf-8")
    assert recognise(path).row_names
