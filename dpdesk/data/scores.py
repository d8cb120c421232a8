# SPDX-License-Identifier: Apache-2.0
"""Exact scores of declared candidates, from which the noise door chooses."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpdesk.data.table import Codes
from dpdesk.study import limits
from dpdesk.study.measure import Measure

Counts = npt.NDArray[np.int64]
Rows = npt.NDArray[np.intp]

YES = 1
"""The code of yes in a yes/no column: its labels are no, yes, and then what rules add."""


def scores_of(asked: Measure, between: Counts) -> Counts:
    """The score of each candidate, cell by cell, from what :func:`rows_between` counted.

    Returns:
        Scores, shape ``(size * len(asked.candidates),)``, row-major.
    """
    wide = len(asked.candidates)
    table = between.reshape(-1, 2 * wide + 1)
    below = np.cumsum(table, axis=1)[:, 0 : 2 * wide : 2]
    rows = table.sum(axis=1)[:, None]
    if asked.kind == "quantile-scores":
        return _quantile_scores(below, rows - below - table[:, 1 : 2 * wide : 2], asked.levels)
    return _cut_off_scores(rows - below, asked)


def _quantile_scores(below: Counts, above: Counts, levels: tuple[int, int]) -> Counts:
    """``-abs(b * #{x < c} - a * #{x > c})`` of each candidate c, cell by cell."""
    first, second = levels
    scores: Counts = -np.abs(second * below - first * above)
    return scores.ravel()


def _cut_off_scores(reached: Counts, asked: Measure) -> Counts:
    """The score of each candidate of a cut-off, cell by cell; see ``Measure``.

    A value times a count stays below 2**62: at most ``MAX_QUANTA`` times ``ROW_CAP``, where counts
    stop. A row moves a count that stops by no more, and to no other side, than one that does not.
    """
    reached = np.minimum(reached, limits.ROW_CAP)
    if asked.kind == "closest-to-target":
        scores: Counts = -np.abs(reached - asked.target)
    else:
        values = [asked.offset + asked.factor * place for place in asked.candidates]
        scores = reached * np.array(values, np.int64)
    return scores.ravel()


def rows_with_yes(flags: list[npt.NDArray[np.bool_]], cells: Rows, size: int) -> Counts:
    """How many rows say yes, cell by cell, and in each cell column by column.

    Args:
        flags: for each column, which rows say yes.
        cells: cell of each row.
        size: number of cells.
    """
    counts = [np.bincount(cells[says], minlength=size) for says in flags]
    found: Counts = np.stack(counts, axis=1).astype(np.int64)
    return found.ravel()


def rows_between(indices: Codes, cells: Rows, size: int, candidates: tuple[int, ...]) -> Counts:
    """How many rows of each cell lie between candidates, and how many on one.

    Args:
        indices: grid index of each row.
        cells: cell of each row.
        size: number of cells.
        candidates: grid indices, rising.

    Returns:
        Counts, shape ``(size * (2 * len(candidates) + 1),)``: of each cell, slot 2i holds what
        lies between candidate i - 1 and i, slot 2i + 1 what lies on i.
    """
    places = np.array(candidates, np.int64)
    wide = len(places)
    after = np.searchsorted(places, indices, side="left")
    on = (after < wide) & (places[np.minimum(after, wide - 1)] == indices)
    slots = 2 * after + on
    return np.bincount(cells * (2 * wide + 1) + slots, minlength=size * (2 * wide + 1))
