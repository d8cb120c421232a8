# SPDX-License-Identifier: Apache-2.0
"""Another language or text size without a restart: the window is made anew on the same session.

Every sentence on every page would otherwise have to be said a second time in place, by code that
is used nowhere else. The session stays: the study with its undo steps and what is not saved yet,
the accounts, the files that may be connected to. So do the page and what it shows: the release,
the bundle that is verified, the releases that are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from shiboken6 import delete, isValid

from dpdesk.desk.core.jobs.at_work import drop_work_of
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.text.translators.chosen_language import speak
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.window import MainWindow

LATER_MS = 50
FEW, AT_ONCE = 20, 4
"""So many cards of a page go at once, and so many of them where there are more."""


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
        session.setParent(after)
        _show_the_same(before, after, memories)
        self._follow(after)
        before.replaced.emit(after)
        after.show()
        after.activateWindow()
        before.hide()
        # Taking all its widgets down takes as long as painting the new ones: turns of their own.
        IdleSteps(before).begin(_take_down(before))
        if preferences:
            after.menus.show_preferences(preferences)


def _come_to_rest(window: MainWindow) -> None:
    """What is typed becomes an edit, and what is awaited is not awaited any more."""
    window.setFocus()
    window.opening.stop()
    window.remember_place()
    window.session.setParent(None)
    drop_work_of(window)


def _take_down(window: MainWindow) -> Iterator[None]:
    """Let go of a window; of large results a few cards at a time."""
    for page in window.pages.made():
        cards = page.findChildren(Card)
        for one, card in enumerate(cards if len(cards) > FEW else ()):
            if isValid(card):  # it may have been inside another
                delete(card)
            if one % AT_ONCE == 0:
                yield
    yield
    window.deleteLater()


def _show_the_same(before: MainWindow, after: MainWindow, memories: Mapping[str, object]) -> None:
    after.pages.recall(memories)
    after.menus.show_saved(after.session.document.is_saved)
    if before.page:
        after.go_to(before.page)
    if "release" in memories:
        # The rail says that it is released. Not in this turn: many figures take their time.
        QTimer.singleShot(LATER_MS, after, lambda: after.pages["release"])
    read = before.handbook_page
    before.close_handbook()
    if read:
        after.handbook.open_page(read)
