# SPDX-License-Identifier: Apache-2.0
"""One characteristic of a Table 1: what is figures of it, how accurate that is, and its share."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, scale
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.opener import open_menu
from dpdesk.desk.widgets.buttons import menu_button
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.study.model.amount import Share
from dpdesk.study.model.baseline.declared import BaselineTable

SHOWN, MARGIN, PART = 210, 116, 104
"""Widths of the columns behind the name, at the usual font scaling."""


def _cell(part: QWidget, side: Qt.AlignmentFlag | None, width: int) -> QWidget:
    """A part in a column: at one side of it, or as wide."""
    made = QWidget()
    made.setMinimumWidth(round(width * scale()))
    row = QHBoxLayout(made, spacing=0, contentsMargins=NO_MARGINS)
    row.addWidget(part, 0, side) if side is not None else row.addWidget(part)
    return made


class CharacteristicRow(QWidget):
    """One row.

    Attributes:
        shown: opens what is figures of the column.
        part: opens its part of the price.
        more: opens what else can be done with it.

    Signals:
        wanted: ``shown``, ``part``, ``bins``, ``up``, ``down`` or ``remove``.
    """

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._is_binned = False
        self._ends: set[str] = set()
        self.name = ElidedLabel(semibold=True)
        self.margin = ElidedLabel(Type.QUIET, Role.TEXT_QUIET)
        self.shown = Chip()
        self.part = Chip()
        self.more = menu_button(self.tr("More"))
        self._trouble = Label("", Type.QUIET, Role.DANGER, wrap=True)
        self._below = QWidget()
        self._build()
        self.shown.clicked.connect(lambda: self.wanted.emit("shown"))
        self.part.clicked.connect(lambda: self.wanted.emit("part"))
        self.more.clicked.connect(self._open_menu)

    def _build(self) -> None:
        row = QHBoxLayout(spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        row.addWidget(self.name, 1)
        row.addWidget(_cell(self.shown, Qt.AlignmentFlag.AlignLeft, SHOWN))
        row.addWidget(_cell(self.margin, None, MARGIN))
        row.addWidget(_cell(self.part, Qt.AlignmentFlag.AlignRight, PART))
        row.addWidget(self.more)
        below = QHBoxLayout(self._below, spacing=Space.TIGHT, contentsMargins=NO_MARGINS)
        icon = IconLabel("alert", Role.DANGER, Space.ICON_CHIP)
        below.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        below.addWidget(self._trouble, 1)
        self._below.hide()
        column = QVBoxLayout(self, spacing=0, contentsMargins=NO_MARGINS)
        column.addLayout(row)
        column.addWidget(self._below)

    @property
    def error(self) -> str:
        """What is wrong with it, as on show; empty where nothing is."""
        return self._trouble.text()

    def show_row(
        self, state: DeskState, table: BaselineTable, place: int, share: Share | None, wrong: str
    ) -> None:
        """Show a characteristic.

        Args:
            place: where it is in the table.
            share: what it has of the price, in the end.
            wrong: what is wrong with it, in a sentence.
        """
        one, study = table.characteristics[place], state.study
        self._is_binned = bool(one.edges)
        last = len(table.characteristics) - 1
        self._ends = ({"up"} if place == 0 else set()) | ({"down"} if place == last else set())
        name, figures = words.title_of(study, one.column), baseline_words.shown_figures(study, one)
        margin = baseline_words.margin_of(state, table, place)
        self.name.setText(name)
        self.shown.set_value(figures)
        self.margin.setText(margin)
        cost = words.amount(share) if share is not None else "–"
        about = "–" if share is None else words.localised(words.two_digits(share.as_fraction()))
        # A part that was set stands as it is; an equal one says that it is worked out.
        self.part.set_value(cost if one.share is not None else self.tr("≈ {0}").format(about))
        self._trouble.setText(wrong)
        self._below.setVisible(bool(wrong))
        self._speak(name, figures, margin, cost, wrong)

    def _speak(self, name: str, figures: str, margin: str, cost: str, wrong: str) -> None:
        shown = self.tr("{0}: shown are {1}").format(name, figures)
        self.shown.setAccessibleName(shown)
        self.shown.setAccessibleDescription(wrong or margin)
        self.part.setAccessibleName(self.tr("{0}: part of the price, {1}").format(name, cost))
        self.part.setToolTip(self.tr("Part of the price"))
        self.more.setAccessibleName(self.tr("More for {0}").format(name))

    def _open_menu(self) -> None:
        open_menu(self.make_menu(), self.more)

    def make_menu(self) -> QMenu:
        """What can be done with the row; the first cannot go up, the last cannot go down."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        ways = [("up", self.tr("Move up")), ("down", self.tr("Move down"))]
        if self._is_binned:
            ways.insert(0, ("bins", self.tr("Change the bins…")))
        for key, text in (*ways, ("remove", self.tr("Remove"))):
            action = QAction(text, menu)
            action.setEnabled(key not in self._ends)
            action.triggered.connect(lambda _on=False, key=key: self.wanted.emit(key))
            menu.addAction(action)
        return menu
