# SPDX-License-Identifier: Apache-2.0
"""The ledger's tables, and the rules that SQLite itself keeps anyone who writes.

``entry`` is the chain: rows follow one another, are never changed, and never spend more than an
account was granted, in the one measure that the account has. Of an account's delta the part that
is kept for it can be charged, and the other one, which converts its rho, is set as it is opened and
never grows (see ``privacy/accounting/conversion``). ``answer``
finds a stored answer again, ``sketch`` recognises data, ``extract_use`` remembers when an extract
was read and what its file's bytes were; all are keyed with ``secret``, which never leaves the file,
and hold no name of any file.
"""

from __future__ import annotations

from dpdesk.study.model.amount import MAX_DELTA_ATTO

APPLICATION_ID = 0x64706C67
"""``dplg``, in the file's header."""

VERSION = 1
"""Of the tables and of what entries may say."""

GENESIS = "0" * 64
"""What the first entry follows."""

MAX_UNITS = 10**13
"""No entry grants or charges more, in any measure; sums stay far inside 64 bits."""

OLDEST_SQLITE = (3, 37, 0)
"""The first with STRICT tables."""

KINDS = ("open-account", "raise", "release", "failed-release", "decision", "reconcile")

# The payload comes last: the chain is read without passing over it.
_ENTRY = """
CREATE TABLE entry (
  sequence INTEGER PRIMARY KEY CHECK (sequence >= 1),
  time TEXT NOT NULL CHECK (
    time GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]Z'),
  kind TEXT NOT NULL,
  account TEXT NOT NULL CHECK (
    length(account) BETWEEN 1 AND 40 AND account NOT GLOB '*[^a-z0-9-]*'),
  measure TEXT NOT NULL CHECK (measure IN ('epsilon', 'rho')),
  granted INTEGER NOT NULL CHECK (granted BETWEEN 0 AND 10000000000000),
  charged INTEGER NOT NULL CHECK (charged BETWEEN 0 AND 10000000000000),
  delta_granted INTEGER NOT NULL CHECK (delta_granted BETWEEN 0 AND 10000000000000),
  delta_kept INTEGER NOT NULL CHECK (delta_kept BETWEEN 0 AND delta_granted),
  delta_charged INTEGER NOT NULL CHECK (delta_charged BETWEEN 0 AND 10000000000000),
  payload_sha256 TEXT NOT NULL CHECK (
    length(payload_sha256) = 64 AND payload_sha256 NOT GLOB '*[^0-9a-f]*'),
  previous TEXT NOT NULL CHECK (length(previous) = 64 AND previous NOT GLOB '*[^0-9a-f]*'),
  hash TEXT NOT NULL CHECK (length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*'),
  payload TEXT NOT NULL,
  CHECK (
    CASE kind
      WHEN 'open-account' THEN granted > 0 AND charged = 0 AND delta_charged = 0
      WHEN 'raise' THEN granted + delta_kept > 0 AND charged = 0
        AND delta_granted = delta_kept AND delta_charged = 0
      WHEN 'release' THEN granted = 0 AND delta_granted = 0
      WHEN 'failed-release' THEN granted = 0 AND delta_granted = 0
      WHEN 'decision' THEN
        granted = 0 AND charged = 0 AND delta_granted = 0 AND delta_charged = 0
      WHEN 'reconcile' THEN 1
      ELSE 0
    END),
  CHECK (
    CASE measure
      WHEN 'epsilon' THEN delta_granted = 0 AND delta_charged = 0
      ELSE kind <> 'open-account' OR delta_granted > delta_kept
    END)
) STRICT
""".strip()

_ANSWER = """
CREATE TABLE answer (
  key BLOB NOT NULL CHECK (length(key) = 32),
  sequence INTEGER NOT NULL REFERENCES entry (sequence),
  query TEXT NOT NULL,
  PRIMARY KEY (key, sequence)
) STRICT, WITHOUT ROWID
"""

_SKETCH = """
CREATE TABLE sketch (
  number INTEGER PRIMARY KEY,
  account TEXT NOT NULL,
  extract BLOB NOT NULL CHECK (length(extract) = 32),
  content BLOB NOT NULL
) STRICT
"""

# Outside the chain, as the sketches are: what it holds depends on the data.
_EXTRACT_USE = """
CREATE TABLE extract_use (
  number INTEGER PRIMARY KEY,
  extract BLOB NOT NULL CHECK (length(extract) = 32),
  time TEXT NOT NULL CHECK (
    time GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]Z'),
  digest BLOB NOT NULL CHECK (length(digest) IN (0, 32))
) STRICT
""".strip()

_OWN_KEY = """
CREATE TABLE secret (
  number INTEGER PRIMARY KEY CHECK (number = 1),
  value BLOB NOT NULL CHECK (length(value) = 32)
) STRICT
"""

