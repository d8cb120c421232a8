# SPDX-License-Identifier: Apache-2.0
"""Fields that several columns share: a common value, or "differs" until it is set."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core import value_lines
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.edits.study_edits import DIFFERS, common
from dpdesk.desk.text import read_words, times
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField, TextField
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn


class SameFields(QWidget):
    """What one kind of columns declares beside bounds and rules.

    Attributes:
        lines: the fields of one line, by what they declare.

    Signals:
        declared: a field was set for all; carries what it declares and the value.
        listed: a list of values was typed for all; carries the columns' values and labels.
    """

    declared = Signal(str, object)
    listed = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self.lines = {
            "label": LineField(self.tr("&Unit")),
            "yes": LineField(self.tr("Means &yes"), self.tr("Several with a semicolon: yes; 1")),
            "no": LineField(self.tr("Means &no")),
        }
        self.values = TextField(self.tr("&Values"), self.tr("One value per line."), lines=6)
        self.decimal = ChoiceField(self.tr("&Decimal mark"), placeholder=differs())
        self.format = ChoiceField(self.tr("&Format in the file"), placeholder=differs())
        column = QVBoxLayout(self, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        for field in (*self.lines.values(), self.values, self.decimal, self.format):
            column.addWidget(field)
        for key, line in self.lines.items():
            line.edited.connect(lambda text, key=key: self.declared.emit(key, _meant(key, text)))
        self.values.edited.connect(lambda text: self.listed.emit(*value_lines.read_lines(text)))
        self.decimal.picked.connect(lambda mark: self.declared.emit("decimal", mark))
        self.format.picked.connect(lambda form: self.declared.emit("format", form))

    def show_columns(self, columns: tuple[Column, ...]) -> None:
        """Show what columns of one kind declare."""
        first = columns[0]
        self.lines["label"].setVisible(isinstance(first, NumberColumn))
        self.lines["yes"].setVisible(isinstance(first, YesNoColumn))
        self.lines["no"].setVisible(isinstance(first, YesNoColumn))
        self.values.setVisible(isinstance(first, CategoryColumn))
        self.decimal.setVisible(isinstance(first, NumberColumn))
        self.format.setVisible(isinstance(first, DateColumn))
        for key, line in self.lines.items():
            if not line.isHidden():
                show_common(line, key, common(columns, key))
        if isinstance(first, CategoryColumn):
            self._show_values(columns, first)
        self.decimal.set_choices(read_words.decimal_marks(), _key(common(columns, "decimal")))
        forms = [(form, times.form_shown(form)) for form in _forms(columns)]
        self.format.set_choices(forms, _key(common(columns, "format")))

    def _show_values(self, columns: tuple[Column, ...], first: CategoryColumn) -> None:
        same = DIFFERS not in (common(columns, "values"), common(columns, "labels"))
        self.values.edit.setPlaceholderText("" if same else differs())
        if not same:
            self.values.set_text("")
        elif not value_lines.declares(self.values.text, first):
            self.values.set_text(value_lines.as_lines(first))


def differs() -> str:
    """What is in the place of values that are not equal."""
    return tr("SameFields", "differs")


def show_common(line: LineField, key: str, value: Any) -> None:
    """Show a common value in a field; "differs" in its place where there is none."""
    line.edit.setPlaceholderText(differs() if value is DIFFERS else "")
    if value is DIFFERS:
        line.set_text("")
    elif _meant(key, line.text) != value:
        line.set_text("; ".join(value) if isinstance(value, tuple) else value)


def _meant(key: str, text: str) -> Any:
    listed = key in ("yes", "no")
    return study_edits.values_from_text(text.replace(";", "\n")) if listed else text


def _key(value: Any) -> str | None:
    return None if value is DIFFERS or value is None else str(value)


def _forms(columns: tuple[Column, ...]) -> list[str]:
    """The usual formats, and those that the columns have."""
    own = (c.format for c in columns if isinstance(c, DateColumn))
    return list(dict.fromkeys([*times.forms(), *own]))
