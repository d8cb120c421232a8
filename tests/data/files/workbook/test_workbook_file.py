# SPDX-License-Identifier: Apache-2.0
"""Workbooks: one sheet's cells as texts, whatever program wrote them, and what is refused."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.files.batch import Wanted
from dpdesk.data.files.workbook import archive
from dpdesk.data.files.workbook.workbook_file import cell_text, open_workbook
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import open_table
from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.data.reader_process.isolated_workbook import propose_workbook, sheets
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Problem, Refused
from tests.data.workbooks import Cell, write_compound, write_ods, write_workbook

SUFFIXES = (".xlsx", ".xls", ".ods")
TITLES: list[Sequence[Cell]] = [["Admissions of 2021"], [None], ["id", "day", "when", "x", "note"]]
ROWS: list[Sequence[Cell]] = [
    [1.0, date(2021, 3, 4), datetime(2021, 3, 4, 13, 45), 0.1, "a"],
    ["007", "04.03.2021", datetime(2021, 3, 5), -3.0, " b\nc "],
    [None, None, None, None, None],
    [123456789012345.0, None, None, True, "ä€"],
    [None, " ", None, None, ""],
]
FOUND = [
    ["1", "007", "123456789012345"],
    ["2021-03-04", "04.03.2021", None],
    ["2021-03-04 13:45:00", "2021-03-05", None],
    ["0,1", "-3", "True"],
    ["a", " b\nc ", "ä€"],
]


def workbook(path: Path, header_row: int = 3, sheet: str = "Visits") -> DataSource:
    return DataSource(
        path=str(path), format="excel", sheet=sheet, header_row=header_row, decimal=","
    )


def read(source: DataSource) -> list[list[str | None]]:
    """All cells, column after column."""
    with open_table(source, Path()) as table:
        wanted = [Wanted(place) for place in range(len(table.header))]
        columns: list[list[str | None]] = [[] for _ in wanted]
        for load in table.loads(wanted):
            for cells, column in zip(columns, load().columns, strict=True):
                cells += column.to_pylist()
    return columns


def refusal(source: DataSource) -> Refused:
    with pytest.raises(Refused) as caught:
        read(source)
    return caught.value


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_kind_of_workbook_gives_the_same_cells(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"Bücher{suffix}"
    write_workbook(path, {"Notes": [["x"]], "Visits": TITLES + ROWS})
    source = workbook(path)
    assert sheets(path) == ("Notes", "Visits")
    with open_table(source, Path()) as table:
        assert table.header == ("id", "day", "when", "x", "note")
        assert table.first_rows(1) == [["1", "2021-03-04", "2021-03-04 13:45:00", "0,1", "a"]]
    assert read(source) == FOUND


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_names_ending_does_not_matter(tmp_path: Path, suffix: str) -> None:
    write_workbook(tmp_path / f"t{suffix}", {"Visits": TITLES + ROWS})
    for other in (".xlsx", ".xls", ".ods", ".csv", ""):
        path = (tmp_path / f"t{suffix}").rename(tmp_path / f"renamed{other}")
        assert read(workbook(path)) == FOUND
        assert recognise(path).format == "excel"
        path.rename(tmp_path / f"t{suffix}")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("", None),
        (" a ", " a "),
        (3.0, "3"),
        (-0.0, "0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e300, "1e+300"),
        (False, "False"),
        (date(1900, 3, 1), "1900-03-01"),
        (datetime(2021, 3, 4, 0, 0, 0, 1000), "2021-03-04 00:00:00.001000"),
        (time(7, 5), "07:05:00"),
        (timedelta(days=1, hours=6), "30:00:00"),
    ],
)
def test_a_cells_text(cell: object, text: str | None) -> None:
    assert cell_text(cell) == text


def test_a_formula_is_its_last_result_and_an_error_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    write_workbook(path, {"Visits": [["a", "b"], ["#N/A", "x"], ["=1+1", "y"]]})
    assert read(workbook(path, 1)) == [[None, None], ["x", "y"]]


def test_merged_cells_are_empty_but_for_the_first(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["a", "b"], ["both", None], ["c", "d"]):
        book.active.append(row)
    book.active.merge_cells("A2:B2")
    book.save(tmp_path / "t.xlsx")
    assert read(workbook(tmp_path / "t.xlsx", 1, "Sheet")) == [["both", "c"], [None, "d"]]


def test_columns_are_counted_from_the_sheets_first(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    write_workbook(path, {"Visits": [[], [None, "a", "a", None, "b"], [None, 1, 2, None, 3]]})
    with open_table(workbook(path, 2), Path()) as table:
        names = ("(column 1)", "a (column 2)", "a (column 3)", "(column 4)", "b")
        assert table.header == names
    with open_table(workbook(path, 0), Path()) as table:
        assert table.header == tuple(f"(column {place})" for place in range(1, 6))
        assert sum(load().rows for load in table.loads([])) == 2


@pytest.mark.parametrize(
    ("rows", "proposed"),
    [
        ([["a", "b"], [1, 2]], ("S", 1)),
        ([[], ["a", "b"], [1, 2]], ("S", 2)),
        ([["Title"], ["a", "b"], [1, 2]], ("S", 2)),
        ([["Title"], [], ["Ward", "3A"], ["a", "b", "c", "d"], [1, 2, 3, 4]], ("S", 4)),
        ([["Title"], ["a", None, "b"], [1, 2, 3]], ("S", 2)),
        ([["Ward", "3A"], ["a", "b", "c"], [1, 2, 3]], ("S", None)),
        ([["Title"], [1, 2], [3, 4]], ("S", None)),
        ([["Title"], ["a", "a"], [1, 2]], ("S", None)),
        ([["Title"]] * 40 + [["a", "b"], [1, 2]], ("S", None)),
        ([["a", "a"], [1, 2]], ("S", None)),
        ([["a", None, "b"], [1, 2, 3]], ("S", 1)),
        ([["a", None], [1, 2]], ("S", None)),
        ([["a", None, None, "b"], [1, 2, 3, 4]], ("S", None)),
        ([["a", 2020], [1, 2]], ("S", None)),
        ([[1, 2], [3, 4]], ("S", None)),
    ],
)
def test_only_what_leaves_no_choice_is_proposed(
    tmp_path: Path, rows: list[Sequence[Cell]], proposed: tuple[str, int | None]
) -> None:
    path = tmp_path / "t.xlsx"
    write_workbook(path, {"Empty": [], "S": rows})
    assert propose_workbook(path) == proposed
    source = recognise(path)
    assert (source.format, source.sheet, source.header_row) == ("excel", *proposed)


def test_between_two_sheets_nothing_is_proposed(tmp_path: Path) -> None:
    write_workbook(tmp_path / "t.ods", {"A": [["a"], [1]], "B": [["b"], [1]]})
    assert propose_workbook(tmp_path / "t.ods") == ("", None)


@pytest.mark.parametrize(
    ("sheet", "header_row", "problem"),
    [
        (
            "visits",
            3,
            Problem(
                "$.data.sheet", "sheet-absent", {"name": "visits", "sheets": "“Visits”, “Empty”"}
            ),
        ),
        ("Visits", 9, Problem("$.data.header_row", "header-row-absent")),
        ("Empty", 1, Problem("$.data.path", "data-file-empty")),
    ],
)
def test_a_wrong_choice_is_refused(
    tmp_path: Path, sheet: str, header_row: int, problem: Problem
) -> None:
    write_workbook(tmp_path / "t.xlsx", {"Visits": TITLES + ROWS[:2], "Empty": []})
    error = refusal(workbook(tmp_path / "t.xlsx", header_row, sheet))
    assert error.problems == (problem,)


def test_what_is_no_workbook_is_refused(tmp_path: Path) -> None:
    def code(content: bytes) -> str:
        (tmp_path / "t.xlsx").write_bytes(content)
        return refusal(workbook(tmp_path / "t.xlsx")).problems[0].code

    def archive(**parts: str) -> bytes:
        with ZipFile(tmp_path / "z", "w") as other:
            for name, content in parts.items():
                other.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
        return (tmp_path / "z").read_bytes()

    assert code(b"") == "data-file-wrong-format"
    assert code(b"id;age\n1;2\n") == "data-file-wrong-format"
    assert code(archive(data="id;age")) == "data-file-archive"
    bundle = {"manifest.json": "{}", "manifest.json.sig": "-", "table-q.csv": "a\n1\n"}
    assert code(archive(**bundle)) == "data-file-bundle"
    assert code(archive(**{"manifest.json": "{}"})) == "data-file-archive"
    assert code(archive(word__document_xml="<a/>")) == "data-file-document"
    text = "application/vnd.oasis.opendocument.text"
    assert code(archive(mimetype=text, content_xml="<a/>")) == "data-file-document"
    assert code(write_compound(b"WordDocument", b"")) == "data-file-document"
    assert code(write_compound(b"__substg1.0_0037001F", b"")) == "data-file-document"
    assert code(b"PK\3\4" + b"SECRET-CELL" * 99) == "data-file-damaged"
    assert code(bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)) == "data-file-damaged"


def test_a_locked_workbook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.xlsx").write_bytes(write_compound(b"EncryptedPackage", b""))
    assert refusal(workbook(tmp_path / "t.xlsx")).problems[0].code == "data-file-locked"
    entry = (
        '<manifest><file-entry full-path="content.xml"><encryption-data/></file-entry></manifest>'
    )
    write_ods(tmp_path / "t.ods", {"Visits": TITLES}, manifest=entry)
    assert refusal(workbook(tmp_path / "t.ods")).problems[0].code == "data-file-locked"


def test_a_stray_cell_far_to_the_right_of_a_row_moves_nobody(tmp_path: Path) -> None:
    """Up to XFD, 20,000 rows are more cells than there is room for: one person's would decide."""
    path, source = tmp_path / "t.xlsx", workbook(tmp_path / "t.xlsx", 1)
    write_workbook(path, {"Visits": [["id", "ward"], ["1", "A"], ["2", "B"]]})
    book, found = openpyxl.load_workbook(path), []
    for column, text in ((2, "A"), (16_384, "see letter"), (16_383, "and there")):
        book["Visits"].cell(20_000, 1, "3")
        book["Visits"].cell(20_000, column, text)
        book.save(path)
        found.append(read(source))
    assert found == [[["1", "2", "3"], ["A", "B", "A"]]] * 3
    assert refusal(workbook(path, 0)).problems[0].code == "data-file-too-wide"


