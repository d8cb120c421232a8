# SPDX-License-Identifier: Apache-2.0
"""One made-up table of stays, saved in every kind of file that dpdesk reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat

from dpdesk.study.model.unit import DataSource
from tests.data.workbooks import write_workbook

NAMES = ("line", "patient", "ward", "nights", "lactate", "fallen", "admitted")
MISSING = ("k.A.", "NA", "-9")
NOT_ASKED = -9

Cell = str | int | Decimal | bool | date | None


@dataclass(frozen=True)
class Stay:
    """A row; its number keeps it from being blank, for a blank row is none in a workbook."""

    line: int
    patient: str | int | None
    ward: str | None
    nights: int | None
    lactate: Decimal | None
    fallen: bool | None
    admitted: date | None

    @property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(getattr(self, name) for name in NAMES)


Stays = Sequence[Stay]
Save = Callable[[Stays, Path], DataSource]


@dataclass(frozen=True)
class Dialect:
    """A way to write CSV."""

    separator: str
    encoding: str
    written_as: str
    decimal: str = "."
    thousands: str = ""
    line_end: str = "\n"
    empty: str = ""
    flags: tuple[str, str] = ("nein", "ja")

    def save(self, stays: Stays, folder: Path) -> DataSource:
        path = folder / "stays.csv"
        lines = [NAMES, *(tuple(map(self._text, stay.cells)) for stay in stays)]
        text = "".join(
            self.separator.join(map(self._quoted, line)) + self.line_end for line in lines
        )
        path.write_bytes(text.encode(self.written_as))
        return DataSource(
            str(path),
            missing=MISSING,
            separator=self.separator,
            decimal="," if self.decimal == "," else ".",
            encoding=self.encoding,
            thousands="," if self.thousands else "",
            # One of the wards has two lines.
            line_breaks=True,
        )

    def _text(self, cell: Cell) -> str:
        if cell is None:
            return self.empty
        if isinstance(cell, bool):
            return self.flags[cell]
        if isinstance(cell, date):
            return german(cell)
        if isinstance(cell, str):
            return cell.replace("\n", self.line_end)
        grouped = f"{cell:,}" if self.thousands else f"{cell}"
        return grouped if self.thousands else grouped.replace(".", self.decimal)

    def _quoted(self, text: str) -> str:
        if not any(c in text for c in (self.separator, '"', "\n", "\r")):
            return text
        return '"' + text.replace('"', '""') + '"'


def german(day: date) -> str:
    """A day as German hospitals write it."""
    return f"{day:%d.%m.}{day.year:04}"


def workbook(suffix: str) -> Save:
    """Saves a workbook with one sheet."""

    def save(stays: Stays, folder: Path) -> DataSource:
        path = folder / f"stays{suffix}"
        rows = [list(NAMES), *([_plain(cell) for cell in stay.cells] for stay in stays)]
        write_workbook(path, {"Stays": rows})
        return DataSource(str(path), "excel", missing=MISSING, sheet="Stays", header_row=1)

    return save


def _plain(cell: Cell) -> str | float | bool | date | None:
    return float(cell) if isinstance(cell, Decimal) else cell


_TYPES = {
    "line": pa.int32(),
    "ward": pa.string(),
    "nights": pa.int16(),
    "lactate": pa.float64(),
    "fallen": pa.bool_(),
    "admitted": pa.date32(),
}


def parquet(change: Callable[[pa.Table], pa.Table]) -> Save:
    """Saves a Parquet file of small row groups, with other types than the plain ones."""

    def save(stays: Stays, folder: Path) -> DataSource:
        path = folder / "stays.parquet"
        pq.write_table(change(_arrow(stays)), path, row_group_size=3)
        return DataSource(str(path), "parquet", missing=MISSING)

    return save


def _arrow(stays: Stays) -> pa.Table:
    texts = any(isinstance(stay.patient, str) for stay in stays)
    types = _TYPES | {"patient": pa.string() if texts else pa.int64()}
    columns = {name: [_plain(getattr(stay, name)) for stay in stays] for name in NAMES}
    return pa.table({name: pa.array(columns[name], types[name]) for name in NAMES})


def of_texts(table: pa.Table) -> pa.Table:
    """The same as texts, repeated ones kept once, as a CSV file's reader would leave it."""
    written = {
        "lactate": [None if v is None else repr(v) for v in table["lactate"].to_pylist()],
        "admitted": [None if v is None else german(v) for v in table["admitted"].to_pylist()],
    }
    columns = {
        name: pa.array(written[name], pa.string())
        if name in written
        else table[name].cast(pa.string())
        for name in NAMES
    }
    return pa.table(columns | {"ward": columns["ward"].dictionary_encode()})


