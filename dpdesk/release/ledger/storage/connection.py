# SPDX-License-Identifier: Apache-2.0
"""Opening the ledger's file: safely set, of a known version, writable, and nobody else's file."""

from __future__ import annotations

import os
import secrets
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from dpdesk.release.ledger.chain import damaged
from dpdesk.release.ledger.storage import schema
from dpdesk.release.places.shared_folder import file_mode
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import is_special

BUSY_SECONDS = 10.0
_PRIMARY = 0xFF

_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
_UNWRITABLE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_AUTH,
}

_FAILED_DISK = sqlite3.SQLITE_IOERR | (33 << 8)
"""``SQLITE_IOERR_CORRUPTFS``, which older modules do not name: a read failed by the disk itself."""

_UNREADABLE = {sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_FSTAT, _FAILED_DISK}

_ENDS = ("", "-journal", "-wal", "-shm")
"""What follows the ledger's name in those of the files that SQLite opens."""


@contextmanager
def connected(path: Path, busy_seconds: float = BUSY_SECONDS) -> Iterator[sqlite3.Connection]:
    """A connection to the ledger, made where it is missing, closed afterwards.

    Raises:
        Refused: ``ledger-network-path``, ``sqlite-too-old``, ``ledger-too-new`` (params found,
            known), ``ledger-damaged`` (params what, sequence), ``ledger-unwritable``,
            ``ledger-disk-full``, ``ledger-unreadable`` or ``ledger-busy``, also for what the body
            does with the connection.
    """
    if sqlite3.sqlite_version_info < schema.OLDEST_SQLITE:
        raise refuse("sqlite-too-old", found=sqlite3.sqlite_version)
    refuse_network(path)
    _refuse_what_waits(path)
    with translated(), closing(_connect(path, busy_seconds)) as connection:
        prepare(connection)
        yield connection


def prepare(connection: sqlite3.Connection) -> None:
    """Set a connection safely; make a ledger where the file is empty.

    Raises:
        Refused: ``ledger-too-new`` (params found, known) or ``ledger-damaged``.
    """
    _set_up(connection)
    _recognise(connection)


def refuse_network(path: Path) -> None:
    """Refuse a path on another machine: SQLite's locks cannot be trusted there.

    Raises:
        Refused: ``ledger-network-path``.
    """
    if is_on_network(path):
        raise refuse("ledger-network-path")


def _refuse_what_waits(path: Path) -> None:
    """Refuse a pipe in the place of a file that SQLite opens: it would wait for a writer."""
    if any(is_special(path.with_name(path.name + end)) for end in _ENDS):
        raise refuse("ledger-unreadable")


@contextmanager
def translated() -> Iterator[None]:
    """Turn what SQLite says about the file into refusals; programming errors stay what they are."""
    try:
        yield
    except sqlite3.Error as error:
        raise (_refusal(error) or error) from None
    except UnicodeDecodeError:  # a broken schema, quoted in SQLite's own message
        raise damaged("file") from None


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another program holds the ledger."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & _PRIMARY in _BUSY


def _refusal(error: sqlite3.Error) -> Refused | None:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None and isinstance(error, sqlite3.OperationalError):
        return damaged("file")  # Python could not decode a text
    if code in _UNREADABLE:
        return refuse("ledger-unreadable")
    code = (code or sqlite3.SQLITE_OK) & _PRIMARY
    if is_busy(error):
        return refuse("ledger-busy")
    if code == sqlite3.SQLITE_FULL:
        return refuse("ledger-disk-full")
    if code in _UNWRITABLE:
        return refuse("ledger-unwritable")
    return damaged("file") if code in _BROKEN else None


def _connect(path: Path, busy_seconds: float) -> sqlite3.Connection:
    # isolation_level=None: transactions are begun and ended here alone, never by the module.
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)
    with suppress(OSError):
        os.chmod(path, file_mode(path.parent))
    return connection


