# SPDX-License-Identifier: Apache-2.0
"""A workbook's own charts draw what is in its cells, margins too, and nothing else."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from openpyxl.workbook import Workbook

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.query_headings import WORDS, period_of
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.bundle.workbook.book import load_writer
from dpdesk.release.bundle.workbook.chart_blocks import Boxes
from dpdesk.release.bundle.workbook.looks import Looks
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import form_in
from dpdesk.release.verify.plain_documents import is_plain_workbook
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CLAMP, CategoryColumn, DateColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import RateParameters
from dpdesk.study.model.queries import Query
from tests.acceptance.annual.report import released
from tests.doors import ConstantDoor
from tests.release.bundle.workbook.test_book import made, opened
from tests.release.bundles import KEY
from tests.release.bundles import done as done_of_two_tables
from tests.release.studies import STUDY, release, write_data

DRAWN = re.compile(r"<c:f>'([^']+)'!\$([A-Z]+)\$(\d+)(?::\$[A-Z]+\$(\d+))?</c:f>.*?</c:...Cache>")
CACHED = re.compile(r'<c:pt idx="(\d+)"><c:v>([^<]*)</c:v>')


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A registry's annual report, of few patients."""
    return released(tmp_path_factory.mktemp("registry"), patients=600)


@pytest.fixture(scope="module")
def workbook(done: Any) -> bytes:
    return unpack(build(done.stored, done.chain, KEY, form_in("en")))["results.xlsx"]


@pytest.fixture(scope="module")
def book(workbook: bytes) -> Workbook:
    return opened(workbook)


def named(book: Workbook, title: str) -> Any:
    """The sheet that people read on a question."""
    sheets = (sheet for sheet in book.worksheets if sheet.title[0].isdigit())
    return next(sheet for sheet in sheets if sheet["A1"].value == title)


def test_each_chart_draws_the_cells_of_its_sheet(workbook: bytes, book: Workbook) -> None:
    assert is_plain_workbook(workbook)
    parts = unpack(workbook)
    charts = [part.decode() for name, part in parts.items() if name.startswith("xl/charts/")]
    kinds = ["".join(re.findall(r"<c:(bar|line|scatter)Chart>", chart)) for chart in charts]
    drawn = ["bar", "barline", "line", "barline", "bar", "bar", "line", *["bar"] * 3]
    assert kinds == [*drawn, "scatter", "scatter"]
    for kind, chart in zip(kinds, charts, strict=True):
        ranges = DRAWN.finditer(chart)
        for found in ranges:
            name, letter, first, last = found.groups()
            assert name == "Chart cells", "no table for people is there for its chart alone"
            lines = range(int(first), int(last or first) + 1)
            cells = [book[name][f"{letter}{line}"].value for line in lines]
            cached = {int(place): text for place, text in CACHED.findall(found[0])}
            for place, cell in enumerate(cells):
                if cell is not None:
                    assert type(cell)(cached[place]) == cell
        margins = 0 if kind == "barline" else chart.count("<c:ser>")
        # Curves are lines through their corners, and marks with whiskers.
        margins //= 2 if kind == "scatter" else 1
        assert chart.count("<c:errBars>") == chart.count("<c:plus>") == margins


