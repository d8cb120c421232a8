# SPDX-License-Identifier: Apache-2.0
"""Where the window goes: where it was, or in the middle, and never over the screen's edge.

A window's decorations are known only once the window manager has made them; until then there is
room for usual ones.
"""

from __future__ import annotations

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

USUAL_FRAME = QMargins(4, 30, 4, 4)
HANDLE = QSize(120, 40)
"""As much of a window must be on a screen that one can take hold of it."""


def place(window: QWidget, remembered: QRect) -> None:
    """Put a window that is not shown yet where it was, as large as it was and fits.

    At the first start on a screen that is smaller than it both ways it is maximised.

    Args:
        remembered: its content's place when it was closed; empty at the first start.
    """
    wanted = remembered if not remembered.isEmpty() else QRect(QPoint(0, 0), window.size())
    room = _room(wanted).marginsRemoved(USUAL_FRAME)
    if remembered.isEmpty():
        wanted.moveCenter(room.center())
    window.setGeometry(fitted(wanted, room))
    if remembered.isEmpty() and not room.size().isEmpty() and _is_smaller(room, wanted):
        # Nothing beside it is worth seeing, and the window manager knows its decorations.
        window.setWindowState(Qt.WindowState.WindowMaximized)


def _is_smaller(room: QRect, wanted: QRect) -> bool:
    return room.width() < wanted.width() and room.height() < wanted.height()


def keep_on_screen(window: QWidget) -> None:
    """Bring a shown window back whose frame goes over the screen's edge."""
    outer, inner = window.frameGeometry(), window.geometry()
    if window.isMaximized() or window.isFullScreen():
        return
    frame = QMargins(
        inner.left() - outer.left(),
        inner.top() - outer.top(),
        outer.right() - inner.right(),
        outer.bottom() - inner.bottom(),
    )
    room = _room(inner)
    if not room.contains(outer):
        window.setGeometry(fitted(inner, room.marginsRemoved(frame)))


def fit_on_screen(window: QWidget) -> None:
    """Let a window that was just shown cover no more than its screen, with a usual frame."""
    room = _room(window.geometry()).marginsRemoved(USUAL_FRAME)
    if not room.contains(window.geometry()):
        window.setGeometry(fitted(window.geometry(), room))


def fitted(wanted: QRect, room: QRect) -> QRect:
    """The rectangle nearest to one that is within another.

    >>> fitted(QRect(900, 50, 1280, 800), QRect(0, 0, 1366, 768)).getRect()
    (86, 0, 1280, 768)
    """
    size = wanted.size().boundedTo(room.size())
    left = min(max(wanted.left(), room.left()), room.left() + room.width() - size.width())
    top = min(max(wanted.top(), room.top()), room.top() + room.height() - size.height())
    return QRect(QPoint(left, top), size)


def _room(place: QRect) -> QRect:
    """What a window may cover of the screen that it is on; the first one's where on none."""
    for screen in QGuiApplication.screens():
        seen = screen.availableGeometry().intersected(place).size()
        if seen.width() >= HANDLE.width() and seen.height() >= HANDLE.height():
            return screen.availableGeometry()
    return QGuiApplication.primaryScreen().availableGeometry()
