# SPDX-License-Identifier: Apache-2.0
"""No minimum, maximum or list of values in the data reaches a place where a parameter is chosen.

Three guards: whose code may look at cells at all; what may be looked at for a proposal (the
header and the labels, and nothing below); and that two files whose values differ everywhere give
the same proposals, plan and price. ``tests/desk/test_neighbouring_files.py`` holds the third for
the window as people use it.
"""

from __future__ import annotations

import ast
import csv
import io
import re
from collections.abc import Iterable
from dataclasses import fields, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

import pandas as pd
import pyreadstat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.cli import main
from dpdesk.data.codebook.diff import diff
from dpdesk.data.codebook.read import read_codebook
from dpdesk.data.files.source import open_data
from dpdesk.data.inspection import recognise as recognising
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import read_header
from dpdesk.release.record.released_study import public_data
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import RECOGNISED, DataSource
from dpdesk.study.text.titles import title
from tests.data.files.saved import SAVED, Stay
from tests.data.files.sights import LOOKS, READS, SEES, Sight, looks, readers, sights, trees
from tests.data.workbooks import write_workbook
from tests.release.studies import STUDY

HEAD_BYTES = 1 << 16
"""Of a text that much is looked at to tell its encoding, cells included, and no more."""

anywhere = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


# --- who may look -------------------------------------------------------------------------------


def test_nobody_sees_cells_without_a_reason() -> None:
    found = {sight for file, tree in trees() for sight in sights(file, tree)}
    assert found == {Sight(*key) for key in SEES}


def test_nobody_opens_data_files_by_another_way() -> None:
    found = {sight.file for file, tree in trees() for sight in readers(file, tree)}
    assert found == set(READS)


def test_nobody_looks_at_many_values_at_once_without_a_reason() -> None:
    found = {sight for file, tree in trees() for sight in looks(file, tree)}
    assert found == {Sight(*key) for key in LOOKS}


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("dpdesk/study/checks/study_checks.py", "from dpdesk.data.encode import encode"),
        ("dpdesk/study/suggest/clinical.py", "from dpdesk.data import opened"),
        ("dpdesk/desk/pages/columns/column_form.py", "from dpdesk.data.opened import sample_rows"),
        (
            "dpdesk/desk/core/edits/study_edits.py",
            "def f():\n    from dpdesk.data.encoding.table import EncodedTable",
        ),
        ("dpdesk/privacy/plan.py", "import dpdesk.data.files.workbook.workbook_file"),
    ],
)
def test_a_file_that_begins_to_see_cells_is_caught(file: str, source: str) -> None:
    assert sights(file, ast.parse(source)) - {Sight(*key) for key in SEES}


@pytest.mark.parametrize("source", ["import pandas as pd", "from pyarrow import csv as c"])
def test_another_way_to_a_data_file_is_caught(source: str) -> None:
    assert readers("dpdesk/desk/core/edits/study_edits.py", ast.parse(source))
    assert not readers("dpdesk/data/files/cells.py", ast.parse(source))


@pytest.mark.parametrize(
    "call",
    [
        *("cells.min()", "np.max(codes)", "max(values)", "min(*values)", "column.unique()"),
        *("pd.Series(cells).value_counts()", "np.quantile(cells, 0.5)", "frame.describe()"),
    ],
)
def test_a_look_at_many_values_is_caught(call: str) -> None:
    assert looks("dpdesk/data/encode.py", ast.parse(call))
    assert looks("dpdesk/desk/core/files/file_summary.py", ast.parse(call))


def test_a_choice_between_two_numbers_is_no_look() -> None:
    assert not looks("dpdesk/data/encode.py", ast.parse("min(max(index, 0), last)"))


# --- what may be looked at ----------------------------------------------------------------------

cells = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
plain_cells = cells.map(lambda cell: re.sub(r"[\r\n]", " ", cell))
LAYOUT = {*RECOGNISED, "header_row"} - {"decimal", "thousands"}
"""What rows of another layout than their header's may change of a proposal; see ``public_data``."""