def test_what_a_chart_draws_side_by_side_are_the_figures_of_the_table(book: Workbook) -> None:
    rows = [[*row] for row in named(book, "Stays by ward and sex").iter_rows(values_only=True)]
    sexes = ("Women", "Men", "Diverse or not known", "All")
    by_group = {tuple(row[:2]): row[2:4] for row in rows if row[1] in sexes and row[0] != "Ward"}
    at = next(i for i, row in enumerate(rows) if row[0] == "Sex side by side")
    below = next(i for i, row in enumerate(rows) if row[0] == "The same figures, one a line")
    assert at < below, "people read the cross-table first"
    names = [name for name in rows[at + 1][1:] if name not in (None, "± 95 %", "Note")]
    assert "too noisy to use: Diverse or not known" in {
        text for row in rows[at + 2 : at + 7] for text in row
    }
    wards = rows[at + 2 : at + 7]
    assert len(by_group) == 20 and tuple(names) == sexes
    for ward, *figures in wards:
        beside = [figures[2 * i : 2 * i + 2] for i in range(4)]
        assert beside == [by_group[ward, name] for name in names]
    rows = [[*row] for row in named(book, "Length of stay by ward").iter_rows(values_only=True)]
    data = book["D5 Length of stay by ward"].iter_rows(min_row=2, values_only=True)
    values = {(row[0], row[1]): row[2] for row in data}
    at = next(i for i, row in enumerate(rows) if row[0] == "Quantiles side by side")
    assert rows[at + 1][1:10:3] == ["Lower quartile", "Median", "Upper quartile"]
    assert rows[at + 1][2:4] == ["from (noise alone, 95 %)", "to (noise alone, 95 %)"]
    assert "The same figures, one a line" not in {row[0] for row in rows}, "they are all above"
    for ward, *figures in rows[at + 2 : at + 6]:
        assert figures[:9:3] == [values[ward, quantile] for quantile in (0.25, 0.5, 0.75)]
        for value, low, high in zip(figures[:9:3], figures[1:9:3], figures[2:9:3], strict=True):
            assert low <= value <= high, "between these the exact one is"


def test_boxes_below_zero_are_lines_as_columns_would_begin_at_zero() -> None:
    for lowest, is_box in (("-3", False), ("3", True)):
        stream = io.BytesIO()
        workbook = load_writer()(stream, {"in_memory": True})
        sheet = ReadingSheet(workbook.add_worksheet("Cells"), Looks(workbook), WORDS.say)
        drawn = [("f", (lowest, "5", "6")), ("m", ("4", "5", "9"))]
        boxes = Boxes(("Lower quartile", "Median", "Upper quartile"), drawn, ("Sex", "Sex"), "Days")
        sheet.chart(boxes.write(sheet, WORDS), "Boxes")
        workbook.close()
        with zipfile.ZipFile(stream) as archive:
            content = pack({name: archive.read(name) for name in archive.namelist()})
        assert is_plain_workbook(content)
        chart = unpack(content)["xl/charts/chart1.xml"]
        assert (b"<c:barChart>" in chart, b"<c:hiLowLines>" in chart) == (is_box, not is_box)
        assert chart.count(b"<c:dLbls>") == 3 and highest_of_axis(chart.decode()) == 10
        assert (b"Lower quartile \xe2\x80\x93 Median" in chart) == is_box


def test_whiskers_end_at_the_printed_limits_and_noise_is_hatched(
    workbook: bytes, book: Workbook
) -> None:
    hatched, uneven = 0, 0
    charts = (part.decode() for name, part in unpack(workbook).items() if "xl/charts/" in name)
    for chart in (chart for chart in charts if "<c:errBars>" in chart):
        both, is_bar = "noise and chance" in chart, "<c:barChart>" in chart
        for series in chart.split("<c:ser>")[1:]:
            if "<c:errBars>" not in series:
                continue
            labels = re.findall("<c:(?:cat|xVal)>.*?</c:(?:cat|xVal)>", series)[0]
            name, letter, first, last = next(DRAWN.finditer(labels)).groups()
            sheet, at = book[name], "ABCDEF".index(letter)
            read = sheet_of_block(book, sheet, int(first))
            noisy = dict(re.findall(r'<c:dPt><c:idx val="(\d+)"/>(.*?)</c:dPt>', series))
            down, up = (dict(CACHED.findall(part_of(series, end))) for end in ("minus", "plus"))
            for place, line in enumerate(range(int(first), int(last or first) + 1)):
                cells = [cell.value for cell in sheet[line]]
                labels = {cell for cell in cells[: at + 1] if cell is not None}
                low, high, note = printed(read, labels, both)
                below, above = (Decimal(ends[str(place)]) for ends in (down, up))
                if None in (low, high):
                    assert not below and not above and cells[at + 2] is None
                else:
                    value = Decimal(str(cells[at + 1]))
                    if high is not None and high < 0:
                        assert value == below == above == 0, "the nearest possible"
                        continue
                    assert (value - below, value + above) == (low, high), (name, labels)
                    assert cells[at + 2 : at + 4] == [float(below), float(above)]
                is_noisy = "too noisy to use" in (note, *cells)
                assert is_noisy == (str(place) in noisy) == ("too noisy to use" in cells)
                assert not is_noisy or ("a:pattFill" in noisy[str(place)]) == is_bar
                hatched, uneven = hatched + (is_noisy and is_bar), uneven + (below != above)
    assert hatched > 4 and uneven > 4


