# SPDX-License-Identifier: Apache-2.0
"""Cards: what belongs together, on a surface with a hairline."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGroupBox,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.theme.metrics import NO_MARGINS, Radius, Space
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, heading
from dpdesk.desk.widgets.layouts.aligned import AlignedColumn
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.desk.widgets.painting import box, focus_ring


class Card(QGroupBox):
    """A box with padding; its content goes into ``body``.

    A group box, so that it is read out as a group; of Qt's own frame and title it has nothing.

    Args:
        title: card title; none where empty.
        fill: surface or inset.

    Attributes:
        body: the layout for content.
    """

    def __init__(
        self, title: str = "", fill: Role = Role.SURFACE, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setContentsMargins(0, 0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._fill = fill
        self._border = Role.LINE
        self._is_dashed = False
        self._edge: _Edge | None = None
        self._inner: QWidget | None = None
        self.body = AlignedColumn(self)
        self.body.setContentsMargins(Space.CARD, Space.CARD - 4, Space.CARD, Space.CARD - 4)
        self.body.setSpacing(Space.SMALL)
        if title:
            self.body.addWidget(self.head(title))

    def head(self, title: str) -> Label:
        """A heading for the card, which is read out as the group's name, too."""
        self.setAccessibleName(title)
        return heading(title)

    def set_look(self, fill: Role, border: Role) -> None:
        """Change surface and hairline, for selected or failed cards."""
        if (fill, border) != (self._fill, self._border):
            self._fill, self._border = fill, border
            self.update()

    @property
    def fill(self) -> Role:
        return self._fill

    @property
    def border(self) -> Role:
        return self._border

    def set_made_up(self) -> None:
        self._is_dashed = True
        self.set_look(self._fill, Role.SECOND)

    def set_padding(self, padding: int) -> None:
        """Change the padding on all sides; what then reaches the edge ends in its corners."""
        self.body.setContentsMargins(padding, padding, padding, padding)
        if padding < Radius.CARD // 2 and self._edge is None:
            self._edge = _Edge(self)

    def show_ring_of(self, part: QWidget) -> None:
        """Around the whole card, with its scroll bars, while a part that fills it has the keyboard.

        Of a card without padding.
        """
        self._inner = part
        part.installEventFilter(self)

    @property
    def has_ring(self) -> bool:
        """Whether what fills it has the keyboard."""
        return self._inner is not None and self._inner.hasFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Paint the ring or take it away."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut) and self._edge is not None:
            self._edge.update()
        return super().eventFilter(watched, event)

    def minimumSizeHint(self) -> QSize:
        return QWidget.minimumSizeHint(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """No room is taken by a frame."""
        QWidget.resizeEvent(self, event)
        if self._edge is not None:
            self._edge.lie_on_top()

    def changeEvent(self, event: QEvent) -> None:
        """Nor is any when the look changes."""
        QWidget.changeEvent(self, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole, width = QRectF(self.rect()), 1.5 if self._is_dashed else 1.0
        box(painter, whole, Radius.CARD, self._fill, self._border, width, self._is_dashed)
        painter.end()


class ListCard(Card):
    """A card with an icon beside its title, and one line below the other, each with a mark."""

    def __init__(self, icon: str, title: str) -> None:
        super().__init__()
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(IconLabel(icon, Role.ACCENT))
        head.addWidget(self.head(title), 1)
        self._lines = QVBoxLayout(spacing=Space.SMALL)
        self.body.addLayout(head)
        self.body.addLayout(self._lines)
        self.body.addStretch(1)

    def set_lines(self, icon: str, role: Role, texts: Sequence[str]) -> None:
        """Show other lines; they come as one widget, as Qt lays out a page for each that comes."""
        empty(self._lines)
        group = QWidget()
        column = QVBoxLayout(group, spacing=self._lines.spacing(), contentsMargins=NO_MARGINS)
        for text in texts:
            row = QHBoxLayout(spacing=Space.SMALL)
            row.addWidget(IconLabel(icon, role, Space.ICON_CHIP), 0, Qt.AlignmentFlag.AlignTop)
            row.addWidget(Label(text, wrap=True), 1)
            column.addLayout(row)
        self._lines.addWidget(group)


class _Edge(QWidget):
    """A card's corners and hairline, over what fills the card to its edge."""

    def __init__(self, card: Card) -> None:
        super().__init__(card)
        self._card = card
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.lie_on_top()

    def lie_on_top(self) -> None:
        """Cover the card, above whatever was put into it since."""
        self.setGeometry(self._card.rect())
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect())
        outside, inside = QPainterPath(), QPainterPath()
        outside.addRect(whole)
        line = whole.adjusted(0.5, 0.5, -0.5, -0.5)
        inside.addRoundedRect(line, Radius.CARD, Radius.CARD)
        painter.fillPath(outside - inside, color(self._ground()))
        painter.setPen(QPen(color(self._card.border), 1.0))
        painter.drawPath(inside)
        if self._card.has_ring:
            focus_ring(painter, whole, Radius.CARD)
        painter.end()

    def _ground(self) -> Role:
        """What is around the card: the page, a dialog or another card."""
        around = self._card.parentWidget()
        while around is not None and not isinstance(around, (Card, QDialog)):
            around = around.parentWidget()
        if isinstance(around, QDialog):
            return Role.SURFACE
        return Role.BG if around is None else around.fill


class Hairline(QFrame):
    """A line between parts of a card, or with ``upright`` between what is side by side."""

    def __init__(self, upright: bool = False) -> None:
        super().__init__(frameShape=QFrame.Shape.NoFrame)
        if upright:
            self.setFixedWidth(Space.HAIR)
        else:
            self.setFixedHeight(Space.HAIR)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.LINE))
        painter.end()
