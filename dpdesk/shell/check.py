# SPDX-License-Identifier: Apache-2.0
"""``dpdesk check``: can the cells of the used columns be read as declared? Coarse, and local.

What it prints is for the custodian alone. It opens neither ledger nor key, writes no file, and no
other command runs it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.data.inspection.cell_check import ColumnCheck, check_cells, checked_columns
from dpdesk.data.progress import no_progress
from dpdesk.shell.extract import with_file
from dpdesk.shell.output import DONE, print_json, say, show_reading
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn, column_title
from dpdesk.study.model.document import Study

_NUMBERS: Final[dict[str, Template]] = {
    "nearly-all": "nearly all cells are numbers.",
    "some": "some cells are numbers, others are not. Is the decimal mark right?",
    "hardly-any": "hardly any cell is a number{place}. Change the decimal mark or the kind.",
    "none": "no cell is a number{place}. Change the decimal mark or the kind.",
}
_DAYS: Final[dict[str, Template]] = {
    "nearly-all": "nearly all cells are dates written as {format}.",
    "some": "some cells are dates written as {format}, others are not.",
    "hardly-any": "hardly any cell is a date written as {format}{place}. Change the format.",
    "none": "no cell is a date written as {format}{place}. Change the format.",
}
_LISTS: Final[dict[str, Template]] = {
    "hardly-any": "hardly any cell is one of its values. Are they spelled as in the file?",
    "none": "no cell is one of its values. Are they spelled as in the file?",
}
_LOCAL: Final[Template] = "Deliberately coarse. It stays on this computer and is in no release."
_SILENT: Final[Template] = (
    "A column with a list of values is reported only if hardly any cell, or none, is one of them."
)


@dataclass(frozen=True)
class CheckOptions:
    """What is wanted.

    Attributes:
        study: the study's file.
        data: read this file instead.
        as_json: print JSON.
    """

    study: Path
    data: Path | None = None
    as_json: bool = False


def run(request: CheckOptions) -> int:
    """Print how the cells of each used column can be read.

    Raises:
        Refused: the study or its file cannot be read, or the header does not fit.
    """
    file = load_study(request.study)
    study = with_file(file.study, request.data)
    progress = show_reading if sys.stderr.isatty() else no_progress
    checks = check_cells(study, file.folder, progress)
    if request.as_json:
        print_json({"columns": [_members(check) for check in checks]})
        return DONE
    print(say(_LOCAL))
    _print(study, checks)
    return DONE


def _members(check: ColumnCheck) -> dict[str, Any]:
    place = {"line": check.line, "row": check.row}
    return {"column": check.name, "readable": check.readable, **place}


def _print(study: Study, checks: tuple[ColumnCheck, ...]) -> None:
    checked = checked_columns(study)
    for check in checks:
        column = study.column(check.name)
        if column is not None:
            print(f"{column_title(column)}: {_sentence(column, check)}")
    if not checked:
        print(say("No query uses a column."))
    if any(not isinstance(column, NumberColumn | DateColumn) for column in checked):
        print(say(_SILENT))


def _sentence(column: Column, check: ColumnCheck) -> str:
    if isinstance(column, NumberColumn):
        return say(_NUMBERS[check.readable], place=_place(check))
    if isinstance(column, DateColumn):
        return say(_DAYS[check.readable], place=_place(check), format=column.format)
    return say(_LISTS[check.readable])


def _place(check: ColumnCheck) -> str:
    """Where the first cell stands that is none."""
    if check.line is not None:
        return say(", first in line {line}", line=check.line)
    if check.row is not None:
        return say(", first in row {row} below the header", row=check.row)
    return ""
