# SPDX-License-Identifier: Apache-2.0
"""Finding out how a chosen file may be read: what can take as long as reading all of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpdesk.desk.core.jobs.jobs import JobRunner, Work
from dpdesk.desk.core.jobs.latest_job import LatestJob, Problems


class Recognition(QObject):
    """Looks at one chosen file at a time; the one that was chosen last counts.

    Args:
        looks: runs the work.

    Signals:
        began: a look began; carries the file's name.
        progressed: how far it is; carries done and total.
        ended: it came to its end, or was stopped.
    """

    began = Signal(str)
    progressed = Signal(object, object)
    ended = Signal()

    def __init__(self, looks: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._latest = LatestJob(looks, self)

    @property
    def is_pending(self) -> bool:
        """Whether a look is under way."""
        return self._latest.is_pending

    def run(
        self,
        path: Path,
        work: Work,
        then: Callable[[Any], object],
        refused: Callable[[Problems], None],
    ) -> None:
        """Look at a file, and go on with what was found; a small one is there at once."""
        self.began.emit(path.name)
        self._latest.run(
            work,
            lambda found: self._end(then, found),
            lambda problems: self._end(refused, problems),
            self.progressed.emit,
            is_awaited=True,
        )

    def stop(self) -> None:
        """Give up the look that is under way."""
        if self._latest.is_pending:
            self._latest.drop()
            self.ended.emit()

    def _end(self, take: Callable[[Any], object], result: Any) -> None:
        self.ended.emit()
        take(result)
