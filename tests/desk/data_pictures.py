# SPDX-License-Identifier: Apache-2.0
"""Pictures of Data with files of several kinds: what it asks, offers, and says of a failure."""

from __future__ import annotations

from pathlib import Path

from openpyxl import Workbook

from dpdesk.desk.pages.data.page import DATABASE, DataPage
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from tests.desk.camera import SMALL, Photographer

HEADER = "Fallnummer;Patient;Aufnahmedatum;Alter;Geschlecht;Verweildauer;Größe;Kosten;Kosten"


def take_database(camera: Photographer) -> None:
    """The study on show, as if its rows were in a database: before its order, and after it."""
    window = camera.window
    session = window.session
    window.go_to("data")
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    page.where.segment(DATABASE).click()
    camera.take("02-data-database")
    page.database.save_order(session.home.root / "stays.order.json")
    camera.take("02-data-order")
    camera.take("02-data-order", SMALL)
    window.go_to("release")
    camera.take("06-release-waits")
    session.document.undo_stack.undo()


def take_files(camera: Photographer) -> None:
    """A workbook until it is read, and a text file that is read wrongly at first."""
    folder = camera.window.session.home.root
    _take_workbook(camera, _workbook(folder / "Aufenthalte 2025.xlsx"))
    _take_text(camera, _text(folder / "export_2025.csv"))


def _take_workbook(camera: Photographer, path: Path) -> None:
    window = camera.window
    window.opening.new_study(path)
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    camera.take("02-data-sheet")
    camera.take("02-data-sheet", SMALL)
    _take_list(camera, page, "sheet")
    page._correct("sheet", "Aufenthalte")
    camera.take("02-data-row")
    _take_list(camera, page, "header_row")
    page.show_rows.click()
    camera.take("02-data-row-shown")
    page._correct("header_row", 4)
    camera.take("02-data-rows")
    page.show_rows.click()
    camera.take("02-data-workbook")


def _take_text(camera: Photographer, path: Path) -> None:
    window = camera.window
    window.opening.new_study(path)
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    camera.take("02-data-text")
    camera.take("02-data-text", SMALL)
    _take_list(camera, page, "missing")
    page._correct("thousands", ",")
    camera.take("02-data-wrong")
    camera.take("02-data-wrong", SMALL)
    page.session.document.undo_stack.undo()
    page._correct("format", "spss")
    camera.take("02-data-wrong-kind")


def _take_list(camera: Photographer, page: DataPage, part: str) -> None:
    page.chips.chips[part].click()
    camera.take_popup(f"02-data-{part}-list", page.findChildren(ChoicePopup)[-1])


def _workbook(path: Path) -> Path:
    made = Workbook()
    about = made.active
    assert about is not None
    about.title = "Hinweise"
    about.append(["Auszug des Medizincontrollings"])
    sheet = made.create_sheet("Aufenthalte")
    for row in (["Aufenthalte 2025"], ["Stand: 31.12.2025"], [], HEADER.split(";")):
        sheet.append(row)
    for i in range(40):
        sheet.append([1000 + i, f"P{i // 2}", "2025-03-04", 40 + i, "w", 3.5, 171, 1204.5, 10])
    made.create_sheet("Codes")
    made.save(path)
    return path


def _text(path: Path) -> Path:
    rows = "".join(f"{i};P{i};04.03.2025;{40 + i};w;3,5;171;1.204,50;10\n" for i in range(40))
    path.write_text(f"{HEADER}\n{rows}", encoding="cp1252")
    return path
