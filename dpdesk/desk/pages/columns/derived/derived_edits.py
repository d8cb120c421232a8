# SPDX-License-Identifier: Apache-2.0
"""Columns made from others: what one begins with, and what follows for it from its step.

All of it from declarations and names alone; nothing looks at the data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Final

from dpdesk.data.codebook.sources import with_typed
from dpdesk.data.encoding.code_prefix import holds_several, plain_code
from dpdesk.desk.core.edits.file_place import files_of
from dpdesk.desk.core.edits.study_edits import KINDS, clean_text
from dpdesk.desk.core.edits.table_edits import file_labels
from dpdesk.desk.text.query_words import typed
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.columns import (
    SUGGESTED,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    group_name,
)
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.result import Result, result_of
from dpdesk.study.model.steps.step import (
    MOST_ROWS,
    SUM,
    Arithmetic,
    Bands,
    BesideRow,
    CodePrefix,
    DatePart,
    FileLabel,
    OfRows,
    Recode,
    RecodeEntry,
    Step,
    TimeBetween,
)
from dpdesk.study.model.tables import MAIN, PEOPLE
from dpdesk.study.suggest.code_lists import CodeList

WHOLE_NUMBERS: Final = ("count", "number", "days")
FEW_ROWS: Final = 20
"""Of a person so many rows are thought of at first; whoever knows better types another bound."""
BOUNDS: Final = ("lower", "upper", "step")
MANY_DIGITS: Final = 12
_QUOTED = r'\s*"(?:[^"]|"")*"\s*'
_VALUE = re.compile(rf"{_QUOTED}(?==)|[^=]*")
_PARTS = re.compile(rf"{_QUOTED}(?=;|$)|[^;]+")
_BIRTH = re.compile(r"(?i)birth|geburt|(^|[_\W])dob([_\W]|$)")
_BEGINS = re.compile(r"(?i)adm|aufnahme|start|begin|arriv|first|erst")
_ENDS = re.compile(r"(?i)dis(ch|$)|entlass|end|leave|left|last|letzt")


def tables_of_files(study: Study) -> tuple[str, ...]:
    """The tables that have several files, whose labels can be a column."""
    names = (MAIN, *(table.name for table in study.tables))
    return tuple(name for name in names if len(files_of(study, name)) > 1)


def of_kinds(study: Study, *kinds: type[Column]) -> tuple[Column, ...]:
    """The declared columns of these kinds."""
    return tuple(column for column in study.columns if isinstance(column, kinds))


def first_of(study: Study, *kinds: type[Column]) -> str:
    """The first declared column of these kinds; empty without one."""
    return next((column.name for column in of_kinds(study, *kinds)), "")


def recoded(study: Study, name: str) -> Recode:
    """A column's values, each as it is: what is merged is written together from there."""
    column = study.column(name)
    values = _values_of(column) if column is not None else {}
    return Recode(name, tuple(RecodeEntry(label, (value,)) for value, label in values.items()))


def by_list(step: CodePrefix, codes: CodeList) -> CodePrefix:
    """Codes sorted as a public list sorts them."""
    entries = tuple(
        RecodeEntry(one.value, tuple("-".join(dict.fromkeys(code)) for code in one.codes))
        for one in codes.entries
    )
    return replace(step, entries=entries, digits=codes.digits or 0)


def by_own_list(step: CodePrefix, codes: Iterable[str]) -> CodePrefix:
    """Codes sorted by a list that somebody brings: each by the longest of its codes that begins it.

    A list of codes of four characters gives level 3 of ATC, one of five level 4.
    """
    listed = sorted(codes, key=lambda code: -len(plain_code(code)))
    return replace(step, entries=tuple(RecodeEntry(code, (_prefix(code),)) for code in listed))


def _prefix(code: str) -> str:
    """A code, or both ends of a range, as codes are compared."""
    ends = code.split("-") if holds_several(code) else [code]
    return "-".join(map(plain_code, ends))


def with_list(column: CategoryColumn, codes: CodeList, german: bool) -> CategoryColumn:
    """The column of a public list, with its names for the values and its source."""
    labels = tuple(one.german if german else one.english for one in codes.entries)
    return replace(column, labels=labels, basis=codes.basis, origin=SUGGESTED)


# --- what follows from a step -------------------------------------------------------------------


def column_of(step: Step, study: Study, name: str, before: Column | None = None) -> Column:
    """The column that a step makes: what the step settles, and else what was declared before.

    Args:
        step: how it is made.
        study: with the columns that it is made of.
        name: of the column.
        before: what is declared of it; of another kind its names alone stay.
    """
    kind = result_of(step, study.by_name).kinds[0]
    if before is not None and before.kind == kind:
        made = before
    else:
        title = "" if before is None else before.title
        made = KINDS[kind](name, title=title)
    return _settled(replace(made, name=name, made_from=step), step, study)


