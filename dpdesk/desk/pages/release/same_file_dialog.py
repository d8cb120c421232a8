# SPDX-License-Identifier: Apache-2.0
"""Asked before every release from an extract that was used before: is the data still the same?

The file's bytes help to answer, where they are known from then; the answer is the custodian's,
and is nowhere.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import times
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.release.ledger.uses import EarlierUse
from dpdesk.release.run.same_file import compare_bytes

_WIDTH = 560
"""Three answers beside each other."""


class SameFileDialog(Dialog):
    """Asks whether the data is still what the extract meant before.


    Signals:
        changed: the data has changed; the extract is to be named again.
    """

    changed = Signal()

    def __init__(self, window: QWidget, session: Session, earlier: EarlierUse, name: str) -> None:
        super().__init__(window, _title(earlier), _text(name), "file", width=_WIDTH)
        self._session = session
        self.advice = Banner(Tone.INFO, "", self.tr("Comparing the file…"))
        self.body.addWidget(self.advice)
        self._latest = LatestJob(session.looks, self)
        self.add_safe(self.tr("Not now"))
        self.other = self.add_other(self.tr("No, the data has changed"))
        self.other.clicked.connect(self._say_changed)
        self.same = self.add_primary(self.tr("Yes, the data is unchanged"))

    def open(self) -> None:
        """Ask, and compare the bytes meanwhile."""
        super().open()
        if self._session.state.in_database:
            text = self.tr("A database has no file to compare: only you can tell.")
            self.advice.say("", text, Tone.INFO)
            return
        study, folder = self._session.state.study, self._session.document.folder
        ledger = self._session.accounts.ledger()

        def work(progress: Progress, cancel: CancelToken) -> EarlierUse | None:
            return compare_bytes(study, folder, ledger, progress, cancel)

        self._latest.run(work, self._advise, lambda _problems: self._advise(None))

    def done(self, result: int) -> None:
        """Answered: the bytes need not be compared any further."""
        self._latest.drop()
        super().done(result)

    def _say_changed(self) -> None:
        self.reject()
        self.changed.emit()

    def _advise(self, earlier: EarlierUse | None) -> None:
        day = times.day(earlier.time) if earlier is not None else ""
        shown = earlier.bytes if earlier is not None else "unknown"
        if shown == "same":
            text = self.tr("The file is unchanged since {0}.")
            self.advice.say("", text.format(day), Tone.DONE)
        elif shown == "differ":
            text = self.tr(
                "It changed since {0}. Saving the same data again also changes a file: answer Yes "
                "only if the data is the same."
            )
            self.advice.say(self.tr("The file has changed."), text.format(day), Tone.ATTENTION)
        else:
            text = self.tr("dpdesk cannot tell whether the file has changed.")
            self.advice.say("", text, Tone.INFO)


def _title(earlier: EarlierUse) -> str:
    title = tr("SameFileDialog", "Is the data still the same as on {0}?")
    return title.format(times.day(earlier.time))


def _text(name: str) -> str:
    text = tr(
        "SameFileDialog",
        "The extract “{0}” was used before. Its stored figures are valid only for the data of "
        "that day. Your answer is not recorded.",
    )
    return text.format(name.replace("&", "&amp;").replace("<", "&lt;"))
