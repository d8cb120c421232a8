# SPDX-License-Identifier: Apache-2.0
"""A backup: one zip with the ledger, its second record, the key if wanted, and their digests.

The copy is made by SQLite's backup API in memory, under one read lock, so that it is one state of
the ledger anyone who writes meanwhile. A key is stored as it is in its file: encrypted.
"""

from __future__ import annotations

import base64
import hashlib
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.signed_bundle import json_bytes
from dpdesk.release.ledger.chain import Entry, damaged, head_of, read_chain
from dpdesk.release.ledger.heads import heads_bytes
from dpdesk.release.ledger.ledger_report import content_problems
from dpdesk.release.ledger.storage.connection import connected, prepare, translated
from dpdesk.release.ledger.view import View
from dpdesk.release.places.home import Home
from dpdesk.release.signing.key_backups import FILE, note_backup
from dpdesk.release.signing.keys import PRIVATE_NAME, PUBLIC_NAME, show
from dpdesk.study.json.study_files import remove_left_behind, write_whole
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular, real_path

MAX_BYTES = 2_000_000_000
VERSION = 1
CONTENTS, LEDGER, HEADS = "backup.json", "ledger.sqlite", "heads.json"
KEY_FILES = (PRIVATE_NAME, PUBLIC_NAME)
_KNOWN = ([LEDGER, HEADS], [LEDGER, HEADS, *KEY_FILES])


@dataclass(frozen=True)
class Backup:
    """What a backup holds.

    Attributes:
        connection: its ledger, in memory.
        entries: the chain, verified.
        key_files: the signing key's files by name; empty where the backup has none.
    """

    connection: sqlite3.Connection
    entries: tuple[Entry, ...]
    key_files: Mapping[str, bytes]

    @property
    def head(self) -> str:
        return head_of(self.entries)


def write_backup(home: Home, path: Path, with_key: bool = False) -> tuple[Entry, ...]:
    """Write a backup whole or not at all, and read it back.

    Returns:
        The entries that it holds.

    Raises:
        Refused: ``backup-no-ledger``, ``backup-at-home``, ``backup-key-open``, ``key-missing``,
            ``backup-too-large``, ``backup-unwritable`` (param name), ``backup-damaged`` where what
            was written does not read, ``ledger-rolled-back`` or ``ledger-damaged``.
    """
    if not home.ledger.exists():
        raise refuse("backup-no-ledger")
    if any(real_path(path).is_relative_to(real_path(f)) for f in (home.root, home.heads_folder)):
        raise refuse("backup-at-home")  # it would go with what it is for, or overwrite it
    files = _ledger_files(home) | (_key_files(home.keys) if with_key else {})
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    raw = pack({CONTENTS: _list_of(digests), **files})
    if len(raw) > MAX_BYTES:
        raise refuse("backup-too-large")
    try:
        remove_left_behind(path)
        write_whole(path, raw)
    except OSError:
        raise refuse("backup-unwritable", name=path.name) from None
    with read_backup(path) as backup:
        if with_key and (info := show(home.keys)) is not None:
            note_backup(home, FILE, info)
        return backup.entries


def supersedes(home: Home, path: Path, with_key: bool = False) -> bool:
    """Whether a backup written now holds everything that a file holds.

    It does where the file is an earlier backup of this ledger, without a key or with the same.

    Raises:
        Refused: ``key-missing`` or ``backup-key-open`` of a key that is wanted.
    """
    keys = _key_files(home.keys) if with_key else {}
    try:
        with connected(home.ledger) as connection, read_backup(path) as earlier:
            now = read_chain(connection)[: len(earlier.entries)]
            return now == earlier.entries and dict(earlier.key_files) in ({}, keys)
    except Refused:
        return False


@contextmanager
def read_backup(path: Path) -> Iterator[Backup]:
    """A backup, its digests, schema, chain and every entry verified.

    Raises:
        Refused: ``backup-unreadable``, ``backup-damaged`` (param name), ``ledger-too-new`` or
            ``entry-too-new``.
    """
    files = _verified(path)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        try:
            entries = _opened(connection, files[LEDGER])
        except Refused as refused:
            if refused.problems[0].code.endswith("-too-new"):
                raise
            raise refuse("backup-damaged", name=path.name) from None
        if files[HEADS] != heads_bytes(entries):
            raise refuse("backup-damaged", name=path.name)
        keys = {name: files[name] for name in KEY_FILES if name in files}
        yield Backup(connection, entries, keys)


def _ledger_files(home: Home) -> dict[str, bytes]:
    with connected(home.ledger) as connection, closing(sqlite3.connect(":memory:")) as copy:
        connection.execute("BEGIN")
        view = View.take(connection, home.heads)
        view.refuse_lost()
        _refuse_unsound(connection)
        connection.backup(copy)
        return {LEDGER: copy.serialize(), HEADS: heads_bytes(view.entries)}


def _key_files(folder: Path) -> dict[str, bytes]:
    try:
        files = {name: _content(folder / name) for name in KEY_FILES}
    except OSError:
        raise refuse("key-missing") from None
    if not _is_encrypted(files[PRIVATE_NAME]):
        raise refuse("backup-key-open")
    return files


def _is_encrypted(private: bytes) -> bool:
    """Whether an OpenSSH key's file names a cipher; the name follows the format's own."""
    body = b"".join(private.strip().splitlines()[1:-1])
    try:
        start = base64.b64decode(body, validate=True)[:64]
    except ValueError:
        return False
    return start.startswith(b"openssh-key-v1\0") and not start.startswith(b"\0\0\0\4none", 15)


def _verified(path: Path) -> dict[str, bytes]:
    """The files of a backup, each with the digest that its list states."""
    try:
        raw = _content(path)
    except (OSError, ValueError):
        raise refuse("backup-unreadable", name=path.name) from None
    try:
        files = unpack(raw, MAX_BYTES)
        contents = files.pop(CONTENTS)
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
        # There is one way to write the list, so it is compared and never parsed.
        if contents != _list_of(digests) or list(files) not in _KNOWN:
            raise ValueError("not a backup")
    except (Refused, KeyError, ValueError):
        raise refuse("backup-damaged", name=path.name) from None
    return files


def _list_of(digests: Mapping[str, str]) -> bytes:
    return json_bytes({"backup": VERSION, "sha256": digests})


def _content(path: Path) -> bytes:
    with open_regular(path) as stream:
        return stream.read(MAX_BYTES + 1)


def _opened(connection: sqlite3.Connection, content: bytes) -> tuple[Entry, ...]:
    """Load a ledger into an empty connection, as strictly as from its own file."""
    with translated():
        if not content:
            raise damaged("file")  # SQLite would make a new one of nothing
        connection.deserialize(content)
        prepare(connection)
        _refuse_unsound(connection)
        return read_chain(connection)


def _refuse_unsound(connection: sqlite3.Connection) -> None:
    problems = tuple(content_problems(connection))
    if problems:
        raise Refused(problems)
