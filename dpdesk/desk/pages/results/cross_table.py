# SPDX-License-Identifier: Apache-2.0
"""A table by two groupings as a cross-table: the longer list across, the other one down."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.privacy.published_tables import Table

MOST_ACROSS = 12
"""More columns are read as a plain table."""


@dataclass(frozen=True)
class CrossTable:
    """Where each row of a plain table is in the cross-table.

    Attributes:
        across: titles of the columns' groups.
        down: titles of the rows' groups.
        places: of each line, of each column, which row of the plain table is there.
    """

    across: tuple[str, ...]
    down: tuple[str, ...]
    places: tuple[tuple[int, ...], ...]


def cross_table(table: Table) -> CrossTable | None:
    """The cross-table of a released table; ``None`` where it has not two whole groupings.

    Args:
        table: a released one.
    """
    inner = {"choice", "found", "label"} & {column.role for column in table.columns}
    groups = [i for i, column in enumerate(table.columns) if column.role == "group"]
    if inner or len(groups) != 2 or not all(table.columns[i].title for i in groups):
        return None
    first, second = (tuple(dict.fromkeys(row[i] for row in table.rows)) for i in groups)
    at = {(row[groups[0]], row[groups[1]]): place for place, row in enumerate(table.rows)}
    if len(at) != len(table.rows) or len(at) != len(first) * len(second):
        return None
    if min(len(first), len(second)) < 2 or max(len(first), len(second)) > MOST_ACROSS:
        return None
    if len(first) > len(second):
        return CrossTable(first, second, tuple(tuple(at[a, d] for a in first) for d in second))
    return CrossTable(second, first, tuple(tuple(at[d, a] for a in second) for d in first))