def sheet_of_block(book: Workbook, cells: Any, line: int) -> Any:
    """The sheet for people whose chart draws the block that a line of the cells is in."""
    links = ((at, cells.cell(at, 1)) for at in range(line, 0, -1))
    return next(book[cell.value] for _at, cell in links if cell.hyperlink)


def block_of(book: Workbook, title: str) -> list[list[Any]]:
    """The cells that the chart of a question draws, from the name of its sheet on."""
    rows = [[*row] for row in book["Chart cells"].iter_rows(values_only=True)]
    sheets = {sheet.title for sheet in book.worksheets}
    at = next(i for i, row in enumerate(rows) if row[0] == named(book, title).title)
    end = (i for i, row in enumerate(rows) if i > at and row[0] in sheets)
    return rows[at : next(end, len(rows))]


def highest_of_axis(chart: str) -> Decimal:
    """Where the upright axis ends, when all that is drawn is between its ends.

    These and its steps are set, so that no spreadsheet program chooses others.
    """
    upright = chart.split("<c:valAx>")[-1]
    low, high, step = (
        Decimal(re.findall(rf'<c:{name} val="([^"]+)"/>', upright)[0])
        for name in ("min", "max", "majorUnit")
    )
    assert low % step == high % step == 0
    for series in chart.split("<c:ser>")[1:]:
        values = re.findall(r"<c:(?:val|yVal)>(.*?)</c:(?:val|yVal)>", series)[0]
        has_ends = "<c:errBars>" in series
        down, up = (
            dict(CACHED.findall(part_of(series, end))) if has_ends else {}
            for end in ("minus", "plus")
        )
        for at, text in CACHED.findall(values):
            value = Decimal(text or 0)
            assert low <= value - Decimal(down.get(at, 0)) <= value + Decimal(up.get(at, 0)) <= high
    return high


def test_an_axis_has_room_for_all_that_is_drawn(workbook: bytes) -> None:
    for chart in (part.decode() for name, part in unpack(workbook).items() if "/charts/" in name):
        assert highest_of_axis(chart) >= 0


def test_noise_that_would_hide_all_else_is_not_drawn() -> None:
    tables = [*done_of_two_tables().stored.tables]
    at, table = next(
        (at, one)
        for at, one in enumerate(tables)
        if len(one.rows) > 1 and [c.role for c in one.columns].count("group") == 1
    )
    roles = [column.role for column in table.columns]
    plain = {"value": "40", "lowest": "0", "highest": "80", "nearest": "", "mark": "no"}
    for mark in ("yes", "no"):
        odd = {**plain, "highest": "100039", "mark": mark}
        rows = (
            tuple(own.get(role, cell) for role, cell in zip(roles, row, strict=True))
            for own, row in zip((odd, plain), table.rows, strict=True)
        )
        tables[at] = replace(table, rows=tuple(rows))
        chart = unpack(made(*tables))["xl/charts/chart1.xml"].decode()
        assert (highest_of_axis(chart) < 99_999) == (mark == "yes")
        says_so = "(not drawn: groups that are too noisy to use)" in chart
        assert says_so == (mark == "yes")


