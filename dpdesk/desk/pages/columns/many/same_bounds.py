# SPDX-License-Identifier: Apache-2.0
"""The same bounds for several columns: behind a switch, never by accident."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core.edits.study_edits import DIFFERS, common
from dpdesk.desk.core.state import DeskState, is_open
from dpdesk.desk.pages.columns.many.same_fields import differs
from dpdesk.desk.text import times, typed_numbers, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.text.words import field_sentence
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.buttons import secondary
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.field_row import FieldRow
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn
from dpdesk.study.model.dates import ISO, DateFormat

NUMBERS, DAYS = ("lower", "upper", "step"), ("first", "last")


class SameBounds(QWidget):
    """A button that opens the fields of the bounds.

    Attributes:
        open: opens them.
        fields: by what they declare.

    Signals:
        declared: a bound was set for all columns; carries its name and the value.
    """

    declared = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._format: Any = ISO
        self._has_days = False
        self._typed: set[str] = set()
        self.open = secondary("", "", True)
        self.fields = {
            "lower": LineField(self.tr("&Lowest value")),
            "upper": LineField(self.tr("&Highest value")),
            "step": LineField(self.tr("&Step")),
            "first": LineField(self.tr("F&irst day")),
            "last": LineField(self.tr("&Last day")),
        }
        self._numbers = FieldRow([(self.fields[key], 1) for key in NUMBERS])
        self._days = FieldRow([(self.fields[key], 1) for key in DAYS])
        column = QVBoxLayout(self, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        column.addWidget(self.open, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._numbers)
        column.addWidget(self._days)
        self.open.clicked.connect(self._open)
        for key, field in self.fields.items():
            field.edited.connect(lambda text, key=key: self._type(key, text))

    def forget(self) -> None:
        """Other columns are chosen: the fields close."""
        self._typed.clear()
        self.open.setEnabled(True)
        for field in self.fields.values():
            field.set_text("")
            field.set_error("")

    def show_columns(self, columns: tuple[Column, ...], state: DeskState) -> None:
        """Show the bounds that columns of one kind have in common."""
        numbers, days = (isinstance(columns[0], kind) for kind in (NumberColumn, DateColumn))
        self.setVisible(numbers or days)
        if not (numbers or days):
            return
        self._has_days = days
        count = len(columns)
        period = self.tr("Same period for all %n", "", count)
        self.open.setText(period if days else self.tr("Same bounds for all %n", "", count))
        is_open_now = not self.open.isEnabled()
        self._numbers.setVisible(numbers and is_open_now)
        self._days.setVisible(days and is_open_now)
        self._format = common(columns, "format") if days else ISO
        for key in NUMBERS if numbers else DAYS:
            self._show(key, common(columns, key))
            self._show_problem(key, columns, state)

    def _show(self, key: str, value: Any) -> None:
        field = self.fields[key]
        field.edit.setPlaceholderText(differs() if value is DIFFERS else "")
        if key in self._typed:
            return
        shown = None if value is DIFFERS else value
        if self._meant(key, field.text) != shown:
            field.set_text(self._text(shown))

    def _show_problem(self, key: str, columns: tuple[Column, ...], state: DeskState) -> None:
        """What is wrong for the first column for which anything is; not while it is empty."""
        if key in self._typed:
            return
        found = (p for c in columns for p in state.column_problems(c.name))
        wrong = next((p for p in found if p.path.endswith(f".{key}") and not is_open(p)), None)
        self.fields[key].set_error(field_sentence(wrong) if wrong is not None else "")

    def _open(self) -> None:
        self.open.setEnabled(False)
        shown, first = (self._days, "first") if self._has_days else (self._numbers, "lower")
        shown.show()
        self.fields[first].edit.setFocus()

    def _type(self, key: str, text: str) -> None:
        value = self._meant(key, text)
        if value is None and text.strip():
            # What is declared stays: a half-typed number is nobody's bound.
            self._typed.add(key)
            self.fields[key].set_error(self._wanted(key))
            return
        self._typed.discard(key)
        self.fields[key].set_error("")
        self.declared.emit(key, value)

    def _wanted(self, key: str) -> str:
        if key in DAYS:
            return words.day_wanted(self._form())
        return tr("ColumnForm", "Type a plain number, such as 0.5 or 0,5.")

    def _meant(self, key: str, text: str) -> Decimal | date | None:
        if key in NUMBERS:
            return typed_numbers.decimal_from_text(text)
        return times.day_from_text(text, self._form())

    def _text(self, value: Decimal | date | None) -> str:
        if isinstance(value, Decimal):
            return words.localised(words.plain(value))
        return times.typed(value, self._form())

    def _form(self) -> DateFormat:
        """In which all columns' files write a day; the ISO form where they differ."""
        return ISO if self._format is DIFFERS else self._format
