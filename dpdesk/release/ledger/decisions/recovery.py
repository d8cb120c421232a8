# SPDX-License-Identifier: Apache-2.0
"""Locked accounts: what was spent from them cannot be vouched for, or goes on elsewhere.

A backup does not know what was spent after it, bundles do not know of releases whose bundles are
not at hand, and a rolled-back ledger that lost an entry without amounts may have lost a lock. Such
an account is a recovery account: nothing is released from it until a person opens it with a
reason. A ledger that was moved away on purpose is closed in the same way; where it arrives, that
one lock is lifted, because nothing can have been spent meanwhile. Arriving lifts no other lock.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Literal

from dpdesk.release.ledger.chain import Entry
from dpdesk.release.ledger.decisions.decided import Arrived, MovedAway, OpenedRecovery
from dpdesk.release.ledger.payloads import (
    ImportedCharges,
    Payload,
    ReconciledAccount,
    RestoredLedger,
)
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.study.problem import refuse

Lock = Literal["restored", "rebuilt", "rolled-back", "moved"]
_KINDS = frozenset({"decision", "reconcile"})


def locks_of(
    connection: sqlite3.Connection, entries: Iterable[Entry], account: str
) -> tuple[Lock, ...]:
    """Why an account is locked, oldest first; empty where it is not.

    Raises:
        Refused: ``ledger-damaged`` or ``entry-too-new``.
    """
    found: dict[Lock, None] = {}
    for payload in _decisions(connection, entries, account):
        lock = _lock(payload)
        if lock is not None:
            found[lock] = None
        elif isinstance(payload, Arrived):
            found.pop("moved", None)
        elif isinstance(payload, OpenedRecovery):
            found.clear()
    return tuple(found)


def was_opened(connection: sqlite3.Connection, entries: Iterable[Entry], account: str) -> bool:
    """Whether a person ever opened this account without proof of what was spent."""
    found = _decisions(connection, entries, account)
    return any(isinstance(payload, OpenedRecovery) for payload in found)


def refuse_locked(transaction: Transaction, account: str) -> None:
    """Refuse to release from a locked account.

    Raises:
        Refused: ``account-recovery`` or ``account-moved`` (param name).
    """
    locks = locks_of(transaction.connection, transaction.entries, account)
    if locks:
        code = "account-moved" if locks == ("moved",) else "account-recovery"
        raise refuse(code, "$.budget.account", name=account)


def refuse_moved(transaction: Transaction) -> None:
    """Refuse to open a second budget in a ledger that goes on elsewhere.

    Raises:
        Refused: ``account-moved`` (param name: its first account that did).
    """
    for account in dict.fromkeys(entry.account for entry in transaction.entries):
        if "moved" in locks_of(transaction.connection, transaction.entries, account):
            raise refuse("account-moved", "$.budget.account", name=account)


def unlock(transaction: Transaction, account: str, reason: str) -> Entry:
    """Open a locked account; the reason stays in the ledger, that it was opened in its bundles.

    Raises:
        Refused: ``account-unknown``, ``account-not-locked`` (param name), ``reason-missing``, and
            those of texts.
    """
    transaction.entries_of(account)
    reason = checked_text("reason", reason, required=True)
    if not locks_of(transaction.connection, transaction.entries, account):
        raise refuse("account-not-locked", name=account)
    return transaction.append(account, OpenedRecovery(reason))


def _decisions(
    connection: sqlite3.Connection, entries: Iterable[Entry], account: str
) -> Iterator[Payload]:
    for entry in entries:
        if entry.account == account and entry.kind in _KINDS:
            yield read_payload(connection, entry)


def _lock(payload: Payload) -> Lock | None:
    if isinstance(payload, MovedAway):
        return "moved"
    if isinstance(payload, RestoredLedger):
        return "restored"
    if isinstance(payload, ImportedCharges) and payload.locked:
        return "rebuilt"
    return "rolled-back" if isinstance(payload, ReconciledAccount) and payload.locked else None
