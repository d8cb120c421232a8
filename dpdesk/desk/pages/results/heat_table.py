# SPDX-License-Identifier: Apache-2.0
"""A cross-table of released figures: each cell says its figure and its margin, colour helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from dpdesk.desk.plots.bar_labels import wrapped
from dpdesk.desk.text.result_words import too_noisy
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.labels.made_up_mark import made_up
from dpdesk.desk.widgets.labels.spread_text import line_step, paint_lines
from dpdesk.desk.widgets.painting import focus_ring, hatching
from dpdesk.desk.widgets.tables.painted_table import PaintedTable
from dpdesk.desk.widgets.tables.rows_model import ROOT, Index

ROW = 42
HEAD = 26
LEAST_COLUMN = 64
MOST_NAMES = 0.3
"""How much of the width the names of the rows may take."""
AIR = 4
"""Pixels beside the name of a column."""
CELL = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True)
class HeatCell:
    """One figure.

    Attributes:
        figure, margin: as they are read; the figure is a dash where it says nothing.
        heat: between 0 and 1, how much there is of it; ``None`` where it is not coloured.
        noisy: whether it is too noisy to use.
    """

    figure: str
    margin: str
    heat: float | None
    noisy: bool

    @property
    def accessible_text(self) -> str:
        text = f"{self.figure} {self.margin}".strip()
        return f"{text}, {too_noisy()}" if self.noisy else text


def heat_color(heat: float) -> QColor:
    low, high = color(Role.TINT), color(Role.HEAT)
    pairs = ((low.red(), high.red()), (low.green(), high.green()), (low.blue(), high.blue()))
    return QColor(*(round(a + heat * (b - a)) for a, b in pairs))


class _HeatModel(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.across: tuple[str, ...] = ()
        self.down: tuple[str, ...] = ()
        self.cells: list[list[HeatCell]] = []

    def show(
        self, across: Sequence[str], down: Sequence[str], cells: Sequence[Sequence[HeatCell]]
    ) -> None:
        self.beginResetModel()
        self.across, self.down = tuple(across), tuple(down)
        self.cells = [list(line) for line in cells]
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.down)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.across)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.cells):
            return None
        cell = self.cells[index.row()][index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return cell.accessible_text
        return cell if role == CELL else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        texts = self.across if orientation == Qt.Orientation.Horizontal else self.down
        is_said = role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
        return texts[section] if is_said and 0 <= section < len(texts) else None


class _Names(QHeaderView):
    """Names of rows or columns, quiet and without lines."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setMinimumSectionSize(Space.SMALL)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        across = self.orientation() == Qt.Orientation.Horizontal
        painter.fillRect(rect, color(Role.SURFACE))
        painter.setFont(font(Type.QUIET if across else Type.TEXT))
        painter.setPen(color(Role.TEXT_QUIET if across else Role.TEXT))
        text = str(self.model().headerData(section, self.orientation()) or "")
        side = Qt.AlignmentFlag.AlignHCenter if across else Qt.AlignmentFlag.AlignLeft
        place = rect.adjusted(0, 0, -Space.SMALL if not across else 0, 0)
        metrics = painter.fontMetrics()
        if across:
            lines = wrapped(text, place.width() - AIR, QFontMetricsF(metrics)).split("\n")
        else:
            lines = [metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())]
        size = Type.QUIET if across else Type.TEXT
        paint_lines(painter, QRectF(place), lines, size, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), color(Role.SURFACE))
        painter.end()
        super().paintEvent(event)


