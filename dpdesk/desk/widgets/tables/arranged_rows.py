# SPDX-License-Identifier: Apache-2.0
"""Rows that a view sorts and filters; what is copied stays whole and as declared.

Sorting is done here and not by a proxy of Qt's, which asks Python for two cells a comparison: a
release has up to 100,000 lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any
from unicodedata import combining, normalize

from PySide6.QtCore import Qt

from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.tables.rows_model import ROOT, Index, RowsModel

Key = Decimal | str | None
"""What a cell is sorted by; ``None`` where it says nothing."""

AS_DECLARED = -1
_DIGITS = re.compile(r"([0-9]+)")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


class ArrangedRows(RowsModel):
    """Rows in the order of one column, and of them those that hold what is looked for.

    Rows that are hatched, and after them cells that say nothing, come last in both directions.

    Attributes:
        order: positions of the rows on show, in their order.
    """

    def __init__(self, heads: Sequence[str] = ()) -> None:
        super().__init__(heads)
        self.order: list[int] = []
        self._keys: list[tuple[Key, ...]] = []
        self._wanted: list[str] = []
        self._folded: list[str] | None = None
        self._by = (AS_DECLARED, Qt.SortOrder.AscendingOrder)

    def set_rows(
        self,
        rows: Sequence[Sequence[str]],
        heads: Sequence[str] | None = None,
        right: Sequence[int] | None = None,
        bold: Sequence[int] | None = None,
        keys: Sequence[tuple[Key, ...]] | None = None,
    ) -> None:
        """Show other rows, all of them, as declared.

        Args:
            rows, heads, right, bold: as for any rows.
            keys: what each row's cells are sorted by; their texts where there are none.
        """
        self.order = list(range(len(rows)))
        self._keys = [tuple(row) for row in rows] if keys is None else list(keys)
        self._folded = None
        self._wanted, self._by = [], (AS_DECLARED, Qt.SortOrder.AscendingOrder)
        super().set_rows(rows, heads, right, bold)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.order)

    @property
    def total(self) -> int:
        """Number of all rows."""
        return len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Of the row that is there."""
        if not index.isValid() or index.row() >= len(self.order):
            return None
        place = self.createIndex(self.order[index.row()], index.column())
        return super().data(place, role)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """A first press on numbers puts the highest first."""
        if role == Qt.ItemDataRole.InitialSortOrderRole and self.is_number(section):
            return Qt.SortOrder.DescendingOrder
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr("ArrangedRows", "Press to sort")
        return super().headerData(section, orientation, role)

    def is_number(self, column: int) -> bool:
        return any(isinstance(keys[column], Decimal) for keys in self._keys)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; by none, as declared."""
        self._by = (column, order)
        self._arrange()

    def look_for(self, text: str) -> None:
        """Show rows that hold every word of this, in whatever case, accents and order.

        Where words begin with what is typed, these are meant: "male" does not mean "female".
        """
        self._wanted = _plain(text).split()
        self._arrange()

    def _arrange(self) -> None:
        self.beginResetModel()
        order = range(len(self._rows))
        self.order = self._sorted(self._matching() if self._wanted else list(order))
        self.endResetModel()

    def _matching(self) -> list[int]:
        """The rows that are looked for, as declared."""
        if self._folded is None:
            self._folded = [self._text_of(row) for row in self._rows]
        found = list(range(len(self._rows)))
        for word in self._wanted:
            within = [row for row in found if word in self._folded[row]]
            found = [row for row in within if f" {word}" in self._folded[row]] or within
        return found

    def _text_of(self, row: tuple[str, ...]) -> str:
        """What is looked for in: texts, or where there are none, numbers; a blank before words."""
        cells = [cell for place, cell in enumerate(row) if place not in self._right]
        text = _plain(" ".join(cells or row))
        return f" {text} {_BETWEEN_WORDS.sub(' ', text)}"

    def _sorted(self, rows: list[int]) -> list[int]:
        column, order = self._by
        if column == AS_DECLARED:
            return rows
        parts: tuple[list[int], list[int], list[int]] = ([], [], [])
        for row in rows:
            says_nothing = self._keys[row][column] is None
            parts[2 if says_nothing else int(row in self.hatched)].append(row)
        is_down = order == Qt.SortOrder.DescendingOrder
        for part in parts[:2]:
            part.sort(key=lambda row: _sortable(self._keys[row][column]), reverse=is_down)
        return [row for part in parts for row in part]


def _sortable(key: Key) -> tuple[int, Decimal, list[tuple[int, str]]]:
    """Numbers by size and before texts; in texts, runs of digits by size."""
    if isinstance(key, Decimal):
        return (0, key, [])
    pieces = _DIGITS.split(_plain(key or ""))
    return (1, Decimal(0), [_piece(piece, i % 2 == 1) for i, piece in enumerate(pieces)])


def _piece(text: str, is_digits: bool) -> tuple[int, str]:
    """A run of digits is as large as it is long, without leading zeros."""
    bare = text.lstrip("0") if is_digits else text
    return (len(bare) if is_digits else 0, bare)


def _plain(text: str) -> str:
    """A text without case and accents."""
    apart = normalize("NFKD", text.casefold())
    return "".join(mark for mark in apart if not combining(mark))
