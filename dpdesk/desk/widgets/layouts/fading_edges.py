# SPDX-License-Identifier: Apache-2.0
"""Edges of a scroll area that fade where what it shows goes on: nothing seems to be cut off."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from dpdesk.desk.theme.metrics import scale
from dpdesk.desk.theme.roles import Role, color

BELOW, ABOVE = 22, 10
"""Heights of the edges, at the usual font scaling: below a line of text and a little fades."""


def fading_below() -> int:
    """How high the lower edge is where there is more below."""
    return round(BELOW * scale())


def fading_above() -> int:
    """How high the upper edge is where there is more above."""
    return round(ABOVE * scale())


class FadingEdge(QWidget):
    """Lies over the upper or the lower edge of what an area shows; the mouse goes through.

    Args:
        area: the scroll area.
        ground: the colour around it.
        is_below: whether it is the lower edge.
    """

    def __init__(self, area: QAbstractScrollArea, ground: Role, is_below: bool) -> None:
        super().__init__(area)
        self._area = area
        self._ground = ground
        self._is_below = is_below
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(self._place)
        bar.rangeChanged.connect(self._place)
        area.viewport().installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the edge."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        """Lie at the edge where there is more behind it, and as high as that is at most."""
        bar, seen = self._area.verticalScrollBar(), self._area.viewport().geometry()
        behind = bar.maximum() - bar.value() if self._is_below else bar.value() - bar.minimum()
        most = fading_below() if self._is_below else fading_above()
        height = min(behind, most, seen.height() // 4)
        seen.setTop(seen.bottom() + 1 - height if self._is_below else seen.top())
        seen.setHeight(height)
        self.setGeometry(seen)
        self.setVisible(height > 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """From nothing to the ground."""
        ground, nothing = color(self._ground), QColor(color(self._ground))
        nothing.setAlpha(0)
        fade = QLinearGradient(0, 0, 0, self.height())
        fade.setColorAt(0, nothing if self._is_below else ground)
        fade.setColorAt(1, ground if self._is_below else nothing)
        painter = QPainter(self)
        painter.fillRect(self.rect(), fade)
        painter.end()


def edge_below(area: QAbstractScrollArea) -> int:
    """What lies over the lower part of what an area shows; nothing where its edges do not fade."""
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    fades = area.findChild(FadingEdge, options=direct) is not None
    return fading_below() if fades else 0


def fade_edges(area: QAbstractScrollArea, ground: Role) -> None:
    """Let both edges of an area fade into the ground around it where it can be scrolled on."""
    for is_below in (False, True):
        FadingEdge(area, ground, is_below)