def test_curves_go_by_steps(workbook: bytes, book: Workbook) -> None:
    rows = block_of(book, "Survival after first contact, by smoking")
    steps = next(at for at, row in enumerate(rows) if row[0] == "Corners of the steps")
    points = {tuple(row[1:3]) for row in rows[:steps] if row[0] == "Non-smokers"}
    corners = [tuple(row[1:3]) for row in rows[steps + 3 :] if row[0] == "Non-smokers"]
    assert corners[0] == (0, 100) and points and points <= {*corners}
    for (time, share), (later, lower) in pairwise(corners):
        assert time == later or share == lower, "level, or upright"
    chart = next(c.decode() for c in unpack(workbook).values() if b"<c:scatterChart>" in c)
    lines = [one for one in chart.split("<c:ser>")[1:] if "<c:errBars>" not in one]
    assert len(lines) == 3 and all('<c:symbol val="none"/>' in one for one in lines)
    assert len({re.findall('prstDash val="([^"]*)"', one)[0] for one in lines}) == 3


def test_a_distribution_goes_straight_from_bin_to_bin(tmp_path: Path) -> None:
    """It neither falls from 100 % nor has steps, whatever noise leaves of a group."""

    class HalfEmpty(ConstantDoor):
        def add_noise(self, _name: str, values: Any, *_more: Any) -> tuple[int, ...]:
            half = len(values) // 2
            return (-50,) * half + tuple(range(100, 100 + half))

    write_data(tmp_path)
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    ledger.new_account("registry", Epsilon.of("1"))
    asked = {"statistic": "distribution", "column": "days", "edges": (Decimal(4), Decimal(8))}
    query = Query("spread", epsilon=Epsilon.of(1), title="Days").having(by=("sex",), **asked)
    made = release(replace(STUDY, queries=(query,)), tmp_path, ledger, HalfEmpty())
    content = unpack(build(made.stored, made.chain, KEY))["results.xlsx"]
    (chart,) = (part.decode() for part in unpack(content).values() if b"scatterChart>" in part)
    empty, line = chart.split("<c:ser>")[1:]
    assert "<c:errBars>" in empty and "<c:errBars>" in line
    assert "<a:noFill/>" not in line.partition("<c:marker>")[0]
    rows = block_of(opened(content), "Days")
    assert [row[:2] for row in rows if row[0] == "m"] == [
        ["m", 3.5],
        ["m", 7.5],
        ["m", 14],
    ]
    assert not any("steps" in str(row[0]) for row in rows)


def part_of(series: str, name: str) -> str:
    return re.findall(f"<c:{name}>(.*?)</c:{name}>", series)[0]


def printed(sheet: Any, labels: set[Any], both: bool) -> tuple[Decimal | None, Decimal | None, str]:
    """The limits of the line with such labels, and its note, in the table of the sheet."""
    rows = [[*row] for row in sheet.iter_rows()]
    texts = [[str(cell.value or "") for cell in row] for row in rows]
    head = next(i for i, row in enumerate(texts) if "Released" in row[1:3][0] + row[2])
    lowest, highest = (
        next(i for i, text in enumerate(texts[head]) if text.startswith(one))
        for one in (
            ("Population, lowest", "Population, highest")
            if both
            else (("Lowest", "Whole curve, lowest"), ("Highest", "Whole curve, highest"))
        )
    )
    line = next(row for row in rows[head + 1 :] if labels <= {cell.value for cell in row[:2]})
    low, high = (
        None
        if cell.value is None
        else Decimal(str(cell.value)) * (100 if cell.number_format.endswith("%") else 1)
        for cell in (line[lowest], line[highest])
    )
    return low, high, str(line[-1].value or "")


