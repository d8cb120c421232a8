# SPDX-License-Identifier: Apache-2.0
"""A guess for each group of a query: a small table, in which an empty cell is an equal part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.text.typed_numbers import whole_from_text
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import ChoiceField
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.study.limits import ROW_CAP
from dpdesk.study.model.baseline.expansion import own_queries

WIDTH = 520
MOST_LINES = 9
ROWS = 1
Index = QModelIndex | QPersistentModelIndex
Sizes = dict[tuple[str, ...], int]


class SizesModel(RowsModel):
    """Groups, and beside each about how many rows it has, which can be typed.

    Signals:
        sized: a size was typed or taken away.
    """

    sized = Signal()

    def __init__(self, heads: tuple[str, str], otherwise: str) -> None:
        super().__init__(heads, right=(ROWS,))
        self._otherwise = otherwise
        self.groups: tuple[tuple[str, ...], ...] = ()
        self.sizes: Sizes = {}

    def show_groups(self, groups: tuple[tuple[str, ...], ...], sizes: Mapping[Any, int]) -> None:
        self.groups, self.sizes = groups, dict(sizes)
        self._fill()

    def _fill(self) -> None:
        self.set_rows([(", ".join(group), self._written(group)) for group in self.groups])

    def _written(self, group: tuple[str, ...]) -> str:
        return words.grouped(self.sizes[group]) if group in self.sizes else self._otherwise

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = super().flags(index)
        return usual | Qt.ItemFlag.ItemIsEditable if index.column() == ROWS else usual

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """As shown; while it is typed, the number alone."""
        if role != Qt.ItemDataRole.EditRole:
            return super().data(index, role)
        group = self.groups[index.row()] if index.row() < len(self.groups) else ()
        return str(self.sizes[group]) if group in self.sizes else ""

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Take a whole number; an empty text is an equal part, anything else changes nothing."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        group, text = self.groups[index.row()], str(value).strip()
        rows = whole_from_text(text)
        if text and (rows is None or rows > ROW_CAP):
            return False
        if text and rows is not None:
            self.sizes[group] = rows
        else:
            self.sizes.pop(group, None)
        shown = [list(row) for row in self._rows]
        shown[index.row()][ROWS] = self._written(group)
        self._rows = [tuple(row) for row in shown]
        self.dataChanged.emit(index, index)
        self.sized.emit()
        return True


class GroupSizesDialog(Dialog):
    """Asks about how many rows each group has; nothing is drawn before it is accepted.

    Args:
        window: the window to dim.
        state: what the desk shows.
        sizes: as guessed so far, by the query's id.


    Signals:
        decided: the sizes, by the query's id.
    """

    decided = Signal(object)

    def __init__(self, window: QWidget, state: DeskState, sizes: Mapping[str, Sizes]) -> None:
        title = tr("GroupSizesDialog", "How large is each group?")
        super().__init__(window, title, "", "table", width=WIDTH)
        self._state = state
        self._sizes = {query: dict(own) for query, own in sizes.items()}
        self.query = ChoiceField(self.tr("&Query"))
        self.model = SizesModel(
            (self.tr("Group"), self.tr("Rows, about")), self.tr("as the others")
        )
        self.table = DataTable(self.model, self.tr("Rows of each group"), Space.ROW)
        self.equal = link(self.tr("Split equally again"))
        self._build()
        # Those of a Table 1 follow from its own estimate.
        queries = own_queries(state.study)
        asked = [query for query in queries if query.by and query.id in state.plans]
        choices = [(query.id, words.query_title(state.study, query)) for query in asked]
        self._shown = choices[0][0]
        self.query.set_choices(choices, self._shown)
        self._show()

    def _build(self) -> None:
        text = self.tr(
            "Your estimate, not read from the data. Press a number and type; a group without one "
            "is as large as the others."
        )
        self.body.addWidget(quiet(text))
        self.body.addWidget(self.query)
        card = Card()
        card.set_padding(Space.TIGHT)
        card.body.addWidget(self.table)
        self.body.addWidget(card)
        self.body.addWidget(self.equal, 0, Qt.AlignmentFlag.AlignLeft)
        begin = QAbstractItemView.EditTrigger
        self.table.setEditTriggers(begin.AnyKeyPressed | begin.EditKeyPressed | begin.DoubleClicked)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.query.picked.connect(self._pick)
        self.equal.clicked.connect(self._forget)
        self.model.sized.connect(self._note)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Rehearse with these"))
        self.table.setFocus()

    def _pick(self, query: str) -> None:
        self._shown = query
        self._show()

    def _show(self) -> None:
        groups = self._state.plans[self._shown].cells
        self.model.show_groups(groups, self._sizes.get(self._shown, {}))
        self.table.fit_height(MOST_LINES)
        self.table.setCurrentIndex(self.model.index(0, ROWS))
        self.equal.setEnabled(bool(self.model.sizes))

    def _note(self) -> None:
        self._sizes[self._shown] = dict(self.model.sizes)
        self.equal.setEnabled(bool(self.model.sizes))

    def _forget(self) -> None:
        self._sizes.pop(self._shown, None)
        self._show()

    def accept(self) -> None:
        sizes = {query: own for query, own in self._sizes.items() if own}
        super().accept()
        self.decided.emit(sizes)
