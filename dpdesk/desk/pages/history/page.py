# SPDX-License-Identifier: Apache-2.0
"""History: what was spent, when and why; every release can be exported again for free."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.file_dialogs import existing_files
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.history.budget_card import BudgetCard
from dpdesk.desk.pages.history.reconcile_dialog import ImportBundlesDialog, ReconcileDialog
from dpdesk.desk.pages.history.row_words import row_words
from dpdesk.desk.pages.ledger.notice_dialog import NoticeDialog
from dpdesk.desk.pages.ledger.unlock_dialog import UnlockAccountDialog
from dpdesk.desk.pages.results.results_view import Exported, ResultsView
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text import words
from dpdesk.desk.text.times import in_lines
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.buttons import primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.empty_state import EmptyState
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.desk.widgets.layouts.aligned import AlignedColumn
from dpdesk.desk.widgets.pressing import allow
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.release.backup.from_bundles import ImportedBundles, import_bundles
from dpdesk.release.ledger import AccountState, Entry, HistoryEntry, Ledger, release_numbers
from dpdesk.release.ledger.decisions.decided import RevokedRelease
from dpdesk.release.ledger.history import entry_about
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.study.problem import Problem, Refused

ROWS_MOST = 8
LONG_PAYLOAD = 500_000
"""So many characters are parsed in a hundredth of a second."""
ROWS_ALONE = 40
"""Where no release stands below the table, the page scrolls, not the table in it."""
WHEN, WHAT, ACCOUNT, ABOUT, SPENT = 1, 2, 3, 4, 5
LOCKS = frozenset({"account-moved", "account-recovery"})
"""Problems of accounts that a person has to open; their ledger holds all that was entered."""


@dataclass(frozen=True)
class Chosen:
    """The entry whose row is chosen.

    Attributes:
        sequence: its number in the ledger.
        bundle: of a release that was exported here, its bundle.
    """

    sequence: int
    bundle: Exported | None = None


class HistoryPage(StepPage):
    """The ledger, entry by entry."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.set_line(self.tr("What was spent, when and why. Entries are never changed."))
        self._entries: tuple[HistoryEntry, ...] = ()
        self._trouble: tuple[Problem, ...] = ()
        self._locked: tuple[AccountState, ...] = ()
        self.banner = Banner(Tone.INFO)
        heads = (
            self.tr("Entry"),
            self.tr("When"),
            self.tr("What"),
            self.tr("Account"),
            self.tr("About"),
            self.tr("Spent"),
        )
        self._model = RowsModel(heads, right=(0, SPENT), bold=(SPENT,))
        self.table = DataTable(
            self._model,
            self.tr("Entries of the ledger"),
            Space.FIELD,
            stretch=ABOUT,
            wraps=True,
        )
        # Titles of one hospital begin alike and end in their year.
        self.table.delegate.cut = Qt.TextElideMode.ElideMiddle
        self._frame = Card()
        self.table.fill(self._frame)
        self.empty = EmptyState(
            "history",
            self.tr("Nothing has happened yet"),
            self.tr("Every account, release and budget increase will be listed here permanently."),
            self.tr("New account…"),
        )
        self.empty.action_pressed.connect(lambda: self.account_wanted.emit(""))
        self.results = ResultsView(session)
        self.withdrawn = Banner(Tone.ERROR)
        self.budget = BudgetCard()
        self.check_button = secondary(self.tr("Check the ledger"), before="shield")
        self.import_button = secondary(self.tr("Import bundles…"), before="parcel")
        self._latest = LatestJob(session.jobs, self)
        self._coming = IdleSteps(self)
        self._reading = LatestJob(session.looks, self)
        self._read_last: ReleaseDone | None = None
        self._recalled: Chosen | None = None
        self._budgeted: tuple[tuple[HistoryEntry, ...] | None, str] = (None, "")
        self.compare_button = secondary(self.tr("Compare with an earlier release…"), small=True)
        self.revoke_button = secondary(self.tr("Withdraw or correct…"), small=True)
        self.export_button = primary(self.tr("Export signed bundle…"), before="parcel")
        self._build()

    def _build(self) -> None:
        # In the order in which they are read out.
        self.add_action(self.check_button)
        self.add_action(self.import_button)
        column = AlignedColumn(spacing=Space.CARDS)
        for widget in (self.banner, self.empty, self._frame):
            column.addWidget(widget)
        with_release = FlowLayout(across=Space.SMALL, down=Space.TIGHT, aligned=True)
        with_release.addWidget(self.compare_button)
        with_release.addWidget(self.revoke_button)
        column.addLayout(with_release)
        column.addWidget(self.withdrawn)
        column.addWidget(self.results)
        column.addWidget(self.budget)
        self.body.addLayout(column)
        self.results.hide()
        # It stands beside the entry's other button here, not below all its charts.
        self.results.compare_button.hide()
        self.banner.hide()
        self.budget.hide()
        self.footer.set_primary(self.export_button)
        self.check_button.clicked.connect(self.check_ledger)
        self.import_button.clicked.connect(self.ask_import)
        self.compare_button.clicked.connect(self.results.want_comparison)
        self.revoke_button.clicked.connect(self.ask_notice)
        self.export_button.clicked.connect(lambda: self.results.ask_export())
        self.table.selectionModel().currentRowChanged.connect(self._pick)
        selection = self.table.selectionModel()
        for changed in (selection.selectionChanged, selection.currentRowChanged):
            changed.connect(self._show_budget)
        self.results.failed.connect(self._report)
        self.results.written.connect(lambda _path: self._report_standing())
        for leaving in (self.results.verify_wanted, self.results.compare_wanted):
            leaving.connect(self._keep_chosen)
        self.results.verify_wanted.connect(self.bundle_wanted)
        self.results.compare_wanted.connect(self.compare_wanted)
        self.banner.action_pressed.connect(self._act)

    def _rows(self) -> list[tuple[str, ...]]:
        numbers = release_numbers(h.entry for h in reversed(self._entries))
        return [row_words(h, numbers) for h in self._entries]

    def memory(self) -> object:
        """The chosen entry, while the page is on show: anyone who comes back begins again."""
        chosen = self._chosen()
        if chosen is None or not self.isVisibleTo(self.window()):
            return None
        bundle = self.results.export_memory() if self.results.isVisibleTo(self) else None
        return Chosen(chosen.entry.sequence, bundle)

    def recall(self, memory: Chosen) -> None:
        self._recalled = memory

    def _keep_chosen(self) -> None:
        """Who comes back from a look at a release finds it chosen, not the newest one."""
        chosen = self._chosen()
        self._recalled = None if chosen is None else Chosen(chosen.entry.sequence)

    def enter(self) -> None:
        self._reading.drop()
        self.results.hide()
        self.banner.hide()
        self._trouble = ()
        self._entries = self._read()
        if self._trouble:
            self._report(self._trouble)
        else:
            self.session.report_ledger_read()
        self._model.set_rows(self._rows())
        # Entries of one day are told apart by their minute, which goes below it for room.
        self._model.short = {WHEN: [in_lines(h.entry.time) for h in self._entries]}
        self.table.share_room()
        self.table.fit_height(ROWS_MOST)
        self._coming.begin(self._select_own())

    def _select_own(self) -> Iterator[None]:
        """Select a row a turn later: reading what it released takes as long as all before."""
        yield
        if self._entries:
            self.table.selectRow(self._own_row())
        else:
            self._show_budget()
        if self.results.isHidden():
            self.table.fit_height(ROWS_ALONE)

    def _own_row(self) -> int:
        """The newest entry of the study's account; where there is none, the newest of all.

        The keyboard would make the first row the current one as it arrives, and select none.
        """
        sequences = [history.entry.sequence for history in self._entries]
        if self._recalled is not None and self._recalled.sequence in sequences:
            return sequences.index(self._recalled.sequence)
        budget = self.session.state.study.budget
        accounts = [history.entry.account for history in self._entries]
        return accounts.index(budget.account) if budget and budget.account in accounts else 0

    def _read(self) -> tuple[HistoryEntry, ...]:
        home = self.session.home
        if not home.ledger.exists():
            # The second record knows of a past: the ledger was moved away, it is not new.
            self._trouble = Ledger(home).check().problems if home.heads.exists() else ()
            return ()
        try:
            rolled_back = self.session.accounts.ledger().rolled_back()
            accounts = self.session.accounts.ledger().accounts()
            self._trouble = (rolled_back,) if rolled_back else self._locked_accounts(accounts)
            # The budget beside the page says no other than the page does.
            if accounts != self.session.accounts.states:
                self.session.reread_accounts()
        except Refused as refused:
            self._trouble = refused.problems
        try:
            result = tuple(reversed(Ledger(home).history()))
        except Refused as refused:
            self._trouble = refused.problems
            return ()
        self._trouble = self._trouble or _damage(result)
        return result

    def _locked_accounts(self, accounts: tuple[AccountState, ...]) -> tuple[Problem, ...]:
        self._locked = tuple(a for a in accounts if a.locks)
        return tuple(
            Problem("$", "account-moved" if a.locks == ("moved",) else "account-recovery", params)
            for a in self._locked
            for params in [{"name": a.name}]
        )

    def render_state(self) -> None:
        self.empty.setVisible(not self._entries and not self._trouble)
        self._frame.setVisible(bool(self._entries))
        is_empty = not self._entries and not self._trouble
        allow(self.check_button, self.tr("Nothing is in the ledger yet.") if is_empty else "")
        # A button that is disabled hands the keyboard on: to the table, which shows a release then.
        self.export_button.setEnabled(self.results.isVisibleTo(self))
        self.export_button.setVisible(bool(self._entries))
        shown = self.results.isVisibleTo(self)
        about = self._chosen()
        is_again = about is not None and isinstance(about.payload, RevokedRelease)
        revoke = self.tr("Withdraw or correct…")
        self.revoke_button.setText(self.tr("Save notice…") if is_again else revoke)
        self.revoke_button.updateGeometry()
        self.revoke_button.setVisible(shown or is_again)
        self.compare_button.setVisible(shown)
        self._show_withdrawn(about if shown else None)
        text = "" if shown else self.tr("Choose a release to see its figures.")
        self.footer.say(text if self._entries else "")
        self._show_foot()

    def _show_withdrawn(self, about: HistoryEntry | None) -> None:
        """Say of a release on show, and of what is exported of it, what was decided since."""
        head = about.entry.hash if about is not None else ""
        taken_back = [
            history
            for history in self._entries
            if isinstance(history.payload, RevokedRelease) and history.payload.head == head
        ]
        if taken_back:
            numbers = release_numbers(h.entry for h in reversed(self._entries))
            said = "; ".join(entry_about(history, numbers) for history in taken_back)
            self.withdrawn.say(self.tr("Do not use:"), said)
        self.withdrawn.setVisible(bool(taken_back))

    def _show_foot(self) -> None:
        """A foot with nothing to say or press is an empty strip."""
        self.footer.setVisible(bool(self._entries) or self._latest.is_pending)

    def _pick(self, current: QModelIndex, _before: QModelIndex) -> None:
        if not 0 <= current.row() < len(self._entries):
            return
        history = self._entries[current.row()]
        entry = history.entry
        if entry.kind != "release" or history.damage:
            self._reading.drop()
            self.results.hide()
            self.render_state()
            return
        self._reading.drop()
        try:
            if self._is_long(entry):
                self.results.hide()
                self.render_state()
                self._reading.run(self._reader(entry), self._show_release, self._report)
            else:
                self._show_release(self._reader(entry)())
        except Refused as refused:
            self._report(refused.problems)

    def _show_release(self, done: ReleaseDone) -> None:
        """Show the figures of the release that was read; it is not parsed again."""
        self._read_last = done
        self.results.show_release(done)
        self.results.hide_banner()
        recalled, self._recalled = self._recalled, None
        if recalled is not None and recalled.sequence == done.sequence:
            self.results.recall_export(recalled.bundle)
        self.results.show()
        self.table.fit_height(ROWS_MOST)
        self.render_state()
        # By itself all of it is squeezed into the window's height and painted so, then laid out.
        lay_out_now()

    def _is_long(self, entry: Entry) -> bool:
        """Whether an entry takes long to parse: so much is parsed beside the window's thread."""
        if self._read_last is not None and self._read_last.head == entry.hash:
            return False
        return self.session.accounts.ledger().payload_size(entry.sequence) > LONG_PAYLOAD

    def _reader(self, entry: Entry) -> Callable[..., ReleaseDone]:
        last, ledger = self._read_last, self.session.accounts.ledger()

        def read(*_progress: object) -> ReleaseDone:
            if last is not None and last.head == entry.hash:
                return last
            done = ReleaseDone(ledger.release(entry.sequence), ledger.hashes(entry.sequence))
            _ = done.stored.record.study.study  # where it is long, beside the window's thread
            return done

        return read

    def _show_budget(self) -> None:
        """Show the budget of the selected row's account, else the study's, else the newest's."""
        # An older copy of the ledger, or a damaged one, knows less than was spent.
        is_whole = all(p.code in LOCKS for p in self._trouble)
        # The keyboard makes a row the current one as it arrives, and selects none; of several
        # selected rows, the current one is meant.
        selection = self.table.selectionModel()
        rows = {index.row() for index in selection.selectedRows()} & {
            selection.currentIndex().row()
        }
        selected = [self._entries[row] for row in rows]
        budget = self.session.state.study.budget
        own = [h for h in self._entries if budget and h.entry.account == budget.account]
        account = next((h.entry.account for h in (*selected, *own, *self._entries)), "")
        shown = self._entries, account if is_whole else ""
        # A selection reports itself more than once.
        if shown[0] is not self._budgeted[0] or shown[1] != self._budgeted[1]:
            self._budgeted = shown
            self.budget.show_account(reversed(self._entries), shown[1])
            lay_out_now()

    def _chosen(self) -> HistoryEntry | None:
        row = self.table.currentIndex().row()
        chosen = self._entries[row] if 0 <= row < len(self._entries) else None
        return chosen if chosen is not None and not chosen.damage else None

    def ask_notice(self) -> None:
        about = self._chosen()
        if about is None:
            return
        later = tuple(
            h
            for h in self._entries
            if h.entry.kind == "release"
            and h.entry.account == about.entry.account
            and h.entry.sequence > about.entry.sequence
        )
        numbers = release_numbers(h.entry for h in reversed(self._entries))
        self.notice_dialog = NoticeDialog(self, self.session, about, numbers, later)
        self.notice_dialog.changed.connect(self._reconciled)
        self.notice_dialog.open()

    def check_ledger(self) -> None:
        report = Ledger(self.session.home).check()
        if report.problems:
            self._report(report.problems)
            return
        template = self.tr("All {0} entries are unchanged.")
        self.banner.say(
            self.tr("The ledger is intact."), template.format(report.entries), Tone.DONE
        )
        self.banner.set_action("")
        self.banner.show()

    def ask_import(self) -> None:
        start = str(self.session.proposed_folder)
        title, kinds = self.tr("Import bundles"), self.tr("Bundles (*.zip)")
        if chosen := existing_files(self, title, start, kinds):
            self.import_from(chosen)

    def import_from(self, paths: tuple[Path, ...]) -> None:
        self.import_dialog = ImportBundlesDialog(self)
        self.import_dialog.accepted.connect(lambda: self._import(paths))
        self.import_dialog.open()

    def _import(self, paths: tuple[Path, ...]) -> None:
        reason, home = self.import_dialog.reason.text.strip(), self.session.home

        def work(_progress: Progress, _cancel: CancelToken) -> ImportedBundles:
            return import_bundles(Ledger.open(home), paths, reason)

        self.footer.start_progress(self.tr("Checking the bundles"))
        self._latest.run(work, self._imported, self._not_imported)
        self._show_foot()

    def _not_imported(self, problems: tuple[Problem, ...]) -> None:
        self.footer.stop_progress()
        self._show_foot()
        self._report(problems)

    def _imported(self, found: ImportedBundles) -> None:
        self.footer.stop_progress()
        self._reconciled()
        remarks = [words.problem_sentence(problem) for problem in found.left_out]
        charged = self.tr("{0} charged to {1}.")
        paid = [entry for entry in found.entries if entry.charged.units]
        amounts = [charged.format(words.budget(entry.charged), entry.account) for entry in paid]
        replaced = self.tr("The second person of {0} was replaced without their signature.")
        remarks = [*map(replaced.format, found.overridden), *remarks]
        nothing = self.tr("Nothing was charged: the ledger already contains their spending.")
        line = " ".join([*(amounts or ([nothing] if found.counted else [])), *remarks])
        head = self.tr("%n bundle(s) of this ledger.", "", found.counted)
        self.banner.say(head, line, Tone.ATTENTION if remarks else Tone.DONE)
        self.banner.set_action("")
        self.banner.show()

    def _report(self, problems: tuple[Problem, ...]) -> None:
        parts = [part for problem in problems for part in self._sentences(problem)]
        first, *rest = filter(None, parts) if parts and parts[0] else ("", *filter(None, parts))
        if damaged := [str(h.entry.sequence) for h in self._entries if h.damage]:
            template = self.tr("Damaged entries: {0}. The others are shown.")
            rest.append(template.format(", ".join(reversed(damaged))))
        self.banner.say(first, " ".join(rest), Tone.ERROR)
        lost = any(p.code == "ledger-rolled-back" for p in problems)
        locked = any(p.code in LOCKS for p in problems)
        action = self.tr("Unlock account…") if locked else ""
        self.banner.set_action(self.tr("Reconcile…") if lost else action)
        self.banner.show()

    def _sentences(self, problem: Problem) -> tuple[str, str]:
        """A problem that is put right here, without the way to here: its first words, the rest."""
        here = {
            "ledger-rolled-back": (
                self.tr("An older copy of the ledger is in use."),
                self.tr(
                    "It lacks later entries of {accounts}. Until you reconcile it, nothing can be "
                    "spent from any account."
                ),
            ),
            "account-moved": (
                self.tr("The account “{name}” was moved to another computer."),
                self.tr(
                    "Release there. If that computer is lost, unlock the account here with a "
                    "reason."
                ),
            ),
            "account-recovery": (
                self.tr("The spending of the account “{name}” is not certain."),
                self.tr(
                    "The account was restored from a backup or rebuilt. Unlock it with a reason."
                ),
            ),
        }
        if problem.code not in here:
            return "", words.problem_sentence(problem)
        first, rest = here[problem.code]
        params = dict(problem.params)
        if "accounts" in params:
            named = map(self.tr("“{0}”").format, str(params["accounts"]).split(", "))
            params["accounts"] = ", ".join(named)
        return first.format(**params), rest.format(**params)

    def _report_standing(self) -> None:
        """Something could be done: what could not before is past, but for the ledger's trouble."""
        if self._trouble:
            self._report(self._trouble)
        else:
            self.banner.hide()

    def _act(self) -> None:
        if any(p.code == "ledger-rolled-back" for p in self._trouble) or not self._locked:
            self._ask_reconcile()
            return
        dialog = self.unlock_dialog = UnlockAccountDialog(self, self.session, self._locked[0])
        dialog.changed.connect(self._reconciled)
        dialog.open()

    def _ask_reconcile(self) -> None:
        dialog = ReconcileDialog(self, self.session)
        dialog.accepted.connect(self._reconciled)
        dialog.open()

    def _reconciled(self) -> None:
        self.enter()
        self.session.reread_accounts()


def _damage(entries: tuple[HistoryEntry, ...]) -> tuple[Problem, ...]:
    """The first that is wrong with the entries; one sentence says what to do."""
    return next((history.damage for history in reversed(entries) if history.damage), ())