def test_a_funnel_draws_its_points_between_its_limits(tmp_path: Path) -> None:
    wards = CategoryColumn("ward", tuple("abcdef"), title="Ward")
    lines = (f"p{n},{1 + n % 14},{'mmf'[n // 6 % 3]},{'abcdef'[n % 6]}\n" for n in range(3_000))
    (tmp_path / "stays.csv").write_text(f"id,days,sex,ward\n{''.join(lines)}", encoding="utf-8")
    rate = RateParameters((IsIn("sex", ("f",)),), "days", 1_000)
    query = Query("rate", "rate", rate, ("ward",), epsilon=Epsilon.of(1), title="Women by ward")
    ledger = Ledger.open(Home.at(tmp_path / "home"))
    ledger.new_account("registry", Epsilon.of("1"))
    study = replace(STUDY, columns=(*STUDY.columns, wards), queries=(query,))
    made = release(study, tmp_path, ledger, OpenDPDoor())
    content = unpack(build(made.stored, made.chain, KEY))["results.xlsx"]
    assert is_plain_workbook(content)
    (chart,) = (part for name, part in unpack(content).items() if name.startswith("xl/charts/"))
    assert chart.count(b"<c:ser>") == 1 + 1 + 2 * 3
    assert highest_of_axis(chart.decode()) > 0
    rows = [[*row] for row in opened(content)["1 Women by ward"].iter_rows(values_only=True)]
    rates = {row[0]: row[1] for row in rows[4:10]}
    at = next(i for i, row in enumerate(rows) if row[0] == "Points of the funnel")
    points = rows[at + 2 : at + 8]
    assert [row[0] for row in points] == list("abcdef") == list(rates)
    for name, _exposure, value, *_rest in points:
        assert abs(value - rates[name]) < 1
    limits = block_of(opened(content), "Women by ward")
    at = next(i for i, row in enumerate(limits) if isinstance(row[0], int | float))
    for row in limits[at : at + 25]:
        _exposure, centre, low, high, lower, higher, alone, above = row[:8]
        assert 0 <= lower <= low <= alone < centre < above <= high <= higher


def test_totals_agree_where_they_were_made_to_and_elsewhere_the_sheet_says_why(
    book: Workbook,
) -> None:
    keys = book["Key figures"].iter_rows(values_only=True)
    (counted,) = (row[1] for row in keys if row[0] == "Stays counted")
    for title in ("Stays by ward and sex", "Diagnoses by sex"):
        rows = named(book, title).iter_rows(values_only=True)
        (total,) = (row for row in rows if set(row[:2]) == {"All"})
        assert total[2] == counted and "sum of all lines" in total
    for title, of, column, places in (
        ("Stays by quarter", "Stays counted", "Admission", 1),
        ("Patients by age and region", "Patients", "Age", 2),
    ):
        lines = [*named(book, title).iter_rows(values_only=True)]
        (total,) = (row for row in lines if set(row[:places]) == {"All"})
        assert "sum of all lines; may differ from other tables" in total
        said = " ".join(row[0] for row in lines if row[0])
        assert f"without a valid value of {column}" in said
        assert f"“{of}” asks for the total by itself: " in said


def test_whole_years_are_added_up_from_their_quarters(book: Workbook) -> None:
    rows = [[*row] for row in named(book, "Stays by quarter").iter_rows(values_only=True)]
    at = next(i for i, row in enumerate(rows) if row[0] == "Whole years")
    first, last, change = ([*row[:3]] for row in rows[at + 3 : at + 6])
    for year, total, margin in (first, last):
        quarters = [row[1] for row in rows if str(row[0]) in {f"Q{n} {year}" for n in range(1, 5)}]
        assert total == sum(quarters) and margin > 0 and len(quarters) == 4
    assert change[:2] == ["Change from 2024 to 2025", last[1] - first[1]]


def test_sheets_with_other_per_cent_of_a_column_name_each_other(book: Workbook) -> None:
    sheets = [
        named(book, title) for title in ("Smokers by region", "Patients of the registry by region")
    ]
    for sheet, other in (sheets, reversed(sheets)):
        said = " ".join(str(cell.value) for cell in sheet["A"])
        assert f"“{other.title}” uses a different denominator for Smoking: " in said


