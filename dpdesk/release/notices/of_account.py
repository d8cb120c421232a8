# SPDX-License-Identifier: Apache-2.0
"""The notices of an account that a dossier holds: those on its release and on earlier ones.

A notice is always later than the release that it is about, so it is no part of the history that
the bundle states as of its own entry. A dossier therefore holds the signed notices themselves, and
says up to which entry of the ledger they go: that of the last of them. What was decided later, or
concerns a later release, is not in it; and a dossier of an account without notices says nothing
of them, because an entry to which there are none would be a claim that no reader can check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions.decided import RevokedRelease
from dpdesk.release.ledger.transaction import Transaction, read_payload
from dpdesk.release.notices.notice_file import Notice, parse_notice
from dpdesk.release.notices.revoke import notice_of
from dpdesk.release.places.home import Home
from dpdesk.release.record.values import SignedRelease, SignerName
from dpdesk.release.signing.keys import SigningKey
from dpdesk.study.problem import Refused, refuse


@dataclass(frozen=True)
class AccountNotice:
    """A notice with the bytes that were signed.

    Attributes:
        signed: its file, in ASCII.
        is_own: whether it is about the dossier's own release.
    """

    notice: Notice
    signed: str
    is_own: bool


def account_notices(home: Home, release: SignedRelease, key: SigningKey) -> tuple[str, ...]:
    """The notices on a release and on earlier ones of its account, each signed again by the key.

    Returns:
        Their files, in the order of their entries; none where the release is not of this ledger.

    Raises:
        Refused: those of the ledger: an older copy of it may have lost one.
    """
    if not home.ledger.exists():
        return ()
    ledger = Ledger(home)  # read alone: a full disk is no matter of its
    with ledger.reading() as transaction:
        decided = tuple(_decided(transaction, release))
    return tuple(notice_of(ledger, entry, key).decode("ascii") for entry in decided)


def _decided(transaction: Transaction, release: SignedRelease) -> Iterator[int]:
    place, entries = release.record.place, transaction.entries
    if place.sequence > len(entries) or entries[place.sequence - 1].hash != release.head:
        return
    for entry in transaction.entries_of(release.record.account.name):
        if entry.kind == RevokedRelease.KIND:
            said = read_payload(transaction.connection, entry)
            if isinstance(said, RevokedRelease) and said.sequence <= place.sequence:
                yield entry.sequence


def read_account_notices(
    files: Sequence[str], release: SignedRelease, signer: SignerName
) -> tuple[AccountNotice, ...]:
    """What the notices of a dossier say, each held against its release and its signer.

    Args:
        files: as :func:`account_notices` returns them.
        release: the release of the dossier.
        signer: who signs the dossier.

    Raises:
        Refused: ``dossier-notices-odd``: one is no notice of this signer, is not about this
            release or an earlier one, or they are not in the order of their entries.
    """
    found = tuple(_read(signed, release, signer) for signed in files)
    decided = [one.notice.decided_in for one in found]
    if decided != sorted(set(decided)):
        raise refuse("dossier-notices-odd")
    return found


def _read(signed: str, release: SignedRelease, signer: SignerName) -> AccountNotice:
    try:
        notice = parse_notice(signed.encode("ascii"))
    except (Refused, UnicodeEncodeError):
        raise refuse("dossier-notices-odd") from None
    own = (release.record.place.sequence, release.head, release.record.id)
    named = (notice.sequence, notice.head, notice.release_id)
    is_earlier = notice.sequence < own[0]
    is_later_decision = notice.decided_in > notice.sequence
    if notice.signer != signer or not is_later_decision or not (is_earlier or named == own):
        raise refuse("dossier-notices-odd")
    return AccountNotice(notice, signed, named == own)
