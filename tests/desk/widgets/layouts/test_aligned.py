# SPDX-License-Identifier: Apache-2.0
"""Controls end where the text, the card and the page around them end."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import WIDEST_PAGE, Space
from dpdesk.desk.widgets.buttons import link, primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedColumn, AlignedRow
from dpdesk.desk.widgets.page import Page
from tests.desk.screens import settle, titled

SIDE, WIDTH = 20, 400


@pytest.fixture
def room(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(WIDTH, 300)
    return made


def seen(widget: QWidget, room: QWidget) -> tuple[int, int]:
    """Where what is seen of a control begins and ends, without the room of its ring."""
    ring = getattr(widget, "ring_room", 0)
    place = QRect(widget.mapTo(room, QPoint(0, 0)), widget.size())
    return place.left() + ring, place.right() + 1 - ring


def column_in(room: QWidget) -> AlignedColumn:
    column = AlignedColumn(room)
    column.setContentsMargins(SIDE, SIDE, SIDE, SIDE)
    return column


def test_fields_end_where_text_above_them_ends(room: QWidget) -> None:
    column, text, field = column_in(room), quiet("Words above"), LineField("Name")
    column.addWidget(text)
    column.addWidget(field)
    room.show()
    settle()
    assert seen(field, room) == seen(text, room) == (SIDE, WIDTH - SIDE)


def test_buttons_begin_and_end_where_their_column_does(room: QWidget) -> None:
    column, first, last = column_in(room), link("Compare"), secondary("Check")
    column.addWidget(first, 0, Qt.AlignmentFlag.AlignLeft)
    column.addWidget(last, 0, Qt.AlignmentFlag.AlignRight)
    room.show()
    settle()
    assert seen(first, room)[0] == SIDE
    assert seen(last, room)[1] == WIDTH - SIDE


def test_the_ends_of_a_row_are_in_line_with_the_row(room: QWidget) -> None:
    column, row = column_in(room), AlignedRow(spacing=Space.CARDS)
    first, last = LineField("Lowest"), LineField("Highest")
    row.addWidget(first, 1)
    row.addWidget(last, 1)
    column.addLayout(row)
    room.show()
    settle()
    assert (seen(first, room)[0], seen(last, room)[1]) == (SIDE, WIDTH - SIDE)


def test_chips_begin_where_text_begins(room: QWidget) -> None:
    column, flow = column_in(room), FlowLayout(aligned=True)
    chips = [Chip("Separator", "Semicolon ;") for _ in range(6)]
    for chip in chips:
        flow.addWidget(chip)
    column.addLayout(flow)
    room.show()
    settle()
    rows = {chip.y(): min(seen(c, room)[0] for c in chips if c.y() == chip.y()) for chip in chips}
    assert len(rows) > 1
    assert set(rows.values()) == {SIDE}


class Part(QWidget):
    """What keeps the widths that it was given."""

    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self.widths: list[int] = []

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.widths.append(event.size().width())
        super().resizeEvent(event)


def test_a_part_has_one_width_at_a_turn(room: QWidget) -> None:
    """With two, the axes of a plot in it asked for two heights, and the turns never ended."""
    column, part = column_in(room), Part()
    column.addWidget(part, 1)
    room.show()
    settle()
    room.resize(WIDTH + 100, 300)
    settle()
    part.updateGeometry()
    settle()
    wide = WIDTH - 2 * SIDE + 2 * RING
    assert part.widths == [wide, wide + 100]


def test_a_part_goes_with_its_box(room: QWidget) -> None:
    column, part, other = column_in(room), Part(), LineField("Name")
    column.addWidget(other)
    column.insertWidget(0, part)
    room.show()
    settle()
    assert part.y() < other.y()
    column.removeWidget(part)
    settle()
    assert column.count() == 1
    assert part.parentWidget() is room


@pytest.fixture
def page(qtbot: QtBot) -> Page:
    made = titled("Data", "Check that the file was read the right way.")
    qtbot.addWidget(made)
    made.footer.set_primary(primary("Continue"))
    made.resize(900, 500)
    return made


def test_on_a_large_screen_a_page_is_as_wide_as_can_be_read(page: Page) -> None:
    card = Card()
    page.body.addWidget(card)
    page.resize(2_000, 900)
    page.show()
    settle()
    left, right = seen(card, page)
    assert right - left == WIDEST_PAGE
    assert left == page.width() - right, "in the middle"
    assert page.footer.primary is not None
    assert seen(page.footer.primary, page)[1] == right


class Asks(QWidget):
    """A control that is two lines high below a width."""

    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return 20 if width >= 300 else 40

    def sizeHint(self) -> QSize:
        return QSize(100, 40)


@pytest.mark.parametrize(("more", "high"), [(0, 20), (-1, 40)])
def test_a_control_is_as_high_as_its_whole_width_needs(more: int, high: int, room: QWidget) -> None:
    column, control = column_in(room), Asks()
    column.addWidget(control)
    column.addStretch(1)
    room.resize(300 - 2 * RING + 2 * SIDE + more, 200)
    room.show()
    settle()
    assert (control.width(), control.height()) == (300 + more, high)


class Asked(QWidget):
    """As high as it is set to be, and how often it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.high, self.asked = 20, 0
        policy = self.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        return QSize(50, self.high)

    def heightForWidth(self, _width: int) -> int:
        self.asked += 1
        return self.high


def test_a_row_is_asked_once_a_width_until_something_in_it_changes(room: QWidget) -> None:
    column, row, asked, button = column_in(room), AlignedRow(), Asked(), secondary("Check")
    row.addWidget(asked)
    row.addWidget(button)
    button.hide()
    column.addLayout(row)
    column.addWidget(quiet("Words below"))
    room.show()
    settle()
    widths = range(200, 300, 10)  # more than the three that Qt keeps of each part
    for ask in (row.heightForWidth, row.minimumHeightForWidth):
        first = [ask(width) for width in widths]
        before = asked.asked
        assert [ask(width) for width in widths] == first == [20] * 10
        assert asked.asked == before > 0

    asked.high = 70
    asked.updateGeometry()
    settle()
    for ask in (row.heightForWidth, row.minimumHeightForWidth):
        assert [ask(width) for width in widths] == [70] * 10
    asked.high = 5
    asked.updateGeometry()
    button.show()
    settle()
    assert row.heightForWidth(300) == row.geometry().height() == button.sizeHint().height()
    button.hide()
    settle()
    assert row.heightForWidth(300) == 5
    row.setDirection(AlignedRow.Direction.TopToBottom)
    button.show()
    settle()
    assert row.heightForWidth(300) > button.sizeHint().height()
