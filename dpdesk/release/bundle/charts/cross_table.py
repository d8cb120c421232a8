# SPDX-License-Identifier: Apache-2.0
"""A table by two groupings as a cross-table: the longer list across, the other one down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpdesk.privacy.published_tables import Table

MOST_ACROSS = 12
"""More columns are read as a plain table."""
MOST_TALL = 5
"""On paper it may have so many times as many lines."""


@dataclass(frozen=True)
class CrossTable:
    """Where each row of a plain table is in the cross-table.

    Attributes:
        across: titles of the columns' groups.
        down: titles of the rows' groups.
        places: of each line, of each column, which row of the plain table is there.
        is_turned: whether the second grouping goes down.
    """

    across: tuple[str, ...]
    down: tuple[str, ...]
    places: tuple[tuple[int, ...], ...]
    is_turned: bool = False


def cross_table(table: Table, is_tall: bool = False) -> CrossTable | None:
    """The cross-table of a released table; ``None`` where it has not two whole groupings.

    Args:
        table: a released one.
        is_tall: the longer list is down, as on paper, where lines have more room than columns.
    """
    inner = {"choice", "found", "label"} & {column.role for column in table.columns}
    groups = [i for i, column in enumerate(table.columns) if column.role == "group"]
    if inner or len(groups) != 2 or not all(table.columns[i].title for i in groups):
        return None
    first, second = (tuple(dict.fromkeys(row[i] for row in table.rows)) for i in groups)
    at = {(row[groups[0]], row[groups[1]]): place for place, row in enumerate(table.rows)}
    if len(at) != len(table.rows) or len(at) != len(first) * len(second):
        return None
    shorter, longer = sorted((len(first), len(second)))
    if shorter < 2 or max(shorter if is_tall else longer, longer // MOST_TALL) > MOST_ACROSS:
        return None
    if (len(first) > len(second)) != is_tall:
        places = tuple(tuple(at[a, d] for a in first) for d in second)
        return CrossTable(first, second, places, is_turned=True)
    return CrossTable(second, first, tuple(tuple(at[d, a] for a in second) for d in first))


def heats(values: Sequence[float | None], noisy: Sequence[bool]) -> list[float | None]:
    """How much there is of each figure, beside the largest that can be used.

    A noisy figure and one that says nothing have no heat; neither sets the scale for others.

    Args:
        values: figures; ``None`` where one says nothing.
        noisy: which of them are too noisy to use.
    """
    usable = [v for v, n in zip(values, noisy, strict=True) if v is not None and not n]
    low, high = min([0.0, *usable]), max([0.0, *usable])
    span = (high - low) or 1.0
    return [
        None if v is None or n else (v - low) / span for v, n in zip(values, noisy, strict=True)
    ]
