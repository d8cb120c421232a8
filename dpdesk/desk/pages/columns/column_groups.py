# SPDX-License-Identifier: Apache-2.0
"""Columns of one table stand together, below its name; those that are made here come last."""

from __future__ import annotations

from pathlib import PurePath

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text.translating import tr
from dpdesk.study.model.columns import Column
from dpdesk.study.model.tables import MAIN, PEOPLE
from dpdesk.study.model.unit import DataSource

MADE = "\0made"


def column_groups(state: DeskState) -> dict[str, str]:
    """The tables in their order, each with what is above its columns; one where there is one."""
    study = state.study
    path = (study.data or DataSource()).path
    main = PurePath(path.replace("\\", "/")).name
    if not study.tables:
        return {MAIN: ""}
    further = {table.name: table.name for table in study.tables}
    return {MAIN: main, **further, MADE: tr("ColumnGroups", "Made from others")}


def group_of(state: DeskState, name: str) -> str:
    """The key of the group that a column is in; one of a table that is gone is none of them."""
    column, study = state.study.column(name), state.study
    if not study.tables:
        return MAIN
    if column is not None and column.made_from is not None:
        return MADE
    table = state.place_of(name)[0]
    return table if study.table(table) is not None else MAIN


def has_many_values(state: DeskState, column: Column | None) -> bool:
    """Whether a person may have many values of a column, so that queries cannot use it itself.

    It is of a further table with many rows; a new column takes one of its values.
    """
    return column is not None and state.study.homes[column.name] not in (MAIN, PEOPLE)
