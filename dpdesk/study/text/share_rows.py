# SPDX-License-Identifier: Apache-2.0
"""Which rows are no part of a share's 100 %, where declarations or conditions leave some out."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study.model.columns import (
    DROP,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    column_title,
)
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import TimeToEventParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.text import title_words as words
from dpdesk.study.text.sentence_language import ENGLISH, Language
from dpdesk.study.text.titles import conditions, in_sentence
from dpdesk.study.text.unit_names import names_of


def left_out_of_share(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """Which rows a share is not taken of, as a sentence; empty where every row counts.

    A row is in neither part of a share where a rule of one of the property's columns leaves it
    out. "Share of rows where Diagnosis is E11", with three of a hundred diagnoses listed, is a
    share of the rows with one of the three. Each rule is said by itself: a column may leave out
    what is not listed and count what is missing, or the other way round. Rows that do not meet
    the query's conditions are in neither part, either.

    Args:
        study: with the columns' rules.
        query: any query; other statistics than shares have no such sentence.
    """
    own = query.parameters
    if not query.declaration.is_share:
        return ""
    reasons = [reason for column in _needed(study, query) for reason in _said(column, language)]
    if isinstance(own, TimeToEventParameters) and own.entry and own.late == "leave-out":
        entry = study.column(own.entry)
        name = in_sentence(column_title(entry), language) if entry is not None else own.entry
        reasons.append(language.say(words.LEFT_OUT["not-before"]).format(column=name))
    names = names_of(study.unit, language.names)
    rows = names.people if query.of == "people" else names.rows
    said = []
    if query.where:
        tested = in_sentence(conditions(study, query, language), language)
        said.append(language.say(words.ALL_OF_SHARE).format(rows=rows, conditions=tested))
    if reasons:
        listed = language.say(words.OR).join(reasons)
        said.append(language.say(words.NOT_OF_SHARE).format(rows=rows, reasons=listed))
    return " ".join(said)


def needed_values(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """The columns of a query's figures of which a row needs a value, else a rule leaves it out."""
    needed = (column for column in _needed(study, query) if any(_reasons(column)))
    *most, last = ("", *(in_sentence(column_title(column), language) for column in needed))
    return language.say(words.AND).join(filter(None, (", ".join(most[1:]), last)))


def _needed(study: Study, query: Query) -> Iterator[Column]:
    """The columns of a query's figures whose rules can leave a row out.

    Whether a cell is missing is known of every row, whatever its column's rules are.
    """
    has = query.members.get("has", ())
    asked = {condition.column for condition in has if not isinstance(condition, IsMissing)}
    known = {condition.column for condition in has} - asked
    names = (name for name in dict.fromkeys(query.parameters.names) if name not in known)
    return (column for name in names if (column := study.column(name)) is not None)


def _said(column: Column, language: Language) -> Iterator[str]:
    """The reasons of one column, its name before the first alone where a language can do that."""
    name, begins = in_sentence(column_title(column), language), "{column} "
    for number, reason in enumerate(_reasons(column)):
        template = language.say(words.LEFT_OUT[reason])
        yield (template.removeprefix(begins) if number else template).format(column=name)


def _reasons(column: Column) -> Iterator[words.LeftOut]:
    """What a cell is where a rule leaves its row out, in the order of the form."""
    if column.missing == DROP:
        yield "missing"
    match column:
        case CategoryColumn(unknown="drop"):
            yield "not-listed"
        case YesNoColumn(unknown="drop"):
            yield "neither"
        case NumberColumn(unparsable="drop"):
            yield "no-number"
        case DateColumn(unparsable="drop"):
            yield "no-day"
    match column:
        case NumberColumn(outside="drop"):
            yield "beyond-bounds"
        case DateColumn(outside="drop"):
            yield "beyond-period"
