# SPDX-License-Identifier: Apache-2.0
"""Texts to days: exactly as declared, total, and by the declared rules."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.encoding.cell_parser import cell_parser
from dpdesk.data.encoding.column_coder import ColumnCoder
from dpdesk.data.encoding.date import DayReader
from dpdesk.data.encoding.missing_and_invalid import MISSING, OUTSIDE, UNPARSABLE, missing_code
from dpdesk.study.model.columns import DateColumn, Replace, last_day_index
from dpdesk.study.model.dates import (
    _WORDS,
    DATE_FORMATS,
    DATE_FORMS,
    ISO,
    LETTERS,
    MONTH_NAMES,
    DateFormat,
    date_form,
    day_from_text,
    day_to_text,
    needs_pivot,
)
from dpdesk.study.model.unit import DataSource
from tests.audit.length import some
from tests.strategies import date_columns

FIRST, LAST = date(2020, 1, 1), date(2024, 12, 31)
PIVOT = 1960


def shape(format: DateFormat) -> str:
    """A format for Python's own reader, which takes one digit for two."""
    signs = {"YYYY": "%Y", "YY": "%y", "MMM": "%b", "MM": "%m", "M": "%m", "DD": "%d", "D": "%d"}
    text = date_form(format)
    for part in ("YYYY", "YY", "MMM", "MM", "DD"):
        text = text.replace(part, signs[part])
    return re.sub("(?<!%)[MD]", lambda part: signs[part.group()], text)


def of_python(text: str, format: DateFormat) -> date | None:
    """The day that Python reads, with the zeros that a format wants."""
    padded = re.search("(?<!M)MM(?!M)", format) is not None
    if padded and len(text) != len(date_form(format)):
        return None
    try:
        found = datetime.strptime(text, shape(format)).date()
    except ValueError:
        return None
    if not needs_pivot(format):
        return found
    # Python's hundred years begin in 1969.
    year = PIVOT + (found.year - PIVOT) % 100
    try:
        return found.replace(year=year)
    except ValueError:
        return None


def admitted(format: DateFormat = ISO, **rules: object) -> DateColumn:
    return DateColumn("admitted", FIRST, LAST, format, **rules)


def code(column: DateColumn, text: str, missing: tuple[str, ...] = ()) -> int:
    return cell_parser(column, missing, ".")(text)


@given(date_columns(), st.data())
def test_every_day_of_the_period_has_its_index(column: DateColumn, data: st.DataObject) -> None:
    assert column.first is not None
    index = data.draw(st.integers(0, last_day_index(column)))
    day = column.first + timedelta(index)
    text = day_to_text(day, column.format)
    plain = DateColumn("a", column.first, column.last, column.format, pivot=column.pivot)
    if needs_pivot(column.format):
        plain = replace(plain, pivot=max(1, day.year - data.draw(st.integers(0, 99))))
    assert code(plain, text) == code(plain, f" {text}\t") == index


@given(st.dates(), st.sampled_from(DATE_FORMATS))
def test_days_are_written_as_the_calendar_of_python_writes_them(
    day: date, format: DateFormat
) -> None:
    text = day_to_text(day, format)
    assert day_from_text(text, format, PIVOT) == of_python(text, format)
    if not needs_pivot(format):
        assert day_from_text(text, format) == day
    else:
        assert day_from_text(text, format, max(1, day.year - 50)) == day
        assert day_from_text(text, format) is None


@given(st.dates(), st.sampled_from(DATE_FORMATS), st.sampled_from(DATE_FORMATS))
def test_a_day_of_another_format_is_no_day_or_that_format_s_own(
    day: date, written: DateFormat, declared: DateFormat
) -> None:
    text = day_to_text(day, written)
    assert day_from_text(text, declared, PIVOT) == of_python(text, declared)


