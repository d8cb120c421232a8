# SPDX-License-Identifier: Apache-2.0
"""Files of SPSS, Stata and SAS: values, never labels; what is missing; days and moments."""

from __future__ import annotations

import shutil
import traceback
import warnings
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.files import file_formats, format_declaration
from dpdesk.data.files.batch import Wanted
from dpdesk.data.files.file_formats import HEAD_BYTES, SAS, SPSS, STATA, file_kind
from dpdesk.data.files.format_declaration import FormatDeclaration
from dpdesk.data.files.statistical.statistics_file import open_statistics
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import open_table
from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused

SHARED = Path(__file__).parents[5] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="../shared/data is not there")

Cells = list[list[Any]]
Write = Callable[[pd.DataFrame, Path], None]


def _sav(table: pd.DataFrame, path: Path) -> None:
    pyreadstat.write_sav(table, path)


def _row_compressed(table: pd.DataFrame, path: Path) -> None:
    pyreadstat.write_sav(table, path, row_compress=True)


def _zsav(table: pd.DataFrame, path: Path) -> None:
    pyreadstat.write_sav(table, path, compress=True)


def _por(table: pd.DataFrame, path: Path) -> None:
    pyreadstat.write_por(table.rename(columns=str.upper), path)


def _dta(table: pd.DataFrame, path: Path) -> None:
    pyreadstat.write_dta(table, path)


def _xport_8(table: pd.DataFrame, path: Path) -> None:
    pyreadstat.write_xport(table, path, file_format_version=8)


def _xport_5(table: pd.DataFrame, path: Path) -> None:
    pyreadstat.write_xport(table, path, file_format_version=5)


KINDS: dict[str, tuple[Write, str]] = {
    "t.sav": (_sav, "spss"),
    "rows.sav": (_row_compressed, "spss"),
    "t.zsav": (_zsav, "spss"),
    "t.por": (_por, "spss"),
    "t.dta": (_dta, "stata"),
    "v8.xpt": (_xport_8, "sas"),
    "v5.xpt": (_xport_5, "sas"),
}


def read(
    path: Path, opener: Callable[..., Any] = open_table, **options: Any
) -> tuple[tuple[str, ...], Cells]:
    """The header and all cells, column after column, of the file as it is recognised."""
    source = recognise(path)
    with opener(source, Path(), **options) as table:
        wanted = [Wanted(place) for place in range(len(table.header))]
        columns: Cells = [[] for _ in wanted]
        for load in table.loads(wanted):
            batch = load()
            for cells, column in zip(columns, batch.columns, strict=True):
                assert len(column) == batch.rows
                cells += column.to_pylist()
        return table.header, columns


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_gives_the_same_cells(tmp_path: Path, name: str) -> None:
    table = pd.DataFrame(
        {
            "id": [1.0, 2.0, 123456789012.0],
            "ward": ["a", "", "ä b"],
            "dose": [0.1, np.nan, -1e9],
            "day": [date(2021, 3, 4), None, date(1890, 1, 1)],
            "seen": pd.to_datetime(["2021-03-04 13:45:00", None, "1959-12-31 00:00:00"]),
        }
    )
    if name == "t.por":
        table["ward"] = ["a", "", "a b"]
    path = tmp_path / name
    KINDS[name][0](table, path)
    header, columns = read(path)
    assert [title.lower() for title in header] == list(table.columns)
    assert columns[0] == [1, 2, 123456789012]
    assert [cell or None for cell in columns[1]] == ["a", None, table["ward"][2]]
    assert columns[2] == [0.1, None, -1e9]
    assert columns[3] == [date(2021, 3, 4), None, date(1890, 1, 1)]
    assert columns[4] == ["2021-03-04 13:45:00", None, "1959-12-31"]


