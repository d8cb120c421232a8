# SPDX-License-Identifier: Apache-2.0
"""Marks of numbers are proposed where every cell of the preview has one reading, and all agree."""

from __future__ import annotations

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
from dpdesk.data.inspection.number_marks import NumberMarks, agreed_marks, proposed_marks
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


@pytest.mark.parametrize(
    ("cells", "marks"),
    [
        (["1,5"], NumberMarks(",")),
        (["-1,5E+3", "+2,5e-1"], NumberMarks(",")),
        (["1.5", "2"], NumberMarks(".")),
        (["0,123"], NumberMarks(",")),
        (["1234,567"], NumberMarks(",")),
        (["1.234.567"], NumberMarks(",", ".")),
        (["1,234.5", "0.5"], NumberMarks(".", ",")),
        (["1\u202f234", "7,5"], NumberMarks(",", " ")),
        (["1\u2019234", "7.5"], NumberMarks(".", "'")),
        (["1 234"], NumberMarks(".", " ")),
        (["1.234"], None),
        (["1,234", "1,5"], None),
        (["1.5e3", "1,5"], None),
        (["1,5", "1.5"], None),
        (["1.234,5", "1 234,5"], None),
        (["1.234.567", "1,234,567"], None),
        (["12", "Berlin", "01.02.2021", "10:30", ""], None),
        ([], None),
    ],
)
def test_there_is_no_proposal_where_there_is_a_doubt(
    cells: list[str], marks: NumberMarks | None
) -> None:
    assert agreed_marks(cells) == marks
    assert agreed_marks(cells[::-1]) == marks


@given(cells=st.lists(CELLS, max_size=5))
def test_a_proposal_is_the_only_way_to_read_the_cells(cells: list[str]) -> None:
    """Held against the reader of numbers itself, with every pair of marks."""
    found = agreed_marks(cells)
    if found is None:
        return
    own = GridReader(COLUMN, found.decimal, found.thousands)
    for cell in cells:
        readings = {GridReader(COLUMN, m.decimal, m.thousands).read(cell) for m in MARKS} - {None}
        assert len(readings) < 2 or not any(sign in cell.strip("+- ") for sign in ".,' "), cell
        assert not readings or own.read(cell) in readings


def test_only_what_was_not_declared_is_asked_about() -> None:
    rows = [["1,5"]]
    assert proposed_marks(DataSource("a.csv"), rows) == NumberMarks(",")
    assert proposed_marks(DataSource("a.csv", decimal=","), rows) is None
    for part in ("decimal", "thousands"):
        assert proposed_marks(DataSource("a.csv", by_hand=(part,)), rows) is None


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
    found = proposed_marks(source, sample_rows(source, Path(), 10))
    assert found == marks
    if marks is not None:
        column = NumberColumn("text", Decimal(0), Decimal(2000), Decimal("0.25"))
        read = replace(source, decimal=marks.decimal, thousands=marks.thousands)
        codes = encode(Study(data=read, columns=(column,)), Path()).column("text").codes
        assert codes.tolist() == [round(4 * _number(text)) for text in texts]
        assert proposed_marks(read, sample_rows(read, Path(), 10)) is None


def _number(text: str) -> float:
    return float(text.replace(".", "").replace(",", "."))
