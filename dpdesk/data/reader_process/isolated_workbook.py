# SPDX-License-Identifier: Apache-2.0
"""What a workbook consists of, as another process finds it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from dpdesk.data.files.workbook.sheet_look import SheetLook
from dpdesk.data.progress import CancelToken
from dpdesk.data.reader_process.client import about_data, open_client
from dpdesk.data.reader_process.frames import Broken
from dpdesk.data.reader_process.isolated_table import placed
from dpdesk.data.reader_process.messages import problems_from, rows, texts
from dpdesk.study.model.unit import DataSource


def sheets(path: Path, cancel: CancelToken | None = None) -> tuple[str, ...]:
    """The names of a workbook's sheets, in its order; diagrams and macros are none.

    Raises:
        Refused: as ``isolated_table.open_isolated`` says.
        Cancelled: the token was raised.
    """
    with open_client(about_data(path, "excel"), cancel=cancel) as client:
        return client.value(texts, "sheets", path=_placed(path))


def propose_workbook(path: Path, cancel: CancelToken | None = None) -> tuple[str, int | None]:
    """The sheet and the header row, as far as the file leaves no choice.

    The sheet is the only one that holds anything, or ``""``. The header row is its first that is
    not blank where that consists of different texts and nothing else, or ``None``.

    Raises:
        Refused: as ``isolated_table.open_isolated`` says.
        Cancelled: the token was raised.
    """
    with open_client(about_data(path, "excel"), cancel=cancel) as client:
        return client.value(_proposal, "propose", path=_placed(path))


def look_at(
    source: DataSource, folder: Path, count: int, cancel: CancelToken | None = None
) -> SheetLook:
    """The sheets, the chosen one's first rows and its header, from loading it once.

    Raises:
        Refused: the workbook itself cannot be read; what is wrong with the choices is reported.
        Cancelled: the token was raised.
    """
    there = placed(source, folder)
    with open_client(about_data(Path(there.path), "excel"), cancel=cancel) as client:
        return client.value(look_from, "look", source=asdict(there), count=count)


def look_from(said: Any) -> SheetLook:
    """A look, out of JSON.

    Raises:
        Broken: it is none.
    """
    if not isinstance(said, list) or len(said) != 4:
        raise Broken
    names, top, header, problems = said
    shown = tuple(map(tuple, rows(top)))
    return SheetLook(texts(names), shown, texts(header), problems_from(problems))


def _placed(path: Path) -> str:
    return placed(DataSource(path=str(path)), Path()).path


def _proposal(said: Any) -> tuple[str, int | None]:
    if not isinstance(said, list) or len(said) != 2:
        raise Broken
    sheet, row = said
    if not isinstance(sheet, str) or not (row is None or type(row) is int):
        raise Broken
    return sheet, row
