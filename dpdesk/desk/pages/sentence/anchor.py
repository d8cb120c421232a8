# SPDX-License-Identifier: Apache-2.0
"""Where the lists and dialogs of a sentence that is filled in open."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.pages.sentence.numbers_dialog import NumbersDialog
from dpdesk.desk.widgets.accessibility.opener import show_open
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup


class Anchor:
    """Where pickers open: their lists below a chip, their dialogs over its window.

    Attributes:
        popup: the list that was opened last.
        dialog: the dialog that was opened last.
    """

    popup: ChoicePopup
    dialog: ConditionDialog | NumbersDialog

    def __init__(self, parent: QWidget) -> None:
        self._parent = self._below = parent

    @property
    def window(self) -> QWidget:
        return self._parent.window()

    def move_to(self, chip: QWidget) -> None:
        """Open the next list below this chip."""
        self._below = chip

    def offer(self, choices: Sequence[Choice], picked: str, done: Callable[[str], object]) -> None:
        """Open a list of which one is picked."""
        popup = ChoicePopup(choices, (picked,), parent=self._parent, about=self._about())
        self._open(popup, lambda keys: done(keys[0]))

    def offer_several(
        self, choices: Sequence[Choice], picked: Sequence[str], done: Callable[..., object]
    ) -> None:
        """Open a list of which any number is checked."""
        popup = ChoicePopup(choices, picked, True, self._parent, about=self._about())
        self._open(popup, done)

    def _about(self) -> str:
        """What is chosen: what is in the sentence now."""
        return self._below.accessibleName() if self._below is not self._parent else ""

    def ask(self, dialog: ConditionDialog | NumbersDialog, done: Callable[..., object]) -> None:
        self.dialog = dialog
        # Of a bound method a signal keeps its object no longer than others do.
        dialog.decided.connect(lambda value: done(value))
        chip = self._below
        show_open(chip, True)
        dialog.finished.connect(lambda _result: show_open(chip, False))
        dialog.open()

    def _open(self, popup: ChoicePopup, done: Callable[..., object]) -> None:
        self.popup = popup
        popup.chosen.connect(lambda keys: done(keys))
        popup.open_under(self._below)
