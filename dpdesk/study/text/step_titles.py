# SPDX-License-Identifier: Apache-2.0
"""What a derived column is, as a sentence; the same in the plan, the report and the window."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any, Final

from dpdesk.catalogue import TitleWord
from dpdesk.study.model.columns import Column, group_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import (
    Arithmetic,
    Bands,
    BesideRow,
    CodePrefix,
    DatePart,
    DatePartName,
    FileLabel,
    FirstThere,
    Holds,
    OfCase,
    OfPerson,
    OfRows,
    Operand,
    Operation,
    PersonValue,
    Recode,
    RecodeEntry,
    RowNeighbour,
    Step,
    TimeBetween,
    TimeUnit,
)
from dpdesk.study.text import title_words as words
from dpdesk.study.text.number_text import in_text, plain
from dpdesk.study.text.sentence_language import ENGLISH, Language
from dpdesk.study.text.titles import OPEN, column_name, condition, group_text, joined, number_list
from dpdesk.study.text.unit_names import names_of

SHOWN_ENTRIES: Final = 4
"""So many new values are named; of more the first ones, and how many others."""

TIMES: Final[dict[TimeUnit, TitleWord]] = {
    "hours": "hours from {first} to {last}",
    "days": "days from {first} to {last}",
    "weeks": "weeks from {first} to {last}",
    "months": "completed months from {first} to {last}",
    "years": "completed years from {first} to {last}",
}
OPERATIONS: Final[dict[Operation, TitleWord]] = {
    "add": "{first} + {second}",
    "subtract": "{first} − {second}",
    "multiply": "{first} × {second}",
    "divide": "{first} ÷ {second}",
}
PARTS: Final[dict[DatePartName, TitleWord]] = {
    "year": "year of {column}",
    "quarter": "quarter of {column}",
    "month": "month of {column}",
    "weekday": "day of the week of {column}",
    "hour": "hour of {column}",
}
PERSON_VALUES: Final[dict[PersonValue, TitleWord]] = {
    "count": "number of {rows} of a {person}",
    "any": "whether any of the {rows} of a {person} meets: {conditions}",
    "all": "whether all {rows} of a {person} meet: {conditions}",
    "first": "first {column} of a {person}, by {by}",
    "last": "last {column} of a {person}, by {by}",
    "smallest": "smallest {column} of a {person}",
    "largest": "largest {column} of a {person}",
    "sum": "sum of {column} of a {person}",
    "mean": "mean of {column} of a {person}",
    "days": "days from the first to the last {column} of a {person}",
    "most-frequent": "most frequent {column} of a {person}",
}
ROW_NEIGHBOURS: Final[dict[RowNeighbour, TitleWord]] = {
    "previous": "{column} of the same {person}’s {row} before, by {by}",
    "next": "{column} of the same {person}’s next {row}, by {by}",
    "number": "number of the {row} among those of the same {person}, by {by}",
    "before": "whether on an earlier day of {by} the same {person} met: {conditions}",
}
WHETHER: Final[TitleWord] = "whether {conditions}"
BANDS: Final[TitleWord] = "{column} in bands from {edges}"
MERGED: Final[TitleWord] = "{column} merged: {entries}"
BY_CODE: Final[TitleWord] = (
    "{column} by the beginning of its codes, several in one cell as unknown: {entries}"
)
BY_FILLED_CODE: Final[TitleWord] = (
    "{column} by the beginning of its codes, several in one cell as unknown, numbers filled up "
    "with zeros to {digits} digits: {entries}"
)
ENTRY: Final[TitleWord] = "{old} as {new}"
ROWS_OF: Final[TitleWord] = "rows of {table}"
FILE_LABEL: Final[TitleWord] = "label of the file"
FIRST_THERE: Final[TitleWord] = "{first} or, where that has no value, {second}"


def made_from(study: Study, column: Column, language: Language = ENGLISH) -> str:
    """How a derived column is made: "days from Admission to Discharge"; empty where it is read."""
    step = column.made_from
    return "" if step is None else _SAID[type(step)](study, step, language)


def _time_between(study: Study, step: TimeBetween, language: Language) -> str:
    first, last = (_end(study, end, language) for end in step.between)
    return language.say(TIMES[step.unit]).format(first=first, last=last)


def _end(study: Study, end: str | date, language: Language) -> str:
    if isinstance(end, date):
        return language.day(end.isoformat())
    return column_name(study, end) or OPEN


def _recode(study: Study, step: Recode, language: Language) -> str:
    made = next((one for one in study.columns if one.made_from == step), None)
    entries = _entries(step.entries, language, study.column(step.column), made)
    return language.say(MERGED).format(column=column_name(study, step.column), entries=entries)


def _code_prefix(study: Study, step: CodePrefix, language: Language) -> str:
    entries = _entries(step.entries, language)
    if not step.digits:
        return language.say(BY_CODE).format(column=step.header, entries=entries)
    said = language.say(BY_FILLED_CODE)
    return said.format(column=step.header, digits=step.digits, entries=entries)


def _entries(
    entries: tuple[RecodeEntry, ...],
    language: Language,
    source: Column | None = None,
    made: Column | None = None,
) -> str:
    """New values with their old ones, as people call both where the columns say so."""
    shown = entries if len(entries) <= SHOWN_ENTRIES else entries[: SHOWN_ENTRIES - 1]
    template = language.say(ENTRY)
    pairs = [(_values(one.of, language, source), _called(made, one.value)) for one in shown]
    said = [new if old == new else template.format(old=old, new=new) for old, new in pairs]
    if len(shown) < len(entries):
        said.append(language.say(words.OTHERS).format(count=len(entries) - len(shown)))
    return "; ".join(said) or OPEN


def _called(column: Column | None, value: str) -> str:
    return value if column is None else group_name(column, value)


def _values(values: tuple[str, ...], language: Language, source: Column | None = None) -> str:
    named = [group_text(_called(source, value), language) for value in values[:SHOWN_ENTRIES]]
    if len(values) > SHOWN_ENTRIES:
        named = named[: SHOWN_ENTRIES - 1]
        named.append(language.say(words.OTHERS).format(count=len(values) - len(named)))
    return ", ".join(named) or OPEN


def _bands(study: Study, step: Bands, language: Language) -> str:
    edges = number_list(step.edges, language) or OPEN
    return language.say(BANDS).format(column=column_name(study, step.column), edges=edges)


def _holds(study: Study, step: Holds, language: Language) -> str:
    tested = [condition(study, one, language) for one in step.conditions]
    said = joined(tested, language) if step.how == "all" else language.say(words.OR).join(tested)
    return language.say(WHETHER).format(conditions=said or OPEN)


def _arithmetic(study: Study, step: Arithmetic, language: Language) -> str:
    first, second = (_operand(study, one, language) for one in step.operands)
    return language.say(OPERATIONS[step.operation]).format(first=first, second=second)


def _operand(study: Study, operand: Operand | Decimal, language: Language) -> str:
    if isinstance(operand, Decimal):
        return in_text(plain(operand), language.numbers)
    power = "²" if operand.power > 1 else ""
    return f"{column_name(study, operand.column) or OPEN}{power}"


def _date_part(study: Study, step: DatePart, language: Language) -> str:
    return language.say(PARTS[step.part]).format(column=column_name(study, step.column))


def _of_rows(study: Study, step: OfRows, language: Language) -> str:
    """A value of the rows of a person, or of those that belong to a row of the main table."""
    names = names_of(study.unit, language.names)
    rows = names.rows
    if step.table:
        rows = language.say(ROWS_OF).format(table=step.table)
    said = language.say(PERSON_VALUES[step.what]).format(
        column=column_name(study, step.column or "") or OPEN,
        by=column_name(study, step.by or "") or OPEN,
        rows=rows,
        person=names.row if isinstance(step, OfCase) else names.person,
        conditions=_conditions(study, step, language) or OPEN,
    )
    return said if step.what in ("any", "all") else _where(study, step, said, language)


def _beside_row(study: Study, step: BesideRow, language: Language) -> str:
    names = names_of(study.unit, language.names)
    said = language.say(ROW_NEIGHBOURS[step.what]).format(
        column=column_name(study, step.column or "") or OPEN,
        by=column_name(study, step.by) or OPEN,
        row=names.row,
        rows=names.rows,
        person=names.person,
        conditions=_conditions(study, step, language) or OPEN,
    )
    return said if step.what == "before" else _where(study, step, said, language)


def _conditions(study: Study, step: OfRows | BesideRow, language: Language) -> str:
    return joined([condition(study, one, language) for one in step.where], language)


def _where(study: Study, step: OfRows | BesideRow, said: str, language: Language) -> str:
    if not step.where:
        return said
    tested = _conditions(study, step, language)
    return language.say(words.WHERE).format(question=said, conditions=tested)


def _file_label(study: Study, step: FileLabel, language: Language) -> str:
    return language.say(FILE_LABEL)


def _first_there(study: Study, step: FirstThere, language: Language) -> str:
    said, *others = [column_name(study, name) for name in step.columns] or [OPEN]
    for other in others:
        said = language.say(FIRST_THERE).format(first=said, second=other)
    return said


_SAID: Final[dict[type[Step], Callable[[Study, Any, Language], str]]] = {
    TimeBetween: _time_between,
    Recode: _recode,
    CodePrefix: _code_prefix,
    Bands: _bands,
    Holds: _holds,
    Arithmetic: _arithmetic,
    DatePart: _date_part,
    FirstThere: _first_there,
    FileLabel: _file_label,
    OfPerson: _of_rows,
    BesideRow: _beside_row,
    OfCase: _of_rows,
}
