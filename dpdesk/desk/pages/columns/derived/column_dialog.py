# SPDX-License-Identifier: Apache-2.0
"""The dialog that makes a column from others, or changes how one is made."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.data.codebook.sources import with_typed
from dpdesk.data.value_list import ValueList
from dpdesk.desk.core import value_lines
from dpdesk.desk.core.state import DeskState, is_open
from dpdesk.desk.pages.columns.derived import derived_edits
from dpdesk.desk.pages.columns.derived.derived_edits import BOUNDS
from dpdesk.desk.pages.columns.derived.made_column import made_column, problems_of, to_choose
from dpdesk.desk.pages.columns.derived.result_cards import ResultCards
from dpdesk.desk.pages.columns.derived.step_list import DECLARED, declared, offered_steps
from dpdesk.desk.pages.columns.derived.step_sentence import StepSentence
from dpdesk.desk.pages.columns.list_actions import ListActions
from dpdesk.desk.pages.columns.rule_fields import RuleFields, rule_of
from dpdesk.desk.text import suggestion_words, typed_numbers, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField, TextField
from dpdesk.desk.widgets.inputs.field_row import FieldRow
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import heading, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    NumberColumn,
    column_title,
    plain_name,
)
from dpdesk.study.model.steps.result import result_of
from dpdesk.study.model.steps.step import (
    Bands,
    CodePrefix,
    FileLabel,
    OfPerson,
    Recode,
    Step,
    TimeBetween,
)
from dpdesk.study.model.tables import MAIN
from dpdesk.study.problem import Problem
from dpdesk.study.suggest.code_lists import CodeList

WIDTH = 680
IN_A_ROW = 4
STILL_TO_SAY = (
    "step-without-conditions",
    "step-without-entries",
    "edges-missing",
)
"""Nothing is wrong yet where one has only begun."""
NARROWER = Decimal("1.5")
"""So much narrower bounds are worth a word."""


class ColumnDialog(Dialog):
    """Asks how a column is made, what it is called, its bounds and its rules.

    Args:
        window: the window to dim.
        state: with the columns that there are.
        column: to begin with; its name is empty where it is new.

    Attributes:
        kinds: the kinds of derived columns, in rows.
        name: the field of its name.
        sentence: how it is made.
        cards: what the result can be.
        numbers: the fields of its bounds.
        entries: the field of merged values or groups of codes.
        bands: the field of the names of bands.
        note: what keeps it from being added, or what its bounds are worth.
        ok: adds the column.
        several: for several values of a person at once.

    Signals:
        decided: the column.
        several_wanted: several values of a person are wanted; carries the column as the first.
    """

    decided = Signal(object)
    several_wanted = Signal(object)

    def __init__(self, window: QWidget, state: DeskState, column: Column) -> None:
        self._is_new = not column.name
        new = tr("ColumnDialog", "New column from others")
        line = tr("ColumnDialog", "Made while the files are read. No file is changed.")
        title = new if self._is_new else column_title(column)
        super().__init__(window, title, line, icon="sliders", width=WIDTH)
        self._state = state
        self._column = column
        self._own_name = column_title(column)
        self._by_hand: dict[str, Decimal | None] = {}
        if not self._is_new:
            self._by_hand = {key: getattr(column, key) for key in BOUNDS if hasattr(column, key)}
        self._wrong: set[str] = set()
        self.kinds = self._make_kinds()
        self.name = LineField(self.tr("Nam&e of the column"))
        self.several = link(self.tr("Several at once: one row per person…"), before="people")
        self.sentence = StepSentence()
        self.cards = ResultCards()
        self.numbers = {
            "lower": LineField(self.tr("&Lowest value")),
            "upper": LineField(self.tr("Hi&ghest value")),
            "step": LineField(self.tr("&Step")),
        }
        hint = self.tr("One new value a line: new = old; old. Codes may be ranges: I20-I25.")
        self.entries = TextField(self.tr("New &values"), hint, lines=5)
        hint = self.tr("One name a line, from the lowest band up.")
        self.lists = ListActions()
        self.bands = TextField(self.tr("Names of the &bands"), hint, lines=4)
        self.rules = RuleFields()
        self.note = Remark()
        self._bounds = FieldRow([(field, 1) for field in self.numbers.values()])
        self._build()
        self._connect()
        self._put(self._step)
        self.name.edit.setFocus()

    @property
    def column(self) -> Column:
        """The column as it is."""
        return self._column

    @property
    def _step(self) -> Step:
        return cast(Step, self._column.made_from)

    def _make_kinds(self) -> tuple[Segmented, ...]:
        some = offered_steps(self._state.study, self._column)
        names = [(one.key, one.title(), one.icon) for one in some]
        rows = (names[at : at + IN_A_ROW] for at in range(0, len(names), IN_A_ROW))
        about = self.tr("Kind of derived column")
        return tuple(Segmented(row, about) for row in rows)

    def _build(self) -> None:
        for kinds in self.kinds:
            self.body.addWidget(kinds)
        self.body.addWidget(self.several, 0, Qt.AlignmentFlag.AlignLeft)
        self.name.set_text(self._own_name)
        self.body.addWidget(self.name)
        box = Card(fill=Role.INSET)
        box.body.addWidget(self.sentence)
        self.body.addWidget(box)
        # On a low screen what is further down is scrolled away; why it cannot be added is not.
        self.body.addWidget(self.note)
        self.body.addWidget(self.entries)
        self.body.addWidget(self.lists)
        self.body.addWidget(self.bands)
        self.body.addWidget(heading(self.tr("What the result can be")))
        self.body.addWidget(self.cards)
        self.body.addWidget(self._bounds)
        self.body.addWidget(self.rules)
        self.body.addWidget(
            quiet(self.tr("How it is made and its bounds are published with each release."))
        )
        self.add_safe(self.tr("Cancel"))
        said = self.tr("Add column") if self._is_new else self.tr("Change column")
        self.ok = self.add_primary(said)

    def _connect(self) -> None:
        for kinds in self.kinds:
            kinds.picked.connect(self._pick_kind)
        self.name.edited.connect(self._type_name)
        self.several.clicked.connect(self._want_several)
        self.sentence.changed.connect(self._put)
        self.sentence.list_picked.connect(self._put_list)
        self.sentence.table_picked.connect(self._put_table)
        self.entries.edited.connect(self._type_entries)
        self.lists.taken.connect(self._take_list)
        self.bands.edited.connect(self._type_bands)
        self.rules.picked.connect(self._pick_rule)
        for key, field in self.numbers.items():
            field.group_digits()
            for typed in (field.edited, field.suggestion_pressed):
                typed.connect(lambda text, key=key: self._type_number(key, text))

    def _want_several(self) -> None:
        """Go on with a row for each of several values."""
        self.reject()
        self.several_wanted.emit(replace(self._column, title=self._own_name))

    # --- edits ----------------------------------------------------------------------------------

    def _pick_kind(self, key: str) -> None:
        self._by_hand.clear()
        self._wrong.clear()
        step, study = DECLARED[key].first(self._state.study), self._state.study
        # Values, bounds and rules were those of another step; what it is called stays.
        title = self._column.title
        made = derived_edits.column_of(step, study, self._column.name)
        tables = derived_edits.tables_of_files(study) if isinstance(step, FileLabel) else ()
        self._column = replace(made, title=title, table=next(iter(tables), MAIN))
        self._put(step)

    def _put(self, step: Step) -> None:
        """Make the column of a step, and show it."""
        study = self._state.study
        self._column = made_column(step, study, self._column, self._by_hand)
        self._render()

    def _put_table(self, table: str) -> None:
        """Take the labels of another table's files."""
        self._column = replace(self._column, table=table)
        self._put(self._step)

    def _put_list(self, codes: CodeList | None) -> None:
        """Sort codes by a public list, with its names for people."""
        step = cast(CodePrefix, self._step)
        empty = replace(step, entries=(), digits=0)
        self._put(empty if codes is None else derived_edits.by_list(step, codes))
        if codes is not None and isinstance(self._column, CategoryColumn):
            german = suggestion_words.is_german()
            self._column = derived_edits.with_list(self._column, codes, german)
            self._render()

    def _take_list(self, found: ValueList) -> None:
        """Sort codes by a list that was brought, with its names for people."""
        step = self._step
        if isinstance(step, CodePrefix):
            names = dict(zip(found.values, found.labels, strict=False))
            self._put(derived_edits.by_own_list(step, found.values))
            if names and isinstance(self._column, CategoryColumn):
                labels = tuple(names[value] for value in self._column.values)
                self._column = replace(with_typed(self._column), labels=labels)
                self._render()

    def _type_name(self, text: str) -> None:
        self._own_name = plain_name(text)
        self._render_problems()

    def _type_entries(self, text: str) -> None:
        step = self._step
        if isinstance(step, Recode | CodePrefix):
            self._column = with_typed(self._column)
            self._put(replace(step, entries=derived_edits.entries_from_text(text)))

    def _type_bands(self, text: str) -> None:
        if isinstance(self._column, CategoryColumn):
            values, labels = value_lines.read_lines(text)
            self._column = replace(self._column, values=values, labels=labels)
            self._render()

    def _pick_rule(self, key: str, choice: str) -> None:
        rule = rule_of(self._column, choice)
        if rule is not None:
            self._column = replace(self._column, **{key: rule})
            self._render()

    def _type_number(self, key: str, text: str) -> None:
        value = typed_numbers.decimal_from_text(text)
        is_wrong = value is None and bool(text.strip())
        (self._wrong.add if is_wrong else self._wrong.discard)(key)
        self._by_hand[key] = value
        self._put(self._step)

    # --- what is shown --------------------------------------------------------------------------

    def _render(self) -> None:
        column, step = self._column, self._step
        for kinds in self.kinds:
            kinds.select("")
            kinds.select(declared(step).key)
        unit = self._state.study.unit
        has_people = unit is not None and unit.person is not None
        self.several.setVisible(self._is_new and has_people and isinstance(step, OfPerson))
        self.sentence.show_step(self._state, column.name, step, column.table)
        self.cards.show_column(column, self._state.study)
        self._render_texts(step)
        self._bounds.setVisible(isinstance(column, NumberColumn))
        for key, field in self.numbers.items():
            value = getattr(column, key, None)
            field.set_unit(column.label)
            if key not in self._wrong and typed_numbers.decimal_from_text(field.text) != value:
                field.set_text("" if value is None else words.localised(words.plain(value)))
        self.rules.show_column(column)
        self._render_problems()

    def _render_texts(self, step: Step) -> None:
        """The lists that are typed; what is typed stays as long as it means the same."""
        entries = step.entries if isinstance(step, Recode | CodePrefix) else None
        self.entries.setVisible(entries is not None)
        self.lists.setVisible(isinstance(step, CodePrefix))
        if entries is not None and derived_edits.entries_from_text(self.entries.text) != entries:
            self.entries.set_text(derived_edits.entries_as_text(entries))
        self.bands.setVisible(isinstance(step, Bands) and bool(step.edges))
        column = self._column
        named = column if isinstance(step, Bands) and isinstance(column, CategoryColumn) else None
        if named is not None and not value_lines.declares(self.bands.text, named):
            self.bands.set_text(value_lines.as_lines(named))

    def _render_problems(self) -> None:
        """Put each problem at the field it belongs to, and the others above the buttons."""
        problems = self._problems()
        for key, field in self.numbers.items():
            own = [p for p in problems if p.path.endswith(f".{key}") and not is_open(p)]
            wrong = (
                self.tr("Type a plain number, such as 0.5 or 0,5.") if key in self._wrong else ""
            )
            said = wrong or (words.field_sentence(own[0]) if own else "")
            meant = own[0].params.get("suggestion", "") if own and not wrong else ""
            field.set_error(said, words.localised(meant))
        named = self._name_problem()
        is_typed = bool(self._own_name) or self.name.edit.isModified()
        self.name.set_error(named if is_typed else "")
        shown = any(field.error for field in (*self.numbers.values(), self.name))
        self._say(problems, named, shown)
        self.ok.setEnabled(not (problems or named or self._wrong or to_choose(self._step)))

    def _say(self, problems: tuple[Problem, ...], named: str, is_shown: bool) -> None:
        """What is to be done next; what a field says itself is not said again."""
        wanted = to_choose(self._step)
        if wanted:
            self.note.say(wanted, Tone.INFO)
        elif problems and not is_shown:
            waits = is_open(problems[0]) or problems[0].code in STILL_TO_SAY
            tone = Tone.INFO if waits else Tone.ERROR
            self.note.say(words.problem_sentence(problems[0]), tone)
        elif named and not is_shown:
            self.note.say(named, Tone.INFO)
        else:
            self._say_bounds()

    def _say_bounds(self) -> None:
        """What other bounds than those that were worked out are worth."""
        column, step = self._column, self._step
        ends = derived_edits.worked_out(result_of(step, self._state.study.by_name), None)
        if (
            not isinstance(column, NumberColumn)
            or ends is None
            or None in (column.lower, column.upper)
        ):
            self.note.say("")
            return
        own = cast(Decimal, column.upper) - cast(Decimal, column.lower)
        widest = ends[1] - ends[0]
        times = widest / own if own > 0 else Decimal(1)
        shown = [words.localised(words.plain(value)) for value in (own, widest)]
        if times >= NARROWER:
            said = self.tr(
                "Narrower than worked out: {0} instead of {1}. A mean has {2} times less noise."
            )
            self.note.say(said.format(*shown, words.localised(f"{times:.0f}")), Tone.DONE)
        elif cast(Decimal, column.lower) < ends[0] or cast(Decimal, column.upper) > ends[1]:
            said = self.tr("Wider than worked out: more noise, and no value is ever there.")
            self.note.say(said, Tone.ATTENTION)
        else:
            self.note.say(self._about_negative_times(), Tone.INFO)

    def _about_negative_times(self) -> str:
        """What it costs that a time may be below 0; empty where it may not, or has to be."""
        column, step = self._column, self._step
        if not isinstance(column, NumberColumn) or not isinstance(step, TimeBetween):
            return ""
        lower, upper = cast(Decimal, column.lower), cast(Decimal, column.upper)
        if not lower < 0 < upper or len(step.names) < len(step.between):
            return ""
        first, last = (words.title_of(self._state.study, name) for name in step.names)
        times = words.localised(f"{(upper - lower) / upper:.1f}".removesuffix(".0"))
        said = self.tr(
            "Below 0 where {0} comes before {1}. If that cannot be, set the lowest value to 0: "
            "a mean then has {2} times less noise."
        )
        return said.format(last, first, times)

    def _name_problem(self) -> str:
        """What is wrong with its name; a derived column has a name that no other has."""
        if not self._own_name:
            return self.tr("Give the column a name.")
        study = self._state.study
        person = study.unit.person if study.unit else None
        taken = {*map(plain_name, (*self._state.header, *study.by_name)), person}
        if self._is_new and self._own_name in taken:
            return self.tr("There is a column of this name. Choose another.")
        return ""

    def _problems(self) -> tuple[Problem, ...]:
        """All that keeps the column from being used, as the study would have it."""
        return problems_of(self._state.study, self._named())

    def _named(self) -> Column:
        if self._is_new:
            wanted = self._own_name or self.tr("New column")
            name = derived_edits.free_name(self._state.study, self._state.header, wanted)
            return replace(self._column, name=name)
        title = self._own_name if self._own_name != self._column.name else ""
        return replace(self._column, title=title)

    def accept(self) -> None:
        """Hand the column over; it must be right."""
        self._render_problems()
        if not self.ok.isEnabled():
            return
        super().accept()
        self.decided.emit(self._named())
