# SPDX-License-Identifier: Apache-2.0
"""A codebook of a further table against a study: its columns are compared as if it were the main.

A codebook that dpdesk wrote says of each column which table it is of; of another one, what is
compared are the columns of its files alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dpdesk.data.codebook.change import Change
from dpdesk.data.codebook.diff import diff
from dpdesk.data.codebook.entry import Codebook, CodebookEntry
from dpdesk.data.codebook.recipe_changes import is_recipe
from dpdesk.study.model.columns import Column, plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import Unit


def diff_of_table(
    study: Study,
    table: FurtherTable,
    codebook: Codebook,
    header: tuple[str, ...] | None,
    names: Mapping[str, str],
) -> tuple[Change, ...]:
    """What a codebook would change in the columns of a further table; see ``diff.diff``.

    Args:
        header: the columns of the table's files; ``None`` while they are unknown.
        names: what the columns of its files are called in the study, by their headers.
    """
    own = of_table(codebook, table.name)
    called = {plain_name(head): name for head, name in names.items()}
    declared = {c.header: c for c in study.read_from(table.name) if c.made_from is None}
    called |= {plain_name(c.header or ""): c.name for c in declared.values()}
    changes = diff(_as_main(study, table), own, header)
    return tuple(_of_table(change, declared, called, table.name) for change in changes)


def of_table(codebook: Codebook, table: str) -> Codebook:
    """What a codebook says of the fields of a table's files."""
    if not any(entry.column is not None and entry.column.table for entry in codebook.columns):
        entries = tuple(entry for entry in codebook.columns if not is_recipe(entry))
    else:
        entries = tuple(_as_field(e) for e in codebook.columns if _is_of(e, table))
    return replace(codebook, columns=entries)


def _is_of(entry: CodebookEntry, table: str) -> bool:
    column = entry.column
    return column is not None and column.table == table and column.made_from is None


def _as_field(entry: CodebookEntry) -> CodebookEntry:
    column = entry.column
    if column is None:
        return entry
    header = column.in_file or column.name
    return replace(entry, name=header, column=replace(column, name=header, table="", in_file=""))


def _as_main(study: Study, table: FurtherTable) -> Study:
    """A study of the table alone, whose columns are called as in its files."""
    columns = tuple(
        replace(c, name=c.header or c.name, table="", in_file="")
        for c in study.read_from(table.name)
        if c.made_from is None
    )
    unit = replace(study.unit or Unit(), person=table.person or None)
    return Study(data=table.data, unit=unit, columns=columns)


def _of_table(
    change: Change, declared: Mapping[str | None, Column], called: Mapping[str, str], table: str
) -> Change:
    """A change as the study has it: of a column of that table, under its name there."""
    header = change.name if change.declared is None else change.declared.name
    name = called.get(plain_name(header), header)
    proposed = change.proposed
    if proposed is not None:
        in_file = "" if name == header else header
        proposed = replace(proposed, name=name, table=table, in_file=in_file)
    return replace(change, name=name, declared=declared.get(header), proposed=proposed)
