# SPDX-License-Identifier: Apache-2.0
"""The hash chain: each entry's hash covers its own fields and the hash before it.

An entry's payload enters by its own digest, so that the whole chain of amounts is checked
without reading the payloads; ``ledger_report`` reads those too.

Entries that a ledger of version 1 could hold are hashed as it hashed them. What it did not know,
a measure and a delta, is covered where there is any, under a domain of its own.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from dpdesk.release.ledger.storage.schema import GENESIS
from dpdesk.release.record.totals import MEASURES, Totals, share_of, together
from dpdesk.study.model.amount import NO_DELTA, Delta, Share
from dpdesk.study.problem import Problem, Refused, refuse

DOMAIN = b"dpdesk-ledger-entry-1"
DOMAIN_WITH_MEASURE = b"dpdesk-ledger-entry-2"
FIELDS = (
    "sequence, time, kind, account, measure, granted, charged, delta_granted, delta_kept, "
    "delta_charged, payload_sha256, previous, hash"
)
_TYPES = (int, str, str, str, str, int, int, int, int, int, str, str, str)


@dataclass(frozen=True)
class Entry:
    """One entry, without its payload.

    Attributes:
        sequence: place in the chain, from 1.
        time: minute of recording, UTC (``2026-11-21T14:32Z``).
        kind: ``open-account``, ``raise``, ``release``, ``decision`` or ``reconcile``.
        granted: what the account's total grows by.
        charged: what the account has spent with it.
        previous: hash of the entry before.
        hash: hash of this entry: the head of the chain once it is the last.
        delta_granted: what the account's delta grows by.
        delta_kept: what the part of it grows by that releases of found categories may charge.
        delta_charged: what was spent of that part.
    """

    sequence: int
    time: str
    kind: str
    account: str
    granted: Share
    charged: Share
    payload_sha256: str
    previous: str
    hash: str = ""
    delta_granted: Delta = NO_DELTA
    delta_kept: Delta = NO_DELTA
    delta_charged: Delta = NO_DELTA

    def __post_init__(self) -> None:
        if type(self.granted) is not type(self.charged):
            raise TypeError("an entry has one measure")

    @property
    def measure(self) -> str:
        """The measure of its amounts, which is its account's."""
        return self.granted.measure

    @property
    def amounts(self) -> tuple[str, int, int, int, int, int]:
        """Measure, granted and charged; delta granted, kept and charged: as the ledger has them."""
        return self.sums.amounts

    @property
    def sums(self) -> Totals:
        """What it adds to its account's sums."""
        deltas = (self.delta_granted, self.delta_kept, self.delta_charged)
        return Totals(self.granted, self.charged, *deltas)

    def sealed(self) -> Entry:
        """The entry with its hash."""
        return replace(self, hash=entry_hash(self))


def entry_hash(entry: Entry) -> str:
    """SHA-256 over the fields, each with its length before it, so that none can run into another.

    Bundles list these hashes, also of entries that their recipient may know nothing of. A hash
    shows nothing of an entry to anyone who has not its payload: among the fields is the digest of a
    payload that holds 128 random bits (``payloads.payload_text``), and which nothing but the
    ledger, its backups and its signed export holds. With SHA-256 as a random oracle, a guess of all
    other fields (time, kind, account, amounts) can be tried only together with a guess of these
    bits, 2^127 tries on average, however few fields there are to guess.

    >>> from dpdesk.study.model.amount import ZERO, Epsilon
    >>> one = Entry(1, "2026-11-21T14:32Z", "raise", "a", Epsilon(1), ZERO, "", GENESIS)
    >>> entry_hash(one) == entry_hash(replace(one, account="b"))
    False
    """
    measure, granted, charged, *deltas = entry.amounts
    fields = [
        str(entry.sequence),
        entry.time,
        entry.kind,
        entry.account,
        str(granted),
        str(charged),
        entry.payload_sha256,
        entry.previous,
    ]
    domain = DOMAIN
    if (measure, *deltas) != ("epsilon", 0, 0, 0):
        domain = DOMAIN_WITH_MEASURE
        fields += [measure, *map(str, deltas)]
    digest = hashlib.sha256(domain)
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
    entries = tuple(_entry(row) for row in _rows(connection))
    verify_chain(entries)
    return entries


