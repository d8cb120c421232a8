# SPDX-License-Identifier: Apache-2.0
"""At most k rows of each person, chosen at random within the person.

The choice looks at one person's rows and their priorities alone, so what is kept of one person
does not depend on anybody else. The bound gives the privacy, the randomness only keeps the
choice fair: the file's order may be that of severity or time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Priorities = Callable[[int], npt.NDArray[np.uint64]]
"""Draws one priority for each of the next rows of the file."""


def random_priorities(rows: int) -> npt.NDArray[np.uint64]:
    """Priorities from the operating system's generator, shape ``(rows,)``."""
    return np.frombuffer(os.urandom(8 * rows), np.uint64)


def bound_contributions(
    persons: npt.NDArray[np.integer[Any]], k: int, priorities: npt.NDArray[np.uint64]
) -> npt.NDArray[np.bool_]:
    """Which rows are kept: of each person those with the k smallest priorities.

    Equal priorities are settled by position, so that no tie lets a row more through.

    Args:
        persons: each row's person, 0 or more.
        k: contribution bound, 1 or more.
        priorities: each row's priority.

    Returns:
        A mask over the rows.
    """
    keep = np.ones(len(persons), np.bool_)
    if not len(persons):
        return keep
    rows_of = np.bincount(persons)
    crowded = np.flatnonzero(rows_of[persons] > k)
    order = crowded[np.lexsort((priorities[crowded], persons[crowded]))]
    owner = persons[order]
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    rank = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    keep[order[rank >= k]] = False
    return keep