bodies = st.lists(st.lists(cells, max_size=5), max_size=8)
HEADERS = [
    ("id,age,ward", ","),
    ("Fall;Größe (cm);Station", ";"),
    ('pid\tsex\t"a,b;c|d"', "\t"),
    ("id|crp|day", "|"),
]


def changed(found: DataSource, other: DataSource) -> set[str]:
    return {f.name for f in fields(other) if getattr(found, f.name) != getattr(other, f.name)}


def below(rows: Iterable[Iterable[str]], separator: str) -> bytes:
    written = io.StringIO(newline="")
    csv.writer(written, delimiter=separator, lineterminator="\n").writerows(rows)
    return written.getvalue().encode()


@anywhere
@given(rows=bodies, head=st.sampled_from(HEADERS), other=st.sampled_from(",;\t|"))
def test_what_is_published_of_a_layout_depends_on_no_cell_of_a_text(
    rows: list[list[str]], head: tuple[str, str], other: str, tmp_path: Path
) -> None:
    """A first line may be a title above wider rows, so rows are looked at, and none published."""
    path = tmp_path / "t.csv"
    path.write_bytes(head[0].encode() + b"\n" + below(rows, other))
    found = recognise(path)
    assert public_data(found) == {"format": "csv"}
    assert changed(found, DataSource(str(path))) <= LAYOUT


@anywhere
@given(rows=st.lists(st.tuples(*[plain_cells] * 3), max_size=8), head=st.sampled_from(HEADERS))
def test_what_is_recognised_depends_on_no_cell_of_rows_that_fit_their_header(
    rows: list[tuple[str, ...]], head: tuple[str, str], tmp_path: Path
) -> None:
    header, separator = head
    path = tmp_path / "t.csv"
    path.write_bytes(header.encode() + b"\n" + below(rows, separator))
    found = recognise(path)
    assert found == DataSource(str(path), separator=separator, decimal=".", encoding="utf-8")
    assert len(read_header(found, Path())) == 3


@anywhere
@given(body=st.one_of(st.binary(max_size=300), st.sampled_from([b"\xfc\xe4;1;2", b"\x00\x01\x02"])))
def test_bytes_below_the_header_decide_nothing_that_is_published(
    body: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"id,age,ward\n" + body)
    found = recognise(path)
    assert found.encoding in ("utf-8", "cp1252")
    assert public_data(found) == {"format": "csv"}
    assert changed(found, DataSource(str(path))) <= LAYOUT


@pytest.mark.parametrize("cell", ["SPSSPORT", "PAR1", "$FL2", "<stata_dta>", "PK"])
def test_a_cell_that_is_another_formats_mark_is_a_cell(cell: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"id,note\n1,{cell}\n{cell},2\n")
    assert recognise(path) == DataSource(str(path), separator=",")


