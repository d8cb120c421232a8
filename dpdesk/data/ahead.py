# SPDX-License-Identifier: Apache-2.0
"""Work on a few pieces at once, and hand them over in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

S = TypeVar("S")
T = TypeVar("T")

WORKERS = min(4, os.cpu_count() or 1)
"""More would wait for the one thread that reads and splits the file."""


def ahead(work: Callable[[S], T], pieces: Iterable[S], workers: int = WORKERS) -> Generator[T]:
    """Work on pieces in several threads; results come in the order of the pieces.

    Only a few pieces are taken ahead of what was handed over, so memory stays bounded. Whatever
    ``work`` or ``pieces`` raises is raised here, after the threads have come to rest.
    """
    with ThreadPoolExecutor(workers, "dpdesk-read") as pool:
        waiting: deque[Future[T]] = deque()
        try:
            for piece in pieces:
                waiting.append(pool.submit(work, piece))
                if len(waiting) > workers + 1:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
