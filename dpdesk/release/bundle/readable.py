# SPDX-License-Identifier: Apache-2.0
"""The cells of a released table as people read them; in files a number stays a plain one.

Which texts are numbers is known from the question alone, never from how a text looks: a category
called ``65000`` stays what it is.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.release.bundle.headings import WORDS, ReleaseWords
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.text.number_text import in_column, in_text
from dpdesk.study.text.titles import group_text

Form = Literal["text", "group", "weekday", "number", "bins"]

TEXT_ROLES = frozenset({"group", "choice", "found", "label", "mark"})
"""Roles whose cells may be texts; all others are numbers."""

_NUMBER_LABELS = frozenset({"quantile", "rank", "up_to"})
_BIN: Final[Template] = "{lowest} to {highest}"
_WEEKDAYS: Final[dict[str, Template]] = {
    "Monday": "Monday",
    "Tuesday": "Tuesday",
    "Wednesday": "Wednesday",
    "Thursday": "Thursday",
    "Friday": "Friday",
    "Saturday": "Saturday",
    "Sunday": "Sunday",
}


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
        return _form_of_groups(grouping[0])
    return "number" if column.name in _NUMBER_LABELS else "text"


def _form_of_groups(grouping: Any) -> Form:
    cut = grouping if isinstance(grouping, dict) else {}
    if cut.get("period") == "weekday":
        return "weekday"
    return "bins" if "edges" in cut else "group"


def cell(text: str, form: Form, words: ReleaseWords = WORDS) -> str:
    """One cell.

    >>> cell("-1234", "number"), cell("65000", "text"), cell("-5 to 10000", "bins")
    ('−1,234', '65000', '−5 to 10,000')
    """
    if form == "text":
        return text
    if form == "group":
        return group_text(text, words.language)
    if form == "weekday":
        return words.say(_WEEKDAYS[text]) if text in _WEEKDAYS else text
    if form == "bins":
        return _bin([in_text(end, words.numbers) for end in text.split(" to ")], words)
    return in_column(text, words.numbers)


def _bin(ends: list[str], words: ReleaseWords) -> str:
    """A bin by its lowest and highest value; one of a single value is that value."""
    return words.say(_BIN, lowest=ends[0], highest=ends[1]) if len(ends) == 2 else " ".join(ends)
