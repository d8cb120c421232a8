# SPDX-License-Identifier: Apache-2.0
"""The steps at the left: name, what is set, and how far each is."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QHBoxLayout,
    QSizePolicy,
    QSpacerItem,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.core.state import StepState
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color, is_dark
from dpdesk.desk.widgets.accessibility.role import set_role_of
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.desk.widgets.pressing import Pressed
from dpdesk.desk.widgets.tab_stop import one_tab_stop

MARK = 18
SMALL_MARK = 15
SIDE = 10
WORDS_LEFT = 11 + Space.ICON + 11
"""Where the lines beside the icon begin."""


class RailForm(Enum):
    """How much of the rail there is room for."""

    WIDE = auto()
    NARROW = auto()
    """The name below the icon."""
    ICONS = auto()
    """The name in the tooltip, and for screen readers."""


class RailItem(Pressed, QAbstractButton):
    """One step, or one of the pages below the steps.

    Args:
        name: the page's name.
        icon: icon name.
        has_state: whether it shows how far it is.

    Attributes:
        made_of: what its words were made of; ``None`` where they are made again each time.
    """

    made_of: object = None

    def __init__(
        self, name: str, icon: str, has_state: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self._has_state = has_state
        self._second = ""
        self._hint = ""
        self._state = StepState.NOT_YET
        self._count = 0
        self._form = RailForm.WIDE
        self.setText(name)
        self.setCheckable(True)
        self.setAutoExclusive(True)  # of a group: read out as one of several, no check box
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._describe()

    @property
    def state(self) -> StepState:
        return self._state

    def set_hint(self, hint: str) -> None:
        """Have the tooltip say what the second line means where there is room for it."""
        if hint != self._hint:
            self._hint = hint
            self._explain()

    def set_state(self, state: StepState, second: str, count: int = 0) -> None:
        """Show how far the step is, what is set, and how many things need attention."""
        if (state, second, count) == (self._state, self._second, self._count):
            return
        self._state, self._second, self._count = state, second, count
        self._describe()
        self.update()

    def set_form(self, form: RailForm) -> None:
        """Put the icon beside the name, above it, or in its place."""
        self._form = form
        self._describe()
        self.updateGeometry()
        self.update()

    def _describe(self) -> None:
        words = {
            StepState.DONE: self.tr("done"),
            StepState.NOT_YET: self.tr("not yet"),
            StepState.ATTENTION: self.tr("%n (needs|need) attention", "", self._count),
        }
        state = words[self._state] if self._has_state else ""
        self.setAccessibleName(self.text())
        said = [self._second, *([state] if state.casefold() != self._second.casefold() else [])]
        self.setAccessibleDescription(", ".join(filter(None, said)))
        self._explain()

    def _explain(self) -> None:
        """Have the tooltip say what cannot be read beside the icon, and nothing else."""
        if self._form is RailForm.WIDE:
            lines = ((self.text(), Type.TEXT, True), (self._second, Type.QUIET, False))
            cut = [text for text, size, bold in lines if self._is_cut(text, size, bold)]
            hidden = [self._hint or text if text == self._second else text for text in cut]
        else:
            name = [self.text()] if self._form is RailForm.ICONS else []
            hint = self._hint or self._second
            hidden = [*name, *([hint] if hint else [])]
        # Qt reads a tooltip out where there is no description: none that says the name again.
        self.setToolTip(": ".join(hidden))

    def _is_cut(self, text: str, size: Type, semibold: bool) -> bool:
        metrics = QFontMetrics(font(size, semibold=semibold))
        return metrics.horizontalAdvance(text) > self._room_for_words()

    def _room_for_words(self) -> int:
        """The width of the lines beside the icon, up to the mark."""
        return self.width() - WORDS_LEFT - (MARK + 14 if self._has_state else 6)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In less room there is more to explain."""
        super().resizeEvent(event)
        self._explain()

    def sizeHint(self) -> QSize:
        """Room for two lines, for the icon above the name, or for it alone."""
        if self._form is not RailForm.WIDE:
            below = 5 if self._form is RailForm.NARROW else 2
            return QSize(0, Space.ICON + below * Space.SMALL)
        plain = not self._has_state
        return QSize(Space.RAIL - 20, Space.RAIL_ITEM_PLAIN if plain else Space.RAIL_ITEM)

    def minimumSizeHint(self) -> QSize:
        """The whole name below the icon; beside it, a long one is cut."""
        if self._form is RailForm.WIDE:
            return QSize(0, Space.RAIL_ITEM_PLAIN)
        if self._form is RailForm.ICONS:
            return QSize(Space.ICON, Space.ICON + 2 * Space.SMALL)
        return QSize(self.narrow_width(), Space.ICON + Space.GAP)

    def narrow_width(self) -> int:
        """Room for the name below the icon."""
        metrics = QFontMetrics(font(Type.QUIET, semibold=True))
        return metrics.horizontalAdvance(self.text()) + 2 * Space.SMALL

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect())
        if self.isChecked():
            box(painter, whole.adjusted(1, 1, -1, -1), Radius.ITEM, Role.SURFACE, Role.LINE)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color(Role.ACCENT))
            bar = QRectF(0, whole.height() * 0.2, 3, whole.height() * 0.6)
            painter.drawRoundedRect(bar, 1.5, 1.5)
        elif self.underMouse() and self.isEnabled():
            # In dark a line's colour would be louder than the item that is chosen.
            pointed = Role.SURFACE if is_dark() else Role.LINE
            box(painter, whole.adjusted(1, 1, -1, -1), Radius.ITEM, pointed)
        if self._form is RailForm.WIDE:
            self._paint_wide(painter, whole)
        else:
            self._paint_narrow(painter, whole)
        if self.hasFocus():
            focus_ring(painter, whole, Radius.ITEM)
        painter.end()

    def _ink(self) -> Role:
        if not self.isEnabled():
            return Role.DISABLED
        quiet_step = self._has_state and self._state is StepState.NOT_YET and not self.isChecked()
        return Role.TEXT_QUIET if quiet_step else Role.TEXT

    def _paint_wide(self, painter: QPainter, whole: QRectF) -> None:
        tint = Role.ACCENT if self.isChecked() else self._ink()
        side = Space.ICON
        icons.paint(
            painter, self._icon, tint, QRectF(11, whole.center().y() - side / 2, side, side)
        )
        left, room = WORDS_LEFT, self._room_for_words()
        two = bool(self._second)
        half = whole.height() / 2
        name = QRectF(left, half - 19 if two else 0, room, 19 if two else whole.height())
        painter.setPen(color(self._ink()))
        painter.setFont(font(Type.TEXT, semibold=self.isChecked()))
        self._draw(painter, name, self.text())
        if two:
            painter.setPen(color(Role.TEXT_QUIET))
            painter.setFont(font(Type.QUIET))
            self._draw(painter, QRectF(left, half, room, 17), self._second)
        if self._has_state:
            spot = QRectF(whole.width() - MARK - 9, half - MARK / 2, MARK, MARK)
            self._paint_mark(painter, spot)

    def _paint_narrow(self, painter: QPainter, whole: QRectF) -> None:
        side, top = Space.ICON + 2, Space.SMALL
        tint = Role.ACCENT if self.isChecked() else self._ink()
        icon_box = QRectF(whole.center().x() - side / 2, top, side, side)
        icons.paint(painter, self._icon, tint, icon_box)
        if self._form is not RailForm.ICONS:
            painter.setPen(color(self._ink()))
            painter.setFont(font(Type.QUIET, semibold=self.isChecked()))
            place = QRectF(0, top + side, whole.width(), whole.height() - side - top - 2)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, self.text())
        if self._has_state:
            left = min(whole.center().x() + side / 2, whole.width() - SMALL_MARK)
            spot = QRectF(left, 3, SMALL_MARK, SMALL_MARK)
            self._paint_mark(painter, spot)

    def _draw(self, painter: QPainter, place: QRectF, text: str) -> None:
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, int(place.width()))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(place, flags, shown)

    def _paint_mark(self, painter: QPainter, spot: QRectF) -> None:
        if self._state is StepState.DONE:
            box(painter, spot, spot.width() / 2, Role.ACCENT)
            icons.paint(painter, "check", Role.ON_ACCENT, spot.adjusted(3.5, 3.5, -3.5, -3.5))
        elif self._state is StepState.ATTENTION:
            box(painter, spot, spot.width() / 2, Role.WARN_TINT, Role.WARN)
            painter.setPen(color(Role.WARN))
            painter.setFont(font(Type.SMALL, semibold=True))
            count = str(self._count) if self._count < 10 else "9+"
            painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, count)
        else:
            box(painter, spot.adjusted(1, 1, -1, -1), spot.width() / 2, None, Role.CONTROL)


