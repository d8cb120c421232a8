# SPDX-License-Identifier: Apache-2.0
"""One column's declaration: kind, bounds or values, rules for invalid cells, and their source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.data.codebook import sources
from dpdesk.data.value_list import ValueList
from dpdesk.desk.core import value_lines
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.columns.column_notes import IdentityRemark, SplitBanner, split_lines
from dpdesk.desk.pages.columns.date_fields import DateFields
from dpdesk.desk.pages.columns.derived.derived_note import DerivedNote
from dpdesk.desk.pages.columns.kind_choice import KindChoice
from dpdesk.desk.pages.columns.list_actions import ListActions
from dpdesk.desk.pages.columns.offers.range_card import RangeCard, SensitivityCard
from dpdesk.desk.pages.columns.offers.suggestion_line import ReleasedBounds, SuggestionLine
from dpdesk.desk.pages.columns.rule_fields import RuleFields, rule_of
from dpdesk.desk.text import read_words, typed_numbers, words
from dpdesk.desk.text.suggestion_words import Proposal, accept, kind_by_name
from dpdesk.desk.text.words import field_sentence
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.heading import CARD_LEVEL
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.field import ChoiceField, Field, LineField, TextField
from dpdesk.desk.widgets.inputs.field_row import FieldRow
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.label import Label, headed, quiet
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedColumn, AlignedRow, aligned_part
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    NumberColumn,
    YesNoColumn,
    column_title,
)
from dpdesk.study.model.magnitudes import is_unbounded
from dpdesk.study.suggest.range_match import suggest_ranges

NUMBER_FIELDS = ("lower", "upper", "step")
SAID_AFTER = (*NUMBER_FIELDS, "values", "yes", "no")
SWAPPED = "swapped"
"""Suggested for bounds that were typed the wrong way round."""
ERROR_LINES = 2
LEAST_TITLE = 4
"""Letters of the title that have room beside the switch: a longer word is broken."""
EXAMPLES = (Decimal(0), Decimal(100), Decimal(1))


class ColumnForm(QWidget):
    """The declaration of one column of the file.

    Signals:
        estimate_wanted: the bounds of the column on show, whose step is declared, are to be
            estimated privately.
        derived_wanted: a column is to be made from others, or how it is made is to be changed;
            carries it as it begins.
    """

    estimate_wanted = Signal(str)
    derived_wanted = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._name = ""
        self._typed_wrong: set[str] = set()
        self._edited: set[str] = set()
        self._left: set[str] = set()
        self._wants_step = False
        self.title = headed(
            Label("", Type.HEADING, semibold=True, wrap=True, whole=True), CARD_LEVEL
        )
        self.title.least_letters = LEAST_TITLE
        self.file_name = ElidedLabel(Type.QUIET, Role.TEXT_QUIET, mono=True)
        self.used = Toggle(self.tr("Used"))
        self.kind = KindChoice()
        self.release_name = LineField(self.tr("Name in the &release"))
        self.unit = LineField(self.tr("Un&it"))
        self.numbers = {
            "lower": LineField(self.tr("&Lowest value")),
            "upper": LineField(self.tr("Hi&ghest value")),
            "step": LineField(self.tr("&Step")),
        }
        self.decimal = ChoiceField(self.tr("&Decimal mark"))
        hint = self.tr("One value per line, as in the file, or 1 = Male. Every value is published.")
        self.estimate = link(self.tr("Estimate them privately…"))
        self.values = TextField(self.tr("Va&lues"), hint, lines=6)
        self.lists = ListActions(session)
        self.suggestion = SuggestionLine()
        self.ranges = RangeCard()
        self.released = ReleasedBounds(session)
        self.identity = IdentityRemark()
        self.derived = DerivedNote()
        self.yes = LineField(self.tr("Means &yes"), self.tr("Several with a semicolon: yes; 1"))
        self.no = LineField(self.tr("Means &no"), self.tr("The first is the name of the group."))
        self.dates = DateFields()
        self.rules = RuleFields()
        self.basis = LineField(
            self.tr("&Where this comes from"),
            self.tr("For example the codebook or protocol. It is published."),
        )
        self._hints = (hint, self.yes.hint, self.no.hint)
        self._sensitivity = SensitivityCard()
        self._details = QWidget()
        self._number_part = QWidget()
        self._yes_no_part = QWidget()
        self._estimate_part = QWidget()
        self.split = SplitBanner()
        self._off = quiet()
        self._build()
        self._connect()

    def set_narrow(self, narrow: bool) -> None:
        """Leave less room at the sides, where two fields beside each other need it."""
        side = Space.SMALL if narrow else Space.CARD
        column = self.layout()
        if column is not None:
            column.setContentsMargins(side, Space.CARD, side, Space.CARD)

    def _build(self) -> None:
        column = AlignedColumn(self)
        self.set_narrow(False)
        column.setSpacing(Space.CARDS)
        column.addLayout(self._head())
        column.addWidget(self.identity)
        column.addWidget(self.derived)
        column.addWidget(self.kind)
        column.addWidget(self._off)
        for each in (self._details, self._number_part, self._yes_no_part):
            each.ring_room = RING  # type: ignore[attr-defined]  # AlignedBox reads it
        details = aligned_part(self._details)
        details.setSpacing(Space.SMALL)
        details.addLayout(_row((self.release_name, 3), (self.unit, 1), (self.dates.format, 3)))
        numbers = aligned_part(self._number_part)
        said = self.tr(
            "From codebook or protocol, never from the file. Wider bounds mean more noise. Numbers "
            "are rounded to the nearest step, halves to the even one."
        )
        self._bounds = FieldRow([(field, 1) for field in self.numbers.values()], said)
        self._bounds_hints = (
            said,
            self.tr(
                "Wider bounds mean more noise. Results are rounded to the nearest step, halves "
                "away from 0."
            ),
        )
        numbers.addWidget(self._bounds)
        self.values.keep_lines(ERROR_LINES)
        details.addWidget(self._number_part)
        details.addWidget(self.dates)
        details.addWidget(self.values)
        details.addWidget(self.lists)
        details.addWidget(self.split)
        details.addWidget(self.suggestion)
        details.addWidget(self.released)
        details.addWidget(self.ranges)
        unsourced = FlowLayout(self._estimate_part, across=Space.TIGHT, down=0)
        unsourced.addWidget(quiet(self.tr("No source for the bounds?"), wrap=False))
        unsourced.addWidget(self.estimate)
        details.addWidget(self._estimate_part)
        details.addWidget(self.decimal)
        pair = aligned_part(self._yes_no_part)
        pair.addLayout(_row((self.yes, 1), (self.no, 1)))
        details.addWidget(self._yes_no_part)
        details.addWidget(self.rules)
        details.addWidget(self.basis)
        details.addWidget(self._sensitivity)
        column.addWidget(self._details)
        column.addStretch(1)

    def _head(self) -> AlignedRow:
        """The column's names, the one of the file below the other where both are long."""
        names = FlowLayout(across=Space.SMALL, down=Space.TIGHT)
        self.file_name.take_own_width()
        names.addWidget(self.title)
        names.addWidget(self.file_name)
        head = AlignedRow(spacing=Space.SMALL)
        head.addLayout(names, 1)
        # The title is in the middle of the switch, whether or not a name stands below it.
        self.title.setMinimumHeight(self.used.sizeHint().height())
        head.addWidget(self.used, 0, Qt.AlignmentFlag.AlignTop)
        return head

    def _connect(self) -> None:
        self.used.clicked.connect(self._switch)
        self.derived.wanted.connect(self.derived_wanted)
        self.kind.picked.connect(self._pick_kind)
        self.release_name.edited.connect(lambda text: self._set("title", text))
        self.unit.edited.connect(lambda text: self._set("label", text))
        self.basis.edited.connect(lambda text: self._set("basis", text))
        lines = {**self.numbers, "yes": self.yes, "no": self.no}
        for key, line in lines.items():
            line.edited.connect(lambda _text, key=key: self._edited.add(key))
        self.values.edited.connect(lambda _text: self._edited.add("values"))
        for key, field in self.numbers.items():
            field.edited.connect(lambda text, key=key: self._type_number(key, text))
            field.group_digits()
            field.left.connect(self._show_problems)
            field.unfocused.connect(lambda key=key: self._leave(key))
            field.suggestion_pressed.connect(
                lambda text, key=key: self._accept_suggestion(key, text)
            )
        self.decimal.picked.connect(lambda mark: self._set("decimal", mark))
        self.estimate.clicked.connect(self._want_estimate)
        self.values.edited.connect(self._type_values)
        self.values.unfocused.connect(lambda: self._leave("values"))
        self.lists.taken.connect(self._take_list)
        self.split.action_pressed.connect(self._split_list)
        self.suggestion.taken.connect(self._take)
        self.released.taken.connect(self._declare)
        self.ranges.taken.connect(self._take)
        self.ranges.returned.connect(self._declare)
        for key, field in (("yes", self.yes), ("no", self.no)):
            field.edited.connect(lambda text, key=key: self._set(key, _listed(text)))
            field.unfocused.connect(lambda key=key: self._leave(key))
        self.dates.declared.connect(self._set)
        self.dates.left.connect(self._show_problems)
        self.rules.picked.connect(self._pick_rule)

    def show_column(self, name: str) -> None:
        self._name = name
        self._typed_wrong.clear()
        self._edited.clear()
        self._left.clear()
        self._wants_step = False
        for field in self._fields().values():
            field.set_error("")
        self.dates.forget()
        column = self._column()
        for key, field in self.numbers.items():
            value = getattr(column, key, None)
            field.set_text("" if value is None else words.localised(words.plain(value)))
        listed = value_lines.as_lines(column) if isinstance(column, CategoryColumn) else ""
        self.values.set_text(listed)
        self.lists.note.say("")
        for key, field in (("yes", self.yes), ("no", self.no)):
            field.set_text("; ".join(getattr(column, key, ())))

    def _column(self) -> Column | None:
        return self._session.state.study.column(self._name)

    @property
    def _place(self) -> tuple[str, str]:
        """The table and the header of the column on show."""
        return self._session.state.place_of(self._name)

    def _said_in_file(self, column: Column | None) -> str:
        """The header where the title is another name, with the table where it is a further one."""
        table, header = self._place
        shown = column_title(column) if column is not None else self._name
        if table:
            return self.tr("{0} in {1}").format(header, table)
        return header if shown != header else ""

    def render_state(self) -> None:
        """Show what is declared; what is typed stays as long as it means the same."""
        column = self._column()
        unit = self._session.state.study.unit
        is_person = unit is not None and unit.person == self._name
        self.title.setText(column_title(column) if column else self._name)
        is_read = column is None or column.made_from is None
        self.file_name.setText(self._said_in_file(column) if is_read else "")
        self.derived.show_column(self._name, column, self._session.state)
        self.file_name.setVisible(bool(self.file_name.text()))
        self.used.setChecked(column is not None)
        is_needed = bool(study_edits.needed_by(self._session.state.study, self._name))
        self.used.setEnabled(not is_person and bool(self._name) and not is_needed)
        self._details.setVisible(column is not None)
        self._off.setVisible(column is None)
        title = column.title if column else ""
        # Of what is made here, the name in no file says anything.
        self.identity.show_column(self._place[1] if is_read and not is_person else "", title)
        off = self.tr(
            "Not used: dpdesk never reads this column. To use it, choose what it contains."
        )
        person = self.tr("This is the person ID column. It is never counted or published.")
        self._off.setText(person if is_person else off)
        self.kind.setEnabled(not is_person and bool(self._name) and is_read)
        if column is None:
            self.kind.select("")
            self.suggestion.show_column(None)
            self.ranges.show_column(None, self._session.state)
            self.released.show_column(None)
            self._estimate_part.hide()
            return
        self._render_column(column)
        self._show_problems()

    def _render_column(self, column: Column) -> None:
        self.kind.select(column.kind)
        self.release_name.set_text(column.title)
        self.release_name.edit.setPlaceholderText(column.name)
        self.unit.set_text(column.label)
        self._show_examples(column)
        self.basis.set_text(sources.stated_source(column))
        self.unit.setVisible(isinstance(column, NumberColumn))
        self._number_part.setVisible(isinstance(column, NumberColumn))
        is_read = column.made_from is None
        is_open = isinstance(column, NumberColumn) and is_unbounded(column)
        self._bounds.hint.setText(self._bounds_hints[not is_read])
        self.decimal.setVisible(isinstance(column, NumberColumn) and is_read)
        self._estimate_part.setVisible(is_open and is_read)
        self.values.setVisible(isinstance(column, CategoryColumn))
        self.lists.setVisible(isinstance(column, CategoryColumn) and is_read)
        self._yes_no_part.setVisible(isinstance(column, YesNoColumn))
        for key, field in self.numbers.items():
            value = getattr(column, key, None)
            if value is not None:
                self._typed_wrong.discard(key)
            if typed_numbers.decimal_from_text(field.text) != value:
                field.set_text("" if value is None else words.localised(words.plain(value)))
        if isinstance(column, CategoryColumn):
            if not value_lines.declares(self.values.text, column):
                self.values.set_text(value_lines.as_lines(column))
        elif isinstance(column, YesNoColumn):
            for field, texts in ((self.yes, column.yes), (self.no, column.no)):
                if _listed(field.text) != texts:
                    field.set_text("; ".join(texts))
        elif isinstance(column, NumberColumn):
            self.decimal.set_choices(read_words.decimal_marks(), column.decimal)
        self._count_values(column)
        self.suggestion.show_column(column if is_read else None)
        self.ranges.show_column(column, self._session.state)
        self.released.show_column(column if is_read else None)
        self.dates.show_column(column)
        self.dates.show_reading(is_read)
        self.rules.show_column(column, self._session.state.study.missing_of(column))
        self._sensitivity.show_column(column, self._session.state.study.unit)

    def _show_examples(self, column: Column) -> None:
        """What an empty field could hold: of a public range of this name, or of none."""
        if not isinstance(column, NumberColumn):
            return
        known = suggest_ranges(column.in_file or column.name, column.title, column.label)
        shown = (known[0].lower, known[0].upper, known[0].step) if known else EXAMPLES
        template = self.tr("for example {0}")
        for field, value in zip(self.numbers.values(), shown, strict=True):
            field.edit.setPlaceholderText(template.format(words.localised(words.plain(value))))

    def _show_problems(self) -> None:
        """Put each problem of the column at its field."""
        column = self._column()
        if column is None:
            return
        index = self._session.state.study.columns.index(column)
        path = f"$.columns[{index}]"
        for key, field in self._fields().items():
            if key in self._typed_wrong:
                if not field.editor.hasFocus():
                    field.set_error(self.tr("Type a plain number, such as 0.5 or 0,5."))
                continue
            if key == "step" and self._wants_step and isinstance(column, NumberColumn):
                self._wants_step = column.step is None
            if key == "step" and self._wants_step:
                field.set_error(self.tr("Enter the step first; the estimate counts in steps."))
                continue
            problems = self._session.state.problems_at(f"{path}.{key}")
            if key == "values":
                problems += self._session.state.problems_at(f"{path}.labels")
            if problems and self._may_say(key, field):
                sentence = field_sentence(problems[0])
                suggestion = words.localised(problems[0].params.get("suggestion", ""))
                if not suggestion and self._is_turned(key):
                    field.set_error(sentence, SWAPPED, self.tr("Swap"))
                else:
                    field.set_error(sentence, suggestion)
            elif not problems:
                field.set_error("")
        self.dates.show_problems(self._session.state, path)
        self.rules.show_problems(self._session.state, path)

    def _may_say(self, key: str, field: Field) -> bool:
        """An empty field is wrong once it was emptied and left; another, once it is left."""
        if key not in SAID_AFTER:
            return True
        has_keyboard = field.editor.hasFocus() and key in NUMBER_FIELDS
        return not has_keyboard and (key in self._left or bool(_text_of(field)))

    def _leave(self, key: str) -> None:
        # Of the column on show: a form that is hidden passes the keyboard through its fields.
        if key in self._edited and self._fields()[key].isVisible():
            self._left.add(key)
            self._show_problems()

    def _fields(self) -> dict[str, Field]:
        return {
            **self.numbers,
            "decimal": self.decimal,
            "values": self.values,
            "yes": self.yes,
            "no": self.no,
            "title": self.release_name,
        }

    def _switch(self, on: bool) -> None:
        if on:
            header = self._place[1]
            self._use_as(kind_by_name(header, study_edits.propose_kind(header)))
            return
        after = study_edits.leave_out_column(self._session.state.study, self._name)
        self._session.edit(after, self.tr("Leave a column out"))
        self.show_column(self._name)

    def _use_as(self, kind: str) -> None:
        state = self._session.state
        after = study_edits.use_column(state.study, self._name, kind, state.header, state.further)
        self._session.edit(after, self.tr("Use a column"))
        self.show_column(self._name)

    def _pick_kind(self, kind: str) -> None:
        """What a column holds; one that was not used is used from now on."""
        if self._column() is None:
            self._use_as(kind)
            self.go_to_empty()
        else:
            self._change(lambda column: study_edits.change_kind(column, kind))

    def go_to_empty(self) -> bool:
        """Put the keyboard into the first field that has to be filled, and say if one is empty."""
        fields: tuple[LineField | TextField, ...]
        fields = (*self.numbers.values(), self.values, self.yes, self.no, *self.dates.days.values())
        first = next((field for field in fields if field.isVisible() and not field.text), None)
        if first is not None:
            first.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        return first is not None

    def _change(self, change: Callable[[Column], Column], merge_key: str = "") -> None:
        column = self._column()
        if column is not None:
            study = study_edits.replace_column(self._session.state.study, change(column))
            key = f"{self._name}/{merge_key}" if merge_key else ""
            self._session.edit(study, self.tr("Declare a column"), key)

    def _set(self, key: str, value: Any) -> None:
        column = self._column()
        if column is not None and study_edits.has_field(column, key):
            self._change(lambda c: sources.typed(c, key, value), key)

    def _pick_rule(self, key: str, choice: str) -> None:
        column = self._column()
        rule = rule_of(column, choice) if column is not None else None
        if rule is not None:
            self._set(key, rule)

    def _type_values(self, text: str) -> None:
        column = self._column()
        if isinstance(column, CategoryColumn):
            values, labels = value_lines.read_lines(text)
            named = study_edits.with_values(column, values, labels)
            self._change(lambda _: named, "values")

    def _take_list(self, found: ValueList) -> None:
        """Declare a list in place of the values, in one step of undo."""
        column = self._column()
        if isinstance(column, CategoryColumn):
            named = study_edits.with_values(column, found.values, found.labels)
            self._edited.add("values")
            self.values.set_text(value_lines.as_lines(named))
            self._change(lambda _: named)

    def _count_values(self, column: Column) -> None:
        """Say how many values were understood, and ask where one looks like several."""
        fields = (self.values,) if isinstance(column, CategoryColumn) else (self.yes, self.no)
        for field, hint in zip((self.values, self.yes, self.no), self._hints, strict=True):
            found = value_lines.read_lines(self._lines_of(field))[0]
            count = len(found)
            said = self.tr("%n value(s). {0}", "", count).format(hint) if count else hint
            if count > 1 and field is not self.values:
                # A sentence that names one of them would say something else than is counted.
                named = self.tr(
                    "%n value(s), published as “{0}”. For another name, put it first.", "", count
                )
                said = named.format(found[0])
            field.set_hint(said)
        is_listed = isinstance(column, CategoryColumn | YesNoColumn)
        self.split.show_lists([self._lines_of(field) for field in fields] if is_listed else [])

    def _lines_of(self, field: Field) -> str:
        """What is typed, one value a line."""
        text = _text_of(field)
        listed = text if field is self.values else text.replace(";", "\n")
        return "\n".join(listed.splitlines())

    def _split_list(self) -> None:
        """Put each value on its own, in one step of undo."""
        column = self._column()
        if isinstance(column, CategoryColumn):
            text = split_lines(self._lines_of(self.values))
            self.values.set_text(text)
            split = study_edits.with_values(column, *value_lines.read_lines(text))
            self._change(lambda _: split)
        elif isinstance(column, YesNoColumn):
            yes, no = (_listed(split_lines(self._lines_of(f))) for f in (self.yes, self.no))
            named = replace(column, yes=yes, no=no)
            self._change(lambda _: named)

    def _take(self, proposal: Proposal) -> None:
        """Declare a proposal at once, so that one undo takes all of it back."""
        self._typed_wrong.clear()
        self._change(lambda c: accept(c, proposal))
        is_number = isinstance(self._column(), NumberColumn)
        # The button is gone; the keyboard goes where there is something to check.
        (self.numbers["lower"].edit if is_number else self.values.edit).setFocus()

    def _declare(self, whole: NumberColumn) -> None:
        """Declare what was before a range was used, or released bounds."""
        self._typed_wrong.clear()
        self._change(lambda _: whole)
        self.numbers["lower"].edit.setFocus()

    def _type_number(self, key: str, text: str) -> None:
        if not text.strip():
            self._typed_wrong.discard(key)
            self._set(key, None)
            return
        value = typed_numbers.decimal_from_text(text)
        if value is None:
            # What is declared is never another number than the one that is read here.
            self._typed_wrong.add(key)
            self._set(key, None)
            return
        self._typed_wrong.discard(key)
        self.numbers[key].set_error("")
        self._set(key, value)

    def _want_estimate(self) -> None:
        """Ask for the step first: what nobody declared is not assumed."""
        column = self._column()
        self._wants_step = isinstance(column, NumberColumn) and column.step is None
        if not self._wants_step:
            self.estimate_wanted.emit(self._name)
            return
        self._show_problems()
        self.numbers["step"].edit.setFocus()

    def _is_turned(self, key: str) -> bool:
        """Whether the field is that of bounds that were typed the wrong way round."""
        column = self._column()
        if key != "upper" or not isinstance(column, NumberColumn):
            return False
        return None not in (column.lower, column.upper) and column.lower != column.upper

    def _accept_suggestion(self, key: str, text: str) -> None:
        column = self._column()
        if text == SWAPPED and isinstance(column, NumberColumn):
            turned = replace(column, lower=column.upper, upper=column.lower)
            self._change(lambda _: turned)
            return
        self.numbers[key].edit.setText(text)
        self._type_number(key, text)


def _row(*fields: tuple[QWidget, int]) -> AlignedRow:
    row = AlignedRow(spacing=Space.CARDS)
    for field, stretch in fields:
        row.addWidget(field, stretch, Qt.AlignmentFlag.AlignTop)
    return row


def _listed(text: str) -> tuple[str, ...]:
    return study_edits.values_from_text(text.replace(";", "\n"))


def _text_of(field: Field) -> str:
    return field.text if isinstance(field, LineField | TextField) else ""
