# SPDX-License-Identifier: Apache-2.0
"""Edits of further tables and of further files, and what is proposed from headers and names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.edits.file_place import files_of
from dpdesk.desk.core.edits.study_edits import OF_ALL_FILES, looks_like_person
from dpdesk.study import limits
from dpdesk.study.model.columns import CategoryColumn, Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import FileLabel, OfRows
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, Unit

_NO_LETTER = re.compile(r"[^a-z0-9]+")
_LAST_NUMBERS = re.compile(r"(-?[0-9]+)+$")
Header = tuple[str, ...]
_OF_PEOPLE = ("patients", "patienten", "people", "personen", "persons")
"""Names of tables with one row a person."""


def free_table_name(study: Study, path: str) -> str:
    """A name for a table that no other has: the file's, in the letters that a name may have.

    Numbers at its end mostly say the year, and the next year's file is of the same table.

    >>> free_table_name(Study(), "in/Lab values 2024.csv")
    'lab-values'
    """
    stem = PurePath(path.replace("\\", "/")).name.partition(".")[0].lower()
    plain = _NO_LETTER.sub("-", stem).strip("-")[: limits.MAX_ID_LENGTH - 3].strip("-") or "table"
    taken = {table.name for table in study.tables}
    numbers = (f"{plain}-{number}" for number in range(2, limits.MAX_TABLES + 3))
    lasting = _LAST_NUMBERS.sub("", plain) or plain
    return next(name for name in (lasting, plain, *numbers) if name not in taken)


def is_named_for_people(path: str) -> bool:
    """Whether a file's name says that it has one row a person."""
    return free_table_name(Study(), path) in _OF_PEOPLE


def proposed_table(study: Study, source: DataSource, header: Header) -> FurtherTable:
    """A table of a file, as its name and its header say.

    The column of people is that of the main table's name, or the one that sounds like it; the
    case number that of the main table's.
    """
    unit = study.unit or Unit()
    person = unit.person if unit.person in header else None
    person = person or next((name for name in header if looks_like_person(name)), "")
    case = unit.case if unit.case in header and unit.case != person else ""
    name = free_table_name(study, source.path)
    is_of_people = name in _OF_PEOPLE
    if is_of_people and not person:
        # A column "id" alone may number rows, which are people here.
        person = next((name for name in header if name.lower() == "id"), "")
    rows: Any = "one-per-person" if is_of_people and not case else "many"
    return FurtherTable(name, source, person or "", case, rows)


def with_case(study: Study, header: Header) -> Study:
    """The case number of the main table, where further tables name one that its header has too."""
    unit = study.unit or Unit()
    named = {table.case for table in study.tables if table.case}
    if unit.person is None or unit.case or len(named) != 1:
        return study
    (case,) = named
    fits = case in header and case != unit.person
    return study_edits.set_unit(study, case=case) if fits else study


def add_table(study: Study, table: FurtherTable) -> Study:
    return replace(study, tables=(*study.tables, table))


def change_table(study: Study, name: str, table: FurtherTable) -> Study:
    """Put another declaration in place of a table's; what names it follows its name."""
    tables = tuple(table if one.name == name else one for one in study.tables)
    columns = tuple(_renamed(column, name, table.name) for column in study.columns)
    return replace(study, tables=tables, columns=columns)


def _renamed(column: Column, before: str, now: str) -> Column:
    if column.table == before:
        column = replace(column, table=now)
    step = column.made_from
    if isinstance(step, OfRows) and step.table == before:
        column = replace(column, made_from=replace(step, table=now))
    return column


def remove_table(study: Study, name: str) -> Study:
    """Take a table away with the columns that are read from it, and what is made of these."""
    tables = tuple(one for one in study.tables if one.name != name)
    gone = {column.name for column in columns_of(study, name)}
    columns = tuple(column for column in study.columns if column.name not in gone)
    return replace(study, tables=tables, columns=columns)


def columns_of(study: Study, table: str) -> tuple[Column, ...]:
    """The columns that come from a table's rows: read from it, or made of such."""
    return tuple(
        column
        for column in study.columns
        if any(one.name == table for one in study.tables_of(study.with_operands([column.name])))
    )


def set_files(study: Study, table: str, files: Sequence[DataSource]) -> Study:
    """Let a table have these files; what is said of all of them stays with the first."""
    before = study.data_of(table) or DataSource()
    first, *rest = files
    said = {part: getattr(before, part) for part in OF_ALL_FILES}
    more = tuple(replace(one, missing=(), fill_down=False, extract="") for one in rest)
    after = study_edits.with_data(study, table, replace(first, **said, more=more))
    labels = file_labels(study, table), file_labels(after, table)
    return replace(after, columns=tuple(_relabelled(c, table, *labels) for c in after.columns))


def _relabelled(column: Column, table: str, before: Header, now: Header) -> Column:
    """A column of the table's labels has the new ones; a list of one's own stays."""
    is_of_labels = isinstance(column.made_from, FileLabel) and column.table == table
    if is_of_labels and isinstance(column, CategoryColumn) and column.values == before:
        return replace(column, values=now, labels=())
    return column


def file_labels(study: Study, table: str) -> tuple[str, ...]:
    """The labels of a table's files, each once."""
    return tuple(dict.fromkeys(file.label for _place, file in files_of(study, table) if file.label))


def proposed_labels(paths: Sequence[str]) -> tuple[str, ...]:
    """What tells files apart in their names; the whole names where nothing short does.

    >>> proposed_labels(["stays_2023.csv", "stays_2024.csv"])
    ('2023', '2024')
    >>> proposed_labels(["a.csv", "b.csv"])
    ('a', 'b')
    """
    stems = [PurePath(path.replace("\\", "/")).name.partition(".")[0] for path in paths]
    parts = [_parts(stem) for stem in stems]
    if len({len(one) for one in parts}) == 1:
        differing = [at for at in range(len(parts[0])) if len({one[at] for one in parts}) > 1]
        labels = tuple(" ".join(one[at] for at in differing) for one in parts)
        if len(set(labels)) == len(labels):
            return labels
    return tuple(stems)


def _parts(stem: str) -> list[str]:
    """The words and numbers of a file's name."""
    return re.findall(r"[0-9]+|[^\W\d_]+", stem)


def with_labels(files: Sequence[DataSource]) -> tuple[DataSource, ...]:
    """Files, each with a label: what was declared, or what its name proposes."""
    proposed = proposed_labels([file.path + file.sheet for file in files])
    return tuple(
        file if file.label else replace(file, label=label)
        for file, label in zip(files, proposed, strict=True)
    )


def same_columns(first: Header, second: Header) -> bool:
    """Whether two files have the same columns, in any order."""
    return bool(first) and sorted(first) == sorted(second)


def is_name(text: str) -> bool:
    """Whether a table may have this name."""
    return limits.ID_PATTERN.match(text) is not None


def free_column_name(study: Study, header: str, table: str, main: Header) -> str:
    """What a column of a further table is called: its header, with the table where it is taken."""
    taken = {*main, *study.by_name}
    return header if header not in taken else f"{header} ({table})"
