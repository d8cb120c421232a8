# SPDX-License-Identifier: Apache-2.0
"""The comparison as a table: a tick, the variable, what would be declared beside what is.

Each row is one item, so that a screen reader says it at once and Space ticks it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.desk.pages.columns.codebook.codebook_model import LINE, CodebookModel, Index
from dpdesk.desk.text.codebook_words import NOTHING, CodebookLine, DeclarationText
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Space, Type, font, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.style import paint_tick
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.labels.spread_text import line_step
from dpdesk.desk.widgets.painting import chosen_mark
from dpdesk.desk.widgets.pressing import RETURN
from dpdesk.desk.widgets.tab_stop import scroll_to_keyboard
from dpdesk.desk.widgets.tables.cell import wrapped

PAD = Space.SMALL
BOX = Space.ICON_CHIP
TICK = BOX + 2 * Space.CARDS
NAME_SHARE = 0.23
PROPOSED_SHARE = 0.41
MOST_LINES = 4
"""So many lines of a text are shown; all of it is said, and stands in the tooltip."""
ROOM_FOR_SENTENCES = 260
"""In a column that is less wide they would be stacks."""
MANY_TEXTS = 4096
A_TURN = 200
"""So many rows are laid out before keys and clicks have their turn."""


def places(width: int) -> tuple[QRect, QRect, QRect]:
    """Left edge and width of the variable, the proposed and the present declaration."""
    room = width - TICK
    name, proposed = round(room * NAME_SHARE), round(room * PROPOSED_SHARE)
    lefts = (TICK, TICK + name, TICK + name + proposed, width)
    first, second, third = (
        QRect(lefts[i], 0, lefts[i + 1] - lefts[i] - Space.CARDS, 0) for i in range(3)
    )
    return first, second, third


class CodebookList(QListView):
    """The table.

    Args:
        model: the changes.

    Signals:
        entered_by_key: Return was pressed.
    """

    entered_by_key = Signal()

    def __init__(self, model: CodebookModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        self.setItemDelegate(_RowDelegate(self))
        self.setAccessibleName(self.tr("Variables of the codebook"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Nothing moves when the bar comes and goes, and the heads stay above their columns.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        # A row takes a tenth of a millisecond, and a codebook has thousands.
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(A_TURN)
        self.viewport().setAutoFillBackground(False)
        register(self)

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Bring all of a row on show, or its beginning."""
        super().scrollTo(index, hint)
        place, bar = self.visualRect(index), self.verticalScrollBar()
        behind = place.bottom() + 1 - self.viewport().height()
        bar.setValue(bar.value() + max(0, min(behind, place.top())))

    def content_height(self, least: int, most: int) -> int:
        """The height of the rows, up to a number of pixels.

        A row that is cut shows the lines of its variable at least; of less, nothing is shown.

        Args:
            least: this many pixels where the rows are fewer.
            most: this many where they are more.
        """
        total, model = 0, self.model()
        for row in range(model.rowCount()):
            high = self.sizeHintForIndex(model.index(row, 0)).height()
            if total + high > most:
                return most if most - total >= least_of_row() or not total else total
            total += high
        return max(least, total)

    def follow_theme(self) -> None:
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return imports; Space ticks.

        The dialog follows the chosen row: on a low screen it is lower than the list.
        """
        if event.key() in RETURN:
            event.accept()
            if not event.isAutoRepeat():
                self.entered_by_key.emit()
            return
        super().keyPressEvent(event)
        scroll_to_keyboard()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.model().rowCount():
            painter = QPainter(self.viewport())
            painter.setFont(font(Type.TEXT))
            painter.setPen(color(Role.TEXT_QUIET))
            nothing = self.tr("No variable has this name.")
            painter.drawText(self.viewport().rect(), Qt.AlignmentFlag.AlignCenter, nothing)
            painter.end()


class CodebookHead(QWidget):
    """The heads above the columns."""

    def __init__(self, rows: CodebookList) -> None:
        super().__init__()
        self._rows = rows
        self.setFixedHeight(round(Space.BUTTON_SMALL * scale()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.INSET))
        painter.fillRect(0, self.height() - 1, self.width(), 1, color(Role.LINE))
        painter.setFont(font(Type.QUIET))
        painter.setPen(color(Role.TEXT_QUIET))
        heads = (self.tr("Variable"), self.tr("Would be declared"), self.tr("Declared now"))
        for place, text in zip(places(self._rows.viewport().width()), heads, strict=True):
            spot = QRect(place.left(), 0, place.width(), self.height() - 1)
            painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


class _RowDelegate(QStyledItemDelegate):
    """Paints a row; a click at its left, or Space, ticks it."""

    def __init__(self, view: CodebookList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        width = self._view.viewport().width()
        line = index.data(LINE)
        if not isinstance(line, CodebookLine):
            return QSize(width, 0)
        return QSize(width, 2 * PAD + _row_height(line, width))

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Tick or untick the row."""
        is_space = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space
        at_tick = (
            isinstance(event, QMouseEvent)
            and event.type() == QEvent.Type.MouseButtonRelease
            and event.button() == Qt.MouseButton.LeftButton
            and event.position().x() - option.rect.left() < TICK
        )
        if (is_space or at_tick) and isinstance(model, CodebookModel):
            model.toggle(index)
            return True
        return False

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line = index.data(LINE)
        if not isinstance(line, CodebookLine):
            return
        rect: QRect = option.rect
        painter.save()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        _paint_ground(painter, rect, selected)
        if selected:
            chosen_mark(painter, QRectF(rect))
        _paint_tick(painter, rect, index.data(Qt.ItemDataRole.CheckStateRole))
        name, proposed, now = (
            p.translated(rect.left(), rect.top() + PAD) for p in places(rect.width())
        )
        _paint_name(painter, name, line)
        below = _paint_side(painter, proposed, line.proposed, Role.TEXT)
        _paint_side(painter, now, line.now, Role.TEXT_QUIET)
        if proposed.width() < ROOM_FOR_SENTENCES * scale():
            below = _across(rect.width()).translated(rect.left(), rect.top() + PAD)
            below.translate(0, _columns_height(line, rect.width()))
        _paint_sentences(painter, below, line)
        painter.restore()


