# SPDX-License-Identifier: Apache-2.0
"""One line of the list of columns: kind, title, name in the file, how far it is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from dpdesk.desk.core.state import DeskState, is_open
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space, Type, font, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.painting import box, chosen_mark, focus_ring
from dpdesk.desk.widgets.pressing import RETURN, Pressed
from dpdesk.study.model.columns import column_title
from dpdesk.study.suggest.identifiers import identifier_kind

HEIGHT, FIRST, SECOND = 45, 19, 17
"""Of an item and its two lines, where texts have their usual size."""
TEXT_FROM = 9 + Space.ICON_CHIP + 9
MARK, MARK_FROM = 18, 28
"""The side of a mark, and where it begins before the right edge."""
DERIVED_ICON = "sliders"
KIND_ICONS = {"number": "hash", "category": "tag", "yes-no": "switch", "date": "calendar"}

WARNED = ("direct", "quasi")
UNUSED = ("unused", *WARNED)


def item_height() -> int:
    """An item's height, with room for two lines of the user's size."""
    return larger(HEIGHT)


def larger(length: int) -> int:
    """A length that grows with larger texts."""
    return round(length * max(1.0, scale()))


class ColumnItem(Pressed, QAbstractButton):
    """A column of the file, used or not.

    Signals:
        picked: it was pressed; carries whether it is to be chosen beside the others, and whether
            all up to it are.
        entered: the mouse came.
    """

    picked = Signal(bool, bool)
    entered = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self._icon = "cross-circle"
        self._state = "unused"
        self._count = 0
        self._shown: object = None
        self._has_box = False
        self._is_chosen = False
        self._is_together = False
        self._pressed_how = (False, False)
        self._made_of = self._table = ""
        self._header = name
        self.second_line = name
        """What is below the title: a tag, what it is made of, or the name in the file."""
        self.setText(name)
        self.setCheckable(True)
        self.setAutoExclusive(True)  # of a group: read out as one of several, no check box
        self.clicked.connect(self._emit_picked)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(Space.RAIL, item_height())

    def show_choice(self, has_box: bool, is_chosen: bool, is_together: bool) -> None:
        """Show a box in place of the icon.

        Args:
            has_box: whether there is one.
            is_chosen: whether it is ticked, as that of a column alone on show is too.
            is_together: whether the column is one of several that are changed together.
        """
        shown = (has_box, is_chosen, is_together)
        if shown != (self._has_box, self._is_chosen, self._is_together):
            self._has_box, self._is_chosen, self._is_together = shown
            self._describe()
            self.update()

    @property
    def has_box(self) -> bool:
        """Whether the column can be ticked."""
        return self._has_box and self._state != "person"

    @property
    def is_chosen(self) -> bool:
        return self._is_chosen

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on the box, or with Ctrl, chooses beside the others; with Shift up to here."""
        keys = event.modifiers()
        on_box = self.has_box and event.position().x() < TEXT_FROM
        beside = on_box or bool(keys & Qt.KeyboardModifier.ControlModifier)
        self._pressed_how = (beside, bool(keys & Qt.KeyboardModifier.ShiftModifier))
        super().mousePressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Tell that the mouse came."""
        self.entered.emit()
        super().enterEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space chooses beside the others while Ctrl is held; arrows and Return are the list's."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, *RETURN):
            event.ignore()
            return
        beside = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        self._pressed_how = (beside, False)
        super().keyPressEvent(event)

    def _emit_picked(self) -> None:
        how, self._pressed_how = self._pressed_how, (False, False)
        self.picked.emit(*how)

    def render_state(self, state: DeskState) -> None:
        """Show what the state says of the column."""
        unit = state.study.unit
        column = state.study.column(self._name)
        made_of = "" if column is None else words.made_of(state.study, column)
        table, header = state.place_of(self._name)
        if (made_of, table, header) != (self._made_of, self._table, self._header):
            self._made_of, self._table, self._header = made_of, table, header
            self._shown = None
        if unit is not None and unit.person == self._name:
            self._put(self.tr("Person ID column"), "key", "person", 0)
        elif column is None:
            self._put_unused()
        else:
            problems = state.column_problems(self._name)
            wrong = sum(not is_open(problem) for problem in problems)
            how = "attention" if wrong else "open" if problems else "done"
            icon = DERIVED_ICON if made_of else KIND_ICONS[column.kind]
            self._put(column_title(column), icon, how, wrong or len(problems))

    def _put_unused(self) -> None:
        """What the header alone says; a column in use has its own marks."""
        kind = identifier_kind(self._header)
        if kind is not None and kind.is_direct:
            self._put(self._header, "warning", "direct", 0)
        elif kind is not None and kind.is_quasi:
            self._put(self._header, "alert", "quasi", 0)
        else:
            self._put(self._header, "cross-circle", "unused", 0)

    def _put(self, title: str, icon: str, state: str, count: int) -> None:
        if (title, icon, state, count) == self._shown:
            return
        self._shown = (title, icon, state, count)
        self.setText(title)
        self._icon, self._state, self._count = icon, state, count
        self._describe()
        self.setAccessibleName(self._accessible_text())
        tags = {
            "direct": self.tr("Identifies a person: do not use"),
            "quasi": self.tr("May help to identify a person"),
            "unused": self.tr("Not used"),
        }
        in_file = self._header if title != self._header else ""
        self.second_line = tags.get(state, self._made_of or in_file)
        in_table = tr("ColumnItem", "{0} in {1}").format(self._header, self._table)
        self.setToolTip(self._made_of or (in_table if self._table else self._header))
        self.update()

    def _accessible_text(self) -> str:
        """Title and name in the file, where they are two; the description says whose key it is."""
        if self._made_of:
            return f"{self.text()}, {self._made_of}"
        said = [] if self._state == "person" or self.text() == self._header else [self.text()]
        return ", ".join([*said, self._header, *filter(None, [self._table])])

    def _describe(self) -> None:
        count = self._count
        said = {
            "person": self.tr("person ID column"),
            "unused": self.tr("not used"),
            "direct": self.tr("not used; identifies a person: do not use"),
            "quasi": self.tr("not used; may help to identify a person"),
            "attention": self.tr("%n to fix", "", count),
            "open": self.tr("%n still to declare", "", count),
            "done": self.tr("declared"),
        }
        # Which one is on show the button says by itself: a reader calls it checked.
        several = [self.tr("one of several to change together")] if self._is_together else []
        self.setAccessibleDescription(", ".join([said[self._state], *several]))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect())
        if self.isChecked() or self._is_chosen:
            box(painter, whole.adjusted(0, 1, 0, -1), Radius.FIELD, Role.TINT)
        if self.isChecked():
            chosen_mark(painter, whole.adjusted(0, Space.SMALL, 0, -Space.SMALL))
        side = Space.ICON_CHIP
        spot = QRectF(9, whole.center().y() - side / 2, side, side)
        warns = self._state == "direct"
        if self.has_box:
            self._paint_box(painter, spot)
        else:
            icons.paint(painter, self._icon, Role.WARN if warns else Role.TEXT_QUIET, spot)
        used = self._state not in UNUSED
        left, half = TEXT_FROM, whole.height() / 2
        painter.setPen(color(Role.TEXT if used else Role.TEXT_QUIET))
        painter.setFont(font(Type.TEXT, semibold=used and self.isChecked()))
        line = larger(FIRST)
        top = half - (line if self.second_line else line / 2)
        # In the middle: names of one family differ at their ends.
        middle = Qt.TextElideMode.ElideMiddle
        self._draw(painter, QRectF(left, top, self.room, line), self.text(), middle)
        painter.setPen(color(Role.WARN if warns else Role.TEXT_QUIET))
        painter.setFont(font(Type.QUIET))
        self._draw(painter, QRectF(left, half, self.room, larger(SECOND)), self.second_line)
        place = QRectF(whole.width() - MARK_FROM, half - MARK / 2, MARK, MARK)
        self._paint_mark(painter, place)
        if self.hasFocus():
            focus_ring(painter, whole, Radius.FIELD)
        painter.end()

    @property
    def room(self) -> int:
        """How wide its texts may be."""
        used = self._state not in UNUSED
        return self.width() - TEXT_FROM - (MARK_FROM + Space.RING if used else Space.TIGHT)

    def _paint_box(self, painter: QPainter, spot: QRectF) -> None:
        ground = Role.ACCENT if self._is_chosen else Role.SURFACE
        box(painter, spot, Space.TIGHT, ground, ground if self._is_chosen else Role.CONTROL)
        if self._is_chosen:
            icons.paint(painter, "check", Role.ON_ACCENT, spot.adjusted(2, 2, -2, -2))

    def _draw(
        self,
        painter: QPainter,
        place: QRectF,
        text: str,
        cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        shown = painter.fontMetrics().elidedText(text, cut, int(place.width()))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)

    def _paint_mark(self, painter: QPainter, spot: QRectF) -> None:
        if self._state == "done":
            icons.paint(painter, "check", Role.ACCENT, spot.adjusted(1, 1, -1, -1))
        elif self._state == "person":
            icons.paint(painter, "lock", Role.TEXT_QUIET, spot.adjusted(1, 1, -1, -1))
        elif self._state == "open":
            box(painter, spot.adjusted(2, 2, -2, -2), spot.height() / 2, None, Role.CONTROL)
        elif self._state == "attention":
            box(painter, spot, 9, Role.WARN_TINT, Role.WARN)
            painter.setPen(color(Role.WARN))
            painter.setFont(font(Type.SMALL, semibold=True))
            painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, str(min(self._count, 9)))
