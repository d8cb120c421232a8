# SPDX-License-Identifier: Apache-2.0
"""Another language or text size without a restart: the window is made again on the same session.

Every sentence on every page would otherwise have to be said a second time in place, by code that
is used nowhere else. The session stays: the study with its undo steps and what is not saved yet,
the accounts, the files that may be connected to. So do the page and what it shows: the release,
the bundle that is verified, the releases that are compared.

It is made bit by bit behind the window before, which stays as it was painted last: nobody sees two
languages at once, and no turn of the event loop is long. Nothing can be typed meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QInputEvent, QWindow
from PySide6.QtWidgets import QApplication
from shiboken6 import delete, isValid

from dpdesk.desk.core.jobs.at_work import drop_work_of
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.text.translators.chosen_language import speak
from dpdesk.desk.theme.theme import paint_again
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.laying_out import lay_out_now

PAINTED = 2
"""So many turns after it is shown a window is on the screen."""
FEW, AT_ONCE = 20, 4
"""So many cards of a page go at once, and so many of them where there are more."""


class WindowRenewal(QObject):
    """Follows a window, and each that takes its place."""

    def __init__(self, app: QApplication, window: MainWindow) -> None:
        super().__init__(window)
        self._app = app
        self._renewing = IdleSteps(app)  # the window's own work is dropped with it
        self._follow(window)

    def _follow(self, window: MainWindow) -> None:
        self._window = window
        self.setParent(window)
        window.language_wanted.connect(self.change_language)
        window.text_size_wanted.connect(self.change_text_size)

    @property
    def _may_begin(self) -> bool:
        return self._window.session.jobs.current is None and not self._renewing.are_left

    def change_text_size(self, percent: int) -> None:
        """Write texts in another size from now on, unless something is at work."""
        if self._may_begin:
            self._window.settings.text_size = percent
            change = partial(self._window.theme.set_text_size, percent)
            self._begin(change)

    def change_language(self, choice: str) -> None:
        """Speak another language from now on, unless something is at work.

        Args:
            choice: ``system``, or the code of a language.
        """
        if self._may_begin:
            self._window.settings.language = choice
            self._begin(partial(speak, self._app, choice))

    def _begin(self, change: Callable[[], object]) -> None:
        """The window stays as it is painted, and takes nothing any more."""
        self._window.setUpdatesEnabled(False)
        self._renewing.begin(self._renew(change, _NoInput(self._app)))

    def _renew(self, change: Callable[[], object], shut: _NoInput) -> Iterator[None]:
        """Make the window again after a change of what all its parts were made with."""
        before = self._window
        preferences = before.menus.preferences_place
        try:
            after = yield from _made_anew(before, change)
            self._follow(after)
            before.replaced.emit(after)
            after.show()
            after.activateWindow()
            shut.spare(after)
            for _ in range(PAINTED):
                yield  # it is laid out and painted: to hide all of the other takes as long
            before.hide()
        finally:
            shut.let_go()
            if isValid(before):
                paint_again(before)
        # What the rail says is released; many figures take their time.
        yield from after.pages.make("release", only_remembered=True)
        # Taking all its widgets down takes as long as painting the new ones: turns of their own.
        IdleSteps(before).begin(_take_down(before))
        if preferences:
            after.menus.show_preferences(preferences)


class _NoInput(QObject):
    """Keeps input from a window that is about to go.

    That the language changes is kept from it, too: nothing in it says it again, and to tell its
    16,000 widgets, most of them in the menus of 100 plots, took 0.3 s.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._new: QWindow | None = None
        app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take keys, mouse and the wish to close away from the window that is about to go."""
        if event.type() == QEvent.Type.LanguageChange:
            return watched.isWidgetType()
        if not isinstance(watched, QWindow) or watched is self._new:
            return False
        is_close = event.type() == QEvent.Type.Close
        if is_close:
            event.ignore()
        return is_close or isinstance(event, QInputEvent)

    def spare(self, window: MainWindow) -> None:
        self._new = window.windowHandle()

    def let_go(self) -> None:
        self._app.removeEventFilter(self)
        self.deleteLater()


def _made_anew(
    before: MainWindow, change: Callable[[], object]
) -> Generator[None, None, MainWindow]:
    """Make the window that takes a window's place, and let it show the same."""
    session = before.session
    _come_to_rest(before)
    memories = before.pages.memories()  # numbers in fields are still of the language before
    session.leave_views()
    change()
    after = MainWindow(session, before.settings, before.theme, begins=not before.page)
    session.setParent(after)
    yield
    after.pages.recall(memories)
    after.menus.show_saved(session.document.is_saved)
    if before.page:
        for _ in after.pages.make(before.page):
            yield
        after.go_to(before.page)
        after.way_back.recall(before.way_back.opened_from)
        yield
    read = before.handbook_page
    before.close_handbook()
    if read:
        after.handbook.open_page(read)
    after.ensurePolished()
    lay_out_now()
    yield
    return after


def _come_to_rest(window: MainWindow) -> None:
    """What is typed becomes an edit, and what is awaited is not awaited any more."""
    window.setFocus()
    window.opening.stop()
    window.remember_place()
    window.session.setParent(None)
    drop_work_of(window)


def _take_down(window: MainWindow) -> Iterator[None]:
    """Let go of a window; page by page, and of large results a few cards at a time."""
    for page in window.pages.made():
        cards = page.findChildren(Card)
        for one, card in enumerate(cards if len(cards) > FEW else ()):
            if isValid(card):  # it may have been inside another
                delete(card)
            if one % AT_ONCE == 0:
                yield
        if isValid(page):
            delete(page)
        yield
    window.deleteLater()
