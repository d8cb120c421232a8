# SPDX-License-Identifier: Apache-2.0
"""Dialogs: only for the irreversible, the passphrase and files; the window behind is dimmed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.placing import fitted
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import NO_MARGINS, Radius, Space, Type, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.accessibility.heading import PAGE_LEVEL
from dpdesk.desk.widgets.buttons import Button, danger, primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.field import LineField, framed
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed, without_marks
from dpdesk.desk.widgets.layouts.aligned import AlignedColumn, AlignedRow
from dpdesk.desk.widgets.layouts.contents import parts
from dpdesk.desk.widgets.painting import box
from dpdesk.desk.widgets.pressing import RETURN
from dpdesk.desk.widgets.tab_stop import bring_on_show, scroll_to_keyboard

WIDTH = 490
LOW_WIDTH = 620
"""On a screen that is too low, a wider dialog wraps less."""
LOW_SCREEN = 480
"""On such a one, as at 200 %, each line counts."""
HIGH_WINDOW = 0.75
"""Of the screen's height: such a window has room enough for its dialogs."""
LOGO = "logo"
SHADOW, DARKEST = 24, 0.28
"""How far a dialog's shadow reaches, and how dark it is at the dialog's edge."""
NO_COMPOSITOR = ("xcb",)
"""Where a window may be opaque only: nothing shines through its corners, so they are square."""


def _scaled(width: int, most: int | None, window: QWidget | None) -> int:
    """A width that grows with large texts, as far as the window behind has room."""
    if most is None:
        room = width if window is None else window.window().width() - 2 * Space.GAP
        most = max(width, room)
    return min(round(width * max(1.0, scale())), most)


class DimOverlay(QWidget):
    """A veil over the window while a dialog is open."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._above = QRect()
        self.setGeometry(window.rect())
        window.installEventFilter(self)
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the window."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def shade(self, above: QRect) -> None:
        """Lay the shadow of what is open above, at a place on the screen."""
        place = above.translated(-self.mapToGlobal(QPoint(0, 0)))
        if place != self._above:
            self._above = place
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.DIM))
        if not self._above.isEmpty():
            self._paint_shadow(painter)
        painter.end()

    def _paint_shadow(self, painter: QPainter) -> None:
        """Lines around the dialog that grow fainter outwards."""
        ink = color(Role.DIM)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        around = QRectF(self._above.translated(0, Space.SMALL))
        for grown in range(SHADOW):
            ink.setAlphaF(DARKEST * (1 - grown / SHADOW) ** 2)
            painter.setPen(ink)
            radius = Radius.CARD + grown
            painter.drawRoundedRect(around.adjusted(-grown, -grown, grown, grown), radius, radius)


class _Box(QWidget):
    """The dialog's surface.

    Attributes:
        radius: of its corners.
    """

    radius: int = Radius.CARD

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), self.radius, Role.SURFACE, Role.LINE)
        painter.end()


class _Head(QWidget):
    """Icon, title and a sentence.

    Attributes:
        icon: its tile.
    """

    def __init__(self, title: str, text: str, icon: str, tone: Role) -> None:
        super().__init__()
        row = QHBoxLayout(self, spacing=Space.CARD, contentsMargins=NO_MARGINS)
        tile = Role.DANGER_TINT if tone is Role.DANGER else Role.TINT
        side = Space.ICON + 2
        # The program's own sign is a tile itself.
        is_sign = icon == LOGO
        self.icon = IconLabel(
            icon or "alert", tone, 2 * side if is_sign else side, None if is_sign else tile
        )
        row.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        self.icon.setHidden(not icon)
        words = QVBoxLayout(spacing=Space.SMALL)
        words.addWidget(headed(Label(title, Type.HEADING, semibold=True, wrap=True), PAGE_LEVEL))
        if text:
            words.addWidget(Label(text, wrap=True, rich=True))
        row.addLayout(words, 1)


WHOLE = 36
"""A name of so many letters without a space, as a signer's address, is not broken at a hyphen."""