# REPLACE would delete a row without asking the delete trigger: no insert may meet an older row.
_ENTRY_FOLLOWS = """
CREATE TRIGGER entry_follows BEFORE INSERT ON entry
WHEN NEW.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM entry)
  OR NEW.previous IS NOT coalesce(
    (SELECT hash FROM entry ORDER BY sequence DESC LIMIT 1), '<genesis>')
  OR EXISTS (SELECT 1 FROM entry WHERE hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'an entry follows the last one'); END
""".replace("<genesis>", GENESIS)

_ENTRY_ACCOUNT = """
CREATE TRIGGER entry_account BEFORE INSERT ON entry
WHEN NEW.kind <> 'reconcile'
  AND (NEW.kind = 'open-account') = EXISTS (SELECT 1 FROM entry WHERE account = NEW.account)
BEGIN SELECT RAISE(ABORT, 'an account is opened once and before it is used'); END
"""

_ENTRY_MEASURE = """
CREATE TRIGGER entry_measure BEFORE INSERT ON entry
WHEN EXISTS (SELECT 1 FROM entry WHERE account = NEW.account AND measure <> NEW.measure)
BEGIN SELECT RAISE(ABORT, 'an account has one measure'); END
""".strip()

_ENTRY_PAYS = """
CREATE TRIGGER entry_pays BEFORE INSERT ON entry
WHEN NEW.charged + (SELECT coalesce(sum(charged), 0) FROM entry WHERE account = NEW.account)
  > NEW.granted + (SELECT coalesce(sum(granted), 0) FROM entry WHERE account = NEW.account)
BEGIN SELECT RAISE(ABORT, 'an account never spends more than its total'); END
"""

_ENTRY_PAYS_DELTA = """
CREATE TRIGGER entry_pays_delta BEFORE INSERT ON entry
WHEN NEW.delta_charged
    + (SELECT coalesce(sum(delta_charged), 0) FROM entry WHERE account = NEW.account)
  > NEW.delta_kept + (SELECT coalesce(sum(delta_kept), 0) FROM entry WHERE account = NEW.account)
BEGIN SELECT RAISE(ABORT, 'an account never spends more of its delta than is kept for it'); END
""".strip()

# Lost entries are made good for whatever they come to; a person grants no more than this.
_ENTRY_DELTA_LIMIT = """
CREATE TRIGGER entry_delta_limit BEFORE INSERT ON entry
WHEN NEW.kind <> 'reconcile' AND NEW.delta_granted > 0 AND NEW.delta_granted
    + (SELECT coalesce(sum(delta_granted), 0) FROM entry WHERE account = NEW.account)
  > <most>
BEGIN SELECT RAISE(ABORT, 'an account never has a larger delta than one in a million'); END
""".strip().replace("<most>", str(MAX_DELTA_ATTO))

_BY_ACCOUNT = """
CREATE INDEX entry_by_account ON entry
  (account, measure, charged, granted, delta_charged, delta_granted, delta_kept)
""".strip()
_BY_HASH = "CREATE INDEX entry_by_hash ON entry (hash)"

_ANSWER_NEW = """
CREATE TRIGGER answer_new BEFORE INSERT ON answer
WHEN EXISTS (SELECT 1 FROM answer WHERE key = NEW.key AND sequence = NEW.sequence)
BEGIN SELECT RAISE(ABORT, 'rows are added, never changed'); END
"""

_OWN_KEY_NEW = """
CREATE TRIGGER secret_new BEFORE INSERT ON secret
WHEN EXISTS (SELECT 1 FROM secret)
BEGIN SELECT RAISE(ABORT, 'rows are added, never changed'); END
"""

_SKETCH_NEW = """
CREATE TRIGGER sketch_new BEFORE INSERT ON sketch
WHEN NEW.number IN (SELECT number FROM sketch)
BEGIN SELECT RAISE(ABORT, 'rows are added, never changed'); END
"""

_EXTRACT_USE_NEW = """
CREATE TRIGGER extract_use_new BEFORE INSERT ON extract_use
WHEN NEW.number IN (SELECT number FROM extract_use)
BEGIN SELECT RAISE(ABORT, 'rows are added, never changed'); END
""".strip()


def _stays(table: str, verb: str) -> str:
    return (
        f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table}\n"
        "BEGIN SELECT RAISE(ABORT, 'rows are added, never changed'); END"
    )


TABLES = ("entry", "answer", "sketch", "secret", "extract_use")

STATEMENTS = tuple(
    text.strip()
    for text in (
        *(_ENTRY, _ANSWER, _SKETCH, _OWN_KEY, _BY_ACCOUNT, _BY_HASH),
        *(_ENTRY_FOLLOWS, _ENTRY_ACCOUNT, _ENTRY_MEASURE, _ENTRY_PAYS, _ENTRY_PAYS_DELTA),
        _ENTRY_DELTA_LIMIT,
        *(_ANSWER_NEW, _SKETCH_NEW, _OWN_KEY_NEW, _EXTRACT_USE, _EXTRACT_USE_NEW),
        *(_stays(table, verb) for table in TABLES for verb in ("update", "delete")),
    )
)
"""Everything that a ledger's schema consists of, as SQLite stores it."""
