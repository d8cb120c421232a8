# SPDX-License-Identifier: Apache-2.0
"""What the own ledger decided on a release: the one who withdrew it needs no notice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from dpdesk.release.ledger import Entry, Ledger
from dpdesk.release.ledger.decisions.decided import RevokedRelease
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.release.notices.notice_file import Revocation
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.release.verify.verification import Verification
from dpdesk.study.problem import Refused
from dpdesk.study.text.shown_text import as_sentence


@dataclass(frozen=True)
class TakenBack:
    """What became of a release.

    Attributes:
        decision: ``withdrawn`` or ``corrected``.
        reason: why, as it was typed.
        time: when; empty where a notice says so.
        drawn_in: the earlier release's entry, where it is that one which was taken back and some
            of the figures were drawn in it; 0 for the release itself.
        tables: the only tables that it is about, of the release itself or the earlier one; empty
            where it is about all of them.
    """

    decision: Revocation
    reason: str
    time: str = ""
    drawn_in: int = 0
    tables: tuple[str, ...] = ()

    @property
    def is_partial(self) -> bool:
        """Whether tables of the release stay as they are."""
        return bool(self.tables)


def together(decisions: Sequence[TakenBack]) -> TakenBack | None:
    """What decisions on one release come to; ``None`` without one.

    The last one on all of it counts, with what is said of tables afterwards; without one, what is
    said of its tables, one after the other: withdrawn where any is.
    """
    if not decisions:
        return None
    last = max((at for at, one in enumerate(decisions) if not one.tables), default=0)
    said = decisions[last:]
    reasons = dict.fromkeys(as_sentence(one.reason) for one in said)
    is_whole, is_withdrawn = not said[0].tables, any(d.decision == "withdrawn" for d in said)
    decided = said[0].decision if is_whole else "withdrawn" if is_withdrawn else "corrected"
    return replace(
        said[0] if is_whole else said[-1],
        decision=decided,
        reason=" ".join(reasons) if len(said) > 1 else said[0].reason,
        tables=() if is_whole else tuple(sorted({t for one in said for t in one.tables})),
    )


def own_decision(home: Home, verification: Verification) -> TakenBack | None:
    """What this computer's ledger decided on the release of a whole bundle; see ``taken_back``."""
    release = verification.named_release
    if release is None:
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
            found = tuple(_decided(transaction, record, head))
    except Refused:
        return None  # a ledger that cannot be read says nothing, here
    first = min((one.drawn_in for one in found), default=0)
    return together([one for one in found if one.drawn_in == first])


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
            yield TakenBack(said.kind, said.reason, later.time, tables=said.tables)
        elif (
            said.sequence in sources
            and said.replaced_by != entry.hash
            and _has_of(transaction, record, said)
        ):
            yield TakenBack(said.kind, said.reason, later.time, said.sequence, said.tables)


def _has_of(transaction: Transaction, record: ReleaseRecord, said: RevokedRelease) -> bool:
    """Whether a release has figures of the tables of an earlier one that were taken back."""
    if not said.tables:
        return True
    source = transaction.release(said.sequence).record
    meant = [query.drawn for query in source.queries if said.is_about(query.name)]
    own = (query.drawn for query in record.queries if query.drawn_in == said.sequence)
    return any(drawn in meant for drawn in own)


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
