# SPDX-License-Identifier: Apache-2.0
"""The cells of a released table as people read them; in files a number stays a plain one.

Which texts are numbers is known from the question alone, never from how a text looks: a category
called ``65000`` stays what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import combinations_with_replacement
from typing import Any, Final, Literal

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.statistics.linear.linear_model import ROWS, line_name, moment_label
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import LinearModelParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text import titles
from dpdesk.study.text.number_text import in_column, in_percent, in_text, percent
from dpdesk.study.text.titles import rate_unit

Form = Literal[
    "text", "group", "weekday", "period", "number", "bins", "number-of-rows", "percent", "points"
]
"""``percent`` and ``points``: a share as a percentage, and its margin in percentage points."""
_WITHIN: Final[Template] = "{lowest} to {highest}"
GROUP_FORMS: Final = frozenset({"group", "weekday", "period", "bins"})
NUMBERS: Final = frozenset({"number", "percent", "points"})

TEXT_ROLES = frozenset({"group", "choice", "found", "label", "mark", "figure", "measure", "why"})
"""Roles whose cells may be texts; all others are numbers."""

POPULATION_ROLES = ("population-lowest", "population-highest")
PERCENT_ROLES = frozenset({"share", "share-half-width"})
VALUE_ROLES = frozenset({"value", "half-width", "lowest", "highest", "nearest", *POPULATION_ROLES})
MARGIN_ROLES = frozenset({"half-width", "share-half-width"})

_NUMBER_LABELS = frozenset({"quantile", "rank", "up_to"})
_BIN: Final[Template] = "{lowest} to {highest}"
_INTERVAL = re.compile(
    r"([\[(])(-?[0-9]+(?:\.[0-9]+)?) ?[-,;\u2013] ?(-?[0-9]+(?:\.[0-9]+)?)([\])])"
)
_INTERVALS: Final[dict[str, Template]] = {
    "[]": "{lowest} to {highest}",
    "[)": "{lowest} to under {highest}",
    "(]": "over {lowest} to {highest}",
    "()": "over {lowest} to under {highest}",
}
_QUARTER: Final[Template] = "Q{quarter} {year}"
_MONTHS: Final[dict[str, Template]] = {
    "01": "Jan",
    "02": "Feb",
    "03": "Mar",
    "04": "Apr",
    "05": "May",
    "06": "Jun",
    "07": "Jul",
    "08": "Aug",
    "09": "Sep",
    "10": "Oct",
    "11": "Nov",
    "12": "Dec",
}
_WEEKDAYS: Final[dict[str, Template]] = {
    "Monday": "Monday",
    "Tuesday": "Tuesday",
    "Wednesday": "Wednesday",
    "Thursday": "Thursday",
    "Friday": "Friday",
    "Saturday": "Saturday",
    "Sunday": "Sunday",
}


def within(low: str, high: str, words: ReleaseWords) -> str:
    """Both ends of a range that were written as cells, a per cent sign behind the last alone."""
    return words.say(_WITHIN, lowest=low.removesuffix("%").rstrip(), highest=high)


def forms_of(table: Table, query: ReleasedQuery) -> tuple[Form, ...]:
    """What the cells of each column of a record's table are."""
    by, is_share = query.question.by, DECLARATIONS[query.statistic].is_share
    shares = PERCENT_ROLES | (VALUE_ROLES if is_share else frozenset())
    forms = [_form(column, by[i : i + 1]) for i, column in enumerate(table.columns)]
    roles = (column.role for column in table.columns)
    return tuple(
        form if role not in shares else "points" if role in MARGIN_ROLES else "percent"
        for form, role in zip(forms, roles, strict=True)
    )


def _form(column: TableColumn, grouping: list[Any]) -> Form:
    role = column.role
    if role != "group":
        return "text" if role in TEXT_ROLES else "number"
    if grouping:
        return _form_of_groups(grouping[0])
    if column.name == "number_of_rows":
        return "number-of-rows"
    return "number" if column.name in _NUMBER_LABELS else "text"


def for_people(
    table: Table, study: Study | None, query: ReleasedQuery, words: ReleaseWords = WORDS
) -> Table:
    """The same in words of the language: the unit of a rate, and columns by their titles."""
    asked = None if study is None else study.query(query.id)
    named = {} if study is None or asked is None else line_names(study, asked, words)
    made = with_rate_unit(table, study, query, words)
    return _renamed(made, named) if named else made


