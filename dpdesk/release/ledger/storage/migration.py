# SPDX-License-Identifier: Apache-2.0
"""Bringing a ledger of version 1, in pure epsilon alone, up to the present schema.

Its entries keep their hashes: they are all in pure epsilon and without a delta, which the present
hash covers in the same way. Each is put back under the present rules, which therefore judge the
whole past once more; what they refuse was never a ledger, and stays as it was.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from dpdesk.release.ledger.chain import FIELDS, damaged, read_chain
from dpdesk.release.ledger.storage import schema

VERSION_1 = 1

_ENTRY_1 = """
CREATE TABLE entry (
  sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
  time TEXT NOT NULL CHECK (
    time GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]Z'),
  kind TEXT NOT NULL,
  account TEXT NOT NULL CHECK (
    length(account) BETWEEN 1 AND 40 AND account NOT GLOB '*[^a-z0-9-]*'),
  granted INTEGER NOT NULL CHECK (granted BETWEEN 0 AND 1000000000000),
  charged INTEGER NOT NULL CHECK (charged BETWEEN 0 AND 1000000000000),
  payload_sha256 TEXT NOT NULL CHECK (
    length(payload_sha256) = 64 AND payload_sha256 NOT GLOB '*[^0-9a-f]*'),
  previous TEXT NOT NULL CHECK (length(previous) = 64 AND previous NOT GLOB '*[^0-9a-f]*'),
  hash TEXT NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  payload TEXT NOT NULL,
  CHECK (
    CASE kind
      WHEN 'open-account' THEN granted > 0 AND charged = 0
      WHEN 'raise' THEN granted > 0 AND charged = 0
      WHEN 'release' THEN granted = 0
      WHEN 'decision' THEN granted = 0 AND charged = 0
      WHEN 'reconcile' THEN 1
      ELSE 0
    END)
) STRICT
""".strip()

_BY_ACCOUNT_1 = "CREATE INDEX entry_by_account ON entry (account, charged, granted)"

VERSION_2 = 2
VERSION_3 = 3
"""It has the present tables; only a program that knows no locks may open it."""

STATEMENTS_2 = frozenset(set(schema.STATEMENTS) - set(schema.EXTRACT_USES))
"""Everything that the schema of version 2 consisted of."""

_ADDED = {schema.ENTRY, schema.BY_ACCOUNT, schema.ENTRY_MEASURE, schema.ENTRY_PAYS_DELTA}
STATEMENTS_1 = frozenset(set(STATEMENTS_2) - _ADDED | {_ENTRY_1, _BY_ACCOUNT_1})
"""Everything that the schema of version 1 consisted of, as SQLite stores it."""

_AS_NOW = (
    "SELECT sequence, time, kind, account, 'epsilon', granted, charged, 0, 0, "
    "payload_sha256, previous, hash, payload FROM entry ORDER BY sequence"
)
_INSERT = f"INSERT INTO entry ({FIELDS}, payload) VALUES ({', '.join('?' * 13)})"  # noqa: S608 - names of our own


def add_tables(connection: sqlite3.Connection) -> None:
    """Add to a ledger of version 2 what it lacks; nothing that it holds is touched.

    The caller holds the write lock and ends the transaction.
    """
    for statement in schema.EXTRACT_USES:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version={schema.VERSION}")


def migrate(connection: sqlite3.Connection) -> None:
    """Rewrite the entries' table; the caller holds the write lock and ends the transaction.

    Foreign keys are off meanwhile.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence), and the ledger is as it was.
    """
    rows = connection.execute(_AS_NOW).fetchall()
    connection.execute("DROP TABLE entry")
    for statement in schema.STATEMENTS:
        if statement not in _statements_left(connection):
            connection.execute(statement)
    _put_back(connection, rows)
    read_chain(connection)
    if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise damaged("answer")
    connection.execute(f"PRAGMA user_version={schema.VERSION}")


def _statements_left(connection: sqlite3.Connection) -> set[str]:
    return {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema")}


def _put_back(connection: sqlite3.Connection, rows: list[tuple[Any, ...]]) -> None:
    for sequence, row in enumerate(rows, 1):
        try:
            connection.execute(_INSERT, row)
        except sqlite3.IntegrityError:
            raise damaged("order", sequence) from None
