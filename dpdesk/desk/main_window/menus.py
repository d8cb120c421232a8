# SPDX-License-Identifier: Apache-2.0
"""Menus and shortcuts, as on every desktop program.

The menus know what they act on and not the window that shows them: where one goes and what has
failed are signals. Pages and dialogs are imported by what needs them, since the window shows first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QKeySequence,
    QPalette,
)
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMenu, QMenuBar, QWidget

from dpdesk.desk.core import file_dialogs
from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.file_opener import FileOpener
from dpdesk.desk.pages.ledger.ledger_menu import LedgerMenu
from dpdesk.desk.pages.page_list import PAGES, PageDeclaration, Rail
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text.translators import chosen_language
from dpdesk.desk.theme.metrics import Space, Type, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label

if TYPE_CHECKING:
    from dpdesk.desk.pages.columns.page import ColumnsPage
    from dpdesk.desk.pages.preferences.preferences_dialog import PreferencesDialog
    from dpdesk.desk.pages.queries.page import QueriesPage
    from dpdesk.desk.pages.release.plan_document import PlanDocument

Key = QKeySequence.StandardKey
EVERYWHERE = {Key.Redo: ("Ctrl+Shift+Z", "Ctrl+Y"), Key.Quit: ("Ctrl+Q",)}
"""Keys that hold beside the system's own, which differ or, for Quit on Windows, are none."""


def _keys(key: QKeySequence.StandardKey) -> list[QKeySequence]:
    """The system's keys for something first, then those that hold on every system."""
    bound = QKeySequence.keyBindings(key)
    more = [QKeySequence(text) for text in EVERYWHERE.get(key, ())]
    return [*bound, *(one for one in more if one not in bound)]