def _settled(column: Column, step: Step, study: Study) -> Column:
    if isinstance(column, CategoryColumn):
        return _with_values(column, step, study)
    if isinstance(column, YesNoColumn):
        return column
    if isinstance(column, DateColumn):
        found = [study.column(name) for name in result_of(step, study.by_name).taken]
        days = [(c.first, c.last) for c in found if isinstance(c, DateColumn)]
        firsts = [first for first, _last in days if first is not None]
        lasts = [last for _first, last in days if last is not None]
        if firsts and lasts:
            return replace(column, first=min(firsts), last=max(lasts))
    return column


def _with_values(column: CategoryColumn, step: Step, study: Study) -> CategoryColumn:
    result = result_of(step, study.by_name)
    values: tuple[str, ...] = result.values
    if isinstance(step, FileLabel):
        values = file_labels(study, column.table)
    if isinstance(step, Bands):
        fits = len(column.values) == len(step.edges)
        values = column.values if fits else band_names(step, study)
    if values == column.values:
        return column
    labels: tuple[str, ...] = ()
    if result.taken:
        labels = _labels(result.taken, study, values)
    return replace(with_typed(column), values=values, labels=labels)


def _labels(names: tuple[str, ...], study: Study, values: tuple[str, ...]) -> tuple[str, ...]:
    named: dict[str, str] = {}
    for name in reversed(names):
        column = study.column(name)
        named |= _values_of(column) if column is not None else {}
    labels = tuple(named.get(value, value) for value in values)
    return () if labels == values else labels


def _values_of(column: Column) -> dict[str, str]:
    """The values of a category or yes/no column, each with its printed name."""
    if isinstance(column, YesNoColumn):
        return {value: value for value in (*column.yes[:1], *column.no[:1])}
    values = column.values if isinstance(column, CategoryColumn) else ()
    return {value: group_name(column, value) for value in values}


def band_names(step: Bands, study: Study) -> tuple[str, ...]:
    """A name for each band, from its edges and the column's step: "18 to 64", "65 or more"."""
    column = study.column(step.column)
    width = column.step if isinstance(column, NumberColumn) else None
    names = []
    for at, edge in enumerate(step.edges):
        if at + 1 == len(step.edges):
            names.append(tr("Bands", "{0} or more").format(typed(edge)))
        else:
            last = step.edges[at + 1] - width if width is not None else step.edges[at + 1]
            template = "{0}" if last == edge else tr("Bands", "{0} to {1}")
            names.append(template.format(typed(edge), typed(last)))
    return tuple(names)


def usual_step(step: Step, result: Result) -> Decimal | None:
    """The step of a number that is made so, where its results are on one; ``None`` where not."""
    if isinstance(step, TimeBetween | DatePart):
        return Decimal(1)
    if isinstance(step, OfRows | BesideRow) and step.what in WHOLE_NUMBERS:
        return Decimal(1)
    is_sum = isinstance(step, Arithmetic) and step.operation in ("add", "subtract")
    is_sum = is_sum or (isinstance(step, OfRows) and step.what == SUM)
    if result.terms is None or not (is_sum or result.taken):
        return None
    unit = result.terms.unit
    value = round(Decimal(unit.numerator) / Decimal(unit.denominator), MANY_DIGITS)
    return value.normalize() if Fraction(value) == unit else None


def worked_out(result: Result, step: Decimal | None) -> tuple[Decimal, Decimal] | None:
    """The bounds that a number's results keep, on its step; ``None`` while they are not known."""
    if result.lowest is None or result.highest is None:
        return None
    width = step if step is not None and step > 0 else Decimal(1)
    low = floor(result.lowest / Fraction(width))
    high = max(ceil(result.highest / Fraction(width)), low + 1)
    return low * width, high * width


def with_bounds(
    column: NumberColumn, result: Result, by_hand: Mapping[str, Decimal | None]
) -> NumberColumn:
    """The column with what was typed, and else with the bounds that were worked out.

    Args:
        column: with its step.
        result: of the step.
        by_hand: which of ``BOUNDS`` somebody typed, and what.
    """
    step = column.made_from
    usual = None if step is None else usual_step(step, result)
    width = by_hand.get("step", usual)
    ends = _usual_ends(step, worked_out(result, width))
    lower = by_hand.get("lower", ends[0])
    upper = by_hand.get("upper", ends[1])
    return replace(column, lower=lower, upper=upper, step=width)


def _usual_ends(
    step: Step | None, ends: tuple[Decimal, Decimal] | None
) -> tuple[Decimal | None, Decimal | None]:
    """The bounds to begin with: of what many rows can add up to, what ``FEW_ROWS`` do."""
    if ends is None:
        return None, None
    what = step.what if isinstance(step, OfRows | BesideRow) else ""
    if what in ("count", "number"):
        return ends[0], Decimal(FEW_ROWS)
    if what == SUM:
        # One row alone makes the end that is nearest to 0; where it is 0, no row does.
        low, high = ends
        least = low if low > 0 else low * FEW_ROWS / MOST_ROWS
        return least, high if high < 0 else high * FEW_ROWS / MOST_ROWS
    return ends


# --- texts that are typed -----------------------------------------------------------------------


