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


def quantile_scores(
    indices: Codes, cells: Rows, size: int, candidates: tuple[int, ...], levels: tuple[int, int]
) -> Counts:
    """``-abs(b * #{x < c} - a * #{x > c})`` of each candidate c, cell by cell.

    Args:
        indices: grid index of each row.
        cells: cell of each row.
        size: number of cells.
        candidates: grid indices, rising.
        levels: a and b.

    Returns:
        Scores, shape ``(size * len(candidates),)``, row-major.
    """
    below, at = _below_and_at(indices, cells, size, candidates)
    rows = np.bincount(cells, minlength=size).astype(np.int64)[:, None]
    above = rows - below - at
    first, second = levels
    scores: Counts = -np.abs(second * below - first * above)
    return scores.ravel()


def cut_off_scores(indices: Codes, cells: Rows, size: int, asked: Measure) -> Counts:
    """The score of each candidate of a cut-off, cell by cell; see ``Measure``.

    A value times a count stays below 2**62: at most ``MAX_QUANTA`` times ``ROW_CAP``, where counts
    stop. A row moves a count that stops by no more, and to no other side, than one that does not.
    """
    below, _at = _below_and_at(indices, cells, size, asked.candidates)
    reached = np.bincount(cells, minlength=size).astype(np.int64)[:, None] - below
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


def _below_and_at(
    indices: Codes, cells: Rows, size: int, candidates: tuple[int, ...]
) -> tuple[Counts, Counts]:
    """How many rows of each cell lie below each candidate, and how many on it."""
    places = np.array(candidates, np.int64)
    wide = len(places)
    # Slot 2i holds what lies between candidate i - 1 and i, slot 2i + 1 what lies on i.
    after = np.searchsorted(places, indices, side="left")
    on = (after < wide) & (places[np.minimum(after, wide - 1)] == indices)
    slots = 2 * after + on
    counts = np.bincount(cells * (2 * wide + 1) + slots, minlength=size * (2 * wide + 1))
    table = counts.reshape(size, 2 * wide + 1).astype(np.int64)
    running = np.cumsum(table, axis=1)
    return running[:, 0 : 2 * wide : 2], table[:, 1 : 2 * wide : 2]
