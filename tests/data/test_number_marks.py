# SPDX-License-Identifier: Apache-2.0
"""Marks of numbers are proposed where every cell of the preview has one reading, and all agree."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.number import GridReader
from dpdesk.data.number_marks import NumberMarks, agreed_marks, proposed_marks
from dpdesk.study.columns import NumberColumn
from dpdesk.study.unit import DataSource

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


def test_only_a_text_is_asked_about_and_only_what_was_not_declared() -> None:
    rows = [["1,5"]]
    assert proposed_marks(DataSource("a.csv"), rows) == NumberMarks(",")
    assert proposed_marks(DataSource("a.csv", decimal=","), rows) is None
    assert proposed_marks(DataSource("a.xlsx", "excel"), rows) is None
    for part in ("decimal", "thousands"):
        assert proposed_marks(DataSource("a.csv", by_hand=(part,)), rows) is None
