# SPDX-License-Identifier: Apache-2.0
"""One step of a few that are done one after the other: its number, what to do, how far it is."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import NO_MARGINS, Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedColumn, AlignedRow, aligned_part
from dpdesk.desk.widgets.page import stacking
from dpdesk.desk.widgets.painting import box

SIDE = 28


class StepMark(QWidget):
    """A step's number in a circle, or a check where it is done; read out with its title."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._is_done = self._is_next = False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(SIDE, SIDE)

    def show_how_far(self, is_done: bool, is_next: bool) -> None:
        self._is_done, self._is_next = is_done, is_next
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        if self._is_done:
            box(painter, whole, SIDE / 2, Role.ACCENT)
            spot = QRectF(0, 0, Space.ICON, Space.ICON)
            spot.moveCenter(whole.center())
            icons.paint(painter, "check", Role.ON_ACCENT, spot)
        else:
            fill, edge = Role.SURFACE, Role.CONTROL
            if self._is_next:
                fill, edge = Role.TINT, Role.ACCENT
            box(painter, whole, SIDE / 2, fill, edge)
            painter.setPen(color(Role.ACCENT if self._is_next else Role.TEXT_QUIET))
            painter.setFont(font(Type.TEXT, semibold=True))
            painter.drawText(whole, Qt.AlignmentFlag.AlignCenter, str(self._number))
        painter.end()


class Pill(QWidget):
    """A few words behind a title, on a tint; there only while it says something."""

    def __init__(self) -> None:
        super().__init__()
        self._tone = Tone.DONE
        self._icon = IconLabel("check-circle", size=Space.ICON_CHIP)
        self._text = Label("", Type.QUIET)
        row = QHBoxLayout(self, spacing=Space.TIGHT)
        row.setContentsMargins(Space.SMALL, Space.HAIR, Space.SMALL + Space.HAIR, Space.HAIR)
        row.addWidget(self._icon)
        row.addWidget(self._text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def sentence(self) -> str:
        """What it says; empty where it is not there."""
        return self._text.text()

    def say(self, text: str, tone: Tone, icon: str = "") -> None:
        self._tone = tone
        _fill, ink, usual = tone.value
        self._icon.set_icon(icon or usual, ink)
        self._text.setText(text)
        self._text.set_role(ink)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), Radius.CARD, self._tone.value[0])
        painter.end()


class StepRow(QWidget):
    """A step.

    Attributes:
        line: what it is about.
        pill: how far it is.
        content: what belongs to it, below the line.
        wrong: what keeps it from being done.
    """

    def __init__(self, number: int, title: str, line: str, *buttons: Button) -> None:
        super().__init__()
        self.mark, self.pill = StepMark(number), Pill()
        self.title, self.line = headed(Label(title, semibold=True)), quiet(line)
        self.title.setAccessibleName(f"{number}. {title}")
        holder = QWidget()  # what comes into it is read before what is wrong
        holder.ring_room = RING  # type: ignore[attr-defined]  # AlignedColumn reads it
        self.content = aligned_part(holder)
        self.content.setSpacing(Space.SMALL)
        self.wrong = Remark()
        row = QHBoxLayout(self, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        row.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignTop)
        column = AlignedColumn(spacing=Space.SMALL)
        column.addLayout(self._build_head(buttons))
        column.addWidget(holder)
        column.addWidget(self.wrong)
        row.addLayout(column, 1)

    def _build_head(self, buttons: tuple[Button, ...]) -> QBoxLayout:
        self._head = QBoxLayout(stacking(False))
        self._head.setSpacing(Space.SMALL)
        words = QVBoxLayout(spacing=Space.HAIR)
        named = FlowLayout(down=Space.HAIR)
        named.addWidget(self.title)
        named.addWidget(self.pill)
        words.addLayout(named)
        words.addWidget(self.line)
        self._head.addLayout(words, 1)
        self._buttons = AlignedRow(spacing=Space.SMALL)
        for button in buttons:
            self._buttons.addWidget(button)
        self._head.addLayout(self._buttons)
        self._head.setAlignment(self._buttons, Qt.AlignmentFlag.AlignTop)
        return self._head

    def set_narrow(self, narrow: bool) -> None:
        """In a narrow page the buttons are below the words."""
        self._head.setDirection(stacking(narrow))
        side = Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag.AlignTop
        self._head.setAlignment(self._buttons, side)
