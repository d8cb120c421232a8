# SPDX-License-Identifier: Apache-2.0
"""What the own ledger decided on a release: the one who withdrew it needs no notice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dpdesk.release.ledger import Entry, Ledger
from dpdesk.release.ledger.decisions.decided import RevokedRelease
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.release.notices.notice_file import Revocation
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.release.verify.verification import Verification
from dpdesk.study.problem import Refused


@dataclass(frozen=True)
class TakenBack:
    """What became of a release.

    Attributes:
        decision: ``withdrawn`` or ``corrected``.
        reason: why, as it was typed.
        time: when; empty where a notice says so.
        drawn_in: the earlier release's entry, where it is that one which was taken back and some
            of the figures were drawn in it; 0 for the release itself.
    """

    decision: Revocation
    reason: str
    time: str = ""
    drawn_in: int = 0


def own_decision(home: Home, verification: Verification) -> TakenBack | None:
    """What this computer's ledger decided on the release of a whole bundle; see ``taken_back``."""
    release = verification.release
    if release is None or not verification.is_whole:
        return None
    return taken_back(home, release.record, release.head)


def taken_back(home: Home, record: ReleaseRecord, head: str = "") -> TakenBack | None:
    """The own ledger's last decision on a release, else on one that its figures are from.

    ``None`` where there is neither. A release that corrects another may have figures of it.

    Args:
        head: the hash of its entry, where a bundle states it: the ledger's must be the same.
    """
    if not home.ledger.exists():
        return None
    try:
        # Read alone: a full disk, or one that nobody may write on, is no matter of this.
        with Ledger(home).reading() as transaction:
            found = {one.drawn_in: one for one in _decided(transaction, record, head)}
    except Refused:
        return None  # a ledger that cannot be read says nothing, here
    return found[min(found)] if found else None


def _decided(transaction: Transaction, record: ReleaseRecord, head: str) -> Iterator[TakenBack]:
    entry = _entry_of(transaction, record, head)
    if entry is None:
        return
    sources = drawn_in(record)
    for later in transaction.entries_of(entry.account):
        if later.kind != RevokedRelease.KIND:
            continue
        said = read_payload(transaction.connection, later)
        if not isinstance(said, RevokedRelease):
            continue
        if said.head == entry.hash:
            yield TakenBack(said.kind, said.reason, later.time)
        elif said.sequence in sources and said.replaced_by != entry.hash:
            yield TakenBack(said.kind, said.reason, later.time, said.sequence)


def drawn_in(record: ReleaseRecord) -> frozenset[int]:
    """The entries of earlier releases in which figures of a release were drawn."""
    own = record.place.sequence
    return frozenset(query.drawn_in for query in record.queries if query.drawn_in != own)


def _entry_of(transaction: Transaction, record: ReleaseRecord, head: str) -> Entry | None:
    """The release's entry; ``None`` where another ledger made it. A stranger's costs one look."""
    place, entries = record.place.sequence, transaction.entries
    entry = entries[place - 1] if 1 <= place <= len(entries) else None
    if entry is None or entry.kind != "release" or head not in ("", entry.hash):
        return None
    return entry if transaction.release(place).record.id == record.id else None
