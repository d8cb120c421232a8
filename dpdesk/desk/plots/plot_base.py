# SPDX-License-Identifier: Apache-2.0
"""What plots share: the theme's colours, a sentence for screen readers, mostly a table twin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAction,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPen,
    QPicture,
)
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.plots.axes.number_axis import NumberAxis
from dpdesk.desk.plots.canvas import Canvas
from dpdesk.desk.plots.picture_heading import PictureHeading
from dpdesk.desk.plots.pictures import ask_save_picture, save_picture
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.accessibility.opener import open_menu
from dpdesk.desk.widgets.accessibility.role import set_role_of
from dpdesk.desk.widgets.buttons import icon_button, menu_button
from dpdesk.desk.widgets.tab_stop import read_as_laid_out
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel

pg.setConfigOption("antialias", True)
BEHIND, BEFORE = -200.0, 0.5
"""Depths: the room of what is drawn lies at -100."""
GRID = 255
"""How solid the lines of a grid are: of the theme's line colour."""
MOST_DRAWS = 3


class Plot(QWidget):
    """A plot alone; where its numbers stand as a table is up to who shows it.

    Subclasses draw in :meth:`draw`, which is called again when the theme changes: at once where the
    plot is seen, else before it is next painted or saved, as fifty hidden plots take most of a
    second.

    Attributes:
        canvas: the plot.
        axes: what makes the axis of each side.

    Signals:
        copy_wanted: Ctrl+C was pressed; the table is to be copied.
    """

    copy_wanted = Signal()
    axes: ClassVar[Mapping[str, Callable[[str], NumberAxis]]] = {
        "left": NumberAxis,
        "bottom": NumberAxis,
    }

    def __init__(self, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_outdated = False
        self.canvas = Canvas(self.axes, self._freshen)
        # A layout without a widget shows its first page at once, as a window of its own.
        self.canvas.setParent(self)
        set_role_of(self.canvas, QAccessible.Role.Graphic)
        self.setMinimumHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._height = height
        self._whose = ""
        self.lay_out()
        register(self)

    def lay_out(self) -> None:
        """Put the plot, and what else there is, into its place."""
        column = QVBoxLayout(self, contentsMargins=NO_MARGINS)
        column.addWidget(self.canvas, 0, Qt.AlignmentFlag.AlignTop)

    def sizeHint(self) -> QSize:
        return QSize(Space.PANEL, self._height)

    def say_whose(self, whose: str) -> None:
        """Say what the next figures are about, where other plots on the page are named the same."""
        self._whose = whose

    def describe(self, name: str, sentence: str) -> None:
        """Say what the plot shows, with its numbers."""
        name = f"{name}: {self._whose}" if self._whose else name
        for widget in (self, self.canvas):
            widget.setAccessibleName(name)
            widget.setAccessibleDescription(sentence)
        self.canvas.setToolTip(sentence)

    def draw(self) -> None:
        """Draw everything again in the colours of now."""

    def style_axis(self, side: str, shown: bool, grid: bool = False) -> pg.AxisItem:
        """Give an axis its font and colours."""
        self.canvas.setBackground(color(Role.SURFACE))
        item = self.canvas.getPlotItem()
        item.showAxis(side, shown)
        axis = item.getAxis(side)
        axis.setTickFont(font(Type.QUIET, tabular=True))
        axis.setTextPen(color(Role.TEXT_QUIET))
        axis.setPen(self.pen(Role.CONTROL if side == "bottom" else Role.LINE))
        axis.setStyle(tickLength=0, tickTextOffset=Space.SMALL)
        # As quiet on every axis: its own line may be darker.
        axis.setTickPen(self.pen(Role.LINE))
        axis.setGrid(GRID if grid else False)
        # Its lines lie behind what is drawn: pyqtgraph lays an axis over it.
        axis.setZValue(BEHIND if grid else BEFORE)
        return axis

    def name_axis(self, side: str, text: str) -> None:
        """Write what an axis counts beside its numbers, as large as they are; empty for nothing."""
        axis = self.canvas.getPlotItem().getAxis(side)
        size = f"{font(Type.QUIET).pixelSize()}px"
        axis.setLabel(text, **{"color": color(Role.TEXT_QUIET).name(), "font-size": size})
        axis.showLabel(bool(text))

    def follow_theme(self) -> None:
        """Draw in the colours of now."""
        self.outdate()

    def outdate(self) -> None:
        """Draw everything again before it is next painted."""
        self._is_outdated = True
        self.canvas.viewport().update()

    def _freshen(self) -> None:
        # What is drawn may give an axis another width, and so the bars another room.
        for _ in range(MOST_DRAWS):
            if self._is_outdated:
                self._is_outdated = False
                self.draw()

    def pen(
        self, role: Role, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine
    ) -> QPen:
        """A pen as wide on every screen: the plotting library's own widths are device pixels."""
        dots = self.canvas.dots or self.devicePixelRatioF()
        made: QPen = pg.mkPen(color(role), width=width * dots, style=style)
        return made

    def event(self, event: QEvent) -> bool:
        """Draw again on a screen of another resolution."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.outdate()
        return super().event(event)

    def settle_axes(self, *sides: str) -> None:
        """Give axes their final room now; by themselves they take it after the first paint."""
        item = self.canvas.getPlotItem()
        for side in sides:
            picture = QPicture()
            painter = QPainter(picture)
            painter.setFont(font(Type.QUIET, tabular=True))
            item.getAxis(side).generateDrawSpecs(painter)
            painter.end()
        item.layout.activate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the table."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            return
        super().keyPressEvent(event)

    def ask_save(self) -> None:
        """Ask where the picture goes, and write it there."""
        said = (self.canvas.accessibleDescription(),)
        ask_save_picture(self, self.canvas, PictureHeading(self.canvas.accessibleName(), said))

    def save(self, path: Path) -> bool:
        """Write the plot as PNG or, by its ending, as SVG or PDF.

        Returns:
            Whether the file was written.
        """
        return save_picture(self.canvas, path)


class PlotView(Plot):
    """A plot with its table twin.

    Attributes:
        table: the twin.
        tools: its buttons, which a card may take into its head.
    """

    def __init__(self, height: int, parent: QWidget | None = None) -> None:
        super().__init__(height, parent)
        self.as_table.toggled.connect(lambda on: self._stack.setCurrentIndex(int(on)))
        self.more.clicked.connect(self._open_menu)
        self.copy_wanted.connect(self.table.copy_all)

    def lay_out(self) -> None:
        """The buttons have a line of their own: nothing is drawn over them in either view."""
        self._model = RowsModel(())
        self.table = DataTable(self._model, self.tr("The plot as a table"))
        self.table.setParent(self)
        self.as_table = icon_button("table", self.tr("Show as table"))
        self.as_table.setCheckable(True)
        self.more = menu_button(self.tr("Save or copy"))
        self._stack = QStackedLayout()
        self._stack.addWidget(self.canvas)
        self._stack.addWidget(self.table)
        self.tools = QWidget()
        buttons = QHBoxLayout(self.tools, spacing=0, contentsMargins=NO_MARGINS)
        buttons.addWidget(self.as_table)
        buttons.addWidget(self.more)
        outer = QGridLayout(self, spacing=0, contentsMargins=NO_MARGINS)
        top_right = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight
        outer.addWidget(self.tools, 0, 0, top_right)
        outer.addLayout(self._stack, 1, 0)
        # Read out before the plot, as they stand above it.
        read_as_laid_out(self)

    def set_twin(self, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self._model.set_rows(rows, heads, range(1, len(heads)))

    def _open_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, work in (
            (self.tr("Copy as table"), self.table.copy_all),
            (self.tr("Save as picture…"), self.ask_save),
        ):
            action = QAction(text, menu)
            action.triggered.connect(lambda _on=False, work=work: work())
            menu.addAction(action)
        open_menu(menu, self.more)