def of_other_types(table: pa.Table) -> pa.Table:
    """The same with exact decimals, moments, large texts and wider numbers."""
    texts = pa.types.is_string(table["patient"].type)
    types = {
        "line": pa.uint64(),
        "patient": pa.large_string() if texts else pa.float64(),
        "ward": pa.large_string(),
        "nights": pa.int64(),
        "lactate": pa.decimal128(12, 4),
        "admitted": pa.timestamp("ms"),
    }
    columns = {name: table[name] for name in NAMES}
    return pa.table(columns | {name: columns[name].cast(kind) for name, kind in types.items()})


def statistics(suffix: str, write: Callable[..., None], format: str, **options: object) -> Save:
    """Saves a file of SPSS, Stata or SAS."""

    def save(stays: Stays, folder: Path) -> DataSource:
        path = folder / f"stays{suffix}"
        write(_frame(stays), str(path), **options)
        source = DataSource(str(path), missing=MISSING)
        return DataSource(str(path), format, missing=source.missing)  # type: ignore[arg-type]

    return save


def _frame(stays: Stays) -> pd.DataFrame:
    """Numbers as doubles and truth as 0 and 1: these packages have no other."""
    columns: dict[str, pd.Series] = {}
    for name in NAMES:
        cells = [getattr(stay, name) for stay in stays]
        if name in ("ward", "admitted") or any(isinstance(cell, str) for cell in cells):
            blank = None if name == "admitted" else ""
            filled = [blank if cell is None else cell for cell in cells]
            columns[name] = pd.Series(filled, dtype=object)
        else:
            columns[name] = pd.Series(
                [None if cell is None else float(cell) for cell in cells], dtype="float64"
            )
    return pd.DataFrame(columns)


SAVED: dict[str, Save] = {
    "comma, UTF-8": Dialect(",", "utf-8", "utf-8").save,
    "semicolon, decimal comma, cp1252": Dialect(";", "cp1252", "cp1252", decimal=",").save,
    "tab, UTF-16": Dialect("\t", "utf-16", "utf-16", empty="NA", flags=("0", "1")).save,
    "pipe, mark, thousands, CRLF": Dialect(
        "|", "utf-8", "utf-8-sig", thousands=",", line_end="\r\n", empty="k.A."
    ).save,
    "xlsx": workbook(".xlsx"),
    "ods": workbook(".ods"),
    "xls": workbook(".xls"),
    "Parquet": parquet(lambda table: table),
    "Parquet of texts": parquet(of_texts),
    "Parquet of other types": parquet(of_other_types),
    "sav": statistics(".sav", pyreadstat.write_sav, "spss"),
    "sav with user-missing": statistics(
        ".sav", pyreadstat.write_sav, "spss", missing_ranges={"nights": [NOT_ASKED]}
    ),
    "zsav": statistics(".zsav", pyreadstat.write_sav, "spss", compress=True),
    "dta": statistics(".dta", pyreadstat.write_dta, "stata"),
    "dta 14": statistics(".dta", pyreadstat.write_dta, "stata", version=14),
    "xpt 5": statistics(".xpt", pyreadstat.write_xport, "sas", file_format_version=5),
    "xpt 8": statistics(".xpt", pyreadstat.write_xport, "sas", file_format_version=8),
}
