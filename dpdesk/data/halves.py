# SPDX-License-Identifier: Apache-2.0
"""Long columns are worked on in two halves at once: numpy lets other threads run meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")

WORTH_ROWS = 1 << 18
"""Fewer rows are done before a second thread has begun."""


def in_halves(work: Callable[[slice], T], rows: int, middle: int | None = None) -> tuple[T, T]:
    """The same work on the first and the last rows of a column, at once where it is worth it.

    Args:
        work: is given the places of rows.
        rows: how many rows there are.
        middle: where the second half begins; halfway unless told.
    """
    middle = rows // 2 if middle is None else middle
    first, last = slice(0, middle), slice(middle, rows)
    if rows < WORTH_ROWS:
        return work(first), work(last)
    with ThreadPoolExecutor(1, "dpdesk-half") as pool:
        other = pool.submit(work, last)
        return work(first), other.result()


def sort(keys: npt.NDArray[np.uint64]) -> None:
    """Sort in place."""
    if len(keys) >= WORTH_ROWS:
        keys.partition(len(keys) // 2)
        in_halves(lambda places: keys[places].sort(), len(keys))
    else:
        keys.sort()
