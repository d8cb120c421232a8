# SPDX-License-Identifier: Apache-2.0
"""What plots of released figures share: one height, and the mark of what is made up."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.desk.plots.plot_base import Plot
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.labels.made_up_mark import made_up


class ReleasedPlot(Plot):
    """A plot of one query's figures.

    Args:
        height: of the plot.
        made_up: the figures are a rehearsal's: dashed lines without a fill, and a word in the
            corner, so that no picture passes for a result.
    """

    def __init__(self, height: int, parent: QWidget | None = None, made_up: bool = False) -> None:
        super().__init__(height, parent)
        self._is_made_up = made_up
        self._mark = pg.LabelItem()
        self._mark.setParentItem(self.canvas.getPlotItem())
        self._put_mark(at_foot=False)
        # Of one height from the first: a page that is still too high would stretch it.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._drawn_for = (0.0, 0.0)
        self._view().sigResized.connect(lambda: self._fit())

    def name(self) -> str:
        return self.tr("Made-up figures") if self._is_made_up else self.tr("Released figures")

    def _view(self) -> pg.ViewBox:
        return self.canvas.getPlotItem().getViewBox()

    def _fit(self) -> None:
        """Draw again where there is another room: marks, labels and figures go by pixels."""
        room = (self._view().width(), self._view().height())
        if room != self._drawn_for:
            self._drawn_for = room
            self.outdate()

    def _put_mark(self, at_foot: bool) -> None:
        """The word is at the right, in the corner where no figure does."""
        corner = (1, 1) if at_foot else (1, 0)
        self._mark.anchor(itemPos=corner, parentPos=corner, offset=(0, -Space.HAIR))

    def _draw_mark(self) -> None:
        """The word in the corner, in the colours of now."""
        if self._is_made_up:
            self._mark.item.setFont(font(Type.QUIET, semibold=True))
            self._mark.setText(made_up(), color=color(Role.SECOND))

    def _line_style(self, is_noisy: bool) -> Qt.PenStyle:
        """Dashed is what is too noisy to use, or made up."""
        is_dashed = is_noisy or self._is_made_up
        return Qt.PenStyle.DashLine if is_dashed else Qt.PenStyle.SolidLine