def line_names(study: Study, query: Query, words: ReleaseWords = WORDS) -> dict[str, str]:
    """What the lines of a linear model are called, by their labels in files; of others nothing."""
    own = query.parameters
    if not isinstance(own, LinearModelParameters):
        return {}
    names = (*own.columns, own.column or "")
    labels, read = (
        [write(name) for name in names] for write in (line_name, partial(titles.column_name, study))
    )
    pairs = [*combinations_with_replacement(range(len(names) + 1), 2)][1:]
    counted = titles.counted(study, query, words.language)
    return {
        ROWS: words.say("Number of {rows}", rows=counted),
        **{moment_label(pair, labels): moment_label(pair, read) for pair in pairs},
    }


def _renamed(table: Table, names: Mapping[str, str]) -> Table:
    """The same with its first column, and that of what follows from it, in other words."""
    rows = tuple((names.get(row[0], row[0]), *row[1:]) for row in table.rows)
    derived = None if table.derived is None else _renamed(table.derived, names)
    return replace(table, rows=rows, derived=derived)


def _form_of_groups(grouping: Any) -> Form:
    cut = grouping if isinstance(grouping, dict) else {}
    if "period" in cut:
        return "weekday" if cut["period"] == "weekday" else "period"
    return "bins" if "edges" in cut else "group"


def with_rate_unit(
    table: Table, study: Study | None, query: ReleasedQuery, words: ReleaseWords = WORDS
) -> Table:
    """The same with what a rate counts in above its figures: it is a phrase of the language."""
    asked = None if study is None else study.query(query.id)
    if study is None or asked is None or not (unit := rate_unit(study, asked, words.language)):
        return table
    columns = (
        replace(column, unit=unit) if column.role == "value" else column for column in table.columns
    )
    return replace(table, columns=tuple(columns))


def group_text(text: str, words: ReleaseWords = WORDS) -> str:
    """A group's name; one in the brackets of an interval in words.

    >>> [group_text(text) for text in ("[0-10)", "(1.5, 10]", "(missing)", "[a-b)")]
    ['0 to under 10', 'over 1.5 to 10', '(missing)', '[a-b)']
    """
    match = _INTERVAL.fullmatch(text)
    if match is None:
        return titles.group_text(text, words.language)
    ends = {"lowest": in_text(match[2], words.numbers), "highest": in_text(match[3], words.numbers)}
    return words.say(_INTERVALS[match[1] + match[4]], **ends)


def cell_writer(form: Form, words: ReleaseWords = WORDS) -> Callable[[str], str]:
    """What writes the cells of one column, of which many are alike.

    >>> cell_writer("number")("-1234"), cell_writer("text")("65000")
    ('−1,234', '65000')
    >>> cell_writer("bins")("-5 to 10000")
    '−5 to 10,000'
    >>> cell_writer("percent")("0.125"), cell_writer("points")("0.021")
    ('12.5 %', '2.1')
    """
    if form == "text":
        return str
    if form == "group":
        write = partial(group_text, words=words)
    elif form == "weekday":
        write = partial(_weekday, words=words)
    elif form == "period":
        write = partial(_period, words=words)
    elif form == "bins":
        write = partial(_bin, words=words)
    elif form == "number-of-rows":
        write = partial(titles.number_of_rows, language=words.language)
    elif form == "percent":
        write = partial(percent, style=words.numbers)
    elif form == "points":
        write = partial(in_percent, style=words.numbers)
    else:
        write = partial(in_column, style=words.numbers)
    return lru_cache(maxsize=4096)(write)


def _weekday(text: str, words: ReleaseWords) -> str:
    return words.say(_WEEKDAYS[text]) if text in _WEEKDAYS else text


def _period(text: str, words: ReleaseWords) -> str:
    """A quarter or a month as people write it; a year as it is.

    >>> _period("2026-Q4", WORDS), _period("2026-11", WORDS), _period("2026", WORDS)
    ('Q4 2026', 'Nov 2026', '2026')
    """
    year, _, part = text.partition("-")
    if part in _MONTHS:
        return f"{words.say(_MONTHS[part])} {year}"
    return words.say(_QUARTER, quarter=part[1:], year=year) if part else year


def _bin(text: str, words: ReleaseWords) -> str:
    """A bin by its lowest and highest value; one of a single value is that value."""
    ends = [in_text(end, words.numbers) for end in text.split(" to ")]
    return words.say(_BIN, lowest=ends[0], highest=ends[1]) if len(ends) == 2 else " ".join(ends)
