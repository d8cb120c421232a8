# SPDX-License-Identifier: Apache-2.0
"""What the ledger's dialogs share: say what it means, ask, work, and say what became of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.working_dialog import WorkingDialog
from dpdesk.desk.text import words
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.study.problem import Problem

BACKUPS = "*.zip"


class LedgerDialog(WorkingDialog):
    """A dialog that works on the ledger off the GUI thread, and stays until that is said.

    Attributes:
        sign: icon of what it is about.
        told: what became of it.
        go: the button that goes on; gone once all is done.

    Signals:
        changed: the ledger is another one now.
    """

    changed = Signal()
    sign = "history"

    def __init__(
        self, window: QWidget, session: Session, title: str, text: str, tone: Role = Role.ACCENT
    ) -> None:
        super().__init__(window, session, title, text, self.sign, tone)
        self.told = Remark()
        self.safe = self.add_safe(self.tr("Not now"))
        self.go: Button
        self._then: Callable[[Any], str] = str

    def ask(self) -> None:
        """Ask for what is still needed, and begin; each dialog in its own way."""
        raise NotImplementedError

    def accept(self) -> None:
        """Begin, unless it has begun."""
        if not self.is_busy:
            self.told.say("")
            self.ask()

    def begin(self, work: Callable[[], object], then: Callable[[Any], str]) -> None:
        """Work; ``then`` gives the sentence on its result."""
        self._then = then
        self._set_busy(True)
        self._latest.run(lambda _progress, _cancel: work(), self._ended, self._refused)

    def _set_busy(self, busy: bool) -> None:
        if busy:
            self.hold_keyboard()
        self.go.setEnabled(not busy)
        self.safe.setEnabled(not busy)
        if not busy:
            self.give_keyboard_back()

    def _ended(self, result: Any) -> None:
        self._set_busy(False)
        self.told.say(self._then(result), Tone.DONE)
        self.go.hide()
        self.safe.setText(self.tr("Close"))
        self.safe.updateGeometry()
        self.safe.setFocus()
        self.session.reread_accounts()
        self.changed.emit()

    def _refused(self, problems: tuple[Problem, ...]) -> None:
        self._set_busy(False)
        self.told.say(" ".join(map(words.problem_sentence, problems)), Tone.ERROR)
