# SPDX-License-Identifier: Apache-2.0
"""A dialog that works beside the window, and stays until that is done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.core.jobs.latest_job import LatestJob, Problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.dialog import WIDTH, Dialog
from dpdesk.desk.widgets.inputs.field import LineField, PasswordField
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.study.problem import Refused


class WorkingDialog(Dialog):
    """What dialogs about keys and the ledger have in common.

    Attributes:
        session: whose keys and ledger they are.
        outcome: what was done, or why not.
        cancel, ok: leave it and go on; each dialog adds ``ok`` itself.
        held: what else cannot be used while it works.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        title: str,
        text: str = "",
        icon: str = "key",
        tone: Role = Role.ACCENT,
        width: int = WIDTH,
    ) -> None:
        super().__init__(window, title, text, icon, tone, width)
        self.session = session
        self.outcome = Remark()
        self.cancel = self.add_safe(self.tr("Cancel"))
        self.ok: Button
        self.held: tuple[QWidget, ...] = ()
        self._latest = LatestJob(session.looks, self)
        self._at: QWidget | None = None
        self._idle_text = ""

    def show_parts(self, *parts: QWidget) -> None:
        """Put parts below each other, and the outcome below them."""
        for part in (*parts, self.outcome):
            self.body.addWidget(part)

    def ask_place(
        self, title: str, proposed: str, then: Callable[[Path], None], kinds: str = ""
    ) -> None:
        """Ask where a new file goes, and go on with that."""
        chosen = new_file(self, title, proposed, kinds)
        if chosen:
            then(chosen)

    @property
    def is_busy(self) -> bool:
        return self._latest.is_pending

    def run(
        self,
        work: Callable[[], object],
        then: Callable[[Any], None],
        refused: Callable[[Problems], None],
        busy_text: str = "",
    ) -> None:
        """Work; meanwhile nothing can be typed or pressed.

        Args:
            work: what is done beside the window.
            then: takes its result.
            refused: takes why it was refused.
            busy_text: what the button says meanwhile.
        """

        def end(take: Callable[[Any], None], result: Any) -> None:
            self._set_busy(False)
            take(result)

        self._set_busy(True, busy_text)
        self._latest.run(
            lambda _progress, _cancel: work(),
            lambda result: end(then, result),
            lambda problems: end(refused, problems),
        )

    def _set_busy(self, busy: bool, busy_text: str = "") -> None:
        if busy:
            self._idle_text = self.ok.text()
            # What can be used no more gives the keyboard away: the dialog has it meanwhile.
            self._at = self.focusWidget()
            self.setFocus()
            announce(self, busy_text)
        self.ok.setText(busy_text or self._idle_text)
        self.ok.updateGeometry()
        for one in (*self.held, self.cancel, self.ok):
            one.setEnabled(not busy)
        if not busy and self._at is not None and self.focusWidget() is self:
            self._at.setFocus()

    def reject(self) -> None:
        """What is half done cannot be left."""
        if not self.is_busy:
            super().reject()

    def done(self, result: int) -> None:
        """Whatever comes now comes too late."""
        self._latest.drop()
        super().done(result)


def signing_passphrase(hint: str = "") -> PasswordField:
    """The field for the passphrase of the user's own key."""
    return PasswordField(tr("WorkingDialog", "&Passphrase of the signing key"), hint)


def typed_reason(field: LineField) -> str | None:
    """The reason that a field holds; ``None`` where it has none, which is shown there."""
    field.set_error("")
    try:
        return checked_text("reason", field.text, required=True)
    except Refused as refused:
        field.refuse(words.problem_sentence(refused.problems[0]))
        return None
