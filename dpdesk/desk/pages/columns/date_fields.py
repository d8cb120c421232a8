# SPDX-License-Identifier: Apache-2.0
"""A date column's period, and how its days are written in the file."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import times, words
from dpdesk.desk.text.words import field_sentence
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.inputs.field import ChoiceField, Field, LineField
from dpdesk.desk.widgets.inputs.field_row import FieldRow
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.aligned import RING, aligned_part
from dpdesk.study.model.columns import Column, DateColumn
from dpdesk.study.model.dates import (
    STAMP,
    date_form,
    day_to_text,
    has_month_name,
    needs_pivot,
)


class DateFields(QWidget):
    """First day and last day; the format's field is placed by the form, beside the name.

    Attributes:
        days: the fields of the first and the last day.
        format: the field of the format.
        timed: whether a time may stand behind the day.
        pivot: the first of the hundred years of two-digit years.
        help: what happens to other cells.

    Signals:
        declared: a part was declared; carries its name and its value.
        left: a day's field was left.
    """

    declared = Signal(str, object)
    left = Signal()

    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self._column = DateColumn("")
        self._typed_wrong: set[str] = set()
        self._edited: set[Field] = set()
        self.days = {
            "first": LineField(self.tr("F&irst day")),
            "last": LineField(self.tr("&Last day")),
        }
        self.format = ChoiceField(self.tr("Form&at in the file"))
        self.pivot = LineField(
            self.tr("H&undred years from"),
            self.tr("From 1925 on, 25 is 1925 and 24 is 2024."),
            placeholder=self.tr("A year"),
        )
        self.help = quiet(
            self.tr(
                "dpdesk reads all cells in this one format; a cell in another format is not a "
                "date. M and D are months and days with one digit or two, MM and DD always have "
                "two."
            )
        )
        column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        column.addWidget(self.help)
        said = self.tr(
            "The period that the study covers, not the first and last day in the file. Days "
            "outside it are treated as chosen below."
        )
        fields = [(field, 1) for field in (*self.days.values(), self.pivot)]
        column.addWidget(FieldRow(fields, said))
        for field in (*self.days.values(), self.pivot):
            field.edited.connect(lambda _text, field=field: self._edited.add(field))
        for key, field in self.days.items():
            field.edited.connect(lambda text, key=key: self._type_day(key, text))
            field.left.connect(self.left)
        self.pivot.edited.connect(self._type_pivot)
        self.pivot.left.connect(self.left)
        self.format.picked.connect(self._pick_form)

    def forget(self) -> None:
        """Another column is on show: nothing that was typed belongs to it."""
        self._typed_wrong.clear()
        self._edited.clear()
        for field in (*self.days.values(), self.pivot):
            field.set_text("")

    def show_column(self, column: Column) -> None:
        """Show a column's declaration; what is typed stays as long as it means the same."""
        self.setVisible(isinstance(column, DateColumn))
        self.format.setVisible(isinstance(column, DateColumn))
        if not isinstance(column, DateColumn):
            return
        self._column = column
        form = STAMP if column.format == STAMP else date_form(column.format)
        self.format.set_choices([(f, times.form_shown(f)) for f in times.forms()], form)
        self.format.set_hint(self._format_hint(column))
        self.pivot.setVisible(needs_pivot(form))
        if _year(self.pivot.text) != column.pivot:
            self.pivot.set_text("" if column.pivot is None else str(column.pivot))
        for key, field in self.days.items():
            day = getattr(column, key)
            field.edit.setPlaceholderText(times.form_typed(column.format))
            if day is not None:
                self._typed_wrong.discard(key)
            if times.day_from_text(field.text, column.format) != day:
                field.set_text(times.typed(day, column.format))

    def show_reading(self, is_read: bool) -> None:
        """Whether cells of the file are read as days; a derived column's are days already."""
        self.help.setVisible(is_read)
        if not is_read:
            self.format.hide()
            self.pivot.hide()

    def _format_hint(self, column: DateColumn) -> str:
        example = day_to_text(times.EXAMPLE_DAY, column.format)
        if column.format == STAMP:
            return self.tr("For example {0}, also without the time.").format(f"{example}2109")
        if has_month_name(column.format):
            template = self.tr(
                "For example {0}. Month names: English, German, French or Spanish, short or in "
                "full."
            )
            return template.format(example)
        return self.tr("For example {0}, also followed by a time.").format(example)

    def show_problems(self, state: DeskState, path: str) -> None:
        """Put each problem at its field, once the field is left."""
        for key, field in self.days.items():
            waiting = field.editor.hasFocus()
            if key in self._typed_wrong:
                if not waiting:
                    field.set_error(words.day_wanted(self._column.format))
                continue
            problems = state.problems_at(f"{path}.{key}")
            if problems and not waiting and self._may_say(field):
                field.set_error(field_sentence(problems[0]))
            elif not problems:
                field.set_error("")
        problems = state.problems_at(f"{path}.pivot")
        if not problems:
            self.pivot.set_error("")
        elif not self.pivot.editor.hasFocus() and self._may_say(self.pivot):
            self.pivot.set_error(field_sentence(problems[0]))

    def _may_say(self, field: LineField) -> bool:
        """An empty field is wrong once somebody emptied it, never on arrival."""
        return field in self._edited or bool(field.text.strip())

    def _pick_form(self, form: str) -> None:
        self.declared.emit("format", form)

    def _type_pivot(self, text: str) -> None:
        self.declared.emit("pivot", _year(text))

    def _type_day(self, key: str, text: str) -> None:
        day = times.day_from_text(text, self._column.format)
        if day is None and text.strip():
            # What is declared is never another day than the one that is read here.
            self._typed_wrong.add(key)
        else:
            self._typed_wrong.discard(key)
            self.days[key].set_error("")
        self.declared.emit(key, day)


def _year(text: str) -> int | None:
    """A typed year; ``None`` where it is none."""
    plain = text.strip()
    return int(plain) if len(plain) == 4 and plain.isascii() and plain.isdigit() else None
