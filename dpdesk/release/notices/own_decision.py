# SPDX-License-Identifier: Apache-2.0
"""What the own ledger decided on a release: whoever withdrew it needs no notice to know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dpdesk.release.ledger import Entry, Ledger
from dpdesk.release.ledger.decisions.values import RevokedRelease
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.release.notices.notice_file import Revocation
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.study.problem import Refused


@dataclass(frozen=True)
class TakenBack:
    """What became of a release.

    Attributes:
        decision: ``withdrawn`` or ``corrected``.
        reason: why, as it was typed.
        time: when; empty where a notice says so.
    """

    decision: Revocation
    reason: str
    time: str = ""


def taken_back(home: Home, record: ReleaseRecord, head: str = "") -> TakenBack | None:
    """The own ledger's last decision on a release; ``None`` where there is none.

    Args:
        home: whose ledger is read.
        record: the release.
        head: the hash of its entry, where a bundle states it: the ledger's must be the same.
    """
    if not home.ledger.exists():
        return None
    try:
        # Read alone: a full disk, or one that nobody may write on, is no matter of this.
        with Ledger(home).reading() as transaction:
            found = tuple(_decided(transaction, record, head))
    except Refused:
        return None  # a ledger that cannot be read says nothing, here
    return found[-1] if found else None


def _decided(transaction: Transaction, record: ReleaseRecord, head: str) -> Iterator[TakenBack]:
    entry = _entry_of(transaction, record, head)
    if entry is None:
        return
    for later in transaction.entries_of(entry.account):
        if later.kind == RevokedRelease.KIND:
            said = read_payload(transaction.connection, later)
            if isinstance(said, RevokedRelease) and said.head == entry.hash:
                yield TakenBack(said.kind, said.reason, later.time)


def _entry_of(transaction: Transaction, record: ReleaseRecord, head: str) -> Entry | None:
    """The release's entry; ``None`` where another ledger made it. A stranger's costs one look."""
    place, entries = record.place.sequence, transaction.entries
    entry = entries[place - 1] if 1 <= place <= len(entries) else None
    if entry is None or entry.kind != "release" or head not in ("", entry.hash):
        return None
    return entry if transaction.release(place).record.id == record.id else None
