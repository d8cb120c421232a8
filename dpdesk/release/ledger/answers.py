# SPDX-License-Identifier: Apache-2.0
"""Stored answers: the same question on the same extract has one answer, paid for once.

The index is keyed with the ledger's secret, so that no name of a file stands in it.
"""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field

from dpdesk.release.drawn import Drawn
from dpdesk.release.ledger.chain import damaged
from dpdesk.release.ledger.transaction import Transaction
from dpdesk.study.checks.extracts import plain_extract

SECRET_BYTES = 32
MOST_REMEMBERED = 1024


@dataclass(frozen=True)
class StoredAnswer:
    """An answer that was paid for before.

    Attributes:
        drawn_in: the entry in which its noise was drawn.
        drawn_at: that entry's minute.
        drawn: what was drawn.
    """

    drawn_in: int
    drawn_at: str
    drawn: Drawn


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
    """Where the uses of an extract stand."""
    return keyed(secret, "use", account, plain_extract(extract))


def _keys(secret: bytes, account: str, extract: str, canonical: str) -> tuple[bytes, ...]:
    """Where an answer may stand: under the extract's plain name, or as earlier versions put it.

    Those knew an extract by its exact text.
    """
    names = dict.fromkeys((plain_extract(extract), extract))
    return tuple(keyed(secret, "answer", account, name, canonical) for name in names)


def find_answer(
    transaction: Transaction, account: str, extract: str, canonical: str
) -> StoredAnswer | None:
    """The latest answer to a question, if it has one.

    Raises:
        Refused: ``ledger-damaged``.
    """
    keys = _keys(secret_of(transaction.connection), account, extract, canonical)
    query = "SELECT sequence, query FROM answer WHERE key IN (?, ?) ORDER BY sequence DESC LIMIT 1"
    row = transaction.connection.execute(query, (keys[0], keys[-1])).fetchone()
    if row is None:
        return None
    sequence, query_id = row
    queries = transaction.release(sequence).record.queries
    drawn = next((query.drawn for query in queries if query.id == query_id), None)
    if drawn is None:
        raise damaged("answer", sequence)
    return StoredAnswer(sequence, transaction.entries[sequence - 1].time, drawn)


def store_answer(
    transaction: Transaction, account: str, extract: str, canonical: str, query_id: str
) -> None:
    """Remember that the transaction's last entry answers a question."""
    sequence = transaction.next_sequence - 1
    key = _keys(secret_of(transaction.connection), account, extract, canonical)[0]
    statement = "INSERT INTO answer (key, sequence, query) VALUES (?, ?, ?)"
    transaction.connection.execute(statement, (key, sequence, query_id))


@dataclass(frozen=True)
class Paid:
    """The release that an answer was paid for in.

    Attributes:
        sequence: its entry.
        time: that entry's minute.
    """

    sequence: int
    time: str

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
    _hashed: dict[tuple[str, str, str], tuple[bytes, ...]] = field(
        default_factory=dict, init=False, compare=False
    )

    def __repr__(self) -> str:
        return f"AnsweredQuestions({len(self.keys)})"

    def find(self, account: str, extract: str, canonical: str) -> Paid | None:
        """The release that the question would be answered from, for free."""
        keys = self._keys_of(account, extract, canonical)
        found = (self.keys[key] for key in keys if key in self.keys)
        return max(found, key=lambda paid: paid.sequence, default=None)

    def _keys_of(self, account: str, extract: str, canonical: str) -> tuple[bytes, ...]:
        question = (account, extract, canonical)
        if question not in self._hashed:
            if len(self._hashed) >= MOST_REMEMBERED:
                self._hashed.clear()
            self._hashed[question] = _keys(self.secret, *question)
        return self._hashed[question]

    def is_used(self, account: str, extract: str) -> bool:
        """Whether something was drawn from the extract before."""
        return use_key(self.secret, account, extract) in self.extracts


def answered_questions(connection: sqlite3.Connection) -> AnsweredQuestions:
    """Take a look at which questions have an answer.

    Raises:
        Refused: ``ledger-damaged`` (what: ``secret``).
    """
    query = (
        "SELECT answer.key, entry.sequence, entry.time FROM answer "
        "JOIN entry ON entry.sequence = answer.sequence ORDER BY entry.sequence"
    )
    rows = connection.execute(query)
    keys = {bytes(key): Paid(sequence, time) for key, sequence, time in rows}
    used = connection.execute("SELECT DISTINCT extract FROM extract_use")
    extracts = frozenset(bytes(row[0]) for row in used)
    return AnsweredQuestions(secret_of(connection), keys, extracts)
