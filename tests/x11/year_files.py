# SPDX-License-Identifier: Apache-2.0
"""A year of a registry as a German hospital has it: stays as text, people and laboratory in Excel.

Both workbooks have lines above their head, as people who print them write; days are Excel's own
there and Germany's in the text. Nobody is meant: the rows are the annual report's.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import xlsxwriter

from tests.acceptance.annual.registry_files import HEADS, write_registry

WORDS = {
    **{"f": "w", "yes": "ja", "no": "nein", "Internal medicine": "Innere Medizin"},
    **{"Cardiology": "Kardiologie", "Surgery": "Gynäkologie", "Neurology": "Neurologie"},
    **{"North": "Nord", "East": "Ost", "South": "Süd"},
}
PERSON, CASE = "Patienten-ID", "Fallnummer"
STAYS = (PERSON, CASE, "Aufnahme", "Entlassung", "Station", "Diagnose", "Verstorben")
PATIENTS = (PERSON, "Geburtsdatum", "Geschlecht", "Region", "Raucher", "Erstkontakt", "Todesdatum")
LABS = (PERSON, CASE, "Datum", "HbA1c")
FIRST, A_YEAR = 2025, timedelta(days=365)

Cell = str | float | date


@dataclass(frozen=True)
class YearFiles:
    """The three files of a year."""

    stays: Path
    patients: Path
    labs: Path


def write_year(folder: Path, year: int, patients: int) -> YearFiles:
    """Write a year's three files into a new folder; a later year's days are so much later."""
    plain = folder / "plain"
    plain.mkdir(parents=True)
    write_registry(plain, patients)
    of_patients, of_stays, of_labs = (_rows(plain / name, year - FIRST) for name in HEADS)
    made = YearFiles(
        folder / f"Aufenthalte-{year}.csv",
        folder / f"Patienten-{year}.xlsx",
        folder / f"Labor-{year}.xlsx",
    )
    with made.stays.open("w", encoding="cp1252", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(STAYS)
        writer.writerows([_german(cell) for cell in row] for row in of_stays)
    above = ["Register Lindenfeld", f"Patientenstamm, Stand 31.12.{year}", ""]
    _workbook(made.patients, above, PATIENTS, of_patients)
    _workbook(made.labs, [f"Laborwerte {year}", "Vertraulich"], LABS, of_labs)
    shutil.rmtree(plain)
    return made


def _rows(path: Path, later: int) -> Iterator[list[Cell]]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows)
        for row in rows:
            yield [_cell(text, later) for text in row]


def _cell(text: str, later: int) -> Cell:
    if text.count("-") == 2:
        day = date.fromisoformat(text)
        return day + later * A_YEAR if day.year >= FIRST - 1 else day
    return float(text) if text[:1].isdigit() else WORDS.get(text, text)


def _german(cell: Cell) -> str:
    return f"{cell:%d.%m.%Y}" if isinstance(cell, date) else str(cell)


def _workbook(
    path: Path, above: Sequence[str], head: Sequence[str], rows: Iterator[list[Cell]]
) -> None:
    """A sheet with some lines above its head."""
    with xlsxwriter.Workbook(str(path), {"constant_memory": True}) as book:
        sheet, day = book.add_worksheet("Export"), book.add_format({"num_format": "dd.mm.yyyy"})
        for line, text in enumerate(above):
            sheet.write(line, 0, text)
        sheet.write_row(len(above), 0, head)
        for line, row in enumerate(rows, len(above) + 1):
            for place, cell in enumerate(row):
                if isinstance(cell, date):
                    sheet.write_datetime(line, place, cell, day)
                else:
                    sheet.write(line, place, cell)
