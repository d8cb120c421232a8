# SPDX-License-Identifier: Apache-2.0
"""The parts into which a column's groupings divide it, and the cells that a made-up row may have.

A number's bins of several queries divide its grid at all their edges; days that no period of any
query parts are one atom. Within an atom every value of the grid, and every day, is as likely.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from dpdesk.release.bundle.csv_format import text_cell
from dpdesk.release.bundle.synthetic.stream import Places, Stream
from dpdesk.study.model.columns import (
    MISSING_LABEL,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    group_labels,
    last_day_index,
    number_grid,
)
from dpdesk.study.model.groupings import Bins, Grouping, Periods, first_indices, grid_text
from dpdesk.study.model.periods import MONTHS, Period

Cells = Callable[[Places, Stream], list[str]]
"""The cells of rows with these atoms, as CSV has them."""

_DAY = len("2026-11-29")


@dataclass(frozen=True)
class ColumnAtoms:
    """A column's atoms.

    Attributes:
        count: how many there are.
        groups: of each of its groupings, the group of every atom.
        cells: see ``Cells``.
        widest: bytes of the longest cell.
        type: of the cells, as Table Schema calls it.
    """

    count: int
    groups: tuple[Places, ...]
    cells: Cells
    widest: int
    type: str = "string"


def atoms_of(column: Column, groupings: Sequence[Grouping]) -> ColumnAtoms:
    """The atoms of a column that some queries group by.

    Raises:
        ValueError: the column is not complete.
    """
    if isinstance(column, NumberColumn):
        return _of_bins(column, [g for g in groupings if isinstance(g, Bins)])
    if isinstance(column, DateColumn):
        return _of_days(column, [g for g in groupings if isinstance(g, Periods)])
    texts = ["" if text == MISSING_LABEL else text for text in group_labels(column)]
    if isinstance(column, CategoryColumn):
        texts[: len(column.values)] = column.values
    cells, own = [text_cell(text) for text in texts], np.arange(len(texts))
    widest = max(len(cell.encode("utf-8")) for cell in cells)
    groups = (own,) * len(groupings)
    return ColumnAtoms(len(cells), groups, lambda at, _: [cells[i] for i in at], widest)


def _of_bins(column: NumberColumn, groupings: Sequence[Bins]) -> ColumnAtoms:
    cuts = [np.array(first_indices(column, bins.edges)) for bins in groupings]
    starts = np.unique(np.concatenate(cuts))
    ends = np.append(starts[1:], number_grid(column).last + 1)
    groups = tuple(np.searchsorted(cut, starts, "right") - 1 for cut in cuts)

    def cells(atoms: Places, stream: Stream) -> list[str]:
        indices = starts[atoms] + stream.below(ends[atoms] - starts[atoms])
        found, places = np.unique(indices, return_inverse=True)
        texts = [grid_text(column, int(index)) for index in found]
        return [texts[place] for place in places]

    widest = max(len(grid_text(column, end)) for end in (0, 1, number_grid(column).last))
    return ColumnAtoms(len(starts), groups, cells, widest + 1, "number")


def _of_days(column: DateColumn, groupings: Sequence[Periods]) -> ColumnAtoms:
    if column.first is None:
        raise ValueError("the column has no period yet")
    first = column.first
    days = [first + timedelta(day) for day in range(last_day_index(column) + 1)]
    cuts = np.stack([_period_of_days(days, periods.period) for periods in groupings])
    parts, atom_of_day = np.unique(cuts, axis=1, return_inverse=True)
    sorted_days = np.argsort(atom_of_day, kind="stable")
    sizes = np.bincount(atom_of_day)
    begins = np.cumsum(sizes) - sizes

    def cells(atoms: Places, stream: Stream) -> list[str]:
        chosen = sorted_days[begins[atoms] + stream.below(sizes[atoms])]
        return [(first + timedelta(int(day))).isoformat() for day in chosen]

    return ColumnAtoms(parts.shape[1], tuple(parts), cells, _DAY, "date")


def _period_of_days(days: Sequence[date], period: Period) -> Places:
    """The period of each day, in the order of ``period_labels``."""
    if period == "weekday":
        numbers = [day.weekday() for day in days]
    else:
        numbers = [(12 * day.year + day.month - 1) // MONTHS[period] for day in days]
    found: Places = np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return found
