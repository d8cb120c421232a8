# SPDX-License-Identifier: Apache-2.0
"""Where Tab stops, and in which order.

Buttons that exclude each other are one stop: the chosen one, else the first. Qt moves the stop
only when one of them gets the keyboard, so that Tab came to a choice that was not made.

Stops follow each other as they are read. Qt takes the order in which widgets were made, so that
the fields of a card that was opened later came after all other cards, and below the footer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QButtonGroup,
    QLayout,
    QScrollArea,
    QWidget,
)

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.layouts.contents import DIRECT, children_of, parts


def order_tab_stops(widget: QWidget) -> None:
    """Let Tab go through all that is within a widget in reading order."""
    stops = [w for w in _in_reading_order(widget) if w.focusPolicy() & Qt.FocusPolicy.TabFocus]
    for one, following in pairwise(stops):
        QWidget.setTabOrder(one, following)


def read_as_laid_out(widget: QWidget) -> None:
    """Let screen readers come to what a widget's layout holds in its order.

    To Qt what was made later comes later, wherever it is. What is in no layout keeps its place:
    it may lie over the others.
    """
    layout = widget.layout()
    own = widget.findChildren(QWidget, options=DIRECT)
    placed = [] if layout is None else [one for one in _placed(layout) if one in own]
    rest = iter(placed)
    wanted = [next(rest) if one in placed else one for one in own]
    if wanted != own:
        for one in wanted:
            one.raise_()


def scroll_to_keyboard() -> None:
    """Bring on show what has the keyboard.

    Qt's scroll areas do it where Tab goes on within them, not where it comes in from outside, and
    of a table they show the chosen cell.
    """
    at = QApplication.focusWidget()
    if at is not None:
        bring_on_show(at)


def bring_on_show(widget: QWidget) -> None:
    """Scroll to a widget: all of it, else its beginning."""
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget, 0, 0)
            _show_whole(above, widget)
        above = above.parentWidget()


def _show_whole(area: QScrollArea, at: QWidget) -> None:
    """Bring all of it on show, with its ring, where there is room for it; else its beginning.

    Of a table or a text that is higher than its page, Qt shows where the keyboard is within it.
    """
    content, room = area.widget(), area.viewport().size()
    if content is None or not content.isAncestorOf(at):
        return
    place = QRect(at.mapTo(content, QPoint()), at.size())
    if place.height() <= room.height():
        half = min(place.height() + 2 * Space.SMALL, room.height()) // 2
        area.ensureVisible(place.center().x(), place.center().y(), 0, half)
    elif not isinstance(at, QAbstractScrollArea):
        area.verticalScrollBar().setValue(place.top() - Space.SMALL)


def show_down_to(first: QWidget, last: QWidget) -> None:
    """Scroll down until the end of what belongs together is on show, or its beginning is on top."""
    area: QWidget | None = last.parentWidget()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parentWidget()
    content = area.widget() if area is not None else None
    if area is None or content is None:
        return
    top = first.mapTo(content, QPoint()).y() - Space.SMALL
    end = last.mapTo(content, QPoint(0, last.height())).y() + Space.SMALL
    bar = area.verticalScrollBar()
    bar.setValue(max(bar.value(), min(top, end - area.viewport().height())))


def put_keyboard(control: QWidget) -> None:
    """Give a control the keyboard and bring it on show, now and after the next layout."""
    control.setFocus(Qt.FocusReason.ShortcutFocusReason)
    scroll_to_keyboard()
    QTimer.singleShot(0, control, scroll_to_keyboard)


def _in_reading_order(widget: QWidget) -> Iterator[QWidget]:
    """All widgets within, each before its own, as the layouts have them."""
    for child in _children(widget):
        yield child
        yield from _in_reading_order(child)


def _children(widget: QWidget) -> list[QWidget]:
    """Those on show that are placed by the layout, then the others, as they were made."""
    if isinstance(widget, QScrollArea):
        content = widget.widget()
        return [] if content is None else [content]
    if isinstance(widget, QAbstractScrollArea):
        return []  # a table's or a plot's own affair
    own = widget.findChildren(QWidget, options=DIRECT)
    layout = widget.layout()
    placed = [] if layout is None else list(_placed(layout))
    others = [w for w in own if w not in placed and not w.isWindow()]
    return [w for w in (*placed, *others) if not w.isHidden()]


def _placed(layout: QLayout) -> Iterator[QWidget]:
    """The widgets of a layout and of those in it, in their order."""
    return _placed_among(children_of(layout), layout)


def _placed_among(own: Sequence[QWidget], layout: QLayout) -> Iterator[QWidget]:
    for one in parts(layout, own):
        if isinstance(one, QLayout):
            yield from _placed_among(own, one)
        else:
            yield one


def one_tab_stop(group: QButtonGroup) -> None:
    """Keep it so, no matter who chooses."""

    def settle(_button: QAbstractButton, on: bool) -> None:
        if on:
            settle_tab_stop(group)

    group.buttonToggled.connect(settle)
    settle_tab_stop(group)


def settle_tab_stop(group: QButtonGroup) -> None:
    """Let Tab stop at the chosen button; called when buttons were added, too."""
    buttons = group.buttons()
    stop = group.checkedButton() or next(iter(buttons), None)
    for button in buttons:
        _let_stop(button, button is stop)


def _let_stop(button: QAbstractButton, stops: bool) -> None:
    policy = Qt.FocusPolicy.StrongFocus if stops else Qt.FocusPolicy.ClickFocus
    if button.focusPolicy() != policy:
        button.setFocusPolicy(policy)
