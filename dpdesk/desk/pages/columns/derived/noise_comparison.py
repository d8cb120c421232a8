# SPDX-License-Identifier: Apache-2.0
"""How much less noise a count of people needs than one of rows; from the row limit alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QWidget

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Space, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.privacy.planning.share_for_margin import margin_for
from dpdesk.study.model.amount import Share
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget

WIDTH, HEIGHT, CAP, DOT = 210, 18, 6, 3.5
"""Of an interval, its ends and its middle, in pixels."""


class NoiseComparison(Card):
    """Two intervals below each other; hidden where a person has one row only.

    Attributes:
        margins: of a count of rows and of one of people, at the same cost.
    """

    def __init__(self, state: DeskState) -> None:
        super().__init__()
        self.set_look(Role.TINT, Role.ACCENT)
        self.margins = _margins(state)
        unit, names = state.study.unit, words.names(state.study)
        limit = 1 if unit is None else unit.max_rows
        self.setVisible(limit > 1 and len(self.margins) > 1)
        if self.isHidden():
            return
        grid = QGridLayout(horizontalSpacing=Space.CARDS, verticalSpacing=Space.TIGHT)
        grid.setColumnStretch(4, 1)
        grid.addWidget(IconLabel("scales", Role.ACCENT), 0, 0)
        times = self.tr("A count of {0} has {1} times less noise: one row per {2} instead of {1}.")
        text = times.format(names.people, words.grouped(limit), names.person)
        grid.addWidget(Label(text, semibold=True, wrap=True), 0, 1, 1, 4)
        cost = words.amount(_share(state))
        for row, (named, margin) in enumerate(
            zip((names.rows, names.people), self.margins, strict=True), start=1
        ):
            grid.addWidget(quiet(self.tr("Count of {0}, for {1}").format(named, cost)), row, 1)
            grid.addWidget(MarginLine(margin / max(self.margins), row > 1), row, 2)
            grid.addWidget(Label(words.margin(margin), semibold=True), row, 3)
        self.body.addLayout(grid)
        self.setAccessibleName(text)


class MarginLine(QWidget):
    """A margin as a line between its ends; decoration: the number is beside it."""

    def __init__(self, part: Fraction, is_strong: bool) -> None:
        super().__init__()
        self._part, self._ink = float(part), Role.ACCENT if is_strong else Role.TEXT_QUIET
        self.setFixedSize(QSize(round(WIDTH * scale()), round(HEIGHT * scale())))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color(self._ink), 2.0))
        middle = QPointF(self.width() / 2, self.height() / 2)
        half = self._part * (self.width() / 2 - 2)
        left, right = middle.x() - half, middle.x() + half
        painter.drawLine(QLineF(left, middle.y(), right, middle.y()))
        for end in (left, right):
            painter.drawLine(QLineF(end, middle.y() - CAP, end, middle.y() + CAP))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(self._ink))
        painter.drawEllipse(middle, DOT, DOT)
        painter.end()


def _share(state: DeskState) -> Share:
    return study_edits.as_measure(study_edits.FIRST_SHARE, state.measure)


def _margins(state: DeskState) -> tuple[Fraction, ...]:
    """Of a count of rows and of people; empty while the study is not complete enough."""
    study = replace(state.study, columns=(), queries=(), tables=())
    study = replace(study, budget=study.budget or Budget("example"))
    counts = (Query("rows"), Query("people", of="people"))
    found = (margin_for(study, query, _share(state)) for query in counts)
    return tuple(margin for margin in found if margin)
