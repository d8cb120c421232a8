# SPDX-License-Identifier: Apache-2.0
"""Rows into the groups that a query declares."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpdesk.data.table import EncodedTable
from dpdesk.study.columns import Column, NumberColumn
from dpdesk.study.groupings import Bins, Grouping, first_indices, labels_of

Rows = npt.NDArray[np.intp]


def grouped(
    table: EncodedTable, column: Column, grouping: Grouping, rows: Rows
) -> tuple[Rows, int]:
    """The group of each of some rows, and the number of groups.

    Args:
        table: the encoded table.
        column: the grouping's column.
        grouping: how it is grouped.
        rows: positions of rows whose cell counts, that is, whose code is 0 or more.
    """
    codes = table.column(column.name).counted()[rows]
    size = len(labels_of(grouping, column))
    if isinstance(grouping, Bins) and isinstance(column, NumberColumn):
        starts = np.array(first_indices(column, grouping.edges))
        return np.searchsorted(starts, codes, side="right") - 1, size
    return codes.astype(np.intp), size
