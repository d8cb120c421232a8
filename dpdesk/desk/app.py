# SPDX-License-Identifier: Apache-2.0
"""Starts the desk."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk import __version__
from dpdesk.desk.core import file_dialogs
from dpdesk.desk.core.jobs import workers
from dpdesk.desk.core.jobs.garbage_collector import GarbageCollector
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.activity_log import ActivityLog
from dpdesk.desk.main_window.incoming_files import DeskApplication, IncomingFiles
from dpdesk.desk.main_window.warm_up import WarmUp
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.main_window.window_renewal import WindowRenewal
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.text.translators import chosen_language
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.mnemonics import follow_alt
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.keyboard_follower import follow_keyboard
from dpdesk.program import crashes, faults
from dpdesk.program.handover import Inbox
from dpdesk.release.places.home import Home
from dpdesk.study.problem import Problem

DESKTOP_ID = "org.dpdesk.dpdesk"
SWITCH_S = 0.000_1
"""So long may a job keep the interpreter from the window's thread, which asks for it at each call
that comes back from Qt. Opening a file of 5,000 columns, of 0.1 s of work, held the window up for
1.5 s with Python's own 5 ms, for 0.45 s with 0.5 ms, and for 0.1 s with this."""


def run(home: Home, path: Path | None = None, inbox: Inbox | None = None) -> int:
    """Open the window and work until it is closed.

    Args:
        home: the user's ledger, keys and settings.
        path: a study, a bundle or a data file to begin with.
        inbox: where later starts leave what they are to open.
    """
    crashes.watch(home)
    app = application()
    window = make_window(app, home)
    collector = GarbageCollector(app)
    warm_up = make_ready(window)
    warm_up.done.connect(collector.freeze)
    incoming = IncomingFiles(window, inbox, path)
    activity = ActivityLog(window)
    warm_up.shown.connect(activity.note_shown)
    warm_up.shown.connect(incoming.open_first)
    window.show()
    status = int(app.exec())
    incoming.close()
    if workers.are_left():
        # A thread in the middle of a library's code is no company for taking everything down.
        os._exit(status)
    return status


def make_ready(window: MainWindow) -> WarmUp:
    """Make the pages ahead, also of a window that takes this one's place."""
    window.replaced.connect(make_ready)
    return WarmUp(window, window.session, window.pages)


def explain(problems: Sequence[Problem]) -> int:
    """Say in a window of its own why there will be no other."""
    app = application()
    Theme(app).apply("system")
    text = " ".join(words.problem_sentence(problem) for problem in problems)
    dialog = Dialog(None, tr("Start", "dpdesk cannot start"), text, "warning", Role.DANGER)
    dialog.add_safe(tr("Start", "Close"))
    dialog.open()
    app.exec()
    return 1


def application() -> QApplication:
    _keep_no_folders()
    found = QApplication.instance()
    app = found if isinstance(found, QApplication) else DeskApplication(sys.argv[:1])
    app.setApplicationName("dpdesk")
    app.setApplicationDisplayName("dpdesk")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName(DESKTOP_ID)
    if not chosen_language.is_speaking(app):
        chosen_language.speak(app, chosen_language.SYSTEM)
    sys.setswitchinterval(SWITCH_S)
    follow_keyboard(app)
    follow_alt(app)
    return app


def _keep_no_folders() -> None:
    """Qt's file dialog writes the folders that were used where other programs read them.

    It is sent to a place where nothing can be. A dialog of the system's own keeps what it keeps.
    """
    nowhere = os.path.join(os.devnull, "dpdesk")
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, nowhere)


def make_window(app: QApplication, home: Home) -> MainWindow:
    """The main window on a home, themed; faults are reported in it."""
    settings = Settings(home)
    chosen_language.speak(app, settings.language)
    file_dialogs.keep_no_trace(not settings.keeps_recent)
    file_dialogs.keep_own_files(home.keeps, _report_kept)
    theme = Theme(app)
    theme.set_text_size(settings.text_size)
    theme.set_less_motion(settings.moves_less)
    theme.apply(settings.scheme)
    app.setWindowIcon(icons.icon("logo", Role.ACCENT, 64))
    session = Session(home)
    window = MainWindow(session, settings, theme)
    session.setParent(window)
    _report_faults(window)
    WindowRenewal(app, window)
    _lead_through(window)
    if settings.is_invalid:
        window.report((Problem("$", "settings-invalid"),))
    return window


def _report_kept(parent: QWidget | None, path: Path) -> None:
    """Nothing is written where the ledger and the keys lie."""
    title = tr("SaveDialogs", "Choose another folder")
    sentence = tr(
        "SaveDialogs",
        "{0} cannot be saved in the folder of the ledger and the keys: it could replace one of "
        "them. Nothing was saved.",
    )
    dialog = Dialog(parent, title, sentence.format(escape(path.name)), "folder", Role.WARN)
    dialog.add_safe(tr("SaveDialogs", "Close"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def _lead_through(window: MainWindow) -> None:
    """Anyone who wants the tour gets it, also of the window that takes this one's place."""

    def begin() -> None:
        # Loaded here: it knows every page, and the window shows before they are imported.
        from dpdesk.desk.tour.tour import Tour

        found = window.findChild(Tour)
        (found if isinstance(found, Tour) else Tour(window)).start()

    window.tour_wanted.connect(begin)
    window.replaced.connect(_lead_through)


def _report_faults(window: MainWindow) -> None:
    """Faults are reported in the window, and in the one that takes its place."""

    def report(kind: str) -> None:
        window.report((Problem("$", "internal-fault", {"kind": kind}),))

    faults.install(window.session.home, report)
    window.replaced.connect(_report_faults)
