# SPDX-License-Identifier: Apache-2.0
"""Stored answers: the same question on the same extract has one answer, paid for once.

The index is keyed with the ledger's secret, so that no name of a file is in it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics import METHODS
from dpdesk.release.ledger.chain import Entry, damaged
from dpdesk.release.ledger.decisions.decided import RevokedRelease
from dpdesk.release.ledger.decisions.revoked import decided_on, revoked_releases
from dpdesk.release.ledger.transaction import Transaction, read_release
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.values import ReleasedDraw, ReleasedQuery, ReleaseRecord
from dpdesk.study.checks.extracts import plain_extract

SECRET_BYTES = 32
MOST_REMEMBERED = 1024


@dataclass(frozen=True)
class StoredAnswer:
    """An answer that was paid for before.

    Attributes:
        drawn_in: the entry in which its noise was drawn.
        drawn_at: that entry's minute.
        counted_by: see ``ReleasedQuery``.
    """

    drawn_in: int
    drawn_at: str
    drawn: Drawn
    counted_by: str = ""


def secret_of(connection: sqlite3.Connection) -> bytes:
    """The ledger's own key; it never leaves the file.

    Raises:
        Refused: ``ledger-damaged`` (what: ``secret``).
    """
    row = connection.execute("SELECT value FROM secret").fetchone()
    if row is None or not isinstance(row[0], bytes) or len(row[0]) != SECRET_BYTES:
        raise damaged("secret")
    return row[0]


def keyed(secret: bytes, *parts: str) -> bytes:
    """HMAC-SHA256 over parts, each with its length before it."""
    digest = hmac.new(secret, digestmod=hashlib.sha256)
    for part in parts:
        raw = part.encode("utf-8")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.digest()


def use_key(secret: bytes, account: str, extract: str) -> bytes:
    """The key of an extract's uses."""
    return keyed(secret, "use", account, plain_extract(extract))


def _answer_key(secret: bytes, account: str, extract: str, canonical: str) -> bytes:
    return keyed(secret, "answer", account, plain_extract(extract), canonical)


def find_answer(
    transaction: Transaction, account: str, extract: str, plan: QueryPlan
) -> StoredAnswer | None:
    """The latest answer to a query's question, if it has one.

    The index is no part of the chain: what it points to is shown only where the entry itself says
    that it was drawn for this question, of this account. Of which extract no entry says: its head
    goes into bundles, which depend on no name of a file. The extract's uses have to say it.

    Raises:
        Refused: ``ledger-damaged``.
    """
    key = _answer_key(secret_of(transaction.connection), account, extract, plan.canonical)
    latest = "SELECT sequence, query FROM answer WHERE key = ? ORDER BY sequence DESC LIMIT 1"
    row = transaction.connection.execute(latest, (key,)).fetchone()
    if row is None:
        return None
    sequence, query_id = row
    record = transaction.release(sequence).record
    query = next((query for query in record.queries if query.id == query_id), None)
    time = transaction.entries[sequence - 1].time
    if (
        query is None
        or record.account.name != account
        or not _is_of(record, query, plan)
        or not _is_drawn_from(transaction.connection, account, extract, time)
    ):
        raise damaged("answer", sequence)
    return StoredAnswer(sequence, time, query.drawn, query.counted_by)


def _is_drawn_from(connection: sqlite3.Connection, account: str, extract: str, time: str) -> bool:
    """Whether an extract was read in a minute: every draw notes it in its own transaction."""
    key = use_key(secret_of(connection), account, extract)
    query = "SELECT 1 FROM extract_use WHERE time = ? AND extract = ?"
    return connection.execute(query, (time, key)).fetchone() is not None


def _is_of(record: ReleaseRecord, query: ReleasedQuery, plan: QueryPlan) -> bool:
    """Whether a released query was drawn for a plan's question, in the plan's way."""
    study = record.study.study
    queries = study.queries if study is not None else ()
    released = next((q for q in queries if q.id == query.id), None)
    if study is None or study.unit is None or released is None:
        return False
    question = Question.of(study, study.unit, released)
    method = METHODS[released.statistic]
    is_same = _meaning(method.in_one_form(question).canonical()) == _meaning(plan.canonical)
    return is_same and list(map(_way, query.draws)) == list(map(_way, plan.parts))


def _meaning(canonical: str) -> dict[str, Any]:
    """What a canonical text asks, of whom and at which price; how the file is read no entry says.

    Unless it was declared by hand: what is recognised of a file may depend on its rows.
    """
    members: dict[str, Any] = json.JSONDecoder().raw_decode(canonical)[0]
    return {key: said for key, said in members.items() if key != "reading"}


def _way(draw: ReleasedDraw | Part) -> tuple[object, ...]:
    """How a draw is made; the last bit of its scale may be another one on another machine."""
    return (draw.name, replace(draw.noise, scale=1.0), draw.sensitivity, draw.share)


