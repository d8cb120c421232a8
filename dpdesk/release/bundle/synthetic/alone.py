# SPDX-License-Identifier: Apache-2.0
"""No made-up row alone in its combination of some columns.

A made-up row is nobody's, alone or not. That none is alone is what readers of published rows look
for first, and costs accuracy: a row that is alone takes the values of others in these columns.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpdesk.release.bundle.synthetic.stream import Places


def join_the_alone(rows: list[Places], columns: Sequence[int]) -> int:
    """Let every row that is alone take the combination of others; changes the rows in place.

    First one that differs in a single column, where there is one: that of most rows, or of another
    row that is alone. Those left over take the combination of most rows.

    Args:
        rows: for each column the atoms of all rows.
        columns: the places of those whose combination it is.

    Returns:
        How many rows were changed; a single row stays alone.
    """
    changed = np.zeros(len(rows[0]) if rows else 0, np.bool_)
    for left_out in (*columns, None):
        alone, size = _alone(rows, columns)
        if not alone.any():
            break
        kept = [column for column in columns if column not in (left_out,)]
        key = _combination(rows, kept if left_out is not None else ())
        changed |= _joined(rows, columns, key, size)
    return int(changed.sum())


def count_alone(rows: Sequence[Places], columns: Sequence[int]) -> int:
    """How many rows are alone in their combination."""
    return int(_alone(rows, columns)[0].sum())


def _alone(rows: Sequence[Places], columns: Sequence[int]) -> tuple[np.ndarray, Places]:
    """Whether each row is alone, and how many rows have its combination."""
    key = _combination(rows, columns)
    size: Places = np.bincount(key, minlength=1)[key]
    return size == 1, size


def _combination(rows: Sequence[Places], columns: Sequence[int]) -> Places:
    """A number of each row, equal where rows are alike in the columns."""
    found = np.zeros(len(rows[0]) if rows else 0, np.int64)
    for column in columns:
        found = np.unique(
            found * (int(rows[column].max(initial=0)) + 1) + rows[column], return_inverse=True
        )[1]
    return found


def _joined(rows: list[Places], columns: Sequence[int], key: Places, size: Places) -> np.ndarray:
    """Rows that are alone take the largest combination of their key; whether each did."""
    # In each key those of most rows first; which of equals is chosen does not matter to the counts.
    order = np.lexsort((-size, key))
    firsts = np.unique(key[order], return_index=True)[1]
    best = order[firsts][key]
    moves: np.ndarray = (size == 1) & (best != np.arange(len(key)))
    for column in columns:
        rows[column][moves] = rows[column][best[moves]]
    return moves
