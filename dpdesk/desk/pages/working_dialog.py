# SPDX-License-Identifier: Apache-2.0
"""A dialog that works beside the window, and stays until that is done."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.dialog import WIDTH, Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.spoken.announcing import announce
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.study.problem import Refused


class WorkingDialog(Dialog):
    """What dialogs about keys and the ledger have in common.

    Attributes:
        session: whose keys and ledger they are.
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
        self._latest = LatestJob(session.looks, self)
        self._at: QWidget | None = None

    @property
    def is_busy(self) -> bool:
        """Whether work is under way."""
        return self._latest.is_pending

    def hold_keyboard(self, said: str = "") -> None:
        """Have the keyboard itself while its buttons and fields cannot.

        Args:
            said: what is being done, for who hears that nothing answers.
        """
        self._at = self.focusWidget()
        self.setFocus()
        announce(self, said)

    def give_keyboard_back(self) -> None:
        """Put it back where it was, unless somebody has moved it."""
        if self._at is not None and self.focusWidget() is self:
            self._at.setFocus()
        self._at = None

    def reject(self) -> None:
        """What is half done cannot be left."""
        if not self.is_busy:
            super().reject()

    def done(self, result: int) -> None:
        """Whatever comes now comes too late."""
        self._latest.drop()
        super().done(result)


def typed_reason(field: LineField) -> str | None:
    """The reason that a field holds; ``None`` where it has none, which is said there."""
    field.set_error("")
    try:
        return checked_text("reason", field.text, required=True)
    except Refused as refused:
        field.refuse(words.problem_sentence(refused.problems[0]))
        return None
