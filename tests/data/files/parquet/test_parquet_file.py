# SPDX-License-Identifier: Apache-2.0
"""Parquet files: what their many types become, and what is refused."""

from __future__ import annotations

import traceback
import uuid
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data.files.batch import Wanted
from dpdesk.data.files.parquet import parquet_file
from dpdesk.data.files.timestamps import LAST_DAY
from dpdesk.data.opened import open_table
from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused

FEW = {"string", "dictionary", "int64", "double", "date32[day]", "bool"}

# fmt: off
TYPES: list[tuple[str, pa.Array, list[Any]]] = [
    ("text", pa.array(["a", None, "", " ä "]), ["a", None, "", " ä "]),
    ("large text", pa.array(["a", None], pa.large_string()), ["a", None]),
    ("view", pa.array(["a", None], pa.string_view()), ["a", None]),
    ("categories", pa.array(["a", None, "a"]).dictionary_encode(), ["a", None, "a"]),
    ("categories of numbers", pa.array([7, None, 7]).dictionary_encode(), [7, None, 7]),
    ("bytes", pa.array([b"abc", b"\xff", None]), ["abc", "\ufffd", None]),
    ("bytes called text", pa.array([b"abc", b"\xff"]).view(pa.string()), ["abc", "\ufffd"]),
    ("ten bytes", pa.array([b"0123456789", None], pa.binary(10)), ["0123456789", None]),
    ("small whole", pa.array([1, None, -3], pa.int8()), [1, None, -3]),
    ("unsigned", pa.array([2**32 - 1, None], pa.uint32()), [2**32 - 1, None]),
    ("large unsigned", pa.array([2**64 - 1, None], pa.uint64()), [str(2**64 - 1), None]),
    ("number", pa.array([0.1, float("nan"), None]), [0.1, None, None]),
    ("single", pa.array([0.1, 2.675, None], pa.float32()), [0.1, 2.675, None]),
    ("half", pa.array(np.array([0.5, 1], np.float16)), [0.5, 1.0]),
    ("decimal", pa.array([Decimal("1.50"), None, Decimal("-0.01")]), ["1,50", None, "-0,01"]),
    ("truth", pa.array([True, None, False]), [True, None, False]),
    ("day", pa.array([date(2021, 3, 4), None]), [date(2021, 3, 4), None]),
    ("day in milliseconds", pa.array([date(2021, 3, 4), None], pa.date64()),
     [date(2021, 3, 4), None]),
    ("day beyond all", pa.array([2**31 - 1, None, 0], pa.int32()).view(pa.date32()),
     [date(9999, 12, 31), None, date(1970, 1, 1)]),
    ("moment", pa.array([datetime(2021, 3, 4), datetime(2021, 3, 4, 13, 45), None,
                         datetime(2021, 3, 4, 0, 0, 0, 500_000)]),
     ["2021-03-04", "2021-03-04 13:45:00", None, "2021-03-04 00:00:00.500000"]),
    ("moment in nanoseconds", pa.array([0, 1, None], pa.timestamp("ns")),
     ["1970-01-01", "1970-01-01 00:00:00.000000001", None]),
    ("moment in Berlin", pa.array([datetime(2021, 7, 4, 22, tzinfo=UTC)],
                                  pa.timestamp("ms", "Europe/Berlin")), ["2021-07-05"]),
    ("moment in UTC", pa.array([datetime(2021, 7, 4, 22, tzinfo=UTC)], pa.timestamp("ms", "UTC")),
     ["2021-07-04 22:00:00"]),
    ("time", pa.array([time(1, 2, 3), time(1, 2, 3, 500_000), None]),
     ["01:02:03", "01:02:03.500000", None]),
    ("duration", pa.array([timedelta(milliseconds=5), None], pa.duration("ms")),
     ["00:00:00.005000", None]),
    ("nothing", pa.nulls(2), [None, None]),
    ("uuid", pa.ExtensionArray.from_storage(
        pa.uuid(), pa.array([uuid.UUID(int=5).bytes, None], pa.binary(16))),
     [str(uuid.UUID(int=5)), None]),
]
# fmt: on


def save(folder: Path, table: pa.Table, **options: Any) -> DataSource:
    pq.write_table(table, folder / "t.parquet", **options)
    return DataSource(path="t.parquet", format="parquet", decimal=",")


def read(source: DataSource, folder: Path, *wanted: Wanted) -> list[list[Any]]:
    """The wanted columns' cells, all rows of all batches."""
    columns: list[list[Any]] = [[] for _ in wanted]
    with open_table(source, folder) as table:
        for load in table.loads(wanted):
            batch = load()
            assert {len(column) for column in batch.columns} <= {batch.rows}
            assert {str(column.type).split("<")[0] for column in batch.columns} <= FEW
            for cells, column in zip(columns, batch.columns, strict=True):
                cells += column.to_pylist()
    return columns


def refusal(source: DataSource, folder: Path, *wanted: Wanted) -> Refused:
    with pytest.raises(Refused) as caught:
        read(source, folder, *wanted)
    return caught.value


