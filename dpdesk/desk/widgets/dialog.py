# SPDX-License-Identifier: Apache-2.0
"""Dialogs: only for the irreversible, the passphrase and files; the window behind is dimmed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QGraphicsDropShadowEffect,
    QGridLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.theme.metrics import Radius, Space, Type
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.buttons import Button, danger, primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.icon_label import IconLabel
from dpdesk.desk.widgets.label import Label
from dpdesk.desk.widgets.painting import box

WIDTH = 490
SHADOW = 40


class Dim(QWidget):
    """A veil over the window while a dialog is open."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setGeometry(window.rect())
        window.installEventFilter(self)
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the window."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the veil."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.DIM))
        painter.end()


class _Box(QWidget):
    """The dialog's surface."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), Radius.CARD, Role.SURFACE, Role.LINE)
        painter.end()


class Dialog(QDialog):
    """A box in the middle of the dimmed window. Enter never presses the dangerous button.

    Args:
        title: a question, or what is to be typed.
        text: a sentence below.
        icon: icon name.
        tone: role of the icon; its tile has the matching tint.
        width: of its surface.

    Attributes:
        body: layout for content.
        buttons: layout for buttons.
    """

    def __init__(
        self,
        window: QWidget | None,
        title: str,
        text: str = "",
        icon: str = "",
        tone: Role = Role.ACCENT,
        width: int = WIDTH,
    ) -> None:
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setModal(True)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self._dim: Dim | None = None
        self.danger_button: Button | None = None
        surface = _Box()
        shadow = QGraphicsDropShadowEffect(surface, blurRadius=SHADOW)
        shadow.setOffset(0, Space.SMALL)
        shadow.setColor(QColor(color(Role.DIM)))
        surface.setGraphicsEffect(shadow)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(SHADOW, SHADOW, SHADOW, SHADOW)
        outer.addWidget(surface)
        surface.setFixedWidth(width)
        column = QVBoxLayout(surface)
        column.setContentsMargins(Space.GAP, Space.GAP, Space.GAP, Space.CARD)
        column.setSpacing(Space.CARD)
        column.addLayout(_head(title, text, icon, tone))
        self.body = QVBoxLayout(spacing=Space.SMALL)
        column.addLayout(self.body)
        self.buttons = QHBoxLayout(spacing=Space.TIGHT)
        self.buttons.addStretch(1)
        column.addLayout(self.buttons)

    def add_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        """Show pairs of label and value in a quiet box."""
        card = Card(fill=Role.INSET)
        grid = QGridLayout(verticalSpacing=Space.SMALL)
        for line, (label, value) in enumerate(rows):
            grid.addWidget(Label(label, role=Role.TEXT_QUIET), line, 0)
            shown = Label(value, semibold=True, wrap=True)
            shown.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(shown, line, 1)
        card.body.addLayout(grid)
        self.body.addWidget(card)

    def add_safe(self, text: str) -> Button:
        """Add the button that changes nothing; it has the keyboard."""
        made = secondary(text)
        made.setAutoDefault(False)
        made.clicked.connect(self.reject)
        self.buttons.addWidget(made)
        made.setFocus()
        return made

    def add_danger(self, text: str, icon: str = "") -> Button:
        """Add the button of what cannot be undone."""
        self.danger_button = self._accepting(danger(text, before=icon))
        return self.danger_button

    def add_primary(self, text: str) -> Button:
        """Add the button that goes on."""
        return self._accepting(primary(text))

    def _accepting(self, made: Button) -> Button:
        made.setAutoDefault(False)
        made.setDefault(False)
        made.clicked.connect(self.accept)
        self.buttons.addWidget(made)
        return made

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter never spends: it only presses the button that has the keyboard, if it is safe."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
            return
        super().keyPressEvent(event)

    def open(self) -> None:
        """Show in the middle of the dimmed window."""
        window = self.parentWidget()
        if window is not None:
            window = window.window()
            self._dim = Dim(window)
            self.adjustSize()
            middle = window.mapToGlobal(window.rect().center())
            self.move(middle - self.rect().center())
        super().open()

    def done(self, result: int) -> None:
        """Take the veil away; what was typed goes with the dialog."""
        if self._dim is not None:
            self._dim.deleteLater()
            self._dim.hide()
            self._dim = None
        super().done(result)
        self.deleteLater()


def _head(title: str, text: str, icon: str, tone: Role) -> QHBoxLayout:
    row = QHBoxLayout(spacing=Space.CARD)
    if icon:
        tile = Role.DANGER_TINT if tone is Role.DANGER else Role.TINT
        row.addWidget(IconLabel(icon, tone, Space.ICON + 2, tile), 0, Qt.AlignmentFlag.AlignTop)
    words = QVBoxLayout(spacing=Space.TIGHT)
    words.addWidget(Label(title, Type.HEADING, semibold=True, wrap=True))
    if text:
        words.addWidget(Label(text, wrap=True, rich=True))
    row.addLayout(words, 1)
    return row
