# SPDX-License-Identifier: Apache-2.0
"""Bounds that a release found for the column, ready to be declared: released values are public."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.edits.found_bounds import FoundBounds
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.text.query_words import costs_again
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.study.model.columns import Column, NumberColumn
from dpdesk.study.problem import Refused


class ReleasedBounds(Banner):
    """There only while nobody has declared other bounds since; it declares nothing by itself.

    Signals:
        taken: the bounds are to be used; carries the column with them.
    """

    taken = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(Tone.INFO, icon="history", stands_out=True, parent=parent)
        self._session = session
        self._offered: NumberColumn | None = None
        self._shown: tuple[NumberColumn, str] | None = None
        self.action_pressed.connect(lambda: self.taken.emit(self._offered))
        self.hide()

    def show_column(self, column: Column | None) -> None:
        """Offer what the account's last release found that looked for this column's bounds."""
        found = None
        if isinstance(column, NumberColumn) and column.step is not None:
            found = next((one for one in self._known() if one.is_for(column)), None)
        self.setVisible(found is not None)
        if found is None or not isinstance(column, NumberColumn):
            return
        offered = found.declared(column)
        again = costs_again(self._session.state.study, column.name)
        if (offered, again) == self._shown:
            return
        self._offered, self._shown = offered, (offered, again)
        ends = (offered.lower or Decimal(0), offered.upper or Decimal(0))
        lower, upper = (words.localised(words.plain(end)) for end in ends)
        said = self.tr("Released bounds: {0} to {1} (release {2}).")
        shown = said.format(lower, upper, found.number)
        public = self.tr("Estimated privately; anyone may know them.")
        self.say(shown, f"{public} {again}".strip())
        use = self.tr("Use the released bounds")
        self.set_action(use)
        self.action.setAccessibleName(f"{use}: {shown}")

    def _known(self) -> tuple[FoundBounds, ...]:
        try:
            return self._session.accounts.found_bounds(self._session.state.study)
        except Refused:
            return ()
