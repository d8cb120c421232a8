# SPDX-License-Identifier: Apache-2.0
"""Release: what goes out, what it costs, one button; then the figures and the signed bundle."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.edits.unused_columns import only_in_the_way
from dpdesk.desk.core.instalments import matching_series
from dpdesk.desk.core.jobs.jobs import Job
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.counted.separate_dialog import SeparatePeopleDialog
from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog
from dpdesk.desk.pages.keys.second_person_dialog import SecondPersonDialog
from dpdesk.desk.pages.release.check_card import UNCHECKED, CheckMemory
from dpdesk.desk.pages.release.release_review import ReleaseReview, confirm_dialog, how_many
from dpdesk.desk.pages.release.same_file_dialog import SameFileDialog
from dpdesk.desk.pages.results.results_view import Exported, ResultsView
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.result_words import of_margins
from dpdesk.desk.theme.metrics import NO_MARGINS
from dpdesk.desk.widgets.buttons import danger, primary, secondary
from dpdesk.desk.widgets.empty_state import EmptyState
from dpdesk.desk.widgets.footer import NEXT
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.desk.widgets.pressing import press_by
from dpdesk.release.ledger.uses import EarlierUse
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.release.run.same_file import find_earlier_use
from dpdesk.release.second_person.plan_signature import ReturnedPlan
from dpdesk.release.second_person.requirement import requirement_in
from dpdesk.release.signing import keys
from dpdesk.study.model.amount import Share
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem, Refused


@dataclass(frozen=True)
class ReleaseMemory:
    """What the page shows that follows neither from the study nor from the ledger.

    Attributes:
        done, study: the release on show, and the study that was released.
        bundle: the release's bundle, once it was exported.
        check: what the check of the file came to.
        signed_plan: the plan that the second person signed.
        refused: why the last try released nothing.
        is_on_show: the page is the one on show.
    """

    done: ReleaseDone | None = None
    study: Study | None = None
    bundle: Exported | None = None
    check: CheckMemory = UNCHECKED
    signed_plan: ReturnedPlan | None = None
    refused: tuple[Problem, ...] = ()
    is_on_show: bool = False


class ReleasePage(StepPage):
    """The last step: review before the release, results after it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._done: ReleaseDone | None = None
        self._released_study: Study | None = None
        self._job: Job | None = None
        self._signed_plan: ReturnedPlan | None = None
        self._waits_for_check = False
        self._is_renewed = False
        self._refused_by: tuple[Problem, ...] = ()
        self._trouble = Banner(Tone.ERROR)
        self._trouble.hide()
        self._is_locked_out = False
        self.empty = EmptyState(
            "stamp",
            self.tr("Nothing to release yet"),
            self.tr(
                "Here you review what is published and what it costs, before any of it is spent."
            ),
            self.tr("Go to Queries"),
        )
        self.review = ReleaseReview(session)
        self._holders = (QWidget(), QWidget())
        self.release_button = danger("", before="stamp")
        self.export_button = primary(self.tr("Export signed bundle…"), before="parcel")
        self.again_button = secondary(self.tr("Plan a new release"))
        self._build()
        self._connect()

    def _build(self) -> None:
        self.body.addWidget(self._trouble)
        self.body.addWidget(self.empty)
        for holder in self._holders:
            holder.ring_room = 0  # type: ignore[attr-defined]  # AlignedBox reads it
            self.body.addWidget(holder)
        _put_in(self._holders[0], self.review)
        self._holders[1].hide()
        self.footer.back.show()
        self.footer.add_button(self.again_button)
        self.footer.add_button(self.export_button)
        press_by(self.export_button, *NEXT)
        self.footer.set_primary(self.release_button)

    def _connect(self) -> None:
        self.footer.back.clicked.connect(self._go_back)
        self.again_button.clicked.connect(self._plan_again)
        self.release_button.clicked.connect(self.ask_release)
        self.empty.action_pressed.connect(lambda: self.go_to.emit("queries"))
        self.export_button.clicked.connect(lambda: self.results.ask_export())
        self.footer.cancelled.connect(self._cancel)
        self.review.check.column_wanted.connect(self.column_wanted)
        self.review.check.page_wanted.connect(self.go_to)
        self.review.check.go_on_wanted.connect(self.ask_release)
        self.review.check.progressed.connect(self._show_check)
        self.review.check.refused.connect(self._check_refused)
        self.review.check.ended.connect(self._check_ended)
        self.review.untitled.action_pressed.connect(self.title_wanted)
        self.review.size_wanted.connect(self.size_wanted)

    @cached_property
    def results(self) -> ResultsView:
        """The figures of a release; built when there is one to come, its chart takes a while."""
        view = ResultsView(self.session)
        view.failed.connect(self._show_trouble)
        view.written.connect(lambda _path: self._show_trouble(()))
        view.verify_wanted.connect(self.bundle_wanted)
        view.compare_wanted.connect(self.compare_wanted)
        view.exported_shown.connect(self._show_next)
        self.footer.add_button(view.exported.lend_ways()).hide()
        _put_in(self._holders[1], view)
        return view

    @property
    def shown_release(self) -> ReleaseDone | None:
        """The release on show; ``None`` while a plan is."""
        return self._done

    @property
    def released_shares(self) -> dict[str, Share] | None:
        """What each query of the release on show has cost; ``None`` while a plan is on show."""
        if self._done is None:
            return None
        return {query.id: query.charged for query in self._done.stored.record.queries}

    def memory(self) -> object:
        done = self._done is not None
        known = ReleaseMemory(
            self._done,
            self._released_study if done else None,
            self.results.export_memory() if done else None,
            self.review.check.memory(),
            self._signed_plan,
            self._refused_by,
        )
        if known == ReleaseMemory():
            return None
        return replace(known, is_on_show=self.isVisibleTo(self.window()))

    def make_ready_to_recall(self) -> None:
        _ = self.results

    def recall(self, memory: ReleaseMemory) -> None:
        """Show all of it again: what it says is said in another language."""
        self._signed_plan = memory.signed_plan
        self.review.check.recall(memory.check)
        if memory.done is not None:
            self._put(memory.done, memory.study)
            self.results.recall_export(memory.bundle)
        self._show_trouble(memory.refused)
        self._is_renewed = memory.is_on_show

    def first_to_do(self) -> QWidget | None:
        """After a release, its bundle; after the export, its check."""
        if self._done is None:
            # Return on arrival opens nothing, where there is nothing to release yet.
            return None if self.release_button.isEnabled() else self.review.table
        return self.results.exported.verify if self._is_exported else self.export_button

    @property
    def _is_exported(self) -> bool:
        return self._done is not None and not self.results.exported.isHidden()

    def set_narrow(self, narrow: bool) -> None:
        super().set_narrow(narrow)
        if self._done is None:
            self._name_way_back()
        self._render_after()

    def _name_way_back(self) -> None:
        """In a narrow foot it leaves the room to what is said beside it."""
        whole = self.tr("Back to Queries")
        self.footer.back.setText(self.tr("Back") if self._is_narrow else whole)
        self.footer.back.setAccessibleName(whole)
        self.footer.back.updateGeometry()

    def _show_next(self, exported: bool) -> None:
        self._render_after()
        if exported:  # the button that had the keyboard is gone
            self.results.exported.verify.setFocus()

    def _render_after(self) -> None:
        """Under the figures, the export; under what to do with it, the check of it."""
        if self._done is None:
            return
        exported = self._is_exported
        # What goes is hidden first: the foot has room for one of them.
        for button, shown in sorted(
            (
                (self.export_button, not exported),
                # Where there is room for it; the way back leads there, too.
                (self.again_button, exported and not self._is_narrow),
                (self.results.exported.verify, exported),
            ),
            key=_on,
        ):
            button.setVisible(shown)
        self.footer.back.setText(
            self.tr("Back to the figures") if exported else self.tr("Plan a new release")
        )
        self.footer.back.setAccessibleName("")
        self.footer.back.updateGeometry()
        self.footer.say("" if exported else of_margins(self._is_narrow))

    def forget(self) -> None:
        """Another study is open: back to its plan; a release still running ends in History."""
        self._cancel()
        self._signed_plan = None
        self._follow(None)
        self.footer.stop_progress()
        self.review.forget()
        self._put(None)

    @property
    def is_of_the_study(self) -> bool:
        return self._done is not None and self._released_study == self.state.study

    def enter(self) -> None:
        is_renewed, self._is_renewed = self._is_renewed, False
        if not is_renewed:
            self._show_trouble(())
        self.session.look_again()
        self.review.enter()
        if self._done is not None and not self.is_of_the_study and not is_renewed:
            self._put(None)
        if self._done is None:
            # While the page is not on show: it would come with all cards of a release again.
            self._holders[1].hide()

    def show_release(self, done: ReleaseDone) -> None:
        self._put(done, self.state.study)

    def _put(self, done: ReleaseDone | None, study: Study | None = None) -> None:
        self._done = done
        self._released_study = study
        if done is not None:
            self.results.show_release(done)
        self.shown_changed.emit()
        lay_out_now()
        self._scroll_to_top()
        # What had the keyboard goes with the other view, and what gets it is scrolled to.
        QTimer.singleShot(0, self, self._scroll_to_top)

    def _scroll_to_top(self) -> None:
        self.scroll_area.verticalScrollBar().setValue(0)

    def render_state(self) -> None:
        if self._is_locked_out and self._can_write():
            self._show_trouble(())  # mended meanwhile, as in another window
        after = self._done is not None
        # No stack of Qt's: that is as high as its highest page, hidden or not. What goes is hidden
        # first.
        has_plan = not after and bool(self.state.study.queries)
        parts = (*self._holders, self.empty)
        for part, shown in sorted(
            zip(parts, (has_plan, after, not after and not has_plan), strict=True), key=_on
        ):
            part.setVisible(shown)
        self.release_button.setVisible(has_plan)
        if after:
            self.set_title(self.results.title)
            self.set_line(self.results.line)
            self._render_after()
        else:
            self.export_button.hide()
            self.again_button.hide()
            if "results" in self.__dict__:
                self.results.exported.verify.hide()
            self._name_way_back()
            self.set_title(self.title)
            self.set_line(self.tr("Review what is published and what it costs, then release it."))
            self.review.render_state()
            self._render_button(self.state)

    def _render_button(self, state: DeskState) -> None:
        reason = self._reason(state)
        figures, finds = how_many(state.plans.values())
        template = self.tr("Release %n figure(s) for {0}…", "", figures)
        if finds:
            only = self.tr("Release found categories for {0}…")
            both = self.tr("Release %n figure(s) and found categories for {0}…", "", figures)
            template = both if figures else only
        self.release_button.setText(template.format(words.amount(state.planned)))
        self.release_button.updateGeometry()
        self.release_button.setEnabled(not reason)
        weak = state.weak_count
        # What the banners say may stand below the edge of a low screen.
        look = self.tr("Check %n quer(y|ies).", "", weak) if weak else ""
        self.footer.say(reason or look, attention=bool(reason or look))

    def _reason(self, state: DeskState) -> str:
        """Why nothing can be released now; empty where it can."""
        if not state.study.queries:
            return self.tr("Add a query first.")  # the page above leads there
        if only_in_the_way(state):
            return self.tr("Columns that no query uses are not declared. See Queries.")
        if state.lacks_counts:
            return self.tr("Open the sealed counts in Data first.")
        if state.blocking:
            return words.problem_sentence(state.blocking[0])
        account = state.account
        if account is None:
            return self.tr("Choose a budget account in People first.")
        if account.needs_opening:
            return self.tr("The account is locked; unlock it in History, with a reason.")
        if account.locked:
            return self.tr("An older copy of the ledger is in use; reconcile it in History first.")
        if state.limit_is_exceeded_more:
            template = self.tr(
                "{0} over this study’s limit. Lower the shares, or change the limit in People."
            )
            return template.format(words.amount_of_units(state.over_limit_by, state.measure))
        if state.left_after < 0:
            template = self.tr("Over budget by {0}. Lower the queries’ shares.")
            return template.format(words.amount_of_units(-state.left_after, state.measure))
        return ""

    def ask_release(self) -> None:
        """Ask once, with the numbers in the question; a key is made where there is none."""
        self._show_trouble(())
        self.session.look_again()
        if self._reason(self.state) or not self.session.document.save():
            return
        if self._asks_about_data():
            return
        try:
            info = keys.show(self.session.signing_home.keys)
            earlier = self._earlier_use()
            person = self._missing_person()
        except Refused as refused:
            self._show_trouble(refused.problems)
            return
        if info is None:
            dialog = NewKeyDialog(self, self.session, self.session.signing_home)
            dialog.made.connect(self.ask_release)
            dialog.open()
        elif person is not None:
            self._ask_second_person(person)
        elif earlier is None:
            self._confirm(info.identity, same_extract=False)
        else:
            self._ask_same_file(earlier, info.identity)

    def _asks_about_data(self) -> bool:
        """Whether something about the data is to be answered first; it goes on by itself then."""
        if self.state.in_database:
            return self.state.must_read and self._asks_whose()
        check = self.review.check
        if self.state.must_read and not check.is_done:
            self._check_first()
            return True
        if check.stands_in_the_way:
            check.ask().accepted.connect(self.ask_release)
            return True
        return False

    def _asks_whose(self) -> bool:
        """Ask of an account whether these are its people, as no file shows it."""
        counting = self.session.counting
        account = next(iter(sorted(counting.undecided)), None)
        if account is None:
            return False
        self.whose = SeparatePeopleDialog(self, account, counted=True, may_pass=True)
        self.whose.declared.connect(lambda why: counting.separate(account, why))
        self.whose.passed.connect(lambda: counting.pass_over(account))
        for answered in (self.whose.declared, self.whose.passed):
            answered.connect(lambda *_: self.ask_release())
        self.whose.open()
        return True

    def _check_first(self) -> None:
        """Check the file before anything is asked; what it says decides nothing by itself."""
        self._waits_for_check = True
        self.footer.start_progress(self.tr("Checking the file; nothing is spent"))
        self.footer.cancel.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.review.check.is_running:
            self.review.check.start()

    def _show_check(self, done: int, total: int) -> None:
        if self._waits_for_check:
            self.footer.show_progress(done, total)

    def _check_ended(self, is_done: bool) -> None:
        """Go on with the release that waited, unless the check was stopped."""
        if not self._waits_for_check:
            return
        self._waits_for_check = False
        self.footer.stop_progress()
        if not self.isVisible():
            return
        if is_done:
            self.ask_release()
        else:
            self.release_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _check_refused(self, problems: tuple[Problem, ...]) -> None:
        """A file that cannot be read is in the way of a release, too."""
        if self._waits_for_check:
            self._show_trouble(problems)

    def _earlier_use(self) -> EarlierUse | None:
        session = self.session
        return find_earlier_use(self.state.study, session.accounts.ledger())

    def _missing_person(self) -> SecondPerson | None:
        """Whose signature over the plan is required and is not here."""
        if self._signed_plan is not None or self.state.account is None:
            return None
        found = requirement_in(self.session.accounts.ledger(), self.state.account.name)
        return found.person if found is not None and found.person.signs_plan else None

    def _ask_second_person(self, person: SecondPerson) -> None:
        self.second_person = SecondPersonDialog(self, self.session, person)
        self.second_person.chosen.connect(self._take_signed_plan)
        self.second_person.open()

    def _take_signed_plan(self, signed: ReturnedPlan) -> None:
        self._signed_plan = signed
        self.ask_release()

    def _ask_same_file(self, earlier: EarlierUse, signer: str) -> None:
        """Ask whether the extract still means the same file; if not, it is named again in Data."""
        data = self.state.study.data
        name = data.extract if data is not None else ""
        self.same_file = SameFileDialog(self, self.session, earlier, name)
        self.same_file.accepted.connect(lambda: self._confirm(signer, same_extract=True))
        self.same_file.changed.connect(self.extract_wanted)
        self.same_file.open()

    def _confirm(self, signer: str, same_extract: bool) -> None:
        session = self.session
        series = matching_series(session.accounts.states, self.state) if session.series else None
        self.confirm = confirm_dialog(self, self.state, signer, series)
        self.confirm.accepted.connect(lambda: self._agreed(same_extract))
        self.confirm.open()

    def _agreed(self, same_extract: bool) -> None:
        """Release what was checked: the person who agreed had seen the check of these files."""
        is_file = self.state.must_read and not self.state.in_database
        if is_file and not self.review.check.is_done:
            self._show_trouble((Problem("$.data.path", "data-file-changed-since"),))
        else:
            self.start_release(same_extract=same_extract)

    def start_release(self, *, same_extract: bool = False) -> None:
        """Run the release off the GUI thread, one at a time."""
        if self._job is not None:
            return
        # What stood in the way of the last try was answered, or is found again.
        self._show_trouble(())
        self.review.check.stop()
        session, study = self.session, self.state.study
        language = catalogue().language
        folder, fresh = session.document.folder, session.state.fresh
        series = session.series
        counting = session.counting
        counts = counting.counts_of(study)
        in_database = session.state.in_database
        separations = (counting if in_database else self.review.check).separations
        signed_plan, self._signed_plan = self._signed_plan, None
        use_withdrawn = self.state.uses_withdrawn  # the question before said so
        try:
            ledger = session.accounts.ledger()
        except Refused as refused:
            self._show_trouble(refused.problems)
            return

        def work(progress: Progress, cancel: CancelToken) -> ReleaseDone:
            done = release(
                study,
                folder,
                ledger,
                session.door,
                progress,
                cancel,
                fresh=fresh,
                separations=separations,
                same_extract=same_extract,
                series=series,
                signed_plan=signed_plan,
                use_withdrawn=use_withdrawn,
                counts=counts,
                language=language,
            )
            _ = done.stored.record.study.study  # read here, before the window asks for it
            return done

        doing = self.tr("Reading the file and drawing noise")
        self.footer.start_progress(self.tr("Drawing noise") if in_database else doing)
        job = session.jobs.run(work)
        job.progressed.connect(self.footer.show_progress)
        job.finished.connect(lambda done: self._finished(job, study, done))
        job.refused.connect(lambda problems: self._refused(job, problems))
        job.ended.connect(lambda: self._end(job))
        # Built while the file is read, so that it need not be when the figures are there.
        QTimer.singleShot(0, self, lambda: self.results.prepare(len(study.queries)))
        self.footer.cancel.setFocus(Qt.FocusReason.OtherFocusReason)
        self._follow(job)

    def _follow(self, job: Job | None) -> None:
        """While a release runs, its plan is there to be read, not to be changed or checked."""
        self._job = self.session.releasing = job
        self._holders[0].setEnabled(job is None)

    def _cancel(self) -> None:
        if self._waits_for_check:
            self.review.check.stop()
        if self._job is not None:
            self._job.cancel()

    def _end(self, job: Job) -> None:
        if job is self._job:
            self._follow(None)
            self.footer.stop_progress()

    def _finished(self, job: Job, study: Study, done: ReleaseDone) -> None:
        """Show the figures, unless another study was opened meanwhile."""
        if job is self._job:
            self._put(done, study)
            self.session.counting.forget()
            self.session.draw_instalment("")
            self.session.draw_again(False)
        self.session.reread_accounts()
        if self.isVisible():
            self.focus_first()

    def _refused(self, job: Job, problems: tuple[Problem, ...]) -> None:
        self.session.reread_accounts()
        if job is not self._job:
            self.session.failed.emit(problems)
            return
        self._show_trouble(problems)

    def _show_trouble(self, problems: tuple[Problem, ...]) -> None:
        self._trouble.say("", " ".join(words.problem_sentence(p) for p in problems))
        self._trouble.setVisible(bool(problems))
        self._refused_by = problems
        if problems:
            # It stands at the top, and the button that was pressed may be pressed from anywhere.
            self.scroll_area.verticalScrollBar().setValue(0)
        codes = {problem.code for problem in problems}
        is_shut = not codes.isdisjoint({"ledger-unwritable", "ledger-unreadable"})
        self._is_locked_out = is_shut and not self._can_write()

    def _can_write(self) -> bool:
        ledger = self.session.home.ledger
        return all(os.access(place, os.W_OK) for place in (ledger, ledger.parent))

    def _go_back(self) -> None:
        if self._is_exported:
            self.results.exported.closed.emit()
            return
        self._plan_again()

    def _plan_again(self) -> None:
        if self._done is not None:
            self._put(None)
        self.go_to.emit("queries")


def _on(pair: tuple[QWidget, bool]) -> bool:
    return pair[1]


def _put_in(holder: QWidget, view: QWidget) -> None:
    holder.ring_room = getattr(view, "ring_room", 0)  # type: ignore[attr-defined]
    column = QVBoxLayout(holder, contentsMargins=NO_MARGINS)
    column.addWidget(view)
    column.addStretch(1)
