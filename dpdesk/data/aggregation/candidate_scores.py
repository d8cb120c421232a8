# SPDX-License-Identifier: Apache-2.0
"""Exact scores of declared candidates, from which the noise door chooses.

Rows are counted once, into slots between candidates and on them; every score follows from these.
Five rows at 0, 2, 2, 3 and 5 with the candidates 2 and 4:

    slot                below 2   on 2   between   on 4   above 4
    rows                      1      2         1      0         1

    candidate           2    4
    rows below it       1    4         sums of the slots before its own
    rows up to it       3    4         and of its own
    score as a median   0   -3         0 where half of all rows, 2.5, is between the two
    rows that reach it  4    1         all rows, less those below
    score as a cut-off  8    4         its value times those
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpdesk.data.encoding.table import Codes
from dpdesk.study import limits
from dpdesk.study.model.aggregate_spec import AggregateSpec

Counts = npt.NDArray[np.int64]
Rows = npt.NDArray[np.intp]

_TABLE_CODES = 1 << 16
"""A table of up to this many grid indices is faster than to look for each row's place."""

YES = 1
"""The code of yes in a yes/no column: its labels are no, yes, and then what rules add."""


def scores_of(spec: AggregateSpec, between: Counts) -> Counts:
    """The score of each candidate, cell by cell, from what :func:`rows_between` counted.

    Returns:
        Scores, shape ``(size * len(asked.candidates),)``, row-major.
    """
    wide = len(spec.candidates)
    table = between.reshape(-1, 2 * wide + 1)
    up_to = np.cumsum(table, axis=1)
    below, rows = up_to[:, 0 : 2 * wide : 2], up_to[:, -1:]
    if spec.kind == "quantile-scores":
        return _quantile_scores(below, up_to[:, 1 : 2 * wide : 2], rows, spec.levels)
    return _cut_off_scores(rows - below, spec)


def _quantile_scores(below: Counts, up_to: Counts, rows: Counts, levels: tuple[int, int]) -> Counts:
    """How far the wanted rank is outside each candidate's own rows; see ``AggregateSpec``.

    With N rows, a #{x > c} - b #{x <= c} = a N - (a + b) #{x <= c}, and b #{x < c} - a #{x >= c}
    = (a + b) #{x < c} - a N: twice fewer sums.
    """
    wanted, whole = levels[0] * rows, sum(levels)
    missed = np.maximum(wanted - whole * up_to, whole * below - wanted)
    scores: Counts = -np.maximum(missed, 0)
    return scores.ravel()


def _cut_off_scores(reached: Counts, spec: AggregateSpec) -> Counts:
    """The score of each candidate of a cut-off, cell by cell; see ``AggregateSpec``.

    A value times a count stays below 2**62: at most ``MAX_QUANTA`` times ``ROW_CAP``, where counts
    stop. A row moves a count that stops by no more, and to no other side, than one that does not.
    """
    reached = np.minimum(reached, limits.ROW_CAP)
    if spec.kind == "closest-to-target":
        scores: Counts = -np.abs(reached - spec.target)
    else:
        values = [spec.offset + spec.factor * place for place in spec.candidates]
        scores = reached * np.array(values, np.int64)
    return scores.ravel()


def rows_with_yes(flags: list[npt.NDArray[np.bool_]], cells: Rows, size: int) -> Counts:
    """How many rows say yes, cell by cell, and in each cell column by column.

    Args:
        flags: for each column, which rows say yes, shape ``(rows,)`` each.
        cells: cell of each row, shape ``(rows,)``.
        size: number of cells.

    Returns:
        Counts, shape ``(size * len(flags),)``.

    >>> flags = [np.array([True, True, False]), np.array([False, True, True])]
    >>> rows_with_yes(flags, np.array([0, 1, 1]), 2).tolist()
    [1, 0, 1, 2]
    """
    counts = [np.bincount(cells[np.flatnonzero(says)], minlength=size) for says in flags]
    by_column: Counts = np.stack(counts, axis=1).astype(np.int64)
    return by_column.ravel()


def rows_between(indices: Codes, cells: Rows, size: int, candidates: tuple[int, ...]) -> Counts:
    """How many rows of each cell lie between candidates, and how many on one.

    Args:
        indices: grid index of each row, shape ``(rows,)``.
        cells: cell of each row, of the same shape.
        size: number of cells.
        candidates: grid indices, rising.

    Returns:
        Counts, shape ``(size * (2 * len(candidates) + 1),)``: of each cell, slot 2i holds what
        is between candidate i - 1 and i, slot 2i + 1 what is on i.

    >>> rows_between(np.array([0, 2, 2, 3, 5]), np.zeros(5, np.intp), 1, (2, 4)).tolist()
    [1, 2, 1, 0, 1]
    """
    slots = 2 * len(candidates) + 1
    if candidates[-1] < _TABLE_CODES:
        # Beyond the last candidate all are alike.
        last = min(candidates[-1] + 1, np.iinfo(indices.dtype).max)
        found = _slot_table(candidates)[np.minimum(indices, last)]
    else:
        found = _slots(indices, candidates)
    return np.bincount(cells * slots + found if size > 1 else found, minlength=size * slots)


@lru_cache(8)
def _slot_table(candidates: tuple[int, ...]) -> Rows:
    """The slot of each grid index up to one beyond the last candidate."""
    return _slots(np.arange(candidates[-1] + 2), candidates)


def _slots(indices: Codes, candidates: tuple[int, ...]) -> Rows:
    # Of the candidates 2 and 4, 0 of them lie below 2 and 1 below 3 and 4: a row at 2 is in slot
    # 2 * 0 + 1, on the first; one at 3 in slot 2 * 1, behind it; one at 4 in slot 2 * 1 + 1.
    places = np.array(candidates, np.int64)
    after = np.searchsorted(places, indices, side="left")
    on = places[np.minimum(after, len(places) - 1)] == indices
    slots: Rows = 2 * after + (on & (after < len(places)))
    return slots