def entries_from_text(text: str) -> tuple[RecodeEntry, ...]:
    """New values as they are typed, one a line.

    >>> entries_from_text("South = south; west")
    (RecodeEntry(value='South', of=('south', 'west')),)
    >>> entries_from_text('"a = b" = "c; d"; e')
    (RecodeEntry(value='a = b', of=('c; d', 'e')),)
    """
    found = []
    for line in text.splitlines():
        head = _VALUE.match(line)
        if head is None or not clean_text(line).strip():
            continue
        parts = _PARTS.findall(line[head.end() :].lstrip("= "))
        of = tuple(clean for part in parts if (clean := _unquoted(part)))
        found.append(RecodeEntry(_unquoted(head[0]), of))
    return tuple(found)


def entries_as_text(entries: tuple[RecodeEntry, ...]) -> str:
    """New values as they can be typed; what holds a sign that parts them is in quotation marks."""
    return "\n".join(f"{_quoted(one.value)} = {'; '.join(map(_quoted, one.of))}" for one in entries)


def _quoted(text: str) -> str:
    parted = any(mark in text for mark in ';="')
    return '"' + text.replace('"', '""') + '"' if parted else text


def _unquoted(text: str) -> str:
    clean = clean_text(text).strip()
    is_quoted = len(clean) > 1 and clean[0] == clean[-1] == '"'
    return clean[1:-1].replace('""', '"') if is_quoted else clean


# --- proposals ----------------------------------------------------------------------------------


def _in_order(study: Study, first: str, second: str) -> tuple[str, str]:
    """Two dates, the one first whose name says that something begins."""
    names = [_said(study, name) for name in (first, second)]
    is_turned = bool(_ENDS.search(names[0]) or _BEGINS.search(names[1])) and not (
        _BEGINS.search(names[0]) or _ENDS.search(names[1])
    )
    return (second, first) if is_turned else (first, second)


def _said(study: Study, name: str) -> str:
    column = study.column(name)
    return name if column is None else f"{name} {column.title}"


def _dates_beside(study: Study, name: str) -> list[str]:
    """The date columns that a step can take together with one: of its rows, or of people."""
    home = study.homes.get(name, MAIN)
    dates = (column.name for column in of_kinds(study, DateColumn))
    if home == PEOPLE:
        return list(dates)
    return [one for one in dates if study.homes[one] in (home, PEOPLE)]


def first_time(study: Study) -> TimeBetween:
    """The time between the first two dates."""
    dates = [column.name for column in of_kinds(study, DateColumn)] + ["", ""]
    return TimeBetween(_in_order(study, dates[0], dates[1]))


def stay_of(study: Study, name: str) -> TimeBetween | None:
    """The length of stay that a date column may be the beginning or the end of, by names."""
    dates = _dates_beside(study, name)
    own = [one for one in dates if not _BIRTH.search(_said(study, one))]
    if name not in own or len(own) < len(("begin", "end")):
        return None
    other = next(one for one in own if one != name)
    pair = (name, other) if own.index(name) < own.index(other) else (other, name)
    return TimeBetween(_in_order(study, *pair))


def age_at(study: Study, name: str) -> TimeBetween | None:
    """The age at a date column's day, where another is that of birth by its name."""
    dates = _dates_beside(study, name)
    births = [one for one in dates if _BIRTH.search(_said(study, one))]
    events = [one for one in dates if one not in births]
    if not births or not events or name not in dates:
        return None
    return TimeBetween((births[0], name if name in events else events[0]), "years")


def has_rows_of_people(study: Study, column: Column) -> bool:
    """Whether a column has a value in each of several rows of a person."""
    unit = study.unit
    return unit is not None and unit.person is not None and study.homes[column.name] != PEOPLE


def since_previous(study: Study, name: str) -> tuple[str, str] | None:
    """The date that orders rows, and the one that the time since the row before counts from.

    Of a stay, its beginning and its end; of another date itself. A date of birth is none.
    """
    if _BIRTH.search(_said(study, name)):
        return None
    stay, homes = stay_of(study, name), study.homes
    begins, ends = (name, name) if stay is None else map(str, stay.between)
    return (begins, ends) if homes[begins] == homes[ends] else (name, name)


def free_name(study: Study, header: tuple[str, ...], wanted: str) -> str:
    """A name that no column of the study or its file has."""
    taken = {*header, *study.by_name}
    numbers = (f"{wanted} {number}" for number in range(2, len(taken) + 3))
    return wanted if wanted not in taken else next(n for n in numbers if n not in taken)


def put_columns(study: Study, columns: Iterable[Column]) -> Study:
    """The study with several of them."""
    for column in columns:
        study = put_column(study, column)
    return study


def put_column(study: Study, column: Column) -> Study:
    """The study with a derived column, in its place or as the last one."""
    if study.column(column.name) is None:
        return replace(study, columns=(*study.columns, column))
    changed = tuple(column if c.name == column.name else c for c in study.columns)
    return replace(study, columns=changed)
