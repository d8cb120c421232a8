# SPDX-License-Identifier: Apache-2.0
"""``dpdesk check``: can the cells of the used columns be read as declared? Coarse, and local.

What it prints is for the custodian alone. It opens neither ledger nor key, writes no file, and no
other command runs it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpdesk.data.inspection.cell_check import ColumnCheck, check_cells, checked_columns
from dpdesk.data.progress import no_progress
from dpdesk.shell.extract import with_file
from dpdesk.shell.output import DONE, print_json, show_reading
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn, column_title
from dpdesk.study.model.document import Study

_NUMBERS = {
    "nearly-all": "nearly all cells are numbers.",
    "some": "some cells are numbers, others are none. Is the decimal mark right?",
    "hardly-any": "hardly any cell is a number{place}. Change the decimal mark or the kind.",
    "none": "no cell is a number{place}. Change the decimal mark or the kind.",
}
_DAYS = {
    "nearly-all": "nearly all cells are days written {format}.",
    "some": "some cells are days written {format}, others are not.",
    "hardly-any": "hardly any cell is a day written {format}{place}. Change the format.",
    "none": "no cell is a day written {format}{place}. Change the format.",
}
_LISTS = {
    "hardly-any": "hardly any cell is one of its values. Are they spelled as in the file?",
    "none": "no cell is one of its values. Are they spelled as in the file?",
}
_LOCAL = "Coarse on purpose. It stays on this computer; nothing of it goes out."
_SILENT = "Of a list nothing is said unless hardly any or no cell is one of its values."


@dataclass(frozen=True)
class CheckRequest:
    """What is wanted.

    Attributes:
        study: the study's file.
        data: read this file instead.
        as_json: print JSON.
    """

    study: Path
    data: Path | None = None
    as_json: bool = False


def run(request: CheckRequest) -> int:
    """Print how the cells of each used column can be read.

    Raises:
        Refused: the study or its file cannot be read, or the header does not fit.
    """
    file = load_study(request.study)
    study = with_file(file.study, request.data)
    progress = show_reading if sys.stderr.isatty() else no_progress
    found = check_cells(study, file.folder, progress)
    if request.as_json:
        print_json({"columns": [_members(check) for check in found]})
        return DONE
    print(_LOCAL)
    _print(study, found)
    return DONE


def _members(check: ColumnCheck) -> dict[str, Any]:
    place = {"line": check.line, "row": check.row}
    return {"column": check.name, "readable": check.readable, **place}


def _print(study: Study, found: tuple[ColumnCheck, ...]) -> None:
    checked = checked_columns(study)
    for check in found:
        column = study.column(check.name)
        if column is not None:
            print(f"{column_title(column)}: {_sentence(column, check)}")
    if not checked:
        print("No query uses a column.")
    if any(not isinstance(column, NumberColumn | DateColumn) for column in checked):
        print(_SILENT)


def _sentence(column: Column, check: ColumnCheck) -> str:
    if isinstance(column, NumberColumn):
        return _NUMBERS[check.readable].format(place=_place(check))
    if isinstance(column, DateColumn):
        return _DAYS[check.readable].format(place=_place(check), format=column.format)
    return _LISTS[check.readable]


def _place(check: ColumnCheck) -> str:
    """Where the first cell stands that is none."""
    if check.line is not None:
        return f", first at line {check.line}"
    return "" if check.row is None else f", first in row {check.row} below the header"
