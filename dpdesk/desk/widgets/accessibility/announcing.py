# SPDX-License-Identifier: Apache-2.0
"""What screen readers say by themselves: a change somewhere else than where the keyboard is.

Anyone who sees the window sees a banner come, an error below a field that was left, the budget turn
red. Anyone who hears it hears of nothing but what has the keyboard, unless it is announced.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QTableView, QToolTip, QWidget

from dpdesk.desk.text.translating import tr

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly
SETTLES_MS = 400
"""What changes with every key or step of a drag is said once it stays as it is."""
GIVES_BACK_MS = 150
"""In which a menu that was chosen from has given the keyboard back, by the X server's word."""
SHOWN_MS = 2000
"""As long as it takes to see it."""


class _Waiting(QTimer):
    """The sentence of one widget that is to be said next."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, singleShot=True)
        self._widget = widget
        self.sentence = ""
        self.timeout.connect(self._say)

    def _say(self) -> None:
        if self._widget.isVisible():
            say_now(self._widget, self.sentence)


def announce(widget: QWidget, sentence: str) -> None:
    """Have a sentence said after what is being said, if its widget is on show by then.

    Args:
        widget: what the sentence is about; of one widget the last sentence holds.
        sentence: as it is shown; nothing is said of an empty one.
    """
    waiting = next(iter(widget.findChildren(_Waiting, options=DIRECT)), None)
    if not sentence:
        if waiting is not None:
            waiting.stop()
        return
    waiting = waiting or _Waiting(widget)
    waiting.sentence = sentence
    waiting.start(SETTLES_MS)


def announce_copy(widget: QWidget) -> None:
    """Say that something is on the clipboard, and show it beside what has the keyboard."""
    show_done(widget, tr("Announcing", "Copied."))


def show_done(widget: QWidget, said: str) -> None:
    """Say what was done, and show it beside what has the keyboard, where the eye is."""
    announce(widget, said)
    # A menu that was chosen from gives the keyboard back first, which would take the words away.
    QTimer.singleShot(GIVES_BACK_MS, widget, lambda: _show(widget, said))


def _show(widget: QWidget, said: str) -> None:
    """Show a word or two for a moment, below the button that was pressed."""
    pressed = QApplication.focusWidget()
    near = pressed if isinstance(pressed, QAbstractButton) else widget
    spot = near.mapToGlobal(QPoint(0, near.height() if near is pressed else 0))
    QToolTip.showText(spot, said, near, QRect(), SHOWN_MS)


def say_now(widget: QWidget, sentence: str) -> None:
    """Hand a sentence to anyone who reads the screen out."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, sentence))


def say_current_cell(table: QTableView) -> None:
    """Say it after what Qt says of a table that got the keyboard."""
    QTimer.singleShot(0, table, lambda: _say(table))


def _say(table: QTableView) -> None:
    at = table.currentIndex()
    if not (at.isValid() and table.hasFocus() and QAccessible.isActive()):
        return
    event = QAccessibleEvent(table, QAccessible.Event.Focus)
    # Both heads are children, too, whether they are shown or not.
    width = table.model().columnCount() + 1
    event.setChild((at.row() + 1) * width + at.column() + 1)
    QAccessible.updateAccessibility(event)
