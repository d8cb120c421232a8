# SPDX-License-Identifier: Apache-2.0
"""Small made-up tables in every format, with words in their cells that may show up nowhere."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat

from tests.data.workbooks import Cell, write_workbook
from tests.fuzz_files.canary import CANARY, CANARY_NUMBER

ROWS = 24

_WARDS = ("A", "B", CANARY, "", "NA", 'A"B', "Ä", "=1+1")
_DAYS = tuple(date(2020, 1, 1) + timedelta(7 * place) for place in range(ROWS))


def table() -> pd.DataFrame:
    """A table with a column of each kind; every third cell or so is told from all others."""
    places = range(ROWS)
    return pd.DataFrame(
        {
            "pid": [f"{CANARY}{place // 2}" if place % 3 else str(place) for place in places],
            "stay": [CANARY_NUMBER if place == 5 else place * 1.5 for place in places],
            "age": [float(20 + place) if place % 5 else None for place in places],
            "ward": [_WARDS[place % len(_WARDS)] for place in places],
            "ok": [("yes", "no", "")[place % 3] for place in places],
            "day": list(_DAYS),
        }
    )


def write_all(folder: Path) -> None:
    """Write the made-up files."""
    _write_texts(folder)
    _write_workbooks(folder)
    _write_parquet(folder)
    _write_statistics(folder)


def _write_texts(folder: Path) -> None:
    dialects = (
        ("comma", ",", "utf-8", "\n"),
        ("semicolon", ";", "cp1252", "\r\n"),
        ("tab", "\t", "utf-16", "\r\n"),
        ("pipe", "|", "utf-8-sig", "\r"),
    )
    for name, separator, encoding, end in dialects:
        table().to_csv(
            folder / f"{name}.csv",
            sep=separator,
            encoding=encoding,
            lineterminator=end,
            decimal="," if separator == ";" else ".",
            index=False,
        )


def _write_workbooks(folder: Path) -> None:
    head: list[Cell] = list(table().columns)
    rows = [head, *_plain_rows()]
    titled = [[f"{CANARY} list", None], [None], *rows]
    for suffix in (".xlsx", ".ods", ".xls"):
        write_workbook(folder / f"one{suffix}", {"Stays": rows})
        write_workbook(folder / f"two{suffix}", {"Notes": [[CANARY]], "Stays": titled})


def _plain_rows() -> list[list[Cell]]:
    rows = table().astype(object).to_numpy().tolist()
    return [[None if cell is None or cell != cell else cell for cell in row] for row in rows]


def _write_parquet(folder: Path) -> None:
    plain = pa.Table.from_pandas(table(), preserve_index=False)
    for codec in ("none", "snappy", "zstd"):
        pq.write_table(plain, folder / f"{codec}.parquet", compression=codec, row_group_size=10)
    pq.write_table(_odd_types(), folder / "odd.parquet", version="2.6", data_page_version="2.0")


def _odd_types() -> pa.Table:
    moment = datetime(2020, 1, 2, 3, 4, 5)
    columns = {
        "pid": pa.array([CANARY, None, "1"]).dictionary_encode(),
        "price": pa.array([Decimal("1.50"), Decimal(CANARY_NUMBER), None], pa.decimal128(14, 2)),
        "moment": pa.array([moment, None, moment], pa.timestamp("ns", "Europe/Berlin")),
        "clock": pa.array([time(1, 2), None, time(3, 4)], pa.time64("us")),
        "raw": pa.array([CANARY.encode(), b"\xff\xfe", None], pa.binary()),
        "tiny": pa.array([1, 2, None], pa.uint8()),
        "half": pa.array([0.1, float("nan"), None], pa.float32()),
        "flag": pa.array([True, False, None]),
        "many": pa.array([[1, 2], [], None], pa.list_(pa.int64())),
        "both": pa.array([{"a": CANARY}, None, {"a": ""}], pa.struct([("a", pa.string())])),
        "last": pa.array([1, 2, 3], pa.int64()),
    }
    return pa.table(columns)


def _write_statistics(folder: Path) -> None:
    data = table()
    labels = {"variable_value_labels": {"stay": {1.5: CANARY, 3.0: "short"}}}
    titles = {"column_labels": [f"the {name}" for name in data.columns], "file_label": "made up"}
    gaps = {"missing_ranges": {"age": [21.0, {"lo": 40.0, "hi": 99.0}]}}
    pyreadstat.write_sav(data, folder / "a.sav", **labels, **titles, **gaps)
    pyreadstat.write_sav(data, folder / "b.zsav", compress=True, **labels, **titles)
    pyreadstat.write_por(data.replace({"ward": {"Ä": "Ae"}}), folder / "c.por", **titles)
    for version in (8, 13, 15):
        pyreadstat.write_dta(data, folder / f"v{version}.dta", version=version, **titles)
    data["day"] = pd.to_datetime(data["day"])
    data.to_stata(folder / "w.dta", version=118, write_index=False)
    for version in (5, 8):
        pyreadstat.write_xport(table(), folder / f"t{version}.xpt", file_format_version=version)
