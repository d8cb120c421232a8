# SPDX-License-Identifier: Apache-2.0
"""Another language or text size without a restart: the window is made anew on the same session.

Every sentence on every page would otherwise have to be said a second time in place, by code that
is used nowhere else. The session stays: the study with its undo steps and what is not saved yet,
the accounts, the files that may be connected to. So do the page and what it shows: the release,
the bundle that is verified, the releases that are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.text.translators.chosen_language import speak
from dpdesk.desk.window import MainWindow


class WindowRenewal(QObject):
    """Follows a window, and each that takes its place."""

    def __init__(self, app: QApplication, window: MainWindow) -> None:
        super().__init__(window)
        self._app = app
        self._follow(window)

    def _follow(self, window: MainWindow) -> None:
        self._window = window
        self.setParent(window)
        window.language_wanted.connect(self.change_language)
        window.text_size_wanted.connect(self.change_text_size)

    def change_text_size(self, percent: int) -> None:
        """Write texts in another size from now on, unless something is at work."""
        if self._window.session.jobs.current is not None:
            return
        self._window.settings.text_size = percent
        self._renew(partial(self._window.theme.set_text_size, percent))

    def change_language(self, choice: str) -> None:
        """Speak another language from now on, unless something is at work.

        Args:
            choice: ``system``, or the code of a language.
        """
        if self._window.session.jobs.current is not None:
            return
        self._window.settings.language = choice
        self._renew(partial(speak, self._app, choice))

    def _renew(self, change: Callable[[], object]) -> None:
        """Make the window anew after a change of what all its parts were made with."""
        before, session = self._window, self._window.session
        preferences = before.menus.preferences_place
        _come_to_rest(before)
        memories = before.pages.memories()  # numbers in fields are still of the language before
        session.leave_views()
        change()
        after = MainWindow(session, before.settings, before.theme, begins=not before.page)
        after.pages.recall(memories)
        session.setParent(after)
        _show_the_same(before, after)
        self._follow(after)
        before.replaced.emit(after)
        after.show()
        after.activateWindow()
        before.hide()
        # Taking all its widgets down takes as long as painting the new ones: a turn of its own.
        QTimer.singleShot(0, before, before.deleteLater)
        if preferences:
            after.menus.show_preferences(preferences)


def _come_to_rest(window: MainWindow) -> None:
    """What is typed becomes an edit, and what is awaited is not awaited any more."""
    window.setFocus()
    window.opening.stop()
    window.remember_place()
    window.session.setParent(None)
    for job in window.findChildren(LatestJob):
        job.drop()


def _show_the_same(before: MainWindow, after: MainWindow) -> None:
    from dpdesk.desk.pages.release.page import ReleasePage

    release = before.pages.find("release")
    done = release.shown_release if isinstance(release, ReleasePage) else None
    shown = after.pages["release"] if done is not None else None
    if done is not None and isinstance(shown, ReleasePage):
        shown.show_release(done)
    after.menus.show_saved(after.session.document.is_saved)
    if before.page:
        after.go_to(before.page)
    read = before.handbook_page
    before.close_handbook()
    if read:
        after.handbook.open_page(read)