def read_legible(connection: sqlite3.Connection) -> Iterator[tuple[Entry, tuple[Problem, ...]]]:
    """Every entry that can be read, with what is wrong with it; for looking at, not for sums.

    What cannot be read leaves a gap, and the entry after it does not follow.
    """
    sequence, previous = 0, GENESIS
    for row in _rows(connection):
        try:
            entry = _entry(row)
        except Refused:
            continue
        what = _alteration(entry, sequence + 1, previous)
        yield entry, damaged(what, entry.sequence).problems if what else ()
        sequence, previous = entry.sequence, entry.hash


def _rows(connection: sqlite3.Connection) -> Iterable[tuple[Any, ...]]:
    # The fields are a constant of this module.
    return connection.execute(f"SELECT {FIELDS} FROM entry ORDER BY sequence")  # noqa: S608 - names of our own


def _entry(row: tuple[Any, ...]) -> Entry:
    if tuple(map(type, row)) != _TYPES:
        raise damaged("file")  # a broken page can hold anything, whatever the column's type
    sequence, time, kind, account, measure, granted, charged, *deltas, digest, previous, seal = row
    if measure not in MEASURES or min(granted, charged, *deltas, deltas[0] - deltas[1]) < 0:
        raise damaged("amount", sequence)
    amounts = (share_of(measure, granted), share_of(measure, charged))
    more = map(Delta, deltas)
    return Entry(sequence, time, kind, account, *amounts, digest, previous, seal, *more)


def verify_chain(entries: Iterable[Entry]) -> None:
    """Check that entries follow one another, are unaltered, and overspend nothing.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence).
    """
    previous, found = GENESIS, dict[str, Totals]()
    for sequence, entry in enumerate(entries, 1):
        if what := _alteration(entry, sequence, previous):
            raise damaged(what, sequence)
        before = found.get(entry.account, Totals.none(entry.measure))
        if before.measure != entry.measure:
            raise damaged("measure", sequence)
        after = add(before, entry)
        if after.overspent or not _fits_delta(entry, after):
            raise damaged("amount", sequence)
        found[entry.account], previous = after, entry.hash


def _fits_delta(entry: Entry, after: Totals) -> bool:
    """Whether some of a delta converts, all of it from the opening; none in pure epsilon."""
    *_rest, granted, kept, charged = entry.amounts
    if entry.measure == "epsilon":
        return not (granted or kept or charged)
    is_start = entry.kind in ("open-account", "reconcile")
    return after.delta.converts.atto > 0 and (is_start or granted == kept)


def _alteration(entry: Entry, sequence: int, previous: str) -> str:
    """What shows that an entry is not as it was written after the one before; empty if nothing."""
    if (entry.sequence, entry.previous) != (sequence, previous):
        return "order"
    return "" if entry.hash == entry_hash(entry) else "hash"


def add(sums: Totals, entry: Entry) -> Totals:
    """An account's sums after one more of its entries."""
    return sums + entry.sums


def sums_of(entries: Iterable[Entry], account: str) -> Totals:
    """An account's sums; of no entries, nothing in pure epsilon."""
    own = [entry for entry in entries if entry.account == account]
    measure = own[0].measure if own else "epsilon"
    return Totals(
        together(measure, (entry.granted for entry in own)),
        together(measure, (entry.charged for entry in own)),
        Delta(sum(entry.delta_granted.atto for entry in own)),
        Delta(sum(entry.delta_kept.atto for entry in own)),
        Delta(sum(entry.delta_charged.atto for entry in own)),
    )


def hashes_of(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(entry.hash for entry in entries)


def head_of(entries: tuple[Entry, ...]) -> str:
    """The hash that the next entry follows."""
    return entries[-1].hash if entries else GENESIS


def damaged(what: str, sequence: int = 0) -> Refused:
    """The refusal of a ledger that was altered or is broken; 0 represents the whole file."""
    return refuse("ledger-damaged", what=what, sequence=str(sequence))
