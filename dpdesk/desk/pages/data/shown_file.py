# SPDX-License-Identifier: Apache-2.0
"""The file that a page shows of a study that has several: what is known of it."""

from __future__ import annotations

from pathlib import Path

from dpdesk.desk.core.edits.file_place import FIRST, FilePlace
from dpdesk.desk.core.files.file_summary import FileSummary, SummarySource, summary_source
from dpdesk.desk.core.network_paths import names_a_machine
from dpdesk.desk.core.session import Session
from dpdesk.study.checks.table_checks import moved
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem


class ShownFile:
    """One of the open study's files; the main table's first where another is no more.

    Args:
        session: the window's work.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._place = FIRST

    @property
    def place(self) -> FilePlace:
        """Which file it is."""
        is_there = self._place.source(self._session.state.study) is not None
        return self._place if is_there else FIRST

    def choose(self, place: FilePlace) -> None:
        """Show another file."""
        self._place = place

    @property
    def source(self) -> DataSource | None:
        """How it is read."""
        return self.place.source(self._session.state.study)

    @property
    def summary(self) -> FileSummary:
        """It as last looked at."""
        if self.place.is_first:
            return self._session.file.summary
        return FileSummary() if self.source is None else self._session.further.summary(self.source)

    @property
    def header(self) -> tuple[str, ...]:
        """Its columns; empty while unknown."""
        return self._session.state.header if self.place.is_first else self.summary.header

    @property
    def version(self) -> tuple[SummarySource, int, bool]:
        """What changes where the file, or how it is read, is another than before."""
        source, reads = self.source, self._session.file.reads
        if source is not None and not self.place.is_first:
            reads = self._session.further.reads(source)
        return summary_source(source, self.folder), reads, bool(self.header)

    @property
    def is_looking(self) -> bool:
        """Whether it is being looked at."""
        files = self._session
        return files.file.is_looking if self.place.is_first else files.further.is_looking

    @property
    def waits_to_connect(self) -> bool:
        """Whether it is on another computer and nobody agreed yet to connect to it."""
        if self.place.is_first:
            return self._session.waits_to_connect
        return self.source is not None and self._session.further.waits_to_connect(self.source)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with how it is read, as of a file by itself: paths begin at ``$.data``."""
        state = self._session.state
        path = self.place.path(state.study)
        own = [p for p in state.step_problems("data") if p.path == path or _is_in(p.path, path)]
        return tuple(moved(own, path, "$.data"))

    @property
    def others(self) -> tuple[str, ...]:
        """Paths of the study's other files on this computer."""
        own = self.source
        paths = [one.path for one in self._session.state.study.sources if one != own]
        return tuple(path for path in paths if not names_a_machine(path))

    @property
    def folder(self) -> Path:
        """Where relative paths start."""
        return self._session.document.folder


def _is_in(path: str, prefix: str) -> bool:
    return path.startswith(f"{prefix}.") and not path.startswith(f"{prefix}.more[")