@pytest.mark.parametrize(
    ("format", "text", "day"),
    [
        ("D MMM YYYY", text, date(2020, month, day))
        for text, month, day in [
            ("12-JAN-2020", 1, 12), ("01JAN2020", 1, 1), ("1JAN2020", 1, 1), ("1. Jan. 2020", 1, 1),
            ("1.Jan.2020", 1, 1), ("01. Januar 2020", 1, 1), ("1 Jänner 2020", 1, 1),
            ("1 janvier 2020", 1, 1), ("1er janvier 2020", 1, 1), ("2 févr. 2020", 2, 2),
            ("2\u00a0fe\u0301vrier\u202f2020", 2, 2), ("2 FEVRIER 2020", 2, 2),
            ("3/mar/2020", 3, 3),
            ("3. MÄRZ 2020", 3, 3), ("3 Maerz 2020", 3, 3), ("3 Mrz 2020", 3, 3),
            ("3 de marzo de 2020", 3, 3), ("4 abr. 2020", 4, 4), ("5 mai 2020", 5, 5),
            ("6-juin-2020", 6, 6), ("7 juil. 2020", 7, 7), ("8 août 2020", 8, 8),
            ("8 ago 2020", 8, 8),
            ("9 setiembre del 2020", 9, 9), ("10 Okt 2020", 10, 10), ("12 déc. 2020", 12, 12),
            ("31st DEC 2020", 12, 31), ("31. Dez. 2020", 12, 31), ("31 dic 2020", 12, 31),
        ]
    ]
    + [("MMM D, YYYY", text, date(2020, 1, 2)) for text in (
        "Jan 2, 2020", "Jan. 2 2020", "JANUARY 2nd, 2020", "Jan-02-2020", "enero 2, 2020",
    )]
    + [("YYYY MMM D", text, date(2020, 1, 2)) for text in ("2020-Jan-02", "2020 janv. 2")]
    + [("D MMM YY", text, date(2020, 1, 2)) for text in ("02-JAN-20", "2 Jan. 20", "02jan20")],
)  # fmt: skip
def test_months_are_read_by_their_names(format: DateFormat, text: str, day: date) -> None:
    assert code(admitted(format, pivot=PIVOT), text) == (day - FIRST).days
    assert code(admitted(format, pivot=PIVOT), f"{text}:10:30:00") == (day - FIRST).days


@pytest.mark.parametrize(
    "text",
    [
        "30 Feb 2020", "0 Jan 2020", "1 Foo 2020", "1 ma 2020", "1 Janu 2020", "Jan 2020", "1 Jan",
        "1 01 2020", "1-1-2020", "1  Jan 2020", "1 Jan 020", "1 Jan 20", "001 Jan 2020",
        "1 Jan 2020x", "1 J\u0251n 2020", "1 \uff2aan 2020", "1 \u017fep 2020", "\u0661 Jan 2020",
        "Jan 1, 2020", "1 deJan de2020", "1 Jan Feb 2020", "1 J a n 2020",
    ],
)  # fmt: skip
def test_what_is_no_day_with_the_name_of_a_month(text: str) -> None:
    assert code(admitted("D MMM YYYY"), text) == UNPARSABLE


def test_no_name_means_two_months() -> None:
    words = [word for months in _WORDS for word in months.split()]
    assert len(words) == len(set(words)) == len(MONTH_NAMES)
    assert all(re.fullmatch(f"[{LETTERS}]{{3,12}}", word) for word in words)


SIGNS = st.text(st.sampled_from("0123456789-./:TZ +JanmärzE,\u0661\uff12\u00b2\x00\n"), max_size=24)


@given(date_columns(), st.one_of(SIGNS, st.text(max_size=20), st.dates().map(str)))
def test_no_text_raises(column: DateColumn, text: str) -> None:
    last = last_day_index(column)
    assert code(column, text) in (MISSING, UNPARSABLE, OUTSIDE, *range(last + 1))
    assert 0 <= missing_code(column) <= last or column.missing == "drop"


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
        "2021-01-02 13:00 pm", "2021-01-02T24:00", "2021-01-02T12:00:00+1", "2021-01-02 \u0661:00",
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


TIMES = (
    " 12:30", "T12:30", " 00:00:00", " 9:05", ", 09:05", " 9:05 PM", " 12:30:15am",
    " 1:02:03.5 p.m.", " 23:59:60", " 12:30:15,123456789", " 12:30 Z", "T12:30:15+02:00",
    " 12:30 -0500",
)  # fmt: skip
NO_TIMES = (
    " 24:00", " 12:60", " 13:00 PM", "  12:30", " 12", " 12:3", " 12:30 PM Z", "12:30", " noon",
    " 12:30 ", " 12:30\n", ",12:30", "::12:30", " 12:30:", " 12:30:15.", " \u0661:00", " 12:30\x00",
)  # fmt: skip


