# SPDX-License-Identifier: Apache-2.0
"""Which rows of made-up people count under the study's row limit, and which are left out."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QAccessible, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.role import set_role_of
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.privacy.planning.row_limit import MadeUpPerson, made_up_people
from dpdesk.study.model.document import Study
from dpdesk.study.text.unit_names import UnitNames

DOT, APART = 15, 7
"""How wide a dot is, and how far from the next, in pixels."""
MOST_DOTS = 10
"""More rows of one person are not drawn; the words say how many there are."""
OUTLINE = 1.5


class DotRow(QWidget):
    """One person's rows: full where one counts, a dashed ring where it is left out.

    Decoration: the words beside it say the same.
    """

    def __init__(self, counts: Sequence[bool]) -> None:
        super().__init__()
        self._counts = tuple(counts)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        shown = min(len(self._counts), MOST_DOTS) + (len(self._counts) > MOST_DOTS)
        return QSize(round((shown * (DOT + APART) - APART) * scale()), round(DOT * scale()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        step, radius = (DOT + APART) * scale(), DOT * scale() / 2
        for place, does_count in enumerate(self._counts[:MOST_DOTS]):
            self._paint_dot(painter, QPointF(place * step + radius, radius), radius, does_count)
        if len(self._counts) > MOST_DOTS:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color(Role.TEXT_QUIET))
            for third in range(3):
                left = MOST_DOTS * step + (1 + 5 * third) * scale()
                painter.drawEllipse(QPointF(left, radius), OUTLINE, OUTLINE)
        painter.end()

    def _paint_dot(
        self, painter: QPainter, middle: QPointF, radius: float, does_count: bool
    ) -> None:
        if does_count:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color(Role.ACCENT))
        else:
            painter.setPen(QPen(color(Role.CONTROL), OUTLINE, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            radius -= OUTLINE / 2
        painter.drawEllipse(middle, radius, radius)


class RowLimitPicture(QWidget):
    """A line for each of some made-up people: their rows, and how many of them count."""

    def __init__(self) -> None:
        super().__init__()
        set_role_of(self, QAccessible.Role.Grouping)
        self._lines = QGridLayout()
        self._lines.setHorizontalSpacing(Space.GAP)
        self._lines.setVerticalSpacing(Space.CARDS)
        self._lines.setColumnStretch(1, 1)
        self._legend = FlowLayout(across=Space.CARD, down=Space.TIGHT)
        column = QVBoxLayout(self, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        column.addLayout(self._lines)
        column.addStretch(1)
        column.addLayout(self._legend)
        self._shown: object = None

    def show_limit(self, study: Study) -> None:
        """Show what the study's limit leaves out; of the data nothing is known here."""
        limit = study.unit.max_rows if study.unit is not None else 1
        names = words.names(study)
        if (limit, names) == self._shown:
            return
        self._shown = (limit, names)
        empty(self._lines)
        empty(self._legend)
        people = made_up_people(limit)
        for place, person in enumerate(people):
            self._add_person(place, person, names)
        made_up = self.tr("Made-up {0}; no data was read.").format(names.people)
        self._add_legend(True, self.tr("counts"))
        self._add_legend(False, self.tr("left out, at random"))
        self._legend.addWidget(Label(made_up, Type.QUIET, Role.TEXT_QUIET))
        self.setAccessibleName(self.tr("Row limit"))
        lines = (f"{_rows(one, names)}: {self._counted(one)}" for one in people)
        self.setAccessibleDescription("; ".join((*lines, made_up)))

    def _add_person(self, place: int, person: MadeUpPerson, names: UnitNames) -> None:
        is_cut = person.counted < person.rows
        counted = Label(self._counted(person), semibold=is_cut)
        self._lines.addWidget(Label(_rows(person, names), role=Role.TEXT_QUIET), place, 0)
        self._lines.addWidget(DotRow(person.counts), place, 1, Qt.AlignmentFlag.AlignVCenter)
        self._lines.addWidget(counted, place, 2, Qt.AlignmentFlag.AlignRight)

    def _counted(self, person: MadeUpPerson) -> str:
        numbers = words.grouped(person.counted), words.grouped(person.rows)
        if person.counted == 1:
            return self.tr("{0} of {1} counts").format(*numbers)
        return self.tr("{0} of {1} count").format(*numbers)

    def _add_legend(self, does_count: bool, text: str) -> None:
        entry = QWidget()
        row = QHBoxLayout(entry, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        row.addWidget(DotRow((does_count,)))
        row.addWidget(Label(text, Type.QUIET, Role.TEXT_QUIET))
        self._legend.addWidget(entry)


def _rows(person: MadeUpPerson, names: UnitNames) -> str:
    return f"{words.grouped(person.rows)} {names.row if person.rows == 1 else names.rows}"