def test_an_archive_that_would_fill_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED_BYTES", 1 << 20)
    path = tmp_path / "t.xlsx"
    with ZipFile(path, "w", ZIP_DEFLATED) as bomb:
        bomb.writestr("xl/workbook.xml", "<workbook/>")
        bomb.writestr("xl/worksheets/sheet1.xml", " " * (1 << 20))
    with pytest.raises(Refused) as caught, open_workbook(workbook(path), Path()):
        raise AssertionError
    assert caught.value.problems[0].code == "data-file-too-large"


@pytest.mark.parametrize("step", range(7))
def test_a_sheet_that_ends_too_early_is_refused_wherever_it_ends(tmp_path: Path, step: int) -> None:
    write_ods(tmp_path / "t.ods", {"Visits": TITLES + ROWS})
    with ZipFile(tmp_path / "t.ods") as whole:
        body = whole.read("content.xml")
    for end in range(len(body) // 2 + step * 19, len(body), 7 * 19):
        with ZipFile(tmp_path / "cut.ods", "w") as cut:
            cut.writestr("content.xml", body[:end])
        assert refusal(workbook(tmp_path / "cut.ods")).problems[0].code == "data-file-damaged"


@pytest.mark.parametrize(
    ("rows", "columns", "code"),
    [("1048576", "16384", "data-file-too-wide"), ("1048576", "-1", "data-file-damaged")],
)
def test_a_cell_that_is_repeated_a_thousand_million_times_is_refused(
    tmp_path: Path, rows: str, columns: str, code: str
) -> None:
    cell = (
        f'<table:table-cell table:number-columns-repeated="{columns}" office:value-type="float"/>'
    )
    row = f'<table:table-row table:number-rows-repeated="{rows}">{cell}</table:table-row>'
    write_ods(tmp_path / "t.ods", {}, body=f'<table:table table:name="Visits">{row}</table:table>')
    assert refusal(workbook(tmp_path / "t.ods")).problems[0].code == code


def test_the_empty_rest_of_a_sheet_is_no_room(tmp_path: Path) -> None:
    row = "<table:table-row>{}<table:table-cell {}/></table:table-row>"
    cell = '<table:table-cell office:value-type="string"><text:p>a</text:p></table:table-cell>'
    rest = row.format("", "{}").replace("row>", 'row table:number-rows-repeated="1048574">', 1)
    wide = 'table:number-columns-repeated="16383"'
    rows = row.format(cell, wide) * 2 + rest.format(wide)
    write_ods(tmp_path / "t.ods", {}, body=f'<table:table table:name="Visits">{rows}</table:table>')
    assert read(workbook(tmp_path / "t.ods", 1)) == [["a"]]


def test_a_torn_sheet_is_refused_without_its_words(tmp_path: Path) -> None:
    torn = '<table:table table:name="Visits"><table:table-row><SECRET-CELL></table:table>'
    write_ods(tmp_path / "t.ods", {}, body=torn)
    error = refusal(workbook(tmp_path / "t.ods"))
    assert error.problems[0].code == "data-file-damaged"
    assert error.__context__ is None and error.__cause__ is None
    assert "SECRET" not in "".join(traceback.format_exception(error))


@pytest.mark.parametrize("days", ["1e9", "-1e300"])
def test_a_duration_beyond_all_years_moves_no_other_row(tmp_path: Path, days: str) -> None:
    """Whoever has it is counted as a row, without an id; the reader fails over the whole row."""
    count, far = 2_500, {0, 999, 1_000, 1_001, 2_499}
    book = openpyxl.Workbook()
    book.active.append(["id", "stay"])
    for number in range(count):
        book.active.append([number, timedelta(days=777_777 if number in far else 1)])
    book.save(tmp_path / "whole.xlsx")
    with ZipFile(tmp_path / "whole.xlsx") as whole, ZipFile(tmp_path / "t.xlsx", "w") as changed:
        for name in whole.namelist():
            part = whole.read(name).replace(b"<v>777777<", b"<v>%s<" % days.encode())
            changed.writestr(name, part)
    source = workbook(tmp_path / "t.xlsx", 1, "Sheet")
    ids = [None if number in far else str(number) for number in range(count)]
    assert read(source) == [ids, [None if cell is None else "24:00:00" for cell in ids]]
    studies = (Study(data=source, unit=unit) for unit in (Unit("id"), Unit()))
    assert [encode(study, Path()).people() for study in studies] == [count - len(far), count]


def test_progress_ends_at_the_files_size_and_cancelling_stops(tmp_path: Path) -> None:
    path, token = tmp_path / "t.ods", CancelToken()
    write_ods(path, {"Visits": [["a"], *([n] for n in range(120_000))]})
    reported: list[tuple[int, int]] = []
    with open_table(workbook(path, 1), Path(), lambda *at: reported.append(at), token) as table:
        loads = table.loads([Wanted(0)])
        assert sum(load().rows for load in loads) == 120_000
    size = path.stat().st_size
    assert reported == sorted(reported) and reported[-1] == (size, size) and len(reported) > 2
    with open_table(workbook(path, 1), Path(), cancel=token) as table:
        token.cancel()
        with pytest.raises(Cancelled):
            list(table.loads([Wanted(0)]))


def test_no_row_decides_how_many_columns_a_sheet_has(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    for row, header_row in (("1", 0), ("1", 1), (None, 0)):
        for far in (1, 4, 12_000):
            book = openpyxl.Workbook()
            sheet = book.active
            sheet.title = "S"
            if header_row:
                sheet.append(["id", "days"])
            if row is not None:
                sheet.append([row])
                sheet.cell(sheet.max_row, far + 1).value = "x"
            book.save(path)
            person = "id" if header_row else "(column 1)"
            study = Study(
                data=DataSource(str(path), "excel", sheet="S", header_row=header_row),
                unit=Unit(person),
                columns=(CategoryColumn("(column 5)", ("x",)),),
            )
            table = encode(study, tmp_path)
            assert table.people() == (row is not None), (row, far)
            codes = table.column("(column 5)").codes.tolist()
            assert codes == ([] if row is None else [0] if far == 4 else [MISSING])
