# SPDX-License-Identifier: Apache-2.0
"""What another process reads is what this one would have read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.data.files.batch import OpenTable, Wanted
from dpdesk.data.files.statistical.statistics_file import open_statistics
from dpdesk.data.files.workbook.workbook_file import look_at as look_here
from dpdesk.data.files.workbook.workbook_file import open_workbook
from dpdesk.data.files.workbook.workbook_file import propose_workbook as propose_here
from dpdesk.data.files.workbook.workbook_file import sheets as sheets_here
from dpdesk.data.inspection.raw_preview import top_rows
from dpdesk.data.reader_process.isolated_table import open_isolated
from dpdesk.data.reader_process.isolated_workbook import look_at, propose_workbook, sheets
from dpdesk.study.model.unit import DataSource
from tests.data.files.saved import SAVED, Stay
from tests.data.workbooks import write_workbook

STAYS = [
    Stay(n, n % 7, ("Chirurgie", "", "Röntgen")[n % 3], n % 9, None, n % 2 == 0, None)
    for n in range(200)
]
KINDS = ("xlsx", "ods", "xls", "sav", "sav with user-missing", "zsav", "dta", "dta 14")
NATIVE = (*KINDS, "xpt 5", "xpt 8")


def batches_of(table: OpenTable, wanted: list[Wanted]) -> list[object]:
    """Every batch: its rows, and each column's type and cells."""
    batches = [load() for load in table.loads(wanted)]
    return [
        (batch.rows, [(str(column.type), column.to_pylist()) for column in batch.columns])
        for batch in batches
    ]


@pytest.mark.parametrize("name", NATIVE)
@pytest.mark.in_turn(6)
def test_header_rows_and_batches_are_the_same(name: str, tmp_path: Path) -> None:
    source = SAVED[name](STAYS, tmp_path)
    here = open_workbook if source.format == "excel" else open_statistics
    seen = []
    for opener in (here, open_isolated):
        with opener(source, tmp_path) as table:
            header = table.header
            wanted = [Wanted(place) for place in reversed(range(len(header)))]
            seen.append([header, batches_of(table, wanted)])
        with opener(source, tmp_path) as table:
            seen[-1].append(table.first_rows(30))
        with opener(source, tmp_path) as table:
            seen[-1].append(batches_of(table, []))
    assert seen[0] == seen[1]
    assert sum(rows for rows, _ in seen[1][1]) == len(STAYS)
    assert len(seen[1][2]) == 30


def test_a_table_answers_again_and_again(tmp_path: Path) -> None:
    source = SAVED["sav"](STAYS, tmp_path)
    with open_isolated(source, tmp_path) as table:
        first = table.first_rows(2)
        assert batches_of(table, [Wanted(0)]) == batches_of(table, [Wanted(0)])
        assert table.first_rows(2) == first


@pytest.fixture
def book(tmp_path: Path) -> DataSource:
    rows = [["Stays 2025"], [], ["id", " days"], ["p1", 3.5], ["p2", None]]
    write_workbook(tmp_path / "b.xlsx", {"Notes": [["x"]], "Stays": rows, "Empty": []})
    return DataSource("b.xlsx", "excel", sheet="Stays", header_row=3)


def test_all_that_is_asked_of_a_workbook_is_the_same(book: DataSource, tmp_path: Path) -> None:
    path = tmp_path / book.path
    assert sheets(path) == sheets_here(path) == ("Notes", "Stays", "Empty")
    assert propose_workbook(path) == propose_here(path) == ("", None)
    for changes in (
        {},
        {"header_row": 0},
        {"header_row": 9},
        {"sheet": "None"},
        {"sheet": "Empty"},
    ):
        source = replace(book, **changes)
        assert look_at(source, tmp_path, 4) == look_here(source, tmp_path, 4)


def test_a_look_is_the_top_the_header_and_the_sheets(book: DataSource, tmp_path: Path) -> None:
    look = look_at(book, tmp_path, 4)
    assert look.sheets == ("Notes", "Stays", "Empty") and look.problems == ()
    assert look.header == ("id", "days")
    assert list(map(list, look.top)) == top_rows(book, tmp_path, 4)
    assert look.top[2:] == (("id", " days"), ("p1", "3.5"))


@pytest.mark.parametrize(
    ("changes", "code", "rows"),
    [
        ({"header_row": 9}, "header-row-absent", 4),
        ({"sheet": "None"}, "sheet-absent", 0),
        ({"sheet": "Empty"}, "data-file-empty", 0),
    ],
)
def test_a_look_at_a_wrong_choice_shows_what_there_is(
    changes: dict[str, object], code: str, rows: int, book: DataSource, tmp_path: Path
) -> None:
    look = look_at(replace(book, **changes), tmp_path, 4)  # type: ignore[arg-type]
    assert [problem.code for problem in look.problems] == [code]
    assert (look.sheets[1], look.header, len(look.top)) == ("Stays", (), rows)
