# SPDX-License-Identifier: Apache-2.0
"""Files that are added to a study: recognised together, and what they can become."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.edits import table_edits
from dpdesk.desk.core.edits.table_edits import Header
from dpdesk.desk.core.jobs.jobs import Work
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused

ONE_TABLE, EACH = "\0one", "\0each"


@dataclass(frozen=True)
class AddedFile:
    """A chosen file, recognised.

    Attributes:
        source: how it may be read.
        header: its columns; empty where they are not known yet.
    """

    source: DataSource
    header: Header


def recognising(paths: Sequence[Path]) -> Work:
    """The work of recognising files, one after the other; its result is a list of ``AddedFile``."""

    def work(progress: Progress, cancel: CancelToken) -> list[AddedFile]:
        # Loaded off the window's thread: the readers come with it.
        from dpdesk.data.inspection.recognise import recognise
        from dpdesk.data.opened import read_header

        found = []
        for path in paths:
            source = replace(recognise(path, cancel, progress), path=str(path))
            try:
                header = read_header(source, path.parent, cancel)
            except Refused:
                header = ()
            found.append(AddedFile(source, header))
        return found

    return work


def choices_for(study: Study, added: Sequence[AddedFile], headers: dict[str, Header]) -> list[str]:
    """What files can become: more of a table that has their columns, one table, a table each.

    Args:
        headers: the columns of each table of the study, the main one's under ``MAIN``.
    """
    first, *rest = added
    alike = all(table_edits.same_columns(first.header, other.header) for other in rest)
    found = []
    if alike:
        names = (MAIN, *(table.name for table in study.tables))
        found = [n for n in names if table_edits.same_columns(headers.get(n, ()), first.header)]
    if rest and len(by_columns(added)) < len(added):
        found.append(ONE_TABLE)
    return [*found, EACH]


def by_columns(added: Sequence[AddedFile]) -> list[list[AddedFile]]:
    """Files in groups of the same columns; one whose columns are not known is alone."""
    found: list[list[AddedFile]] = []
    for one in added:
        same = (g for g in found if table_edits.same_columns(g[0].header, one.header))
        group = next(same, None)
        if group is None:
            found.append([one])
        else:
            group.append(one)
    return found


def added_to(study: Study, added: Sequence[AddedFile], choice: str) -> tuple[Study, str]:
    """The study with files as was chosen, and the table to look at next."""
    sources = [one.source for one in added]
    if choice == EACH:
        for one in added:
            study, name = _with_table(study, [one])
        return study, name if len(added) == 1 else ""
    if choice == ONE_TABLE:
        groups = by_columns(added)
        for group in groups:
            study, name = _with_table(study, group)
        return study, name if len(groups) == 1 else ""
    before = study.data_of(choice) or DataSource()
    files = table_edits.with_labels([*before.files, *sources])
    return table_edits.set_files(study, choice, files), choice


def _with_table(study: Study, files: Sequence[AddedFile]) -> tuple[Study, str]:
    """The study with one more table, and what it is called."""
    sources = [one.source for one in files]
    table = table_edits.proposed_table(study, sources[0], files[0].header)
    study = table_edits.add_table(study, table)
    if len(sources) > 1:
        study = table_edits.set_files(study, table.name, table_edits.with_labels(sources))
    return study, table.name
