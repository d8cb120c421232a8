# SPDX-License-Identifier: Apache-2.0
"""From a file's text to exact integers, against a slow and obvious reference."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.data.aggregation import chunks
from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.exact import Exact
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from tests.audit.length import runs
from tests.data.reference import answer
from tests.data.tables import (
    HEADER,
    Row,
    encode_rows,
    random_measure,
    random_rows,
    random_study,
    write_rows,
)

Opened = Callable[[Exact], list[int]]
ODD = runs(short=80, full=500)
anywhere = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def readable(row: Row, study: Study) -> tuple[dict[str, str], int]:
    """A row as the reference takes it: cells by name, as the encoding lets them through."""
    encoding = study.data.encoding
    cells = (cell.encode(encoding, "replace").decode(encoding) for cell in row.cells)
    return dict(zip(HEADER, cells, strict=True)), row.priority


@pytest.mark.threat("A5")
@anywhere
@given(seed=st.integers(0, 2**32))
def test_parts_of_any_size_add_up_to_the_same(seed: int, tmp_path: Path, opened: Opened) -> None:
    dice = random.Random(seed)
    study = random_study(dice)
    table = encode_rows(study, tmp_path, random_rows(dice))
    asked = random_measure(dice, study)
    whole = opened(measure(table, study, asked))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "PART_ROWS", dice.randint(1, 7))
        patch.setattr(chunks, "_ROWS_A_CELL", 0)
        assert opened(measure(table, study, asked)) == whole


@anywhere
@given(seed=st.integers(0, 2**32))
def test_the_chain_gives_what_the_reference_gives(
    seed: int, tmp_path: Path, opened: Opened
) -> None:
    dice = random.Random(seed)
    study, rows = random_study(dice), random_rows(dice)
    table = encode_rows(study, tmp_path, rows)
    plain = [readable(row, study) for row in rows]
    for _ in range(8):
        asked = random_measure(dice, study)
        assert opened(measure(table, study, asked)) == answer(study, plain, asked), asked


@pytest.mark.threat("A5")
@anywhere
@given(seed=st.integers(0, 2**32))
def test_the_order_of_the_file_changes_nothing(seed: int, tmp_path: Path, opened: Opened) -> None:
    dice = random.Random(seed)
    study, rows = random_study(dice), random_rows(dice)
    # Equal priorities too: rows that differ are told apart by what they hold.
    rows = [replace(row, priority=row.priority % 3) for row in rows]
    asked = [random_measure(dice, study) for _ in range(5)]
    first = encode_rows(study, tmp_path, rows)
    expected = [opened(measure(first, study, a)) for a in asked]
    for _ in range(runs(short=2, full=10)):
        dice.shuffle(rows)
        table = encode_rows(study, tmp_path, rows)
        assert [opened(measure(table, study, a)) for a in asked] == expected


def test_an_odd_cell_changes_no_other_cell(tmp_path: Path) -> None:
    dice = random.Random(20)
    columns = random_study(dice).columns
    # Every row a person: positions stay, so codes can be compared one by one.
    data = DataSource("table.csv", missing=("?",), line_breaks=True)
    study = Study(data=data, unit=Unit(), columns=columns)
    rows = [
        Row(("1", "3", "2", "A", "F", "yes"), 0),
        Row(("2", "4", "1", "B", "M", "no"), 1),
        Row(("3", "5", "7", "C", "", ""), 2),
    ]
    plain = encode_rows(study, tmp_path, rows)
    odd = odd_texts(dice)
    for text in odd:
        column = dice.randrange(1, len(HEADER))
        cells = (*rows[1].cells[:column], text, *rows[1].cells[column + 1 :])
        table = encode_rows(study, tmp_path, [rows[0], Row(cells, 1), rows[2]])
        for index, name in enumerate(HEADER[1:], 1):
            same = np.array([True, index != column, True])
            here, there = (t.column(name).codes for t in (plain, table))
            assert len(there) == 3
            assert (here[same] == there[same]).all(), name


def odd_texts(dice: random.Random) -> list[str]:
    """Texts that have upset a reader of tables before."""
    pieces = ['"', '""', ",", "\n", "\r\n", "\x00", "\u2028", "\ufeff", "NaN", "1e999", "'", "=1",
              "\u0661", "\U0001f600", "\\", "\x1a", "\x85", " ", "\t", "-", "x" * 5000]  # fmt: skip
    return ["".join(dice.choices(pieces, k=dice.randint(1, 4))) for _ in range(ODD)]


def test_a_lone_carriage_return_tears_no_row_in_two(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,x\ry\n2\r,x y\r\n3,\r\n")
    study = Study(
        data=DataSource("t.csv"),
        unit=Unit(),
        columns=(
            NumberColumn("a", Decimal(0), Decimal(9), Decimal(1)),
            CategoryColumn("b", ("x y",)),
        ),
    )
    table = encode(study, tmp_path)
    assert table.column("a").codes.tolist() == [1, 2, 3]
    assert table.column("b").codes.tolist() == [0, 0, -1]


OPEN = ('9,"1,2,A', '"')
"""Lines on which a quoted cell stays open: they are no rows."""


@pytest.mark.parametrize("line", [*OPEN, '9,5" tall,1', '9,"a"b,1,2', "9,\x00,,,,,,,,,"])
def test_a_broken_line_changes_no_other_row(line: str, tmp_path: Path) -> None:
    study = Study(
        data=DataSource("table.csv"),
        unit=Unit(),
        columns=(NumberColumn("a", Decimal(0), Decimal(9), Decimal(1)),),
    )
    above, below = "a,b,c,d\n1,x,y,z\n2,x,y,z\n", "3,x,y,z\n4,x,y,z\n"
    codes = []
    for text in (above + below, above + line + "\n" + below):
        (tmp_path / "table.csv").write_text(text, encoding="utf-8", newline="")
        codes.append(encode(study, tmp_path).column("a").codes.tolist())
    assert len(codes[1]) == (4 if line in OPEN else 5)
    assert codes[1][:2] + codes[1][-2:] == codes[0]


def test_a_file_of_a_header_alone_is_a_table_of_nobody(tmp_path: Path, opened: Opened) -> None:
    dice = random.Random(3)
    study = random_study(dice)
    table = encode_rows(study, tmp_path, [])
    for _ in range(20):
        asked = random_measure(dice, study)
        assert set(opened(measure(table, study, asked))) <= {0}


def test_cells_that_all_fail_to_parse_leave_zeros(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "abc,zzz\n" * 50)
    study = Study(
        data=DataSource("t.csv"),
        unit=Unit(),
        columns=(
            NumberColumn("a", Decimal(0), Decimal(9), Decimal(1)),
            CategoryColumn("b", ("x", "y")),
        ),
    )
    table = encode(study, tmp_path)
    assert opened(measure(table, study, AggregateSpec("sum", "a", offset=5))) == [0]
    assert opened(measure(table, study, AggregateSpec("rows", by=("b",)))) == [0, 0]


def test_short_rows_lack_cells_and_long_rows_have_too_many(tmp_path: Path, opened: Opened) -> None:
    (tmp_path / "t.csv").write_text("a,b\n1\n2,x,9,9\n\n   \n3,y,\n,\n")
    study = Study(
        data=DataSource("t.csv"),
        unit=Unit(),
        columns=(
            NumberColumn("a", Decimal(0), Decimal(9), Decimal(1)),
            CategoryColumn("b", ("x", "y"), missing="category"),
        ),
    )
    table = encode(study, tmp_path)
    assert table.column("a").codes.tolist() == [1, 2, 3, -1]
    assert opened(measure(table, study, AggregateSpec("rows", by=("b",)))) == [1, 1, 2]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_dialect_gives_the_same_codes(
    encoding: str, separator: str, line_end: str, tmp_path: Path
) -> None:
    # Where CR ends a row, a writer need not quote LF.
    two_lines = "B b" if line_end == "\r" else "B\nb"
    cells = [("größe", "ward"), ("1", "Ä"), ("2", two_lines), ("", 'say "ß"'), ("3", "a,b;c\td|e")]
    with (tmp_path / "t.csv").open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=separator, lineterminator=line_end).writerows(cells)
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    values = ("Ä", two_lines, 'say "ß"', "a,b;c\td|e")
    study = Study(
        data=DataSource(
            "t.csv",
            separator=separator,
            encoding=declared,
            line_ending="cr" if line_end == "\r" else "",
            line_breaks=True,
        ),
        unit=Unit(),
        columns=(
            NumberColumn("größe", Decimal(0), Decimal(9), Decimal(1)),
            CategoryColumn("ward", values),
        ),
    )
    table = encode(study, tmp_path)
    assert table.column("größe").codes.tolist() == [1, 2, -1, 3]
    assert table.column("ward").codes.tolist() == [0, 1, 2, 3]


def test_a_batch_ends_where_it_likes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(9)
    study = random_study(dice)
    rows = [row for _ in range(6) for row in random_rows(dice, 60)]
    whole = encode_rows(study, tmp_path, rows)
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr("dpdesk.data.files.source.CHUNK_BYTES", size)
        write_rows(tmp_path, rows, study.data)
        pieces = encode_rows(study, tmp_path, rows)
        for name in HEADER[1:]:
            assert (pieces.column(name).codes == whole.column(name).codes).all()
        assert (pieces.persons() == whole.persons()).all()