def drawn_elsewhere(connection: sqlite3.Connection, entries: tuple[Entry, ...]) -> Iterator[int]:
    """Entries that the index says to hold an answer which was not drawn in them, each once.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence), also of an entry that is no release.
    """
    found: dict[int, list[str]] = {}
    for sequence, query in connection.execute("SELECT sequence, query FROM answer").fetchall():
        found.setdefault(sequence, []).append(query)
    for sequence, queries in sorted(found.items()):
        record = read_release(connection, entries[sequence - 1]).record
        drawn = [query.id for query in record.queries if query.drawn_in == sequence]
        if len(set(queries)) < len(queries) or not set(queries) <= set(drawn):
            yield sequence


def store_answer(
    transaction: Transaction, account: str, extract: str, canonical: str, query_id: str
) -> None:
    """Remember that the transaction's last entry answers a question."""
    sequence = transaction.next_sequence - 1
    key = _answer_key(secret_of(transaction.connection), account, extract, canonical)
    statement = "INSERT INTO answer (key, sequence, query) VALUES (?, ?, ?)"
    transaction.connection.execute(statement, (key, sequence, query_id))


@dataclass(frozen=True)
class Paid:
    """The release that an answer was paid for in.

    Attributes:
        time: its entry's minute.
        number: which release of its account it is, the first being 1.
        revoked: that it was withdrawn or corrected since; ``None`` where it is.
    """

    sequence: int
    time: str
    number: int
    revoked: RevokedRelease | None = None

    @property
    def day(self) -> str:
        """The day of the release, in ISO form."""
        return self.time[:10]


@dataclass(frozen=True, repr=False)
class AnsweredQuestions:
    """Which questions have an answer already, as of one look at the ledger.

    Asking it opens nothing, so that a plan's price can follow a hand that drags; a question that
    was asked before is not hashed again.
    """

    secret: bytes
    keys: Mapping[bytes, Paid]
    extracts: frozenset[bytes] = frozenset()
    _hashed: dict[tuple[str, str, str], bytes] = field(
        default_factory=dict, init=False, compare=False
    )

    def __repr__(self) -> str:
        return f"AnsweredQuestions({len(self.keys)})"

    def find(self, account: str, extract: str, canonical: str) -> Paid | None:
        """The release that the question would be answered from, for free."""
        return self.keys.get(self._key_of(account, extract, canonical))

    def _key_of(self, account: str, extract: str, canonical: str) -> bytes:
        question = (account, extract, canonical)
        if question not in self._hashed:
            if len(self._hashed) >= MOST_REMEMBERED:
                self._hashed.clear()
            self._hashed[question] = _answer_key(self.secret, *question)
        return self._hashed[question]

    def is_used(self, account: str, extract: str) -> bool:
        """Whether something was drawn from the extract before."""
        return use_key(self.secret, account, extract) in self.extracts


def answered_questions(
    connection: sqlite3.Connection, entries: tuple[Entry, ...]
) -> AnsweredQuestions:
    """Take a look at which questions have an answer.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence) or ``entry-too-new`` (sequence).
    """
    query = (
        "SELECT answer.key, answer.query, release.sequence, release.time, release.number "
        "FROM answer JOIN ("
        "SELECT sequence, time, row_number() OVER (PARTITION BY account ORDER BY sequence) "
        "AS number FROM entry WHERE kind = 'release'"
        ") AS release ON release.sequence = answer.sequence ORDER BY release.sequence"
    )
    rows = connection.execute(query)
    revoked = _RevokedTables(connection, entries)
    keys = {
        bytes(key): Paid(sequence, time, number, revoked.of(sequence, query_id))
        for key, query_id, sequence, time, number in rows
    }
    used = connection.execute("SELECT DISTINCT extract FROM extract_use")
    extracts = frozenset(bytes(row[0]) for row in used)
    return AnsweredQuestions(secret_of(connection), keys, extracts)


class _RevokedTables:
    """Which answers are for a table that was withdrawn or corrected since."""

    def __init__(self, connection: sqlite3.Connection, entries: tuple[Entry, ...]) -> None:
        self._connection, self._entries = connection, entries
        self._revoked = revoked_releases(connection, entries)
        self._tables: dict[int, dict[str, str]] = {}

    def of(self, sequence: int, query_id: str) -> RevokedRelease | None:
        """The last decision on a query's table; a release is read where only some are meant."""
        decisions = self._revoked.get(sequence, ())
        if all(not one.tables for one in decisions):
            return decisions[-1] if decisions else None
        if sequence not in self._tables:
            record = read_release(self._connection, self._entries[sequence - 1]).record
            self._tables[sequence] = {query.id: query.name for query in record.queries}
        return decided_on(decisions, self._tables[sequence].get(query_id, ""))
