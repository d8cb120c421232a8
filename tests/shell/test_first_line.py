# SPDX-License-Identifier: Apache-2.0
"""No message of check, release or verify prints a cell of the first line, in any kind of file.

Where a file has no header, its first line is somebody's row. ``new`` shows it, and so does the
window: there a custodian chooses columns by it.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pandas as pd
import pyreadstat
import pytest
from openpyxl import Workbook

from tests.data.workbooks import write_ods
from tests.shell.hospital import Hospital

CANARY = ("Canary4711", "Kanari\u00e4", "1943-02-11", "4711,5")
KNOWN = ("pid", "ward", "stay", "Canary4711")
"""A header with what is declared, and one thing more that is nobody's business."""
BELOW = (("1", "A", "3", "x"), ("2", "B", "5", "y"), ("3", "A", "7", "z"))
SIGNS = ("Canary", "canary", "4711", "Kanari", "1943")
Write = Callable[[Path, "Lines"], None]
Lines = tuple[tuple[str, ...], ...]


def text_of(lines: Lines, separator: str = ",", end: str = "\n") -> str:
    """The lines as a text, quoted where that is needed."""
    cells = ([f'"{cell}"' if separator in cell else cell for cell in line] for line in lines)
    return "".join(separator.join(line) + end for line in cells)


def text(separator: str = ",", encoding: str = "utf-8", end: str = "\n", above: str = "") -> Write:
    """Writes a text."""

    def write(path: Path, lines: Lines) -> None:
        path.write_bytes((above + text_of(lines, separator, end)).encode(encoding))

    return write


def gz(path: Path, lines: Lines) -> None:
    """A packed text."""
    path.write_bytes(gzip.compress(text_of(lines).encode()))


def zip_(path: Path, lines: Lines) -> None:
    """A text alone in an archive."""
    with ZipFile(path, "w") as archive:
        archive.writestr("table.csv", text_of(lines))


def xlsx(path: Path, lines: Lines) -> None:
    """A workbook."""
    book = Workbook()
    book.active.title = "S"
    for line in lines:
        book.active.append(list(line))
    book.save(path)


def ods(path: Path, lines: Lines) -> None:
    """An OpenDocument table."""
    write_ods(path, {"S": lines})


def parquet(path: Path, lines: Lines) -> None:
    """Parquet, whose columns have names of their own."""
    frame(lines).to_parquet(path)


def sav(path: Path, lines: Lines) -> None:
    """SPSS; its names are letters and digits, so what is none stands in labels."""
    pyreadstat.write_sav(named(lines), path, column_labels=list(lines[0]))


def dta(path: Path, lines: Lines) -> None:
    """Stata."""
    pyreadstat.write_dta(named(lines), path, column_labels=list(lines[0]))


def frame(lines: Lines) -> pd.DataFrame:
    """The lines as a table with its first one as names."""
    return pd.DataFrame([list(line) for line in lines[1:]], columns=list(lines[0]))


def named(lines: Lines) -> pd.DataFrame:
    """The same under names that statistics programs know."""
    table = frame(lines)
    table.columns = pd.Index(
        name if name.isascii() and name.isalnum() and name[0].isalpha() else f"Canary{place}"
        for place, name in enumerate(table.columns)
    )
    return table


@dataclass(frozen=True)
class Kind:
    """A kind of file."""

    ending: str
    write: Write
    data: dict[str, Any]


