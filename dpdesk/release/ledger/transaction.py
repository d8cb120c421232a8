# SPDX-License-Identifier: Apache-2.0
"""What can be done while the ledger is locked for writing: look, and add entries."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from dpdesk.release.ledger.chain import (
    FIELDS,
    Entry,
    Sums,
    damaged,
    head_of,
    payload_digest,
    sums_of,
)
from dpdesk.study.amount import ZERO, Epsilon
from dpdesk.study.problem import refuse
from dpdesk.study.study_writer import canonical

_INSERT = f"INSERT INTO entry ({FIELDS}, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608 - names of our own


class Transaction:
    """One transaction on the ledger; :meth:`Ledger.transaction` begins and ends it.

    Attributes:
        connection: the connection that holds the lock.
        time: the minute in which the transaction began, so that no draw's duration shows in it.
    """

    def __init__(
        self, connection: sqlite3.Connection, entries: tuple[Entry, ...], time: str
    ) -> None:
        self.connection = connection
        self.time = time
        self._entries = entries
        self._parsed: dict[int, Any] = {}

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
        found = tuple(e for e in self._entries if e.account == account)
        if not found:
            raise refuse("account-unknown", "$.budget.account", name=account)
        return found

    def sums(self, account: str) -> Sums:
        """What an account was granted and has spent.

        Raises:
            Refused: ``account-unknown`` (param name).
        """
        return sums_of(self.entries_of(account), account)

    def append(
        self,
        kind: str,
        account: str,
        payload: dict[str, Any],
        granted: Epsilon = ZERO,
        charged: Epsilon = ZERO,
    ) -> Entry:
        """Add an entry; it stands once the transaction is committed.

        Raises:
            sqlite3.IntegrityError: the ledger's own rules refuse it.
        """
        text = canonical(payload)
        digest = payload_digest(text)
        entry = Entry(
            self.next_sequence, self.time, kind, account, granted, charged, digest, self.head
        ).sealed()
        amounts = (granted.micro, charged.micro)
        fields = (entry.sequence, entry.time, kind, account, *amounts, digest, entry.previous)
        self.connection.execute(_INSERT, (*fields, entry.hash, text))
        self._entries = (*self._entries, entry)
        return entry

    def payload(self, sequence: int) -> str:
        """An entry's payload, checked against its digest.

        Raises:
            Refused: ``entry-unknown`` (param sequence), ``ledger-damaged``.
        """
        if not 1 <= sequence <= len(self._entries):
            raise refuse("entry-unknown", sequence=str(sequence))
        return read_payload(self.connection, self._entries[sequence - 1])

    def members(self, sequence: int) -> Any:
        """An entry's payload, parsed once.

        Raises:
            Refused: as :meth:`payload`.
        """
        if sequence not in self._parsed:
            self._parsed[sequence] = json.loads(self.payload(sequence))
        return self._parsed[sequence]


def read_payload(connection: sqlite3.Connection, entry: Entry) -> str:
    """An entry's payload, checked against its digest.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence).
    """
    query = "SELECT payload FROM entry WHERE sequence = ?"
    row = connection.execute(query, (entry.sequence,)).fetchone()
    payload = row[0] if row else None
    if not isinstance(payload, str) or payload_digest(payload) != entry.payload_sha256:
        raise damaged("payload", entry.sequence)
    return payload
