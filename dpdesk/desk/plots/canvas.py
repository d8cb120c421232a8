# SPDX-License-Identifier: Apache-2.0
"""What plots draw on: a view of the values with an axis at some of its sides.

pyqtgraph's own plot makes, for every plot, the form of a menu that this program never opens: about
fifty widgets, which each change of language, look or text size then visits. With fifty plots that
was most of a turn of the window. Here a plot has what it shows and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsItem, QSizePolicy

from dpdesk.desk.plots.axes.number_axis import NumberAxis
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.painting import focus_ring

CELLS = {"left": (1, 0), "right": (1, 2), "top": (0, 1), "bottom": (2, 1)}
"""Row and column of each axis, around the view at (1, 1)."""
FIRST, MOST = 1, 100
"""How the room is shared: an axis takes what its labels need, the view all else."""


class PlotArea(pg.GraphicsWidget):
    """A view of values, its axes, and what is drawn in it.

    Named as in pyqtgraph's ``PlotItem``, of which it has the part that plots use.

    Args:
        axes: what makes the axis of each side; each is shown.

    Attributes:
        vb: the view.
        layout: of the view and its axes.
        items: what was added, in that order.
    """

    def __init__(self, axes: Mapping[str, Callable[[str], NumberAxis]]) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.items: list[QGraphicsItem] = []
        self.layout = QGraphicsGridLayout()
        self.layout.setContentsMargins(1, 1, 1, 1)
        self.layout.setSpacing(0)
        self.vb = pg.ViewBox(parent=self, enableMenu=False)
        self.vb.setMouseEnabled(False, False)
        self.layout.addItem(self.vb, 1, 1)
        self._axes = {side: kind(side) for side, kind in axes.items()}
        for side, axis in self._axes.items():
            axis.setParentItem(self)
            axis.linkToView(self.vb)
            axis.setFlag(QGraphicsItem.GraphicsItemFlag.ItemNegativeZStacksBehindParent)
            self.layout.addItem(axis, *CELLS[side])
        for place in range(3):
            share = MOST if place == 1 else FIRST
            self.layout.setRowStretchFactor(place, share)
            self.layout.setColumnStretchFactor(place, share)
        self.setLayout(self.layout)

    def getViewBox(self) -> pg.ViewBox:
        return self.vb

    def getAxis(self, side: str) -> NumberAxis:
        """The axis at a side.

        Raises:
            KeyError: for a side that has none.
        """
        return self._axes[side]

    def showAxis(self, side: str, shown: bool) -> None:
        """Show or hide an axis; a hidden one takes no room."""
        axis = self._axes[side]
        if shown:
            axis.show()
        else:
            axis.hide()

    def addItem(self, item: QGraphicsItem, ignoreBounds: bool = False) -> None:
        """Draw something at its values.

        Args:
            item: what is drawn.
            ignoreBounds: whether the view's range may leave it out.
        """
        self.items.append(item)
        self.vb.addItem(item, ignoreBounds=ignoreBounds)

    def removeItem(self, item: QGraphicsItem) -> None:
        """Draw something no longer; nothing happens where it was not drawn."""
        if item in self.items:
            self.items.remove(item)
            self.vb.removeItem(item)

    def clear(self) -> None:
        for item in list(self.items):
            self.removeItem(item)

    def plot(self, *values: Any, **look: Any) -> pg.PlotDataItem:
        """Draw a line, an area or points, as ``pyqtgraph.PlotDataItem`` takes them."""
        item = pg.PlotDataItem(*values, **look)
        self.addItem(item)
        return item

    def listDataItems(self) -> list[Any]:
        """Lines, areas, points and bars, in the order in which they were drawn."""
        return [i for i in self.items if hasattr(i, "implements") and i.implements("plotData")]


class Canvas(pg.GraphicsView):
    """A plot that the wheel does not zoom and the mouse does not move.

    Args:
        axes: what makes the axis of each side.
        freshen: draws what is out of date; called before anything of it is painted.

    Attributes:
        dots: of a picture that is being made, to one of the screen's; ``None`` on the screen.
    """

    def __init__(
        self, axes: Mapping[str, Callable[[str], NumberAxis]], freshen: Callable[[], None]
    ) -> None:
        self._freshen = freshen
        self.dots: float | None = None
        super().__init__(background=None)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._area = PlotArea(axes)
        self.setCentralItem(self._area)
        # The keyboard is the plot's: Qt lets the viewport take it too, and a reader hears of both.
        # As long as the plot stands for it, Qt also says of the viewport that it has the keyboard.
        self.viewport().setFocusProxy(None)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFrameShape(self.Shape.NoFrame)
        # Plots say themselves what they show; the scene's own items are nameless.
        self.viewport().setAccessibleName("")

    def getPlotItem(self) -> PlotArea:
        """The view, its axes, and what is drawn."""
        return self._area

    def plot(self, *values: Any, **look: Any) -> pg.PlotDataItem:
        """Draw a line, an area or points: :meth:`PlotArea.plot`."""
        return self._area.plot(*values, **look)

    def addItem(self, item: QGraphicsItem, ignoreBounds: bool = False) -> None:
        """Draw something at its values: :meth:`PlotArea.addItem`."""
        self._area.addItem(item, ignoreBounds)

    def setRange(self, **ranges: Any) -> None:
        """Show these values: ``pyqtgraph.ViewBox.setRange``."""
        self._area.vb.setRange(**ranges)

    def viewRange(self) -> list[list[float]]:
        """The values shown, across and up."""
        shown: list[list[float]] = self._area.vb.viewRange()
        return shown

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:
        """What scrolls to the keyboard shows all of the plot; nothing is typed in it."""
        if query == Qt.InputMethodQuery.ImCursorRectangle:
            return self.rect()
        return super().inputMethodQuery(query)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Paint the ring around all of it."""
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take all of the ring away: by itself Qt paints what has changed in the scene alone."""
        super().focusOutEvent(event)
        self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """No menu of the plotting library."""
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        self._freshen()
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            focus_ring(painter, QRectF(self.viewport().rect()), Space.LABEL)
            painter.end()

    def render(self, *where: Any) -> None:
        """Put the scene into a picture: marks as shapes, not as the screen's pixels of them."""
        self._freshen()
        items = [one for one in self.scene().items() if isinstance(one, pg.GraphicsItem)]
        for item in items:
            item.setExportMode(True, {"antialias": True})
        super().render(*where)
        for item in items:
            item.setExportMode(False)
