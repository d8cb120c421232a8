# SPDX-License-Identifier: Apache-2.0
"""A study about another file, with the declarations of an earlier one.

What is carried over is what a person declared, and nothing else: how rows of the earlier file were
read, and under which extract it was released, stays with that file. A column that the new file
lacks keeps its declaration, and the study cannot be released until somebody has chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import PurePath, PureWindowsPath

from dpdesk.study.model.columns import plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN, FurtherTable
from dpdesk.study.model.unit import DataSource


@dataclass(frozen=True)
class Parts:
    """What is carried over of an earlier study.

    Attributes:
        account: whose privacy is protected, and the account that pays.
        queries: what is published, with its shares of the budget; only with the columns.
    """

    columns: bool = True
    account: bool = True
    queries: bool = True
    title: bool = False


ALL = Parts(title=True)
"""A study that is duplicated for the next extract."""


@dataclass(frozen=True)
class Carried:
    """A study about another file, and what did not fit.

    Attributes:
        missing: declared columns that the file lacks, in the study's order, that of people first.
        undeclared: columns of the file that are not declared, in its order.
        asks_people: whether the public number of people has to be declared again.
        files: the paths of further files and tables: named as the earlier ones, beside this file.
    """

    study: Study
    missing: tuple[str, ...] = ()
    undeclared: tuple[str, ...] = ()
    asks_people: bool = False
    files: tuple[str, ...] = ()

    def spellings(self) -> dict[str, str]:
        """Of the missing columns, those that the file writes in another case, with its name."""
        there = {name.casefold(): name for name in reversed(self.undeclared)}
        found = ((name, there.get(plain_name(name).casefold())) for name in self.missing)
        return {name: other for name, other in found if other is not None}


def carry_over(
    earlier: Study,
    source: DataSource,
    header: tuple[str, ...],
    parts: Parts = ALL,
    named: frozenset[str] = frozenset(),
) -> Carried:
    """The study that an earlier one becomes about another file.

    Args:
        source: the other file and how it is read, with its extract. Further files and tables are
            those of the earlier names beside it, and further sheets of the earlier file are sheets
            of it: none of the earlier files is read.
        named: the tables whose further files are those of the earlier study.
    """
    unit = earlier.unit if parts.account else None
    asks_people = unit is not None and unit.people is not None
    if unit is not None and asks_people:
        # It was declared of the earlier file's people; a file with others would be refused.
        unit = replace(unit, people=None)
    before = earlier.data or DataSource()
    more = before.more
    if MAIN not in named:
        moved = _beside(source, before, more)
        more = tuple(one for one in moved if (one.path, one.sheet) != (source.path, source.sheet))
    tables = tuple(
        one if one.name in named else _table_beside(source, before, one) for one in earlier.tables
    )
    study = Study(
        title=earlier.title if parts.title else "",
        organisation=earlier.organisation,
        data=replace(source, label=before.label, more=more),
        unit=unit,
        budget=earlier.budget if parts.account else None,
        rounding=earlier.rounding,
        synthetic_rows=earlier.synthetic_rows,
        tables=tables if parts.columns else (),
        columns=earlier.columns if parts.columns else (),
        queries=earlier.queries if parts.columns and parts.queries else (),
        baseline_tables=earlier.baseline_tables if parts.columns and parts.queries else (),
    )
    beside = [] if MAIN in named else [*more]
    beside += (one for table in study.tables if table.name not in named for one in table.data.files)
    files = tuple(dict.fromkeys(one.path for one in beside))
    return Carried(study, _missing(study, header), _undeclared(study, header), asks_people, files)


def _beside(
    source: DataSource, before: DataSource, files: tuple[DataSource, ...]
) -> tuple[DataSource, ...]:
    """Files as they are named, beside another one; a sheet of the earlier one is one of it."""
    return tuple(
        replace(one, path=source.path if one.path == before.path else _path_beside(source, one))
        for one in files
    )


def _table_beside(source: DataSource, before: DataSource, table: FurtherTable) -> FurtherTable:
    more = _beside(source, before, table.data.more)
    (first,) = _beside(source, before, (table.data,))
    return replace(table, data=replace(first, more=more))


def _path_beside(source: DataSource, file: DataSource) -> str:
    path = file.path
    if not path:
        return ""
    # A study may have been written on another system.
    flavour = PureWindowsPath if "\\" in source.path else PurePath
    return str(flavour(source.path).parent / PurePath(path.replace("\\", "/")).name)


def read_as_before(earlier: DataSource | None, found: DataSource) -> DataSource:
    """How a file is read where it is laid out as the earlier one was.

    What was declared by hand, and what no look at a file proposes, is as before; what is
    recognised of a file is that of this one.

    Args:
        earlier: how the earlier file is read.
        found: how this file seems to be read.
    """
    if earlier is None:
        return found
    kept = {part: getattr(earlier, part) for part in earlier.by_hand}
    if earlier.format != found.format:
        return replace(found, missing=earlier.missing)
    return replace(
        found,
        missing=earlier.missing,
        sheet=earlier.sheet or found.sheet,
        header_row=found.header_row if earlier.header_row is None else earlier.header_row,
        quotes=earlier.quotes,
        line_breaks=earlier.line_breaks,
        fill_down=earlier.fill_down,
        by_hand=earlier.by_hand,
        **kept,
    )


def declared_names(study: Study) -> tuple[str, ...]:
    """The columns that a study asks of the main table's file: that of people first."""
    person = study.unit.person if study.unit else None
    own = (column.header for column in study.read_columns if column.header is not None)
    return (*((person,) if person else ()), *own)


def _missing(study: Study, header: tuple[str, ...]) -> tuple[str, ...]:
    there = set(header)
    names = (name for name in declared_names(study) if plain_name(name) not in there)
    return tuple(dict.fromkeys(names))


def _undeclared(study: Study, header: tuple[str, ...]) -> tuple[str, ...]:
    declared = {plain_name(name) for name in declared_names(study)}
    return tuple(name for name in header if name not in declared)