def test_a_table_1_has_one_unit_a_line(book: Workbook) -> None:
    sheet = named(book, "Patients of the registry by region")
    rows = [[*row] for row in sheet.iter_rows(values_only=True)]
    (heads,) = (at for at, row in enumerate(rows) if row[:2] == ["Figure", "Unit"])
    margin = "± or range, 95 %"
    assert rows[heads][2:6] == ["Overall", margin, "North", margin]
    # A count below zero has no per cent.
    shown = (
        row for row in rows[heads + 1 :] if isinstance(row[2], int | float) or row[1] == "% of n"
    )
    units = [row[1] for row in shown]
    counted, percent = ["patients"] * 3, ["% of n"] * 3
    assert units == ["patients", *(counted + percent) * 2, "years", "years", *[None] * 3]
    last = next(at for at, row in enumerate(rows) if row[0] == "Notes") - 1
    assert all(re.fullmatch(r"\d+ to \d+", row[3]) for row in rows[last - 3 : last])
    stubs = [row[0].strip() for row in rows[last - 4 : last]]
    assert stubs == ["Stays of a patient", "Lower quartile", "Median", "Upper quartile"]


def test_what_follows_from_curves_is_in_numbers(done: Any, book: Workbook) -> None:
    sheet = named(book, "Survival after first contact, by smoking")
    rows = [[*row] for row in sheet.iter_rows(values_only=True)]
    (heads,) = (at for at, row in enumerate(rows) if row[:3] == ["Figure", "Group", "Unit"])
    assert rows[heads][3:8] == [
        "Released",
        "Population, lowest (noise and chance)",
        "Population, highest (noise and chance)",
        "Lowest (noise alone)",
        "Highest (noise alone)",
    ]
    shares = [row for row in rows[heads:] if str(row[0]).startswith("Without an event after")]
    assert len(shares) == 6, "three groups at two times"
    for row in shares:
        numbers = [cell for cell in row[3:8] if cell is not None]
        assert row[2] == "%" and all(isinstance(cell, float | int) for cell in numbers)
    assert any(isinstance(row[3], float | int) for row in shares)
    derived = next(one.derived for one in done.stored.tables if one.derived)
    # Those with a group that rows without a value count in are in the CSV file alone.
    differences = [
        one for one in derived.rows if one[1] == "survival-difference" and one[0] != "Not known"
    ]
    points = [row for row in rows[heads:] if row[2] == "percentage points"]
    assert len(points) == len(differences) > 0
    for row, exact in zip(points, differences, strict=True):
        value, low, high, lowest, highest = (
            100 * float(text) if text else None for text in exact[4:9]
        )
        assert row[3:8] == pytest.approx([value, lowest, highest, low, high], nan_ok=True)
    at = next(i for i, row in enumerate(rows) if row[0] == "Smoking")
    assert rows[at][2:5] == ["Released", *rows[heads][4:6]]
    assert [head.partition(" (")[0] for head in rows[at][5:7]] == [
        "Whole curve, lowest",
        "Whole curve, highest",
    ]
    ranges = {(row[1], row[0].split()[-2]): row[4:6] for row in shares if row[4] is not None}
    lines = [row for row in rows[at:heads] if (row[0], str(row[1])) in ranges]
    assert len(lines) == len(ranges) > 0, "no share is read with two ranges for the population"
    assert all(row[3:5] == ranges[row[0], str(row[1])] for row in lines)
    formats = {cell.number_format for row in sheet.iter_rows() for cell in row}
    assert "0.0 %" in formats and not any("0%" in one for one in formats)


def test_the_period_is_that_of_the_one_column_taken_by_periods(done: Any) -> None:
    study = done.stored.record.study.study
    assert period_of(study) == (("Period (Admission)", "2024-01-01 to 2025-12-31"),)
    assert period_of(None) == ()
    columns = tuple(
        replace(one, outside=CLAMP) if isinstance(one, DateColumn) else one for one in study.columns
    )
    assert period_of(replace(study, columns=columns)) == ()
    none = tuple(one for one in study.queries if one.id not in ("stays-by-quarter", "hba1c"))
    assert period_of(replace(study, queries=none)) == ()
