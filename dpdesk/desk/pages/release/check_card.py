# SPDX-License-Identifier: Apache-2.0
"""Check against the file: whether it is as the study says. A release asks for it, or this card.

All that it finds stays in this card, in the question that belongs to it, and in the card of the
window that takes this one's place: not in the session, the study, the settings or another text of
the window. It is gone when study or file change. The constant proof exempts the texts of these two
alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.data.files.file_digest import states_of
from dpdesk.data.inspection.file_check import check_file
from dpdesk.data.inspection.finding import Finding, Weight
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.counted.separate_dialog import SeparatePeopleDialog
from dpdesk.desk.pages.release.check_dialog import CheckDialog, declare_link
from dpdesk.desk.text import check_words, words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.desk.widgets.tab_stop import bring_on_show
from dpdesk.desk.widgets.work_bar import WorkBar
from dpdesk.release.ledger.fingerprints import Separation
from dpdesk.release.run.known_people import find_known_people
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem
from dpdesk.texts import shared

Subject = tuple[Study, tuple[object, ...], bool]
"""What was checked: the study but for its extract's name, each file's state, and whether it could
be held against other accounts."""

MOST_ANNOUNCED = 5
MOST_ON_A_LINE = 28


@dataclass(frozen=True)
class CheckMemory:
    """What a check came to.

    Attributes:
        subject: what was checked; ``None`` where the file cannot be read.
        found: what was found; ``None`` where nothing was found out.
        agreed: somebody has gone on all the same.
        refused: why the file cannot be checked.
        separations: what was declared of other accounts' people; the release records it.
    """

    subject: Subject | None = None
    found: tuple[Finding, ...] | None = None
    agreed: bool = False
    refused: tuple[Problem, ...] = ()
    separations: tuple[Separation, ...] = ()


UNCHECKED = CheckMemory()


class CheckCard(Card):
    """The check's card at Release.

    Signals:
        column_wanted: a column's declaration is to be changed; carries its name.
        page_wanted: what is to be changed is on another page; carries its key.
        go_on_wanted: what stood in the way of a release was declared.
        progressed: how far the file is read; carries the bytes read and the bytes in all.
        ended: the check came to its end, or was stopped; carries whether something was found out.
        refused: the file cannot be checked; carries the problems.
    """

    column_wanted = Signal(str)
    page_wanted = Signal(str)
    go_on_wanted = Signal()
    progressed = Signal(object, object)
    ended = Signal(bool)
    refused = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._latest = LatestJob(session.jobs, self)
        self._known = UNCHECKED
        self.question: CheckDialog | None = None
        self.button = secondary("", small=True)
        self.cancel = secondary(self.tr("Cancel"), small=True)
        self.bar = WorkBar()
        self._line = quiet()
        self._rows = QVBoxLayout(spacing=Space.TIGHT)
        self._was_running = False
        self._title = self.head(self.tr("Check against the file"))
        self._coarse = quiet(catalogue().say(shared.COARSE_CHECK))
        self._build()
        self._show()

    def _build(self) -> None:
        head = AlignedRow(spacing=Space.SMALL)
        head.addWidget(self._title, 1)
        head.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignTop)
        self.bar.setAccessibleName(self.tr("Reading the file"))
        self.cancel.setAccessibleName(self.tr("Cancel the check"))
        self.body.addLayout(head)
        self.body.addWidget(self._coarse)
        self.body.addWidget(self.bar)
        self.body.addLayout(self._rows)
        self.body.addWidget(self._line)
        self.button.clicked.connect(self.start)
        self.cancel.clicked.connect(self.stop)

    # --- the check ------------------------------------------------------------------------------

    def start(self) -> None:
        self.forget()
        session, study = self._session, self._session.state.study
        folder, ledger = session.document.folder, None
        if self._can_compare:
            ledger = session.accounts.ledger()

        def work(progress: Progress, cancel: CancelToken) -> tuple[Finding, ...]:
            found = check_file(study, folder, progress, cancel)
            if ledger is None:
                return found
            return (*find_known_people(study, folder, ledger, progress, cancel), *found)

        self._known = CheckMemory(self._now())
        self.bar.begin()
        self._latest.run(work, self._finished, self._refused, self._progress)
        self._show()

    def stop(self) -> None:
        was_running = self._latest.is_pending
        self._latest.drop()
        self._show()
        if was_running:
            self.ended.emit(False)

    def forget(self) -> None:
        self._known = UNCHECKED
        self.stop()

    def memory(self) -> CheckMemory:
        """What the check came to; nothing while it runs."""
        return UNCHECKED if self.is_running else self._known

    def recall(self, known: CheckMemory) -> None:
        self._known = known
        self._show()

    def render_state(self) -> None:
        if self._known.subject is not None and self._known.subject != self._now():
            self.forget()
        else:
            self._show_button()

    def _now(self) -> Subject:
        study, known = self._session.state.study, self._can_compare
        folder = self._session.document.folder
        states = tuple(states_of([folder / source.path for source in study.sources]))
        if study.data is not None:
            study = replace(study, data=replace(study.data, extract=""))
        return study, states, known

    @property
    def _can_compare(self) -> bool:
        """Whether the people can be held against those of other accounts."""
        state = self._session.state
        return not state.blocking and state.account is not None

    def _progress(self, done: int, total: int) -> None:
        self.bar.show_done(done, total)
        self.progressed.emit(done, total)

    def _finished(self, found: tuple[Finding, ...]) -> None:
        if self._known.subject == self._now():
            self._known = replace(self._known, found=found)
        self._show()
        self.ended.emit(self._known.found is not None)

    def _refused(self, problems: tuple[Problem, ...]) -> None:
        self._known = CheckMemory(refused=problems)
        self._show()
        self.refused.emit(problems)
        self.ended.emit(False)

    # --- what it says ---------------------------------------------------------------------------

    def _show(self) -> None:
        running = self._latest.is_pending
        had_keyboard = self.button.hasFocus() or self.cancel.hasFocus()
        self.bar.setVisible(running)
        # What goes is hidden last: it hands the keyboard to what comes, not out of the card.
        coming = self.cancel if running else self.button
        coming.setVisible(True)
        self._show_button()
        if had_keyboard and coming.isEnabled():
            coming.setFocus(Qt.FocusReason.OtherFocusReason)
        self.cancel.setVisible(running)
        self.button.setVisible(not running)
        self._clear()
        self._line.setText(self._sentence(running))
        found = self._sorted()
        for finding in found:
            self._rows.addWidget(self._row(finding))
        if self._was_running and not running:
            self._announce(found)
            # What was found has its place only after the next layout.
            QTimer.singleShot(0, self, self._bring_findings_on_show)
        self._was_running = running

    def _bring_findings_on_show(self) -> None:
        """Scroll to the card, and where it is higher than the page to what was found first."""
        lay_out_now()
        bring_on_show(self)
        items = map(self._rows.itemAt, range(self._rows.count()))
        places = [row for item in items if item and (row := item.widget())]
        for found in (places[-1:] + places[:1]) or [self._line]:
            bring_on_show(found)

    def _announce(self, found: list[Finding]) -> None:
        """What was found: of what is not as it should be, else of all, as much as one can hear."""
        study = self._session.state.study
        bad = [finding for finding in found if finding.weight is not Weight.GOOD]
        sentences = [
            f"{check_words.subject(finding, study)}: {check_words.said(finding, study)}"
            for finding in (bad or found)[:MOST_ANNOUNCED]
        ]
        announce(self, " ".join(sentences) or self._line.text())

    def _show_button(self) -> None:
        again = self._known.found is not None
        self.button.setText(self.tr("Check again") if again else self.tr("Check"))
        self.button.updateGeometry()
        data = self._session.state.study.data
        there = data is not None and bool(data.path) and not self._session.waits_to_connect
        self.button.setEnabled(there and bool(self._session.state.study.queries))

    def _sentence(self, running: bool) -> str:
        if running:
            return self.tr("Reading the file.")
        if self._known.refused:
            return " ".join(words.problem_sentence(p) for p in self._known.refused)
        if self._known.found is None:
            return self.tr(
                "Does the file fit what you declared? dpdesk also checks before each release."
            )
        return "" if self._known.found else self.tr("Nothing unusual was found.")

    def _sorted(self) -> list[Finding]:
        return sorted(self._known.found or (), key=lambda finding: -finding.weight)

    def _row(self, finding: Finding) -> QWidget:
        study = self._session.state.study
        line = QWidget()
        row = QHBoxLayout(line, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        good = finding.weight is Weight.GOOD
        mark = ("check", Role.OK) if good else ("alert", Role.WARN)
        row.addWidget(IconLabel(*mark))
        subject, said = check_words.subject(finding, study), check_words.said(finding, study)
        row.addWidget(_bounded(subject))
        row.addWidget(quiet(said), 1)
        if not good:
            change = link(check_words.action(finding, study.column(finding.column)))
            change.setAccessibleDescription(f"{subject}: {said}")
            change.clicked.connect(partial(self.go_to_fix, finding))
            row.addWidget(change)
        if finding.account:
            row.addWidget(declare_link(finding, self.ask_separate))
        return line

    def ask_separate(self, finding: Finding) -> SeparatePeopleDialog:
        """Ask why people who look like another account's are others; the release records it."""
        dialog = SeparatePeopleDialog(self, finding.account)
        dialog.declared.connect(lambda why: self._separate(finding, why))
        dialog.open()
        return dialog

    def _separate(self, finding: Finding, why: str) -> None:
        rest = tuple(one for one in self._known.found or () if one != finding)
        declared = (*self.separations, Separation(finding.account, why))
        self._known = replace(self._known, found=rest, separations=declared)
        self._show()

    @property
    def separations(self) -> tuple[Separation, ...]:
        """Of whom it was declared that these are others; the release records it."""
        return self._known.separations

    def _separate_and_go_on(self, finding: Finding) -> None:
        self.ask_separate(finding).declared.connect(self.go_on_wanted)

    def go_to_fix(self, finding: Finding) -> None:
        """Lead to what a finding names: a column, or the page of ids or file."""
        if self._session.state.study.column(finding.column) is not None:
            self.column_wanted.emit(finding.column)
        else:
            self.page_wanted.emit("people" if finding.column or finding.account else "data")

    def _clear(self) -> None:
        empty(self._rows)

    # --- once in the way ------------------------------------------------------------------------

    @property
    def is_done(self) -> bool:
        self.render_state()
        return self._known.found is not None

    @property
    def is_running(self) -> bool:
        return self._latest.is_pending

    @property
    def stands_in_the_way(self) -> bool:
        """Whether something serious was found and nobody has gone on all the same."""
        self.render_state()
        found = self._known.found or ()
        return not self._known.agreed and any(f.weight is Weight.SERIOUS for f in found)

    def ask(self) -> CheckDialog:
        dialog = self.question = CheckDialog(self, self._session.state, self._sorted())
        dialog.accepted.connect(self._agree)
        dialog.fix_wanted.connect(self.go_to_fix)
        dialog.separation_wanted.connect(self._separate_and_go_on)
        dialog.open()
        return dialog

    def _agree(self) -> None:
        self._known = replace(self._known, agreed=True)


def _bounded(title: str) -> Label:
    label = Label(title, semibold=True, wrap=len(title) > MOST_ON_A_LINE)
    if label.wordWrap():
        label.setFixedWidth(MOST_ON_A_LINE * label.fontMetrics().averageCharWidth())
    return label
