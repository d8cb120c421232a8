# SPDX-License-Identifier: Apache-2.0
"""What must hold whatever a monkey does; each breach is a finding with the event it followed."""

from __future__ import annotations

import gc
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from types import CellType, FrameType
from typing import Any

from PySide6.QtCore import QMetaObject, QObject, QTimer, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QLayoutItem
from shiboken6.Shiboken import createdByPython, getAllValidWrappers, ownedByPython

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.results.results_view import ResultsView
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.ledger_report import LedgerReport
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.document import Study

HARMLESS = (
    "This plugin does not support",
    "QFontDatabase: Cannot find font directory",
    "QStandardPaths: XDG_RUNTIME_DIR not set",
    "OpenType support missing",
    "xdg-open: ",  # the same, in a desktop's own words
    "Unable to detect a launcher",  # a machine that opens no files for others
    "setPointSizeF: Point size <= 0 (-0.25",  # Qt's print dialog, of fonts that have pixels
    "Broken filename passed",  # Qt's print dialog, of a name with a NUL that was pasted
    # Qt's print dialog, where the name of the file was deleted; it says that none can be written.
    "QFSFileEngine::open: No file name specified",
    # Qt's text fields, where a text is held down while another one is dragged: it is not dragged.
    "QDragManager::drag in possibly invalid state",
    "not accepted by receiving widget",  # QTest's own, of a menu that closes
)
MOST_LOST_S = 1.0  # a busy window's time counts twice
MOST_STALL_S = 1.5
BEAT_S = 0.1


@dataclass
class Watch:
    """Looks on while a monkey works.

    Attributes:
        findings: what did not hold.
        releases: entries of the releases that were shown.
        stalls: seconds of the window's thread that events took, and which.
    """

    home: Home
    findings: list[str] = field(default_factory=list)
    releases: dict[int, str] = field(default_factory=dict)
    stalls: list[tuple[float, str]] = field(default_factory=list)
    event: str = "start"

    def __post_init__(self) -> None:
        self._found: set[str] = set()
        self._seen: list[tuple[float, Study]] = []
        self._of_others: list[Study] = []
        self._beats, self._beaten, self._writing = 0, 0.0, 0.0
        self._unsound = _trouble(Ledger.open(self.home).check())
        self._began = time.thread_time()
        self._stepped = self._time_had()

    def install(self, window: MainWindow) -> None:
        """Hear every message and exception from now on, see every edit and release shown."""
        sys.excepthook = self._caught
        qInstallMessageHandler(self._hear)
        self._document = window.session.document
        # The window may be made anew; its session stays.
        beat = QTimer(self._document, interval=round(BEAT_S * 1000))
        beat.timeout.connect(self._beat)
        beat.start()
        self._follow(window)
        shown = ResultsView.show_release

        def noted(results: ResultsView, done: ReleaseDone) -> None:
            self.releases[done.sequence] = done.head
            shown(results, done)

        ResultsView.show_release = noted  # type: ignore[method-assign]

    def _follow(self, window: MainWindow) -> None:
        """See every edit in a window, and in the one that takes its place."""
        self._document.study_changed.connect(self._edited)
        if self._document.is_open:
            self._edited()  # it was opened before anybody looked
        self._document.changed_outside.connect(self._note_others)
        self._document.save_failed.connect(lambda problem: self.find(f"not saved: {problem.code}"))
        window.replaced.connect(self._follow)

    def others_wrote(self, study: Study) -> None:
        """Another program wrote the study's file: the window replaces nothing unasked."""
        self._of_others.append(study)

    def _note_others(self) -> None:
        if not self._of_others:
            self.find("taken for changed by others")

    def find(self, what: str) -> None:
        """Note a breach, with what came before it."""
        if what not in self._found:
            self._found.add(what)
            self.findings.append(f"{what} (after {self.event})")

    def next_event(self, name: str) -> None:
        """Another event begins: what the one before took of this thread's time is known now."""
        now = time.thread_time()
        took, self._began = now - self._began, now
        self.stalls = sorted([*self.stalls, (took, self.event)], reverse=True)[:5]
        if took > MOST_STALL_S:
            self.find(f"stood still for {took:.1f} s")
        self.event, self._stepped = name, self._time_had()

    def check(self) -> None:
        """Look at file and ledger."""
        self._check_file()
        self._check_ledger()
        self._check_wrappers()

    def _caught(self, kind: type[BaseException], value: BaseException, trace: Any) -> None:
        places = [f"{f.name}:{f.lineno}" for f in traceback.extract_tb(trace)]
        self.find(f"{kind.__name__}: {value} in {' '.join(places)}")

    def _hear(self, kind: QtMsgType, _context: Any, text: str) -> None:
        loud = kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg)
        if loud and not any(part in text for part in HARMLESS):
            self.find(f"Qt: {text}")

    def _beat(self) -> None:
        self._beats += 1
        now = self._beats * BEAT_S + time.thread_time()
        if self._document.is_writing:
            self._writing += now - self._beaten
        self._beaten = now

    def _time_had(self) -> float:
        """Seconds that the window had: of its processor, or of a loop that was free for timers.

        What others take of a busy machine is not among them, nor what a slow disk takes for a
        write: at worst that is lost beside half a second.
        """
        return self._beats * BEAT_S + time.thread_time() - self._writing

    def _edited(self) -> None:
        self._seen.append((self._time_had(), self._document.study))

    def _check_file(self) -> None:
        """The file holds what the window showed half a second ago, or later."""
        path = self._document.path
        if not self._document.is_open or path is None or not self._seen:
            return
        held, now = load_study(path).study, self._time_had()
        if held in self._of_others:
            return  # nobody has chosen between the two yet
        slack = MOST_LOST_S + (now - self._stepped)
        ends = [moment for moment, _study in self._seen[1:]] + [now]
        fit = [place for place, (_at, study) in enumerate(self._seen) if study == held]
        if not fit:
            self.find("the file holds what the window never showed")
            return
        lost = now - ends[fit[-1]]
        if lost > slack and not self._document.is_writing:
            self.find(f"edits of {lost:.2f} s are not in the file")
        # However many edits a slow write leaves behind: the file holds none from before this one.
        self._seen = self._seen[fit[-1] :]

    def _check_ledger(self) -> None:
        """The chain is whole, nobody spent what was not there, and what is shown is paid."""
        ledger = Ledger.open(self.home)
        report = ledger.check()
        # An older copy in use, or an account to be opened: some homes begin so.
        if new := _trouble(report) - self._unsound:
            self.find(f"ledger: {sorted(new)}")
        shown: Counter[str] = Counter()
        for sequence, head in self.releases.items():
            if sequence > report.entries:
                what = "is another one now" if report.entries == 0 else "has lost entries"
                self.find(f"release {sequence} was shown; the ledger {what}: {report.entries}")
                continue
            entry = ledger.entry(sequence)
            shown[entry.account] += entry.charged.units
            if (entry.hash, entry.kind) != (head, "release"):
                self.find(f"release {sequence} was shown and is not in the ledger")
        for account in ledger.accounts():
            if not shown[account.name] <= account.spent.units <= account.total.units:
                self.find(f"{account.name}: shown, spent and total do not fit together")

    def _check_wrappers(self) -> None:
        for kind, holders in sorted(unhandled_wrappers().items()):
            self.find(f"wrappers of {kind} are kept by {holders}")


