# SPDX-License-Identifier: Apache-2.0
"""Taking everything out of a layout, to fill it again."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QLayout, QWidget
from shiboken6 import delete, isValid

from dpdesk.desk.core.jobs.idle_steps import IdleSteps

AT_ONCE = 4
"""So many large widgets go in one step."""


def empty(layout: QLayout) -> None:
    """Take everything out of a layout and let it go.

    What a layout of ours gives back belongs to nobody: neither Qt nor Python would delete it.
    """
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if inner is not None:
            empty(inner)
            inner.deleteLater()
            continue
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        delete(item)


class LettingGo(IdleSteps):
    """Deletes widgets that nobody needs any more a few at a time: fifty cards take 20 ms."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._left: list[QWidget] = []

    def let_go(self, widget: QWidget) -> None:
        """Hide a widget now, and delete it when nothing else is to be done."""
        widget.hide()
        self._left.append(widget)
        if not self.are_left:
            self.begin(self._delete())

    def _delete(self) -> Iterator[None]:
        while self._left:
            yield
            for widget in self._left[:AT_ONCE]:
                if isValid(widget):
                    delete(widget)
            del self._left[:AT_ONCE]
