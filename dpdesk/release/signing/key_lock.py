# SPDX-License-Identifier: Apache-2.0
"""One program at a time makes or changes the signing key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dpdesk.study.file_lock import lock_at_once
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import append_regular


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep every other program from changing the key: two changes would mix their halves.

    Raises:
        Refused: ``key-busy``, or ``key-unwritable``.
    """
    try:
        lock = append_regular(folder.with_name(f"{folder.name}.lock"))
    except OSError:
        raise refuse("key-unwritable") from None
    with lock:
        try:
            lock_at_once(lock)
        except OSError:
            raise refuse("key-busy") from None
        yield
