# SPDX-License-Identifier: Apache-2.0
"""Calls of a reader that may panic over a broken file.

A panic is no ``Exception``, and its words, which may quote cells, are printed before anything can
catch it, past Python, to wherever the process writes its errors: a terminal, or a desktop's log.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TypeVar

T = TypeVar("T")

_ERRORS = 2
_ALONE = Lock()


class Panic(Exception):
    """The reader gave up; what it said is gone."""


def without_panic(work: Callable[[], T]) -> T:
    """Do some work; nothing that is printed meanwhile is heard.

    Raises:
        Panic: the work ended in a panic.
    """
    with _quiet():
        try:
            return work()
        except BaseException as error:
            if isinstance(error, (Exception, KeyboardInterrupt, SystemExit, GeneratorExit)):
                raise
    raise Panic


@contextmanager
def _quiet() -> Iterator[None]:
    """Let what is printed as an error go nowhere, for as long as no other thread does the same."""
    with _ALONE:
        try:
            kept = os.dup(_ERRORS)
        except OSError:
            # A program with a window only may have nowhere to print to.
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _ERRORS)
        os.close(nowhere)
        try:
            yield
        finally:
            os.dup2(kept, _ERRORS)
            os.close(kept)
