# SPDX-License-Identifier: Apache-2.0
"""Opens the handbook at the page about what has the keyboard, and closes it with its window."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from dpdesk.desk.pages.help.handbook import read_handbook
from dpdesk.desk.pages.help.handbook_window import HandbookWindow
from dpdesk.desk.pages.help.topics import topic_of
from dpdesk.desk.text.language import catalogue


class HandbookOpener(QObject):
    """Keeps the one window of the handbook.

    Args:
        window: the window that is asked in; the handbook goes with it.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._shown: HandbookWindow | None = None

    @property
    def page(self) -> str:
        """The key of the page that is open; empty while the handbook is closed."""
        return self._shown.page if self._shown is not None and self._shown.isVisible() else ""

    def open_about(self, widget: QWidget | None, page: str) -> HandbookWindow:
        """Show the page about a widget, or about the window's page on show."""
        return self.open_page(topic_of(widget, page))

    def open_page(self, key: str) -> HandbookWindow:
        if self._shown is None:
            # Without a parent: a dialog of the window must not block it, and is read beside it.
            self._shown = HandbookWindow(read_handbook(catalogue().language))
        shown = self._shown
        was_visible = shown.isVisible()
        shown.show_page(key)
        shown.show()
        shown.raise_()
        shown.activateWindow()
        if not was_visible:
            shown.search.setFocus()
        return shown

    def close(self) -> None:
        if self._shown is not None:
            self._shown.close()
            self._shown.deleteLater()
            self._shown = None