class MenuBar(QMenuBar):
    """The menu bar on the rail's ground."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.follow_theme()
        register(self)

    def follow_theme(self) -> None:
        palette = self.palette()
        for place in (QPalette.ColorRole.Window, QPalette.ColorRole.Button):
            palette.setColor(place, color(Role.RAIL))
        for place in (QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
            palette.setColor(place, color(Role.TEXT))
        self.setPalette(palette)


class _Corner(QWidget):
    """The right end of the menu bar, which asks for its size alone."""

    def sizeHint(self) -> QSize:
        return QSize(round(Space.RAIL * max(1.0, scale())), Space.MENU)


@dataclass(frozen=True)
class MenuTargets:
    """What the menus act on.

    Attributes:
        session: the window's work.
        settings: what is remembered.
        theme: the application's look.
        opening: ways into a study.
        pages: the pages by their keys.
    """

    session: Session
    settings: Settings
    theme: Theme
    opening: FileOpener
    pages: Mapping[str, StepPage]


class Menus(QObject):
    """The window's menu bar.

    Attributes:
        undo, redo: the actions of the open study.
        preferences: the Preferences while they are open.

    Signals:
        text_size_picked: the texts are to have another size; carries per cent.
        language_picked: the window is to speak another language; carries its code or ``system``.
        page_picked: a page is to be shown; carries its key.
        failed: something could not be done; carries problems.
        handbook_wanted: the handbook is to be opened.
        tour_wanted: the tour is to begin.
    """

    page_picked = Signal(str)
    failed = Signal(object)
    language_picked = Signal(str)
    text_size_picked = Signal(int)
    handbook_wanted = Signal()
    tour_wanted = Signal()

    def __init__(self, window: QMainWindow, targets: MenuTargets) -> None:
        super().__init__(window)
        self._window = window
        self._targets = targets
        self._bar = MenuBar(window)
        window.setMenuBar(self._bar)
        self._bar.setNativeMenuBar(True)
        self._saved = Label("", Type.QUIET, Role.TEXT_QUIET)
        self._saved_icon = IconLabel("check", size=Space.ICON_CHIP)
        self._recent = QMenu(self.tr("Open &recent"), window)
        self.preferences: PreferencesDialog | None = None
        self._build_file()
        self._build_edit()
        self._build_view()
        self._build_tools()
        self._build_help()
        self._bar.setCornerWidget(self._build_saved())
        self._say_saved("")
        for menu in window.findChildren(QMenu):
            # Qt calls a menu by the window's title otherwise.
            menu.setAccessibleName(menu.title().replace("&", ""))

    def _build_saved(self) -> QWidget:
        corner = self._corner = _Corner()
        corner.setFixedSize(corner.sizeHint())
        row = QHBoxLayout(corner, spacing=Space.TIGHT)
        row.setContentsMargins(0, 0, Space.CARD + Space.TIGHT, 0)
        row.addStretch(1)
        row.addWidget(self._saved_icon)
        row.addWidget(self._saved)
        return corner

    def _build_file(self) -> None:
        window, opening = self._window, self._targets.opening
        menu = self._bar.addMenu(self.tr("&File"))
        self._add(menu, self.tr("&New study from a file…"), opening.ask_new, Key.New)
        self._add(menu, self.tr("New study from an earlier s&tudy…"), opening.reuse.ask_from_study)
        self._add(menu, self.tr("&Open a study…"), opening.ask_open, Key.Open)
        menu.addMenu(self._recent)
        self._recent.aboutToShow.connect(self._fill_recent)
        self._add(menu, self.tr("Try the &sample hospital"), opening.open_sample)
        menu.addSeparator()
        self._save_as = self._add(menu, self.tr("Save &as…"), self._ask_save_as, Key.SaveAs)
        following = self.tr("&Duplicate for the next extract…")
        self._duplicate = self._add(menu, following, opening.reuse.ask_duplicate)
        self._close = self._add(
            menu, self.tr("&Close study"), self._targets.session.document.close, Key.Close
        )
        menu.addSeparator()
        take, write = self._take_codebook, self._write_codebook
        self._take = self._add(menu, self.tr("&Import codebook…"), take)
        self._write = self._add(menu, self.tr("&Export codebook…"), write)
        menu.setToolTipsVisible(True)
        menu.addSeparator()
        self._print = self._add(menu, self.tr("&Print plan…"), self._print_plan, Key.Print)
        self._save_plan = self._add(menu, self.tr("Save plan as PD&F…"), self._ask_save_plan)
        menu.addSeparator()
        leave = self._add(menu, self.tr("&Quit"), window.close, Key.Quit)
        leave.setMenuRole(QAction.MenuRole.QuitRole)
        menu.aboutToShow.connect(self._enable)

    def _build_edit(self) -> None:
        stack = self._targets.session.document.undo_stack
        menu = self._bar.addMenu(self.tr("&Edit"))
        # Without a name of ours Qt says it as the language does: "Undo x", "x rückgängig machen".
        self.undo = stack.createUndoAction(self._window)
        self.undo.setShortcuts(Key.Undo)
        self.redo = stack.createRedoAction(self._window)
        self.redo.setShortcuts(_keys(Key.Redo))
        undone, redone = self.tr("Undone: {0}"), self.tr("Redone: {0}")
        self.undo.triggered.connect(lambda: self._announce(undone.format(stack.redoText())))
        self.redo.triggered.connect(lambda: self._announce(redone.format(stack.undoText())))
        menu.addActions([self.undo, self.redo])
        menu.addSeparator()
        chosen = self._add(menu, self.tr("&Preferences…"), self.show_preferences)
        chosen.setShortcut(QKeySequence("Ctrl+,"))
        chosen.setMenuRole(QAction.MenuRole.PreferencesRole)

    def _announce(self, done: str) -> None:
        """What was undone may stand anywhere, or nowhere any more."""
        announce(self._window, done)

    def _build_view(self) -> None:
        menu = self._bar.addMenu(self.tr("&View"))
        names = {
            "system": self.tr("As the &system"),
            "light": self.tr("&Light"),
            "dark": self.tr("&Dark"),
        }
        settings = self._targets.settings
        self._looks = self._add_choices(menu, names, settings.scheme, self._set_scheme)
        menu.addSeparator()
        menu.addMenu(self._language_menu())
        menu.aboutToShow.connect(self._enable)
        menu.addSeparator()
        for page in PAGES.values():
            if page.rail is not Rail.NONE and page.shortcut:
                self._add_page(menu, page, page.title())

    def _language_menu(self) -> QMenu:
        menu = self._languages = QMenu(self.tr("Lan&guage"), self._window)
        names = {chosen_language.SYSTEM: self.tr("As the &system")}
        names |= {code: chosen_language.own_name(code) for code in chosen_language.languages()}
        now = self._targets.settings.language
        chosen = now if now in names else chosen_language.SYSTEM
        self._add_choices(menu, names, chosen, self.language_picked.emit)
        return menu

    def _add_choices(
        self, menu: QMenu, names: Mapping[str, str], chosen: str, pick: Callable[[str], object]
    ) -> dict[str, QAction]:
        """One of several: each with what it is called; the actions by their keys."""
        made: dict[str, QAction] = {}
        group = QActionGroup(menu)
        for key, name in names.items():
            action = self._add(menu, name, partial(pick, key))
            action.setCheckable(True)
            action.setChecked(key == chosen)
            group.addAction(action)
            made[key] = action
        return made

    def _build_tools(self) -> None:
        menu = self._bar.addMenu(self.tr("&Tools"))
        self._template = self._add(menu, self.tr("Queries from a &template…"), self._use_template)
        self._fit = self._add(menu, self.tr("&Fit shares…"), self._fit_shares)
        tools = [(page, page.tool()) for page in PAGES.values() if page.tool is not None]
        of_study = [one for one in tools if one[0].needs_study]
        self._of_study = [self._add_page(menu, *one) for one in of_study]
        menu.addSeparator()
        for page, name in tools:
            if not page.needs_study:
                self._add_page(menu, page, name)
        action = self._add(menu, self.tr("&Verify a bundle…"), self._targets.opening.ask_verify)
        action.setShortcut(QKeySequence("Ctrl+Shift+V"))
        self._add(menu, self.tr("Sign a &plan…"), self._targets.opening.ask_sign)
        ledger = LedgerMenu(self._window, self._targets.session)
        ledger.changed.connect(partial(self.page_picked.emit, "history"))
        menu.addMenu(ledger)
        menu.addSeparator()
        remember = self._add(menu, self.tr("&Remember opened studies"), self._toggle_recent)
        remember.setCheckable(True)
        remember.setChecked(self._targets.settings.keeps_recent)
        self._remember = remember
        menu.aboutToShow.connect(self._enable)

    def _build_help(self) -> None:
        menu = self._bar.addMenu(self.tr("&Help"))
        self._add(menu, self.tr("&Handbook"), self.handbook_wanted.emit, Key.HelpContents)
        self._add(menu, self.tr("&Tour"), self.tour_wanted.emit)
        menu.addSeparator()
        self._add(menu, self.tr("&Diagnostic file…"), self._show_support)
        about = self._add(menu, self.tr("&About dpdesk"), self._show_about)
        about.setMenuRole(QAction.MenuRole.AboutRole)

    def _add(
        self,
        menu: QMenu,
        text: str,
        work: Callable[[], object],
        key: QKeySequence.StandardKey | None = None,
    ) -> QAction:
        action = QAction(text, self._window)
        action.triggered.connect(lambda _checked=False: work())
        if key is not None:
            action.setShortcuts(_keys(key))
        menu.addAction(action)
        return action

    def _add_page(self, menu: QMenu, page: PageDeclaration, name: str) -> QAction:
        action = self._add(menu, name, partial(self._go, page))
        action.setShortcut(QKeySequence(page.shortcut))
        return action

    def show_saved(self, saved: bool) -> None:
        """Say whether the study's file holds what the window shows."""
        if not self._targets.session.document.is_open:
            self._say_saved("")
            return
        text = self.tr("All changes saved") if saved else self.tr("Saving…")
        at_odds = self._targets.session.document.is_at_odds
        self._say_saved(self.tr("Not saved") if at_odds else text, saved and not at_odds)

    def show_unsaved(self) -> None:
        """Say that the study's file could not be written; it is tried again with the next edit."""
        self._say_saved(self.tr("Not saved"))

    def _say_saved(self, text: str, is_saved: bool = False) -> None:
        self._saved.setText(text)
        # What stands at the bar's end is in no tree that screen readers are given.
        self._bar.setAccessibleDescription(text)
        self._saved_icon.setVisible(is_saved)

    def _enable(self) -> None:
        is_open = self._targets.session.document.is_open
        self._save_as.setEnabled(is_open)
        self._close.setEnabled(is_open)
        self._duplicate.setEnabled(is_open)
        for action in self._of_study:
            action.setEnabled(is_open)
        self._template.setEnabled(is_open)
        has_queries = is_open and bool(self._targets.session.state.study.queries)
        self._print.setEnabled(has_queries)
        self._save_plan.setEnabled(has_queries)
        self._fit.setEnabled(has_queries)
        settings = self._targets.settings
        self._recent.setEnabled(bool(settings.recent))
        self._remember.setChecked(settings.keeps_recent)
        self._looks[settings.scheme].setChecked(True)
        # What runs was begun by a page that would be gone.
        self._languages.setEnabled(self._targets.session.jobs.current is None)
        self._enable_codebooks()

    def _enable_codebooks(self) -> None:
        codebooks = cast("ColumnsPage", self._targets.pages["columns"]).codebooks
        whys = codebooks.why_not_take(), codebooks.why_not_write()
        for action, why in zip((self._take, self._write), whys, strict=True):
            action.setEnabled(not why)
            action.setToolTip(why)

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self._targets.settings.recent:
            self._add(self._recent, path.stem, partial(self._targets.opening.open_study, path))
        self._recent.addSeparator()
        self._add(self._recent, self.tr("Clear this list"), self._targets.settings.forget)

    def _set_less_motion(self, less: bool) -> None:
        self._targets.settings.moves_less = less
        self._targets.theme.set_less_motion(less)

    def _set_scheme(self, scheme: str) -> None:
        self._targets.settings.scheme = scheme
        self._targets.theme.change(scheme)

    def _go(self, page: PageDeclaration) -> None:
        if self._targets.session.document.is_open or not page.needs_study:
            self.page_picked.emit(page.key)

    def _fit_shares(self) -> None:
        if (queries := self._queries_page()) is not None:
            queries.fit_shares()

    def _use_template(self) -> None:
        """Once there is a query, *Queries* no longer offers it."""
        if (queries := self._queries_page()) is not None:
            queries.use_template()

    def _queries_page(self) -> QueriesPage | None:
        if not self._targets.session.document.is_open:
            return None
        self.page_picked.emit("queries")
        return cast("QueriesPage", self._targets.pages["queries"])

    @cached_property
    def plan_document(self) -> PlanDocument:
        from dpdesk.desk.pages.release.plan_document import PlanDocument

        return PlanDocument(self._window, self._targets.session)

    def _print_plan(self) -> None:
        if self._targets.session.state.study.queries:
            self.plan_document.print_plan()

    def _ask_save_plan(self) -> None:
        if self._targets.session.state.study.queries:
            self.plan_document.ask_save()

    def _take_codebook(self) -> None:
        if (page := self._columns_page()) is not None:
            page.codebooks.take_over()

    def _write_codebook(self) -> None:
        if (page := self._columns_page()) is not None:
            page.codebooks.ask_write()

    def _columns_page(self) -> ColumnsPage | None:
        if not self._targets.session.document.is_open:
            return None
        self.page_picked.emit("columns")
        return cast("ColumnsPage", self._targets.pages["columns"])

    def _toggle_recent(self) -> None:
        self._keep_recent(self._remember.isChecked())

    def _keep_recent(self, kept: bool) -> None:
        self._targets.settings.keeps_recent = kept
        file_dialogs.keep_no_trace(not kept)

    @property
    def preferences_place(self) -> str:
        """What in the Preferences has the keyboard; empty while they are not open."""
        return self.preferences.place if self.preferences is not None else ""

    def show_preferences(self, place: str = "") -> None:
        """Open the Preferences, with the keyboard at a place of theirs."""
        from dpdesk.desk.pages.preferences.preferences_dialog import PreferencesDialog

        dialog = PreferencesDialog(self._window, self._targets.settings, self._targets.session)
        dialog.scheme_picked.connect(self._set_scheme)
        dialog.less_motion_wanted.connect(self._set_less_motion)
        dialog.text_size_picked.connect(self.text_size_picked)
        dialog.language_picked.connect(self.language_picked)
        dialog.recent_kept.connect(self._keep_recent)
        dialog.finished.connect(self._forget_preferences)
        self.preferences = dialog
        dialog.open()
        dialog.focus_at(place)

    def _forget_preferences(self, _result: int) -> None:
        self.preferences = None

    def _ask_save_as(self) -> None:
        document = self._targets.session.document
        start = str(document.path or Path.home())
        kinds = self.tr("Studies (*.dpdesk)")
        chosen = new_file(self._window, self.tr("Save the study as"), start, kinds)
        if chosen:
            document.save_as(chosen if chosen.suffix else chosen.with_suffix(".dpdesk"))

    def open_key_backup(self) -> None:
        """Back up the ledger with the signing key; then show how its backups stand."""
        from dpdesk.desk.pages.ledger.backup_dialog import BackupDialog

        dialog = BackupDialog(self._window, self._targets.session)
        dialog.with_key.setChecked(True)
        # Given up, it leaves the keyboard where it was.
        dialog.finished.connect(lambda _result: self._show_key_after(dialog.outcome.sentence))
        dialog.open()

    def _show_key_after(self, outcome: str) -> None:
        if outcome:
            self.page_picked.emit("keys")

    def _show_about(self) -> None:
        from dpdesk.desk.pages.about.about_dialog import AboutDialog

        AboutDialog(self._window, self._targets.session).open()

    def _show_support(self) -> None:
        from dpdesk.desk.pages.about.support_text import support_dialog

        support_dialog(self._window, self._targets.session.home).open()