@pytest.mark.parametrize("repeats", [False, True])
@pytest.mark.parametrize(("cells", "found"), [t[1:] for t in TYPES], ids=[t[0] for t in TYPES])
def test_a_type_becomes_one_of_the_few(
    tmp_path: Path, cells: pa.Array, found: list[Any], repeats: bool
) -> None:
    source = save(tmp_path, pa.table({"x": cells}))
    assert read(source, tmp_path, Wanted(0, repeats)) == [found]


def test_a_moment_beyond_the_calendar_is_no_day(tmp_path: Path) -> None:
    source = save(tmp_path, pa.table({"x": pa.array([2**62, 0], pa.timestamp("us"))}))
    (cells,) = read(source, tmp_path, Wanted(0))
    assert cells[1] == "1970-01-01" and not cells[0][:4].isdigit()


def test_the_last_day_is_the_calendars() -> None:
    assert date(1970, 1, 1) + timedelta(LAST_DAY) == date.max


def test_columns_come_as_asked_for_among_nested_and_namesakes(tmp_path: Path) -> None:
    record = pa.array([{"a": 1, "b": {"c": [1]}}, None])
    names = ["s", "x", "x", "m", "s.a"]
    pairs = pa.array([[("k", 1)], None], pa.map_(pa.string(), pa.int64()))
    columns = [record, pa.array([1, 2]), pa.array(["u", "v"]), pairs, pa.array([5.5, None])]
    source = save(tmp_path, pa.table(columns, names))
    with open_table(source, tmp_path) as table:
        assert table.header == ("s", "x (column 2)", "x (column 3)", "m", "s.a")
    wanted = [Wanted(4), Wanted(2, True), Wanted(1), Wanted(2)]
    assert read(source, tmp_path, *wanted) == [[5.5, None], ["u", "v"], [1, 2], ["u", "v"]]
    problem = refusal(source, tmp_path, Wanted(1), Wanted(3)).problems[0]
    assert (problem.code, problem.params) == ("column-not-flat", {"name": "m"})


def test_the_first_rows_show_every_column(tmp_path: Path) -> None:
    table = pa.table({"a": [1.5, None, 3.0], "l": [[1], [], None], "b": [True, False, None]})
    with open_table(save(tmp_path, table, row_group_size=1), tmp_path) as opened:
        assert opened.first_rows(2) == [["1,5", "", "True"], ["", "", "False"]]


def test_rows_are_counted_where_no_column_is_wanted(tmp_path: Path) -> None:
    source = save(tmp_path, pa.table({"x": range(100)}), row_group_size=30)
    with open_table(source, tmp_path) as table:
        assert sum(load().rows for load in table.loads([])) == 100


def test_progress_ends_at_the_files_size(tmp_path: Path) -> None:
    source = save(tmp_path, pa.table({"x": range(200_000)}))
    reported: list[tuple[int, int]] = []
    with open_table(source, tmp_path, lambda done, size: reported.append((done, size))) as table:
        rows = sum(load().rows for load in table.loads([Wanted(0)]))
    size = (tmp_path / "t.parquet").stat().st_size
    assert rows == 200_000 and len(reported) > 2
    assert reported == sorted(reported) and reported[-1] == (size, size)


def test_cancelling_stops_at_the_next_batch(tmp_path: Path) -> None:
    token = CancelToken()
    source = save(tmp_path, pa.table({"x": range(5 * parquet_file.BATCH_ROWS)}))
    with open_table(source, tmp_path, cancel=token) as table:
        loads = table.loads([Wanted(0)])
        next(loads)
        token.cancel()
        with pytest.raises(Cancelled):
            next(loads)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    rows = 40 * parquet_file.BATCH_ROWS
    save(tmp_path, pa.table({"x": np.arange(rows) % 9_999_991}), compression="none")
    before, most = pa.total_allocated_bytes(), 0
    source = DataSource(path="t.parquet", format="parquet")
    with open_table(source, tmp_path) as table:
        for load in table.loads([Wanted(0)]):
            load()
            most = max(most, pa.total_allocated_bytes() - before)
    assert most < rows * 8 // 2


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "data-file-wrong-format"),
        (b"id,age\n1,2\n", "data-file-wrong-format"),
        (b"PARE" + bytes(40), "data-file-locked"),
        (b"PAR1" + b"\0SECRET-CELL" * 9 + b"PAR1", "data-file-damaged"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path: Path, content: bytes, code: str) -> None:
    (tmp_path / "t.parquet").write_bytes(content)
    source = DataSource(path="t.parquet", format="parquet")
    assert [p.code for p in refusal(source, tmp_path).problems] == [code]


def test_a_torn_page_is_refused_without_its_words(tmp_path: Path) -> None:
    table = pa.table({"x": ["SECRET-CELL"] * 100_000, "n": range(100_000)})
    source = save(tmp_path, table, write_page_checksum=True)
    raw = bytearray((tmp_path / "t.parquet").read_bytes())
    middle = len(raw) // 3
    raw[middle] ^= 255
    (tmp_path / "t.parquet").write_bytes(raw)
    error = refusal(source, tmp_path, Wanted(0), Wanted(1))
    assert [p.code for p in error.problems] == ["data-file-damaged"]
    assert error.__context__ is None and error.__cause__ is None
    assert "SECRET" not in "".join(traceback.format_exception(error))