class Dialog(QDialog):
    """A box in the middle of the dimmed window. Enter never presses the dangerous button.

    Args:
        title: a question, or what is to be typed.
        text: a sentence below.
        icon: icon name.
        tone: role of the icon; its tile has the matching tint.
        width: of its surface, at the usual font scaling.
        most_width: whatever the scaling, it is no wider.

    Attributes:
        body: layout for content.
        buttons: layout for buttons.
        danger_button: that of what cannot be undone.
    """

    def __init__(
        self,
        window: QWidget | None,
        title: str,
        text: str = "",
        icon: str = "",
        tone: Role = Role.ACCENT,
        width: int = WIDTH,
        most_width: int | None = None,
    ) -> None:
        super().__init__(window, Qt.WindowType.Dialog | Qt.WindowType.FramelessWindowHint)
        self._is_opaque = QGuiApplication.platformName() in NO_COMPOSITOR
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, not self._is_opaque)
        self.setModal(True)
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self.setAccessibleDescription(without_marks(text))
        self._dim: DimOverlay | None = None
        self.danger_button: Button | None = None
        self._least_width = _scaled(width, most_width, window)
        self.setFixedWidth(self._least_width)
        self.body = AlignedColumn(spacing=Space.SMALL)
        self.buttons = AlignedRow(spacing=Space.TIGHT)
        self.buttons.addStretch(1)
        self._content = QWidget()
        self._words = QVBoxLayout(self._content)
        self._scroll = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.viewport().setAutoFillBackground(False)
        self._head = _Head(title, text, icon, tone)
        self._is_low = self._is_scrolled = False
        self._safe: Button | None = None
        self._build_surface()

    def _build_surface(self) -> None:
        """The content scrolls where the screen is too low for it; the buttons stay."""
        words = self._words
        words.addWidget(self._head)
        words.addLayout(self.body)
        self._scroll.setWidget(self._content)
        self._content.setAutoFillBackground(False)
        self._content.installEventFilter(self)
        surface = _Box()
        if self._is_opaque:
            surface.radius = 0
        column = self._surface = QVBoxLayout(surface)
        column.addWidget(self._scroll, 1)
        column.addLayout(self.buttons)
        self._leave_room()
        outer = QVBoxLayout(self, contentsMargins=NO_MARGINS)
        outer.addWidget(surface)

    def _leave_room(self) -> None:
        """Around what is said and between its parts; little of it on a low screen."""
        side, between = (Space.CARD, Space.CARDS) if self._is_low else (Space.GAP, Space.CARD)
        # A scroll bar stands in the margin: fields end where the buttons below them do.
        right = max(0, side - self._bar_width) if self._is_scrolled else side
        self._words.setContentsMargins(side, side, right, 0)
        self._words.setSpacing(between)
        self._surface.setContentsMargins(Space.HAIR, Space.HAIR, Space.HAIR, between)
        self._surface.setSpacing(Space.SMALL if self._is_low else between)
        self.buttons.setContentsMargins(side, 0, side, 0)

    @property
    def _bar_width(self) -> int:
        return self._scroll.verticalScrollBar().sizeHint().width()

    @property
    def is_low(self) -> bool:
        """Whether the screen was too low for it."""
        return self._is_low

    def _be_low(self, room: QRect) -> None:
        """Do with a low screen: use its width."""
        self._is_low = True
        self._head.icon.hide()
        self._least_width = max(self._least_width, min(LOW_WIDTH, room.width() - 2 * SHADOW))
        self._leave_room()

    def add_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        """Show pairs of label and value in a quiet box."""
        card = Card(fill=Role.INSET)
        grid = QGridLayout(verticalSpacing=Space.SMALL)
        for line, (label, value) in enumerate(rows):
            named = Label(label, role=Role.TEXT_QUIET)
            shown = Label(value, semibold=True, wrap=len(value) > WHOLE or " " in value)
            # The first lines of both stand beside each other, however many the value has.
            top = Qt.AlignmentFlag.AlignTop
            named.setAlignment(top)
            shown.setAlignment(top | Qt.AlignmentFlag.AlignRight)
            grid.addWidget(named, line, 0, top)
            grid.addWidget(shown, line, 1)
        # A name breaks where it must, not because labels are given room that they don't need.
        grid.setColumnStretch(1, 1)
        card.body.addLayout(grid)
        self.body.addWidget(card)

    def add_safe(self, text: str) -> Button:
        """Add the button that changes nothing; it has the keyboard where nothing is to be typed."""
        made = secondary(text)
        made.setAutoDefault(False)
        made.clicked.connect(self.reject)
        self.buttons.addWidget(made)
        made.setFocus()
        self._safe = made
        return made

    def add_other(self, text: str) -> Button:
        """Add a button that leads elsewhere; what it does is connected to it."""
        made = secondary(text)
        made.setAutoDefault(False)
        self.buttons.addWidget(made)
        return made

    def add_danger(self, text: str, icon: str = "") -> Button:
        """Add the button of what cannot be undone."""
        self.danger_button = self._accepting(danger(text, before=icon))
        sentence = tr("Dialog", "Press the space bar: Enter never does what cannot be undone.")
        self._space_hint = Label(sentence, role=Role.TEXT_QUIET, wrap=True)
        self._space_hint.hide()
        self.danger_button.clicked.connect(self._space_hint.hide)
        self._words.addWidget(self._space_hint)
        return self.danger_button

    def add_primary(self, text: str) -> Button:
        return self._accepting(primary(text))

    def forget_errors(self, *fields: LineField) -> None:
        """Of fields that are looked at when the dialog is accepted: an edited one may be right."""
        for field in fields:
            field.edited.connect(lambda _text, field=field: field.set_error(""))

    @property
    def last_button(self) -> Button | None:
        """The button at the bottom right, of those on show."""
        row = (self.buttons.itemAt(at) for at in reversed(range(self.buttons.count())))
        shown = (item.widget() for item in row if item is not None)
        return next((one for one in shown if isinstance(one, Button) and one.isVisible()), None)

    def return_leads_to(self, at: QWidget) -> QWidget | None:
        """Where Return goes from a field: the next line to type in, else the last button.

        Args:
            at: what has the keyboard.

        Returns:
            ``None`` where Return belongs to what has the keyboard, or that button changes nothing.
        """
        if not isinstance(at, QLineEdit | QComboBox) or framed(at) is at:
            return None
        following = at.nextInFocusChain()
        while following not in (None, at) and self.buttons.indexOf(following) < 0:
            if _is_typed_in(following):
                return following
            following = following.nextInFocusChain()
        return None if self.last_button is self._safe else self.last_button

    def _heed_return(self, at: QWidget | None) -> None:
        """Go on from a field; what cannot be undone is reached so, and never pressed."""
        leads_to = None if at is None else self.return_leads_to(at)
        if self.danger_button is not None and at is self.danger_button:
            self._space_hint.show()
            announce(self.danger_button, self._space_hint.text())
        elif isinstance(leads_to, Button):
            self._press(leads_to)
        elif leads_to is not None:
            leads_to.setFocus(Qt.FocusReason.TabFocusReason)

    def _press(self, button: Button | None) -> None:
        """Press it, but what cannot be undone only gets the keyboard."""
        if button is not None and button is self.danger_button:
            button.setFocus(Qt.FocusReason.TabFocusReason)
        elif button is not None:
            button.click()

    def _accepting(self, made: Button) -> Button:
        made.setAutoDefault(False)
        made.setDefault(False)
        made.clicked.connect(self.accept)
        self.buttons.addWidget(made)
        return made

    def focusNextPrevChild(self, forward: bool) -> bool:
        """What Tab comes to is on show."""
        went = super().focusNextPrevChild(forward)
        scroll_to_keyboard()
        return went

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on and never spends; with Ctrl it presses the button at the bottom right."""
        if event.key() in RETURN:
            event.accept()
            if not event.isAutoRepeat():
                if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                    self._press(self.last_button)
                else:
                    self._heed_return(self.focusWidget())
            return
        window = self.parentWidget()
        if event.matches(QKeySequence.StandardKey.HelpContents) and window is not None:
            # The window behind has the handbook, and no shortcut of its own reaches it now.
            QCoreApplication.sendEvent(window.window(), event)
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Grow and shrink with what is said in it."""
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            # All layouts inside have reported their change by now. Invalidating them would ask
            # for another layout, and so on without end.
            self._words.activate()
            self._fit_to(self._content_height())
        return super().eventFilter(watched, event)

    def _needed_width(self, is_scrolled: bool = False) -> int:
        """As wide as was asked for and the screen has room, or as its longest word or buttons."""
        words = self._words.minimumSize().width() + (self._bar_width if is_scrolled else 0)
        inner = max(words, self.buttons.minimumSize().width())
        asked = min(self._least_width, self._room(0).width())
        return max(asked, inner + 2 * Space.HAIR)

    def needed_height(self) -> int:
        """What the wrapped content and the buttons ask for.

        Qt's own adjustment stops at two thirds of the screen, and a layout tells those around it
        what changed in it only when events come round again.
        """
        for layout in self._content.findChildren(QLayout):
            layout.invalidate()
        self._words.invalidate()
        self.setFixedWidth(self._needed_width())
        return self._content_height()

    def _content_height(self) -> int:
        # A scroll bar takes of the width what its margin gives: without it, a line more would fit,
        # the bar would go, and so on without end.
        width = self.width() - 2 * Space.HAIR - (self._bar_width if self._is_scrolled else 0)
        content = max(
            self._words.totalHeightForWidth(width), self._words.totalMinimumSize().height()
        )
        below = self._surface.spacing() + self._surface.contentsMargins().bottom()
        return content + self.buttons.sizeHint().height() + below + Space.HAIR

    def settle(self) -> None:
        """Be as high as is needed, or as the screen; in the window's middle."""
        self._fit_to(self.needed_height())

    def _fit_to(self, needed: int) -> None:
        room = self._room(needed)
        if needed > room.height() and not self._is_low:
            self._be_low(room)
            needed = self.needed_height()
            room = self._room(needed)
        if (needed > room.height()) is not self._is_scrolled:
            self._is_scrolled = not self._is_scrolled
            self._leave_room()
        self.setFixedHeight(min(needed, room.height()))
        self.setFixedWidth(self._needed_width(self._is_scrolled))
        window = self.parentWidget()
        if window is None:
            return
        window = window.window()
        place = QRect(QPoint(0, 0), self.size())
        place.moveCenter(window.mapToGlobal(window.rect().center()))
        place = fitted(place, room)
        self.move(place.topLeft())
        if self._dim is not None:
            self._dim.shade(place)

    def _room(self, needed: int) -> QRect:
        """What it may cover of the screen: as high as its window, with the veil above and below.

        It has all of the screen's height where it would have to scroll without it, where the screen
        is low, and where the window is much lower than the screen.
        """
        room, window = self.screen().availableGeometry(), self.parentWidget()
        if window is None or room.height() < LOW_SCREEN:
            return room
        place = window.window()
        behind = QRect(place.mapToGlobal(QPoint(0, 0)), place.size()).intersected(room)
        behind.adjust(0, Space.SMALL, 0, -Space.SMALL)
        is_high = behind.height() >= round(HIGH_WINDOW * room.height())
        if not is_high or behind.height() < needed <= room.height():
            return room
        return QRect(room.x(), behind.y(), room.width(), behind.height())

    def open(self) -> None:
        """Show in the middle of the dimmed window."""
        window = self.parentWidget()
        if window is not None:
            self._dim = DimOverlay(window.window())
        self._describe()
        self.settle()
        self._go_to_first_field()
        super().open()
        # Everything has its place only after the next layout.
        QTimer.singleShot(0, self, self._show_field)

    def _show_field(self) -> None:
        """Of what has the keyboard, all is on show, with the frame and the ring around it."""
        at = self.focusWidget()
        if at is not None:
            bring_on_show(framed(at))

    def _go_to_first_field(self) -> None:
        """Put the keyboard where typing begins, unless the dialog has put it somewhere itself."""
        if self.focusWidget() is not self._safe:
            return
        fields = self._content.findChildren(LineField)
        empty = (one for one in fields if one.edit.isEnabled() and not one.text)
        shown = [one for one in empty if one.isVisibleTo(self)]
        if shown:
            shown[0].edit.setFocus()

    def _describe(self) -> None:
        """A sentence above the fields is read out with the title, as one beside an icon is."""
        first = next(iter(parts(self.body)), None)
        if not self.accessibleDescription() and isinstance(first, Label) and first.buddy() is None:
            self.setAccessibleDescription(without_marks(first.text()))

    def done(self, result: int) -> None:
        """Take the veil away; what was typed goes with the dialog."""
        if self._dim is not None:
            self._dim.deleteLater()
            self._dim.hide()
            self._dim = None
        super().done(result)
        self.deleteLater()


def _is_typed_in(widget: QWidget) -> bool:
    """Whether it is a field of one line that can be typed in now."""
    if not isinstance(widget, QLineEdit) or framed(widget) is widget:
        return False
    return widget.isVisible() and widget.isEnabled() and not widget.isReadOnly()
