# SPDX-License-Identifier: Apache-2.0
"""A field for one number that matters: sign, number in semibold, unit, steps up and down."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import NO_MARGINS, Type, font
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.line_edit import LineEdit
from dpdesk.desk.widgets.labels.label import Label

STEPPER = QSize(18, 14)
CHEVRON = 12
CURSOR = 6
"""Pixels that a line edit needs beside its text."""
MOST_DIGITS = 9
"""Longer texts scroll; up to that the unit gives way."""
REPEATS_AFTER_MS, REPEATS_EVERY_MS = 400, 60
_KEYS = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}


class NumberEdit(LineEdit):
    """A line edit as wide as its text, so that a unit can follow it.

    Signals:
        stepped: an arrow key was pressed; carries 1 or -1.
    """

    stepped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setFont(font(Type.CARD, semibold=True, tabular=True))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setTextMargins(0, 0, 0, 0)
        self._asked = 0
        self.textChanged.connect(self._ask_width)

    def _ask_width(self, text: str) -> None:
        """A figure of another width needs other room."""
        width = self.fontMetrics().horizontalAdvance(text)
        if width != self._asked:
            self._asked = width
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text() or "0")
        return QSize(width + CURSOR, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """The whole of any number that can be read: a figure without its end is another one."""
        most = MOST_DIGITS * self.fontMetrics().horizontalAdvance("0") + CURSOR
        return QSize(min(self.sizeHint().width(), most), super().minimumSizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down change the number."""
        step = _KEYS.get(Qt.Key(event.key()), 0)
        if step and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.stepped.emit(step)
        else:
            super().keyPressEvent(event)


class _Stepper(QAbstractButton):
    """One of the two small arrows; the keyboard has the arrow keys in the field instead."""

    def __init__(self, icon: str) -> None:
        super().__init__()
        self._icon = icon
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAutoRepeat(True)
        self.setAutoRepeatDelay(REPEATS_AFTER_MS)
        self.setAutoRepeatInterval(REPEATS_EVERY_MS)
        self.setFixedSize(STEPPER)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        ink = Role.ACCENT if self.underMouse() else Role.TEXT_QUIET
        spot = QRectF(0, 0, CHEVRON, CHEVRON)
        spot.moveCenter(QRectF(self.rect()).center())
        icons.paint(painter, self._icon, ink if self.isEnabled() else Role.DISABLED, spot)
        painter.end()


class StepField(LineField):
    """A field whose number is read at a glance and changed by steps.

    Args:
        label, hint: as of any field.
        sign: what is before the number.

    Attributes:
        up, down: the two arrows.

    Signals:
        stepped: the number is to become larger or smaller; carries 1 or -1.
    """

    stepped = Signal(int)

    def __init__(self, label: str, hint: str = "", sign: str = "") -> None:
        edit = NumberEdit()
        super().__init__(label, hint, edit=edit)
        self._sign = Label(sign, Type.CARD, semibold=True)
        self.frame.insert(self._sign)
        self._sign.setVisible(bool(sign))
        self.up = _Stepper("chevron-up")
        self.down = _Stepper("chevron-down")
        self.set_label(label)
        self.frame.end_with(self._build_steppers())
        for button, step in ((self.up, 1), (self.down, -1)):
            button.clicked.connect(lambda _on=False, step=step: self.stepped.emit(step))
        edit.stepped.connect(self.stepped)

    def _build_steppers(self) -> QWidget:
        both = QWidget()
        column = QVBoxLayout(both, spacing=0, contentsMargins=NO_MARGINS)
        column.addWidget(self.up)
        column.addWidget(self.down)
        return both

    def set_label(self, label: str) -> None:
        """Show another label; the arrows are called after it."""
        if label == self._label.text() and self.up.accessibleName():
            return
        super().set_label(label)
        self.up.setAccessibleName(self.tr("{0}: more").format(self.label))
        self.down.setAccessibleName(self.tr("{0}: less").format(self.label))

    def set_sign(self, sign: str) -> None:
        """Show another sign before the number."""
        self._sign.setText(sign)
        self._sign.setVisible(bool(sign))

    def allow_steps(self, allowed: bool) -> None:
        """Whether there is a number to step from."""
        for button in (self.up, self.down):
            button.setEnabled(allowed)
