# SPDX-License-Identifier: Apache-2.0
"""Long work in pieces at once: numpy, pandas and the codecs let other threads run meanwhile."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

S = TypeVar("S")
T = TypeVar("T")

WORKERS = min(4, os.cpu_count() or 1)
"""More would wait for the one thread that reads and splits the file."""
WORTH_ROWS = 1 << 18
"""Fewer rows are done before a second thread has begun."""


def prefetched(work: Callable[[S], T], pieces: Iterable[S], workers: int = WORKERS) -> Generator[T]:
    """Work on pieces in several threads; results come in the order of the pieces.

    Only a few pieces are taken ahead of what was handed over, so memory stays bounded. Whatever
    ``work`` or ``pieces`` raises is raised here, after the threads have come to rest.
    """
    coming = iter(pieces)
    known = deque(islice(coming, 2))
    if len(known) < 2:
        # One piece is done before a thread has begun, and most files are one.
        yield from map(work, known)
        return
    with ThreadPoolExecutor(workers, "dpdesk-read") as pool:
        waiting: deque[Future[T]] = deque()
        try:
            for piece in _each(known, coming):
                waiting.append(pool.submit(work, piece))
                if len(waiting) > workers + 1:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _each(known: deque[S], coming: Iterator[S]) -> Generator[S]:
    """What is known and what comes; nothing is kept that was handed over."""
    while known:
        yield known.popleft()
    yield from coming


def in_halves(work: Callable[[slice], T], rows: int) -> tuple[T, T]:
    """The same work on the first and the last rows of a column, at once where it is worth it.

    Args:
        work: is given the places of rows.
    """
    first, last = slice(0, rows // 2), slice(rows // 2, rows)
    if rows < WORTH_ROWS:
        return work(first), work(last)
    with ThreadPoolExecutor(1, "dpdesk-half") as pool:
        other = pool.submit(work, last)
        return work(first), other.result()


def of_each(work: Callable[[S], T], columns: Sequence[S], rows: int) -> list[T]:
    """The same work on several columns of this many rows, two at once where it is worth it."""
    if rows < WORTH_ROWS:
        return [work(column) for column in columns]
    with ThreadPoolExecutor(2, "dpdesk-column") as pool:
        return list(pool.map(work, columns))


def sort(keys: npt.NDArray[np.uint64]) -> None:
    """Sort in place, shape ``(rows,)``.

    A partition puts the smaller half in front, in any order, so that two threads sort a half each.
    """
    if len(keys) >= WORTH_ROWS:
        keys.partition(len(keys) // 2)
        in_halves(lambda places: keys[places].sort(), len(keys))
    else:
        keys.sort()
