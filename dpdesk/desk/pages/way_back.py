# SPDX-License-Identifier: Apache-2.0
"""Back from a page beside the way, the keyboard is where it was when that page was opened."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import Shiboken

from dpdesk.desk.widgets.tab_stop import put_keyboard

BESIDE: Final = frozenset({"rehearsal", "comparison", "key"})
"""Pages that are opened from another and left to it again."""


class WayBack:
    """Remembers which control of which page opened the page beside the way."""

    def __init__(self) -> None:
        self._from = ""
        self._control: QWidget | None = None

    def leave(self, page: str, following: str) -> None:
        """A page gives way to another."""
        if following in BESIDE and page not in BESIDE:
            self._from, self._control = page, QApplication.focusWidget()
        elif page not in BESIDE:
            self._control = None

    def take(self, page: str, shown: QWidget) -> bool:
        """Give the keyboard back on a page that is on show now; whether there was such a control.

        Args:
            page: its key.
            shown: the page.
        """
        control, self._control = self._control, None
        if control is None or page != self._from or not Shiboken.isValid(control):
            return False
        if not (control.isVisibleTo(shown) and control.isEnabled() and shown.isAncestorOf(control)):
            return False
        put_keyboard(control)
        return True
