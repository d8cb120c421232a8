# SPDX-License-Identifier: Apache-2.0
"""The lines of one question as a chart: figures in words, and marks on one axis beside them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from dpdesk.desk.pages.comparison.chart_marks import Axis, Scale
from dpdesk.desk.pages.comparison.chart_table import FIGURES, MARKS, ChartTable, marks_room
from dpdesk.desk.pages.comparison.compared_rows import ComparedRow, heads
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.tables.cell import PAD

TICK_ROOM = 60
"""Pixels from one tick to the next."""
LEAST_MARKS, BEST_MARKS, MOST_MARKS = 120, 200, 420
MOST_NAME = 0.3
"""How much of the width names may take while the marks need more."""


class _AxisFoot(QWidget):
    """The numbers of the axis, below the marks."""

    def __init__(self, chart: ComparedChart) -> None:
        super().__init__()
        self._chart = chart
        self.setFixedHeight(QFontMetrics(font(Type.QUIET)).height() + Space.SMALL)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.SURFACE))
        painter.setFont(font(Type.QUIET, tabular=True))
        painter.setPen(color(Role.TEXT_QUIET))
        left, width = self._chart.marks_place()
        axis = self._chart.axis
        apart = width * float(axis.scale.step) / (axis.scale.high - axis.scale.low)
        apart -= Space.SMALL + painter.fontMetrics().horizontalAdvance("+10") / 2
        taken: list[QRectF] = []
        # 0 is never the one without its number, which has the unit where the others have room, too.
        for value in sorted(axis.scale.ticks(), key=abs):
            text = axis.text(value)
            if value == 0 and painter.fontMetrics().horizontalAdvance(text) > 2 * apart:
                text = text.removesuffix(axis.unit).strip()
            wide = painter.fontMetrics().horizontalAdvance(text) + Space.SMALL
            middle = axis.scale.place(value, left, width)
            place = QRectF(middle - wide / 2, 0, wide, self.height())
            if not any(place.intersects(other) for other in taken):
                taken.append(place)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()


class ComparedChart(QWidget):
    """A row a line of the question: both figures, their difference and where it is.


    Signals:
        copy_wanted: Ctrl+C was pressed; the table is to be copied.
    """

    copy_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.axis = Axis()
        self.view = ChartTable(self.axis)
        self.view.copy_wanted.connect(self.copy_wanted)
        self._foot = _AxisFoot(self)
        column = QVBoxLayout(self, spacing=0, contentsMargins=NO_MARGINS)
        column.addWidget(self.view)
        column.addWidget(self._foot)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        register(self)

    def show_rows(self, rows: Sequence[ComparedRow], unit: str, margin_unit: str) -> None:
        """Show the lines of one question, figures and margins of units, which may be empty."""
        self.axis.unit = unit
        self.view.show_rows(rows, unit, margin_unit)
        self._fit()

    def describe(self, name: str, sentence: str) -> None:
        self.view.setAccessibleName(name)
        self.view.setAccessibleDescription(sentence)

    def marks_place(self) -> tuple[float, float]:
        head = self.view.horizontalHeader()
        room = marks_room(QRectF(head.sectionViewportPosition(MARKS), 0, self._marks, 1))
        return room.left(), room.width()

    @property
    def _marks(self) -> int:
        return self.view.horizontalHeader().sectionSize(MARKS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(Space.PANEL, super().minimumSizeHint().height())

    def _fit(self) -> None:
        """Widths of the columns, then what the axis has room for, then the height."""
        head, side = self.view.horizontalHeader(), self.view.verticalHeader()
        for column, width in enumerate(self._widths()):
            self.view.setColumnHidden(column, width == 0)
            head.resizeSection(column, width)
        _left, room = self.marks_place()
        self.axis.scale = Scale.over(self.view.rows, int(room // TICK_ROOM))
        texts = (font(Type.TEXT, semibold=True), font(Type.QUIET))
        high = sum(QFontMetrics(used).height() for used in texts) + Space.SMALL
        side.setMinimumSectionSize(high)
        side.setDefaultSectionSize(high)
        self.view.setFixedHeight(head.sizeHint().height() + high * len(self.view.rows))
        self.setFixedHeight(self.view.height() + self._foot.height())
        self.view.viewport().update()
        head.viewport().update()
        self._foot.update()

    def _widths(self) -> list[int]:
        """The marks have what is over; where that is too little, names and verdicts wrap.

        Where it is too little even then, both figures give way: the table has them, too.
        """
        name, *figures, verdict, short = self._needed()
        whole = self.width()
        marks = whole - name - sum(figures) - verdict
        if marks < BEST_MARKS:
            name = min(name, max(round(MOST_NAME * whole), Space.RAIL_NARROW))
            marks = whole - name - sum(figures) - verdict
        if marks < LEAST_MARKS:
            marks, verdict = marks + verdict - short, short
        if marks < LEAST_MARKS:
            marks += figures[0] + figures[1]
            figures[0] = figures[1] = 0
        rest = max(0, marks - MOST_MARKS)
        return [name + rest, *figures, max(marks - rest, 1), verdict]

    def _needed(self) -> tuple[int, ...]:
        """Widest name, figures and verdict, and the last in two lines."""
        strong, plain = font(Type.TEXT, semibold=True, tabular=True), font(Type.TEXT)
        quiet = font(Type.QUIET, tabular=True)
        rows, words = self.view.rows, heads()
        names = _widest([row.name for row in rows], plain)
        figures = []
        for place in range(len(FIGURES)):
            shown = [(row.earlier, row.later, row.difference)[place] for row in rows]
            texts = _widest([one.text for one in shown], strong)
            figures.append(max(texts, _widest([one.margin for one in shown], quiet)))
        verdicts = [row.verdict for row in rows]
        parts = [part for text in verdicts for part in text.rsplit(" ", 1)]
        needed = [names, *figures, _widest(verdicts, strong), _widest(parts, strong)]
        titles = [*words, words[-1]]
        return tuple(
            max(one, _widest([title], quiet)) + 2 * PAD + Space.RING
            for one, title in zip(needed, titles, strict=True)
        )

    def follow_theme(self) -> None:
        self._fit()


def _widest(texts: Sequence[str], used: QFont) -> int:
    return max((QFontMetrics(used).horizontalAdvance(text) for text in texts), default=0)
