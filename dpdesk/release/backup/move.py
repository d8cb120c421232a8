# SPDX-License-Identifier: Apache-2.0
"""Moving a ledger on purpose: the old one is closed first, so the new one needs no lock.

A file can be copied, so closing alone would let two computers go on from it. The new home therefore
makes a secret and shows a code that follows from it; the old ledger's last entries name that code.
Only a home that has the secret goes on without a lock, and it gives the secret up with it.
Everywhere else the same file is a backup, whose accounts are locked.

Anyone who copies the secret's file, too, has two ledgers: they fork, and two bundles show it.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from pathlib import Path

from dpdesk.release.backup.archive import write_backup
from dpdesk.release.ledger import Entry, Ledger
from dpdesk.release.ledger.decisions.decided import MOVE_CODE, MovedAway
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import write_new
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular

SECRET_BYTES = 32
_DOMAIN = b"dpdesk-move-1"
_CHARACTERS = 15
"""75 bits of a digest; one more character shows a slip."""


def expect_move(home: Home) -> str:
    """The code by which another computer moves its ledger here; the same until one arrives.

    Raises:
        Refused: ``home-unwritable`` (param name).
    """
    home.make()
    if not expected_code(home):
        try:
            home.arrival.unlink(missing_ok=True)
            write_new(home.arrival, secrets.token_bytes(SECRET_BYTES))
        except OSError:
            raise refuse("home-unwritable", name=str(home.root)) from None
    return expected_code(home)


def expected_code(home: Home) -> str:
    """The code of a home that expects a ledger; empty where it expects none."""
    try:
        with open_regular(home.arrival) as stream:
            secret = stream.read(SECRET_BYTES + 1)
    except (OSError, ValueError):
        return ""
    return _code(secret) if len(secret) == SECRET_BYTES else ""


def _code(secret: bytes) -> str:
    body = _base32(_DOMAIN + secret)[:_CHARACTERS]
    return body + _check(body)


def _base32(content: bytes) -> str:
    return base64.b32encode(hashlib.sha256(content).digest()).decode("ascii").lower()


def _check(body: str) -> str:
    return _base32(body.encode("ascii"))[0]


def shown_code(code: str) -> str:
    """A code in groups of four, as it is read out.

    >>> shown_code("abcdefghijklmnop")
    'ABCD-EFGH-IJKL-MNOP'
    """
    return "-".join(code[i : i + 4] for i in range(0, len(code), 4)).upper()


def typed_code(text: str) -> str:
    """A code as a person typed it.

    Raises:
        Refused: ``move-code-wrong`` where it is none, or mistyped.
    """
    code = re.sub(r"[\s-]", "", text).lower()
    if MOVE_CODE.fullmatch(code) is None or _check(code[:_CHARACTERS]) != code[_CHARACTERS:]:
        raise refuse("move-code-wrong")
    return code


def move_away(home: Home, path: Path, code: str, with_key: bool = False) -> tuple[Entry, ...]:
    """Close the ledger for a home that showed a code, and write it to a file.

    The file is written once before the ledger is closed, so that whatever keeps it from being
    written is found out first; the same command writes it again.

    Returns:
        The entries that the file holds.

    Raises:
        Refused: ``move-code-wrong``; ``move-to-itself``; ``ledger-moved`` where it was closed for
            another home; and those of :func:`archive.write_backup`.
    """
    code = typed_code(code)
    if code == expected_code(home):
        raise refuse("move-to-itself")
    if home.ledger.exists():
        with Ledger.open(home).reading() as transaction:
            _refuse_other_move(transaction, code)
    if not write_backup(home, path, with_key):
        raise refuse("backup-no-ledger")
    with Ledger.open(home).transaction() as transaction:
        _refuse_other_move(transaction, code)
        _close(transaction, code)
    return write_backup(home, path, with_key)


def _refuse_other_move(transaction: Transaction, code: str) -> None:
    if {_closed_for(transaction, account) for account in _accounts(transaction)} - {"", code}:
        raise refuse("ledger-moved")


def _close(transaction: Transaction, code: str) -> None:
    for account in _accounts(transaction):
        if not _closed_for(transaction, account):
            transaction.append(account, MovedAway(code))


def _accounts(transaction: Transaction) -> tuple[str, ...]:
    return tuple(dict.fromkeys(entry.account for entry in transaction.entries))


def _closed_for(transaction: Transaction, account: str) -> str:
    """The code for which an account's last entry closed it; empty where that is another entry."""
    last = transaction.entries_of(account)[-1]
    payload = read_payload(transaction.connection, last)
    return payload.code if isinstance(payload, MovedAway) else ""


def is_closed_for(transaction: Transaction, code: str) -> bool:
    """Whether all that a ledger's accounts did last was to move to the home of a code."""
    closed = (_closed_for(transaction, account) == code for account in _accounts(transaction))
    return bool(code) and all(closed)
