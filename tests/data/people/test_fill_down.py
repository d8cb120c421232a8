# SPDX-License-Identifier: Apache-2.0
"""Ids that stand in the first row of a person's alone, as where a spreadsheet merges them."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow as pa
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.data.files.value_texts import UNREADABLE_ID
from dpdesk.data.people.person_keys import PersonCoder
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit

AGE = NumberColumn("age", Decimal(0), Decimal(120), Decimal(1))
CSV = DataSource("t.csv", missing=("?",), fill_down=True)
NUMBERS = ["7", "", "8", "?", "", "7"]
WORDS = ["ab", " ", "Case-number 12/7 of ward B", "?", "", "AB"]


def _encoded(source: DataSource, folder: Path, rows: int = 9) -> EncodedTable:
    return encode(Study(data=source, unit=Unit("pid", rows), columns=(AGE,)), folder)


def _people(table: EncodedTable) -> list[list[int]]:
    """The ages of each person, by their first row."""
    ages, persons = table.column("age").codes, table.persons()
    return [sorted(ages[persons == person].tolist()) for person in dict.fromkeys(persons.tolist())]


@pytest.mark.parametrize("ids", [NUMBERS, WORDS])
@pytest.mark.parametrize("at_once", range(1, 7))
def test_a_blank_id_is_that_of_the_row_above_wherever_batches_end(
    ids: list[str], at_once: int
) -> None:
    coder = PersonCoder(("?",), fills_down=True)
    for start in range(0, len(ids), at_once):
        coder.add(coder.ids(pa.array(ids[start : start + at_once])))
        coder.add(coder.ids(pa.array([], pa.string())))  # all lines of a batch may be no rows
    keys = coder.keys()
    high = np.broadcast_to(np.asarray(keys.high), len(keys.low))
    pairs = list(zip(keys.low.tolist(), high.tolist(), strict=True))
    assert pairs[0] == pairs[1] == pairs[5] != pairs[2]
    assert [low < 0 for low, _ in pairs] == [False, False, False, True, True, False]


def test_rows_above_the_first_id_have_none(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("pid,age\n,30\n,31\n1,40\n,41\n2,50\n")
    assert _people(_encoded(CSV, tmp_path)) == [[40, 41], [50]]
    assert _people(_encoded(replace(CSV, fill_down=False), tmp_path)) == [[40], [50]]


def test_rows_below_a_line_that_is_no_row_are_not_the_person_aboves(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('pid,age\n1,40\n"2,50\n,51\n\n,52\n3,60\n,61\n')
    assert _people(_encoded(CSV, tmp_path)) == [[40], [60, 61]]


def test_a_row_of_a_workbook_that_cannot_be_read_ends_a_persons_rows(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["pid", "age", "stay"], [1, 40, 1], [2, 50, 1e9], [None, 51, 1], [3, 60, 1]):
        book.active.append(row)
    for number in range(2, 6):
        book.active.cell(number, 3).number_format = "[h]:mm:ss"
    book.save(tmp_path / "t.xlsx")
    source = DataSource("t.xlsx", "excel", sheet="Sheet", header_row=1, fill_down=True)
    assert _people(_encoded(source, tmp_path)) == [[40], [60]]


def test_ids_merged_over_several_rows_are_everybodys(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["pid", "age"])
    for number in range(2, 14):
        book.active.append([number if number % 3 == 2 else None, 20 + number])
    for start in range(2, 14, 3):
        book.active.merge_cells(f"A{start}:A{start + 2}")
    book.save(tmp_path / "t.xlsx")
    source = DataSource("t.xlsx", "excel", sheet="Sheet", header_row=1, fill_down=True)
    table = _encoded(source, tmp_path)
    assert (table.people(), len(table.persons())) == (4, 12)
    assert len(_encoded(replace(source, fill_down=False), tmp_path).persons()) == 4


def test_an_id_that_is_the_sign_of_a_line_that_is_none_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"pid,age\n1,40\n{UNREADABLE_ID},50\n,51\n", encoding="utf-8")
    assert _people(_encoded(CSV, tmp_path)) == [[40]]
