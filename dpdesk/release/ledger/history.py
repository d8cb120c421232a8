# SPDX-License-Identifier: Apache-2.0
"""The ledger as people read it: what happened, when, and what it cost."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from dpdesk.release.ledger.chain import Entry, read_legible
from dpdesk.release.ledger.decisions.values import (
    BegunSeries,
    Decision,
    DrawnInstalment,
    EndedSeries,
    MovedAway,
    RevokedRelease,
)
from dpdesk.release.ledger.payloads import (
    LostSecondRecord,
    OpenedAccount,
    Payload,
    RestoredLedger,
    parse_payload,
)
from dpdesk.release.ledger.transaction import read_payload_text
from dpdesk.release.record.totals import share_of
from dpdesk.release.record.values import StoredRelease
from dpdesk.study.model.amount import Share
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.problem import Problem, Refused

_MOST_TOLD = 10_000
_told: dict[Entry, HistoryEntry] = {}
"""What whole entries say. An entry holds the digest of its payload, which is checked each time: the
same entry says the same, and a release of 35,000 figures takes a tenth of a second to parse."""


@dataclass(frozen=True)
class HistoryQuery:
    """One query of a release.

    Attributes:
        id: its id in the study.
        title: what it was called.
        statistic: what was asked.
        charged: what it cost; nothing where a stored answer was returned.
    """

    id: str
    title: str
    statistic: Statistic
    charged: Share


@dataclass(frozen=True)
class HistoryEntry:
    """One entry with what its payload tells.

    Attributes:
        entry: the entry.
        title: the released study's title; empty for other kinds.
        queries: what was released.
        reason: the custodian's reason or note; may be empty.
        second_record: what was wrong with the ledger's second record; empty in other entries.
        restored: whether the ledger was restored from a backup.
        decision: the word of a decision; empty where people were declared to be others.
        locked: whether the account is locked from here on.
        concerned: the entry that a decision is about; 0 where it is about none.
        signer: whom a decision on who signs names; empty where nobody has to sign any more.
        detail: of a series its name, rhythm, first month and number of instalments; of an
            instalment its number.
        reserved: what a series reserves when it begins; nothing in other entries.
        damage: what shows that the entry was altered; nothing is told of its payload then.
        released_by: who released, where several share the ledger.
    """

    entry: Entry
    title: str
    queries: tuple[HistoryQuery, ...]
    reason: str
    second_record: str = ""
    restored: bool = False
    damage: tuple[Problem, ...] = ()
    decision: str = ""
    locked: bool = False
    concerned: int = 0
    signer: str = ""
    detail: tuple[str, ...] = ()
    reserved: Share | None = None
    released_by: str = ""


def release_numbers(entries: Iterable[Entry]) -> dict[int, int]:
    """Which release of its account each is, the first being 1, by its place; damaged ones count.

    Args:
        entries: every entry of the accounts concerned, oldest first.
    """
    seen: Counter[str] = Counter()
    numbers: dict[int, int] = {}
    for entry in entries:
        if entry.kind == "release":
            seen[entry.account] += 1
            numbers[entry.sequence] = seen[entry.account]
    return numbers


def read_history(connection: sqlite3.Connection, account: str | None) -> Iterator[HistoryEntry]:
    """Entries with what their payloads tell; a damaged one hides no other."""
    for entry, problems in read_legible(connection):
        if account in (None, entry.account):
            yield read_entry(connection, entry, problems)


def read_entry(
    connection: sqlite3.Connection, entry: Entry, problems: tuple[Problem, ...]
) -> HistoryEntry:
    """One entry with what its payload tells, or what is wrong with it."""
    try:
        told = _tell(entry, read_payload_text(connection, entry))
    except Refused as refused:
        problems = problems or refused.problems
    if problems:
        return HistoryEntry(entry, "", (), "", damage=problems)
    return told


def know(entry: Entry, payload: Payload) -> HistoryEntry:
    """Keep what a whole entry says; of one that was just written, nothing need be parsed."""
    known = _history_entry(entry, payload)
    if len(_told) >= _MOST_TOLD:
        _told.clear()
    _told[entry] = known
    return known


def _tell(entry: Entry, payload: str) -> HistoryEntry:
    """What an entry says, parsed once in the life of a program."""
    known = _told.get(entry)
    return know(entry, parse_payload(entry, payload)) if known is None else known


def _history_entry(entry: Entry, payload: Payload) -> HistoryEntry:
    if isinstance(payload, OpenedAccount):
        return HistoryEntry(entry, "", (), payload.note)
    if isinstance(payload, LostSecondRecord):
        return HistoryEntry(entry, "", (), "", payload.state)
    if isinstance(payload, RestoredLedger):
        return HistoryEntry(entry, "", (), "", restored=True, locked=True)
    if not isinstance(payload, StoredRelease):
        decision = payload.WORD if isinstance(payload, Decision) else ""
        locked = getattr(payload, "locked", False) or isinstance(payload, MovedAway)
        said = (payload.reason, "", False, (), decision, locked, _concerned(payload))
        signer = getattr(payload, "signer", "")
        detail, held = _of_series(payload)
        found = HistoryEntry(entry, "", (), *said)
        return replace(found, signer=signer, detail=detail, reserved=held)
    record = payload.record
    queries = tuple(HistoryQuery(q.id, q.title, q.statistic, q.charged) for q in record.queries)
    found = HistoryEntry(entry, record.study.title, queries, "")
    return replace(found, released_by=payload.released_by)


def _concerned(payload: Payload) -> int:
    """The entry that a decision is about."""
    if isinstance(payload, RevokedRelease):
        return payload.sequence
    return payload.series if isinstance(payload, (DrawnInstalment, EndedSeries)) else 0


def _of_series(payload: Payload) -> tuple[tuple[str, ...], Share | None]:
    """What the entry of a series says, and what it reserves."""
    if isinstance(payload, DrawnInstalment):
        return (str(payload.number),), None
    if not isinstance(payload, BegunSeries):
        return (), None
    one = payload.instalment
    detail = (payload.name, payload.every, payload.first, str(payload.count))
    return detail, share_of(one.measure, one.units * payload.count)
