# SPDX-License-Identifier: Apache-2.0
"""The ledger as people read it: what happened, when, and what it cost."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from dpdesk.catalogue import Catalogue, spoken
from dpdesk.release.ledger.chain import Entry, read_legible
from dpdesk.release.ledger.decisions.entry_payload import EntryPayload
from dpdesk.release.ledger.payloads import (
    FailedRelease,
    ImportedCharges,
    Payload,
    parse_payload,
)
from dpdesk.release.ledger.transaction import Transaction, read_payload_text
from dpdesk.release.record.amounts import neighbours_problem
from dpdesk.release.record.values import StoredRelease
from dpdesk.study.model.amount import Share
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.problem import Problem, Refused
from dpdesk.study.text.sentence_language import localised

_MOST_PARSED = 10_000
_parsed: dict[Entry, HistoryEntry] = {}
"""What whole entries say. An entry holds the digest of its payload, which is checked each time: the
same entry says the same, and a release of 35,000 figures takes a tenth of a second to parse."""


_OF_NEIGHBOURS = {StoredRelease.KIND, FailedRelease.KIND, ImportedCharges.KIND}


@dataclass(frozen=True)
class HistoryQuery:
    """One query of a release.

    Attributes:
        charged: what it cost; nothing where a stored answer was returned.
    """

    id: str
    title: str
    statistic: Statistic
    charged: Share


@dataclass(frozen=True)
class HistoryEntry:
    """One entry with what its payload states.

    Attributes:
        title: the released study's title; empty for other kinds.
        queries: what was released.
        payload: what it says; ``None`` of a release, and where it is damaged.
        damage: what shows that the entry was altered.
        neighbours: of which kind of neighbours its cost is the loss; empty of other kinds.
        released_by: who released, where several share the ledger.
    """

    entry: Entry
    title: str = ""
    queries: tuple[HistoryQuery, ...] = ()
    payload: EntryPayload | None = None
    damage: tuple[Problem, ...] = ()
    released_by: str = ""
    neighbours: str = ""

    @property
    def reason(self) -> str:
        """The custodian's reason or note; may be empty."""
        return str(getattr(self.payload, "reason", ""))

    @property
    def concerned(self) -> int:
        """The entry that a decision is about; 0 where it is about none."""
        return self.payload.concerned if self.payload is not None else 0

    @property
    def word(self) -> str:
        """Which of its kind it is; empty where the kind has one."""
        return self.payload.WORD if self.payload is not None else ""


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
    """Entries with what their payloads state; a damaged one hides no other."""
    for entry, problems in read_legible(connection):
        if account in (None, entry.account):
            yield read_entry(connection, entry, problems)


def read_entry(
    connection: sqlite3.Connection, entry: Entry, problems: tuple[Problem, ...]
) -> HistoryEntry:
    """One entry with what its payload states, or what is wrong with it."""
    try:
        known = _parsed_once(entry, read_payload_text(connection, entry))
    except Refused as refused:
        problems = problems or refused.problems
    if problems:
        return HistoryEntry(entry, damage=problems)
    return known


def know(entry: Entry, payload: Payload) -> HistoryEntry:
    """Keep what a whole entry says; of one that was just written, nothing need be parsed."""
    known = _history_entry(entry, payload)
    if len(_parsed) >= _MOST_PARSED:
        _parsed.clear()
    _parsed[entry] = known
    return known


def _parsed_once(entry: Entry, payload: str) -> HistoryEntry:
    """What an entry says, parsed once in the life of a program."""
    known = _parsed.get(entry)
    return know(entry, parse_payload(entry, payload)) if known is None else known


def _history_entry(entry: Entry, payload: Payload) -> HistoryEntry:
    if isinstance(payload, EntryPayload):
        return HistoryEntry(entry, payload=payload, neighbours=getattr(payload, "neighbours", ""))
    record = payload.record
    queries = tuple(HistoryQuery(q.id, q.title, q.statistic, q.charged) for q in record.queries)
    return HistoryEntry(
        *(entry, record.study.title, queries),
        released_by=payload.released_by,
        neighbours=record.claim.neighbours,
    )


def neighbours_of(connection: sqlite3.Connection, entries: Sequence[Entry], account: str) -> str:
    """Of which kind of neighbours an account's losses are; empty before its first release.

    Claim: what an account has charged bounds the loss of all its releases together, because each
    charge is a loss between neighbours of one kind. Losses of the two kinds do not add up: to
    replace a person is to remove one and add another, so a release that loses epsilon where a
    person is added or removed can lose twice that where one is replaced.

    Charges that an older copy of the ledger had lost name a kind where bundles state them.

    Raises:
        Refused: ``ledger-damaged`` or ``entry-too-new``.
    """
    own = (entry for entry in reversed(entries) if entry.account == account)
    kinds = (
        _parsed_once(entry, read_payload_text(connection, entry)).neighbours
        for entry in own
        if entry.kind in _OF_NEIGHBOURS
    )
    return next(filter(None, kinds), "")


def refuse_other_neighbours(transaction: Transaction, account: str, neighbours: str) -> None:
    """Refuse losses of another kind than those of an account; see :func:`neighbours_of`.

    Raises:
        Refused: ``account-people-secret`` or ``account-people-public`` (param name).
    """
    held = neighbours_of(transaction.connection, transaction.entries, account)
    if problem := neighbours_problem(account, held, neighbours):
        raise Refused([problem])


def entry_about(
    history: HistoryEntry, numbers: Mapping[int, int], catalogue: Catalogue | None = None
) -> str:
    """What an entry is about, as shell, window and export say it: a title, or a decision and why.

    Args:
        history: the entry.
        numbers: which release of its account each is, by its entry; see ``release_numbers``.
        catalogue: of the language; without it that of the commands, or of the window.
    """
    catalogue = catalogue or spoken()
    if history.damage:
        return catalogue.say("This entry is damaged")
    said, title = "", history.title
    if history.payload is None:
        title = title or catalogue.say("Untitled study")
    else:
        said = _sentence(history.payload, numbers, catalogue)
    about = " ".join(filter(None, (said, title or history.reason)))
    if history.released_by:
        return catalogue.say("{title}, by {name}", title=about, name=history.released_by)
    return about


def _sentence(payload: EntryPayload, numbers: Mapping[int, int], catalogue: Catalogue) -> str:
    """What is said before the reason; that the account is locked, where the sentence does not."""
    concerned = payload.concerned
    about = {"entry": concerned, "release": numbers.get(concerned, concerned)}
    template = catalogue.say_word("", payload.sentence)
    said = template.format(**localised({**payload.facts(), **about}, catalogue))
    return " ".join(filter(None, (said, catalogue.say("(locked)") if payload.locks else "")))
