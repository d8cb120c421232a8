# SPDX-License-Identifier: Apache-2.0
"""What is odd about a file that can be read, for its custodian's eyes alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from dpdesk.data.about import what_it_seems
from dpdesk.data.misfits import Misfits, find_misfits
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.data.top import top_rows
from dpdesk.desk.core.jobs import Work
from dpdesk.study.problem import Problem
from dpdesk.study.unit import DataSource

LOOKED_AT_ROWS = 60


@dataclass(frozen=True)
class Doubts:
    """What is odd about a file.

    Attributes:
        question: what it seems to be, where it seems not to be about people.
        misfits: rows of another width than the header's.
    """

    question: Problem | None = None
    misfits: Misfits = field(default_factory=Misfits)


def doubts_of(source: DataSource, folder: Path) -> Work:
    """The work of looking for what is odd, to the end of a large file."""

    def work(progress: Progress, cancel: CancelToken) -> Doubts:
        seems = _seems(source, folder, cancel)
        cancel.check()
        misfits = find_misfits(source, folder, progress=progress, cancel=cancel)
        return Doubts(seems, misfits)

    return work


def _seems(source: DataSource, folder: Path, cancel: CancelToken) -> Problem | None:
    rows = top_rows(source, folder, LOOKED_AT_ROWS, cancel)
    if source.header_row is None:
        first = next((n for n, row in enumerate(rows) if any(map(str.strip, row))), 0)
    else:
        first = source.header_row - 1
    if first < 0 or first >= len(rows):
        return None
    found = what_it_seems(rows[first], rows[first + 1 :])
    return None if found is None else found.question
