# SPDX-License-Identifier: Apache-2.0
"""What a person has to know of a file to say how it is read: its columns' names, its sheets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dpdesk.data.opened import read_header, sample_rows
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs import Work
from dpdesk.study.problem import Problem, Refused
from dpdesk.study.unit import DataSource


@dataclass(frozen=True)
class Head:
    """A data file, as last looked at.

    Attributes:
        header: its columns, in its order; empty while unknown.
        sheets: the sheets of a workbook.
        problems: why the header could not be read.
    """

    header: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


def looking(source: DataSource, folder: Path) -> Work:
    """The work of looking at a file; its result is a ``Head``, whatever is wrong with the file."""

    def work(_progress: Progress, _cancel: CancelToken) -> Head:
        sheets: tuple[str, ...] = ()
        try:
            return Head(read_header(source, folder), sheets)
        except Refused as refused:
            return Head((), sheets, refused.problems)

    return work


def rows_of(source: DataSource, folder: Path, count: int) -> Work:
    """The work of reading the first rows, for the custodian's own eyes."""

    def work(_progress: Progress, _cancel: CancelToken) -> list[list[str]]:
        return sample_rows(source, folder, count)

    return work
