# SPDX-License-Identifier: Apache-2.0
"""The window's pages, of which one is on show."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QWidget


class PageStack(QStackedWidget):
    """Shows one page; which control of it has the keyboard is up to who shows it."""

    def setCurrentWidget(self, page: QWidget) -> None:
        """Show a page; the keyboard leaves the one before first.

        By itself Qt looks for the next stop of Tab on a page that goes with the keyboard in it,
        through all cards of a release with fifty queries, which took 20 ms.
        """
        at: QWidget | None = self.window().focusWidget()
        if at is not None and self.isAncestorOf(at) and not page.isAncestorOf(at):
            at.clearFocus()
        super().setCurrentWidget(page)