def _paint_ground(painter: QPainter, rect: QRect, is_chosen: bool) -> None:
    painter.fillRect(rect, color(Role.TINT if is_chosen else Role.SURFACE))
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(Role.LINE))


def least_of_row() -> int:
    """What a row shows at least: the variable, and how the two declarations compare."""
    return PAD + _step(Type.TEXT) + _step(Type.QUIET)


def _row_height(line: CodebookLine, width: int) -> int:
    """With what is to be said below what is proposed; where that is narrow, across the row."""
    _name, proposed, _now = (place.width() for place in places(width))
    high = _columns_height(line, width)
    if proposed < ROOM_FOR_SENTENCES * scale():
        return high + _said_height(line, _across(width).width())
    return max(high, _side_height(line.proposed, proposed) + _said_height(line, proposed))


def _across(width: int) -> QRect:
    """Where a sentence is that goes on across a row."""
    left = TICK + BOX + Space.TIGHT
    return QRect(left, 0, width - left - Space.CARDS, 0)


def _said_height(line: CodebookLine, room: int) -> int:
    return sum(_height(said, Type.QUIET) + Space.TIGHT for said in _sentences(line, room))


def _columns_height(line: CodebookLine, width: int) -> int:
    """Of the variable and both declarations."""
    _name, proposed, now = (place.width() for place in places(width))
    return max(
        _step(Type.TEXT) + _step(Type.QUIET),
        _side_height(line.proposed, proposed),
        _side_height(line.now, now),
    )


def _side_height(side: DeclarationText, room: int) -> int:
    """Of a declaration, two texts below each other."""
    return _height(_first(side, room), Type.TEXT) + _height(_second(side, room), Type.QUIET)


def _height(lines: tuple[str, ...], size: Type) -> int:
    return len(lines) * _step(size)


def _step(size: Type) -> int:
    return line_step(size, font(size))


def _first(side: DeclarationText, room: int) -> tuple[str, ...]:
    return _lines(side.first or NOTHING, room, Type.TEXT, scale())


def _second(side: DeclarationText, room: int) -> tuple[str, ...]:
    return _lines(side.second, room, Type.QUIET, scale()) if side.second else ()


@lru_cache(maxsize=MANY_TEXTS)
def _lines(text: str, room: int, size: Type, _scale: float) -> tuple[str, ...]:
    """A text as it wraps; the same few stand in hundreds of rows."""
    metrics = QFontMetrics(font(size))
    return tuple(wrapped(text, metrics, room, most=MOST_LINES))


def _sentences(line: CodebookLine, room: int) -> Iterator[tuple[str, ...]]:
    """What is to be said of a row, each sentence in its lines."""
    for text in line.below:
        yield _lines(text, room, Type.QUIET, scale())


def _paint_tick(painter: QPainter, rect: QRect, state: object) -> None:
    """A box where there is something to tick."""
    if state is None:
        return
    on = Qt.CheckState(state) == Qt.CheckState.Checked
    spot = QRectF(rect.left() + Space.CARDS, rect.top() + PAD + 1, BOX, BOX)
    paint_tick(painter, spot, on)


def _paint_name(painter: QPainter, place: QRect, line: CodebookLine) -> None:
    """The variable as it is in the file, and below how the two compare."""
    _text(painter, place, line.name, Type.TEXT, Role.TEXT, mono=True)
    top = place.top() + _step(Type.TEXT)
    spot = QRectF(place.left(), top + (_step(Type.QUIET) - BOX) / 2, BOX, BOX)
    icons.paint(painter, line.icon, line.role, spot)
    below = QRect(place.left(), top, place.width(), 0).adjusted(BOX + Space.TIGHT, 0, 0, 0)
    _text(painter, below, line.mark, Type.QUIET, line.role)


def _paint_side(painter: QPainter, place: QRect, side: DeclarationText, role: Role) -> QRect:
    """What is declared, and below in quiet what else it says; the place that follows."""
    parts = (
        (_first(side, place.width()), Type.TEXT, role if side.first else Role.TEXT_QUIET),
        (_second(side, place.width()), Type.QUIET, Role.TEXT_QUIET),
    )
    spot = QRect(place)
    for lines, size, shade in parts:
        for text in lines:
            _text(painter, spot, text, size, shade)
            spot.translate(0, _step(size))
    return spot


def _paint_sentences(painter: QPainter, place: QRect, line: CodebookLine) -> None:
    spot = QRect(place)
    for lines in _sentences(line, place.width()):
        spot.translate(0, Space.TIGHT)
        for text in lines:
            _text(painter, spot, text, Type.QUIET, Role.TEXT_QUIET)
            spot.translate(0, _step(Type.QUIET))


def _text(
    painter: QPainter, place: QRect, text: str, size: Type, role: Role, mono: bool = False
) -> None:
    """One line in the middle of its height, cut where there is no more room."""
    painter.setFont(font(size, mono=mono))
    painter.setPen(color(role))
    metrics = painter.fontMetrics()
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
    spot = QRect(place.left(), place.top(), place.width(), _step(size))
    painter.drawText(spot, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
