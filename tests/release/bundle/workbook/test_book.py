# SPDX-License-Identifier: Apache-2.0
"""The tables as a workbook: figures are numbers, everything else is text, nothing is evaluated."""

import csv
import io
import re
from dataclasses import replace

import pytest
from openpyxl import load_workbook
from openpyxl.utils.cell import coordinate_from_string
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.workbook.book import (
    MOST_LINES,
    MOST_READ,
    load_writer,
    workbook_bytes,
)
from dpdesk.release.bundle.workbook.sheet_names import sheet_names, short_name
from dpdesk.release.record.values import SignedRelease, SignerName, form_in
from dpdesk.release.verify.plain_documents import is_plain_workbook
from tests.release.bundle.test_signed_bundle import LIVE_TEXTS, RUN_BY_SPREADSHEETS
from tests.release.bundles import KEY, bundle, done

FIRST_SHEET = "xl/worksheets/sheet1.xml"


def opened(content: bytes) -> Workbook:
    return load_workbook(io.BytesIO(content))


def made(*tables: Table) -> bytes:
    signer = SignerName(KEY.info.identity, KEY.info.fingerprint)
    release = SignedRelease(done().stored.record, done().chain, signer, form_in())
    return workbook_bytes(ReleaseText(release), tables)


def data_sheet(book: Workbook, number: int = 1) -> Worksheet:
    return [sheet for sheet in book.worksheets if re.match(r"D\d* ", sheet.title)][number - 1]


def test_each_query_has_a_sheet_of_data_that_is_its_csv_file() -> None:
    files = unpack(bundle())
    book = opened(files["results.xlsx"])
    record = done().stored.record
    for number, query in enumerate(record.queries, start=1):
        sheet = data_sheet(book, number)
        text = files[f"results/{query.name}.csv"].decode()
        head, *rows = csv.reader(io.StringIO(text))
        shown = [list(row) for row in sheet.iter_rows(values_only=True)]
        assert shown[0] == head
        wanted = [
            [float(text) if is_figure(text) else text or None for text in row] for row in rows
        ]
        assert shown[1:] == wanted
        assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"n", "s"}
        assert sheet["A1"].hyperlink.location == "'Contents'!A1"
        assert query.title[:16] in sheet.title


@pytest.mark.parametrize(("unit", "shown"), [("mmol/L", True), ("kg/m²", True), ("9 kg", False)])
def test_numbers_show_their_declared_unit_and_stay_numbers(unit: str, shown: bool) -> None:
    table, *others = done().stored.tables
    figures = ("value", "half-width")
    columns = tuple(replace(c, unit=unit if c.role in figures else "") for c in table.columns)
    rows = tuple(table.rows)
    content = made(replace(table, columns=columns), *others)
    assert is_plain_workbook(content)
    sheet = data_sheet(opened(content))
    own = [i for i, column in enumerate(columns) if column.unit]
    assert own and rows
    for cells, row in zip(sheet.iter_rows(min_row=2), rows, strict=True):
        for i, text in enumerate(row):
            if i not in own:
                assert cells[i].number_format == "General"
                continue
            digits = "0." + "0" * len(text.partition(".")[2]) if "." in text else "0"
            wanted = f'{digits}" {unit}"' if shown else "General"
            assert (cells[i].number_format, cells[i].value) == (wanted, float(text))


def is_figure(text: str) -> bool:
    return text.lstrip("-").replace(".", "").isdigit()


def texts_of(sheet: Worksheet) -> list[str]:
    return [str(cell) for row in sheet.iter_rows(values_only=True) for cell in row if cell]


def test_the_cover_leads_to_each_question_and_names_its_file() -> None:
    book = opened(unpack(bundle())["results.xlsx"])
    record = done().stored.record
    cover, *others = book.worksheets
    data = book["Data"]
    cells = [cell for sheet in (cover, data) for row in sheet.iter_rows() for cell in row]
    links = {c.value: c.hyperlink for c in cells if c.hyperlink and c.value != "← Contents"}
    named = set(links)
    assert named == {sheet.title for sheet in others}
    # Sheets for programs are behind the sheet that says so, and have another colour.
    behind = book.worksheets[book.index(data) :]
    assert [sheet.title for sheet in behind[1:-1] if not re.match(r"D\d* ", sheet.title)] == []
    assert behind[-1].title == "Chart cells"
    for sheets in (book.worksheets[: book.index(data)], behind):
        assert len({sheet.sheet_properties.tabColor.rgb for sheet in sheets}) == 1
    for name in named:
        assert links[name].location == f"'{name}'!A1"
        sheet = book[name]
        back = {c.hyperlink.location for row in sheet.iter_rows() for c in row if c.hyperlink}
        assert "'Contents'!A1" in back
        if name[0].isdigit():
            own = next(place for place in back if place.startswith(f"'{name}'!"))
            assert sheet[own.partition("!")[2]].value == "Notes"
            assert f"'D{name}'!A1" in back
    contents = texts_of(cover)
    for query in record.queries:
        assert query.title in contents and f"results/{query.name}.csv" in texts_of(data)
    assert any("README.txt says how to check that" in text for text in contents)


