# SPDX-License-Identifier: Apache-2.0
"""Times of day and durations are seconds in a column of numbers, whatever file and unit."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.files.batch import Wanted
from dpdesk.data.opened import open_table
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from tests.data.workbooks import write_workbook

DAY = time(7, 45, 30)
STAY = timedelta(days=1, hours=10)
SHORT = timedelta(seconds=90)


def _parquet(folder: Path, cells: Any) -> DataSource:
    pq.write_table(pa.table({"d": cells}), folder / "t.parquet")
    return DataSource(path="t.parquet", format="parquet")


def _numbers(source: DataSource, folder: Path) -> list[Any]:
    with open_table(source, folder) as table:
        batches = [load() for load in table.loads([Wanted(0, seconds=True)])]
    return [None if c is None else float(c) for b in batches for c in b.columns[0].to_pylist()]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("repeating", [False, True])
def test_arrows_durations_are_seconds_as_pandas_says(
    unit: str, repeating: bool, tmp_path: Path
) -> None:
    lengths = pd.Series([STAY, SHORT, -SHORT, None, timedelta(0), STAY])
    cells = pa.array(lengths, pa.duration(unit), from_pandas=True)
    source = _parquet(tmp_path, cells.dictionary_encode() if repeating else cells)
    seconds = [None if pd.isna(s) else s for s in lengths.dt.total_seconds()]
    assert _numbers(source, tmp_path) == seconds
    words = CategoryColumn("d", ("34:00:00", "00:01:30", "-00:01:30", "00:00:00"))
    codes = encode(Study(data=source, columns=(words,)), tmp_path).column("d").codes
    assert codes.tolist() == [0, 1, 2, -1, 3, 0]


@pytest.mark.parametrize(
    "kind", [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")]
)
def test_arrows_times_of_day_are_seconds(kind: pa.DataType, tmp_path: Path) -> None:
    source = _parquet(tmp_path, pa.array([DAY, None, time(0)], kind))
    assert _numbers(source, tmp_path) == [27_930.0, None, 0.0]


def test_a_part_of_a_second_is_one_in_every_unit(tmp_path: Path) -> None:
    for unit, count, seconds, text in (
        ("ms", 9, 0.009, "00:00:00.009000"),
        ("us", 9, 0.000009, "00:00:00.000009"),
        ("ns", 9, 0.000000009, "00:00:00.000000009"),
        ("s", 2**62, 2.0**62, f"{2**62 // 3600}:{2**62 // 60 % 60:02}:{2**62 % 60:02}"),
    ):
        source = _parquet(tmp_path, pa.array([count], pa.duration(unit)))
        assert _numbers(source, tmp_path) == [seconds]
        with open_table(source, tmp_path) as table:
            assert table.first_rows(1) == [[text]]


def test_a_table_that_pandas_saved_keeps_its_lengths(tmp_path: Path) -> None:
    table = pd.DataFrame({"d": pd.to_timedelta([34, 35], unit="h"), "t": [DAY, DAY]})
    table.to_parquet(tmp_path / "t.parquet")
    source = DataSource(path="t.parquet", format="parquet")
    columns = tuple(NumberColumn(n, Decimal(0), Decimal(400_000), Decimal(1)) for n in "dt")
    encoded = encode(Study(data=source, columns=columns), tmp_path)
    assert encoded.column("d").codes.tolist() == [122_400, 126_000]
    assert encoded.column("t").codes.tolist() == [27_930, 27_930]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        *(
            (pa.timestamp(unit), [datetime(2021, 3, 4, 13, 45), None, datetime(2021, 3, 4)])
            for unit in ("s", "ms", "us", "ns")
        ),
        (pa.date32(), [date(2021, 3, 4), None, date(1969, 12, 31)]),
        (pa.date64(), [date(2021, 3, 4), None, date(1969, 12, 31)]),
        *(
            (make(9, 2), [Decimal("1234567.89"), None, Decimal("-0.05")])
            for make in (pa.decimal32, pa.decimal64, pa.decimal128, pa.decimal256)
        ),
        (pa.float16(), [1.5, None, -2.0]),
        (pa.uint64(), [2**64 - 1, None, 0]),
    ],
    ids=str,
)
@pytest.mark.parametrize("repeating", [False, True])
def test_every_other_type_with_a_unit_is_what_pandas_says(
    kind: pa.DataType, values: list[Any], repeating: bool, tmp_path: Path
) -> None:
    cells = pa.array(values, kind)
    if repeating:
        places = pa.array([0, None, 1], pa.int32())
        cells = pa.DictionaryArray.from_arrays(places, pa.array([values[0], values[2]], kind))
    source = _parquet(tmp_path, cells)
    saved = pd.read_parquet(tmp_path / "t.parquet", dtype_backend="pyarrow")["d"]
    wanted = ["" if pd.isna(v) else str(v).removesuffix(" 00:00:00") for v in saved]
    if pa.types.is_float16(kind):
        wanted = [text.removesuffix(".0") for text in wanted]
    with open_table(source, tmp_path) as table:
        assert [row[0] for row in table.first_rows(9)] == wanted


@pytest.mark.parametrize("suffix", [".xlsx", ".xls", ".ods"])
def test_a_workbooks_lengths_are_seconds_and_its_words_stay(suffix: str, tmp_path: Path) -> None:
    cells = [DAY, STAY, SHORT, 12.5, "x"]
    path = tmp_path / f"t{suffix}"
    write_workbook(path, {"Data": [["d"], *([cell] for cell in cells)]})
    source = DataSource(path=str(path), format="excel", sheet="Data", header_row=1)
    with open_table(source, tmp_path) as table:
        (batch,) = [load() for load in table.loads([Wanted(0, seconds=True), Wanted(0)])]
    assert batch.columns[0].to_pylist() == ["27930", "122400", "90", "12.5", "x"]
    assert batch.columns[1].to_pylist()[1:] == ["34:00:00", "00:01:30", "12.5", "x"]
