# SPDX-License-Identifier: Apache-2.0
"""The hash chain: each entry's hash covers its own fields and the hash before it.

An entry's payload enters by its own digest, so that the whole chain of amounts is checked
without reading the payloads; ``check`` reads those too.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from dpdesk.release.ledger.schema import GENESIS
from dpdesk.study.amount import ZERO, Epsilon
from dpdesk.study.problem import Refused, refuse

DOMAIN = b"dpdesk-ledger-entry-1"
FIELDS = "sequence, time, kind, account, granted, charged, payload_sha256, previous, hash"
_TYPES = (int, str, str, str, int, int, str, str, str)


@dataclass(frozen=True)
class Entry:
    """One entry, without its payload.

    Attributes:
        sequence: place in the chain, from 1.
        time: minute of recording, UTC (``2026-11-21T14:32Z``).
        kind: ``open-account``, ``raise``, ``release``, ``decision`` or ``reconcile``.
        account: the account concerned.
        granted: what the account's total grows by.
        charged: what the account has spent with it.
        payload_sha256: digest of the payload's text.
        previous: hash of the entry before.
        hash: hash of this entry: the head of the chain once it is the last.
    """

    sequence: int
    time: str
    kind: str
    account: str
    granted: Epsilon
    charged: Epsilon
    payload_sha256: str
    previous: str
    hash: str = ""

    def sealed(self) -> Entry:
        """The entry with its hash."""
        return replace(self, hash=entry_hash(self))


@dataclass(frozen=True)
class Sums:
    """What an account was granted and has spent."""

    granted: Epsilon = ZERO
    charged: Epsilon = ZERO

    @property
    def left(self) -> Epsilon:
        """What can still be spent."""
        return Epsilon(max(0, self.granted.micro - self.charged.micro))


def entry_hash(entry: Entry) -> str:
    """SHA-256 over the fields, each with its length before it, so that none can run into another.

    >>> one = Entry(1, "2026-11-21T14:32Z", "raise", "a", Epsilon(1), ZERO, "", GENESIS)
    >>> entry_hash(one) == entry_hash(replace(one, account="b"))
    False
    """
    fields = (
        str(entry.sequence),
        entry.time,
        entry.kind,
        entry.account,
        str(entry.granted.micro),
        str(entry.charged.micro),
        entry.payload_sha256,
        entry.previous,
    )
    digest = hashlib.sha256(DOMAIN)
    for field in fields:
        raw = field.encode("utf-8")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()


def payload_digest(payload: str) -> str:
    """The digest by which a payload enters the chain."""
    return hashlib.sha256(payload.encode("utf-8")).hexdigest()


def read_chain(connection: sqlite3.Connection) -> tuple[Entry, ...]:
    """Every entry in order, each checked against the one before.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence).
    """
    # The fields are a constant of this module.
    rows = connection.execute(f"SELECT {FIELDS} FROM entry ORDER BY sequence")  # noqa: S608 - names of our own
    entries = tuple(_entry(row) for row in rows)
    verify_chain(entries)
    return entries


def _entry(row: tuple[Any, ...]) -> Entry:
    if tuple(map(type, row)) != _TYPES:
        raise damaged("file")  # a broken page can hold anything, whatever the column's type
    sequence, time, kind, account, granted, charged, digest, previous, seal = row
    if granted < 0 or charged < 0:
        raise damaged("amount", sequence)
    amounts = (Epsilon(granted), Epsilon(charged))
    return Entry(sequence, time, kind, account, *amounts, digest, previous, seal)


def verify_chain(entries: Iterable[Entry]) -> None:
    """Check that entries follow one another, are unaltered, and overspend nothing.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence).
    """
    previous, sums = GENESIS, dict[str, Sums]()
    for sequence, entry in enumerate(entries, 1):
        if (entry.sequence, entry.previous) != (sequence, previous):
            raise damaged("order", sequence)
        if entry.hash != entry_hash(entry):
            raise damaged("hash", sequence)
        after = add(sums.get(entry.account, Sums()), entry)
        if after.charged > after.granted:
            raise damaged("amount", sequence)
        sums[entry.account], previous = after, entry.hash


def add(sums: Sums, entry: Entry) -> Sums:
    """An account's sums after one more of its entries."""
    return Sums(sums.granted + entry.granted, sums.charged + entry.charged)


def sums_of(entries: Iterable[Entry], account: str) -> Sums:
    """An account's sums."""
    sums = Sums()
    for entry in entries:
        if entry.account == account:
            sums = add(sums, entry)
    return sums


def head_of(entries: tuple[Entry, ...]) -> str:
    """The hash that the next entry follows."""
    return entries[-1].hash if entries else GENESIS


def damaged(what: str, sequence: int = 0) -> Refused:
    """The refusal of a ledger that was altered or is broken; 0 stands for the whole file."""
    return refuse("ledger-damaged", what=what, sequence=str(sequence))
