# SPDX-License-Identifier: Apache-2.0
"""Neighbours in other kinds of files: one person's rows are added, taken away or replaced.

There a row's end is the format's own, but its cells share what others' cells use: dictionaries
and pages of columns, tables of strings, cells that are written once and repeated, the type and
the width of a column. So each file is written by dice: in which order its strings are listed,
what is repeated, how many rows a group has, which type a column gets.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyreadstat
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from pyarrow import parquet

from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, FileFormat
from tests.audit.neighbour_studies import NAMES, VARIANTS, made_study, made_unit, vectors
from tests.data.workbooks import write_ods
from tests.doors import distance

Cell = str | float | bool | datetime | None
Row = tuple[Cell, ...]

MINE: tuple[Cell, ...] = ("7", 7, 7.0, "07", " 7", "7.0", None)
THEIRS: tuple[tuple[Cell, ...], ...] = (
    ("1", 1, 1.0),
    ("2", 2),
    ("ab", "AB "),
    ("patient x", "Patient  X", "PATIENT X"),
    ("5f0c1d2e-0000-4a7b-9c3d-00000000000a", "5F0C1D2E-0000-4A7B-9C3D-00000000000A "),
    ("8", "008"),
    (None, "", "?"),
)
STAYS: tuple[Cell, ...] = (0, 1, 5, 10, 3.5, -4, 1e300, "5", "5.0", "abc", "", None, "?", True)
WARDS: tuple[Cell, ...] = ("A", "B", "A", "B", " A ", "C", "", None, 3, "A\x0b", "x" * 300, "ZZQ")
DAYS: tuple[Cell, ...] = (
    *("2024-01-05", "2024-02-29 13:45", datetime(2024, 3, 1), datetime(2024, 3, 1, 7, 30)),
    *("05.01.2024", "1/5/24", 45_292, 20_240_105, "2023-12-31", "no day", None, ""),
)
ANSWERS: tuple[Cell, ...] = ("yes", "no", "YES", 1, 0, True, None, "?", "maybe")
SEXES: tuple[Cell, ...] = ("F", "M", "X", None)
NOTES: tuple[Cell, ...] = (None, "well", 'say "A", "B"', "two\nlines", 2, "=1+1", "é" * 90)
Pools = tuple[tuple[Cell, ...], ...]
POOLS: tuple[Pools, ...] = (
    (STAYS, (0, 1, 5, 10), (0.0, 3.5, None, 1e300)),
    (WARDS,),
    (DAYS, tuple(day for day in DAYS if isinstance(day, datetime)), (datetime(2024, 4, 5), None)),
    (ANSWERS, (1, 0, None)),
    (SEXES,),
    (NOTES,),
)
"""What the cells of each column are chosen from: anything, or what gives it a type of its own."""
SHEET = "Stays"


@dataclass(frozen=True)
class TableWorld:
    """A table and neighbours of it.

    Attributes:
        study: what is asked.
        others: the rows of everybody else.
        first: one person's rows in the first table.
        neighbours: the same in each of the others.
    """

    study: Study
    others: tuple[Row, ...]
    first: tuple[Row, ...]
    neighbours: tuple[tuple[Row, ...], ...]


def table_world(seed: int, several: int = 3) -> TableWorld:
    """A made-up world; the same for the same seed."""
    dice = random.Random(seed)
    unit = replace(made_unit(dice), max_rows=5)
    if unit.person is None:
        unit = replace(unit, max_rows=1)
    pools = tuple(dice.choice(pools) for pools in POOLS)
    others: list[Row] = []
    for ids in THEIRS:
        others += [made_row(dice, ids, pools) for _ in range(dice.randint(0, 3))]
    dice.shuffle(others)
    ids = MINE if unit.without_id == "drop" else MINE[:-1]
    mine = [
        tuple(made_row(dice, ids, pools) for _ in range(dice.randint(1, 6) if unit.person else 1))
        for _ in range(several + 1)
    ]
    first = () if unit.neighbours == "add-remove" else mine[0]
    study = made_study(unit, False, dice.randrange(VARIANTS))
    return TableWorld(study, tuple(others), first, tuple(mine[1:]))


def made_row(
    dice: random.Random, ids: tuple[Cell, ...], pools: tuple[tuple[Cell, ...], ...]
) -> Row:
    """A row of an id and a cell of each pool."""
    return tuple(map(dice.choice, (ids, *pools)))


def table_violations(
    world: TableWorld, kind: str, folder: Path, dice: random.Random
) -> list[tuple[str, int, float]]:
    """The draws whose distance exceeds what was declared, in one kind of file."""
    write, format = KINDS[kind]
    path = folder / f"table{kind}"
    of_sheet = {"sheet": SHEET, "header_row": 1} if format == "excel" else {}
    source = DataSource(path.name, format, missing=("?",), **of_sheet)  # type: ignore[arg-type]
    study = replace(world.study, data=source)

    def written(mine: tuple[Row, ...]) -> Any:
        rows = list(world.others)
        for row in mine:
            rows.insert(dice.randint(0, len(rows)), row)
        write(path, rows, dice)
        return vectors(study, folder)

    first, found = written(world.first), []
    for mine in world.neighbours:
        second = written(mine)
        assert [c.public for c in first] == [c.public for c in second]
        pairs = zip(first, second, strict=True)
        found += [(here.name, here.sensitivity, distance(here, there)) for here, there in pairs]
    return [moved for moved in found if moved[2] > moved[1]]


# --- writers ------------------------------------------------------------------------------------


def write_parquet(path: Path, rows: list[Row], dice: random.Random) -> None:
    """Columns of any type that holds them, dictionaries in any order and with strangers in them."""
    columns = {name: _array([row[place] for row in rows], dice) for place, name in enumerate(NAMES)}
    parquet.write_table(
        pa.table(columns),
        path,
        row_group_size=dice.choice([1, 2, 5, 1000]),
        use_dictionary=dice.random() < 0.5,
        compression=dice.choice(["none", "snappy", "zstd"]),
        data_page_size=dice.choice([1, 64, 1 << 20]),
    )


def _array(cells: list[Cell], dice: random.Random) -> pa.Array:
    numbers = all(c is None or type(c) in (int, float) for c in cells)
    if numbers and dice.random() < 0.7:
        whole = all(c is None or (c == int(c) and abs(c) < 2**31) for c in cells)
        return pa.array(cells, pa.int64() if whole and dice.random() < 0.5 else pa.float64())
    if all(c is None or isinstance(c, datetime) for c in cells) and dice.random() < 0.7:
        return pa.array(cells, pa.timestamp(dice.choice(["s", "ms", "us", "ns"])))
    texts = [None if c is None else _text(c) for c in cells]
    kind = dice.choice(["string", "large", "dictionary"])
    if kind != "dictionary":
        return pa.array(texts, pa.string() if kind == "string" else pa.large_string())
    words = [*{t for t in texts if t is not None}, "a stranger", "7", "A"]
    words = sorted(set(words))
    dice.shuffle(words)
    places = [None if t is None else words.index(t) for t in texts]
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int32()), pa.array(words))


def _text(cell: Cell) -> str:
    return str(cell).lower() if isinstance(cell, bool) else f"{cell}"


def write_xlsx(path: Path, rows: list[Row], dice: random.Random) -> None:
    """Shared strings, some of them in pieces, blank rows, and cells beyond the header."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = SHEET
    sheet.append(list(NAMES))
    number = 1
    for row in rows:
        number += dice.choice([1, 1, 1, 2])
        for place, cell in enumerate(row, 1):
            sheet.cell(number, place).value = _xlsx_cell(cell, dice)
        if dice.random() < 0.1:
            sheet.cell(number, len(row) + dice.randint(1, 3)).value = "beyond"
    book.save(path)


