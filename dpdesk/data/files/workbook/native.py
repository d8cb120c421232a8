# SPDX-License-Identifier: Apache-2.0
"""Calls of a reader that may panic over a broken file.

A panic is no ``Exception``, and its words may quote cells. They are printed before anything can
catch it, past Python: such readers run where nothing that is printed is heard (``reader_process``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Panic(Exception):
    """The reader gave up; what it said is gone."""


def without_panic(work: Callable[[], T]) -> T:
    """Do some work.

    Raises:
        Panic: the work ended in a panic.
    """
    try:
        return work()
    except BaseException as error:
        if isinstance(error, (Exception, KeyboardInterrupt, SystemExit, GeneratorExit)):
            raise
    raise Panic
