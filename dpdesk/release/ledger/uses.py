# SPDX-License-Identifier: Apache-2.0
"""When an extract was read before, and whether its file's bytes are still what they were.

An extract's name is only what the custodian says. So anyone who uses one again is asked whether
this is the same file; a keyed digest of the bytes that were read helps them to answer. The answer
is theirs: a file that was saved again has other bytes and the same patients.

Names and bytes are kept here keyed with the ledger's secret, outside the chain, since the bytes
depend on the data; nothing of them is exported and no later step depends on them.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Literal

from dpdesk.release.ledger.answers import keyed, secret_of, use_key
from dpdesk.release.ledger.transaction import Transaction

Bytes = Literal["same", "differ", "unknown"]
UNKNOWN = b""
"""The digest of a file that could not be digested, or changed meanwhile."""


@dataclass(frozen=True)
class EarlierUse:
    """An earlier use of an extract, as far as it is known.

    Attributes:
        time: the ledger's minute of the use.
        bytes: whether the file's bytes are those of then.
    """

    time: str
    bytes: Bytes = "unknown"

    @property
    def day(self) -> str:
        return self.time[:10]


@dataclass(frozen=True)
class _Use:
    time: str
    digest: bytes


def digest_key(connection: sqlite3.Connection) -> bytes:
    """The key of all digests of this ledger; handed to the digesting alone."""
    return keyed(secret_of(connection), "bytes")


def _key(connection: sqlite3.Connection, account: str, extract: str) -> bytes:
    return use_key(secret_of(connection), account, extract)


def note_use(transaction: Transaction, account: str, extract: str, digest: bytes) -> None:
    """Remember that an extract is read, in the transaction that draws from it."""
    row = (_key(transaction.connection, account, extract), transaction.time, digest)
    statement = "INSERT INTO extract_use (extract, time, digest) VALUES (?, ?, ?)"
    transaction.connection.execute(statement, row)


def was_read(transaction: Transaction, digest: bytes) -> bool:
    """Whether something of this digest was read before, for whatever extract."""
    query = "SELECT 1 FROM extract_use WHERE digest = ?"
    return transaction.connection.execute(query, (digest,)).fetchone() is not None


def earlier_use(
    transaction: Transaction, account: str, extract: str, digest: bytes = UNKNOWN
) -> EarlierUse | None:
    """The use that a file is to be held against; ``None`` where an extract is used first.

    Bytes that differ from any use's are reported before bytes that are the same as another's: the
    stored answers may be of either.

    Args:
        digest: of the file as it is there now.
    """
    uses = _uses(transaction.connection, account, extract)
    unknown = [use for use in uses if UNKNOWN in (use.digest, digest)]
    differ = [use for use in uses if use not in unknown and use.digest != digest]
    for found, verdict in ((differ, "differ"), (unknown, "unknown"), (uses, "same")):
        if found:
            return EarlierUse(max(use.time for use in found), verdict)  # type: ignore[arg-type]
    return None


def _uses(connection: sqlite3.Connection, account: str, extract: str) -> list[_Use]:
    query = "SELECT time, digest FROM extract_use WHERE extract = ? ORDER BY number"
    rows = connection.execute(query, (_key(connection, account, extract),))
    return [_Use(time, bytes(digest)) for time, digest in rows]
