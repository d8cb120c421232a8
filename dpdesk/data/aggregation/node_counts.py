# SPDX-License-Identifier: Apache-2.0
"""Counts of runs of bins, level by level, and weighted sums, from counts of bins."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


def node_counts(
    counts: npt.NDArray[np.signedinteger[Any]], bins: int, widths: tuple[int, ...]
) -> Counts:
    """The count of every node of a tree over the bins, for each cell.

    Args:
        counts: rows of each bin, cell by cell, shape ``(cells * bins,)``.
        bins: how many bins a cell has.
        widths: how many bins a node of each level has.

    Returns:
        Cell by cell, and in each cell level by level, shape ``(cells * nodes,)``.

    One cell of five bins: the bins, then pairs of them, then fours; the last of a level may be
    short.

    >>> node_counts(np.array([1, 0, 2, 1, 1]), 5, (1, 2, 4)).tolist()
    [1, 0, 2, 1, 1, 1, 3, 1, 4, 1]
    """
    table = counts.astype(np.int64).reshape(-1, bins)
    levels = [np.add.reduceat(table, np.arange(0, bins, width), axis=1) for width in widths]
    result: Counts = np.concatenate(levels, axis=1)
    return result.ravel()


def weighted_bins(
    counts: npt.NDArray[np.signedinteger[Any]], falls: tuple[int, ...], scales: tuple[int, ...]
) -> Counts:
    """Weighted sums of the bins, for each cell.

    Args:
        counts: rows of each bin, cell by cell, shape ``(cells * bins,)``.
        falls: the weight of a bin and of those after it in a sum, before ``scales``.
        scales: of each bin.

    Returns:
        Cell by cell, shape ``(cells * bins,)``. The compiled plan keeps them below 2^62.

    One cell of three bins: the last sum has 1 of the last bin, 2 of the one before, 3 of the first.

    >>> weighted_bins(np.array([5, 0, 7]), (1, 2, 3), (1, 1, 10)).tolist()
    [5, 10, 85]
    """
    table = counts.astype(np.int64).reshape(-1, len(falls)) * np.array(scales, np.int64)
    result: Counts = np.zeros_like(table)
    for apart, fall in enumerate(falls):
        result[:, apart:] += fall * table[:, : len(falls) - apart]
    return result.ravel()
