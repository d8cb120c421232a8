# SPDX-License-Identifier: Apache-2.0
"""Laying out before painting: what becomes visible appears in its place and whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLayout, QWidget

ROUNDS = 6


def lay_out_now() -> None:
    """Let every layout come to rest.

    A layout that changes asks its parent to lay out again by an event, and so on up to the page;
    by themselves these events come one by one, and the window is painted between them.
    """
    for _ in range(ROUNDS):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


@contextmanager
def laid_out_once(part: QWidget) -> Iterator[None]:
    """Lay out what is around the parts of a part once, after something was done to them.

    By itself Qt lays out from the inside for each part that is shown: all that stand there are
    squeezed into the height there was, up to the page, and then get their own height again. Here
    the page is given its height first.

    Args:
        part: parts directly in its layout are shown, hidden, put in or taken out.
    """
    around = _around(part)
    if not part.isVisible() or not all(layout.isEnabled() for _on, layout in around):
        yield  # nothing is laid out by now, or it is seen to further out
        return
    for _on, layout in around:
        layout.setEnabled(False)
    try:
        yield
    finally:
        for on, layout in around:
            _forget_sizes(layout)
            on.updateGeometry()
        for place, (on, layout) in enumerate(reversed(around)):
            layout.setEnabled(True)
            layout.activate()
            if place == 0:
                _give_height(on)


def _around(part: QWidget) -> list[tuple[QWidget, QLayout]]:
    """A part and what it is on, with their layouts, from the inside."""
    found = []
    at: QWidget | None = part
    while at is not None and (layout := at.layout()) is not None:
        found.append((at, layout))
        at = None if at.isWindow() else at.parentWidget()
    return found


def _forget_sizes(layout: QLayout) -> None:
    """Let a layout and those in it ask their parts again how large they are."""
    for inner in layout.children():
        if isinstance(inner, QLayout):
            _forget_sizes(inner)
    layout.invalidate()


def _give_height(content: QWidget) -> None:
    """Let an area that scrolls make its content as high as that is now."""
    area = content.parentWidget()
    if area is not None and not content.isWindow():
        QCoreApplication.sendEvent(area, QEvent(QEvent.Type.LayoutRequest))
