# SPDX-License-Identifier: Apache-2.0
"""The sentence that is filled in: [Mean] of [time in hospital] for each [age band] where [...]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core import edits, words
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.condition_dialog import ConditionDialog
from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.chip import Chip
from dpdesk.desk.widgets.choice_popup import Choice, ChoicePopup
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.label import Label
from dpdesk.study.columns import DateColumn, NumberColumn, column_title
from dpdesk.study.groupings import column_of
from dpdesk.study.queries import Condition, Query
from dpdesk.study.statistics import MAX_BY, NEEDS_COLUMN, STATISTICS, Statistic

NOTHING = "\0nothing"


class QuerySentence(QWidget):
    """Words and chips; each chip opens a list.

    Signals:
        changed: the query was edited; carries it and an empty merge key.
    """

    changed = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self._flow = FlowLayout(self, across=6, down=4)
        self._state = DeskState()
        self._query = Query("")
        self._shown: object = None
        self._chips: dict[str, Chip] = {}
        self.setAccessibleName(self.tr("The query as a sentence"))

    def show_query(self, state: DeskState, query: Query) -> None:
        """Show a query; the chips are made anew only where the sentence changed."""
        self._state, self._query = state, query
        titles = tuple(column_title(c) for c in state.study.columns)
        key = (query.statistic, query.column, query.by, query.where, titles)
        if key == self._shown:
            return
        self._shown = key
        had = next((name for name, chip in self._chips.items() if chip.hasFocus()), "")
        self._chips = {}
        while (item := self._flow.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._build()
        if had in self._chips:
            self._chips[had].setFocus()
        self.updateGeometry()

    def _build(self) -> None:
        query = self._query
        self._chip("statistic", words.statistic(query.statistic), self._pick_statistic)
        self._word(self.tr("of"))
        if query.statistic in NEEDS_COLUMN:
            title = words.title_of(self._state.study, query.column) if query.column else ""
            self._chip("column", title or self.tr("choose a column"), self._pick_column)
        else:
            self._word(words.counted(query.statistic))
        for place, name in enumerate(query.by):
            self._word(self.tr("for each") if place == 0 else self.tr("and"))
            title = words.title_of(self._state.study, column_of(name))
            self._chip(f"group-{place}", title, partial(self._pick_group, place))
        for place, condition in enumerate(query.where):
            self._word(self.tr("where") if place == 0 else self.tr("and"))
            text = words.condition(self._state.study, condition)
            self._chip(f"where-{place}", text, partial(self._edit_condition, place))
        add = self._chip("add", "+", self._add, dashed=True)
        add.setAccessibleName(self.tr("Add a group or a condition"))
        add.setToolTip(add.accessibleName())

    def _word(self, text: str) -> None:
        """Words that never break in the middle."""
        label = Label(text, Type.CARD)
        self._flow.addWidget(label)
        label.show()

    def _chip(self, name: str, text: str, work: Callable[[], object], dashed: bool = False) -> Chip:
        chip = Chip(value=text, tinted=True, dashed=dashed)
        chip.setObjectName(f"chip-{name}")
        chip.clicked.connect(lambda _on=False: work())
        self._flow.addWidget(chip)
        # Shown at once, so that the first wrapping already counts it.
        chip.show()
        self._chips[name] = chip
        return chip

    def chip(self, name: str) -> Chip:
        """One of the chips."""
        return self._chips[name]

    def _offer(
        self, name: str, choices: list[Choice], picked: str, done: Callable[[str], object]
    ) -> None:
        self.popup = ChoicePopup(choices, (picked,), parent=self)
        self.popup.chosen.connect(lambda keys: done(keys[0]))
        self.popup.open_under(self.chip(name))

    def _put(self, query: Query) -> None:
        self.changed.emit(query, "")

    def _pick_statistic(self) -> None:
        names = {
            "count": self.tr("Count of rows"),
            "count-people": self.tr("Number of people"),
            "sum": self.tr("Sum of a number column"),
            "mean": self.tr("Mean of a number column"),
        }
        choices = [Choice(key, names[key]) for key in STATISTICS]
        self._offer("statistic", choices, self._query.statistic, self._set_statistic)

    def _set_statistic(self, key: str) -> None:
        statistic = cast(Statistic, key)
        self._put(edits.set_statistic(self._state.study, self._query, statistic))

    def _pick_column(self) -> None:
        columns = [c for c in self._state.study.columns if isinstance(c, NumberColumn)]
        choices = [Choice(c.name, column_title(c), "hash") for c in columns]
        if not choices:
            text = self.tr("No number column is described in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        self._offer("column", choices, self._query.column or "", self._set_column)

    def _set_column(self, name: str) -> None:
        self._put(replace(self._query, column=name))

    def _pick_group(self, place: int) -> None:
        taken = set(self._query.by) - set(self._query.by[place : place + 1])
        choices = [
            Choice(c.name, column_title(c), "tag")
            for c in self._state.study.columns
            if not isinstance(c, NumberColumn | DateColumn) and c.name not in taken
        ]
        is_new = place == len(self._query.by)
        if not is_new:
            choices.append(Choice(NOTHING, self.tr("No group"), "cross"))
        if not choices:
            text = self.tr("No category or yes/no column is described in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        name = "add" if is_new else f"group-{place}"
        now = "" if is_new else column_of(self._query.by[place])
        self._offer(name, choices, now, lambda key: self._set_group(place, key))

    def _set_group(self, place: int, key: str) -> None:
        by = list(self._query.by)
        by[place : place + 1] = [] if key == NOTHING else [key]
        self._put(replace(self._query, by=tuple(by)))

    def _add(self) -> None:
        choices = [Choice("where", self.tr("Only where…"), "sliders")]
        if len(self._query.by) < MAX_BY:
            choices.insert(0, Choice("group", self.tr("For each…"), "tag"))
        self._offer("add", choices, "", self._add_what)

    def _add_what(self, what: str) -> None:
        if what == "group":
            self._pick_group(len(self._query.by))
        else:
            self._add_condition()

    def _add_condition(self) -> None:
        choices = [Choice(c.name, column_title(c)) for c in self._state.study.columns]
        if not choices:
            text = self.tr("No column is described in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        self._offer("add", choices, "", self._ask_condition)

    def _ask_condition(self, name: str) -> None:
        column = self._state.study.column(name)
        if column is not None:
            self.dialog = ConditionDialog(self, column, None)
            self.dialog.decided.connect(self._append_condition)
            self.dialog.open()

    def _append_condition(self, condition: Condition | None) -> None:
        if condition is not None:
            self._put(replace(self._query, where=(*self._query.where, condition)))

    def _edit_condition(self, place: int) -> None:
        condition = self._query.where[place]
        column = self._state.study.column(condition.column)
        if column is None:
            self._set_condition(place, None)
            return
        self.dialog = ConditionDialog(self, column, condition)
        self.dialog.decided.connect(lambda found: self._set_condition(place, found))
        self.dialog.open()

    def _set_condition(self, place: int, condition: Condition | None) -> None:
        where = list(self._query.where)
        where[place : place + 1] = [] if condition is None else [condition]
        self._put(replace(self._query, where=tuple(where)))