def test_a_question_says_beside_its_figures_what_was_counted() -> None:
    book = opened(unpack(bundle())["results.xlsx"])
    queries = done().stored.record.queries
    alone, *others = queries
    assert [c.value for c in book["Key figures"]["A"]][2:4] == ["Question", alone.title]
    sheets = [s for s in book.worksheets if s.title[0].isdigit()]
    said = [" ".join(texts_of(book["Key figures"])), *(" ".join(texts_of(s)) for s in sheets)]
    assert "of each person count" in " ".join(texts_of(book["Contents"])), "once, for all of them"
    for text, query in zip(said, queries, strict=True):
        assert query.title in text and "of each person count" not in text
    assert "Counts of people by group" in " ".join(texts_of(book["Contents"]))
    assert [query.title for query in others] == [sheet["A1"].value for sheet in sheets]


def test_what_people_read_shows_the_published_decimals_of_the_figure_itself() -> None:
    table, *others = done().stored.tables
    at = {column.role: i for i, column in enumerate(table.columns)}
    row = list(table.rows[0])
    row[at["value"]], row[at["half-width"]] = "1234567.80", "0.10"
    columns = tuple(
        replace(c, unit="mmol/L") if c.role in ("value", "half-width") else c for c in table.columns
    )
    content = made(replace(table, columns=columns, rows=(tuple(row),)), *others)
    assert is_plain_workbook(content)
    cells = [c for line in opened(content)["Key figures"].iter_rows(min_row=4) for c in line]
    looks = [(cell.value, cell.number_format) for cell in cells[1:3]]
    assert looks == [(1234567.8, '#,##0.00" mmol/L"'), (0.1, '#,##0.00" mmol/L"')]


@pytest.mark.threat("G1")
def test_no_text_becomes_a_formula_or_a_link() -> None:
    table, *others = done().stored.tables
    texts = [*RUN_BY_SPREADSHEETS, *LIVE_TEXTS, "https://x.example", "mailto:a@b", "{=1}", "1e5"]
    column = replace(table.columns[0], name="=1+1", role="label")
    odd = Table(table.id, table.title, (column,), tuple((text,) for text in texts))
    content = made(odd, *others)
    assert is_plain_workbook(content)
    book = opened(content)
    # Raw: reading a workbook whose text begins with = must not make a formula of it.
    assert b"<f>" not in content
    assert b"TargetMode" not in content and b"r:id" not in unpack(content)[FIRST_SHEET]
    assert len(list(data_sheet(book).iter_rows())) == len(texts) + 1
    links = [c.hyperlink for s in book.worksheets for row in s.iter_rows() for c in row]
    assert {link.target for link in links if link} == {None}


def test_figures_that_a_spreadsheet_would_round_stay_texts() -> None:
    table, *others = done().stored.tables
    place = next(i for i, column in enumerate(table.columns) if column.role == "value")
    row = list(table.rows[0])
    row[place] = "12345678901234567"
    long = replace(table, rows=(tuple(row),))
    cell = data_sheet(opened(made(long, *others))).cell(2, place + 1)
    assert (cell.value, cell.data_type) == ("12345678901234567", "s")


def test_a_table_that_is_too_long_is_named_with_its_file() -> None:
    table, *others = done().stored.tables
    long = replace(table, rows=table.rows[:1] * (MOST_LINES + 1))
    book = opened(made(long, *others))
    file = f"results/{done().stored.record.queries[0].name}.csv"
    assert data_sheet(book).cell(1, 1).value == f"This table has 20,001 lines: see {file}."
    read = next(sheet for sheet in book.worksheets if sheet.title.startswith("1 "))
    assert read.max_row < MOST_READ + 10
    sentence = f"The other lines are on the sheet {data_sheet(book).title}."
    assert sentence in texts_of(read)


@pytest.mark.parametrize(
    "title", ["a" * 48, "=1+1", "[*]", "it's / a?b:c\\d", "Übung 年 \U0001f600", "\u202e"]
)
def test_names_of_sheets_are_short_and_differ(title: str) -> None:
    names = sheet_names([title] * 120)
    assert len({name.casefold() for name in names}) == 120 and max(map(len, names)) <= 31
    stream = io.BytesIO()
    book = load_writer()(stream, {"in_memory": True})
    for name in names:
        book.add_worksheet(name)
    book.close()
    assert opened(stream.getvalue()).sheetnames == names


def test_a_short_name_keeps_whole_words_and_ends_on_none_that_leads_on() -> None:
    small = frozenset(("by", "and", "per", "in"))
    for title, wanted in (
        ("Stays by ward and sex", "3 Stays by ward and sex"),
        ("Deaths in hospital per 1,000 bed days", "3 Deaths in hospital … bed days"),
        ("Survival after first contact, by smoking", "3 Survival after first contact"),
        ("Readmissions by ward and in which quarter", "3 Readmissions … which quarter"),
    ):
        assert short_name("3 ", title, small) == wanted


def test_heads_stay_in_view_with_few_lines_above_them() -> None:
    for sheet in opened(unpack(bundle())["results.xlsx"]).worksheets:
        if sheet.title[0].isdigit() or sheet.title == "Key figures":
            _column, line = coordinate_from_string(sheet.freeze_panes)
            assert 2 < line <= 6
            # On paper the same lines are above each page.
            assert sheet.print_title_rows == f"$1:${line - 1}"


@pytest.mark.threat("B10")
def test_the_same_tables_give_the_same_workbook_without_a_time() -> None:
    tables = done().stored.tables
    assert made(*tables) == made(*tables) == unpack(bundle())["results.xlsx"]
    released = done().stored.record.time[:10].encode()
    for name, part in unpack(made(*tables)).items():
        # A hash may have any digits.
        named = re.sub(rb"[0-9a-f]{32,}", b"", part.replace(released, b""))
        assert b"202" not in named or name.startswith("xl/worksheets/"), name
