# SPDX-License-Identifier: Apache-2.0
"""Back from a page beside the way, the keyboard is where it was when that page was opened."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from dpdesk.desk.widgets.page import Page
from dpdesk.desk.widgets.tab_stop import put_keyboard

BESIDE: Final = frozenset({"rehearsal", "comparison", "key"})
"""Pages that are opened from another and left to it again."""
TRIES, EVERY_MS = 20, 25


class WayBack:
    """Remembers which control of which page opened the page beside the way."""

    def __init__(self) -> None:
        self._from = ""
        self._control: QWidget | None = None

    def leave(self, page: str, following: str, at: QWidget | None) -> None:
        """A page gives way to another, with the keyboard at one of its controls."""
        if following in BESIDE and page not in BESIDE:
            self._from, self._control = page, at
        elif page not in BESIDE:
            self._control = None

    def take(self, page: str, shown: Page) -> bool:
        """Give the keyboard back on a page that is on show now; whether it has it already.

        Args:
            page: its key.
            shown: the page.
        """
        control, self._control = self._control, None
        if control is None or page != self._from:
            return False
        if _give(control, shown):
            return True
        # Of a page that fills itself step by step it may not be there yet.
        QTimer.singleShot(0, shown, partial(self._try, control, shown))
        return False

    def _try(self, control: QWidget, shown: Page, left: int = TRIES) -> None:
        """Give it back as soon as it can be, unless the keyboard went elsewhere meanwhile."""
        if not left or not shown.isVisible() or not shown.is_as_entered:
            return
        if not _give(control, shown):
            again = partial(self._try, control, shown, left - 1)
            QTimer.singleShot(EVERY_MS, shown, again)


def _give(control: QWidget, shown: QWidget) -> bool:
    if not Shiboken.isValid(control) or not shown.isAncestorOf(control):
        return False
    if not (control.isVisibleTo(shown) and control.isEnabled()):
        return False
    put_keyboard(control)
    return True
