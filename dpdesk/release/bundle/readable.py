# SPDX-License-Identifier: Apache-2.0
"""The cells of a released table as people read them; in files a number stays a plain one.

Which texts are numbers is known from the question alone, never from how a text looks: a category
called ``65000`` stays what it is.
"""

from __future__ import annotations

from typing import Any, Literal

from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.text.number_text import ENGLISH, NumberStyle, in_column, in_text

Form = Literal["text", "number", "bins"]

TEXT_ROLES = frozenset({"group", "choice", "found", "label", "mark"})
"""Roles whose cells may be texts; all others are numbers."""

_NUMBER_LABELS = frozenset({"quantile", "rank", "up_to"})


def forms_of(table: Table, query: ReleasedQuery) -> tuple[Form, ...]:
    """What the cells of each column of a record's table are.

    Args:
        table: a released one.
        query: its query.
    """
    by = query.question.by
    return tuple(_form(column, by[i : i + 1]) for i, column in enumerate(table.columns))


def _form(column: TableColumn, grouping: list[Any]) -> Form:
    role = column.role
    if role != "group":
        return "text" if role in TEXT_ROLES else "number"
    if grouping:
        cut = isinstance(grouping[0], dict) and "edges" in grouping[0]
        return "bins" if cut else "text"
    return "number" if column.name in _NUMBER_LABELS else "text"


def cell(text: str, form: Form, style: NumberStyle = ENGLISH) -> str:
    """One cell.

    >>> cell("-1234", "number"), cell("65000", "text"), cell("-5 to 10000", "bins")
    ('−1,234', '65000', '−5 to 10,000')
    """
    if form == "text":
        return text
    if form == "bins":
        return " to ".join(in_text(end, style) for end in text.split(" to "))
    return in_column(text, style)
