# SPDX-License-Identifier: Apache-2.0
"""Texts to days: exactly as declared, total, and by the declared rules."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.column_coder import ColumnCoder
from dpdesk.data.date import DayReader
from dpdesk.data.parse import MISSING, OUTSIDE, UNPARSABLE, cell_parser, missing_code
from dpdesk.study.columns import DateColumn, Replace, last_day_index
from dpdesk.study.dates import DATE_FORMATS, ISO, DateFormat, day_from_text, day_to_text
from dpdesk.study.unit import DataSource
from tests.strategies import date_columns

FIRST, LAST = date(2020, 1, 1), date(2024, 12, 31)
SHAPES = dict(
    zip(
        DATE_FORMATS,
        ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y%m%d", "%Y/%m/%d"),
        strict=True,
    )
)


def admitted(format: DateFormat = ISO, **rules: object) -> DateColumn:
    return DateColumn("admitted", FIRST, LAST, format, **rules)


def code(column: DateColumn, text: str, missing: tuple[str, ...] = ()) -> int:
    return cell_parser(column, missing, ".")(text)


@given(date_columns(), st.data())
def test_every_day_of_the_period_has_its_index(column: DateColumn, data: st.DataObject) -> None:
    assert column.first is not None
    index = data.draw(st.integers(0, last_day_index(column)))
    text = day_to_text(column.first + timedelta(index), column.format)
    plain = DateColumn("a", column.first, column.last, column.format)
    assert code(plain, text) == code(plain, f" {text}\t") == index


@given(st.dates(), st.sampled_from(DATE_FORMATS))
def test_days_are_written_as_the_calendar_of_python_writes_them(
    day: date, format: DateFormat
) -> None:
    text = day_to_text(day, format)
    assert datetime.strptime(text, SHAPES[format]).date() == day
    assert day_from_text(text, format) == day


@given(st.dates(), st.sampled_from(DATE_FORMATS), st.sampled_from(DATE_FORMATS))
def test_a_day_of_another_format_is_no_day_or_that_format_s_own(
    day: date, written: DateFormat, declared: DateFormat
) -> None:
    text = day_to_text(day, written)
    try:
        own = datetime.strptime(text, SHAPES[declared]).date()
    except ValueError:
        own = None
    assert day_from_text(text, declared) == own


SIGNS = st.text(st.sampled_from("0123456789-./:TZ +\u0661\uff12\u00b2\x00\n"), max_size=24)


@given(date_columns(), st.one_of(SIGNS, st.text(max_size=20), st.dates().map(str)))
def test_no_text_raises(column: DateColumn, text: str) -> None:
    last = last_day_index(column)
    assert code(column, text) in (MISSING, UNPARSABLE, OUTSIDE, *range(last + 1))
    assert 0 <= missing_code(column, ".") <= last or column.missing == "drop"


@pytest.mark.parametrize(
    "text",
    [
        "01.02.2021", "2021-1-2", "21-01-02", "2021-02-29", "2021-04-31", "2021-13-01",
        "2021-00-10", "2021-01-00", "0000-01-01", "2021/01/02", "20210102", "2021-01-02-03",
        "2021-01", "2021", "44197", "2021-W01-1", "2021-001", "+2021-01-02", "-2021-01-02",
        "02021-01-02", "2021-01-02x", "2021-01-02 ?", "today", "NaT", "=2021-01-02", "'2021-01-02",
        "\uff12021-01-02", "\u0662\u0660\u0662\u0661-01-02", "2021\u201301\u201302",
        "2021-01-\u00b9\u00b2", "2021-01-02\x00", "2021-\n01-02", "2021 -01-02", "1" * 10**6,
        "2021-01-02" * 10**5, "2021-01-02 25:00", "2021-01-02 12:60", "2021-01-02  12:00",
        "2021-01-02t12:00", "2021-01-02T", "2021-01-02 12", "2021-01-02T12:00:00.",
        "2021-01-02 12:00 pm", "2021-01-02T24:00", "2021-01-02T12:00:00+1", "2021-01-02 \u0661:00",
    ],
)  # fmt: skip
def test_what_is_no_day(text: str) -> None:
    assert code(admitted(), text) == UNPARSABLE
    assert code(admitted(unparsable=Replace("2020-01-05")), text) == 4


@pytest.mark.parametrize(
    "time",
    [
        "", " 12:30", "T12:30", "T23:59:60", " 00:00:00", "T00:00:00.000", "T12:30:15,123456789",
        "T23:59:59Z", "T23:59:59+02:00", " 23:59:59 -0500", "T23:59+02", " 23:59:59.999 Z",
    ],
)  # fmt: skip
def test_a_time_of_day_is_ignored_and_never_moves_the_day(time: str) -> None:
    assert code(admitted(), f"2020-01-03{time}") == 2


@pytest.mark.parametrize("format", [f for f in DATE_FORMATS if f != ISO])
def test_other_formats_have_no_time(format: DateFormat) -> None:
    text = day_to_text(date(2020, 1, 3), format)
    assert code(admitted(format), text) == 2
    for time in (" 12:30", "T12:30", " 00:00:00"):
        assert code(admitted(format), text + time) == UNPARSABLE


def test_the_declared_format_says_which_number_is_the_month() -> None:
    assert code(admitted("DD/MM/YYYY"), "02/01/2020") == 1
    assert code(admitted("MM/DD/YYYY"), "02/01/2020") == 31
    assert code(admitted("DD/MM/YYYY"), "01/31/2020") == UNPARSABLE
    assert code(admitted("MM/DD/YYYY"), "31/01/2020") == UNPARSABLE


def test_days_outside_the_period() -> None:
    last = (LAST - FIRST).days
    for text, nearest in (("2019-12-31", 0), ("2025-01-01", last), ("9999-12-31", last)):
        assert code(admitted(), text) == OUTSIDE
        assert code(admitted(outside="clamp"), text) == nearest
        assert code(admitted(outside=Replace("2020-02-01")), text) == 31
    assert code(admitted(), "2024-12-31") == last
    assert code(admitted(), "2020-01-01") == 0


def test_missing_days() -> None:
    column = admitted(missing=Replace("2020-01-04"), missing_values=("1900-01-01", "open"))
    missing = ("", " ", "\ufeff", "?", " ? ", "open", "1900-01-01", "1900-01-01 00:00:00")
    assert [code(column, text, ("?",)) for text in missing] == [MISSING] * len(missing)
    assert code(column, "1900-01-02", ("?",)) == OUTSIDE
    assert missing_code(column, ".") == 3
    assert missing_code(admitted(), ".") == MISSING


def test_constants_are_written_one_way_in_every_format() -> None:
    column = admitted("DD.MM.YYYY", unparsable=Replace("2020-01-31"))
    assert code(column, "soon") == 30


@pytest.mark.parametrize(
    ("days", "kind"), [(0, np.int8), (127, np.int8), (128, np.int16), (73_000, np.int32)]
)
def test_days_take_the_smallest_integers(days: int, kind: type) -> None:
    coder = ColumnCoder(DateColumn("a", FIRST, FIRST + timedelta(days)), DataSource())
    assert coder.rows(np.empty(0, np.int64)).dtype == kind


def test_a_reader_needs_a_period_and_days() -> None:
    for first, last in ((None, LAST), (FIRST, None), (LAST, FIRST)):
        with pytest.raises(ValueError, match="no period"):
            DayReader(DateColumn("a", first, last))
    with pytest.raises(ValueError, match="constant"):
        cell_parser(admitted(outside=Replace("soon")), (), ".")
