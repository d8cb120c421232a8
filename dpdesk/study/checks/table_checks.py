# SPDX-License-Identifier: Apache-2.0
"""Judges further tables: their names and files, and over what they meet the main one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from dpdesk.study import limits
from dpdesk.study.model.columns import Column, DateColumn, plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import CodePrefix, FileLabel, OfCase, OfRows
from dpdesk.study.model.tables import MAIN, PEOPLE, FurtherTable
from dpdesk.study.model.unit import DataSource, IdShape
from dpdesk.study.problem import Problem

FileCheck = Callable[[DataSource | None], Iterator[Problem]]
_PREFIX: Final = re.compile(r"[^\s]{0,20}")


def check_table_files(data: DataSource | None, path: str, each: FileCheck) -> Iterator[Problem]:
    """Problems of a table's first file and of further ones.

    Args:
        path: where its first file is declared.
        each: what is wrong with a file by itself, with paths that start at ``$.data``.
    """
    yield from moved(each(data), "$.data", path)
    seen = set() if data is None else {(data.path, data.sheet)}
    for at, file in enumerate(() if data is None else data.more):
        place = f"{path}.more[{at}]"
        if file.path and (file.path, file.sheet) in seen:
            yield Problem(f"{place}.path", "data-file-twice")
        seen.add((file.path, file.sheet))
        yield from moved(each(replace(file, more=())), "$.data", place)
        if file.more:
            yield Problem(f"{place}.more", "files-of-further-file")
        for key in ("missing", "fill_down", "extract", "in_database"):
            if getattr(file, key):
                yield Problem(f"{place}.{key}", "said-of-first-file")


def moved(problems: Iterable[Problem], start: str, path: str) -> Iterator[Problem]:
    """Problems whose paths begin elsewhere."""
    for one in problems:
        if one.path.startswith(start):
            one = replace(one, path=path + one.path.removeprefix(start))
        yield one


def check_tables(study: Study, each: FileCheck) -> Iterator[Problem]:
    """Problems of the further tables."""
    seen = Counter(table.name for table in study.tables)
    if study.tables and study.unit is not None and study.unit.person is None:
        yield Problem("$.unit.person", "tables-without-person")
    for at, table in enumerate(study.tables):
        path = f"$.tables[{at}]"
        if not limits.ID_PATTERN.match(table.name):
            yield Problem(f"{path}.name", "name-malformed", {"most": str(limits.MAX_ID_LENGTH)})
        elif seen[table.name] > 1:
            yield Problem(f"{path}.name", "table-twice", {"name": table.name})
        if not table.person:
            yield Problem(f"{path}.person", "table-without-person", {"table": table.name})
        if table.data.extract:
            yield Problem(f"{path}.data.extract", "extract-of-table")
        yield from check_table_files(table.data, f"{path}.data", each)
        yield from _meeting(study, table, path)


def _meeting(study: Study, table: FurtherTable, path: str) -> Iterator[Problem]:
    """Over what a table meets the main one, and which of a person's rows counts."""
    if table.case and study.unit is not None and not study.unit.case:
        yield Problem("$.unit.case", "case-not-chosen", {"table": table.name})
    if table.case and table.is_of_people:
        yield Problem(f"{path}.case", "case-of-people", {"table": table.name})
    ordered = table.is_of_people and table.keep != "smallest"
    if ordered and table.by is None:
        yield Problem(f"{path}.by", "keep-wants-date", {"table": table.name})
    elif not ordered and table.by is not None:
        yield Problem(f"{path}.by", "keep-by-not-wanted")
    elif table.by is not None:
        column = study.column(table.by)
        read = column is not None and column.table == table.name and column.made_from is None
        if not read or not isinstance(column, DateColumn):
            yield Problem(f"{path}.by", "keep-by-other", {"table": table.name})


def check_id_shape(shape: IdShape | None) -> Iterator[Problem]:
    """Problems of what an id looks like."""
    if shape is None:
        return
    if not _PREFIX.fullmatch(shape.prefix):
        yield Problem("$.unit.id_shape.prefix", "id-prefix-malformed")
    if not 1 <= shape.shortest <= shape.longest <= limits.MAX_ID_CHARACTERS:
        most = {"most": str(limits.MAX_ID_CHARACTERS)}
        yield Problem("$.unit.id_shape.longest", "id-length-out-of-range", most)


def check_column_table(study: Study, column: Column, path: str) -> Iterator[Problem]:
    """Problems of the table that a column is of, and of where it is made."""
    step = column.made_from
    is_read = column.header is not None or isinstance(step, FileLabel)
    if column.table and not is_read:
        yield Problem(f"{path}.table", "table-of-derived")
    elif column.table and study.table(column.table) is None:
        yield Problem(f"{path}.table", "table-undeclared", {"name": column.table})
    if column.in_file and step is not None:
        yield Problem(f"{path}.in_file", "header-of-derived")
    if is_read and (table := study.table(column.table)) is not None:
        header = plain_name(column.header or "")
        if header and header == plain_name(table.person):
            yield Problem(f"{path}.name", "column-is-person", {"name": column.name})
    yield from _rows_problems(study, column, f"{path}.from")


def _rows_problems(study: Study, column: Column, path: str) -> Iterator[Problem]:
    """Whether all that a column is made of has its values in one table."""
    step = column.made_from
    if step is None or isinstance(step, CodePrefix | FileLabel):
        return
    homes = {study.homes[name] for name in step.names if name in study.homes} - {PEOPLE}
    if not isinstance(step, OfRows):
        if len(homes) > 1:
            yield Problem(path, "step-two-tables", {"tables": _named(homes)})
        return
    table = study.table(step.table)
    if step.table and table is None:
        yield Problem(f"{path}.table", "table-undeclared", {"name": step.table})
    elif table is not None and table.is_of_people:
        yield Problem(f"{path}.table", "step-of-people-table", {"table": step.table})
    elif homes - {step.table}:
        yield Problem(path, "step-other-table", {"table": step.table or "", "name": column.name})
    if isinstance(step, OfCase):
        yield from _case_problems(study, table, path)


def _case_problems(study: Study, table: FurtherTable | None, path: str) -> Iterator[Problem]:
    if table is None:
        yield Problem(f"{path}.table", "step-case-of-main")
    elif not table.case or study.unit is None or not study.unit.case:
        yield Problem(f"{path}.table", "step-without-case", {"table": table.name})


def _named(homes: set[str]) -> str:
    return ", ".join(sorted(home for home in homes if home != MAIN))


def check_labels(study: Study, column: Column, path: str) -> Iterator[Problem]:
    """Problems of a column with the labels of files: each has one, which is among its values."""
    data = study.data_of(column.table)
    values = getattr(column, "values", ())
    for file in () if data is None else data.files:
        if not file.label:
            yield Problem(path, "file-without-label")
            return
        if file.label not in values:
            yield Problem(path, "step-value-not-declared", {"value": file.label})
            return
