# SPDX-License-Identifier: Apache-2.0
"""What a person has to know of a file to say how it is read: its columns' names, its sheets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.jobs import Work
from dpdesk.study.checks.study_checks import check_data
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused
from dpdesk.study.suggest.clinical import named
from dpdesk.study.suggest.identifiers import identifier_kind

TOP_ROWS = 30
SHOWN_TEXT = 300
SHOWN_CELLS = 10_000

Read = TypeVar("Read")


@dataclass(frozen=True)
class FileSummary:
    """A data file, as last looked at.

    Attributes:
        header: its columns, in its order; empty while unknown.
        sheets: the sheets of a workbook.
        filled: how many cells of each of the first rows hold something.
        problems: why the header could not be read.
    """

    header: tuple[str, ...] = ()
    sheets: tuple[str, ...] = ()
    filled: tuple[int, ...] = ()
    problems: tuple[Problem, ...] = ()


SummarySource = tuple[DataSource | None, Path]
"""A source, but for what its header cannot depend on, and the folder of its study."""


def summary_source(source: DataSource | None, folder: Path) -> SummarySource:
    """What of a source its head may depend on."""
    if source is None:
        return None, folder
    return replace(source, extract="", missing=(), label="", more=()), folder


def carried_over(
    head: FileSummary, before: SummarySource | None, now: SummarySource
) -> FileSummary:
    """What is known of a file while it is read in another way: its choices stay on offer."""
    was, folder = before or (None, None)
    if was is None or now[0] is None or folder != now[1]:
        return FileSummary()
    if (was.path, was.format) != (now[0].path, now[0].format):
        return FileSummary()
    return FileSummary(sheets=head.sheets, filled=head.filled if was.sheet == now[0].sheet else ())


def summarise(source: DataSource, folder: Path) -> Work:
    """The work of looking at a file; its result is a ``FileSummary``, whatever is wrong with it.

    What is offered to fix a file is read first: it is there when the header is not. What reads
    files is imported by the work, so that neither window nor click waits for it.
    """

    def work(_progress: Progress, cancel: CancelToken) -> FileSummary:
        from dpdesk.data.inspection.raw_preview import filled_cells, top_rows
        from dpdesk.data.opened import read_header

        if source.format == "excel":
            return _book(source, folder, cancel)
        filled = _if_it_can(lambda: filled_cells(top_rows(source, folder, TOP_ROWS, cancel)))
        cancel.check()
        try:
            return FileSummary(read_header(source, folder, cancel), filled=filled or ())
        except Refused as refused:
            return FileSummary(filled=filled or (), problems=refused.problems)

    return work


def classify(header: tuple[str, ...]) -> Work:
    """The work of finding out what Columns and Queries ask of all names at once; it is kept."""

    def work(_progress: Progress, cancel: CancelToken) -> None:
        named()
        for name in header:
            cancel.check()
            identifier_kind(name, "")

    return work


def _book(source: DataSource, folder: Path, cancel: CancelToken) -> FileSummary:
    """A workbook, opened once for all that is asked of it: its sheet may take long to load."""
    from dpdesk.data.inspection.raw_preview import filled_cells
    from dpdesk.data.reader_process.isolated_workbook import look_at

    wrong = tuple(check_data(source))
    try:
        look = look_at(source, folder, TOP_ROWS, cancel)
    except Refused as refused:
        return FileSummary(problems=wrong or refused.problems)
    header = () if wrong else look.header
    return FileSummary(header, look.sheets, filled_cells(look.top), wrong or look.problems)


def rows_of(source: DataSource, folder: Path, count: int) -> Work:
    """The work of reading the first rows, for the custodian's own eyes."""

    def work(_progress: Progress, cancel: CancelToken) -> list[list[str]]:
        from dpdesk.data.opened import sample_rows

        return _shortened(sample_rows(source, folder, count, cancel))

    return work


def top_of(source: DataSource, folder: Path) -> Work:
    """The work of reading what is on top, where the header is still to be found."""

    def work(_progress: Progress, cancel: CancelToken) -> list[list[str]]:
        from dpdesk.data.inspection.raw_preview import top_rows

        return _shortened(top_rows(source, folder, TOP_ROWS, cancel))

    return work


def _shortened(rows: list[list[str]]) -> list[list[str]]:
    """Rows as a table can show them: to measure a cell of megabytes takes seconds."""
    return [[cell[:SHOWN_TEXT] for cell in row[:SHOWN_CELLS]] for row in rows]


def _if_it_can(read: Callable[[], Read]) -> Read | None:
    try:
        return read()
    except Refused:
        return None