def _xlsx_cell(cell: Cell, dice: random.Random) -> Any:
    if not isinstance(cell, str):
        return cell
    plain = "".join(sign for sign in cell if sign >= " " or sign == "\n").lstrip("=")
    if len(plain) > 1 and dice.random() < 0.2:
        return CellRichText(TextBlock(InlineFont(b=True), plain[:1]), plain[1:])
    return plain


def write_repeated_ods(path: Path, rows: list[Row], dice: random.Random) -> None:
    """Equal neighbours among cells and rows are written once, and repeated."""
    lines = [[*map(_ods_cell, row)] for row in (NAMES, *rows)]
    body, place = "", 0
    while place < len(lines):
        again = 1
        while place + again < len(lines) and lines[place + again] == lines[place]:
            again += 1
        times = again if dice.random() < 0.8 else 1
        body += f'<table:table-row table:number-rows-repeated="{times}">'
        body += _ods_cells(lines[place]) + "</table:table-row>"
        place += times
    table = f'<table:table table:name="{SHEET}">{body}</table:table>'
    write_ods(path, {}, body=table)


def _ods_cell(cell: Cell) -> str:
    if cell is None:
        return ">"
    if isinstance(cell, datetime):
        return f' office:value-type="date" office:date-value="{cell.isoformat()}">'
    if isinstance(cell, bool) or not isinstance(cell, str):
        return f' office:value-type="float" office:value="{float(cell)!r}">'
    plain = "".join(sign for sign in cell if sign >= " ")
    return f' office:value-type="string"><text:p>{escape(plain)}</text:p>'


def _ods_cells(cells: list[str]) -> str:
    found, place = "", 0
    while place < len(cells):
        again = 1
        while place + again < len(cells) and cells[place + again] == cells[place]:
            again += 1
        repeated = f' table:number-columns-repeated="{again}"'
        found += f"<table:table-cell{repeated}{cells[place]}</table:table-cell>"
        place += again
    return found


def _statistics(write: Callable[..., None]) -> Callable[[Path, list[Row], random.Random], None]:
    def written(path: Path, rows: list[Row], dice: random.Random) -> None:
        columns: dict[str, Any] = {}
        for place, name in enumerate(NAMES):
            cells = [row[place] for row in rows]
            numbers = all(c is None or type(c) in (int, float) for c in cells)
            if cells and all(isinstance(c, datetime) for c in cells):
                columns[name] = cells
            elif numbers and cells and dice.random() < 0.7:
                columns[name] = np.array([np.nan if c is None else float(c) for c in cells])
            else:
                columns[name] = ["" if c is None else _text(c) for c in cells]
        # A text column of nothing has no width of its own.
        frame = pd.DataFrame(columns, columns=list(NAMES))
        write(frame, path)
        # A text that is in no encoding, which no writer would write.
        path.write_bytes(path.read_bytes().replace(b"ZZQ", b"Z\xffQ"))

    return written


Writer = Callable[[Path, list[Row], random.Random], None]
KINDS: dict[str, tuple[Writer, FileFormat]] = {
    ".parquet": (write_parquet, "parquet"),
    ".xlsx": (write_xlsx, "excel"),
    ".ods": (write_repeated_ods, "excel"),
    ".sav": (_statistics(pyreadstat.write_sav), "spss"),
    ".dta": (_statistics(pyreadstat.write_dta), "stata"),
}
