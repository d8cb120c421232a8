# SPDX-License-Identifier: Apache-2.0
"""The sentence that a derived column is: [Discharge] minus [Admission] in [days]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.derived import derived_edits, step_words
from dpdesk.desk.pages.columns.derived.step_list import declared
from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.accessibility.role import set_role_of
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.study.model.columns import Column, column_title
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import with_operands
from dpdesk.study.model.steps.step import Holds, Step
from dpdesk.study.model.tables import MAIN

NONE = "\0no"
Typed = Callable[[str], Choice | None]
Offered = Callable[[], list[Choice]]


class StepSentence(QWidget):
    """Words and chips; each chip opens the list or the dialog of what it shows.

    Attributes:
        study: with the columns that it speaks of.
        header: the columns of the file that codes are read from.
        table: the further table that codes or labels are from; ``MAIN`` where it is none.
        anchor: where lists and dialogs open.
        popup: the list that was opened last.

    Signals:
        changed: the step is another one; carries it.
        list_picked: codes are sorted by a public list; carries it.
        table_picked: labels are those of another table's files; carries its name.
    """

    changed = Signal(object)
    list_picked = Signal(object)
    table_picked = Signal(str)
    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        set_role_of(self, QAccessible.Role.Grouping)
        self.setAccessibleName(self.tr("How it is made, as a sentence"))
        self.anchor = Anchor(self)
        self.popup: ChoicePopup | None = None
        self._below: QWidget | None = None
        self.study, self.header, self._name = Study(), tuple[str, ...](), ""
        self._step: Step = Holds(())
        self.table = MAIN
        self._chips: dict[str, Chip] = {}
        self._flow = FlowLayout(self, across=6, down=4, ringed=True)

    def chip(self, name: str) -> Chip:
        return self._chips[name]

    @property
    def chips(self) -> tuple[str, ...]:
        return tuple(self._chips)

    def show_step(self, state: DeskState, name: str, step: Step, table: str = "") -> None:
        """Show a step.

        Args:
            state: with the columns and the file's header.
            name: of the column that it makes; what is made of that one is not offered.
            step: how it is made.
            table: of a column of codes or of labels, the further table that these are from.
        """
        self.study, self._name, self._step = state.study, name, step
        self.table = table
        further = (header for of, header in state.further.values() if of == table)
        self.header = tuple(further) if table else state.header
        keyboard = self.window().focusWidget()
        had = next((key for key, chip in self._chips.items() if chip is keyboard), "")
        self._chips = {}
        empty(self._flow)
        declared(step).build(self, step)
        if had:
            self._chips.get(had, next(iter(self._chips.values()))).setFocus()
        self.updateGeometry()

    # --- parts ----------------------------------------------------------------------------------

    def word(self, text: str) -> None:
        """Words that never break off the chip that they lead to."""
        label = Label(text, Type.CARD)
        self._flow.addWidget(label)
        self._flow.keep_with_next(label)
        label.show()

    def add_chip(self, key: str, text: str, pressed: Callable[[], object], plus: str = "") -> None:
        """A chip; one that adds something is dashed and says what."""
        chip = Chip(value=text, tinted=True, dashed=bool(plus))
        chip.setObjectName(f"chip-{key}")
        if plus:
            chip.setAccessibleName(plus)
            chip.setToolTip(plus)
        chip.clicked.connect(lambda _on=False: self._open(chip, pressed))
        self._flow.addWidget(chip)
        chip.show()
        self._chips[key] = chip

    def _open(self, chip: Chip, pressed: Callable[[], object]) -> None:
        self._below = chip
        self.anchor.move_to(chip)
        pressed()

    def offer(
        self,
        choices: Sequence[Choice],
        picked: str,
        done: Callable[[str], object],
        typed: Typed | None = None,
    ) -> None:
        """Open a list below the chip that was pressed."""
        if not choices:
            choices = [Choice(NONE, self._nothing(), enabled=False)]
        below = self._below or self
        popup = ChoicePopup(choices, (picked,), False, self, typed, below.accessibleName())
        self.popup = popup
        popup.chosen.connect(lambda keys: done(keys[0]))
        popup.open_under(below)

    def _nothing(self) -> str:
        """What an empty list of columns says: where the first that fits comes from."""
        kinds = declared(self._step).kinds
        is_declared = bool(derived_edits.first_of(self.study, *kinds))
        return step_words.nothing_fits(None if is_declared else next(iter(kinds), None))

    def columns(self, *kinds: type[Column]) -> list[Choice]:
        """The declared columns of these kinds that are not made of this one."""
        by_name = self.study.by_name
        return [
            Choice(column.name, column_title(column))
            for column in derived_edits.of_kinds(self.study, *kinds)
            if self._name not in with_operands(by_name, (column.name,))
        ]

    def title(self, name: str) -> str:
        return words.title_of(self.study, name) if name else self.tr("choose a column")

    def list_chip(
        self, key: str, text: str, offered: Offered, now: str, put: Any, typed: Typed | None = None
    ) -> None:
        """A chip whose list says which step it is next."""

        def pressed() -> None:
            self.offer(offered(), now, lambda chosen: self.changed.emit(put(chosen)), typed)

        self.add_chip(key, text, pressed)

    def column_chip(self, key: str, name: str, kinds: tuple[type[Column], ...], put: Any) -> None:
        """A chip for one column of these kinds."""
        self.list_chip(key, self.title(name), partial(self.columns, *kinds), name, put)

    def choice_chip(self, key: str, texts: dict[Any, str], now: str, put: Any) -> None:
        """A chip for one of a few words."""
        choices = [Choice(one, text) for one, text in texts.items()]
        self.list_chip(key, texts[now], lambda: choices, now, put)

    # --- conditions -----------------------------------------------------------------------------

    def add_conditions(
        self,
        conditions: tuple[Condition, ...],
        put: Callable[[tuple[Condition, ...]], Step],
        tested: Offered,
        join: Callable[[int], object],
        is_needed: bool = True,
    ) -> None:
        """Chips for the conditions of the step, and one that adds another.

        Args:
            conditions: those that there are.
            put: makes the step with others.
            tested: gives the columns that one may be on.
            join: adds the words before one that is not the first, by its place.
            is_needed: whether the step needs one.
        """
        self._conditions, self._put, self._tested = conditions, put, tested
        for place, one in enumerate(conditions):
            if place:
                join(place)
            text = words.condition(self.study, one)
            self.add_chip(f"where-{place}", text, partial(self._ask, place, one.column, one))
        text = self.tr("add a condition") if is_needed and not conditions else "+"
        further = partial(self._ask_column, len(conditions), "", None)
        self.add_chip("add", text, further, self.tr("Add a condition"))

    def _ask_column(self, place: int, name: str, condition: Condition | None) -> None:
        """Let a column be chosen; until another one has a condition, the one that was stays."""

        def ask(chosen: str) -> None:
            self._ask(place, chosen, condition if chosen == name else None)

        self.offer(self._tested(), name, ask)

    def _ask(self, place: int, name: str, condition: Condition | None) -> None:
        column = self.study.column(name)
        if column is None:
            self._decide(place, None)
            return
        dialog = ConditionDialog(self.window(), column, condition)
        dialog.other_wanted.connect(lambda: self._ask_column(place, name, condition))
        self.anchor.ask(dialog, partial(self._decide, place))

    def _decide(self, place: int, condition: Condition | None) -> None:
        conditions = list(self._conditions)
        conditions[place : place + 1] = [] if condition is None else [condition]
        self.changed.emit(self._put(tuple(conditions)))
