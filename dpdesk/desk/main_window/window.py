# SPDX-License-Identifier: Apache-2.0
"""The main window: rail, pages and budget panel around one session."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk import placing
from dpdesk.desk.core.jobs.jobs import Job
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.file_opener import FileOpener, dropped_files, is_pair
from dpdesk.desk.main_window import budget_view
from dpdesk.desk.main_window.changed_outside_banner import ChangedOutsideBanner
from dpdesk.desk.main_window.lazy_pages import LazyPages
from dpdesk.desk.main_window.menus import Menus, MenuTargets
from dpdesk.desk.main_window.rail_view import (
    first_open_step,
    rail_entries,
    rail_form,
    show_steps,
)
from dpdesk.desk.main_window.trouble_banner import TroubleBanner
from dpdesk.desk.main_window.way_back import WayBack, is_beside
from dpdesk.desk.pages.data.recognition_foot import RecognitionFoot
from dpdesk.desk.pages.page_list import PAGES, Gauge
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.pages.welcome.welcome_page import WelcomePage
from dpdesk.desk.theme.metrics import (
    LOW_RAIL_BELOW,
    NARROW_PANEL_BELOW,
    NO_MARGINS,
    STRIP_BELOW,
    scale,
)
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.budget.budget_strip import BudgetStrip
from dpdesk.desk.widgets.budget.gauge_panel import BudgetPanel
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.rail import StepRail
from dpdesk.desk.widgets.tab_stop import put_keyboard, scroll_to_keyboard
from dpdesk.study.problem import Problem
from dpdesk.study.reuse.templates import TEMPLATES

if TYPE_CHECKING:
    from dpdesk.desk.pages.columns.page import ColumnsPage
    from dpdesk.desk.pages.comparison.page import ComparisonPage
    from dpdesk.desk.pages.data.page import DataPage
    from dpdesk.desk.pages.help.handbook_opener import HandbookOpener
    from dpdesk.desk.pages.people.page import PeoplePage
    from dpdesk.desk.pages.queries.page import QueriesPage
    from dpdesk.desk.pages.verify.page import VerifyPage

FIRST_SIZE = QSize(1280, 800)
LEAST_SIZE = QSize(640, 340)
"""A screen of 1366 x 768 at twice the size has room for it, with the window's decorations."""


