# SPDX-License-Identifier: Apache-2.0
"""The part of a dialog that scrolls where the screen is too low for all of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Hairline
from dpdesk.desk.widgets.layouts.fading_edges import fade_edges


class DialogScroll(QScrollArea):
    """Hairlines and edges that fade where what it shows goes on: no letters seem to be cut.

    Attributes:
        above, below: these, over the scroll bar, too.
    """

    def __init__(self) -> None:
        super().__init__(widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        fade_edges(self, Role.SURFACE)
        self.above, self.below = Hairline(), Hairline()
        for line in (self.above, self.below):
            line.setParent(self)
            line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._show_lines)
        bar.rangeChanged.connect(self._show_lines)
        self._show_lines()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The hairlines are as wide as it is."""
        super().resizeEvent(event)
        self.above.setGeometry(0, 0, self.width(), Space.HAIR)
        self.below.setGeometry(0, self.height() - Space.HAIR, self.width(), Space.HAIR)

    def _show_lines(self) -> None:
        bar = self.verticalScrollBar()
        for line, shows in (
            (self.above, bar.value() > bar.minimum()),
            (self.below, bar.value() < bar.maximum()),
        ):
            line.setVisible(shows)
            line.raise_()
