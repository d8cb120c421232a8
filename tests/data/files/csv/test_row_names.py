# SPDX-License-Identifier: Apache-2.0
"""A header that is one cell short, as R writes it before its row names."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.encode import encode
from dpdesk.data.opened import read_header, sample_rows
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit

AGE = NumberColumn("age", Decimal(0), Decimal(120), Decimal(1))
R = DataSource("t.csv", row_names=True)


def _ages(text: str, source: DataSource, folder: Path) -> list[int]:
    (folder / "t.csv").write_text(text)
    study = Study(data=source, unit=Unit("pid", 9), columns=(AGE,))
    ages: list[int] = encode(study, folder).column("age").codes.tolist()
    return ages


def test_row_names_have_a_column_of_their_own(tmp_path: Path) -> None:
    text = '"pid","age"\n"1",100,40\n"2",100,41\n"3",101,42\n'
    assert _ages(text, R, tmp_path) == [40, 41, 42]
    assert read_header(R, tmp_path) == ("(column 1)", "pid", "age")
    assert sample_rows(R, tmp_path, 1) == [["1", "100", "40"]]
    assert _ages(text, replace(R, row_names=False), tmp_path) == [100, 100, 101]


@pytest.mark.parametrize("row", ["", "r", "r,102", "r,102,43", "r,102,43,x"])
def test_no_row_moves_anothers_columns(row: str, tmp_path: Path) -> None:
    ages = _ages(f"pid,age\nr,100,40\n{row}\nr,101,42\n", R, tmp_path)
    assert [age for age in ages if age not in (-1, 43)] == [40, 42]
