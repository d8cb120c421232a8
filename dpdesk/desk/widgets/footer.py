# SPDX-License-Identifier: Apache-2.0
"""The foot of a page: back, where one is, the primary button; progress in its place."""

from __future__ import annotations

import time

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import glides
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import Button, link, secondary
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.pressing import press_by
from dpdesk.desk.widgets.work_bar import WorkBar

SHOW_TIME_AFTER_S = 3.0
NEXT = ("Ctrl+Return", "Ctrl+Enter")
"""The keys of what a page is there for; what spends asks first, and takes neither."""
BACK = "Alt+Left"
"""As in a browser and in the handbook."""


class PageFooter(QWidget):
    """Back as a link, a sentence, secondary buttons, the primary at the right.

    Attributes:
        back: the link.
        primary: the loud button, once it was given.

    Signals:
        cancelled: Cancel was pressed while something runs.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.back = link(self.tr("Back"))
        self.back.hide()
        press_by(self.back, BACK)
        self.primary: Button | None = None
        self._icon = IconLabel("alert", Role.WARN)
        self._icon.hide()
        self._sentence = Label(role=Role.TEXT_QUIET, wrap=True)
        # Where nothing is said it keeps its room, but is no empty text to screen readers.
        room = self._sentence.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self._sentence.setSizePolicy(room)
        self._bar = WorkBar()
        self._doing = Label(wrap=True)
        self._time_left = Label(role=Role.TEXT_QUIET)
        self._began = 0.0
        self.cancel = secondary(self.tr("Cancel"))
        self.cancel.clicked.connect(self.cancelled)
        self._stack = QStackedLayout(self)
        self._buttons = QHBoxLayout()
        self._stack.addWidget(self._build_usual())
        self._stack.addWidget(self._build_progress())
        self.set_low(False)
        self.set_sides(Space.PAGE, Space.PAGE)

    def set_low(self, low: bool) -> None:
        """Take less height on a low screen; a long sentence makes it higher."""
        self.setMinimumHeight(Space.FOOTER_LOW if low else Space.FOOTER)

    def set_sides(self, left: int, right: int) -> None:
        """Begin and end where the content above does."""
        self._usual.setContentsMargins(left - self.back.ring_room, 0, right - RING, 0)
        self._running.setContentsMargins(left, 0, right - RING, 0)

    def _build_usual(self) -> QWidget:
        usual = QWidget()
        row = self._usual = QHBoxLayout(usual, spacing=Space.SMALL)
        row.addWidget(self.back)
        row.addSpacing(self.back.ring_room)
        row.addWidget(self._icon)
        row.addWidget(self._sentence, 1)
        self._buttons.setSpacing(Space.TIGHT)
        row.addLayout(self._buttons)
        return usual

    def _build_progress(self) -> QWidget:
        running = QWidget()
        row = self._running = QHBoxLayout(running)
        row.setSpacing(Space.GAP)
        # Above the bar words have the whole width: beside it long ones were cut off.
        column = QVBoxLayout(spacing=Space.LABEL)
        words = QHBoxLayout(spacing=Space.CARDS)
        words.addWidget(self._doing, 1)
        words.addWidget(self._time_left)
        column.addStretch(1)
        column.addLayout(words)
        column.addWidget(self._bar)
        column.addStretch(1)
        row.addLayout(column, 1)
        row.addWidget(self.cancel)
        return running

    def add_button(self, button: Button) -> Button:
        """Put a button at the right; the last one added is the rightmost."""
        self._buttons.addWidget(button)
        return button

    def set_primary(self, button: Button) -> Button:
        """Put the primary button at the right end; its key is the same on every page."""
        self.primary = self.add_button(button)
        press_by(button, *NEXT)
        return button

    def say(self, sentence: str, attention: bool = False) -> None:
        """Say where one is, or why the primary button cannot be pressed."""
        self._icon.setVisible(attention)
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        self._sentence.set_role(Role.TEXT if attention else Role.TEXT_QUIET)
        if self.primary is not None:
            self.primary.setAccessibleDescription(sentence)

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def start_progress(self, doing: str) -> None:
        """Show that something runs."""
        self._began = time.monotonic()
        self._doing.setText(doing)
        self._bar.setAccessibleName(doing)
        self._time_left.setText("")
        self._bar.begin()
        self._stack.setCurrentIndex(1)
        announce(self, doing)

    def show_progress(self, done: int, total: int) -> None:
        """Show how far it is; after three seconds also how long it will take.

        What follows when all is read takes as long as it takes: the bar runs again.
        """
        if done >= total > 0:
            self._time_left.setText("")
            if glides():
                self._bar.begin()
                return
        self._bar.show_done(done, total)
        spent = time.monotonic() - self._began
        if spent > SHOW_TIME_AFTER_S and 0 < done < total:
            seconds = max(1, round(spent * (total - done) / done))
            self._time_left.setText(self.tr("%n second(s) remaining", "", seconds))

    def stop_progress(self) -> None:
        """Show the usual foot again."""
        self._stack.setCurrentIndex(0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), Space.HAIR, color(Role.LINE))
        painter.end()