class _Delegate(QStyledItemDelegate):
    """Paints a cell: filled by its heat, or hatched where it is too noisy to use."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        cell: HeatCell = index.data(CELL)
        rect = QRectF(option.rect).adjusted(1, 1, -1, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        view = self.parent()
        is_made_up = isinstance(view, HeatTable) and view.is_made_up
        if cell.heat is not None and is_made_up:
            painter.setPen(QPen(color(Role.ACCENT), 1, Qt.PenStyle.DashLine))
        elif cell.heat is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(heat_color(cell.heat))
        else:
            painter.setPen(QPen(color(Role.CONTROL), 1, Qt.PenStyle.DashLine))
            ratio = painter.device().devicePixelRatioF()
            painter.setBrush(hatching(Role.LINE, Role.SURFACE, ratio=ratio))
        painter.drawRoundedRect(rect, Radius.FIELD / 2, Radius.FIELD / 2)
        self._paint_texts(painter, rect, cell)
        if isinstance(view, QTableView) and view.hasFocus() and view.currentIndex() == index:
            focus_ring(painter, rect, Radius.FIELD / 2, Role.TEXT)
        painter.restore()

    def _paint_texts(self, painter: QPainter, rect: QRectF, cell: HeatCell) -> None:
        bold = font(Type.TEXT, semibold=not cell.noisy, tabular=True)
        small = font(Type.SMALL, tabular=True)
        lines = [(cell.figure, bold), *([(cell.margin, small)] if cell.margin else [])]
        heights = [QFontMetrics(used).height() for _text, used in lines]
        top = rect.center().y() - sum(heights) / 2
        for (text, used), height in zip(lines, heights, strict=True):
            place = QRectF(rect.left() + 2, top, rect.width() - 4, height)
            if cell.noisy:
                # A ground of its own: hatching behind digits cannot be read.
                width = QFontMetrics(used).horizontalAdvance(text) + 2 * Space.HAIR
                ground = QRectF(place.center().x() - width / 2, top, width, height)
                painter.fillRect(ground, color(Role.SURFACE))
            painter.setFont(used)
            painter.setPen(color(Role.TEXT))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
            top += height


class HeatTable(PaintedTable):
    """A cross-table as wide as its card, all of it on show.

    Args:
        name: accessible name.
        made_up: its figures are a rehearsal's: cells are outlined and not filled, and its corner,
            where nothing else is, says so in every picture.
    """

    def __init__(self, name: str, made_up: bool = False) -> None:
        super().__init__(showGrid=False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.is_made_up = made_up
        self._model = _HeatModel()
        self.setModel(self._model)
        self.setAccessibleName(name)
        self.setItemDelegate(_Delegate(self))
        self.setHorizontalHeader(_Names(Qt.Orientation.Horizontal, self))
        self.setVerticalHeader(_Names(Qt.Orientation.Vertical, self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self._corner = self.findChild(QAbstractButton)
        if self._corner is not None:
            self._corner.installEventFilter(self)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        register(self)

    def show_cells(
        self, across: Sequence[str], down: Sequence[str], cells: Sequence[Sequence[HeatCell]]
    ) -> None:
        self._model.show(across, down, cells)
        self._fit_names()

    def _fit_names(self) -> None:
        across, down = self._model.across, self._model.down
        names = self._names_width(down)
        self.verticalHeader().setFixedWidth(names)
        room = (self.width() - names) / max(1, len(across)) - AIR
        quiet = QFontMetricsF(font(Type.QUIET))
        lines = max((wrapped(text, room, quiet).count("\n") for text in across), default=0)
        head = HEAD + line_step(Type.QUIET, font(Type.QUIET)) * lines
        self.horizontalHeader().setFixedHeight(head)
        self.setFixedHeight(head + ROW * len(down))

    def _names_width(self, down: Sequence[str]) -> int:
        metrics = QFontMetrics(font(Type.TEXT))
        names = (*down, *([made_up()] if self.is_made_up else []))
        widest = max((metrics.horizontalAdvance(text) for text in names), default=0)
        return min(widest + 2 * Space.SMALL, round(MOST_NAMES * max(self.width(), Space.PANEL)))

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._fit_names()

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_COLUMN * max(1, len(self._model.across)) // 2, HEAD)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The corner between the names is empty: no button of the style's is drawn there."""
        if watched is self._corner and event.type() == QEvent.Type.Paint:
            painter = QPainter(self._corner)
            painter.fillRect(self._corner.rect(), color(Role.SURFACE))
            if self.is_made_up:
                painter.setFont(font(Type.QUIET, semibold=True))
                painter.setPen(color(Role.SECOND))
                painter.drawText(self._corner.rect(), Qt.AlignmentFlag.AlignCenter, made_up())
            painter.end()
            return True
        return super().eventFilter(watched, event)

    def follow_theme(self) -> None:
        self.viewport().update()


class HeatLegend(QWidget):
    """What colour and hatching of the cells mean.

    Args:
        noisy: whether any cell is hatched.
    """

    def __init__(self) -> None:
        super().__init__()
        self._has_noisy = False
        self.setFixedHeight(Space.PAGE - Space.SMALL)
        self.setAccessibleName(self.tr("Darker cells contain more"))
        register(self)

    def say_noisy(self, has_noisy: bool) -> None:
        self._has_noisy = has_noisy
        self.updateGeometry()
        self.update()

    def _parts(self) -> tuple[str, str, str]:
        return self.tr("less"), self.tr("more"), too_noisy() if self._has_noisy else ""

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(font(Type.QUIET))
        words = sum(metrics.horizontalAdvance(text) for text in self._parts())
        swatches = 2 * Space.PAGE + 2 * Space.SMALL
        if self._has_noisy:
            swatches += Space.PAGE + 3 * Space.SMALL
        return QSize(words + swatches, self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(font(Type.QUIET))
        left = 0.0
        less, more, noisy = self._parts()
        left = self._word(painter, less, left)
        for step in range(2 * Space.PAGE):
            shade = heat_color(step / (2 * Space.PAGE))
            painter.fillRect(QRectF(left + step, 6, 1, self.height() - 12), shade)
        left = self._word(painter, more, left + 2 * Space.PAGE + Space.SMALL)
        if noisy:
            painter.setPen(QPen(color(Role.CONTROL), 1, Qt.PenStyle.DashLine))
            painter.setBrush(hatching(Role.LINE, Role.SURFACE, ratio=self.devicePixelRatioF()))
            painter.drawRect(QRectF(left + Space.SMALL, 5, Space.PAGE - 4, self.height() - 10))
            self._word(painter, noisy, left + Space.PAGE + 2 * Space.SMALL)
        painter.end()

    def _word(self, painter: QPainter, text: str, left: float) -> float:
        """Write a word; where what follows it begins."""
        painter.setPen(color(Role.TEXT_QUIET))
        width = painter.fontMetrics().horizontalAdvance(text)
        place = QRectF(left, 0, width + 2, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        return left + width + Space.SMALL

    def follow_theme(self) -> None:
        self.update()
