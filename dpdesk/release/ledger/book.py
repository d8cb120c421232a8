# SPDX-License-Identifier: Apache-2.0
"""The ledger: the only authority on what was spent.

Every call opens the file again, so that any thread and any program may use it, and what another
one recorded is seen at once. Writing happens under SQLite's write lock from the first look to the
commit; what is remembered of the chain elsewhere (``heads``) is written after it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dpdesk.release.ledger import accounts as accounting
from dpdesk.release.ledger.accounts import AccountState
from dpdesk.release.ledger.answers import AnsweredQuestions, answered_questions
from dpdesk.release.ledger.chain import (
    Entry,
    damaged,
    hashes_of,
    head_of,
    read_chain,
    read_legible,
)
from dpdesk.release.ledger.decisions.decided import RevokedRelease
from dpdesk.release.ledger.decisions.recovery import unlock
from dpdesk.release.ledger.decisions.revoked import revoked_answer, revoked_releases
from dpdesk.release.ledger.decisions.series import Series, overbooked, series_of
from dpdesk.release.ledger.fingerprints import DataKeys, data_keys
from dpdesk.release.ledger.heads import Heads, can_be_written, lost_sums, read_heads, write_heads
from dpdesk.release.ledger.history import (
    HistoryEntry,
    know,
    neighbours_of,
    read_entry,
    read_history,
    release_numbers,
)
from dpdesk.release.ledger.ledger_report import (
    LedgerReport,
    broken_report,
    clock_notices,
    content_problems,
)
from dpdesk.release.ledger.payloads import Payload
from dpdesk.release.ledger.reconcile import enter_lost_record, reconcile
from dpdesk.release.ledger.storage.clock import Clock, minute, utc_now
from dpdesk.release.ledger.storage.connection import (
    BUSY_SECONDS,
    connected,
    immediate,
    is_busy,
    probe_writable,
    prove_writable,
    refuse_network,
)
from dpdesk.release.ledger.transaction import Transaction, read_payload_text, read_release
from dpdesk.release.ledger.uses import digest_key
from dpdesk.release.ledger.view import View
from dpdesk.release.places.home import Home
from dpdesk.release.places.synced_folder import synced_by
from dpdesk.release.record.totals import Totals
from dpdesk.release.record.values import ReleaseRecord, StoredRelease
from dpdesk.study.model.amount import NO_DELTA, Delta, Share
from dpdesk.study.problem import Problem, Refused, refuse

_NOT_WRITTEN = ("home-unwritable", "ledger-unwritable", "ledger-disk-full")
_LOOKING = {
    "ledger-unwritable": "ledger-unreadable",
    "ledger-disk-full": "ledger-unreadable",
    "ledger-busy": "ledger-in-use",
}
"""What keeps the ledger from being written, and what the same is where it is only read."""


class Ledger:
    """One user's ledger.

    Attributes:
        home: where it is.
        notices: oddities met so far (``ledger-anchor-missing``, ``ledger-anchor-damaged``,
            ``ledger-anchor-unwritable``, ``ledger-synced`` and ``ledger-second`` with param name).
    """

    def __init__(
        self, home: Home, now: Clock = utc_now, busy_seconds: float = BUSY_SECONDS
    ) -> None:
        self.home = home
        self.notices: tuple[Problem, ...] = ()
        self._now = now
        self._busy_seconds = busy_seconds

    @classmethod
    def open(cls, home: Home, now: Clock = utc_now, busy_seconds: float = BUSY_SECONDS) -> Ledger:
        """Open a home's ledger; a new one is made where there is none.

        Raises:
            Refused: ``home-unwritable``, ``ledger-network-path``, ``ledger-too-new``,
                ``ledger-damaged``, ``ledger-unwritable``, ``ledger-disk-full`` or ``ledger-busy``.
                A ledger that was replaced by an older copy opens, and refuses to spend.
        """
        ledger = cls(home, now, busy_seconds)
        refuse_network(home.ledger)
        home.make()
        for folder in (home.root, home.heads_folder):
            ledger._note_synced(folder)
        if other := home.other_ledger():
            ledger._note("ledger-second", name=str(other))
        with connected(home.ledger, busy_seconds) as connection:
            probe_writable(connection)
            ledger._look_after_heads(connection)
        return ledger

    @classmethod
    def open_to_read(cls, home: Home, now: Clock = utc_now) -> Ledger:
        """Open a home's ledger, also where its disk cannot be written, to look at it alone.

        Raises:
            Refused: as :meth:`open`, but for a disk that cannot be written.
        """
        try:
            return cls.open(home, now)
        except Refused as refused:
            code = refused.problems[0].code
            if code not in _NOT_WRITTEN or not home.ledger.exists():
                raise
        ledger = cls(home, now)
        with ledger._connected() as connection:
            heads, entries = read_heads(home.heads), read_chain(connection)
        ledger._note("ledger-read-only")
        if heads.lost_state(entries) == "behind":
            ledger._note("ledger-anchor-behind")
        return ledger

    def look(self) -> tuple[tuple[AccountState, ...], AnsweredQuestions]:
        """What :meth:`accounts` and :meth:`answered` say, with the file opened once for both.

        What is wrong with the second record is noticed, entered and fixed before, as in opening.

        Raises:
            Refused: ``ledger-damaged``, ``ledger-busy``.
        """
        with self._connected() as connection:
            self._look_after_heads(connection)
            view = self._view(connection)
            return view.accounts(), answered_questions(connection, view.entries)

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Everything or nothing: entries added in the body are kept once it ends without error.

        Raises:
            Refused: ``ledger-rolled-back`` (param accounts), ``ledger-busy``,
                ``ledger-unwritable``, ``ledger-disk-full``, ``ledger-damaged``; whatever the body
                raises.
        """
        with self._committed() as (transaction, view):
            view.refuse_lost()
            prove_writable(transaction.connection)
            if not self._enter_state(transaction, view.heads):
                self._catch_up(view)
            yield transaction
            if any(overbooked(transaction, len(view.entries))):
                raise damaged("series", len(transaction.entries))

    @contextmanager
    def _committed(self) -> Iterator[tuple[Transaction, View]]:
        """What is added in the body is committed, and the chain remembered.

        Raises:
            Refused: nothing was added; or ``ledger-unconfirmed`` or ``entry-unconfirmed``, where
                the disk failed in the commit or after it, so that the entries may be there.
        """
        added: list[tuple[Entry, Payload]] = []
        try:
            with connected(self.home.ledger, self._busy_seconds) as connection:
                with immediate(connection):
                    view = self._view(connection)
                    transaction = self._transaction(connection, view)
                    yield transaction, view
                    added = transaction.added
                for entry, payload in added:
                    know(entry, payload)
                self._remember(connection)
        except Refused:
            if added and self._may_hold(added[-1][0]):
                is_release = any(entry.kind == StoredRelease.KIND for entry, _payload in added)
                raise refuse("ledger-unconfirmed" if is_release else "entry-unconfirmed") from None
            raise

    def _may_hold(self, entry: Entry) -> bool:
        """Whether an entry is in the ledger, or that cannot be found out.

        A power cut could still take it away, so it is not shown before it is read in a later run.
        """
        try:
            return entry in self._entries()
        except Refused:
            return True

    def _entries(self) -> tuple[Entry, ...]:
        with self._looking() as view:
            return view.entries

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Look at one state of the ledger as a transaction would, without the right to add.

        Raises:
            Refused: as :meth:`transaction`.
        """
        with self._connected() as connection:
            connection.execute("PRAGMA query_only=ON").fetchone()
            connection.execute("BEGIN")
            view = self._view(connection)
            view.refuse_lost()
            yield self._transaction(connection, view)

    def answered(self) -> AnsweredQuestions:
        """Which questions would be answered from the ledger, for free.

        Raises:
            Refused: ``ledger-damaged``, ``ledger-busy``.
        """
        with self._looking() as view:
            return answered_questions(view.connection, view.entries)

    def revoked_answers(self, record: ReleaseRecord) -> dict[str, RevokedRelease]:
        """The queries of a release whose stored answers were withdrawn or corrected, by id.

        Raises:
            Refused: those of the ledger.
        """
        stored = [query for query in record.queries if query.drawn_at]
        with self.reading() as transaction:
            revoked = revoked_releases(transaction.connection, transaction.entries)
            found = {one.id: revoked_answer(transaction, revoked, one) for one in stored}
        return {query: decided for query, decided in found.items() if decided is not None}

    def new_account(
        self,
        name: str,
        total: Share,
        note: str = "",
        delta: Delta = NO_DELTA,
        kept: Delta = NO_DELTA,
    ) -> AccountState:
        """Open an account; see :func:`accounts.open_account`."""
        with self.transaction() as transaction:
            accounting.open_account(transaction, name, total, note, delta, kept)
            return _account_in(transaction, name)

    def raise_budget(
        self, name: str, total: Share | None, reason: str, kept: Delta | None = None
    ) -> AccountState:
        """Raise what an account may spend, with a reason; see :func:`accounts.raise_account`."""
        with self.transaction() as transaction:
            accounting.raise_account(transaction, name, total, reason, kept)
            return _account_in(transaction, name)

    def reconcile(self, reason: str) -> tuple[Entry, ...]:
        """Charge what an older copy of the ledger has lost, and unlock it.

        Raises:
            Refused: ``ledger-not-rolled-back``, ``reason-missing``, and those of texts.
        """
        with self.repairing() as (transaction, heads):
            return reconcile(transaction, heads, reason)

    def unlock(self, name: str, reason: str) -> AccountState:
        """Open a locked account, with a reason; see :func:`decisions.recovery.unlock`."""
        with self.transaction() as transaction:
            unlock(transaction, name, reason)
            return _account_in(transaction, name)

    @contextmanager
    def repairing(self) -> Iterator[tuple[Transaction, Heads]]:
        """A transaction on a ledger that may lack entries, with its second record.

        Raises:
            Refused: ``ledger-busy``, ``ledger-unwritable``, ``ledger-disk-full``,
                ``ledger-damaged``; whatever the body raises.
        """
        with self._committed() as (transaction, view):
            yield transaction, view.heads

    def accounts(self) -> tuple[AccountState, ...]:
        """Every account, in the order of opening."""
        with self._looking() as view:
            return view.accounts()

    def account(self, name: str) -> AccountState:
        """One account.

        Raises:
            Refused: ``account-unknown`` (param name), and those of :meth:`find_account`.
        """
        result = self.find_account(name)
        if result is None:
            raise refuse("account-unknown", "$.budget.account", name=name)
        return result

    def find_account(self, name: str) -> AccountState | None:
        """One account; ``None`` where there is none.

        Raises:
            Refused: ``ledger-rolled-back`` (param accounts): there was one, and the older copy of
                the ledger that is in use does not have it.
        """
        with self._looking() as view:
            result = next((a for a in view.accounts() if a.name == name), None)
            if result is None and any(mark.account == name for mark in view.lost):
                view.refuse_lost()
        return result

    def neighbours(self, name: str) -> str:
        """Of which kind of neighbours an account's losses are; see :func:`neighbours_of`."""
        with self._looking() as view:
            return neighbours_of(view.connection, view.entries, name)

    def series(self) -> tuple[Series, ...]:
        """Every planned series, account by account, in the order in which they began."""
        with self._looking() as view:
            names = dict.fromkeys(entry.account for entry in view.entries)
            return tuple(
                one for name in names for one in series_of(view.connection, view.entries, name)
            )

    def history(self, account: str | None = None) -> tuple[HistoryEntry, ...]:
        """What happened, oldest first; of one account, or of all.

        A damaged entry says so itself; the others read as before.
        """
        with self._connected() as connection:
            return tuple(read_history(connection, account))

    def read_ahead(self, check: Callable[[], object]) -> None:
        """Parse what :meth:`history` will return, so that it returns at once.

        Nobody waits for the ledger meanwhile: it is read entry by entry.

        Args:
            check: called before each entry; ends it by raising.
        """
        with self._connected() as connection:
            legible = tuple(read_legible(connection))
        for entry, problems in legible:
            check()
            with self._connected() as connection:
                read_entry(connection, entry, problems)

    def release_numbers(self) -> dict[int, int]:
        """Which release of its account each is; see :func:`history.release_numbers`."""
        with self._connected() as connection:
            return release_numbers(entry for entry, _problems in read_legible(connection))

    def entry(self, sequence: int) -> Entry:
        """One entry.

        Raises:
            Refused: ``entry-unknown`` (param sequence).
        """
        with self._looking() as view:
            return view.entry_at(sequence)

    def payload_size(self, sequence: int) -> int:
        """How many characters an entry's payload has; nothing of it is read, so 0 where none is."""
        with self._connected() as connection:
            query = "SELECT length(payload) FROM entry WHERE sequence = ?"
            row = connection.execute(query, (sequence,)).fetchone()
            return int(row[0] or 0) if row else 0

    def hashes(self, sequence: int) -> tuple[str, ...]:
        """The hashes of the entries up to one, in order: what its bundle lists.

        Raises:
            Refused: ``entry-unknown`` (param sequence).
        """
        with self._looking() as view:
            view.entry_at(sequence)
            return hashes_of(view.entries[:sequence])

    def payload(self, sequence: int) -> str:
        """An entry's payload: canonical JSON text.

        Raises:
            Refused: ``entry-unknown`` (param sequence), ``ledger-damaged``.
        """
        with self._looking() as view:
            return read_payload_text(view.connection, view.entry_at(sequence))

    def release(self, sequence: int) -> StoredRelease:
        """What the entry of a release says.

        Raises:
            Refused: ``entry-unknown``, ``entry-too-new`` (param sequence), ``ledger-damaged``.
        """
        with self._looking() as view:
            return read_release(view.connection, view.entry_at(sequence))

    def head(self) -> tuple[int, str]:
        """Sequence and hash of the last entry; 0 and 64 zeros for an empty ledger."""
        with self._looking() as view:
            return len(view.entries), head_of(view.entries)

    def data_keys(self) -> DataKeys:
        """The keys under which this ledger recognises the data that a release reads."""
        with self._connected() as connection:
            return data_keys(connection)

    def digest_key(self) -> bytes:
        """The key for digesting a file's bytes, to compare them with what was read before."""
        with self._connected() as connection:
            return digest_key(connection)

    def rolled_back(self) -> Problem | None:
        """The ``ledger-rolled-back`` (param accounts) that keeps everything from being spent."""
        with self._looking() as view:
            return view.rolled_back

    def lost(self) -> dict[str, Totals]:
        """What :meth:`reconcile` would grant and charge each account."""
        with self._looking() as view:
            return lost_sums(view.lost)

    def check(self) -> LedgerReport:
        """Check everything; what is wrong is in the report, not raised."""
        try:
            with self._connected() as connection:
                problems = tuple(content_problems(connection))
                return self._report(connection, problems)
        except Refused as refused:
            return broken_report(refused.problems)

    def _report(
        self, connection: sqlite3.Connection, problems: tuple[Problem, ...]
    ) -> LedgerReport:
        if any(p.params.get("what") in ("order", "hash", "measure", "amount") for p in problems):
            return broken_report(problems)
        view = self._view(connection)
        if view.rolled_back:
            problems += (view.rolled_back,)
        self._note_state(view.heads, view.entries)
        notices = (*self.notices, *clock_notices(view.entries))
        self._remember(connection, is_entered=False)
        count, head = len(view.entries), head_of(view.entries)
        return LedgerReport(count, head, view.accounts(), problems, notices)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """A connection to look with.

        What it cannot do says nothing of what was spent: a release may be just before it.
        """
        try:
            with connected(self.home.ledger, self._busy_seconds) as connection:
                yield connection
        except Refused as refused:
            code = refused.problems[0].code
            raise refuse(_LOOKING[code]) if code in _LOOKING else refused from None

    @contextmanager
    def _looking(self) -> Iterator[View]:
        with self._connected() as connection:
            yield self._view(connection)

    def _transaction(self, connection: sqlite3.Connection, view: View) -> Transaction:
        return Transaction(connection, view.entries, minute(self._now()))

    def _view(self, connection: sqlite3.Connection) -> View:
        return View.take(connection, self.home.heads)

    def _note_state(self, heads: Heads, entries: tuple[Entry, ...]) -> None:
        if heads.differ_from(entries) and not can_be_written(self.home.heads):
            self._note("ledger-anchor-unwritable")
        elif heads.state != "read" and (entries or heads.state == "damaged"):
            # Behind they are under the write lock alone: else another program goes on writing.
            self._note(f"ledger-anchor-{heads.state}")

    def _note(self, code: str, **params: str) -> None:
        if all(notice.code != code for notice in self.notices):
            self.notices += (Problem("$", code, params),)

    def _note_synced(self, folder: Path) -> None:
        if name := synced_by(folder):
            self._note("ledger-synced", name=name)

    def _look_after_heads(self, connection: sqlite3.Connection) -> None:
        self._note_state(read_heads(self.home.heads), read_chain(connection))
        self._enter_lost_heads(connection)
        self._remember(connection, is_entered=False)

    def _enter_lost_heads(self, connection: sqlite3.Connection) -> None:
        """Let the chain say at once that its second record is lost, if no other program writes.

        While one does, the next transaction says it: until then the record stays away.
        """
        view = self._view(connection)
        if view.heads.lost_state(view.entries):
            with suppress(Refused), self.transaction():
                pass

    def _catch_up(self, view: View) -> None:
        """Write the heads of a transaction before this one, whose program has not yet done so.

        So they never lag behind by more than one.
        """
        with suppress(OSError):
            if not view.is_remembered:
                write_heads(self.home.heads, view.entries)

    def _enter_state(self, transaction: Transaction, heads: Heads) -> bool:
        """Add to each account that the second record is of no use; whether that is so."""
        if not heads.differ_from(transaction.entries):
            return False
        # Written after the commit alone: who fails before it must not take the trace away.
        state = heads.lost_state(transaction.entries)
        state = state if can_be_written(self.home.heads) else "unwritable"
        if state:
            self._note(f"ledger-anchor-{state}")
            enter_lost_record(transaction, state)
        return bool(state)

    def _remember(self, connection: sqlite3.Connection, *, is_entered: bool = True) -> None:
        """Write the chain's heads, unless they know something that the ledger has lost.

        What they lack is not written over before the chain says it.

        The write lock keeps two programs from overwriting each other's newer heads. What cannot
        be written now is written with the next commit; the ledger itself is already safe.
        """
        try:
            if self._view(connection).is_remembered:
                return
            with immediate(connection):
                view = self._view(connection)
                is_said = is_entered or view.heads.lost_state(view.entries) != "behind"
                if not view.is_remembered and is_said:
                    write_heads(self.home.heads, view.entries)
        except (OSError, Refused):
            self._note("ledger-anchor-unwritable")
        except sqlite3.Error as error:
            # The program that keeps this one waiting writes the heads of both.
            if not is_busy(error):
                self._note("ledger-anchor-unwritable")


def _account_in(transaction: Transaction, name: str) -> AccountState:
    """An account as a transaction leaves it; after the commit nothing is read that could fail."""
    view = View(transaction.connection, transaction.entries, Heads("read"), lost=())
    return next(account for account in view.accounts() if account.name == name)
