# SPDX-License-Identifier: Apache-2.0
"""Stored answers: the same question on the same extract has one answer, paid for once.

The index is keyed with the ledger's secret, so that no name of a file stands in it.
"""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from dataclasses import dataclass

from dpdesk.release.drawn import Drawn
from dpdesk.release.ledger.chain import damaged
from dpdesk.release.ledger.transaction import Transaction

SECRET_BYTES = 32


@dataclass(frozen=True)
class StoredAnswer:
    """An answer that was paid for before.

    Attributes:
        drawn_in: the entry in which its noise was drawn.
        drawn: what was drawn.
    """

    drawn_in: int
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


def _key(transaction: Transaction, account: str, extract: str, canonical: str) -> bytes:
    secret = secret_of(transaction.connection)
    return keyed(secret, "answer", account, extract, canonical)


def find_answer(
    transaction: Transaction, account: str, extract: str, canonical: str
) -> StoredAnswer | None:
    """The latest answer to a question, if it has one.

    Raises:
        Refused: ``ledger-damaged``.
    """
    query = "SELECT sequence, query FROM answer WHERE key = ? ORDER BY sequence DESC LIMIT 1"
    key = _key(transaction, account, extract, canonical)
    row = transaction.connection.execute(query, (key,)).fetchone()
    if row is None:
        return None
    sequence, query_id = row
    members = transaction.members(sequence)
    # Version 0.1 kept what was drawn beside the predicate.
    drawn = members["noisy"] if "noisy" in members else members["predicate"]["drawn"]
    found = drawn.get(query_id)
    if found is None:
        raise damaged("answer", sequence)
    return StoredAnswer(sequence, Drawn.of_members(found))


def store_answer(
    transaction: Transaction, account: str, extract: str, canonical: str, query_id: str
) -> None:
    """Remember that the transaction's last entry answers a question."""
    sequence = transaction.next_sequence - 1
    key = _key(transaction, account, extract, canonical)
    statement = "INSERT INTO answer (key, sequence, query) VALUES (?, ?, ?)"
    transaction.connection.execute(statement, (key, sequence, query_id))


@dataclass(frozen=True, repr=False)
class AnsweredQuestions:
    """Which questions have an answer already, as of one look at the ledger.

    Asking it opens nothing, so that a plan's price can follow a hand that drags.
    """

    secret: bytes
    keys: frozenset[bytes]

    def __repr__(self) -> str:
        return f"AnsweredQuestions({len(self.keys)})"

    def has(self, account: str, extract: str, canonical: str) -> bool:
        """Whether the question would be answered from the ledger, for free."""
        return keyed(self.secret, "answer", account, extract, canonical) in self.keys


def answered_questions(connection: sqlite3.Connection) -> AnsweredQuestions:
    """Take a look at which questions have an answer.

    Raises:
        Refused: ``ledger-damaged`` (what: ``secret``).
    """
    rows = connection.execute("SELECT DISTINCT key FROM answer")
    return AnsweredQuestions(secret_of(connection), frozenset(bytes(row[0]) for row in rows))