def test_bytes_far_below_the_header_decide_the_encoding_and_nothing_else(tmp_path: Path) -> None:
    # A proposal of which nothing is published: see ``unit.RECOGNISED``.
    path = tmp_path / "t.csv"
    beginning = b"id,age\n" + b"1,20\n" * (HEAD_BYTES // 5)
    path.write_bytes(beginning)
    plain = recognise(path)
    path.write_bytes(beginning + b"2;3;4;5\r,\xfc\n")
    assert plain.encoding == "utf-8"
    assert recognise(path) == replace(plain, encoding="cp1252")


CELL = st.one_of(
    st.none(),
    st.text("abc,;|\"' 0123", max_size=5),
    st.floats(-1e9, 1e9),
    st.dates(date(1900, 3, 1), date(2100, 1, 1)),
)


@anywhere
@given(
    rows=st.lists(st.tuples(CELL, CELL, CELL), max_size=5),
    suffix=st.sampled_from([".xlsx", ".ods"]),
)
def test_what_is_recognised_depends_on_no_cell_of_a_workbook(
    rows: list[tuple[Any, ...]], suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"t{suffix}"
    write_workbook(path, {"Stays": [("id", "age", "ward"), *rows]})
    expected = DataSource(str(path), "excel", sheet="Stays", header_row=1)
    assert recognise(path) == expected


class Watched(io.RawIOBase):
    """An open file that remembers how far it was read."""

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__()
        self._stream = stream
        self.furthest = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._stream.seek(offset, whence)

    def readinto(self, buffer: Any) -> int:
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self.furthest = max(self.furthest, self._stream.tell())
        return len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()


@pytest.mark.parametrize("name", [n for n in SAVED if n not in ("xlsx", "ods", "xls")])
@pytest.mark.in_turn(2)
def test_no_more_than_the_beginning_of_a_file_is_read_to_recognise_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Stay(0, 1, "Chirurgie", 1, Decimal("0.5"), False, date(2020, 1, 1))
    source = SAVED[name]([replace(plain, line=n, patient=n) for n in range(3_000)], tmp_path)
    opened: list[Watched] = []

    def watching(source: DataSource, folder: Path) -> Watched:
        opened.append(Watched(open_data(source, folder)))
        return opened[-1]

    monkeypatch.setattr(recognising, "open_data", watching)
    assert recognise(Path(source.path)).format == source.format
    assert 0 < opened[0].furthest <= HEAD_BYTES
    # The encoding of a text is looked for to its end.
    assert len(opened) == 1 or source.format == "csv"


LABELS: dict[str, Any] = {
    "variable_value_labels": {"sex": {1: "male", 2: "female"}},
    "column_labels": {"sex": "Sex of the patient", "crp": "CRP (mg/L)"},
}


@anywhere
@given(
    sex=st.lists(st.floats(-99, 99), min_size=1, max_size=9),
    crp=st.floats(-1e6, 1e6),
    format=st.sampled_from(["sav", "dta"]),
)
def test_a_codebook_of_labels_depends_on_no_value(
    sex: list[float], crp: float, format: str, tmp_path: Path
) -> None:
    write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[format]
    found = []
    for values in ([1.0, 2.0], sex):
        frame = pd.DataFrame({"sex": values, "crp": [crp] * len(values)})
        if format == "dta":
            # Stata labels whole numbers alone.
            frame["sex"] = frame["sex"].round().astype("int8")
        write(frame, str(tmp_path / f"t.{format}"), **LABELS)
        found.append(read_codebook(tmp_path / f"t.{format}"))
    assert found[0] == found[1]
    changes = [diff(Study(), codebook, ("sex", "crp")) for codebook in found]
    assert changes[0] == changes[1] != ()


# --- two neighbouring files ---------------------------------------------------------------------

HEADER = "pid,ward,age,los,cost,sex,readmitted,day"
FILES = {
    "few": "1,A,30,2,100,F,no,2020-01-01\n2,B,40,3,200,M,yes,2020-01-02\n",
    "other": "999999,Z,-7,0.001,1e12,diverse,ja,1850-12-31\n",
    "none": "",
    "many": "".join(f"P{n},W{n},{n},{n}.5,{n}e3,S{n},R{n},31.12.{n:04}\n" for n in range(500)),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("options", [(), ("--json", "--levels")])
def test_the_plan_and_its_price_are_those_of_any_file(
    name: str, options: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "stays.dpdesk"
    printed = []
    for content in (FILES["few"], FILES[name]):
        path = tmp_path / "stays.csv"
        path.write_text(f"{HEADER}\n{content}")
        save_study(replace(STUDY, data=recognise(path)), study)
        assert main(["plan", str(study), *options]) == 0
        printed.append((capfd.readouterr().out, study.read_bytes()))
    assert printed[0] == printed[1]
    query = STUDY.queries[0]
    assert (query.id if options else title(STUDY, query)) in printed[0][0]
