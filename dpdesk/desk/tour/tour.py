# SPDX-License-Identifier: Apache-2.0
"""Leads through the window, one callout after the other, as long as somebody follows.

It opens pages and nothing else: it edits, spends and reads nothing. Anyone who goes to another page
has left it.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.theme.metrics import Space, scale
from dpdesk.desk.tour.callout import LEAST_SEEN, Callout, Ring
from dpdesk.desk.tour.stops import Stop, study_stops, welcome_stops
from dpdesk.desk.widgets.tab_stop import order_tab_stops

LOW = 320
"""A lower page has no room for a control and a callout wherever the control is."""


class Tour(QObject):
    """The tour of a window.

    Attributes:
        callout: the card, while the tour is on.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._stops: tuple[Stop, ...] = ()
        self._at = 0
        self._awaits_study = False
        self.callout: Callout | None = None
        self._ring: Ring | None = None
        self._before: QWidget | None = None
        window.session.document.study_changed.connect(self._follow_study)
        window.page_shown.connect(self._follow_page)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow_keyboard)

    @property
    def is_on(self) -> bool:
        return self.callout is not None

    def start(self) -> None:
        """Begin: on the open study, or on the first page."""
        self.end()
        self._window.settings.tour_seen = True
        self._before = QApplication.focusWidget()
        self._begin(study_stops() if self._window.session.document.is_open else welcome_stops())

    def _begin(self, stops: tuple[Stop, ...]) -> None:
        self._stops = stops
        callout = self.callout = Callout(self._window)
        self._ring = Ring(self._window)
        callout.went_on.connect(self._go_on)
        callout.went_back.connect(lambda: self._show(self._at - 1))
        callout.left.connect(self.end)
        self._window.installEventFilter(self)
        self._show(0)

    def end(self) -> None:
        """Take callout and ring away, and give the keyboard back."""
        self._awaits_study = False
        if self.callout is None or self._ring is None:
            return
        self._window.removeEventFilter(self)
        had_keyboard = self.callout.isAncestorOf(QApplication.focusWidget() or self._window)
        for widget in (self.callout, self._ring):
            widget.hide()
            widget.deleteLater()
        self.callout = self._ring = None
        if had_keyboard:
            self._give_back()

    def _give_back(self) -> None:
        page = self._window.page
        if page:
            shown = self._window.pages[page]
            shown.focus_first()
            if page == "release" and shown.footer.primary is QApplication.focusWidget():
                # Return, pressed once more, is not to spend anything.
                shown.footer.back.setFocus(Qt.FocusReason.TabFocusReason)
            return
        # The first page offers the tour to those who never took it.
        self._window.welcome.render_state()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus()
        else:
            self._window.welcome.focus_first()

    def _go_on(self) -> None:
        if self._at + 1 < len(self._stops):
            self._show(self._at + 1)
        elif self._stops[self._at].page:
            self.end()
        else:
            self._awaits_study = True
            self._window.opening.open_sample()

    def _follow_study(self) -> None:
        """A study was opened: where it was waited for, the tour goes on in it."""
        if self._awaits_study and self._window.session.document.is_open:
            QTimer.singleShot(0, self, self._go_on_in_study)

    def _go_on_in_study(self) -> None:
        self.end()
        self._begin(study_stops())

    def _follow_page(self, page: str) -> None:
        """Anyone who goes elsewhere has left, but for the study that is waited for."""
        if self.is_on and not self._awaits_study and self._stops[self._at].page != page:
            self.end()

    def _show(self, at: int) -> None:
        stop = self._stops[at]
        if stop.page and self._window.page != stop.page:
            self._at = at  # the page is that of the new stop while it comes on show
            self._window.go_to(stop.page)
            # The callout takes the keyboard from it before Tab was ever pressed in it.
            order_tab_stops(self._window.pages[stop.page])
        self._at = at
        if self.callout is None:
            return
        is_last = at + 1 == len(self._stops)
        on = self.tr("Next")
        if is_last:
            on = self.tr("Done") if stop.page else self.tr("Open the sample hospital")
        place = self.tr("{0} of {1}").format(at + 1, len(self._stops))
        self.callout.say(stop.title, stop.text, place, on, at == 0)
        self._settle()
        # A page that was just made has its places only after the next layout.
        QTimer.singleShot(0, self, self._settle)
        self.callout.on.setFocus(Qt.FocusReason.OtherFocusReason)

    def _settle(self) -> None:
        """Put ring and callout where the control is now."""
        if self.callout is None:
            return
        _scroll_to(self._stops[self._at].target(self._window))
        self.callout.put_beside(self._put_ring(), self._room())

    def _put_ring(self) -> QRect:
        """Put the ring around what the callout is about; where that is, or the window's middle."""
        window = self._window
        target = self._stops[self._at].target(window)
        place = QRect(window.rect().center(), window.rect().center())
        if target is not None and target.isVisible():
            place = _seen(target, window)
        if self._ring is not None:
            self._ring.setVisible(place.width() > LEAST_SEEN)
            if place.width() > LEAST_SEEN:
                self._ring.put_around(place)
        return place

    def _room(self) -> QRect:
        return self._window.rect().adjusted(8, 8, -8, -8)

    def _follow_keyboard(self, _before: QWidget | None, at: QWidget | None) -> None:
        """Anyone who goes on with Tab in the page sees what has the keyboard."""
        if self.is_on and at is not None and self._window.isAncestorOf(at):
            # What Tab came to is scrolled into sight first.
            QTimer.singleShot(0, self, self._uncover)

    def _uncover(self) -> None:
        at, callout = QApplication.focusWidget(), self.callout
        if at is None or callout is None or callout.isAncestorOf(at):
            return
        if self._window.isAncestorOf(at):
            self._put_ring()
            keyboard = QRect(at.mapTo(self._window, QPoint()), at.size())
            if callout.geometry().intersects(keyboard):
                callout.put_beside(keyboard, self._room())
            callout.raise_()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follow the window's size, and end with Escape wherever nothing else takes it."""
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self._settle)
        if _is_escape(event):
            self.end()
            return True
        return False


def _is_escape(event: QEvent) -> bool:
    if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
        return False
    return event.key() == Qt.Key.Key_Escape


def _scroll_to(target: QWidget | None) -> None:
    """Bring a control into sight where its page scrolls."""
    above = target.parentWidget() if target is not None else None
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    content = above.widget() if isinstance(above, QScrollArea) else None
    if isinstance(above, QScrollArea) and content is not None and target is not None:
        above.ensureWidgetVisible(target)
        if above.viewport().height() < LOW * scale():
            # At the top, so that what is said of it has its room below.
            top = target.mapTo(content, QPoint()).y()
            above.verticalScrollBar().setValue(top - Space.SMALL)


def _seen(target: QWidget, window: QWidget) -> QRect:
    """Where a control is seen in the window."""
    seen = target.visibleRegion().boundingRect()
    return QRect(target.mapTo(window, QPoint(0, 0)) + seen.topLeft(), seen.size())