class RailEntry(NamedTuple):
    """What an item is made of: the key of its page, and see :class:`RailItem`."""

    key: str
    name: str
    icon: str
    has_state: bool


class StepRail(QWidget):
    """The rail: the study's name, the steps, and the pages below them.

    Signals:
        page_picked: a page was chosen; carries its key.
    """

    page_picked = Signal(str)

    def __init__(self, entries: Sequence[RailEntry]) -> None:
        super().__init__()
        set_role_of(self, QAccessible.Role.Grouping)
        self._items: dict[str, RailItem] = {}
        self._group = QButtonGroup(self)
        self._title = Label(semibold=True, wrap=True, size=Type.TEXT)
        self._organisation = quiet()
        self._offline = QWidget()
        self._is_low = False
        self._form = RailForm.WIDE
        self._gap = QSpacerItem(0, Space.GAP)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(2)
        self._head = QWidget()
        self._build_head()
        self._column.addWidget(self._head)
        self._build_items(entries)
        self._column.addStretch(1)
        self._build_offline()
        self.setAccessibleName(self.tr("Steps"))
        self.set_form(RailForm.WIDE)

    def _build_head(self) -> None:
        column = QVBoxLayout(self._head)
        column.setContentsMargins(10, 0, 8, Space.SMALL)
        column.setSpacing(2)
        column.addWidget(self._title)
        column.addWidget(self._organisation)

    def _build_items(self, entries: Sequence[RailEntry]) -> None:
        for place, entry in enumerate(entries):
            if place and entries[place - 1].has_state and not entry.has_state:
                self._column.addItem(self._gap)
            self._add(*entry)
        one_tab_stop(self._group)

    def _add(self, key: str, name: str, icon: str, has_state: bool) -> None:
        item = RailItem(name, icon, has_state)
        item.setObjectName(f"rail-{key}")
        item.clicked.connect(lambda: self.page_picked.emit(key))
        self._group.addButton(item)
        self._items[key] = item
        self._column.addWidget(item)

    def _build_offline(self) -> None:
        row = QHBoxLayout(self._offline)
        row.setContentsMargins(10, 0, 4, 0)
        row.setSpacing(Space.SMALL)
        row.addWidget(IconLabel("lock", size=Space.ICON_CHIP), 0, Qt.AlignmentFlag.AlignTop)
        text = self.tr("Works offline. Nothing leaves this computer until you export it.")
        row.addWidget(quiet(text), 1)
        self._column.addWidget(self._offline)

    def item(self, key: str) -> RailItem:
        return self._items[key]

    def select(self, key: str) -> None:
        """Mark a page as the one on show; none where it has no place here."""
        if key in self._items:
            self._items[key].setChecked(True)
            return
        self._group.setExclusive(False)
        for item in self._items.values():
            item.setChecked(False)
        self._group.setExclusive(True)

    def set_study(self, title: str, organisation: str) -> None:
        self._title.setText(title or self.tr("Untitled study"))
        self._organisation.setText(organisation)
        self._organisation.setVisible(bool(organisation))

    def set_form(self, form: RailForm) -> None:
        """Use icons above names, or icons alone, for small windows."""
        self._form = form
        is_low = form is RailForm.ICONS
        side = 0 if is_low else SIDE
        top, end = (Space.TIGHT, 0) if is_low else (Space.CARD - 2, Space.CARDS)
        self._column.setContentsMargins(side, top, side, end)
        self._gap.changeSize(0, Space.TIGHT if is_low else Space.GAP)
        self._head.setVisible(form is RailForm.WIDE)
        self._offline.setVisible(form is RailForm.WIDE and not self._is_low)
        for item in self._items.values():
            item.set_form(form)
        self.setFixedWidth(self._width())

    def _width(self) -> int:
        if self._form is RailForm.WIDE:
            return Space.RAIL
        return Space.RAIL_ICONS if self._form is RailForm.ICONS else self._narrow_width()

    def _narrow_width(self) -> int:
        """Room for each name below its icon, however long a language makes it."""
        margins = self._column.contentsMargins()
        widest = max(item.narrow_width() for item in self._items.values())
        return max(Space.RAIL_NARROW, widest + margins.left() + margins.right())

    def set_low(self, low: bool) -> None:
        """Leave the last line out in low windows."""
        self._is_low = low
        self._offline.setVisible(not low and self._form is RailForm.WIDE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down move through the items."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        step = steps.get(Qt.Key(event.key()))
        items = list(self._items.values())
        focused = next((i for i, item in enumerate(items) if item.hasFocus()), None)
        if step is None or focused is None:
            super().keyPressEvent(event)
            return
        items[(focused + step) % len(items)].setFocus(Qt.FocusReason.TabFocusReason)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.RAIL))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), color(Role.LINE))
        gap, side = self._gap.geometry(), 2 * SIDE
        if gap.height() >= Space.CARDS:
            painter.fillRect(side, gap.center().y(), self.width() - 2 * side, 1, color(Role.LINE))
        painter.end()
