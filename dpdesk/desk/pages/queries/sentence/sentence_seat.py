# SPDX-License-Identifier: Apache-2.0
"""What the parts of a query's sentence share: the query, its study, and how an edit is told."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.pages.queries.sentence.numbers_dialog import NumbersDialog
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup
from dpdesk.study.model.queries import Query

NOTHING = "\0nothing"
SEVERAL = "\0several"
SEPARATOR = "\0"


class SentenceSeat(QWidget):
    """The query in hand, and the lists and dialogs that open for it.

    Signals:
        changed: the query was edited; carries it and an empty merge key.
    """

    changed = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self._state = DeskState()
        self._query = Query("")
        self._chips: dict[str, Chip] = {}

    def chip(self, name: str) -> Chip:
        """One of the chips."""
        return self._chips[name]

    def _put(self, query: Query) -> None:
        self.changed.emit(query, "")

    def _offer(
        self, name: str, choices: list[Choice], picked: str, done: Callable[[str], object]
    ) -> None:
        self.popup = ChoicePopup(choices, (picked,), parent=self)
        self.popup.chosen.connect(lambda keys: done(keys[0]))
        self.popup.open_under(self.chip(name))

    def _open(self, dialog: ConditionDialog | NumbersDialog, done: Callable[..., object]) -> None:
        self.dialog = dialog
        dialog.decided.connect(done)
        dialog.open()
