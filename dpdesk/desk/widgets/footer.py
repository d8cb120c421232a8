# SPDX-License-Identifier: Apache-2.0
"""The foot of a page: back, where one stands, the primary button; progress in its place."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget

from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import glides
from dpdesk.desk.widgets.buttons import Button, link, secondary
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.labels.spread_text import SpreadText
from dpdesk.desk.widgets.layouts.flush import RING
from dpdesk.desk.widgets.pressing import press_by
from dpdesk.desk.widgets.spoken.announcing import announce
from dpdesk.desk.widgets.work_bar import WorkBar

TELL_TIME_AFTER_S = 3.0
MOST_LINES = 5
"""Of the sentence: why the primary button cannot be pressed is read whole."""
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
        self._sentence.installEventFilter(self)
        # Where nothing is said it keeps its room, but is no empty text to screen readers.
        room = self._sentence.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self._sentence.setSizePolicy(room)
        self._measured = SpreadText(Type.TEXT)
        self._bar = WorkBar()
        self._doing = Label()
        self._time_left = Label(role=Role.TEXT_QUIET)
        self._began = 0.0
        self._said = ""
        self._least: int = Space.FOOTER
        self.cancel = secondary(self.tr("Cancel"))
        self.cancel.clicked.connect(self.cancelled)
        self._stack = QStackedLayout(self)
        self._buttons = QHBoxLayout()
        self._stack.addWidget(self._build_usual())
        self._stack.addWidget(self._build_progress())
        self.set_low(False)
        self.set_sides(Space.PAGE, Space.PAGE)

    def set_low(self, low: bool) -> None:
        """Take less height on a low screen; three lines still fit, and more make it higher."""
        self._least = Space.FOOTER_LOW if low else Space.FOOTER
        self._show_sentence()

    def set_sides(self, left: int, right: int) -> None:
        """Begin and end where the content above does."""
        self._usual.setContentsMargins(left - self.back.ring_room, 0, right - RING, 0)
        self._running.setContentsMargins(left, 0, right - RING, 0)

    def _build_usual(self) -> QWidget:
        usual = QWidget()
        row = self._usual = QHBoxLayout(usual)
        row.setSpacing(Space.SMALL)
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
        row.setSpacing(Space.CARDS)
        row.addWidget(self._doing)
        row.addWidget(self._bar, 1)
        row.addWidget(self._time_left)
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
        """Say where one stands, or why the primary button cannot be pressed."""
        self._said = sentence
        self._show_sentence()
        self._sentence.set_role(Role.TEXT if attention else Role.TEXT_QUIET)
        self._icon.setVisible(attention)
        if self.primary is not None:
            self.primary.setAccessibleDescription(sentence)

    @property
    def sentence(self) -> str:
        """What the footer says."""
        return self._said

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show as much of the sentence as there is room for, once the layout is done."""
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._show_sentence)
        return super().eventFilter(watched, event)

    def _show_sentence(self) -> None:
        """A long sentence makes the foot higher; what is longer yet ends in dots.

        The tooltip has it whole then.
        """
        most = MOST_LINES * self._sentence.fontMetrics().lineSpacing()
        words = self._said.split(" ")
        shown = self._said
        while len(words) > 1 and self._needs(shown) > max(most, self._least):
            words.pop()
            shown = " ".join(words) + "\N{HORIZONTAL ELLIPSIS}"
        needed = self._needs(shown)
        self.setFixedHeight(self._least if needed <= self._least else needed + Space.SMALL)
        self._sentence.setText(shown)
        self._sentence.setVisible(bool(shown))
        self._sentence.setToolTip(self._said if shown != self._said else "")

    def _needs(self, text: str) -> int:
        """How high a text is within the sentence's width."""
        sentence = self._sentence
        self._measured.put(text, sentence.font(), sentence.alignment())
        return self._measured.height(max(1, sentence.width()))

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
        if spent > TELL_TIME_AFTER_S and 0 < done < total:
            seconds = max(1, round(spent * (total - done) / done))
            self._time_left.setText(self.tr("%n second(s) left", "", seconds))

    def stop_progress(self) -> None:
        """Show the usual foot again."""
        self._stack.setCurrentIndex(0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the hairline above."""
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), Space.HAIR, color(Role.LINE))
        painter.end()
