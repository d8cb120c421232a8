# SPDX-License-Identifier: Apache-2.0
"""Warnings about a file that can be read, for its custodian's eyes alone.

Apart from its summary: the window starts with that, and must not load numpy or Arrow for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from dpdesk.data.inspection.about import question_of, top_table
from dpdesk.data.inspection.number_marks import NumberMarks, marks_to_confirm
from dpdesk.data.inspection.ragged_rows import RaggedRows, ragged_rows
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.jobs import Work
from dpdesk.release.places.synced_folder import synced_by
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem

Rows = list[list[str]]


@dataclass(frozen=True)
class FileWarnings:
    """Warnings about a file.

    Attributes:
        question: what it seems to be, where it seems not to be about people.
        ragged_rows: lines that are no rows, and rows of another width than the header's.
        synced: that its folder is copied to other computers.
        marks: how its first numbers are written, where they are read otherwise; several where
            they can be read in as many ways.
    """

    question: Problem | None = None
    ragged_rows: RaggedRows = field(default_factory=RaggedRows)
    marks: tuple[NumberMarks, ...] = ()
    synced: Problem | None = None


def find_warnings(source: DataSource, folder: Path, others: tuple[str, ...] = ()) -> Work:
    """The work of looking for what to warn of, to the end of a large file.

    Args:
        others: paths of the study's other files, which may be copied elsewhere, too.
    """

    def work(progress: Progress, cancel: CancelToken) -> FileWarnings:
        header, rows = top_table(source, folder, cancel)
        question = question_of(header, rows)
        marks = marks_to_confirm(source, rows)
        cancel.check()
        ragged = ragged_rows(source, folder, progress=progress, cancel=cancel)
        synced = (_synced(folder / path) for path in (source.path, *others))
        return FileWarnings(question, ragged, marks, next(filter(None, synced), None))

    return work


def _synced(path: Path) -> Problem | None:
    name = synced_by(path)
    return Problem("$.data.path", "data-synced", {"name": name}) if name else None


def find_ragged_rows(source: DataSource, folder: Path) -> Work:
    """The work of looking for lines that are no rows or do not fit, and for nothing else."""

    def work(progress: Progress, cancel: CancelToken) -> RaggedRows:
        return ragged_rows(source, folder, progress=progress, cancel=cancel)

    return work
