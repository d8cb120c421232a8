# SPDX-License-Identifier: Apache-2.0
"""The sentence that a derived column is: [Discharge] minus [Admission] in [days]."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import Any, cast

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.derived import derived_edits, rows_sentence, step_words
from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.pages.sentence.numbers_dialog import Numbers, NumbersDialog
from dpdesk.desk.text import query_words, suggestion_words, times, typed_numbers, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.accessibility.role import set_role_of
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    column_title,
)
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import with_operands
from dpdesk.study.model.steps.step import (
    Arithmetic,
    Bands,
    BesideRow,
    CodePrefix,
    DatePart,
    FileLabel,
    FirstThere,
    Holds,
    OfCase,
    OfPerson,
    OfRows,
    Operand,
    Recode,
    Step,
    TimeBetween,
)
from dpdesk.study.suggest.code_lists import CodeList, code_lists, code_lists_for

DAY, NUMBER, SQUARE, REMOVE, OTHER, OWN = (
    "\0day:",
    "\0number:",
    "\0square:",
    "\0no",
    "\0other",
    "\0",
)
EVERY = (NumberColumn, CategoryColumn, YesNoColumn, DateColumn)
Typed = Callable[[str], Choice | None]


class StepSentence(QWidget):
    """Words and chips; each chip opens the list or the dialog of what it shows.

    Attributes:
        study: with the columns that it speaks of.
        anchor: where lists and dialogs open.
        popup: the list that was opened last.

    Signals:
        changed: the step is another one; carries it.
        list_picked: codes are sorted by a public list; carries it.
    """

    changed = Signal(object)
    list_picked = Signal(object)
    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        set_role_of(self, QAccessible.Role.Grouping)
        self.setAccessibleName(self.tr("How it is made, as a sentence"))
        self.anchor = Anchor(self)
        self.popup: ChoicePopup | None = None
        self._below: QWidget | None = None
        self.study, self._header, self._name = Study(), tuple[str, ...](), ""
        self._step: Step = Holds(())
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
            table: of a column of codes, the further table that these are read from.
        """
        self.study, self._name, self._step = state.study, name, step
        further = (header for of, header in state.further.values() if of == table)
        self._header = tuple(further) if table else state.header
        keyboard = self.window().focusWidget()
        had = next((key for key, chip in self._chips.items() if chip is keyboard), "")
        self._chips = {}
        empty(self._flow)
        _BUILD[type(step)](self, step)
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
            said = step_words.nothing_fits(self._step)
            choices = [Choice(REMOVE, said, enabled=False)]
        below = self._below or self
        popup = ChoicePopup(choices, (picked,), False, self, typed, below.accessibleName())
        self.popup = popup
        popup.chosen.connect(lambda keys: done(keys[0]))
        popup.open_under(below)

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

    def column_chip(self, key: str, name: str, kinds: tuple[type[Column], ...], put: Any) -> None:
        """A chip for one column of these kinds."""

        def pressed() -> None:
            self.offer(self.columns(*kinds), name, lambda chosen: self.changed.emit(put(chosen)))

        self.add_chip(key, self.title(name), pressed)

    def choice_chip(self, key: str, texts: dict[Any, str], now: str, put: Any) -> None:
        """A chip for one of a few words."""

        def pressed() -> None:
            choices = [Choice(one, text) for one, text in texts.items()]
            self.offer(choices, now, lambda chosen: self.changed.emit(put(chosen)))

        self.add_chip(key, texts[now], pressed)

    # --- conditions -----------------------------------------------------------------------------

    def ask_condition(self, place: int) -> None:
        """Open the dialog of a condition; of a new one the list of columns first."""
        conditions = self._conditions()
        if place == len(conditions):
            self.offer(self._tested(), "", lambda name: self._ask(place, name, None))
        else:
            self._ask(place, conditions[place].column, conditions[place])

    def _conditions(self) -> tuple[Condition, ...]:
        step = self._step
        if isinstance(step, OfRows | BesideRow):
            return step.where
        return cast(Holds, step).conditions

    def _tested(self) -> list[Choice]:
        """The columns that a condition may be on: of the rows that the step sees."""
        table = rows_sentence.rows_of(self.study, self._step)
        if table is None:
            return self.columns(*EVERY)
        fitting = {one.name for one in rows_sentence.columns_at(self.study, table, EVERY)}
        return [choice for choice in self.columns(*EVERY) if choice.key in fitting]

    def _ask(self, place: int, name: str, condition: Condition | None) -> None:
        column = self.study.column(name)
        if column is None:
            self._put_condition(place, None)
            return
        dialog = ConditionDialog(self.window(), column, condition)
        dialog.other_wanted.connect(lambda: self._ask_other(place, name, condition))
        self.anchor.ask(dialog, lambda decided: self._put_condition(place, decided))

    def _ask_other(self, place: int, name: str, condition: Condition | None) -> None:
        """Let another column be chosen; until it has a condition, the one that was stays."""

        def ask(chosen: str) -> None:
            self._ask(place, chosen, condition if chosen == name else None)

        self.offer(self._tested(), name, ask)

    def _put_condition(self, place: int, condition: Condition | None) -> None:
        conditions = list(self._conditions())
        conditions[place : place + 1] = [] if condition is None else [condition]
        step = self._step
        if isinstance(step, OfRows | BesideRow):
            self.changed.emit(replace(step, where=tuple(conditions)))
        else:
            self.changed.emit(replace(cast(Holds, step), conditions=tuple(conditions)))

    # --- numbers, days and codes ----------------------------------------------------------------

    def ask_edges(self) -> None:
        """Ask where bands begin."""
        step = cast(Bands, self._step)
        dialog = NumbersDialog(
            self.window(),
            self.tr("Where the bands begin"),
            self.tr("&Lowest number of each band"),
            self.tr("With semicolons, such as 0; 18; 65."),
            step.edges,
            _judge,
            lambda edges: ", ".join(derived_edits.band_names(replace(step, edges=edges), study)),
        )
        study = self.study
        self.anchor.ask(dialog, lambda edges: self.changed.emit(replace(step, edges=edges)))

    def ask_codes(self) -> None:
        """Offer the column of the file that holds codes, those first that sound like it."""
        step = cast(CodePrefix, self._step)
        person = self.study.unit.person if self.study.unit else None
        names = [name for name in self._header if name != person]
        names.sort(key=lambda name: not code_lists_for(name))
        choices = [Choice(name, name) for name in names]
        self.offer(choices, step.header, lambda name: self._put_header(name))

    def _put_header(self, name: str) -> None:
        self.changed.emit(replace(cast(CodePrefix, self._step), header=name))

    def ask_list(self) -> None:
        """Offer the public lists, or entries of one's own."""
        choices = [Choice(one.key, suggestion_words.called_list(one)) for one in code_lists()] + [
            Choice(OWN, self.tr("own groups"))
        ]
        self.offer(choices, list_key(cast(CodePrefix, self._step)), self._put_list)

    def _put_list(self, key: str) -> None:
        found = next((one for one in code_lists() if one.key == key), None)
        self.list_picked.emit(found)


