# SPDX-License-Identifier: Apache-2.0
"""One condition on one column: which values, which range, or whether it is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QListWidget, QListWidgetItem, QWidget

from dpdesk.desk.text import times, typed_numbers, words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, font
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.choice_rows import CheckedByWords, ChoiceRows
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.pressing import RETURN
from dpdesk.study.model.columns import (
    Column,
    DateColumn,
    NumberColumn,
    column_title,
    group_labels,
    group_name,
)
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing, IsNotIn

LIST_HEIGHT = 220


class ConditionDialog(Dialog):
    """Asks for a condition.

    Signals:
        decided: the condition, or ``None`` to remove it.
        other_wanted: the condition shall be on another column.
    """

    decided = Signal(object)
    other_wanted = Signal()

    def __init__(self, window: QWidget, column: Column, condition: Condition | None) -> None:
        super().__init__(window, column_title(column), icon="sliders")
        self._column = column
        self._has_range = isinstance(column, NumberColumn | DateColumn)
        kinds = (
            [("between", self.tr("between"), "")]
            if self._has_range
            else [
                ("in", self.tr("is one of"), ""),
                ("not-in", self.tr("is none of"), ""),
            ]
        )
        kinds += [
            ("missing", self.tr("is missing"), ""),
            ("present", self.tr("is not missing"), ""),
        ]
        self.kind = Segmented(kinds, self.tr("Condition"))
        self.values = QListWidget(frameShape=QFrame.Shape.NoFrame)
        self.values.setAccessibleName(self.tr("Values"))
        self.values.setFont(font(Type.TEXT))
        self.values.setItemDelegate(ChoiceRows(self.values))
        CheckedByWords(self.values)
        self.missing_choice = Label(self.tr("Choose at least one value."), role=Role.DANGER)
        self.missing_choice.hide()
        self.lowest = LineField(self.tr("&From"), unit=column.label)
        self.highest = LineField(self.tr("&To"), unit=column.label)
        self.lowest.group_digits()
        self.highest.group_digits()
        self._range = QWidget()
        self._build(condition)
        self.kind.picked.connect(lambda _key: self._show_kind())
        self.values.itemChanged.connect(lambda _item: self.missing_choice.hide())
        self._fill(condition)
        self._show_kind()
        self._first().setFocus()

    def _first(self) -> QWidget:
        """What is filled in first: the values, the range, or else which of the two."""
        key = self.kind.key
        if key in ("in", "not-in"):
            return self.values
        return self.lowest.edit if key == "between" else self.kind.segment(key)

    def _build(self, condition: Condition | None) -> None:
        self.body.addWidget(self.kind)
        self.body.addWidget(self.values)
        self.body.addWidget(self.missing_choice)
        row = QHBoxLayout(self._range, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        row.addWidget(self.lowest)
        row.addWidget(self.highest)
        self.body.addWidget(self._range)
        if condition is not None:
            self.body.addLayout(self._ways_out())
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Use condition"))

    def _ways_out(self) -> QHBoxLayout:
        """What else becomes of a condition that is there already."""
        self.other = link(self.tr("Another column…"))
        self.other.clicked.connect(self._want_other)
        remove = link(self.tr("Remove this condition"))
        remove.clicked.connect(self._remove)
        row = QHBoxLayout(spacing=Space.CARDS)
        row.addWidget(self.other)
        row.addWidget(remove)
        row.addStretch(1)
        return row

    def _fill(self, condition: Condition | None) -> None:
        listed = condition.values if isinstance(condition, IsIn | IsNotIn) else ()
        picked = {group_name(self._column, value) for value in listed}
        for label in group_labels(self._column):
            item = QListWidgetItem(label, self.values)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            on = label in picked
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        if self.values.count():
            rows = self.values.count() * self.values.sizeHintForRow(0)
            self.values.setFixedHeight(min(LIST_HEIGHT, rows))
            self.values.setCurrentRow(0)
        if isinstance(condition, DateBetween) and isinstance(self._column, DateColumn):
            form = self._column.format
            self.lowest.set_text(times.typed(condition.first, form))
            self.highest.set_text(times.typed(condition.last, form))
        if isinstance(condition, Between):
            self.lowest.set_text(words.localised(f"{condition.lowest:f}"))
            self.highest.set_text(words.localised(f"{condition.highest:f}"))
        first = "between" if self._has_range else "in"
        if isinstance(condition, IsNotIn):
            first = "not-in"
        elif isinstance(condition, IsMissing):
            first = "missing" if condition.missing else "present"
        self.kind.select(first)

    def _show_kind(self) -> None:
        key = self.kind.key
        self.missing_choice.hide()
        self.values.setVisible(key in ("in", "not-in"))
        self._range.setVisible(key == "between")
        self.adjustSize()

    def condition(self) -> Condition | None:
        """The condition as it is; ``None`` where it is not complete."""
        key, name = self.kind.key, self._column.name
        if key in ("missing", "present"):
            return IsMissing(name, key == "missing")
        if key == "between":
            return self._between(name)
        items = [self.values.item(row) for row in range(self.values.count())]
        chosen = tuple(i.text() for i in items if i.checkState() == Qt.CheckState.Checked)
        if not chosen:
            return None
        return IsIn(name, chosen) if key == "in" else IsNotIn(name, chosen)

    def _between(self, name: str) -> Condition | None:
        column = self._column
        if isinstance(column, DateColumn):
            wanted, format = words.day_wanted(column.format), column.format
            turned = self.tr("It must not be before the first day.")
            days = self._ends(lambda text: times.day_from_text(text, format), wanted, turned)
            return DateBetween(name, *days) if days else None
        wanted = self.tr("Type a plain number.")
        turned = self.tr("It must not be below the first value.")
        numbers = self._ends(typed_numbers.decimal_from_text, wanted, turned)
        return Between(name, *numbers) if numbers else None

    def _ends(self, read: Callable[[str], Any], wanted: str, turned: str) -> tuple[Any, Any] | None:
        """Both ends of the range; ``None``, with an error at its field, where one is wrong."""
        fields = (self.lowest, self.highest)
        lowest, highest = (read(field.text) for field in fields)
        for field, value in zip(fields, (lowest, highest), strict=True):
            field.set_error(wanted if value is None else "")
        if lowest is None or highest is None:
            return None
        if lowest > highest:
            self.highest.set_error(turned)
            return None
        return lowest, highest

    def accept(self) -> None:
        """Hand the condition over; there must be one."""
        condition = self.condition()
        if condition is None:
            self._say_missing()
            return
        super().accept()
        self.decided.emit(condition)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes the values that are ticked; Space ticks."""
        if event.key() in RETURN and self.values.hasFocus() and not event.isAutoRepeat():
            self.ok.click()
        super().keyPressEvent(event)

    def _say_missing(self) -> None:
        """Of a list without a tick; a range says at its fields what it lacks."""
        if self.values.isVisibleTo(self):
            self.missing_choice.show()
            announce(self.values, self.missing_choice.text())
            self.values.setFocus()

    def _want_other(self) -> None:
        self.reject()
        self.other_wanted.emit()

    def _remove(self) -> None:
        self.reject()
        self.decided.emit(None)
