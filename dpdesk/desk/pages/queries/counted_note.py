# SPDX-License-Identifier: Apache-2.0
"""How many rows of each person a query counts, and what that means for its figures."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.study.model.queries import Query
from dpdesk.study.text.counted_rows import CountedRows


class CountedNote(Banner):
    """Stands in the open card of each query that counts rows; folded, its first sentence stays.

    It is information and nothing to be fixed: whether anybody has more rows is not looked up.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Tone.INFO, icon="people", parent=parent)
        self._counted = CountedRows()
        self._is_folded = False
        self.action_pressed.connect(self._fold)
        self.hide()

    def show_query(self, state: DeskState, query: Query) -> None:
        """Show what is counted of each person; nothing for a query that counts people."""
        counted = words.counted_rows(state.study, query)
        if counted != self._counted:
            self._counted = counted
            self._tell()
        self.setVisible(bool(counted.limit))

    def _fold(self) -> None:
        """Fold to the first sentence, or say all again."""
        self._is_folded = not self._is_folded
        self._tell()

    def _tell(self) -> None:
        self.say(self._counted.limit, "" if self._is_folded else self._counted.meaning)
        self.set_action(self.tr("Show more") if self._is_folded else self.tr("Show less"))
