# SPDX-License-Identifier: Apache-2.0
"""Which cases of a long test a commit runs: one in so many, and the others with later commits.

``packaging/test.py`` names a turn by the commit, in ``DPDESK_TURN``. Without one, as in ``--audit``
and where a test is run by hand, every case runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import pytest

T = TypeVar("T")
TURN = os.environ.get("DPDESK_TURN", "")
"""A number in hexadecimal digits, or nothing."""
SLOW_TESTS = frozenset(Path(__file__).with_name("slow_tests.txt").read_text("utf-8").splitlines())
"""Without their cases; ``python -m tests.slow_tests`` finds them."""
SLOW_EVERY = 8


def in_turn(cases: Sequence[T], every: int, name: str = "", turn: str = TURN) -> Sequence[T]:
    """One in ``every`` cases, at least one of several; all of them where no turn is named.

    Args:
        cases: of one test.
        every: how many commits it takes until each has run, on average.
        name: the test's, so that not all tests begin at the same place.
        turn: which slice.

    >>> [list(in_turn("abcde", 3, turn=turn)) for turn in ("0", "1", "2")]
    [['a', 'd'], ['b', 'e'], ['c']]
    >>> [list(in_turn("ab", 3, turn=turn)) for turn in ("0", "1", "2", "")]
    [['a'], ['b'], ['a'], ['a', 'b']]
    >>> [list(in_turn("a", 2, turn=turn)) for turn in ("0", "1")]
    [['a'], []]
    """
    if not turn:
        return cases
    start = (int(turn, 16) + crc32(name.encode())) % every
    return cases[start % len(cases) if len(cases) > 1 else start :: every]


def left_out(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """The tests that are marked ``in_turn`` and have to wait for theirs.

    Args:
        items: all tests in the order in which they were found, each beside its other cases.
    """
    waiting = set[pytest.Item]()
    for name, group in groupby(items, key=lambda item: item.nodeid.partition("[")[0]):
        cases = list(group)
        mark = cases[0].get_closest_marker("in_turn")
        if mark is not None:
            waiting |= {*cases} - {*in_turn(cases, mark.args[0], name)}
    return waiting
