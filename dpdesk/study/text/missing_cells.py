# SPDX-License-Identifier: Apache-2.0
"""What becomes of rows without a usable value, for those who read one figure.

It follows from the declarations alone; whether any cell is missing is never looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from dpdesk.catalogue import TitleWord
from dpdesk.study.model.columns import (
    DROP,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    column_title,
)
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.queries import Query
from dpdesk.study.text import title_words
from dpdesk.study.text.number_text import in_text, plain
from dpdesk.study.text.sentence_language import ENGLISH, Language
from dpdesk.study.text.titles import in_sentence, value_text
from dpdesk.study.text.unit_names import names_of

_BOTH: Final[TitleWord] = "No value, or one that is not listed: {columns}."
_MISSING: Final[TitleWord] = "No value: {columns}."
_UNLISTED: Final[TitleWord] = "A value that is not listed: {columns}."
_COUNTS_AS: Final[TitleWord] = "{column} counts as “{group}”"
_LEFT_OUT: Final[TitleWord] = "Left out: {rows} without a usable value of {columns}."


def asked_columns(query: Query) -> frozenset[str]:
    """The columns whose values a query asks about, not only whether there is one."""
    conditions = (*query.where, *query.members.get("has", ()))
    known = {condition.column for condition in conditions if isinstance(condition, IsMissing)}
    known -= {condition.column for condition in conditions if not isinstance(condition, IsMissing)}
    return query.names - (known - {query.column, *map(column_of, query.by)})


def missing_cells(
    study: Study, query: Query, language: Language = ENGLISH, *, has_mixed: bool = False
) -> str:
    """What becomes of a query's rows without a usable value; empty where none is concerned.

    Of a share's own columns ``left_out_of_share`` says it.

    Args:
        has_mixed: whether it is said elsewhere which of its groups such rows are among.
    """
    said = query.parameters.names if query.declaration.is_share else ()
    asked = asked_columns(query) - frozenset(said)
    columns = [column for column in study.columns if column.name in asked]
    names = names_of(study.unit, language.names)
    rows = names.people if query.of == "people" else names.rows
    left_out = tuple(_left_out(columns, rows, language))
    grouped = {*map(column_of, query.by)} if has_mixed else set[str]()
    replaced = [column for column in columns if column.name not in grouped]
    return " ".join((*replaced_cells(replaced, language), *left_out))


def replaced_cells(columns: Sequence[Column], language: Language = ENGLISH) -> Iterator[str]:
    """Which cells count as a declared value."""
    rules = []
    for one in columns:
        empty, other = (_group(one, rule, language) for rule in _rules(one))
        rules.append((one, empty, other))
    for template, pairs in (
        (
            language.say(_BOTH),
            [(one, empty) for one, empty, other in rules if empty and empty == other],
        ),
        (
            language.say(_MISSING),
            [(one, empty) for one, empty, other in rules if empty and empty != other],
        ),
        (
            language.say(_UNLISTED),
            [(one, other) for one, empty, other in rules if other and empty != other],
        ),
    ):
        if pairs:
            said = language.say(_COUNTS_AS)
            listed = (said.format(column=column_title(one), group=group) for one, group in pairs)
            yield template.format(columns="; ".join(listed))


def mixed_by_place(study: Study, query: Query, language: Language) -> list[tuple[str, ...]]:
    """Of each grouping, the groups that rows without a usable value are among, as people say."""
    columns = (study.column(column_of(by)) for by in query.by)
    return [
        tuple(filter(None, (_group(one, rule, language) for rule in _rules(one))))
        if isinstance(one, CategoryColumn)
        else ()
        for one in columns
    ]


def dropping(columns: Iterable[Column]) -> list[Column]:
    """Those of which a rule leaves rows out."""
    return [one for one in columns if DROP in _all_rules(one)]


def _left_out(columns: Sequence[Column], rows: str, language: Language) -> Iterator[str]:
    called = [in_sentence(column_title(one), language) for one in dropping(columns)]
    if called:
        quoted = (language.say(title_words.VALUE).format(value=name) for name in called)
        listed = language.say(title_words.OR).join(quoted)
        yield language.say(_LEFT_OUT).format(rows=rows, columns=listed)


def _rules(column: Column) -> tuple[object, object]:
    """Of a missing cell, and of one that is not listed."""
    match column:
        case CategoryColumn() | YesNoColumn():
            return column.missing, column.unknown
        case NumberColumn():
            return column.missing, None
    return None, None


def _all_rules(column: Column) -> tuple[object, ...]:
    match column:
        case NumberColumn() | DateColumn():
            return column.missing, column.unparsable, column.outside
    return _rules(column)


def _group(column: Column, rule: object, language: Language) -> str:
    """What a replaced cell counts as, as people call it; empty where none is replaced."""
    if not isinstance(rule, Replace):
        return ""
    if isinstance(rule.value, str):
        return value_text(column, rule.value, language)
    return f"{in_text(plain(rule.value), language.numbers)} {column.label}".rstrip()