def list_key(step: CodePrefix) -> str:
    """Which public list sorts the codes; ``OWN`` where none does."""
    for codes in code_lists():
        listed = derived_edits.by_list(step, codes)
        if (listed.entries, listed.digits) == (step.entries, step.digits):
            return codes.key
    return OWN


def list_of(step: CodePrefix) -> CodeList | None:
    key = list_key(step)
    return next((one for one in code_lists() if one.key == key), None)


def _judge(edges: Numbers) -> str:
    if not edges:
        return tr("StepSentence", "Type at least one number.")
    is_rising = all(a < b for a, b in pairwise(edges))
    return "" if is_rising else tr("StepSentence", "Each number must be higher than the last.")


# --- the sentences --------------------------------------------------------------------------------


def _between(at: StepSentence, step: TimeBetween) -> None:
    def end_chip(key: str, place: int) -> None:
        end = step.between[place]
        is_day = isinstance(end, date)
        now = f"{DAY}{end.isoformat()}" if isinstance(end, date) else end

        def put(chosen: str) -> None:
            found: str | date = chosen
            if chosen.startswith(DAY):
                found = date.fromisoformat(chosen.removeprefix(DAY))
            ends = list(step.between)
            ends[place] = found
            at.changed.emit(replace(step, between=(ends[0], ends[1])))

        choices = at.columns(DateColumn)
        if is_day:
            choices.append(_day(cast(date, end)))
        text = _day(cast(date, end)).text if is_day else at.title(cast(str, end))
        at.add_chip(key, text, lambda: at.offer(choices, now, put, _typed_day))

    end_chip("end", 1)
    at.word(tr("StepSentence", "minus"))
    end_chip("begin", 0)
    at.word(tr("StepSentence", "in"))
    units = step_words.units()
    at.choice_chip("unit", units, step.unit, lambda unit: replace(step, unit=unit))


