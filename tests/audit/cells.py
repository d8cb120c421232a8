# SPDX-License-Identifier: Apache-2.0
"""One person's cell is read by itself: whatever it holds, all other rows keep their codes.

Each pair is a file and the same file with one person's row before all others: what a reader may
remember of a cell, or give up over it, shows in the rows that follow. The readers of workbooks and
of statistics files work in this process here, where a bug can be planted in them.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pandas as pd
import pyreadstat

from dpdesk.data.encoding.column_coder import ColumnCoder
from dpdesk.data.files.batch import OpenTable
from dpdesk.data.files.csv.csv_file import open_csv
from dpdesk.data.files.statistical.statistics_file import open_statistics
from dpdesk.data.files.workbook.workbook_file import open_workbook
from dpdesk.data.opened import locate_columns
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.data.table_rows import wanted_columns
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, FileFormat, Unit
from tests.data.workbooks import write_workbook

OPEN: dict[FileFormat, Callable[..., AbstractContextManager[OpenTable]]] = {
    "csv": open_csv,
    "excel": open_workbook,
    "spss": open_statistics,
}
NUMBER = NumberColumn("x", Decimal(0), Decimal(10_000), Decimal(1))
FAR = 777_777
"""Days of a stay; in the file they become more than any calendar holds."""


@dataclass(frozen=True)
class Cells:
    """A column of a file.

    Attributes:
        name: what one person's row holds.
        column: how the column is declared.
        source: how the file is read.
        write: writes it, with the person's row before the others' or without.
    """

    name: str
    column: Column
    source: DataSource
    write: Callable[[Path, bool], None]


def _truth(path: Path, has_person: bool) -> None:
    others = [[1, True], [2, False], [3, True]]
    write_workbook(path, {"Stays": [["id", "x"], *[[7, "perhaps"]] * has_person, *others]})


def _days(path: Path, has_person: bool) -> None:
    mine = "7,12/25/2021\n" * has_person
    path.write_text(f"id,x\n{mine}1,01/02/2021\n2,03/04/2021\n", encoding="utf-8")


def _stays(path: Path, has_person: bool) -> None:
    book = openpyxl.Workbook()
    rows = [[7, 5, timedelta(FAR)]] * has_person + [[n, n, timedelta(n)] for n in range(1, 1_500)]
    for row in [["id", "x", "stay"], *rows]:
        book.active.append(row)
    book.active.title = "Stays"
    book.save(path)
    with ZipFile(path) as whole:
        parts = {name: whole.read(name) for name in whole.namelist()}
    with ZipFile(path, "w") as changed:
        for name, part in parts.items():
            changed.writestr(name, part.replace(b"<v>%d<" % FAR, b"<v>1e9<"))


def _texts(path: Path, has_person: bool) -> None:
    texts = ["ZZZQ"] * has_person + ["A", "B", "A"]
    pyreadstat.write_sav(pd.DataFrame({"x": texts}), path)
    raw = path.read_bytes().replace(b"UTF-8", b"CP932")
    path.write_bytes(raw.replace(b"ZZZQ", b"Z\x81\xffQ"))


def _times(path: Path, has_person: bool) -> None:
    times = [1e7] * has_person + [3_600.0, 7_200.0]
    pyreadstat.write_sav(pd.DataFrame({"x": times}), path, variable_format={"x": "DTIME12"})


def _packed(path: Path, has_person: bool) -> None:
    mine = b" " * (8 << 20) + b"\n"
    path.write_bytes(gzip.compress(b"id,x\n" + mine * has_person + b"1,5\n2,6\n", mtime=0))


SHEET = DataSource("t.xlsx", "excel", sheet="Stays", header_row=1)
SPSS = DataSource("t.sav", "spss")
PAIRS = (
    Cells("a text among true and false", YesNoColumn("x", ("1",), ("0",)), SHEET, _truth),
    Cells(
        "a day with the month before it",
        DateColumn("x", date(2021, 1, 1), date(2021, 12, 31), "D/M/YYYY"),
        DataSource("t.csv"),
        _days,
    ),
    Cells("a duration beyond all years", NUMBER, SHEET, _stays),
    Cells(
        "a text in no encoding",
        CategoryColumn("x", ("A", "B")),
        DataSource("t.sav", "spss"),
        _texts,
    ),
    Cells("a long duration", NUMBER, DataSource("t.sav", "spss"), _times),
    Cells("a line of blanks", NUMBER, DataSource("t.csv.gz"), _packed),
)


def codes(pair: Cells, folder: Path) -> list[int]:
    """The codes of the column, in the file's order."""
    study = Study(data=pair.source, unit=Unit(), columns=(pair.column,))
    coder = ColumnCoder(pair.column, pair.source)
    found: list[int] = []
    opened = OPEN[pair.source.format](pair.source, folder, no_progress, CancelToken())
    with opened as table:
        wanted = wanted_columns(study, locate_columns(study, table.header))
        for load in table.loads(wanted):
            found += coder.codes(load().columns[0]).tolist()
    return found


def cell_findings(folder: Path) -> Iterator[str]:
    """The pairs in which one person's row changes how another's is read."""
    for pair in PAIRS:
        path = folder / pair.source.path
        pair.write(path, False)
        others: list[Any] = codes(pair, folder)
        if not others or min(others) < 0:
            yield f"{pair.name}: the others' cells cannot be read"
        pair.write(path, True)
        together = codes(pair, folder)
        mine = len(together) - len(others)
        if mine not in (0, 1) or together[mine:] != others:
            yield f"{pair.name}: other rows are read in another way"