@pytest.mark.parametrize("name", KINDS)
def test_chunks_are_put_together_in_order(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (file_formats, format_declaration):
        monkeypatch.setattr(module, "SMALL_ROWS", 7)
        monkeypatch.setattr(module, "LARGE_ROWS", 10)
    rows = 30 if name == "rows.sav" else 33
    table = pd.DataFrame({"n": np.arange(rows) / 4, "t": [f"r{i}" for i in range(rows)]})
    KINDS[name][0](table, tmp_path / name)
    reported: list[tuple[int, int]] = []
    _, columns = read(tmp_path / name, open_statistics, progress=lambda *at: reported.append(at))
    assert columns == [list(table["n"]), list(table["t"])]
    size = (tmp_path / name).stat().st_size
    assert reported == sorted(reported) and reported[-1] == (size, size)


@pytest.mark.parametrize("name", KINDS)
def test_columns_come_as_asked_for(tmp_path: Path, name: str) -> None:
    table = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"], "c": [3.5, None]})
    KINDS[name][0](table, tmp_path / name)
    source = DataSource(path=str(tmp_path / name), format=recognise(tmp_path / name).format)
    with open_table(source, Path()) as opened:
        batches = [load() for load in opened.loads([Wanted(2), Wanted(1), Wanted(2)])]
    assert [c.to_pylist() for c in batches[0].columns] == [[3.5, None], ["x", "y"], [3.5, None]]
    with open_table(source, Path()) as opened:
        assert [load().rows for load in opened.loads([])] == [2]
    with open_table(source, Path()) as opened:
        assert opened.first_rows(1) == [["1", "x", "3.5"]]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.in_turn(2)
def test_cancelling_stops_in_the_middle_of_a_chunk(tmp_path: Path, name: str) -> None:
    rows = 10_000 if name == "t.por" else 120_000
    KINDS[name][0](pd.DataFrame({"n": np.arange(rows) + 0.5}), tmp_path / name)
    token = CancelToken()

    def progress(done: int, _: int) -> None:
        if done:
            token.cancel()

    with pytest.raises(Cancelled):
        read(tmp_path / name, progress=progress, cancel=token) and token.check()


def test_user_missing_and_tagged_missing_are_empty(tmp_path: Path) -> None:
    table = pd.DataFrame({"x": [1.0, 98.0, 99.0, 7.0], "t": ["a", "?", "b", "c"]})
    missing = {"x": [{"lo": 98, "hi": 99}], "t": ["?"]}
    labels = {"x": {7: "seven", 99: "refused"}}
    pyreadstat.write_sav(
        table, tmp_path / "t.sav", missing_ranges=missing, variable_value_labels=labels
    )
    assert read(tmp_path / "t.sav")[1] == [[1, None, None, 7], ["a", None, "b", "c"]]
    tagged = pd.DataFrame({"x": pd.Series([1, "a", 3, "z"], dtype=object)})
    pyreadstat.write_dta(tagged, tmp_path / "t.dta", missing_user_values={"x": ["a", "z"]})
    assert read(tmp_path / "t.dta")[1] == [[1, None, 3, None]]


def test_a_single_is_read_by_its_shortest_text(tmp_path: Path) -> None:
    table = pd.DataFrame({"x": np.array([0.1, 2.675, -3.0], np.float32)})
    table.to_stata(tmp_path / "t.dta", write_index=False)
    assert read(tmp_path / "t.dta")[1] == [[0.1, 2.675, -3.0]]


FORMATS: list[tuple[FormatDeclaration, str | None, str]] = [
    (SPSS, "day", "DATE11 ADATE10 EDATE8 JDATE5 SDATE10 MOYR8 QYR6 WKYR8"),
    (SPSS, "moment", "DATETIME20 YMDHMS19.2"),
    (SPSS, "time", "TIME8 DTIME12 MTIME5"),
    (SPSS, None, "F8.2 MONTH3 WKDAY9 A20 DOLLAR8"),
    (STATA, "day", "%td %tdD_m_Y %d %-td %dD_m_Y"),
    (STATA, "moment", "%tc %tC %tcDDmonCCYY_HH:MM"),
    (STATA, "time", "%tcHH:MM:SS"),
    (STATA, None, "%tm %tw %tq %ty %9.0g %-1s"),
    (SAS, "day", "DATE9 YYMMDD10 DDMMYYB8 MONYY7 E8601DA YEAR4 WORDDATE18 YYQ6"),
    (SAS, "moment", "DATETIME20 E8601DT19 DTDATE9 DATEAMPM"),
    (SAS, "time", "TIME20.3 HHMM5 TOD8"),
    (SAS, None, "BEST12 12 8.2 DOLLAR8 A YESNO"),
]


@pytest.mark.parametrize(("declared", "kind", "formats"), FORMATS)
def test_a_format_says_what_its_numbers_are(
    declared: FormatDeclaration, kind: str | None, formats: str
) -> None:
    assert (dates := declared.dates) is not None
    assert [dates.kind(format) for format in formats.split()] == [kind] * len(formats.split())
    assert dates.kind("") is None


def test_days_beyond_the_calendar_are_its_first_and_last(tmp_path: Path) -> None:
    table = pd.DataFrame({"x": [1e300, -1e300, 0.0, 86_399.5, -0.25]})
    for format, cells in [
        ("DATE11", [date.max, date.min, date(1582, 10, 14), date(1582, 10, 14)]),
        ("DATETIME22", ["9999-12-31 23:59:59", "0001-01-01", "1582-10-14"]),
        ("TIME8", ["1e+300", "-1e+300", "00:00:00", "23:59:59.500000", "-00:00:00.250000"]),
    ]:
        pyreadstat.write_sav(table, tmp_path / "t.sav", variable_format={"x": format})
        assert read(tmp_path / "t.sav")[1][0][: len(cells)] == cells


SECONDS = [0.0, 27_930.0, 86_399.5, 100_000.0, -60.0, 1e300, -1e300, None]
"""Times of day, durations, and what no clock shows."""


@pytest.mark.parametrize(
    ("name", "format", "unit"),
    [
        ("t.sav", "TIME8", 1),
        ("t.sav", "DTIME12", 1),
        ("t.sav", "MTIME5", 1),
        ("t.dta", "%tcHH:MM:SS", 1_000),
        ("t.xpt", "TIME8", 1),
        ("t.por", "TIME8", 1),
    ],
)
def test_times_and_durations_are_seconds_in_a_column_of_numbers(
    name: str, format: str, unit: int, tmp_path: Path
) -> None:
    path = tmp_path / name
    kept = [s for s in SECONDS if s is None or abs(s) < 1e9 or name not in ("t.xpt", "t.por")]
    table = pd.DataFrame({"AT": [None if s is None else s * unit for s in kept]})
    writer = {"t.sav": "sav", "t.dta": "dta", "t.xpt": "xport", "t.por": "por"}[name]
    write = getattr(pyreadstat, f"write_{writer}")
    write(table, path, variable_format={"AT": format})
    source = recognise(path)
    minutes = NumberColumn("AT", Decimal(0), Decimal(86_400), Decimal(60))
    codes = encode(Study(data=source, columns=(minutes,)), Path()).column("AT").codes
    wanted = [-1 if s is None else round(min(max(s, 0), 86_400) / 60) for s in kept]
    assert codes.tolist() == wanted
    clock = CategoryColumn("AT", ("07:45:30", "00:00:00"))
    codes = encode(Study(data=source, columns=(clock,)), Path()).column("AT").codes
    assert codes.tolist()[:2] == [1, 0]


def test_a_thousandth_of_a_second_is_one(tmp_path: Path) -> None:
    table = pd.DataFrame({"at": [1_026.0, 9.0]})
    form = {"at": "%tcHH:MM:SS"}
    pyreadstat.write_dta(table, tmp_path / "t.dta", variable_format=form)
    source = DataSource(path=str(tmp_path / "t.dta"), format="stata")
    with open_table(source, Path()) as opened:
        (batch,) = [load() for load in opened.loads([Wanted(0, seconds=True)])]
    assert batch.columns[0].to_pylist() == [1.026, 0.009]


def refusal(path: Path, **source: Any) -> Refused:
    chosen = DataSource(path=str(path), **source)
    with pytest.raises(Refused) as caught, open_table(chosen, Path()) as table:
        wanted = [Wanted(place) for place in range(len(table.header))]
        list(table.loads(wanted))
    return caught.value


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    _sav(pd.DataFrame({"x": [1.0]}), tmp_path / "t.sav")
    assert refusal(tmp_path / "t.sav", format="stata").problems[0].code == "data-file-wrong-format"
    (tmp_path / "t.dta").write_bytes(b"id,age\n")
    assert refusal(tmp_path / "t.dta", format="stata").problems[0].code == "data-file-wrong-format"


@pytest.mark.parametrize("name", [name for name in KINDS if name != "t.por"])
def test_a_torn_file_is_refused_without_its_words(tmp_path: Path, name: str) -> None:
    table = pd.DataFrame({"x": np.arange(5000) / 7, "t": ["SECRET-CELL"] * 5000})
    KINDS[name][0](table, tmp_path / name)
    raw = (tmp_path / name).read_bytes()
    cut = raw[: len(raw) * 2 // 3] if name.endswith("sav") else raw[:300]
    (tmp_path / name).write_bytes(cut)
    error = refusal(tmp_path / name, format=KINDS[name][1])
    assert error.problems[0].code == "data-file-damaged"
    assert error.__context__ is None and error.__cause__ is None
    printed = "".join(traceback.format_exception(error))
    assert "SECRET" not in printed.replace('"SECRET', "")


def test_texts_that_are_not_in_the_files_encoding_need_another(tmp_path: Path) -> None:
    path = tmp_path / "t.xpt"
    _xport_5(pd.DataFrame({"t": ["Mueller", "xxx"]}), path)
    path.write_bytes(path.read_bytes().replace(b"Mueller", "Müller ".encode("cp1252")))
    # A look shows it; in a release one person's text decides nothing.
    with open_table(DataSource(path=str(path), format="sas"), Path()) as table:
        with pytest.raises(Refused) as refused:
            table.first_rows(2)
        assert refused.value.problems[0].code == "data-file-encoding"
    source = DataSource(path=str(path), format="sas", encoding="cp1252")
    with open_table(source, Path()) as table:
        assert table.first_rows(2) == [["Müller"], ["xxx"]]


@pytest.mark.parametrize("name", [n for n in KINDS if n not in ("t.por", "t.zsav")])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_text_in_no_encoding_is_read_and_no_other_one_changes(
    encoding: str, name: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    KINDS[name][0](pd.DataFrame({"grö_e" if name == "t.sav" else "t": ["ZZQ", "xxx"]}), path)
    bad = b"Z\xffQ" if encoding == "utf-8" else b"Z\x81Q"
    raw = path.read_bytes()
    assert raw.count(b"ZZQ") == raw.count(b"xxx") == 1
    # A column's width cuts a text anywhere, also in a character.
    path.write_bytes(raw.replace(b"ZZQ", bad).replace(b"xxx", b"xx\xc3"))
    source = DataSource(path=str(path), format=KINDS[name][1], encoding=encoding)
    with open_table(source, Path()) as table:
        (batch,) = [load() for load in table.loads([Wanted(0)])]
    assert batch.columns[0].to_pylist() == ["Z\ufffdQ", "xx" if encoding == "utf-8" else "xxÃ"]


def in_encoding(path: Path, encoding: str) -> DataSource:
    """A file that says that its texts are in an encoding, in which its first text is not."""
    pyreadstat.write_sav(pd.DataFrame({"t": ["ZZZQ", "xxx"], "x": [1.0, 2.0]}), path)
    raw = path.read_bytes()
    assert raw.count(b"UTF-8") == raw.count(b"ZZZQ") == 1
    path.write_bytes(raw.replace(b"UTF-8", encoding.encode()).replace(b"ZZZQ", b"Z\x81\xffQ"))
    return DataSource(path=str(path), format="spss")


@pytest.mark.parametrize("encoding", ["CP932", "CP936", "CP949", "CP950", "CP874", "EUCKR"])
def test_in_no_encoding_does_one_text_stop_a_release(encoding: str, tmp_path: Path) -> None:
    with open_table(in_encoding(tmp_path / "t.sav", encoding), Path()) as table:
        (batch,) = [load() for load in table.loads([Wanted(0), Wanted(1)])]
    texts, numbers = (column.to_pylist() for column in batch.columns)
    assert texts[0].startswith("Z\ufffd") and texts[0].endswith("Q")
    assert (texts[1], numbers) == ("xxx", [1.0, 2.0])


@pytest.mark.parametrize("text", [b"Z\x81\xffQ", b"ZZZQ"])
def test_an_encoding_that_nobody_knows_is_the_files_and_no_texts_affair(
    text: bytes, tmp_path: Path
) -> None:
    source = in_encoding(tmp_path / "t.sav", "CP922")
    raw = (tmp_path / "t.sav").read_bytes()
    (tmp_path / "t.sav").write_bytes(raw.replace(b"Z\x81\xffQ", text))
    assert refusal(tmp_path / "t.sav", format="spss").problems[0].code == "data-file-encoding"
    with open_table(source, Path()) as table:
        (batch,) = [load() for load in table.loads([Wanted(1)])]
    assert batch.columns[0].to_pylist() == [1.0, 2.0]


@pytest.mark.parametrize("byte", [0, 1, 0x7F, 0x80, 0x9F, 0xFF])
def test_a_portable_file_reads_each_character_by_itself(byte: int, tmp_path: Path) -> None:
    path = tmp_path / "t.por"
    pyreadstat.write_por(pd.DataFrame({"t": ["ZZQ", "xxx"], "x": [1.0, 2.0]}), path)
    raw = path.read_bytes()
    assert raw.count(b"ZZQ") == 1
    path.write_bytes(raw.replace(b"ZZQ", b"Z%cQ" % byte))
    header, columns = read(path)
    assert columns == [["Z\ufffdQ", "xxx"], [1.0, 2.0]] and header == ("T", "X")


def test_namesakes_are_told_apart_and_warn_nobody(tmp_path: Path) -> None:
    path = tmp_path / "t.xpt"
    _xport_5(pd.DataFrame({"AA": [1.0], "BB": [2.0], "CC": [3.0]}), path)
    path.write_bytes(path.read_bytes().replace(b"BB  ", b"AA  "))
    with warnings.catch_warnings(record=True) as caught:
        for place in range(3):
            with open_statistics(DataSource(path=str(path), format="sas"), Path()) as table:
                assert table.header == ("AA", "AA_duplicated1", "CC")
                (batch,) = [load() for load in table.loads([Wanted(place)])]
            assert batch.columns[0].to_pylist() == [place + 1]
    assert caught == []
    path.write_bytes(path.read_bytes().replace(b"CC  ", b"AA  "))
    assert refusal(path, format="sas").problems[0].code == "data-file-damaged"


# The files of the shared folder

SAMPLE = [
    ["a", "b", "c", "d", "e"],
    [1.1, 1.2, -1000.3, -1.4, 1000.3],
    [date(2018, 5, 6), date(1880, 5, 6), date(1960, 1, 1), date(1583, 1, 1), None],
    ["2018-05-06 10:10:10", "1880-05-06 10:10:10", "1960-01-01", "1583-01-01", None],
    [1, 2, 1, 2, 1],
    [1, 2, 3, 1, 1],
    ["10:10:10", "23:10:10", "00:00:00", "16:10:10", None],
]
SAMPLES = (
    "basic/sample.dta",
    "basic/sample.por",
    "basic/sample.sas7bdat",
    "basic/sample.sav",
    "basic/sample.xpt",
    "basic/sample.zsav",
    "basic/sample_bincompressed.sas7bdat",
    "ínternátionál/sample.sas7bdat",
)
# fmt: off
KNOWN: list[tuple[str, int, int, dict[str, list[Any]]]] = [
    ("basic/date_test.sas7bdat", 9, 20, {
        "patno": [1001], "dtc1": [date(2022, 1, 1)], "dtc2": [date(1970, 11, 14)],
        "dtc3": [date(1999, 12, 31)], "dtc4": [date(2023, 7, 1)], "tm1": ["11:20:10"],
        "dt1": ["2020-12-09 14:05:00"], "dt2": ["2001-02-13 23:23:00"], "yr": [date(2023, 1, 1)]}),
    ("basic/dates.sas7bdat", 3, 50, {
        "date": [date(2061, 4, 15), date(1723, 4, 21)], "time": ["07:38:33", "06:56:41"],
        "dtime": ["2061-04-15 07:38:33", "1723-04-21 06:56:41"]}),
    ("basic/dates_xpt.sas7bdat", 9, 19, {
        "dt": ["1959-12-30 23:59:59", "1959-12-31", "1959-12-31 00:00:01"],
        "dates": [date(1959, 12, 30), date(1959, 12, 31)], "missings": [1, None, 3, 4]}),
    ("basic/dates_xpt_v8.xpt", 9, 19, {
        "dt": ["1959-12-30 23:59:59", "1959-12-31", "1959-12-31 00:00:01"],
        "times": ["23:59:59", "00:00:00", "00:00:01"], "timezone": ["UTC"]}),
    ("basic/hebrews.sav", 1, 99, {"ותק_ב": [33, 34, 15, 35]}),
    ("basic/ordered_category.sav", 1, 4, {"Col1": [1, 2, 3, 2]}),
    ("basic/sample_large.sav", 7, 485, {
        "mychar": ["a", "b", "c", "d"], "mydate": [date(2018, 5, 6)],
        "dtime": ["2018-05-06 10:10:10"]}),
    ("basic/sample_missing.sav", 7, 7, {"mychar": ["a", "b", "c", "d"], "mylabl": [1, 2, 1, 2]}),
    ("basic/sas.xpt5", 1, 10, {"I": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}),
    ("basic/sas.xpt8", 1, 10, {"i": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}),
    ("basic/tegulu.sav", 2, 1, {"record": [210]}),
    ("basic/test_file_label_linux.sas7bdat", 3, 3, {"ID": ["ID1", "ID2", "ID3"],
                                                    "SEXA": ["1", "2", "1"]}),
    ("basic/test_file_label_win.sas7bdat", 3, 3, {"SEXB": ["1", "2", "1"]}),
    ("basic/test_width.sav", 4, 5, {
        "ResponseId": ["R_0001xAxQxIo2PVH"], "StartDate": ["2020-07-13 23:19:55"],
        "Duration__in_seconds_": [944, 884, 2014, 2611], "Finished": [2, 2, 2, 2]}),
    ("missing_data/missing_char.sav", 1, 2, {"mychar": [None, "a"]}),
    ("missing_data/missing_test.dta", 9, 1, {"var1": [None], "var9": [1]}),
    ("missing_data/missing_test.sas7bdat", 9, 1, {"var1": [None], "var9": [1]}),
    ("missing_data/missing_test.sav", 1, 2, {"var1": [None, 2]}),
    ("multiple_response/simple_alltypes.sav", 12, 6, {
        "x": [1, 2, 3, 4], "y": [date(2000, 1, 1), date(2000, 1, 2), date(1950, 12, 24)],
        "z": [None, None, 1.234, None], "str": ["red", "green", "reg-green-blue-whatever", "NA"],
        "ca_subvar_1": ["a", "a", "b", "b"]}),
    ("sas_catalog/test_data_linux.sas7bdat", 3, 3, {"ID": ["ID1", "ID2", "ID3"],
                                                    "SEXA": ["1", "2", "1"]}),
    ("sas_catalog/test_data_win.sas7bdat", 3, 3, {"SEXB": ["1", "2", "1"]}),
    ("../nhanes_2015_16/DEMO_I.XPT", 47, 9971, {
        "SEQN": [83732, 83733], "RIAGENDR": [1, 1, 1, 2], "RIDAGEYR": [62, 53, 78, 56]}),
    ("../nhanes_2015_16/BMX_I.XPT", 26, 9544, {"SEQN": [83732], "BMXWT": [94.8, 90.4, 83.4]}),
]
# fmt: on


@needs_shared
@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_of_every_package_has_the_same_cells(name: str) -> None:
    header, columns = read(SHARED / "statfiles" / name)
    assert [title.lower() for title in header] == [
        "mychar", "mynum", "mydate", "dtime", "mylabl", "myord", "mytime",
    ]  # fmt: skip
    assert [cells[:4] for cells in columns] == [cells[:4] for cells in SAMPLE]
    assert {len(cells) for cells in columns} == {5}


@needs_shared
@pytest.mark.parametrize(
    ("name", "width", "rows", "known"), KNOWN, ids=[case[0].split("/")[-1] for case in KNOWN]
)
def test_a_shared_file_has_its_known_cells(
    name: str, width: int, rows: int, known: dict[str, list[Any]]
) -> None:
    header, columns = read(SHARED / "statfiles" / name)
    assert (len(header), {len(cells) for cells in columns}) == (width, {rows})
    for title, cells in known.items():
        assert columns[header.index(title)][: len(cells)] == cells


@needs_shared
def test_a_catalogue_is_no_table() -> None:
    path = SHARED / "statfiles" / "sas_catalog" / "test_formats_linux.sas7bcat"
    source = recognise(path)
    assert refusal(path, format=source.format).problems[0].code == "data-file-catalogue"


@needs_shared
def test_no_shared_file_is_left_out() -> None:
    seen = {SHARED / "statfiles" / name for name in SAMPLES}
    seen |= {(SHARED / "statfiles" / case[0]).resolve() for case in KNOWN}
    tables = {".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt", ".xpt5", ".xpt8"}
    there = {path for path in SHARED.rglob("*") if path.suffix.lower() in tables}
    assert {path.resolve() for path in there} == {path.resolve() for path in seen}


@needs_shared
@pytest.mark.parametrize("suffix", ["", ".csv", ".xlsx"])
def test_a_file_is_known_by_its_content(tmp_path: Path, suffix: str) -> None:
    for name in SAMPLES:
        path = SHARED / "statfiles" / name
        copy = tmp_path / f"copy{suffix}"
        shutil.copyfile(path, copy)
        assert recognise(copy).format == recognise(path).format
        assert file_kind(path.read_bytes()[:HEAD_BYTES]) is not None


@pytest.mark.parametrize("suffix", ["dta", "sav"])
def test_a_variable_whose_name_is_torn_off(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"t.{suffix}"
    getattr(pyreadstat, f"write_{suffix}")(pd.DataFrame({"stay": [1.0]}), path)
    content = bytearray(path.read_bytes())
    content[content.lower().index(b"stay")] = 0
    path.write_bytes(content)
    error = refusal(path, format={"dta": "stata", "sav": "spss"}[suffix])
    assert [problem.code for problem in error.problems] == ["data-file-damaged"]


def test_a_file_without_variables_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    pyreadstat.write_dta(pd.DataFrame(), path)
    error = refusal(path, format="stata")
    assert [problem.code for problem in error.problems] == ["data-file-empty"]


def test_a_number_beyond_all_days_is_read_without_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    table = pd.DataFrame({"day": [1e307, 1.0]})
    pyreadstat.write_dta(table, path, variable_format={"day": "%td"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with open_statistics(DataSource(path=str(path), format="stata"), Path()) as opened:
            assert opened.header == ("day",)
            assert opened.first_rows(2)[1] == ["1960-01-02"]


def moments_in(path: Path) -> pd.DataFrame:
    """A table with moments, saved as Stata 10's oldest format that pandas writes."""
    seen = pd.to_datetime(["2020-01-03 13:45:00", "2020-01-04 00:00:00", None], format="mixed")
    table = pd.DataFrame({"id": [1, 2, 3], "seen": seen})
    table.to_stata(path, version=114, write_index=False, convert_dates={"seen": "tc"})
    return table


@pytest.mark.parametrize("unused", [0, 1, 0x57, 0xFF])
def test_a_byte_that_old_stata_leaves_unused_says_nothing(unused: int, tmp_path: Path) -> None:
    moments_in(tmp_path / "t.dta")
    content = bytearray((tmp_path / "t.dta").read_bytes())
    content[3] = unused
    (tmp_path / "t.dta").write_bytes(bytes(content))
    source = recognise(tmp_path / "t.dta")
    assert source.format == "stata"
    column = DateColumn("seen", date(2020, 1, 1), date(2020, 12, 31), "D.M.YYYY")
    codes = encode(Study(data=source, unit=Unit("id"), columns=(column,)), Path())
    assert codes.column("seen").codes.tolist() == [2, 3, -1]


@pytest.mark.parametrize("format", ["DATETIME20", "YMDHMS19", "DATE11", "ADATE10"])
def test_spss_moments_are_days_of_a_date(format: str, tmp_path: Path) -> None:
    seconds = 141_428 * 86_400.0 + 1_578_059_100
    table = pd.DataFrame({"id": [1.0, 2.0], "seen": [seconds, None]})
    pyreadstat.write_sav(table, tmp_path / "t.sav", variable_format={"seen": format})
    column = DateColumn("seen", date(2020, 1, 1), date(2020, 12, 31), "M/D/YY", pivot=1950)
    source = recognise(tmp_path / "t.sav")
    codes = encode(Study(data=source, unit=Unit("id"), columns=(column,)), Path())
    assert codes.column("seen").codes.tolist() == [2, -1]


@pytest.mark.parametrize("version", [117, 118, 119])
def test_a_long_text_that_nobody_declares_hinders_nothing(version: int, tmp_path: Path) -> None:
    """Even one that is in no encoding: only what is declared is looked at."""
    table = pd.DataFrame({"id": [1, 2, 3], "note": ["a" * 3_000, "b", "c"], "ward": list("ABC")})
    path = tmp_path / "t.dta"
    table.to_stata(path, version=version, convert_strl=["note"], write_index=False)
    path.write_bytes(path.read_bytes().replace(b"a" * 3_000, b"\xff" * 3_000))
    source = recognise(path)
    ward = CategoryColumn("ward", ("A", "B", "C"))
    codes = encode(Study(data=source, unit=Unit("id"), columns=(ward,)), Path())
    assert codes.column("ward").codes.tolist() == [0, 1, 2]
