# SPDX-License-Identifier: Apache-2.0
"""Restoring a ledger from a backup, so that no spent budget ever comes back.

A backup may fill a home that has no entries, or continue a ledger that is an older state of the
same chain. Whatever the home knows and the backup lacks, in its ledger or in its second record,
was spent: the backup is refused then.

What another machine spent after the backup was made is unknown here. So every account says by an
entry that it was restored, is locked until a person opens it with a reason, and its bundles state
``rollback_suspected`` from then on. A ledger that was closed to be moved here (``move.py``) cannot
have spent anything since: its accounts arrive, and only the lock of the move is lifted.

Rows are added to the home's own file in one transaction, under SQLite's rules and lock: a program
that waits for the ledger goes on with the restored one, and a crash leaves the old or the new.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from dpdesk.release.backup.archive import KEY_FILES, Backup, read_backup
from dpdesk.release.backup.move import expected_code, is_closed_for
from dpdesk.release.ledger.chain import read_chain
from dpdesk.release.ledger.decisions.decided import Arrived
from dpdesk.release.ledger.heads import read_heads, write_heads
from dpdesk.release.ledger.ledger_report import content_problems
from dpdesk.release.ledger.payloads import RestoredLedger
from dpdesk.release.ledger.reconcile import unreconciled
from dpdesk.release.ledger.storage.clock import Clock, minute, utc_now
from dpdesk.release.ledger.storage.connection import connected, immediate, verify_schema
from dpdesk.release.ledger.transaction import Transaction
from dpdesk.release.ledger.view import View
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import PRIVATE_NAME, PUBLIC_NAME
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

MAX_KEY_BYTES = 100_000
_KEYED_TABLES = {"entry": "sequence", "sketch": "number", "extract_use": "number"}


def restore_backup(home: Home, path: Path, now: Clock = utc_now) -> tuple[str, ...]:
    """Make a backup the home's ledger, with its key where the home has none.

    Returns:
        The accounts that were restored.

    Raises:
        Refused: ``backup-unreadable``, ``backup-damaged`` (param name), ``backup-empty``,
            ``backup-other-ledger``, ``backup-behind`` (param accounts), ``backup-not-newer``,
            ``key-unwritable``, and those of opening a ledger.
    """
    with read_backup(path) as backup:
        if not backup.entries:
            raise refuse("backup-empty")
        home.make()
        with connected(home.ledger) as connection:
            with immediate(connection):
                _refuse_loss(connection, home, backup)
                _take_over(connection, backup)
                accounts = _enter_restoration(connection, home, backup, now)
                if any(content_problems(connection)):
                    raise refuse("backup-damaged", name=path.name)
                # Before the commit: a backup that was restored is never restored again.
                _put_key(home.keys, backup)
                _give_up_secret(home)
            _remember(connection, home)
    return accounts


def _give_up_secret(home: Home) -> None:
    """Before the commit: a secret that outlived it could let another copy arrive."""
    try:
        home.arrival.unlink(missing_ok=True)
    except OSError:
        raise refuse("home-unwritable", name=str(home.root)) from None


def _refuse_loss(connection: sqlite3.Connection, home: Home, backup: Backup) -> None:
    """Refuse a backup that lacks anything that this home knows."""
    own, theirs = read_chain(connection), backup.entries
    remembered = read_heads(home.heads)
    hashes = [mark.hash for mark in remembered.marks]
    for known in ([e.hash for e in own], hashes):
        if known and known[0] != theirs[0].hash:
            raise refuse("backup-other-ledger")
    lost = unreconciled(backup.connection, remembered, theirs)
    if lost:
        raise _behind(mark.account for mark in lost)
    held = {entry.hash for entry in theirs}
    missing = [entry for entry in own if entry.hash not in held]
    if missing:
        raise _behind(entry.account for entry in missing)
    if len(own) == len(theirs):
        raise refuse("backup-not-newer")
    if own and _secret(connection) != _secret(backup.connection):
        raise refuse("backup-other-ledger")


def _behind(accounts: Iterable[str]) -> Refused:
    return refuse("backup-behind", accounts=", ".join(dict.fromkeys(accounts)))


def _secret(connection: sqlite3.Connection) -> bytes:
    return bytes(connection.execute("SELECT value FROM secret").fetchone()[0])


def _take_over(connection: sqlite3.Connection, backup: Backup) -> None:
    """Add the rows that the ledger lacks; rows are only ever added, so they come last."""
    if _secret(connection) != _secret(backup.connection):
        _set_secret(connection, _secret(backup.connection))
    (held,) = connection.execute("SELECT count(*) FROM entry").fetchone()
    for table, key in _KEYED_TABLES.items():
        (last,) = connection.execute(f"SELECT coalesce(max({key}), 0) FROM {table}").fetchone()  # noqa: S608 - names of our own
        _copy_rows(connection, backup, table, f"{key} > ?", last)
    _copy_rows(connection, backup, "answer", "sequence > ?", held)


def _copy_rows(
    connection: sqlite3.Connection, backup: Backup, table: str, condition: str, after: int
) -> None:
    query = f"SELECT * FROM {table} WHERE {condition} ORDER BY 1"  # noqa: S608 - names of our own
    rows = backup.connection.execute(query, (after,))
    marks = ", ".join("?" * len(rows.description))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - names of our own


def _set_secret(connection: sqlite3.Connection, secret: bytes) -> None:
    """Give a ledger without entries the secret of another; nothing was keyed with its own yet."""
    query = "SELECT sql FROM sqlite_schema WHERE name = 'secret_no_update'"
    (rule,) = connection.execute(query).fetchone()
    connection.execute("DROP TRIGGER secret_no_update")
    connection.execute("UPDATE secret SET value = ?", (secret,))
    connection.execute(rule)
    verify_schema(connection)


def _enter_restoration(
    connection: sqlite3.Connection, home: Home, backup: Backup, now: Clock
) -> tuple[str, ...]:
    """Let each account say that it arrived, or that it was restored; and from which state."""
    entries = read_chain(connection)
    transaction = Transaction(connection, entries, minute(now()))
    accounts = tuple(dict.fromkeys(entry.account for entry in backup.entries))
    place = (len(backup.entries), backup.head)
    arrives = is_closed_for(transaction, expected_code(home))
    said = Arrived(*place) if arrives else RestoredLedger(*place)
    for account in accounts:
        transaction.append(account, said)
    return accounts


def _remember(connection: sqlite3.Connection, home: Home) -> None:
    """Write the second record; where it cannot be, opening the ledger says so."""
    with suppress(OSError), immediate(connection):
        view = View.take(connection, home.heads)
        if not view.is_remembered:
            write_heads(home.heads, view.entries)


def _has_other_key(folder: Path, backup: Backup) -> bool:
    if os.path.lexists(folder / PRIVATE_NAME):
        return True
    public = folder / PUBLIC_NAME
    if not os.path.lexists(public):
        return False
    with open_regular(public) as stream:
        return stream.read(MAX_KEY_BYTES + 1) != backup.key_files[PUBLIC_NAME]


def _put_key(folder: Path, backup: Backup) -> None:
    """Put the backup's key where there is none; half of it is of a restoring that was cut off."""
    try:
        if not backup.key_files or _has_other_key(folder, backup):
            return
        # The private half last: once it is there, so is all of the key.
        for name in reversed(KEY_FILES):
            write_whole(folder / name, backup.key_files[name])
    except (OSError, ValueError):
        raise refuse("key-unwritable") from None
