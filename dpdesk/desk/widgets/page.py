# SPDX-License-Identifier: Apache-2.0
"""The frame of every page: title, one line, scrollable content, foot."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.theme.metrics import (
    LOW_PAGE_BELOW,
    NARROW_PAGE_BELOW,
    NO_MARGINS,
    WIDEST_PAGE,
    Space,
    scale,
)
from dpdesk.desk.widgets.card import Hairline
from dpdesk.desk.widgets.footer import PageFooter
from dpdesk.desk.widgets.labels.label import Label, headed, quiet, title
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedColumn, AlignedRow
from dpdesk.desk.widgets.tab_stop import order_tab_stops

HEAD = Space.BUTTON + 2 * RING


class Page(QWidget):
    """A page.

    Attributes:
        body: layout for content.
        footer: the foot.
    """

    def __init__(self) -> None:
        super().__init__()
        self._title = title("")
        # Pages with and without buttons have their title at one height.
        self._title.setMinimumHeight(HEAD)
        self._line = quiet()
        self._actions = AlignedRow()
        self.body = AlignedColumn()
        self.footer = PageFooter()
        self._content = QWidget()
        self._put_on: QWidget | None = None
        self._is_narrow = False
        self._is_low = False
        self._build_frame()

    def _build_frame(self) -> None:
        inner = self._content
        column = QVBoxLayout(inner)
        head = self._page_head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        head.setSpacing(Space.SMALL)
        words = self._words = QVBoxLayout(spacing=Space.TIGHT)
        words.addWidget(self._title)
        head.addLayout(words, 1)
        head.addLayout(self._actions)
        whole = self._whole_width = QVBoxLayout(spacing=Space.HAIR)
        whole.addLayout(head)
        whole.addWidget(self._line)
        column.addLayout(whole)
        self.body.setSpacing(Space.CARDS)
        column.addLayout(self.body)
        column.addStretch(1)
        self._content_column = column
        self.scroll_area = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        self.scroll_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.scroll_area.setWidget(inner)
        # Its room is always there, and it is painted where there is something to scroll: what
        # wraps would wrap anew as it comes, and might not need it then.
        always = Qt.ScrollBarPolicy.ScrollBarAlwaysOn
        self.scroll_area.setVerticalScrollBarPolicy(always)
        self._leave_room()
        outer = QVBoxLayout(self, spacing=0, contentsMargins=NO_MARGINS)
        outer.addWidget(self.scroll_area, 1)
        outer.addWidget(self.footer)
        self.arrange_head()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the narrow form, and the low one, on the smallest screens."""
        narrow = event.size().width() < self.narrow_below()
        low = event.size().height() < round(LOW_PAGE_BELOW * max(1.0, scale()))
        if narrow != self._is_narrow:
            self._is_narrow = narrow
            self.set_narrow(narrow)
        if low != self._is_low:
            self._is_low = low
            self.set_low(low)
        self._leave_room()
        super().resizeEvent(event)
        self.arrange_head()

    def showEvent(self, event: QShowEvent) -> None:
        """What is beside the title may have changed since."""
        super().showEvent(event)
        self.arrange_head()

    def narrow_below(self) -> int:
        """A page of less width has the narrow form."""
        return round(NARROW_PAGE_BELOW * max(1.0, scale()))

    def set_narrow(self, narrow: bool) -> None:
        """Put below each other what is side by side, with less room around."""
        self._leave_room()
        self.arrange_head()

    def set_low(self, low: bool) -> None:
        """Take less height for what is around the content."""
        self.footer.set_low(low)

    @property
    def is_narrow(self) -> bool:
        """Whether it has little width."""
        return self._is_narrow

    @property
    def is_low(self) -> bool:
        """Whether it has little height."""
        return self._is_low

    def show_line(self, shown: bool) -> None:
        """Show the line below the title or not."""
        self._line.setVisible(shown)

    def _side_room(self) -> tuple[int, int, int]:
        """The margins at the left and at the right, and the scroll bar, which is within that."""
        least = Space.CARDS if self._is_narrow else Space.PAGE
        # On a large screen a page stays as wide as can be read, in the middle.
        over = self.width() - 2 * least - round(WIDEST_PAGE * scale())
        side = least + max(0, over) // 2
        bar = self.scroll_area.verticalScrollBar().sizeHint().width()
        return side, max(Space.TIGHT, side - bar), bar

    def _leave_room(self) -> None:
        """Around the content, and between the title and what it is about."""
        left, right, bar = self._side_room()
        self.footer.set_sides(left, right + bar)
        usual = Space.GAP - 2 if self._is_narrow else Space.CARD
        top = Space.CARDS - 2 if self._is_low else usual
        between = Space.SMALL if self._is_low else Space.CARDS + 2
        end = Space.SMALL if self._is_low else Space.CARDS
        self._content_column.setContentsMargins(left, top, right, end)
        self._content_column.setSpacing(between)

    def arrange_head(self) -> None:
        """In a narrow page the buttons stand below title and line where they don't fit beside."""
        stacked = self._is_narrow and not self._fits_beside(self.buttons_width())
        self._page_head.setDirection(stacking(stacked))
        # Below the title buttons begin at the left, whatever room there is.
        side = Qt.AlignmentFlag.AlignLeft if stacked else Qt.AlignmentFlag.AlignRight
        self._page_head.setAlignment(self._actions, side | Qt.AlignmentFlag.AlignVCenter)
        # Beside the buttons it would wrap; above them, where they stand below each other.
        wanted, other = self._whole_width, self._words
        if stacked:
            wanted, other = other, wanted
        if wanted.indexOf(self._line) < 0:
            other.removeWidget(self._line)
            wanted.addWidget(self._line)

    def _head_room(self) -> int:
        """How wide the content is."""
        return self.width() - sum(self._side_room())

    def buttons_width(self) -> int:
        """How wide the buttons at the title are, as they are named now."""
        # What is within another layout remembers its width until the page is laid out next.
        self._actions.invalidate()
        return self._actions.sizeHint().width()

    def fits_head(self, buttons: int) -> bool:
        """Whether there is room for buttons of a width, beside the title or below it."""
        return self._fits_beside(buttons) or (self._is_narrow and buttons <= self._head_room())

    def _fits_beside(self, buttons: int) -> bool:
        return self._title.sizeHint().width() + Space.CARDS + buttons <= self._head_room()

    def fill_height(self) -> None:
        """Let the content be as high as the page: what is long scrolls within it, not the page."""
        self._content_column.takeAt(self._content_column.count() - 1)
        self._content_column.setStretchFactor(self.body, 1)

    @property
    def shown(self) -> QWidget:
        """All that the page shows, whether scrolled to or not, without its foot."""
        return self._content

    def first_to_do(self) -> QWidget | None:
        """What the keyboard goes to when the page comes on show; ``None`` for the usual."""
        return None

    def focus_first(self) -> None:
        """Put the keyboard on the first thing to do: what goes on, or the first of the content."""
        control = self._put_on = self._first_control()
        if control is not None:
            control.setFocus(Qt.FocusReason.TabFocusReason)
            # What was just made has its place only after the next layout.
            QTimer.singleShot(0, self, self._scroll_to_focus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go a page up or down where nothing that has the keyboard does: to what takes none."""
        steps = QAbstractSlider.SliderAction
        ways: dict[int, QAbstractSlider.SliderAction] = {
            Qt.Key.Key_PageDown: steps.SliderPageStepAdd,
            Qt.Key.Key_PageUp: steps.SliderPageStepSub,
        }
        way = ways.get(event.key())
        if way is None:
            super().keyPressEvent(event)
            return
        self.scroll_area.verticalScrollBar().triggerAction(way)
        event.accept()

    def renew_first(self) -> None:
        """Put the keyboard on what is first now, where nobody has moved it since."""
        # Asked of the window, which knows it even while a dialog has the keyboard.
        if self.is_as_entered and self._put_on is not self._first_control():
            self.focus_first()

    @property
    def is_as_entered(self) -> bool:
        """Whether the keyboard is where the page put it."""
        return self._put_on is not None and self._put_on is self.window().focusWidget()

    def _first_control(self) -> QWidget | None:
        primary = self.footer.primary
        usual = primary if primary is not None and takes_keyboard(primary) else None
        return self.first_to_do() or usual or self._first_of_content()

    def _scroll_to_focus(self) -> None:
        control = QApplication.focusWidget()
        if control is not None and self._content.isAncestorOf(control):
            lay_out_now()
            room = self.scroll_area.viewport().height()
            below = control.mapTo(self._content, control.rect().bottomLeft()).y()
            if below + RING < room:
                # The title, which says where one is, shows wherever both have room.
                self.scroll_area.verticalScrollBar().setValue(0)
                return
            # What is around it shows, too; on a low screen not instead of the title.
            around = min(Space.PANEL // 2, room // 4)
            self.scroll_area.ensureWidgetVisible(control, 0, around)

    def _first_of_content(self) -> QWidget | None:
        return next((w for w in self._content.findChildren(QWidget) if takes_keyboard(w)), None)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes on in reading order, whatever was made when.

        Qt asks this, too, when what has the keyboard is disabled. What goes on is disabled while
        a file is read; the keyboard then stays on the page, and comes back (``renew_first``).
        """
        at = self._put_on
        if at is not None and at is self.window().focusWidget() and not at.isEnabled():
            self.focus_first()
            if self.window().focusWidget() is not at:
                return True
        order_tab_stops(self)
        return super().focusNextPrevChild(forward)

    def add_action(self, widget: QWidget) -> None:
        """Put a button at the right of the title."""
        self._actions.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def add_mark(self, widget: QWidget) -> None:
        """Put what is true of the whole page behind its title."""
        row = QHBoxLayout(spacing=Space.CARDS)
        self._words.removeWidget(self._title)
        row.addWidget(self._title)
        row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addStretch(1)
        self._words.insertLayout(0, row)

    def set_title(self, name: str) -> None:
        self._title.setText(name)
        self.setAccessibleName(name)

    def set_line(self, line: str) -> None:
        """Say more of it, quietly, below the title."""
        self._line.setText(line)

    def side_note(self, *parts: tuple[str, str]) -> QWidget:
        """A quiet column of (heading, text) pairs, for beside the forms."""
        note = QWidget()
        beside = QHBoxLayout(note, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        beside.addWidget(Hairline(upright=True))
        column = QVBoxLayout(spacing=Space.TIGHT)
        beside.addLayout(column, 1)
        for head, text in parts:
            column.addWidget(headed(Label(head, semibold=True, wrap=True)))
            column.addWidget(quiet(text))
            column.addSpacing(Space.CARDS)
        column.addStretch(1)
        return note


def stacking(narrow: bool) -> QBoxLayout.Direction:
    """Below each other where it is narrow, else side by side."""
    kind = QBoxLayout.Direction
    return kind.TopToBottom if narrow else kind.LeftToRight


def takes_keyboard(widget: QWidget) -> bool:
    """Whether Tab would stop at a widget."""
    by_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return by_tab and widget.isVisible() and widget.isEnabled()