def _day(day: date) -> Choice:
    return Choice(f"{DAY}{day.isoformat()}", times.calendar_day(day.isoformat()))


def _typed_day(text: str) -> Choice | None:
    day = times.day_from_text(text)
    return None if day is None else _day(day)


def _arithmetic(at: StepSentence, step: Arithmetic) -> None:
    def operand_chip(key: str, place: int) -> None:
        operand = step.operands[place]
        now = _operand_key(operand)

        def put(chosen: str) -> None:
            operands = list(step.operands)
            operands[place] = _operand(chosen)
            at.changed.emit(replace(step, operands=(operands[0], operands[1])))

        choices = at.columns(NumberColumn)
        squares = [Choice(f"{SQUARE}{c.key}", f"{c.text}²") for c in choices]
        constant = [] if isinstance(operand, Operand) else [_constant(operand)]
        offered = [*choices, *squares, *constant]
        at.add_chip(key, _operand_text(at, operand), lambda: at.offer(offered, now, put, _typed))

    operand_chip("first", 0)
    signs = step_words.operations()

    def pressed() -> None:
        choices = [Choice(key, text) for key, text in signs.items()]
        at.offer(choices, step.operation, lambda key: at.changed.emit(_with_operation(step, key)))

    at.add_chip("operation", step_words.SIGNS[step.operation], pressed)
    at.chip("operation").setAccessibleName(signs[step.operation])
    operand_chip("second", 1)


def _with_operation(step: Arithmetic, key: Any) -> Arithmetic:
    return replace(step, operation=key)


def _operand_key(operand: Operand | Decimal) -> str:
    if isinstance(operand, Decimal):
        return f"{NUMBER}{operand}"
    return operand.column if operand.power == 1 else f"{SQUARE}{operand.column}"


def _operand(key: str) -> Operand | Decimal:
    if key.startswith(NUMBER):
        return Decimal(key.removeprefix(NUMBER))
    if key.startswith(SQUARE):
        return Operand(key.removeprefix(SQUARE), 2)
    return Operand(key)


def _operand_text(at: StepSentence, operand: Operand | Decimal) -> str:
    if isinstance(operand, Decimal):
        return _constant(operand).text
    if not operand.column:
        return tr("StepSentence", "column or number")
    return at.title(operand.column) + ("²" if operand.power > 1 else "")


def _constant(value: Decimal) -> Choice:
    return Choice(f"{NUMBER}{value}", query_words.number(value))


def _typed(text: str) -> Choice | None:
    value = typed_numbers.decimal_from_text(text)
    return None if value is None else _constant(value)


