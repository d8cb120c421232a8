# SPDX-License-Identifier: Apache-2.0
"""Withdrawing or correcting a release: first the entry, then the notice that is made from it.

What was released stays known to anyone who has it, so the budget stays spent. The notice follows
from the entry and the key alone: where it could not be written, it is made again for free.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dpdesk.release.ledger import Entry, Ledger
from dpdesk.release.ledger.decisions.decided import (
    CorrectedRelease,
    RevokedRelease,
    WithdrawnRelease,
)
from dpdesk.release.ledger.decisions.recovery import refuse_moved
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.release.notices.notice_file import Notice, Revocation, notice_bytes
from dpdesk.release.record.values import SignerName, StoredRelease
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.study.problem import refuse


@dataclass(frozen=True)
class Wish:
    """What is to be said of a release.

    Attributes:
        kind: ``withdrawn`` or ``corrected``.
        sequence: the release's entry.
        reason: why; it is in the notice.
        replaced_by: the entry of the release that corrects it; 0 where none does.
        tables: the only tables that it is about, by their names; the others stay as they are.
    """

    kind: Revocation
    sequence: int
    reason: str
    replaced_by: int = 0
    tables: tuple[str, ...] = ()


def revoke(ledger: Ledger, wish: Wish, signer: KeyInfo) -> Entry:
    """Add the entry of a withdrawal or correction.

    Raises:
        Refused: ``release-unknown`` (param sequence) where an entry is no release;
            ``release-withdrawn`` (param sequence: of the withdrawal of it, or of each table);
            ``notice-table-unknown`` (params name, tables);
            ``correction-not-later``; ``account-moved`` (param name); ``reason-missing``, and those
            of texts and of the ledger.
    """
    reason = checked_text("reason", wish.reason, required=True)
    with ledger.transaction() as transaction:
        refuse_moved(transaction)
        release = _release_entry(transaction, wish.sequence)
        by = _replacement(transaction, release, wish)
        tables = _tables(transaction, release, wish.tables)
        _refuse_withdrawn(transaction, release, tables)
        who = (signer.identity, signer.fingerprint)
        kind = WithdrawnRelease if wish.kind == "withdrawn" else CorrectedRelease
        said = kind(release.sequence, release.hash, by, reason, *who, tables)
        return transaction.append(release.account, said)


def _release_entry(transaction: Transaction, sequence: int) -> Entry:
    entries = transaction.entries
    if not 1 <= sequence <= len(entries) or entries[sequence - 1].kind != StoredRelease.KIND:
        raise refuse("release-unknown", sequence=str(sequence))
    return entries[sequence - 1]


def _replacement(transaction: Transaction, release: Entry, wish: Wish) -> str:
    """The hash of the release that corrects another: a later one of the same account."""
    if not wish.replaced_by:
        return ""
    by = _release_entry(transaction, wish.replaced_by)
    is_later = by.sequence > release.sequence and by.account == release.account
    if wish.kind != "corrected" or not is_later:
        raise refuse("correction-not-later")
    return by.hash


def _tables(transaction: Transaction, release: Entry, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The tables that are meant, each once; a file is called by its name or its path, too."""
    names = {query.name for query in transaction.release(release.sequence).record.queries}
    meant = {name.removeprefix("results/").removesuffix(".csv") for name in wanted}
    if unknown := sorted(meant - names):
        listed = ", ".join(sorted(names))
        raise refuse("notice-table-unknown", name=unknown[0], tables=listed)
    return tuple(sorted(meant))


def _refuse_withdrawn(transaction: Transaction, release: Entry, tables: tuple[str, ...]) -> None:
    """Refuse what is withdrawn already: all of the release, or each of the tables."""
    gone: set[str] = set()
    for entry, said in _withdrawals(transaction, release):
        gone.update(said.tables)
        if not said.tables or (tables and gone.issuperset(tables)):
            raise refuse("release-withdrawn", sequence=str(entry.sequence))


def _withdrawals(
    transaction: Transaction, release: Entry
) -> Iterator[tuple[Entry, RevokedRelease]]:
    for entry in transaction.entries_of(release.account):
        if entry.kind != RevokedRelease.KIND:
            continue
        said = read_payload(transaction.connection, entry)
        if not isinstance(said, RevokedRelease):
            continue
        if (said.kind, said.head) == ("withdrawn", release.hash):
            yield entry, said


def notice_of(ledger: Ledger, sequence: int, key: SigningKey) -> bytes:
    """The signed notice of a withdrawal's or correction's entry; as often as it is wanted.

    It is signed by the key of now, which may be a successor of the one that the entry names.

    Raises:
        Refused: ``notice-entry-unknown`` (param sequence), and those of the ledger.
    """
    with ledger.reading() as transaction:
        entries = transaction.entries
        entry = entries[sequence - 1] if 1 <= sequence <= len(entries) else None
        said = read_payload(transaction.connection, entry) if entry else None
        if entry is None or not isinstance(said, RevokedRelease):
            raise refuse("notice-entry-unknown", sequence=str(sequence))
        release = transaction.release(said.sequence)
    notice = Notice(
        kind=said.kind,
        release_id=release.record.id,
        sequence=said.sequence,
        head=said.head,
        time=entry.time,
        reason=said.reason,
        decided_in=entry.sequence,
        decided_head=entry.hash,
        replaced_by=said.replaced_by,
        signer=SignerName(key.info.identity, key.info.fingerprint),
        tables=said.tables,
    )
    return notice_bytes(notice, key)
