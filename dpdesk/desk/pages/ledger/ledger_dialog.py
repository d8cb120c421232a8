# SPDX-License-Identifier: Apache-2.0
"""What the ledger's dialogs share: say what it means, ask, work, and say what became of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.jobs.latest_job import Problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.working_dialog import WorkingDialog
from dpdesk.desk.text import words
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.field import PasswordField
from dpdesk.desk.widgets.labels.banner import Tone

BACKUPS = "*.zip"


class LedgerDialog(WorkingDialog):
    """A dialog that works on the ledger, and stays until its outcome is read.

    Attributes:
        sign: icon of what it is about.

    Signals:
        changed: the ledger is another one now.
    """

    changed = Signal()
    sign = "history"

    def __init__(
        self, window: QWidget, session: Session, title: str, text: str, tone: Role = Role.ACCENT
    ) -> None:
        super().__init__(window, session, title, text, self.sign, tone)
        self.cancel.setText(self.tr("Not now"))
        self._passphrases: list[PasswordField] = []

    def show_parts(self, *parts: QWidget) -> None:
        """Put parts below each other; a wrong passphrase is said at the field where it is typed."""
        super().show_parts(*parts)
        self._passphrases = [part for part in parts if isinstance(part, PasswordField)]

    def ask(self) -> None:
        """Ask for what is still needed, and begin; each dialog in its own way."""
        raise NotImplementedError

    def accept(self) -> None:
        """Begin, unless it has begun."""
        if not self.is_busy:
            self.outcome.say("")
            for field in self._passphrases:
                field.set_error("")
            self.ask()

    def begin(self, work: Callable[[], object], then: Callable[[Any], str]) -> None:
        """Work; ``then`` gives the sentence on its result."""
        self.run(work, partial(self._ended, then), self._refused)

    def _ended(self, then: Callable[[Any], str], result: Any) -> None:
        self.outcome.say(then(result), Tone.DONE)
        self.ok.hide()
        self.cancel.setText(self.tr("Close"))
        self.cancel.updateGeometry()
        self.cancel.setFocus()
        self.session.reread_accounts()
        self.changed.emit()

    def _refused(self, problems: Problems) -> None:
        sentence = " ".join(map(words.problem_sentence, problems))
        if self._passphrases and problems[0].code == "key-wrong-passphrase":
            self._passphrases[0].refuse(sentence)
            self._passphrases[0].edit.selectAll()
        else:
            self.outcome.say(sentence, Tone.ERROR)
