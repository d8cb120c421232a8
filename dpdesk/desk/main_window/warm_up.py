# SPDX-License-Identifier: Apache-2.0
"""What the first clicks need, made ready once the window is on the screen.

The window shows without tables, noise, ledger and plots. What makes no Qt objects is imported by a
job, beside which the window's thread goes on; the pages are imported and made in that thread, one
step at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.catalogue import read_catalogue, shipped_languages
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.core.session import Session
from dpdesk.desk.main_window.lazy_pages import LazyPages
from dpdesk.desk.pages.page_list import PAGES
from dpdesk.release.places.home import Home


class WarmUp(QObject):
    """Begins when the window was painted.

    It may run only where a ``GarbageCollector`` keeps the job's thread from destroying widgets.

    Args:
        window: the window that is waited for.
        session: its work.
        pages: its pages, each made when it is first asked for.

    Signals:
        shown: the window is on the screen.
        done: everything is imported and made.
    """

    shown = Signal()
    done = Signal()

    def __init__(self, window: QWidget, session: Session, pages: LazyPages) -> None:
        super().__init__(window)
        self._session = session
        self._ready = pages
        self._steps = IdleSteps(self)
        window.installEventFilter(self)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        """Notice the first painting; what is painted in one go with it comes first."""
        if event.type() == QEvent.Type.Paint:
            window.removeEventFilter(self)
            QTimer.singleShot(0, self, self._begin)
        return False

    def _begin(self) -> None:
        self.shown.emit()
        self._session.looks.run(_import_libraries).ended.connect(self._import_pages)

    def _import_pages(self) -> None:
        self._steps.begin(self._pages())

    def _pages(self) -> Iterator[None]:
        for page in PAGES.values():
            page.load()
            yield
            yield from self._ready.make(page.key)
        self.done.emit()
        self._session.looks.run(partial(_read_ahead, self._session.home))


def _read_ahead(home: Home, _progress: Progress, cancel: CancelToken) -> None:
    """The other languages, and then the ledger.

    Hundreds of releases take seconds to read; History reads them again in a moment.
    """
    from dpdesk.release.ledger import Ledger

    for language in shipped_languages():
        read_catalogue(language)
        cancel.check()
    if home.ledger.exists():
        Ledger(home).read_ahead(cancel.check)


def _import_libraries(_progress: Progress, cancel: CancelToken) -> None:
    """What has no Qt, in the order in which opening a study needs it.

    Not pyqtgraph, which reads every name of Qt: PySide makes a type when it is first named, and
    beside the window's thread that has crashed.
    """
    for load in (_import_noise, _import_ledger, _import_tables):
        load()
        cancel.check()


def _import_noise() -> None:
    # NumPy imports it by itself when numbers are first sorted.
    import numpy.ma  # noqa: F401 - imported for later

    import dpdesk.privacy.planning.allocate
    import dpdesk.privacy.planning.curves
    import dpdesk.privacy.planning.two_worlds
    import dpdesk.privacy.planning.weak  # noqa: F401 - imported for later


def _import_ledger() -> None:
    import dpdesk.release.ledger.spending.prices
    import dpdesk.release.run.release_run
    import dpdesk.release.run.same_file
    import dpdesk.release.verify.verification  # noqa: F401 - imported for later


def _import_tables() -> None:
    import dpdesk.data.codebook.diff
    import dpdesk.data.inspection.about
    import dpdesk.data.inspection.recognise  # noqa: F401 - imported for later
    from dpdesk.study.suggest.clinical import named
    from dpdesk.study.suggest.identifiers import identifier_kind

    named()
    identifier_kind("")
