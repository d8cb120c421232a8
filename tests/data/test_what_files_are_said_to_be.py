# SPDX-License-Identifier: Apache-2.0
"""Files as hospitals send them: each is read, or what is said of it is true of it.

One table, so that a sentence which becomes true of one file does not become false of another. Where
a file is opened says what of it cannot be read; the check says it of lines and columns.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from itertools import cycle, islice
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest

from dpdesk.data.inspection.file_check import check_file
from dpdesk.data.inspection.finding import Weight
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import read_header
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Refused
from tests.data.workbooks import write_workbook

AGE = NumberColumn("v", Decimal(0), Decimal(99_999), Decimal(1))
DAY = DateColumn("v", date(2015, 1, 1), date(2030, 12, 31), "YYYY-MM-DD")
NAMED = DateColumn("v", date(2015, 1, 1), date(2030, 12, 31), "D MMM YYYY")
COUNT = 60
TABLE = ["pid;v", *(f"{n};{n + 20}" for n in range(COUNT))]
TEXT = "\r\n".join(TABLE) + "\r\n"


def cells(*several: str) -> bytes:
    """A file with these cells in turn, in column v."""
    rows = (f"p{n};{cell}" for n, cell in enumerate(islice(cycle(several), COUNT)))
    return "\n".join(["pid;v", *rows, ""]).encode()


def zipped(*parts: tuple[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with ZipFile(made, "w") as archive:
        for name, content in parts:
            archive.writestr(name, content)
    return made.getvalue()


def workbook(suffix: str, folder: Path) -> bytes:
    path = folder / f"made{suffix}"
    write_workbook(path, {"Data": [["pid", "v"], *([f"p{n}", 20.0 + n] for n in range(COUNT))]})
    return path.read_bytes()


def backslashed(folder: Path) -> bytes:
    with ZipFile(io.BytesIO(workbook(".xlsx", folder))) as book:
        parts = [(name.replace("/", "\\"), book.read(name)) for name in book.namelist()]
    return zipped(*parts)


def uncalculated(folder: Path) -> bytes:
    book, made = openpyxl.Workbook(), io.BytesIO()
    book.active.append(["pid", "v"])
    for n in range(COUNT):
        book.active.append([f"p{n}", f"=20+{n}"])
    book.save(made)
    return made.getvalue()


def locked(folder: Path) -> bytes:
    book = workbook(".xls", folder)
    place = book.index(struct.pack("<HH", 0x809, 16)) + 20
    password = struct.pack("<HH", 0x2F, 54) + b"\1\0" + bytes(52)
    return book[:place] + password + book[place : -len(password)]


def dbase(_folder: Path) -> bytes:
    head = bytes([3, 124, 1, 31]) + struct.pack("<IHH", 1, 65, 9) + bytes(20)
    return head + b"NAME".ljust(32, b"\0") + b"\r Ann"


def codes_of(name: str, content: bytes, column: Column, folder: Path) -> list[str]:
    """What is said where the file is opened, or of a file that is read, by the check."""
    path = folder / name
    path.write_bytes(content)
    try:
        source = recognise(path)
        header = read_header(source, folder)
    except Refused as refused:
        return [problem.code for problem in refused.problems]
    assert header[-2:] == ("pid", "v"), header
    query = Query("q", "count", where=(IsIn("v", ("x",)),))
    study = Study(data=source, unit=Unit("pid"), columns=(column,), queries=(query,))
    found = [one for one in check_file(study, folder) if one.weight > Weight.GOOD]
    return [one.code for one in found]


SEEN = "numbers"
DAYS = "days"


@pytest.mark.parametrize(
    ("several", "column", "codes"),
    [
        (("12-JAN-2020", "01JAN2020", "3 March 2021", "1st May 2020"), NAMED, []),
        (("1. Jan. 2020", "24. Dezember 2020", "3. März 2021"), NAMED, []),
        (("1 janvier 2020", "1er février 2020", "15 août 2021"), NAMED, []),
        (("1 de enero de 2020", "15 septiembre 2021"), NAMED, []),
        (("1. Jan. 2020", "12-JAN-2020"), DAY, [DAYS, "seen-format"]),
        (("2020-01", "02/2020", "Mar 2020"), DAY, [DAYS, "seen-month"]),
        (("2020-UN-UN", "2020-00-00", "UN-JAN-2020"), DAY, [DAYS, "seen-partial"]),
        (("2020-W05", "KW 5/2020"), DAY, [DAYS, "seen-week"]),
        (("-   -", "00.00.0000"), DAY, [DAYS, "seen-marker"]),
        (("1990-05-01", "2031-01-01"), DAY, ["outside-period"]),
        (("2020-01-02 03:04", "2020-01-05T06:07:08Z"), DAY, []),
        (("45 y", "46 y"), AGE, [SEEN, "seen-unit"]),
        (("5%", "12.5 %"), AGE, [SEEN, "seen-percent"]),
        (("<5", "12"), AGE, [SEEN, "seen-comparison"]),
        (("90+", "34"), AGE, [SEEN, "seen-comparison"]),
        (("1'234", "2'345.5"), AGE, [SEEN, "seen-thousands"]),
        (("1\u202f234", "12 345"), AGE, [SEEN, "seen-thousands"]),
        (("1.234,5", "12.345,75"), AGE, [SEEN, "seen-thousands"]),
        (("1,234", "12,345"), AGE, [SEEN, "numbers-ambiguous"]),
        (("36,5", "0,75"), AGE, [SEEN, "seen-decimal"]),
        (("34:00:00", "1 day, 10:00:00"), AGE, [SEEN, "seen-time"]),
        (("1900-01-01 10:00:00", "12"), AGE, [SEEN, "hours-as-days"]),
        (("1900-01-01", "2020-01-01", "1964-12-31"), AGE, [SEEN, "seen-day"]),
        (("=A1+1",), AGE, [SEEN, "seen-formula"]),
        (("#N/A",), AGE, [SEEN, "seen-error"]),
        (("NA", "5"), AGE, [SEEN, "seen-marker"]),
        (("7", "70"), AGE, []),
    ],
)  # fmt: skip
def test_cells(several: Sequence[str], column: Column, codes: list[str], tmp_path: Path) -> None:
    assert codes_of("t.csv", cells(*several), column, tmp_path) == codes


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(),
        f"sep=;\r\n{TEXT}".encode(),
        f"\ufeffsep=;\r\n{TEXT}".encode("utf-16-le"),
        TEXT.replace(";", "\t").encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        f"# made by a program\r\n# on a day\r\n{TEXT}".encode(),
        f"-- made; by; a program\r\n{TEXT}".encode(),
        f"Stays of the hospital, 2024\r\n\r\n{TEXT}".encode(),
        f"Report;\r\nWard A;\r\n;\r\n{TEXT}".encode(),
        "\n".join(["Hospital, Town", *(f"{r},x".replace(";", ",") for r in TABLE)]).encode()
        .replace(b"pid,v,x", b"sex,pid,v").replace(b",x", b",7"),
        zipped(("a.csv", TEXT), ("__MACOSX/._a.csv", b"\0\5\x16\7")),
        TEXT.replace("\r\n", "\r").encode(),
        "".join(row + end for row, end in zip(TABLE, cycle("\n\r"), strict=False)).encode(),
    ],
)  # fmt: skip
def test_texts_that_are_read(content: bytes, tmp_path: Path) -> None:
    assert codes_of("t.zip" if content[:2] == b"PK" else "t.csv", content, AGE, tmp_path) == []


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("t.txt", TEXT.replace(";", " ").encode(), "data-file-fixed-width"),
        ("t.dat", "".join(f"{n:06}{n:03}\n" for n in range(60)).encode(), "data-file-fixed-width"),
        ("t.hl7", b"MSH|^~\\&|HIS|H|LAB|H|2024||ADT^A01|0|P|2.5\rPID|1||0\r", "data-file-hl7"),
        ("t.arff", b"@relation r\n@attribute a numeric\n@data\n1\n", "data-file-arff"),
        ("t.sas", b"data a;\n input n;\n datalines;\n1\n;\n", "data-file-sas-program"),
        ("t.zip", zipped(("a.csv", TEXT), ("b.csv", TEXT)), "data-file-archive"),
        ("t.dta", b"<stata_dta><header><release>120</release>" + bytes(99), "data-file-newer"),
        ("t.dta", b"<stata_dta><header><release>121</release>" + bytes(99), "data-file-newer"),
    ],
)  # fmt: skip
def test_files_that_are_not_read(name: str, content: bytes, code: str, tmp_path: Path) -> None:
    assert codes_of(name, content, AGE, tmp_path) == [code]


def test_workbooks(tmp_path: Path) -> None:
    xlsx, xls = workbook(".xlsx", tmp_path), workbook(".xls", tmp_path)
    for name, content, codes in (
        ("t.xlsx", xlsx, []),
        ("t.xls", xls, []),
        ("odd.xls", xls + bytes(77), []),
        ("formulas.xlsx", uncalculated(tmp_path), ["formulas-uncalculated", SEEN]),
        ("back.xlsx", backslashed(tmp_path), ["data-file-backslashes"]),
        ("locked.xls", locked(tmp_path), ["data-file-locked"]),
        ("t.zip", zipped(("t.xlsx", xlsx)), ["data-file-packed-table"]),
        ("mac.zip", zipped(("t.xlsx", xlsx), ("__MACOSX/._t", b"")), ["data-file-packed-table"]),
        ("t.dbf", dbase(tmp_path), ["data-file-dbase"]),
        ("dbase.csv", dbase(tmp_path), ["data-file-dbase"]),
    ):
        assert codes_of(name, content, AGE, tmp_path) == codes, name