def _set_up(connection: sqlite3.Connection) -> None:
    for pragma in (
        "trusted_schema=OFF",
        "journal_mode=DELETE",
        "synchronous=EXTRA",
        "secure_delete=ON",
        "foreign_keys=ON",
        "cell_size_check=ON",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def _recognise(connection: sqlite3.Connection) -> None:
    """Refuse what is no ledger of this version; make the tables of a new one."""
    version = _header(connection, "user_version")
    if _header(connection, "application_id") == schema.APPLICATION_ID and version > schema.VERSION:
        raise refuse("ledger-too-new", found=str(version), known=str(schema.VERSION))
    if not _statements(connection):
        _create(connection)
    verify_schema(connection)


def _header(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _statements(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return {sql for (sql,) in rows}


def verify_schema(connection: sqlite3.Connection) -> None:
    """Refuse a ledger whose tables, rules or header are not ours to the letter.

    Raises:
        Refused: ``ledger-damaged`` (what: ``schema``).
    """
    header = (_header(connection, "application_id"), _header(connection, "user_version"))
    is_ours = header == (schema.APPLICATION_ID, schema.VERSION)
    if not is_ours or _statements(connection) != set(schema.STATEMENTS):
        raise damaged("schema")


def _create(connection: sqlite3.Connection) -> None:
    with immediate(connection):
        if _statements(connection):
            return  # another program made it while this one waited
        if _header(connection, "application_id") or _header(connection, "user_version"):
            raise damaged("schema")
        for statement in schema.STATEMENTS:
            connection.execute(statement)
        connection.execute("INSERT INTO secret VALUES (1, ?)", (secrets.token_bytes(32),))
        connection.execute(f"PRAGMA application_id={schema.APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={schema.VERSION}")


@contextmanager
def immediate(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction with the write lock from its start: committed whole, or nothing of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def prove_writable(connection: sqlite3.Connection) -> None:
    """Touch the file inside a transaction, before anything is drawn that could not be recorded.

    Raises:
        sqlite3.OperationalError: the file or its folder cannot be written.
    """
    connection.execute(f"PRAGMA user_version={schema.VERSION}")


def probe_writable(connection: sqlite3.Connection) -> None:
    """Find out whether the file can be written, without changing or waiting for anything.

    Raises:
        sqlite3.OperationalError: the file or its folder cannot be written.
    """
    waits = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    connection.execute("PRAGMA busy_timeout=0").fetchone()
    try:
        connection.execute("BEGIN IMMEDIATE")
        prove_writable(connection)
    except sqlite3.OperationalError as error:
        # Busy: another program is writing it.
        if not is_busy(error):
            raise
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA busy_timeout={waits}").fetchone()


_NETWORK_TYPES = frozenset(
    {"afs", "ceph", "cifs", "fuse.sshfs", "nfs", "nfs4", "smb2", "smb3", "smbfs"}
)
_DRIVE_REMOTE = 4
_MOUNTS = Path("/proc/self/mounts")


def is_on_network(path: Path) -> bool:
    """Whether a file is on a network share, as far as this system reports."""
    text = os.fspath(path)
    if is_unc(text):
        return True
    if sys.platform == "win32":
        import ctypes

        drive = path.absolute().drive + "\\"
        return bool(ctypes.windll.kernel32.GetDriveTypeW(drive) == _DRIVE_REMOTE)
    return _mount_type(path) in _NETWORK_TYPES


def is_unc(text: str) -> bool:
    r"""Whether a path names a machine: ``\\server\share``, ``//server/share``.

    >>> is_unc(r"\\server\share\ledger.sqlite"), is_unc(r"\\?\UNC\server\share")
    (True, True)
    >>> is_unc(r"\\?\C:\Users"), is_unc("/var/lib"), is_unc(r"C:\Users")
    (False, False, False)
    """
    plain = text.replace("/", "\\")
    if plain.upper().startswith(("\\\\?\\", "\\\\.\\")):
        return plain[4:].upper().startswith("UNC\\")
    return plain.startswith("\\\\")


def _mount_type(path: Path) -> str:
    """File system of the longest mount point above a path; empty where that is not known."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    place = os.path.realpath(path)
    # Of two mounts on one point the later hides the earlier.
    found = max(
        (line.split()[1:3] for line in reversed(lines) if _holds(line, place)),
        key=lambda pair: len(pair[0]),
        default=["", ""],
    )
    return found[1]


def _holds(mount: str, place: str) -> bool:
    parts = mount.split()
    if len(parts) < 3:
        return False
    point = parts[1].replace("\\040", " ")
    return point == "/" or place == point or place.startswith(point.rstrip("/") + "/")
