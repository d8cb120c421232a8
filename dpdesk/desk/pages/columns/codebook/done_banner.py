# SPDX-License-Identifier: Apache-2.0
"""Says what was done with a codebook, for as long as its reader needs it."""

from __future__ import annotations

from PySide6.QtGui import QUndoCommand

from dpdesk.desk.core.session import Session
from dpdesk.desk.widgets.labels.banner import Banner, Tone


class DoneBanner(Banner):
    """A banner that stays until it is closed or its page is left.

    Edits don't take it away: what is below it would move under the mouse. An import can be undone
    from it for as long as it was the last edit.

    Args:
        session: the window's work.
        offer: stands in its place where it offers an import that was undone.
    """

    def __init__(self, session: Session, offer: Banner) -> None:
        super().__init__(Tone.DONE, action="-")
        self._session, self._offer = session, offer
        self._told: tuple[str, str] | None = None
        self._import: QUndoCommand | None = None
        self._place = 0
        # An edit is shown before it counts as done.
        session.document.undo_stack.indexChanged.connect(self.render_state)
        self.action_pressed.connect(self._press)
        self.second_pressed.connect(self.forget)
        self.hide()

    @property
    def can_undo(self) -> bool:
        """Whether the import that it tells of was the last edit."""
        return self._is_there() and self._session.document.undo_stack.index() == self._place

    def tell(self, first: str, rest: str, is_import: bool = False) -> None:
        """Say that something was done; of an import also once it is undone."""
        stack = self._session.document.undo_stack
        self._told = first, rest
        self._place = stack.index() if is_import else 0
        self._import = stack.command(self._place - 1) if self._place else None
        self.render_state()

    def forget(self) -> None:
        """Take it away."""
        self._told = self._import = None
        self.render_state()

    def render_state(self) -> None:
        """Show what still holds."""
        if self._told is not None:
            self._say()
        is_offered = self._is_undone and not self._offer.isHidden()
        self.setVisible(self._told is not None and not is_offered)

    @property
    def _is_undone(self) -> bool:
        return self._import is not None and not self._is_there()

    def _say(self) -> None:
        undone = self.tr("Import undone."), self.tr("The columns are as they were before.")
        first, rest = undone if self._is_undone else self._told or ("", "")
        if f"{first} {rest}".strip() != self.accessibleName():
            self.say(first, rest)
        close = self.tr("Close")
        self.set_action(*((self.tr("Undo"), close) if self.can_undo else (close, "")))

    def _is_there(self) -> bool:
        """Whether the import is done and not undone."""
        stack = self._session.document.undo_stack
        known = self._import is not None and stack.command(self._place - 1) is self._import
        return known and stack.index() >= self._place

    def _press(self) -> None:
        if self.can_undo:
            self._session.document.undo_stack.undo()
        else:
            self.forget()