def _trouble(report: LedgerReport) -> set[str]:
    """What stands in a ledger's way."""
    return set() if report.sound else {problem.code for problem in report.problems} or {"unsound"}


def unhandled_wrappers() -> dict[str, str]:
    """The types of kept wrappers of what Qt made and may delete without a word; who holds them.

    A press that opens a menu or a file dialog is still being handled while that one is open: its
    event is kept no longer than Qt keeps it.
    """
    handled = _handled()
    wrappers = [wrapper for wrapper in getAllValidWrappers() if _may_go_unseen(wrapper)]
    # Asking who holds one looks through all that there is: once for each type.
    last = {type(w).__name__: at for at, w in enumerate(wrappers) if id(w) not in handled}
    kept = {kind: _holders(wrappers[at], wrappers) for kind, at in last.items()}
    # The plotting library wraps rectangles in memory of its own.
    return {kind: holders for kind, holders in kept.items() if "PrimitiveArray" not in holders}


def _holders(wrapper: object, ours: list[object]) -> str:
    """What refers to a wrapper: attributes by their names, what runs by its code's."""
    names = [_named(holder, wrapper) for holder in _referrers(wrapper) if holder is not ours]
    return ", ".join(sorted(set(names))) or "nobody that is known"


def _named(holder: object, held: object) -> str:
    """One holder; of a container, what holds it, too."""
    if isinstance(holder, dict):
        return f"attribute {[key for key, value in holder.items() if value is held]}"
    if isinstance(holder, list | tuple | set):
        outer = sorted({type(other).__name__ for other in _referrers(holder)})
        names = [k for o in _referrers(holder) if isinstance(o, dict) for k in o if o[k] is holder]
        return f"a {type(holder).__name__} of {len(holder)} in {names or outer}"
    return type(holder).__name__


def _referrers(held: object) -> list[object]:
    """What refers to it besides the calls that look.

    Of what the program has the collector leave alone, the collector tells no referrers.
    """
    if gc.get_freeze_count():
        gc.unfreeze()
    return [h for h in gc.get_referrers(held) if not isinstance(h, FrameType | CellType)]


def _handled() -> set[int]:
    """What the calls that this one is made within hold, by its identity."""
    frame, held = sys._getframe(), set[int]()
    while frame is not None:
        held.update(map(id, frame.f_locals.values()))
        frame = frame.f_back
    return held


def _may_go_unseen(wrapper: object) -> bool:
    """Whether Qt made it, owns it, and tells nobody when it is deleted."""
    ours = createdByPython(wrapper) or ownedByPython(wrapper)
    # PySide itself wraps the items of a layout that is put into another.
    return not ours and not isinstance(wrapper, QObject | QMetaObject | QLayoutItem)
