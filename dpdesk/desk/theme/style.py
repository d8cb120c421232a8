# SPDX-License-Identifier: Apache-2.0
"""Fusion with our own scroll bars; letters are underlined while Alt is down."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QLabel,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionComplex,
    QStyleOptionSlider,
    QWidget,
)

from dpdesk.desk.theme import icons, mnemonics
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color

EXTENT = 12
HANDLE = 6
LEAST_HANDLE = 32

Hint = QStyle.StyleHint
# Asked thousands of times for a window, some of them of each widget that is made.
_NEVER = (Hint.SH_Widget_ShareActivation, Hint.SH_ScrollBar_Transient, Hint.SH_ComboBox_Popup)

Metric = QStyle.PixelMetric
_METRICS = {
    Metric.PM_ScrollBarExtent: EXTENT,
    Metric.PM_MenuBarHMargin: 10,
    Metric.PM_ScrollView_ScrollBarSpacing: 0,
    Metric.PM_ToolTipLabelFrameWidth: Space.LABEL,
}


class DeskStyle(QProxyStyle):
    """The style of the desk on Windows and Linux."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        data: QStyleHintReturn | None = None,
    ) -> int:
        """Letters are underlined while Alt is down; what a tooltip says is never markup.

        A list of choices opens below its field, as the popups of chips do, and not over it.
        """
        if hint in _NEVER:
            return 0
        if hint == Hint.SH_UnderlineShortcut:
            return int(mnemonics.are_shown())
        if hint == Hint.SH_ToolTipLabel_Opacity and isinstance(widget, QLabel):
            # Asked before a tooltip takes its first text. A name from a file or a bundle may look
            # like HTML, and Qt would read the picture that it names, over the network too.
            widget.setTextFormat(Qt.TextFormat.PlainText)
        return super().styleHint(hint, option, widget, data)

    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        """Sizes of our own where there are any."""
        own = _METRICS.get(metric)
        return own if own is not None else int(super().pixelMetric(metric, option, widget))

    def sizeFromContents(
        self,
        kind: QStyle.ContentsType,
        option: QStyleOption,
        size: QSize,
        widget: QWidget,
    ) -> QSize:
        """A menu bar with air."""
        result: QSize = super().sizeFromContents(kind, option, size, widget)
        if kind == QStyle.ContentsType.CT_MenuBarItem:
            return result + QSize(Space.SMALL, Space.CARDS)
        return result

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Where two scroll bars meet is the ground of what they scroll.

        Fusion's box of a line that can be ticked is black on a dark ground.
        """
        if element == QStyle.PrimitiveElement.PE_IndicatorItemViewItemCheck:
            paint_tick(painter, QRectF(option.rect), bool(option.state & QStyle.StateFlag.State_On))
        elif element != QStyle.PrimitiveElement.PE_PanelScrollAreaCorner:
            super().drawPrimitive(element, option, painter, widget)

    def subControlRect(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        part: QStyle.SubControl,
        widget: QWidget,
    ) -> QRect:
        """A scroll bar is its handle alone, without arrows."""
        if control == QStyle.ComplexControl.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            return _scroll_part(option, part)
        return super().subControlRect(control, option, part, widget)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Paint a scroll bar as a quiet rounded handle."""
        if control != QStyle.ComplexControl.CC_ScrollBar or not isinstance(
            option, QStyleOptionSlider
        ):
            super().drawComplexControl(control, option, painter, widget)
            return
        if option.maximum <= option.minimum:
            return
        rect_f = QRectF(_scroll_part(option, QStyle.SubControl.SC_ScrollBarSlider))
        gap = (EXTENT - HANDLE) / 2
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(Role.CONTROL))
        upright = option.orientation == Qt.Orientation.Vertical
        handle = rect_f.adjusted(gap, 2, -gap, -2) if upright else rect_f.adjusted(2, gap, -2, -gap)
        painter.drawRoundedRect(handle, HANDLE / 2, HANDLE / 2)
        painter.restore()


def paint_tick(painter: QPainter, spot: QRectF, on: bool) -> None:
    """The box of a line that can be ticked."""
    fill, border = (Role.ACCENT, Role.ACCENT) if on else (Role.SURFACE, Role.CONTROL)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(color(border))
    painter.setBrush(color(fill))
    painter.drawRoundedRect(spot.adjusted(0.5, 0.5, -0.5, -0.5), Space.TIGHT, Space.TIGHT)
    painter.restore()
    if on:
        icons.paint(painter, "check", Role.ON_ACCENT, spot.adjusted(2, 2, -2, -2))


def _scroll_part(option: QStyleOptionSlider, part: QStyle.SubControl) -> QRect:
    rect: QRect = option.rect
    upright = option.orientation == Qt.Orientation.Vertical
    length = rect.height() if upright else rect.width()
    span = option.maximum - option.minimum + option.pageStep
    if part == QStyle.SubControl.SC_ScrollBarGroove:
        return rect
    if part != QStyle.SubControl.SC_ScrollBarSlider or span <= 0:
        return QRect()
    share = option.pageStep / span
    size = max(LEAST_HANDLE, round(length * share))
    start = QStyle.sliderPositionFromValue(
        option.minimum,
        option.maximum,
        option.sliderPosition,
        max(0, length - size),
        option.upsideDown,
    )
    if upright:
        return QRect(rect.left(), rect.top() + start, rect.width(), size)
    return QRect(rect.left() + start, rect.top(), size, rect.height())