class MainWindow(QMainWindow):
    """dpdesk's window.

    Args:
        session: the window's work.
        settings: what is remembered.
        theme: the application's look; menus change it.
        begins: it shows how to begin; who makes it for a study that is open says what it shows.

    Signals:
        refused: something could not be done; carries the problems.
        language_wanted: it is to speak another language; carries its code or ``system``.
        text_size_wanted: its texts are to have another size; carries per cent.
        page_shown: a page came on show; carries its key.
        tour_wanted: somebody is to be led through it.
        replaced: another window has taken its place; carries it.
    """

    refused = Signal(object)
    language_wanted = Signal(str)
    text_size_wanted = Signal(int)
    page_shown = Signal(str)
    tour_wanted = Signal()
    replaced = Signal(object)

    def __init__(
        self, session: Session, settings: Settings, theme: Theme, *, begins: bool = True
    ) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.theme = theme
        self.opening = FileOpener(self, session, settings)
        self.rail = StepRail(rail_entries())
        self.panel = BudgetPanel()
        self.strip = BudgetStrip()
        self._handbook: HandbookOpener | None = None
        self.trouble = TroubleBanner(session)
        self.reading = RecognitionFoot(session)
        self.changed_outside = ChangedOutsideBanner(session)
        self.pages = LazyPages(session, self._take_page)
        self.way_back = WayBack()
        self._page = ""
        self._named: tuple[str, str] | None = None
        self._is_opening = False
        self._is_entering = False
        self._may_lose = False
        self._may_stop = False
        self._stack = QStackedWidget()
        self._build()
        self.menus = self._build_menus()
        self._connect()
        self._name_window()
        self.setAcceptDrops(True)
        self.setMinimumSize(LEAST_SIZE)
        self.resize(FIRST_SIZE)
        placing.place(self, settings.place)
        if settings.is_maximised:
            self.setWindowState(Qt.WindowState.WindowMaximized)
        if begins:
            self._show_welcome()

    def _build(self) -> None:
        self._work = QWidget()
        row = QHBoxLayout(self._work, spacing=0, contentsMargins=NO_MARGINS)
        middle = QVBoxLayout(spacing=0)
        middle.addWidget(self.strip)
        middle.addWidget(self.trouble)
        middle.addWidget(self.changed_outside)
        middle.addWidget(self._stack, 1)
        row.addWidget(self.rail)
        row.addLayout(middle, 1)
        row.addWidget(self.panel)
        self._outer = QStackedWidget()
        self._outer.addWidget(self._work)
        whole = QWidget()
        column = QVBoxLayout(whole, spacing=0, contentsMargins=NO_MARGINS)
        column.addWidget(self._outer, 1)
        column.addWidget(self.reading)
        self.setCentralWidget(whole)

    def _build_menus(self) -> Menus:
        targets = MenuTargets(self.session, self.settings, self.theme, self.opening, self.pages)
        return Menus(self, targets)

    def _connect(self) -> None:
        self.session.state_changed.connect(self.render_state)
        self.session.failed.connect(self.report)
        self.menus.failed.connect(self.report)
        self.menus.page_picked.connect(self.go_to)
        self.menus.language_picked.connect(self.language_wanted)
        self.menus.text_size_picked.connect(self.text_size_wanted)
        self.menus.handbook_wanted.connect(self.open_handbook)
        self.menus.tour_wanted.connect(self.tour_wanted)
        self.session.misread.connect(lambda problems: self.report(problems, located=True))
        self.session.document.opened.connect(self._forget)
        self.session.document.saved_changed.connect(self.menus.show_saved)
        self.session.document.save_failed.connect(lambda _problem: self.menus.show_unsaved())
        self.session.document.study_changed.connect(self._show_opened)
        self.rail.page_picked.connect(self.go_to)
        self.strip.toggled.connect(lambda _on: self._show_budget())
        self.settings.unwritten = self._report_unwritten
        self.opening.verify_wanted.connect(self.verify_bundle)
        self.opening.tables_wanted.connect(self._add_tables)

    @cached_property
    def welcome(self) -> WelcomePage:
        """How to begin; a window that shows a study from the start does without."""
        made = WelcomePage(self.session, self.settings)
        made.tour_wanted.connect(self.tour_wanted)
        made.wanted.connect(self.opening.do)
        made.study_picked.connect(self.opening.open_study)
        made.template_picked.connect(self.opening.ask_new)
        self._outer.addWidget(made)
        return made

    def _take_page(self, key: str, page: StepPage) -> None:
        """A page is needed for the first time."""
        self._stack.addWidget(page)
        if is_beside(key):
            page.footer.back.show()
            page.footer.back.clicked.connect(lambda: self.go_to(self.way_back.page_before(key)))
        page.go_to.connect(self.go_to)
        page.shown_changed.connect(self.render_state)
        page.column_wanted.connect(self.show_column)
        page.title_wanted.connect(self.show_title)
        page.extract_wanted.connect(self.show_extract)
        page.account_wanted.connect(self.choose_account)
        page.query_wanted.connect(self.show_query)
        page.size_wanted.connect(self.show_size)
        page.bundle_wanted.connect(self.verify_bundle)
        page.compare_wanted.connect(self.compare_release)
        page.help_wanted.connect(lambda topic: self.handbook.open_page(topic))
        page.key_backup_wanted.connect(self.menus.open_key_backup)

    @property
    def page(self) -> str:
        """Key of the page on show; empty while the welcome page is."""
        return self._page

    def go_to(self, key: str) -> None:
        """Show a page; the first one where the key is empty."""
        if not key:
            self._show_welcome()
            return
        self._outer.setCurrentWidget(self._work)
        before = self._page
        self.way_back.leave(before, key, self.focusWidget())
        self._page = key
        self.rail.select(PAGES[key].within or key)
        self._is_entering = True  # what changes on entering is drawn once, below
        try:
            self.pages[key].enter()
        finally:
            self._is_entering = False
        self._stack.setCurrentWidget(self.pages[key])
        self.render_state()
        if self.session.document.is_saved:  # a study that was just opened says so, too
            self.menus.show_saved(True)
        if not is_beside(before) or not self.way_back.take(key, self.pages[key]):
            self.pages[key].focus_first()
        announce(self.pages[key], self.pages[key].accessibleName())
        self.page_shown.emit(key)

    @property
    def handbook(self) -> HandbookOpener:
        if self._handbook is None:
            from dpdesk.desk.pages.help.handbook_opener import HandbookOpener

            self._handbook = HandbookOpener(self)
        return self._handbook

    @property
    def handbook_page(self) -> str:
        """The page of the handbook that is open; empty while none is."""
        return self._handbook.page if self._handbook is not None else ""

    def close_handbook(self) -> None:
        if self._handbook is not None:
            self._handbook.close()

    def open_handbook(self) -> None:
        self.handbook.open_about(QApplication.focusWidget(), self._page)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """What Tab comes to is on show."""
        went = super().focusNextPrevChild(forward)
        scroll_to_keyboard()
        return went

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F1 comes here from dialogs, which keep the menus' shortcuts from working."""
        if event.matches(QKeySequence.StandardKey.HelpContents):
            self.open_handbook()
            return
        super().keyPressEvent(event)

    def show_column(self, name: str) -> None:
        cast("ColumnsPage", self.pages["columns"]).select(name)
        self.go_to("columns")

    def show_title(self) -> None:
        self.go_to("data")
        put_keyboard(cast("DataPage", self.pages["data"]).title_field.edit)

    def show_extract(self) -> None:
        self.go_to("data")
        put_keyboard(cast("DataPage", self.pages["data"]).extract_field.edit)

    def choose_account(self, name: str) -> None:
        """Let an account pay, or ask for a new one, over the page on show."""
        account = cast("PeoplePage", self.pages["people"]).account
        if name:
            account.choose(name)
        else:
            account.ask_new(self)

    def show_query(self, query_id: str, asks_size: bool = False) -> None:
        page = cast("QueriesPage", self.pages["queries"])
        page.select(query_id)  # before it is entered: the keyboard goes to what is open
        self.go_to("queries")
        if asks_size:
            page.card_of(query_id).accuracy.ask_size()

    def show_size(self, query_id: str) -> None:
        self.show_query(query_id, asks_size=True)

    def verify_bundle(self, path: Path) -> None:
        """Show the Verify page with a bundle, a notice, or a plan to be signed."""
        self.go_to("verify")
        cast("VerifyPage", self.pages["verify"]).open_bundle(path)

    def compare_release(self, sequence: int) -> None:
        self.go_to("comparison")
        cast("ComparisonPage", self.pages["comparison"]).begin(sequence)

    def render_state(self) -> None:
        if not self._page or self._is_opening or self._is_entering:
            return
        state = self.session.state
        study = state.study
        if (study.title, study.organisation) != self._named:
            self._named = study.title, study.organisation
            self._name_window()
            self.rail.set_study(study.title, study.organisation)
        release = self.pages.find("release")
        released = release.released_shares if release is not None else None
        is_released = release is not None and release.is_of_the_study
        show_steps(self.rail, state, is_released)
        page, beside = self.pages[self._page], PAGES[self._page].gauge
        selected = page.selected if beside is Gauge.QUERIES else ""
        shown = released if beside is Gauge.RELEASE else None
        budget_view.show(self.panel, state, selected, shown, beside=beside)
        self.strip.show_gauge(self.panel.gauge)
        page.render_state()

    def _name_window(self) -> None:
        """The study's name first, as it is told apart in the list of windows."""
        name = ""
        if self._page:
            name = self.session.state.study.title.strip() or self.tr("Untitled study")
        # Qt takes [*] in a title for the mark of unsaved changes.
        shown = f"{name} \N{EN DASH} dpdesk" if name else "dpdesk"
        self.setWindowTitle(shown.replace("[*]", "[*][*]"))

    def report(self, problems: tuple[Problem, ...], located: bool = False) -> None:
        """Show what could not be done, above the page; with its places in the study file."""
        text = self.trouble.report(problems, located)
        self.refused.emit(problems)
        if not self._page:
            self.welcome.report(text)

    def _report_unwritten(self) -> None:
        """A choice could not be kept; that the study cannot be saved matters more."""
        if not self.trouble.is_about_saving:
            self.report((Problem("$", "settings-unwritable"),))

    def _forget(self) -> None:
        """Another study is opened: what is known of the one before is not drawn any more."""
        self._is_opening = True
        self.pages.forget()

    def _template_of(self, path: Path) -> str:
        """The template that a study was begun for, while it has no queries."""
        name = "" if self.session.document.study.queries else self.settings.template_of(path)
        return name if any(one.name == name for one in TEMPLATES) else ""

    def _show_opened(self) -> None:
        """Show the study that was opened, now that all who derive from it know it."""
        if not self._is_opening:
            return
        if not self.session.document.is_open:
            self._is_opening = False
            self._show_welcome()
            return
        path = self.session.document.path
        if path is not None:
            self.settings.remember(path)
            self.session.template = self._template_of(path)
        try:
            self.session.reread_accounts()
        finally:
            self._is_opening = False
        self.go_to(first_open_step(self.session.state))

    def _show_welcome(self) -> None:
        self._page, self._named = "", None
        self._name_window()
        self.welcome.render_state()
        self.menus.show_saved(True)  # without a study, nothing
        self._outer.setCurrentWidget(self.welcome)
        self.welcome.focus_first()
        announce(self.welcome, self.welcome.accessibleName())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Larger texts need the narrow forms sooner.
        width = event.size().width() / max(1.0, scale())
        self.panel.set_narrow(width < NARROW_PANEL_BELOW)
        self.rail.set_form(rail_form(width))
        self.rail.set_low(event.size().height() < LOW_RAIL_BELOW)
        self._show_budget()

    def _show_budget(self) -> None:
        """The panel at the side, or in narrow windows a strip that opens it."""
        narrow = self.width() / max(1.0, scale()) < STRIP_BELOW
        self.strip.setVisible(narrow)
        self.panel.setVisible(not narrow or self.strip.isChecked())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_files(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped: a study, a bundle, its notice or data files.

        Several data files are further tables where Data is on show, and else a new study. Sealed
        counts are opened where Data waits for some.
        """
        event.acceptProposedAction()
        paths = dropped_files(event)
        if self._page == "data" and self._open_counts(paths):
            return
        several = len(paths) > 1 and not is_pair(paths)
        if several and self._page == "data":
            self._add_tables(paths)
        elif several:
            self.opening.new_study_of(paths)
        else:
            for path in paths:
                self.opening.open_any(path)

    def _open_counts(self, paths: Sequence[Path]) -> bool:
        return cast("DataPage", self.pages["data"]).open_counts(paths)

    def _add_tables(self, paths: Sequence[Path]) -> None:
        cast("DataPage", self.pages["data"]).add_files(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop what runs, save, remember the window's place; stay open where saving fails.

        A release is stopped by a person alone: what it has drawn is spent.
        """
        if self.session.releasing is not None and not self._may_stop:
            event.ignore()
            self._ask_stop(self.session.releasing)
            return
        self.opening.stop()
        self.session.jobs.stop()
        self.session.looks.stop()
        if not self._may_lose and not self.session.document.save():
            event.ignore()
            self._ask_lose()
            return
        self.remember_place()
        self.close_handbook()
        super().closeEvent(event)

    def remember_place(self) -> None:
        self.settings.is_maximised = self.isMaximized()
        self.settings.place = self.normalGeometry()

    def _ask_stop(self, release: Job) -> None:
        """Ask whether to close during a release; where it ends meanwhile, its figures are shown."""
        title = self.tr("Close during the release?")
        text = self.tr(
            "If noise is already drawn, its budget is spent: History has the figures. Otherwise "
            "the release stops, and nothing is spent."
        )
        dialog = Dialog(self, title, text, "warning", Role.DANGER)
        dialog.add_safe(self.tr("Let it finish"))
        dialog.add_danger(self.tr("Stop and close"))
        dialog.accepted.connect(self._stop_anyway)
        release.ended.connect(dialog.reject)
        dialog.open()

    def _stop_anyway(self) -> None:
        self._may_stop = True
        self.close()
        self._may_stop = False

    def _ask_lose(self) -> None:
        """Ask whether to close without the changes that could not be saved."""
        title = self.tr("Close and lose the last changes?")
        text = self.tr(
            "The study cannot be saved where it is. Save it elsewhere with File, Save as."
        )
        if self.session.document.is_at_odds:
            text = self.tr(
                "The study’s file was changed by another window or program. Keep the study open "
                "to choose between the two."
            )
        dialog = Dialog(self, title, text, "warning", Role.DANGER)
        dialog.add_safe(self.tr("Keep it open"))
        dialog.add_danger(self.tr("Lose the changes"))
        dialog.accepted.connect(self._close_anyway)
        dialog.open()

    def _close_anyway(self) -> None:
        self._may_lose = True
        self.close()

    def changeEvent(self, event: QEvent) -> None:
        """Look at ledger and data file again when the window comes to the front."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            # The decorations are there by now.
            QTimer.singleShot(0, self, lambda: placing.keep_on_screen(self))
        became_active = event.type() == QEvent.Type.ActivationChange and self.isActiveWindow()
        if became_active and self._page and self.session.jobs.current is None:
            self.session.document.look_at_file()
            self.session.look_again()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.BG))
        painter.end()
