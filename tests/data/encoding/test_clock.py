# SPDX-License-Identifier: Apache-2.0
"""Times of day behind days, in every format, as they are read beside the days themselves."""

from __future__ import annotations

from datetime import date

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.encoding.clock import ClockReader, second_of_day
from dpdesk.data.encoding.date import DayReader
from dpdesk.study.model.columns import DateColumn
from dpdesk.study.model.dates import DATE_FORMATS, STAMP, day_to_text

DAY = date(2024, 3, 9)


def column(format: str) -> DateColumn:
    return DateColumn("d", date(2024, 1, 1), date(2024, 12, 31), format, pivot=1950)


@pytest.mark.parametrize("format", DATE_FORMATS)
def test_a_time_is_read_behind_each_format(format: str) -> None:
    day = day_to_text(DAY, format)
    join = "" if format == STAMP else " "
    written = (
        {"0905": 32_700, "235959": 86_399}
        if format == STAMP
        else {
            "09:05": 32_700,
            "9:05:30.25": 32_730,
            "12:00 AM": 0,
            "12:30 p.m.": 45_000,
            "23:59:60": 86_399,
            "10:00+02:00": 36_000,
        }
    )
    cells = [f"{day}{join}{time}" for time in written]
    read = ClockReader(column(format), typed=False).codes(pa.array([*cells, day, None, "x"]))
    assert read.tolist() == [*written.values(), -1, -1, -1]


@given(st.lists(st.text("0123456789:-T .apmZ+", max_size=30), max_size=20))
def test_a_cell_with_a_time_is_one_with_a_day(cells: list[str]) -> None:
    """Whatever a cell holds nothing raises, and a time is never read where no day is, but for a
    day that is not in the calendar."""
    reader, days = ClockReader(column("YYYY-MM-DD"), typed=False), DayReader(column("YYYY-MM-DD"))
    read = reader.codes(pa.array(cells, pa.string()))
    assert ((read >= -1) & (read < 86_400)).all()
    for cell, second in zip(cells, read, strict=True):
        if second >= 0 and "02-3" not in cell:
            assert days.read(cell.strip()) is not None or not _in_calendar(cell)


def _in_calendar(cell: str) -> bool:
    try:
        date.fromisoformat(cell.strip()[:10])
    except ValueError:
        return False
    return True


def test_days_of_a_typed_file_have_no_time() -> None:
    cells = pa.array([DAY], pa.date32())
    assert ClockReader(column("YYYY-MM-DD"), typed=True).codes(cells).tolist() == [-1]


def test_repeated_cells_are_read_alike() -> None:
    cells = pa.array(["2024-03-09 10:00", "2024-03-09 11:00"] * 50)
    reader = ClockReader(column("YYYY-MM-DD"), typed=False)
    plain, coded = reader.codes(cells), reader.codes(cells.dictionary_encode())
    assert np.array_equal(plain, coded)
    assert second_of_day("nothing") == -1