def _bands(at: StepSentence, step: Bands) -> None:
    at.column_chip("column", step.column, (NumberColumn,), lambda c: replace(step, column=c))
    at.word(tr("StepSentence", "in bands from"))
    text = query_words.numbers(step.edges) or tr("StepSentence", "where?")
    at.add_chip("edges", text, at.ask_edges)


def _recode(at: StepSentence, step: Recode) -> None:
    def put(name: str) -> Recode:
        return step if name == step.column else derived_edits.recoded(at.study, name)

    at.word(tr("StepSentence", "the values of"))
    at.column_chip("column", step.column, (CategoryColumn, YesNoColumn), put)
    at.word(tr("StepSentence", "merged as listed below"))


def _codes(at: StepSentence, step: CodePrefix) -> None:
    at.add_chip("codes", at.title(step.header), at.ask_codes)
    at.word(tr("StepSentence", "by how its codes begin:"))
    found = list_of(step)
    text = tr("StepSentence", "own groups")
    at.add_chip("list", text if found is None else suggestion_words.called_list(found), at.ask_list)


def _holds(at: StepSentence, step: Holds) -> None:
    at.word(tr("StepSentence", "yes where"))
    texts = {"all": tr("StepSentence", "and"), "any": tr("StepSentence", "or")}
    for place, condition in enumerate(step.conditions):
        if place == 1:
            at.choice_chip("how", texts, step.how, lambda how: replace(step, how=how))
        elif place:
            at.word(texts[step.how])
        text = words.condition(at.study, condition)
        at.add_chip(f"where-{place}", text, partial(at.ask_condition, place))
    plus = tr("StepSentence", "Add a condition")
    text = "+" if step.conditions else tr("StepSentence", "add a condition")
    at.add_chip("add", text, lambda: at.ask_condition(len(step.conditions)), plus)


def _part(at: StepSentence, step: DatePart) -> None:
    parts = step_words.parts()
    at.choice_chip("part", parts, step.part, lambda part: replace(step, part=part))
    at.word(tr("StepSentence", "of"))
    at.column_chip("column", step.column, (DateColumn,), lambda c: replace(step, column=c))


def _first(at: StepSentence, step: FirstThere) -> None:
    def offered() -> list[Choice]:
        found = at.study.column(next(iter(step.columns), ""))
        others = len([name for name in step.columns if name]) > 1
        return at.columns(type(found)) if found is not None and others else at.columns(*EVERY)

    def pressed(place: int) -> None:
        now = step.columns[place] if place < len(step.columns) else ""
        taken = {*step.columns} - {now}
        choices = [choice for choice in offered() if choice.key not in taken]
        if place < len(step.columns) and len(step.columns) > len(("one", "other")):
            choices.append(Choice(REMOVE, tr("StepSentence", "Remove"), "cross"))

        def put(chosen: str) -> None:
            columns = list(step.columns)
            columns[place : place + 1] = [] if chosen == REMOVE else [chosen]
            at.changed.emit(FirstThere(tuple(columns)))

        at.offer(choices, now, put)

    for place, name in enumerate(step.columns):
        if place:
            at.word(tr("StepSentence", "where it is missing:"))
        at.add_chip(f"first-{place}", at.title(name), partial(pressed, place))
    plus = tr("StepSentence", "Add a column")
    at.add_chip("add", "+", lambda: pressed(len(step.columns)), plus)


def _label(at: StepSentence, step: FileLabel) -> None:
    at.word(tr("StepSentence", "the label of the file that a row is from"))


_BUILD: dict[type[Step], Callable[[StepSentence, Any], None]] = {
    TimeBetween: _between,
    Arithmetic: _arithmetic,
    Bands: _bands,
    Recode: _recode,
    CodePrefix: _codes,
    Holds: _holds,
    DatePart: _part,
    FirstThere: _first,
    OfPerson: rows_sentence.of_rows,
    OfCase: rows_sentence.of_rows,
    BesideRow: rows_sentence.beside_row,
    FileLabel: _label,
}
