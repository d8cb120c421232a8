# SPDX-License-Identifier: Apache-2.0
"""What is wrong with where things lie: words cut off, things over each other, things outside."""

from __future__ import annotations

from itertools import combinations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.widgets.inputs.field import Combo
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from tests.desk.screens import describe

SLACK = 1
LEAST_HEIGHT = 500
"""Below it a banner leaves a list and a form no room."""
SHOWN = (QLabel, QAbstractButton, QLineEdit, Combo)


def layout_faults(root: QWidget) -> list[str]:
    """Each fault in a sentence; none where all is well."""
    things = [w for w in root.findChildren(QWidget) if isinstance(w, SHOWN) and _counts(w, root)]
    cut = [f"{_name(w)} is cut off" for w in things if _is_cut(w)]
    outside = [f"{_name(w)} goes over its parent's edge" for w in things if _is_outside(w)]
    places = [(w, _place(w, root)) for w in things]
    over = [
        f"{_name(one)} lies over {_name(other)}"
        for (one, here), (other, there) in combinations(places, 2)
        if not (one.isAncestorOf(other) or other.isAncestorOf(one)) and _overlap(here, there)
    ]
    areas = [*root.findChildren(QScrollArea), *([root] if isinstance(root, QScrollArea) else [])]
    wide = [
        f"{describe(area)} scrolls sideways by {area.widget().width() - area.viewport().width()}"
        for area in areas
        if area.isVisible() and _scrolls_sideways(area)
    ]
    return cut + outside + over + wide


def places(window: QWidget) -> dict[tuple[QWidget, str], QRect]:
    """Where each thing of a window lies, with what it says."""
    things = (w for w in window.findChildren(QWidget) if isinstance(w, SHOWN))
    return {(w, _name(w)): _place(w, window) for w in things if w.isVisible()}


def moved(before: dict[tuple[QWidget, str], QRect], window: QWidget) -> list[str]:
    """What lies elsewhere than it did.

    What is new, gone or says something else came of something else: the study was saved meanwhile.
    """
    now = places(window)
    return [f"{said[1]} has moved" for said, at in now.items() if before.get(said, at) != at]


def page_faults(window: MainWindow, key: str) -> list[str]:
    """What is wrong with the page on show and what stands around it."""
    page = window.pages[key]
    parts = (page.scroll_area.widget(), page.footer, window.panel, window.rail, window.strip)
    faults = [fault for part in parts if part.isVisible() for fault in layout_faults(part)]
    scrolls = page.scroll_area
    if scrolls.horizontalScrollBar().maximum() > 0:
        faults.append("the page scrolls sideways")
    # List and form of Columns scroll beside each other: the page around them stays.
    is_low = window.height() < LEAST_HEIGHT
    if key == "columns" and not is_low and scrolls.verticalScrollBar().maximum() > 0:
        faults.append("the page scrolls, and so do its parts")
    return faults


def _counts(widget: QWidget, root: QWidget) -> bool:
    """Whether a widget is on show and lays something out; not what a list or a plot paints."""
    parent = widget.parentWidget()
    while parent is not None and parent is not root:
        if isinstance(parent, QAbstractScrollArea) and not hasattr(parent, "widget"):
            return False
        parent = parent.parentWidget()
    return widget.isVisible() and widget.width() > 0 and bool(_name(widget))


def _is_cut(widget: QWidget) -> bool:
    if isinstance(widget, QLabel):
        width, height = widget.width(), widget.height()
        if widget.wordWrap():
            return widget.heightForWidth(width) > height + SLACK or _is_too_narrow(widget)
        return widget.sizeHint().height() > height + SLACK or _is_too_narrow(widget)
    if isinstance(widget, QLineEdit | Combo):
        return widget.fontMetrics().height() > widget.height() + SLACK
    least = widget.minimumSizeHint()
    return least.height() > widget.height() + SLACK or least.width() > widget.width() + SLACK


def _is_too_narrow(label: QLabel) -> bool:
    """Whether a line, or the longest word of lines that break, is wider than its room."""
    if isinstance(label, ElidedLabel):
        return False
    needed = label.minimumSizeHint() if label.wordWrap() else label.sizeHint()
    return needed.width() > label.width() + SLACK


def _scrolls_sideways(area: QScrollArea) -> bool:
    """Whether what is scrolled is wider than what is seen of it."""
    inner = area.widget()
    return inner is not None and inner.width() > area.viewport().width() + SLACK


def _is_outside(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    if parent is None or widget.isWindow():
        return False
    room = parent.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK)
    return not room.contains(widget.geometry())


def _place(widget: QWidget, root: QWidget) -> QRect:
    """What of it is on show: a scrolled part does not lie over what stays."""
    shown = QRect(widget.mapTo(root, QPoint(0, 0)), widget.size())
    parent = widget.parentWidget()
    while parent is not None and parent is not root:
        shown &= QRect(parent.mapTo(root, QPoint(0, 0)), parent.size())
        parent = parent.parentWidget()
    return shown


def _overlap(one: QRect, other: QRect) -> bool:
    shared = one.intersected(other)
    return shared.width() > SLACK and shared.height() > SLACK


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton | QLineEdit) else ""
    return text or widget.accessibleName()
