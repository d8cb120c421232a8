# SPDX-License-Identifier: Apache-2.0
"""The rows of a table: texts under heads, with what is strong, hatched or a sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from heapq import nlargest
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk.desk.text.language import number_style
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.widgets.tables.copied_text import copied_text

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
MEASURED = 200
"""So many texts of a column are measured, the longest; each takes some microseconds."""
HATCHED = Qt.ItemDataRole.UserRole + 1
"""Whether a cell's row is hatched."""
SUM = Qt.ItemDataRole.UserRole + 2
"""Whether a cell stands in the row that adds the others up."""
WHOLE = Qt.ItemDataRole.UserRole + 3
"""A cell's text where there is room for it."""
WARNED = Qt.ItemDataRole.UserRole + 4
"""Whether a cell has the sign that something is to be looked at."""
SECOND = Qt.ItemDataRole.UserRole + 5
"""What stands below a cell's text in quiet lines; empty for nothing."""
MISSING = Qt.ItemDataRole.UserRole + 6
"""Whether a cell says that it has no value."""
SIGN = Space.ICON_CHIP + Space.TIGHT
"""How much wider that makes it."""
NOTHING = "–"


class RowsModel(QAbstractTableModel):
    """Rows of texts.

    Args:
        heads: column headings.
        right: positions of the columns that hold numbers.
        bold: positions of the columns in semibold.

    Attributes:
        last_is_sum: the last row adds the others up.
        hatched: rows whose figures are not to be used; some cell of theirs says so.
        missing: cells, as row and column, whose text is declared to mean that there is no value.
        has_margins: its figures hold their margins; as copied text these are columns of their own.
        accessible_cell: what is read out of every cell, where none shows its text.
        accessible_rows: what is read out of each cell where it is more than its text; empty where
            no cell says more.
        accessible_dashes: what a dash is read out as in columns where it does not say that
            something is not stated, by their places.
        accessible_heads: what is read out of heads that show nothing, by their places.
        short: what the cells of a column say where the table has little room, by its place; may be
            in lines.
        is_short: whether they say it now.
        note: what is below the table where it is copied.
    """

    def __init__(
        self,
        heads: Sequence[str],
        right: Sequence[int] = (),
        bold: Sequence[int] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._heads = list(heads)
        self._right = set(right)
        self._bold = set(bold)
        self._rows: list[tuple[str, ...]] = []
        self._widths: dict[tuple[int, str, bool], int] = {}
        self.last_is_sum = self.has_margins = False
        self.hatched: set[int] = set()
        self._warned: frozenset[tuple[int, int]] = frozenset()
        self.missing: Set[tuple[int, int]] = frozenset()
        self.accessible_cell = ""
        self.accessible_rows: Sequence[Sequence[str]] = ()
        self.accessible_dashes: dict[int, str] = {}
        self.accessible_heads: dict[int, str] = {}
        self.short: dict[int, list[str]] = {}
        self._seconds: dict[int, list[str]] = {}
        self.is_short = False
        self.note = ""

    def set_rows(
        self,
        rows: Sequence[Sequence[str]],
        heads: Sequence[str] | None = None,
        right: Sequence[int] | None = None,
        bold: Sequence[int] | None = None,
    ) -> None:
        """Show other rows, under other heads where they are given."""
        self.beginResetModel()
        self._rows = [tuple(row) for row in rows]
        self._widths = {}
        self.hatched = set()
        self._warned = self.missing = frozenset()
        self.accessible_rows = ()
        self.short, self._seconds = {}, {}
        self.note = ""
        if heads is not None:
            self._heads = list(heads)
        self._right = self._right if right is None else set(right)
        self._bold = self._bold if bold is None else set(bold)
        self.endResetModel()

    @property
    def warned(self) -> Set[tuple[int, int]]:
        """Cells, as row and column, before whose text the sign of attention is."""
        return self._warned

    @warned.setter
    def warned(self, cells: Set[tuple[int, int]]) -> None:
        self._warned = frozenset(cells)
        self._widths = {}  # measured without the sign when the rows came

    @property
    def seconds(self) -> dict[int, list[str]]:
        """What is below a wrapped column's texts in quiet lines, by its place."""
        return self._seconds

    @seconds.setter
    def seconds(self, texts: dict[int, list[str]]) -> None:
        self._seconds = texts
        self._widths = {}

    def replace_column(self, column: int, texts: Sequence[str]) -> None:
        """Let a column say something else; what is selected stays."""
        rows = zip(self._rows, texts, strict=True)
        self._rows = [(*row[:column], text, *row[column + 1 :]) for row, text in rows]
        self._widths = {}
        if self._rows:
            ends = self.index(0, column), self.index(len(self._rows) - 1, column)
            self.dataChanged.emit(*ends)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, alignment or font of a cell; never raises."""
        row, column = index.row(), index.column()
        if not index.isValid() or row >= len(self._rows) or column >= len(self._rows[row]):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._shown(row, column)
        if role == WHOLE:
            return self._rows[row][column]
        if role == SECOND:
            return self._second(row, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            rows = self.accessible_rows or self._rows
            said = self.accessible_cell or self._spoken(rows[row][column], column)
            said = ", ".join(filter(None, (said, self._second(row, column))))
            if (row, column) in self.missing:
                said = self.tr("{0}, missing").format(said)
            is_warned = (row, column) in self.warned
            return self.tr("{0}, needs attention").format(said) if is_warned else said
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.FontRole:
            strong = (column in self._bold and row not in self.hatched) or self._is_sum(row)
            return font(Type.TEXT, semibold=strong, tabular=True)
        if role == SUM:
            return self._is_sum(row)
        if role == WARNED:
            return (row, column) in self.warned
        if role == MISSING:
            return (row, column) in self.missing
        return row in self.hatched if role == HATCHED else None

    def _spoken(self, text: str, column: int) -> str:
        """A dash alone is passed over by screen readers."""
        if text != NOTHING:
            return text
        return self.accessible_dashes.get(column) or self.tr("not stated")

    def _second(self, row: int, column: int) -> str:
        return self._seconds[column][row] if column in self._seconds else ""

    def _shown(self, row: int, column: int) -> str:
        is_cut = self.is_short and column in self.short
        return self.short[column][row] if is_cut else self._rows[row][column]

    def lines(self, row: int) -> int:
        """How many lines the cells of a row have that say less now, and 1 where none does."""
        shown = self.short.values() if self.is_short else ()
        return max((texts[row].count("\n") + 1 for texts in shown), default=1)

    def _is_sum(self, row: int) -> bool:
        return self.last_is_sum and row == len(self._rows) - 1

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Text or alignment of a head."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._heads):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.accessible_heads.get(section) or self._heads[section].replace("\n", ", ")
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column in self._right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def text_width(self, column: int) -> int:
        """How wide a column's texts are at most, of all rows, whether on show or not."""
        key = (column, QApplication.font().key(), self.is_short)
        if key not in self._widths:
            self._widths[key] = self._measure(column)
        return self._widths[key]

    def word_width(self, column: int) -> int:
        """How wide the longest word of a column is."""
        key = (column, f"{QApplication.font().key()} words", self.is_short)
        if key not in self._widths:
            texts = (row[column] for row in self._rows if column < len(row))
            both = (*texts, *self._seconds.get(column, ()))
            words = {word for text in both for word in text.split()}
            longest = nlargest(MEASURED, words, key=len)
            self._widths[key] = _widest(longest, column in self._bold)
        return self._widths[key]

    def _measure(self, column: int) -> int:
        own = (self._shown(place, column) for place, r in enumerate(self._rows) if column < len(r))
        if self.is_short and column in self.short:
            own = (line for text in own for line in text.split("\n"))
        texts = dict.fromkeys((*own, *self._seconds.get(column, ())))
        width = _widest(nlargest(MEASURED, texts, key=len), column in self._bold)
        signed = {self._shown(row, column) for row, place in self.warned if place == column}
        if signed:
            width = max(width, SIGN + _widest(signed, column in self._bold))
        total = self._rows[-1][column : column + 1] if self.last_is_sum and self._rows else ()
        return max(width, _widest(total, True))

    def as_text(self) -> str:
        """The table as tab-separated text with its heads."""
        group = number_style().group
        rows = [
            [": ".join(filter(None, (cell, self._second(row, n)))) for n, cell in enumerate(cells)]
            for row, cells in enumerate(self._rows)
        ]
        return copied_text(self._heads, rows, self._right, self.has_margins, group, self.note)


def _widest(texts: Iterable[str], semibold: bool) -> int:
    metrics = QFontMetrics(font(Type.TEXT, semibold=semibold, tabular=True))
    return max((metrics.horizontalAdvance(text.replace("\n", " ")) for text in texts), default=0)
