# SPDX-License-Identifier: Apache-2.0
"""Menus and boxes of lists: lines with air, the one pointed at tinted, shortcuts quiet."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOption, QStyleOptionMenuItem, QWidget

from dpdesk.desk.theme import icons, letters
from dpdesk.desk.theme.dialog_corners import is_opaque_only, paint_behind
from dpdesk.desk.theme.metrics import Radius, Space, scale
from dpdesk.desk.theme.roles import Role, color

LINE = 28
BETWEEN = 9
INSET = Space.TIGHT
BEFORE = Space.TIGHT + Space.ICON_CHIP + Space.SMALL
"""Where words begin: after the room of a check mark."""
MARK = 3
Item = QStyleOptionMenuItem.MenuItemType
State = QStyle.StateFlag


def menu_item_size(option: QStyleOptionMenuItem, size: QSize) -> QSize:
    """A line's size; the width that Qt asks for holds words and shortcut."""
    if option.menuItemType == Item.Separator:
        return QSize(size.width(), BETWEEN)
    least = round(LINE * scale())
    return QSize(size.width() + Space.PAGE, max(least, size.height()))


def paint_ground(painter: QPainter, popup: QWidget) -> None:
    """Paint the ground of a menu or tooltip, round where what lies behind it can be painted."""
    rect = popup.rect()
    painter.save()
    painter.fillRect(rect, color(Role.CONTROL))
    if is_opaque_only() and paint_behind(painter, popup, rect):
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(color(Role.CONTROL))
        painter.setBrush(color(Role.SURFACE))
        line = QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(line, Radius.ITEM, Radius.ITEM)
    else:
        painter.fillRect(rect.adjusted(1, 1, -1, -1), color(Role.SURFACE))
    painter.restore()


def paint_menu_item(painter: QPainter, option: QStyleOptionMenuItem) -> None:
    """Paint one line of a menu."""
    rect: QRect = option.rect
    painter.save()
    painter.fillRect(rect, color(Role.SURFACE))
    if option.menuItemType == Item.Separator:
        middle = rect.center().y()
        painter.fillRect(rect.left() + INSET, middle, rect.width() - 2 * INSET, 1, color(Role.LINE))
        painter.restore()
        return
    enabled = bool(option.state & State.State_Enabled)
    if option.state & State.State_Selected and enabled:
        _paint_pointed(painter, QRectF(rect).adjusted(INSET, 1, -INSET, -1))
    _paint_marks(painter, option, Role.ACCENT if enabled else Role.DISABLED)
    _paint_words(painter, option, enabled)
    painter.restore()


def paint_menu_bar(painter: QPainter, option: QStyleOptionMenuItem) -> None:
    """Paint the bar's ground and the hairline below it."""
    rect: QRect = option.rect
    painter.fillRect(rect, color(Role.RAIL))
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(Role.LINE))


def paint_menu_title(painter: QPainter, option: QStyleOptionMenuItem) -> None:
    """Paint one word of the menu bar."""
    paint_menu_bar(painter, option)
    painter.save()
    if option.state & (State.State_Selected | State.State_Sunken):
        _fill(painter, QRectF(option.rect).adjusted(2, INSET, -2, -INSET), Role.TRACK)
    enabled = bool(option.state & State.State_Enabled)
    painter.setPen(color(Role.TEXT if enabled else Role.DISABLED))
    flags = Qt.AlignmentFlag.AlignCenter | letters.underlining()
    painter.drawText(option.rect, int(flags), option.text)
    painter.restore()


def paint_check_box(painter: QPainter, option: QStyleOption) -> None:
    """Paint the box of a line that can be checked."""
    on = bool(option.state & State.State_On)
    enabled = bool(option.state & State.State_Enabled)
    side = min(option.rect.width(), option.rect.height(), Space.ICON_CHIP)
    spot = QRectF(0, 0, side, side)
    spot.moveCenter(QRectF(option.rect).center())
    painter.save()
    _fill(painter, spot, Role.CONTROL if not on else Role.ACCENT if enabled else Role.DISABLED)
    if not on:
        _fill(painter, spot.adjusted(1, 1, -1, -1), Role.SURFACE if enabled else Role.INSET)
    else:
        icons.paint(painter, "check", Role.ON_ACCENT, spot.adjusted(2, 2, -2, -2))
    painter.restore()


def _fill(painter: QPainter, place: QRectF, role: Role) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color(role))
    radius = Radius.FIELD if place.height() > Space.CARD else Space.TIGHT
    painter.drawRoundedRect(place, radius, radius)


def _paint_pointed(painter: QPainter, place: QRectF) -> None:
    """The tint, and a bar at the left: the tint alone is next to its ground."""
    _fill(painter, place, Role.TINT)
    bar = QRectF(place.left(), place.top() + INSET, MARK, place.height() - 2 * INSET)
    painter.setBrush(color(Role.ACCENT))
    painter.drawRoundedRect(bar, MARK / 2, MARK / 2)


def _paint_marks(painter: QPainter, option: QStyleOptionMenuItem, ink: Role) -> None:
    """A check at the left, or an arrow to what opens at the right."""
    rect, side = QRectF(option.rect), Space.ICON_CHIP
    top = rect.center().y() - side / 2
    if option.checkType != QStyleOptionMenuItem.CheckType.NotCheckable and option.checked:
        spot = QRectF(rect.left() + 2 * Space.TIGHT, top, side, side)
        icons.paint(painter, "check", ink, spot)
    if option.menuItemType == Item.SubMenu:
        spot = QRectF(rect.right() - side - Space.SMALL, top, side, side)
        icons.paint(painter, "chevron-right", Role.TEXT_QUIET, spot)


def _paint_words(painter: QPainter, option: QStyleOptionMenuItem, enabled: bool) -> None:
    words, _tab, shortcut = option.text.partition("\t")
    place = option.rect.adjusted(BEFORE + Space.TIGHT, 0, -Space.CARDS - Space.TIGHT, 0)
    middle = Qt.AlignmentFlag.AlignVCenter | letters.underlining()
    painter.setFont(option.font)
    painter.setPen(color(Role.TEXT if enabled else Role.DISABLED))
    painter.drawText(place, int(middle | Qt.AlignmentFlag.AlignLeft), words)
    painter.setPen(color(Role.TEXT_QUIET if enabled else Role.DISABLED))
    painter.drawText(place, int(middle | Qt.AlignmentFlag.AlignRight), shortcut)