@pytest.mark.parametrize("format", DATE_FORMS)
def test_a_time_may_stand_behind_a_day_in_every_format(format: DateFormat) -> None:
    text = day_to_text(date(2020, 1, 3), format)
    column = admitted(format, pivot=PIVOT)
    for time in ("", *TIMES):
        assert code(column, text + time) == 2, time
    for time in NO_TIMES:
        expected = UNPARSABLE if (text + time).strip() != text + " 12:30" else 2
        assert code(column, text + time) == expected, time


def test_the_basic_form_of_a_moment_has_no_colons() -> None:
    column = admitted("YYYYMMDD")
    for text in ("20200103T1345", "20200103T134559Z", "20200103T134559.123+0100", "20200103 13:45"):
        assert code(column, text) == 2, text
    for text in ("202001031345", "20200103T13", "20200103T2545", "20200103 1345"):
        assert code(column, text) == UNPARSABLE, text


@pytest.mark.parametrize("pivot", [1930, 1964])
def test_two_digits_of_a_year_lie_in_the_declared_hundred_years(pivot: int) -> None:
    column = DateColumn("d", date(1920, 1, 1), date(2063, 12, 31), "M/D/YY", pivot=pivot)
    found = {
        text: code(column, text) for text in ("10/23/64 21:09", "10/23/63", "2/29/00", "2/30/00")
    }
    years = {1930: (1964, 1963, 2000), 1964: (1964, 2063, 2000)}[pivot]
    days = [date(years[0], 10, 23), date(years[1], 10, 23), date(years[2], 2, 29)]
    assert list(found.values())[:3] == [(day - date(1920, 1, 1)).days for day in days]
    assert found["2/30/00"] == UNPARSABLE


def test_a_moment_without_signs_between() -> None:
    column = admitted("YYYYMMDDHHMM")
    for text in ("20200103", "202001031345", "20200103134559", "20200103134559.123-0500"):
        assert code(column, text) == 2
    for text in ("2020010313", "202001032545", "2020-01-03", "20200103 1345", "2020010313455"):
        assert code(column, text) == UNPARSABLE


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("format", DATE_FORMATS)
@pytest.mark.in_turn(8)
def test_many_cells_are_read_as_each_of_them(format: DateFormat, typed: bool) -> None:
    """Times are taken off many cells at once: each must say what it says alone."""
    days = [date(2020, 1, 3), date(2020, 10, 31), date(2019, 12, 31)]
    dates = [day_to_text(day, form) for day in days for form in DATE_FORMS]
    dates += ["1. März 2020", "2 fe\u0301vr. 2020", "30 Feb 2020", "1 Foo 2020", "1er janvier 2020"]
    dates += ["99.99.9999", "2020-02-30", "30.2.2020", "31/6/20", "1900", "", "?", "20200230"]
    texts = [d + t for d in dates for t in ("", "1345", "134559", *TIMES, *NO_TIMES)]
    texts += [f" {text} " for text in texts[::7]] + [text[1:] for text in texts[::5]]
    texts = [*some(texts, 3)]
    for markers in ((), ("1900-01-01", "3.1.2020"), ("99.99.9999",), ("3.1.20 12:30", "1900")):
        column = admitted(format, pivot=PIVOT, missing_values=markers)
        source = DataSource("t.csv" if not typed else "t.dta", "stata" if typed else "csv")
        parse = cell_parser(column, ("?",), ".", typed=typed)
        coder = ColumnCoder(column, replace(source, missing=("?",)))
        alone = [parse(text) for text in texts]
        plain = pa.array([text or None for text in texts], pa.string())
        assert coder.codes(plain).tolist() == alone
        assert coder.codes(plain.dictionary_encode()).tolist() == alone
        backwards = coder.codes(plain.take(pa.array(range(len(texts))[::-1])))
        assert backwards.tolist() == alone[::-1]


def test_days_of_a_file_that_has_such_are_read_as_their_texts() -> None:
    days = [date(2020, 1, 3), None, date(2019, 12, 31), LAST]
    coder = ColumnCoder(admitted("DD.MM.YYYY"), DataSource("t.parquet", "parquet"))
    wanted = [2, MISSING, OUTSIDE, (LAST - FIRST).days]
    assert coder.codes(pa.array(days, pa.date32())).tolist() == wanted
    assert coder.codes(pa.array(days, pa.date32()).dictionary_encode()).tolist() == wanted


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
    assert missing_code(column) == 3
    assert missing_code(admitted()) == MISSING


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
