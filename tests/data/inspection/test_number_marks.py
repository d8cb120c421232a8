# SPDX-License-Identifier: Apache-2.0
"""Marks of numbers are proposed where one reading fits every cell, and asked where two do."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.encode import encode
from dpdesk.data.encoding.number import GridReader
from dpdesk.data.inspection.number_marks import (
    NumberMarks,
    marks_to_confirm,
    possible_readings,
)
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import sample_rows
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from tests.data.workbooks import write_workbook

COLUMN = NumberColumn("x", Decimal(0), Decimal(10), Decimal(1))
MARKS = [NumberMarks(d, t) for d in (".", ",") for t in ("", ",", ".", " ", "'") if d != t]  # type: ignore[arg-type]
CELLS = st.one_of(
    st.from_regex(r"[+-]?[0-9]{0,4}([., ']?[0-9]{1,4}){0,4}", fullmatch=True),
    st.text("0123456789.,' -+eE", max_size=12),
)


POINT, COMMA = NumberMarks("."), NumberMarks(",")
GERMAN, ENGLISH = NumberMarks(",", "."), NumberMarks(".", ",")


@pytest.mark.parametrize(
    ("cells", "readings"),
    [
        (["1,5"], (COMMA,)),
        (["-1,5E+3", "+2,5e-1"], (COMMA,)),
        (["1.5", "2"], (POINT,)),
        (["0,123"], (COMMA,)),
        (["1234,567"], (COMMA,)),
        (["1.234.567"], (GERMAN,)),
        (["1,234.5", "0.5"], (ENGLISH,)),
        (["1\u202f234", "7,5"], (NumberMarks(",", " "),)),
        (["1\u2019234", "7.5"], (NumberMarks(".", "'"),)),
        (["1 234"], (NumberMarks(".", " "),)),
        # One cell alone leaves a doubt that another one ends.
        (["1,234", "1,5"], (COMMA,)),
        (["1.234", "0,75"], (GERMAN,)),
        (["1.234", "1.234.567"], (GERMAN,)),
        (["1.234", "1.2"], (POINT,)),
        (["1.234", "999", "12.500"], (POINT, GERMAN)),
        (["1,234"], (COMMA, ENGLISH)),
        (["1.234", "1,234"], (GERMAN, ENGLISH)),
        (["1.5e3", "1,5"], ()),
        (["1,5", "1.5"], ()),
        (["1.234,5", "1 234,5"], ()),
        (["1.234.567", "1,234,567"], ()),
        (["12", "Berlin", "01.02.2021", "10:30", ""], ()),
        ([], ()),
    ],
)
def test_the_readings_of_all_marked_cells_are_intersected(
    cells: list[str], readings: tuple[NumberMarks, ...]
) -> None:
    assert set(possible_readings(cells)) == set(readings)
    assert set(possible_readings(cells[::-1])) == set(readings)


@given(cells=st.lists(CELLS, max_size=5))
def test_what_is_proposed_or_asked_are_all_the_ways_to_read_the_cells(cells: list[str]) -> None:
    """Held against the reader of numbers itself, with every pair of marks."""
    found = possible_readings(cells)
    readers = [GridReader(COLUMN, m.decimal, m.thousands) for m in MARKS]
    # "5." is an item of a list as often as a number, so it is no sign of how numbers are written.
    marked = [c for c in cells if re.search("[., '][0-9]", c.strip("+- "))]
    said = [[reader.read(c) for reader in readers] for c in marked]
    said = [numbers for numbers in said if any(n is not None for n in numbers)]
    ways = {way for way in zip(*said, strict=True) if None not in way}
    if not found:
        assert not ways
    assert len(ways) == len(found)
    for marks in found:
        reader = GridReader(COLUMN, marks.decimal, marks.thousands)
        assert all(reader.read(c) is not None for c in marked if readable(c))


def readable(cell: str) -> bool:
    return any(GridReader(COLUMN, m.decimal, m.thousands).read(cell) for m in MARKS)


def test_only_what_was_not_declared_is_asked_about() -> None:
    rows = [["1,5"]]
    assert marks_to_confirm(DataSource("a.csv"), rows) == (COMMA,)
    assert marks_to_confirm(DataSource("a.csv", decimal=","), rows) == ()
    assert marks_to_confirm(DataSource("a.csv"), [["1.234"]]) == (POINT, GERMAN)
    german = DataSource("a.csv", decimal=",", thousands=".")
    assert marks_to_confirm(german, [["1.234"]]) == (GERMAN, POINT)
    assert marks_to_confirm(german, [["1.234,5"]]) == ()
    for part in ("decimal", "thousands"):
        assert marks_to_confirm(DataSource("a.csv", by_hand=(part,)), rows) == ()


@pytest.mark.parametrize("suffix", [".xlsx", ".ods", ".parquet", ".sav"])
@pytest.mark.parametrize(
    ("texts", "numbers", "marks"),
    [
        (["1,5", "12,25"], [1.0, 2.0], NumberMarks(",")),
        (["1.234,5", "0,75"], [1.0, 2.0], NumberMarks(",", ".")),
        (["1.5", "2.25"], [0.5, 2.25], None),
        (["1,5", "12,25"], [0.5, 2.0], None),
        (["1,5", "1.5"], [1.0, 2.0], None),
        (["ill", "well"], [0.5, 1.234], None),
    ],
)
def test_texts_of_numbers_in_other_kinds_of_files_are_asked_about_too(
    tmp_path: Path,
    suffix: str,
    texts: list[str],
    numbers: list[float],
    marks: NumberMarks | None,
) -> None:
    """A number that the file knows is shown with a point, and agrees or disagrees with it."""
    path = tmp_path / f"t{suffix}"
    table = pd.DataFrame({"text": texts, "number": numbers})
    if suffix == ".parquet":
        table.to_parquet(path)
    elif suffix == ".sav":
        pyreadstat.write_sav(table, path)
    else:
        write_workbook(path, {"S": [list(table.columns), *zip(texts, numbers, strict=True)]})
    source = recognise(path)
    found = marks_to_confirm(source, sample_rows(source, Path(), 10))
    assert found == (() if marks is None else (marks,))
    if marks is not None:
        column = NumberColumn("text", Decimal(0), Decimal(2000), Decimal("0.25"))
        read = replace(source, decimal=marks.decimal, thousands=marks.thousands)
        codes = encode(Study(data=read, columns=(column,)), Path()).column("text").codes
        assert codes.tolist() == [round(4 * _number(text)) for text in texts]
        assert marks_to_confirm(read, sample_rows(read, Path(), 10)) == ()


def _number(text: str) -> float:
    return float(text.replace(".", "").replace(",", "."))
