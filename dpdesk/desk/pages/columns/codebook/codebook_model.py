# SPDX-License-Identifier: Apache-2.0
"""The lines of a comparison, which of them are ticked, and which are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from dpdesk.data.codebook.change import Change
from dpdesk.desk.text.codebook_words import CodebookLine, line_of

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
LINE = Qt.ItemDataRole.UserRole
"""Role of the line in words."""

PARTS = ("all", "new", "differs", "others")


class CodebookModel(QAbstractListModel):
    """Changes that can be ticked where they are offered.

    Signals:
        ticked: other changes are ticked than before.
    """

    ticked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changes: tuple[Change, ...] = ()
        self._lines: dict[int, CodebookLine] = {}
        self._shown: list[int] = []
        self._ticked: set[str] = set()

    def set_changes(self, changes: Sequence[Change], ticked: Iterable[str]) -> None:
        """Show another comparison."""
        self.beginResetModel()
        self._changes = tuple(changes)
        self._lines = {}
        self._shown = list(range(len(self._changes)))
        self._ticked = set(ticked)
        self.endResetModel()
        self.ticked.emit()

    def show_only(self, part: str, text: str) -> None:
        """Show one part of the changes, and of these the ones that a text is found in."""
        wanted = text.strip().casefold()
        self.beginResetModel()
        self._shown = [
            place
            for place, change in enumerate(self._changes)
            if part in ("all", part_of(change)) and wanted in _searched(change)
        ]
        self.endResetModel()

    def count(self, part: str) -> int:
        """How many changes there are of a part."""
        return sum(1 for change in self._changes if part in ("all", part_of(change)))

    @property
    def chosen(self) -> tuple[Change, ...]:
        """The changes that are ticked, shown or not."""
        return tuple(c for c in self._changes if c.name in self._ticked and c.is_offered)

    def tick_shown(self, on: bool) -> None:
        """Tick all that is shown, but for what names a person, or untick it."""
        shown = [self._changes[place] for place in self._shown]
        names = {c.name for c in shown if c.is_offered and not (on and c.identifier)}
        self._ticked = self._ticked | names if on else self._ticked - names
        if self._shown:
            ends = self.index(0), self.index(len(self._shown) - 1)
            self.dataChanged.emit(*ends, [Qt.ItemDataRole.CheckStateRole])
        self.ticked.emit()

    def toggle(self, index: Index) -> None:
        """Tick a change, or untick it."""
        change = self._change(index)
        if change is not None and change.is_offered:
            self._ticked ^= {change.name}
            self.dataChanged.emit(index, index, [Qt.ItemDataRole.CheckStateRole])
            self.ticked.emit()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every line can be visited; those with something to accept can be ticked."""
        change = self._change(index)
        if change is None:
            return Qt.ItemFlag.NoItemFlags
        result = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if change.is_offered:
            result |= Qt.ItemFlag.ItemIsUserCheckable
        return result

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A line's name, words, spoken text or tick; never raises."""
        change = self._change(index)
        if change is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return change.name
        if role == Qt.ItemDataRole.CheckStateRole:
            return self._tick(change)
        if role == LINE:
            return self._line(index.row())
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return self._line(index.row()).accessible_text
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tick or untick, as assistive technology asks for it."""
        change = self._change(index)
        if role != Qt.ItemDataRole.CheckStateRole or change is None or not change.is_offered:
            return False
        if (Qt.CheckState(value) == Qt.CheckState.Checked) != (change.name in self._ticked):
            self.toggle(index)
        return True

    def _tick(self, change: Change) -> Qt.CheckState | None:
        if not change.is_offered:
            return None
        on = change.name in self._ticked
        return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked

    def _change(self, index: Index) -> Change | None:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        return self._changes[self._shown[index.row()]]

    def _line(self, row: int) -> CodebookLine:
        place = self._shown[row]
        if place not in self._lines:
            self._lines[place] = line_of(self._changes[place])
        return self._lines[place]


def part_of(change: Change) -> str:
    """Which part of the comparison a change belongs to."""
    return change.state if change.is_offered else "others"


def _searched(change: Change) -> str:
    titles = [c.title for c in (change.declared, change.proposed) if c is not None]
    return "\n".join([change.name, *titles]).casefold()
