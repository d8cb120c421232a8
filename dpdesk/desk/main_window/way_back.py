# SPDX-License-Identifier: Apache-2.0
"""From a page without an item in the rail, back to the page and the control that opened it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from dpdesk.desk.pages.page_list import PAGES, Rail
from dpdesk.desk.widgets.page import Page
from dpdesk.desk.widgets.tab_stop import put_keyboard

TRIES, EVERY_MS = 20, 25


class WayBack:
    """Remembers which page opened a page, and where the keyboard was there.

    Attributes:
        opened_from: the page that each page was opened from.
    """

    def __init__(self) -> None:
        self.opened_from: dict[str, str] = {}
        self._from = ""
        self._control: QWidget | None = None

    def recall(self, opened_from: Mapping[str, str]) -> None:
        self.opened_from = dict(opened_from)

    def page_before(self, page: str) -> str:
        """The page that a page was opened from; empty for the first one."""
        return self.opened_from.get(page, PAGES[page].within)

    def leave(self, page: str, following: str, at: QWidget | None) -> None:
        """A page gives way to another, with the keyboard at one of its controls."""
        goes_back = is_beside(page) and self.page_before(page) == following
        if is_beside(following) and page != following and not goes_back:
            self.opened_from[following] = page
        if is_beside(following) and not is_beside(page):
            self._from, self._control = page, at
        elif not is_beside(page):
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


def is_beside(page: str) -> bool:
    """Whether a page is opened from another and left to it again."""
    return page in PAGES and PAGES[page].rail is Rail.NONE


def _give(control: QWidget, shown: QWidget) -> bool:
    if not Shiboken.isValid(control) or not shown.isAncestorOf(control):
        return False
    if not (control.isVisibleTo(shown) and control.isEnabled()):
        return False
    put_keyboard(control)
    return True
