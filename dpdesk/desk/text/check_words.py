# SPDX-License-Identifier: Apache-2.0
"""What a check against the file says of a column, and what would fix it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.data.inspection.cell_check import HARDLY_ANY, NEARLY_ALL, NONE, SOME, ColumnCheck
from dpdesk.desk.text import times
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn


def finding(column: Column, check: ColumnCheck) -> str:
    """A sentence without its subject: "hardly any cell is a number, first at line 12."."""
    if isinstance(column, NumberColumn):
        said = _of_number(check)
    elif isinstance(column, DateColumn):
        said = _of_date(check).format(times.form_shown(column.format))
    else:
        said = _of_list(check)
    place = _place(check)
    return f"{said}{place}."


def remedy(column: Column) -> str:
    """What would fix it, in a sentence."""
    if isinstance(column, NumberColumn):
        return QCoreApplication.translate(
            "CheckCard", "Is the decimal mark right, and is this a number at all?"
        )
    if isinstance(column, DateColumn):
        return QCoreApplication.translate("CheckCard", "Are dates written like this in the file?")
    return QCoreApplication.translate("CheckCard", "Spelled as in the file?")


def action(column: Column) -> str:
    """The link that leads to the remedy."""
    if isinstance(column, NumberColumn):
        return QCoreApplication.translate("CheckCard", "Change column…")
    if isinstance(column, DateColumn):
        return QCoreApplication.translate("CheckCard", "Change format…")
    return QCoreApplication.translate("CheckCard", "Change values…")


def _of_number(check: ColumnCheck) -> str:
    return {
        NEARLY_ALL: QCoreApplication.translate("CheckCard", "nearly all cells are numbers"),
        SOME: QCoreApplication.translate("CheckCard", "some cells are numbers, others are not"),
        HARDLY_ANY: QCoreApplication.translate("CheckCard", "hardly any cell is a number"),
        NONE: QCoreApplication.translate("CheckCard", "no cell is a number"),
    }[check.readable]


def _of_date(check: ColumnCheck) -> str:
    return {
        NEARLY_ALL: QCoreApplication.translate(
            "CheckCard", "nearly all cells are dates written as {0}"
        ),
        SOME: QCoreApplication.translate(
            "CheckCard", "some cells are dates written as {0}, others are not"
        ),
        HARDLY_ANY: QCoreApplication.translate(
            "CheckCard", "hardly any cell is a date written as {0}"
        ),
        NONE: QCoreApplication.translate("CheckCard", "no cell is a date written as {0}"),
    }[check.readable]


def _of_list(check: ColumnCheck) -> str:
    if check.readable == NONE:
        return QCoreApplication.translate("CheckCard", "no cell is one of its values")
    return QCoreApplication.translate("CheckCard", "hardly any cell is one of its values")


def _place(check: ColumnCheck) -> str:
    """Where the first cell stands that is none."""
    if check.line is not None:
        template = QCoreApplication.translate("CheckCard", ", first in line {0}")
        return template.format(check.line)
    if check.row is not None:
        template = QCoreApplication.translate("CheckCard", ", first in row {0} below the header")
        return template.format(check.row)
    return ""
