# SPDX-License-Identifier: Apache-2.0
"""What can be done while the ledger is locked for writing: look, and add entries."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from dpdesk.release.ledger.chain import (
    FIELDS,
    Entry,
    damaged,
    head_of,
    payload_digest,
    sums_of,
)
from dpdesk.release.ledger.payloads import Payload, parse_payload, payload_text
from dpdesk.release.record.totals import Totals
from dpdesk.release.record.values import StoredRelease
from dpdesk.study.model.amount import NO_DELTA, Delta, Share, zero
from dpdesk.study.problem import refuse

_INSERT = f"INSERT INTO entry ({FIELDS}, payload) VALUES ({'?, ' * 13}?)"  # noqa: S608 - names of our own


def new_salt() -> str:
    """32 random hex digits, which stay in the ledger."""
    return secrets.token_hex(16)


class Transaction:
    """One transaction on the ledger; :meth:`Ledger.transaction` begins and ends it.

    Attributes:
        connection: the connection that holds the lock.
        time: the minute in which the transaction began, so that no draw's duration shows in it.
        added: the entries that it added, each with what it says.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        entries: tuple[Entry, ...],
        time: str,
    ) -> None:
        self.connection = connection
        self.time = time
        self.added: list[tuple[Entry, Payload]] = []
        self._entries = entries
        self._parsed: dict[int, StoredRelease] = {}

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The chain so far, with what this transaction added."""
        return self._entries

    @property
    def next_sequence(self) -> int:
        """Place of the entry that would be added next."""
        return len(self._entries) + 1

    @property
    def head(self) -> str:
        """Hash that the next entry follows."""
        return head_of(self._entries)

    def entries_of(self, account: str) -> tuple[Entry, ...]:
        """The entries of one account.

        Raises:
            Refused: ``account-unknown`` (param name).
        """
        result = tuple(e for e in self._entries if e.account == account)
        if not result:
            raise refuse("account-unknown", "$.budget.account", name=account)
        return result

    def sums(self, account: str) -> Totals:
        """What an account was granted and has spent.

        Raises:
            Refused: ``account-unknown`` (param name).
        """
        return sums_of(self.entries_of(account), account)

    @contextmanager
    def taking_back(self, kind: type[Exception]) -> Iterator[None]:
        """Take back what the body did where it ends in an error of a kind; the lock is kept.

        The error goes on to the caller, who adds in its place what must be said of it, in the
        same commit: nobody can come between, and a kill leaves both undone.
        """
        entries, added = self._entries, len(self.added)
        self.connection.execute("SAVEPOINT body")
        try:
            yield
        except kind:
            self.connection.execute("ROLLBACK TO body")
            self._entries = entries
            del self.added[added:]
            raise

    def append(
        self,
        account: str,
        payload: Payload,
        granted: Share | None = None,
        charged: Share | None = None,
        *,
        delta_granted: Delta = NO_DELTA,
        delta_kept: Delta = NO_DELTA,
        delta_charged: Delta = NO_DELTA,
    ) -> Entry:
        """Add an entry; it is final once the transaction is committed.

        Args:
            payload: what the entry says, which gives its kind.
            granted: what the account's total grows by; nothing by default.
            charged: what is spent; nothing by default.
            delta_granted: what the account's delta grows by.
            delta_kept: what the part of it grows by that releases of found categories may charge.
            delta_charged: what is spent of that part.

        Raises:
            Refused: ``account-measure-differs`` (params name, measure, other), or
                ``ledger-damaged`` (what: ``sum``).
            sqlite3.IntegrityError: the ledger's own rules refuse it.
        """
        nothing = zero(self._measure_for(account, granted, charged))
        text = payload_text(payload, new_salt())
        entry = Entry(
            *(self.next_sequence, self.time, payload.KIND, account),
            granted=nothing if granted is None else granted,
            charged=nothing if charged is None else charged,
            payload_sha256=payload_digest(text),
            previous=self.head,
            delta_granted=delta_granted,
            delta_kept=delta_kept,
            delta_charged=delta_charged,
        ).sealed()
        fields = (entry.sequence, entry.time, entry.kind, entry.account, *entry.amounts)
        seals = (entry.payload_sha256, entry.previous, entry.hash)
        try:
            self.connection.execute(_INSERT, (*fields, *seals, text))
        except sqlite3.IntegrityError as error:
            if "never spends" not in str(error) or self._overspends(entry):
                raise
            raise damaged("sum") from None  # its index adds up to something else than the chain
        self._entries = (*self._entries, entry)
        self.added.append((entry, payload))
        return entry

    def _overspends(self, entry: Entry) -> bool:
        own = [e for e in self._entries if e.account == entry.account]
        return sums_of((*own, entry), entry.account).overspent

    def _measure_for(self, account: str, *amounts: Share | None) -> str:
        """The measure of an account, or the one that amounts give to a new one."""
        reported = [amount.measure for amount in amounts if amount is not None]
        first = reported[0] if reported else "epsilon"
        measure = next((e.measure for e in self._entries if e.account == account), first)
        for other in reported:
            refuse_other_measure(account, measure, other)
        return measure

    def check_measure(self, account: str, amount: Share) -> None:
        """Refuse an amount that an account cannot be asked for.

        Raises:
            Refused: ``account-unknown``, ``account-measure-differs`` (params name, measure,
                other).
        """
        refuse_other_measure(account, self.sums(account).measure, amount.measure)

    def release(self, sequence: int) -> StoredRelease:
        """What a release's entry says, parsed once.

        Raises:
            Refused: ``ledger-damaged`` (params what, sequence), also where the entry is of
                another kind; ``entry-too-new``.
        """
        if sequence not in self._parsed:
            entry = self._entries[sequence - 1]
            self._parsed[sequence] = read_release(self.connection, entry)
        return self._parsed[sequence]


def refuse_other_measure(account: str, measure: str, other: str) -> None:
    """Refuse to mix measures in one account.

    Raises:
        Refused: ``account-measure-differs`` (params name, measure, other).
    """
    if other != measure:
        at = "$.budget.account"
        raise refuse("account-measure-differs", at, name=account, measure=measure, other=other)


def read_payload(connection: sqlite3.Connection, entry: Entry) -> Payload:
    """What an entry says, its text checked against its digest.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence) or ``entry-too-new`` (sequence).
    """
    return parse_payload(entry, read_payload_text(connection, entry))


def read_release(connection: sqlite3.Connection, entry: Entry) -> StoredRelease:
    """What the entry of a release says.

    Raises:
        Refused: as :func:`read_payload`; ``ledger-damaged`` where it is another kind of entry.
    """
    payload = read_payload(connection, entry)
    if not isinstance(payload, StoredRelease):
        raise damaged("answer", entry.sequence)
    return payload


def read_payload_text(connection: sqlite3.Connection, entry: Entry) -> str:
    """An entry's payload as it is stored, checked against its digest.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence).
    """
    query = "SELECT payload FROM entry WHERE sequence = ?"
    row = connection.execute(query, (entry.sequence,)).fetchone()
    payload = row[0] if row else None
    if not isinstance(payload, str) or payload_digest(payload) != entry.payload_sha256:
        raise damaged("payload", entry.sequence)
    return payload
