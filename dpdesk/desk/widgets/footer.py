# SPDX-License-Identifier: Apache-2.0
"""The foot of a page: back, where one stands, the primary button; progress in its place."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import glides
from dpdesk.desk.widgets.buttons import Button, link, secondary
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.flush import RING
from dpdesk.desk.widgets.pressing import press_by
from dpdesk.desk.widgets.spoken.announcing import announce
from dpdesk.desk.widgets.work_bar import WorkBar

MOST_BESIDE = 2
"""Lines beside the buttons of a sentence that has room above them in one."""
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
        self._bar = WorkBar()
        self._doing = Label(wrap=True)
        self._time_left = Label(role=Role.TEXT_QUIET)
        self._began = 0.0
        self._said = ""
        self._is_above = False
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
        column = self._usual = QVBoxLayout(usual, spacing=0)
        row = self._row = QHBoxLayout(spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        # Margins of a layout count also while nothing is in it: at the top it has none then.
        self._above = QHBoxLayout()
        self._above.setContentsMargins(self.back.ring_room, 0, RING, 0)
        column.addLayout(self._above)
        column.addLayout(row)
        row.addWidget(self.back)
        row.addSpacing(self.back.ring_room)
        row.addWidget(self._icon)
        self._beside = QHBoxLayout(contentsMargins=NO_MARGINS)
        self._beside.addWidget(self._sentence, 1)
        row.addLayout(self._beside, 1)
        # Without the sentence, the buttons keep to the right.
        row.addStretch(0)
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

    def least_width(self) -> int:
        """Pixels that its buttons need with their texts of now, also before they are laid out."""
        for layout in (self._buttons, self._row, self._usual, self._stack):
            layout.invalidate()
        return self.minimumSizeHint().width()

    def say(self, sentence: str, attention: bool = False) -> None:
        """Say where one stands, or why the primary button cannot be pressed."""
        self._said = sentence
        self._icon.setVisible(attention)  # a sentence with it stands beside it
        self._show_sentence()
        self._sentence.set_role(Role.TEXT if attention else Role.TEXT_QUIET)
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
        self._place_sentence()
        most = MOST_LINES * self._sentence.fontMetrics().lineSpacing()
        words = self._said.split(" ")
        shown = self._said
        while len(words) > 1 and self._needs(shown) > max(most, self._least):
            words.pop()
            shown = " ".join(words) + "\N{HORIZONTAL ELLIPSIS}"
        needed = self._needs(shown)
        if self._is_above:
            needed += self._above.contentsMargins().top() + self._row.sizeHint().height()
        self.setFixedHeight(self._least if needed <= self._least else needed + Space.SMALL)
        self._sentence.setText(shown)
        self._sentence.setVisible(bool(shown))
        self._sentence.setToolTip(self._said if shown != self._said else "")

    def _place_sentence(self) -> None:
        """In a narrow window a short sentence stands above: beside buttons it would be a stack."""
        self._set_above(self._icon.isHidden() and self._would_stack())

    def _would_stack(self) -> bool:
        room = self.width() - _across(self._usual) - _across(self._above)
        taken = self._buttons.sizeHint().width() + 2 * Space.SMALL
        if not self.back.isHidden():
            taken += self.back.sizeHint().width() + Space.SMALL
        line = self._needs("x", room)
        beside = self._needs(self._said, max(1, room - taken))
        return self._needs(self._said, room) <= line and beside > MOST_BESIDE * self._line()

    def _set_above(self, is_above: bool) -> None:
        if is_above == self._is_above:
            return
        self._is_above = is_above
        for layout in (self._above, self._beside):
            layout.removeWidget(self._sentence)
        (self._above if is_above else self._beside).addWidget(self._sentence, 1)
        top = Space.SMALL if is_above else 0
        self._above.setContentsMargins(self.back.ring_room, top, RING, 0)
        # About as much room below the buttons as above the sentence.
        self._row.setContentsMargins(0, 0, 0, Space.TIGHT if is_above else 0)

    def _line(self) -> int:
        """From one line of the sentence to the next."""
        return self._needs("x\nx", self.width()) - self._needs("x", self.width())

    def _needs(self, text: str, width: int = 0) -> int:
        """How high a text is within a width, or within the sentence's own."""
        sentence, most = self._sentence, QRect(0, 0, max(1, width or self._sentence.width()), 1)
        metrics = sentence.fontMetrics()
        high = metrics.boundingRect(most, Qt.TextFlag.TextWordWrap, text).height()
        return sentence.height_of(max(1, round(high / metrics.lineSpacing())))

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
            self._time_left.setText(self.tr("%n second(s) remaining", "", seconds))

    def stop_progress(self) -> None:
        """Show the usual foot again."""
        self._stack.setCurrentIndex(0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the hairline above."""
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), Space.HAIR, color(Role.LINE))
        painter.end()


def _across(layout: QBoxLayout) -> int:
    """The margins of a layout at its sides."""
    margins = layout.contentsMargins()
    return margins.left() + margins.right()
