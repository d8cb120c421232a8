# SPDX-License-Identifier: Apache-2.0
"""The tables as a workbook: figures are numbers, everything else is text, nothing is evaluated."""

import csv
import io
from dataclasses import replace

import pytest
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.workbook import MOST_LINES, sheet_names, workbook_bytes
from dpdesk.release.record.values import SignedRelease, SignerName, form_in
from dpdesk.release.verify.plain_documents import is_plain_workbook
from tests.release.bundle.test_signed_bundle import LIVE_TEXTS, RUN_BY_SPREADSHEETS
from tests.release.bundles import bundle, done


def opened(content: bytes) -> Workbook:
    return load_workbook(io.BytesIO(content))


def made(*tables: Table) -> bytes:
    signer = SignerName("office", "SHA256:x")
    release = SignedRelease(done().stored.record, "0", signer, form_in())
    return workbook_bytes(ReleaseText(release), tables)


def test_each_query_has_a_sheet_with_the_figures_of_its_table() -> None:
    files = unpack(bundle())
    book = opened(files["results.xlsx"])
    record = done().stored.record
    assert len(book.sheetnames) == 1 + len(record.queries)
    for sheet, query in zip(book.worksheets[1:], record.queries, strict=True):
        text = files[f"results/{query.name}.csv"].decode()
        head, *rows = csv.reader(io.StringIO(text))
        shown = [list(row) for row in sheet.iter_rows(values_only=True)]
        assert shown[0] == head
        wanted = [
            [float(text) if is_figure(text) else text or None for text in row] for row in rows
        ]
        assert shown[1:] == wanted
        assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"n", "s"}


@pytest.mark.parametrize(("unit", "shown"), [("mmol/L", True), ("kg/m²", True), ("9 kg", False)])
def test_numbers_show_their_declared_unit_and_stay_numbers(unit: str, shown: bool) -> None:
    table, *others = done().stored.tables
    figures = ("value", "half-width")
    columns = tuple(replace(c, unit=unit if c.role in figures else "") for c in table.columns)
    rows = tuple(table.rows)
    content = made(replace(table, columns=columns), *others)
    assert is_plain_workbook(content)
    sheet = opened(content).worksheets[1]
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


def test_notes_name_title_sheets_and_files() -> None:
    notes = opened(unpack(bundle())["results.xlsx"]).worksheets[0]
    told = [cell for row in notes.iter_rows(values_only=True) for cell in row if cell]
    record = done().stored.record
    for query in record.queries:
        about = next(str(cell) for cell in told if str(cell).startswith(query.title))
        assert "of each person count" in about
        assert (query.statistic == "count-people") == ("Only these rows count" in about)
        assert f"results/{query.name}.csv" in told
    assert any("README.txt says how to check that" in str(text) for text in told)


@pytest.mark.threat("G1")
def test_no_text_becomes_a_formula_or_a_link() -> None:
    table, *others = done().stored.tables
    texts = [*RUN_BY_SPREADSHEETS, *LIVE_TEXTS, "https://x.example", "mailto:a@b", "{=1}", "1e5"]
    column = replace(table.columns[0], name="=1+1", role="label")
    odd = Table(table.id, table.title, (column,), tuple((text,) for text in texts))
    content = made(odd, *others)
    assert is_plain_workbook(content)
    cells = list(opened(content).worksheets[1].iter_rows())
    # Raw: reading a workbook whose text begins with = must not make a formula of it.
    assert b"<f>" not in content and b"<hyperlink" not in content
    assert len(cells) == len(texts) + 1


def test_figures_that_a_spreadsheet_would_round_stay_texts() -> None:
    table, *others = done().stored.tables
    place = next(i for i, column in enumerate(table.columns) if column.role == "value")
    row = list(table.rows[0])
    row[place] = "12345678901234567"
    long = replace(table, rows=(tuple(row),))
    cell = opened(made(long, *others)).worksheets[1].cell(2, place + 1)
    assert (cell.value, cell.data_type) == ("12345678901234567", "s")


def test_a_table_that_is_too_long_is_named_with_its_file() -> None:
    table, *others = done().stored.tables
    long = replace(table, rows=table.rows[:1] * (MOST_LINES + 1))
    text = opened(made(long, *others)).worksheets[1].cell(1, 1).value
    assert (
        text
        == f"This table has 20,001 lines: see results/{done().stored.record.queries[0].name}.csv."
    )


def test_names_of_sheets_are_short_and_differ() -> None:
    names = sheet_names(["a" * 48] * 120)
    assert len(set(names)) == 120 and max(map(len, names)) <= 31


@pytest.mark.threat("B10")
def test_the_same_tables_give_the_same_workbook_without_a_time() -> None:
    tables = done().stored.tables
    assert made(*tables) == made(*tables) == unpack(bundle())["results.xlsx"]
    for name, part in unpack(made(*tables)).items():
        assert b"202" not in part or name.startswith("xl/worksheets/"), name
