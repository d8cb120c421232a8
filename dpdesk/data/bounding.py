# SPDX-License-Identifier: Apache-2.0
"""At most k rows of each person, chosen at random within the person.

The choice looks at one person's rows and their priorities alone, so what is kept of one person
does not depend on anybody else. The bound gives the privacy, the randomness only keeps the
choice fair: the file's order may be that of severity or time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Persons = npt.NDArray[np.signedinteger[Any]]
Uint64 = npt.NDArray[np.uint64]
Priorities = Callable[[int], Uint64]
"""Draws one priority for each of the next rows of the file."""


def random_priorities(rows: int) -> Uint64:
    """Priorities from the operating system's generator, shape ``(rows,)``."""
    return np.frombuffer(os.urandom(8 * rows), np.uint64)


def bound_contributions(
    persons: Persons, k: int, priorities: Uint64, content: Sequence[Persons] = ()
) -> npt.NDArray[np.bool_]:
    """Which rows are kept: of each person those with the k smallest priorities.

    Equal priorities are settled by content and, between rows that are alike, by position: no tie
    lets a row more through, and no order of the file changes what is kept.

    Args:
        persons: each row's person; rows with a negative one are left out.
        k: contribution bound, 1 or more.
        priorities: each row's priority.
        content: each column's codes.

    Returns:
        A mask over the rows.
    """
    keep: npt.NDArray[np.bool_] = persons >= 0
    rows_of = np.bincount(persons[keep], minlength=1)
    crowded = np.flatnonzero(keep & (rows_of[persons] > k))
    order = crowded[_order(persons[crowded], priorities[crowded], [c[crowded] for c in content])]
    owner = persons[order]
    first = np.flatnonzero(np.diff(owner, prepend=-1))
    rank = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    keep[order[rank >= k]] = False
    return keep


def _order(persons: Persons, priorities: Uint64, content: list[Persons]) -> npt.NDArray[np.intp]:
    """Sort by person, priority and content.

    One number for person and priority's leading bits sorts four times as fast; it decides unless
    two rows share it, which random priorities do about never.
    """
    bits = np.uint64(max(1, int(persons.max(initial=0)).bit_length()))
    both = persons.astype(np.uint64) << (np.uint64(64) - bits) | priorities >> bits
    order = np.argsort(both)
    ordered = both[order]
    if (ordered[1:] == ordered[:-1]).any():
        return np.lexsort((*content, priorities, persons))
    return order