SHEET = {"format": "excel", "sheet": "S", "header_row": 1}
KINDS = {
    "csv": Kind("csv", text(), {}),
    "semicolons": Kind("csv", text(";"), {"separator": ";", "decimal": ","}),
    "tsv": Kind("tsv", text("\t"), {"separator": "\t"}),
    "bars": Kind("txt", text("|"), {"separator": "|"}),
    "cp1252": Kind("csv", text(encoding="cp1252"), {"encoding": "cp1252"}),
    "cp1252 as utf-8": Kind("csv", text(encoding="cp1252"), {}),
    "utf-16": Kind("csv", text(encoding="utf-16"), {"encoding": "utf-16"}),
    "byte-order mark": Kind("csv", text(encoding="utf-8-sig"), {}),
    "carriage returns": Kind("csv", text(end="\r"), {"line_ending": "cr"}),
    "no quotes": Kind("csv", text(";"), {"separator": ";", "quotes": False}),
    "line breaks": Kind("csv", text(), {"line_breaks": True}),
    "row names": Kind("csv", text(), {"row_names": True}),
    "filled down": Kind("csv", text(), {"fill_down": True}),
    "a title above": Kind("csv", text(above="Canary 4711\n"), {"header_row": 2}),
    "a title as header": Kind("csv", text(above="Canary 4711\n"), {"header_row": 1}),
    "sep=": Kind("csv", text(";", above="sep=;\n"), {"separator": ";", "header_row": 2}),
    "wrong separator": Kind("csv", text(";"), {}),
    "gz": Kind("csv.gz", gz, {}),
    "zip": Kind("csv.zip", zip_, {}),
    "xlsx": Kind("xlsx", xlsx, SHEET),
    "ods": Kind("ods", ods, SHEET),
    "parquet": Kind("parquet", parquet, {"format": "parquet"}),
    "sav": Kind("sav", sav, {"format": "spss"}),
    "dta": Kind("dta", dta, {"format": "stata"}),
}
HEADERS = {
    "a row as header": CANARY,
    "a row that stands twice": (CANARY[0], CANARY[0], *CANARY[2:]),
    "one column more": KNOWN,
}
NAMED = ("parquet", "sav", "dta")
"""In these no two columns have one name."""


def written(hospital: Hospital, kind: Kind, header: tuple[str, ...]) -> Path:
    """A file of this kind, and a study about it."""
    path = hospital.folder / f"stays.{kind.ending}"
    kind.write(path, (header, *BELOW))
    hospital.write_study(lambda members: members["data"].update(path=path.name, **kind.data))
    return path


@pytest.mark.parametrize(
    ("kind", "header"),
    [
        (kind, header)
        for kind in KINDS
        for header in HEADERS
        if kind not in NAMED or header != "a row that stands twice"
    ],
)
@pytest.mark.in_turn(8)
def test_no_message_prints_a_cell_of_the_first_line(
    hospital: Hospital, kind: str, header: str
) -> None:
    path = written(hospital, KINDS[kind], HEADERS[header])
    commands: tuple[tuple[str | Path, ...], ...] = (
        ("check", hospital.study),
        ("check", hospital.study, "--json"),
        ("release", hospital.study, "--out", hospital.bundle),
        ("verify", path),
        ("verify", path, "--json"),
        ("verify", path, path),
        # A data file in the place of every other one.
        ("check", path),
        ("release", path),
        ("verify", path, "--signers", path),
        ("verify", path, "--notice", path),
    )
    ends = []
    for command in commands:
        said = hospital.run(*command)
        ends.append(said.status)
        printed = said.out + said.err
        assert printed and not [sign for sign in SIGNS if sign in printed], command
    assert all(ends[3:])
    is_read = header == "one column more" and kind not in ("a title as header", "wrong separator")
    assert (ends[0] == 0) == is_read


def test_a_signers_file_or_notice_that_is_data_is_refused_without_its_cells(
    hospital: Hospital,
) -> None:
    """Beside a bundle that is one, so that they are read."""
    assert hospital.release().status == 0
    for kind in ("csv", "tsv", "utf-16", "gz", "xlsx"):
        path = written(hospital, KINDS[kind], CANARY)
        for option in ("--signers", "--notice"):
            said = hospital.run("verify", hospital.bundle, option, path)
            assert said.status and not [s for s in SIGNS if s in said.out + said.err], option


@pytest.mark.parametrize("kind", ["csv", "xlsx", "parquet"])
def test_new_shows_the_first_line(hospital: Hospital, kind: str) -> None:
    earlier = hospital.folder / "earlier.dpdesk"
    earlier.write_bytes(hospital.study.read_bytes())
    path = written(hospital, KINDS[kind], CANARY)
    said = hospital.run("new", hospital.folder / "next.dpdesk", "--like", earlier, "--data", path)
    assert "Canary4711" in said.out + said.err
