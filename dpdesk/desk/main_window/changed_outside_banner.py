# SPDX-License-Identifier: Apache-2.0
"""Above the page: somebody else wrote the study's file; the user chooses, nothing is lost.

Where somebody took it away, it was written again, and that is said here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dpdesk.desk.core.session import Session
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.study.problem import Refused


class ChangedOutsideBanner(Banner):
    """Says that the file was changed outside, and offers both ways out."""

    def __init__(self, session: Session) -> None:
        super().__init__(Tone.ATTENTION)
        self._session = session
        self._asks = False
        self.hide()
        document = session.document
        document.changed_outside.connect(self._ask)
        document.restored.connect(self._say_restored)
        document.saved_changed.connect(lambda saved: self._settle(saved))
        document.opened.connect(self.hide)
        self.action_pressed.connect(self._first)
        self.second_pressed.connect(lambda: self._choose(document.load_theirs))

    def _ask(self) -> None:
        self._asks = True
        self.say(
            self.tr("The study’s file was changed by another window or program."),
            self.tr("This window no longer saves to it. The version you do not choose is kept."),
            Tone.ATTENTION,
        )
        self.set_action(self.tr("Keep mine"), self.tr("Load theirs"))
        self.show()

    def _say_restored(self) -> None:
        path = self._session.document.path
        name = path.name if path is not None else ""
        self.say(
            self.tr("The study’s file was deleted, moved or renamed."),
            self.tr(
                "dpdesk saved it again as {0}. If you moved it yourself, open it from its new "
                "place."
            ).format(name),
            Tone.INFO,
        )
        self.set_action(self.tr("Close"))
        self.show()

    def _settle(self, saved: bool) -> None:
        """The file came to agree again: there is nothing to choose."""
        if saved and self._asks and not self._session.document.is_at_odds:
            self._asks = False
            self.hide()

    def _first(self) -> None:
        if self._session.document.is_at_odds:
            self._choose(self._session.document.keep_mine)
        else:
            self.hide()

    def _choose(self, way: Callable[[], Path | None]) -> None:
        """Go a way and say where the other version is."""
        try:
            kept = way()
        except Refused as refused:
            self._session.misread.emit(refused.problems)
            return
        if kept is None:
            self.hide()
            return
        text = self.tr("The other version is kept beside it as {0}.").format(kept.name)
        self.say(self.tr("Done."), text, Tone.DONE)
        self.set_action(self.tr("Close"))
        self.show()
