# SPDX-License-Identifier: Apache-2.0
"""What signed releases state of this ledger's chain, and the charges of it that the ledger lacks.

A release is linked to the chain by a hash that the ledger, its second record, an earlier import or
another linked release knows; or where it goes on after the ledger's last entry, and all that its
account had charged until then is what the ledger holds. Each linked release has a fork point: the
last entry that its chain and the ledger have in common. Its charges after that are lost, unless
they were charged again before.

A charge is known by the hash of its entry where that entry's own bundle is at hand, and else by
its number and amount: two copies that charged the same under the same number are then taken for
one, so all bundles should be imported together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from dpdesk.release.ledger.chain import Entry, sums_of
from dpdesk.release.ledger.decisions.decided import Arrived
from dpdesk.release.ledger.decisions.series import end_unfunded
from dpdesk.release.ledger.heads import Heads
from dpdesk.release.ledger.payloads import (
    ImportedCharges,
    LostCharge,
    LostSecondRecord,
    ReconciledAccount,
    RestoredLedger,
)
from dpdesk.release.ledger.reconcile import lifted_by
from dpdesk.release.ledger.transaction import Transaction, read_payload, refuse_other_measure
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.release.record.second_person import Override
from dpdesk.release.record.totals import Totals, together
from dpdesk.release.record.values import SignedRelease
from dpdesk.study.model.amount import NO_DELTA, AccountDelta, Delta, zero

NO_OVERRIDES: Final[Mapping[str, tuple[Override, ...]]] = MappingProxyType({})
Linked = Mapping[str, int]
"""Fork points of linked releases, by the hash of their entry."""


@dataclass(frozen=True)
class KnownChain:
    """What this machine knows of the chain.

    Attributes:
        entries: the ledger's.
        heads: its second record.
        imported: charges that earlier imports entered.
        copies: lengths at which another copy of the chain may have gone on.
        reconciled: last lost entries that were made good for by the second record, by their hash;
            each with the length of the ledger's own chain by then.
    """

    entries: tuple[Entry, ...]
    heads: Heads
    imported: tuple[LostCharge, ...]
    copies: tuple[int, ...]
    reconciled: Mapping[str, int]

    @classmethod
    def of(cls, transaction: Transaction, heads: Heads) -> KnownChain:
        """What a transaction can see.

        Raises:
            Refused: ``ledger-damaged``.
        """
        imported, reconciled = list[LostCharge](), dict[str, int]()
        copies = [len(transaction.entries)]
        for entry in transaction.entries:
            if entry.kind not in (ReconciledAccount.KIND, Arrived.KIND):
                continue
            payload = read_payload(transaction.connection, entry)
            if isinstance(payload, ImportedCharges):
                imported += payload.charges
                if not payload.charges:  # no hash of the other copy is known, but where it went on
                    copies.append(entry.sequence - 1)
            if isinstance(payload, (RestoredLedger, Arrived)):
                copies.append(payload.known_sequence)
            if isinstance(payload, LostSecondRecord):
                copies.append(entry.sequence - 1)  # an older copy may have come unnoticed there
            if isinstance(payload, ReconciledAccount):
                reconciled.setdefault(payload.known_head, entry.sequence - 1)
        return cls(transaction.entries, heads, tuple(imported), tuple(copies), reconciled)

    def link(self, releases: Iterable[SignedRelease]) -> Linked:
        """The releases that belong to this chain; each may link others."""
        pending = {release.head: release for release in releases}
        linked = dict[str, int]()
        places = self._places()
        while True:
            found = {
                head: self._fork_point(release, {**places, **linked})
                for head, release in pending.items()
                if head not in linked
            }
            more = {head: after for head, after in found.items() if after is not None}
            if not more:
                return linked
            linked |= more

    def lost(self, releases: Iterable[SignedRelease], linked: Linked) -> tuple[LostCharge, ...]:
        """Charges of linked releases that the ledger lacks and never made good for."""
        own = [release for release in releases if release.head in linked]
        stated = dict.fromkeys(c for release in own for c in _charges(release, linked))
        named = {_plain(charge) for charge in stated if charge.head}
        good = set(self._made_good(own, linked))
        return tuple(
            charge
            for charge in stated
            if (charge.head or _plain(charge) not in named)
            and _plain(charge) not in good
            and not self._holds(charge)
        )

    def _holds(self, charge: LostCharge) -> bool:
        """Whether a charge is known here: by its hash, or as far as can be known without one."""
        if charge.head:
            hashes = {entry.hash for entry in self.entries} | {m.hash for m in self.heads.marks}
            nameless = {_plain(known) for known in self.imported if not known.head}
            known = hashes | {known.head for known in self.imported}
            return charge.head in known or _plain(charge) in nameless
        if _plain(charge) in {_plain(known) for known in self.imported}:
            return True
        marks = self.heads.marks[charge.sequence - 1 : charge.sequence]
        return any(m.account == charge.account and m.sums.charged == charge.charged for m in marks)

    def _places(self) -> dict[str, int]:
        """The fork point that each known hash represents."""
        lost = len(self.heads.marks) - len(self.heads.lost_from(self.entries))
        places = {charge.head: charge.after for charge in self.imported if charge.head}
        places |= self.reconciled
        places |= {mark.hash: lost for mark in self.heads.marks[lost:]}
        return places | {entry.hash: entry.sequence for entry in self.entries}

    def _fork_point(self, release: SignedRelease, places: Mapping[str, int]) -> int | None:
        if not self.entries and not self.heads.marks:
            return 0  # no chain is known: a new computer
        for known in (release.head, release.record.place.previous):
            if known in places:
                return places[known]
        return next((last for last in self.copies if self._goes_on(release, last)), None)

    def _goes_on(self, release: SignedRelease, last: int) -> bool:
        """Whether a release's account charged what the ledger held by an entry, and then more."""
        account = release.record.account
        held = [
            (entry.sequence, entry.charged, entry.delta_charged)
            for entry in self.entries[:last]
            if entry.account == account.name and entry.charged.units
        ]
        stated = [(c.sequence, c.charged, c.delta) for c in account.charges if c.sequence <= last]
        return release.record.place.sequence > last + 1 and bool(held) and held == stated

    def _made_good(
        self, releases: Iterable[SignedRelease], linked: Linked
    ) -> Iterator[tuple[object, ...]]:
        """Charges that were made good for by the second record, as its last lost release says."""
        for release in releases:
            if release.head in self.reconciled:
                yield from map(_plain, _charges(release, linked))


def _charges(release: SignedRelease, linked: Linked) -> Iterator[LostCharge]:
    """The charges that a release states after its fork point; its own with its hash."""
    account, after = release.record.account, linked[release.head]
    for charge in account.charges:
        if charge.sequence > after:
            head = release.head if charge.sequence == release.record.place.sequence else ""
            place = (account.name, charge.sequence, head, after)
            yield LostCharge(*place, charge.charged, charge.delta)


def _plain(charge: LostCharge) -> tuple[object, ...]:
    """A charge without the hash of its entry."""
    return (charge.account, charge.sequence, charge.charged, charge.delta)


def import_lost(
    transaction: Transaction,
    lost: Sequence[LostCharge],
    deltas: Mapping[str, AccountDelta],
    kinds: Mapping[str, str],
    reason: str,
    overrides: Mapping[str, tuple[Override, ...]] = NO_OVERRIDES,
) -> tuple[Entry, ...]:
    """Charge what was lost and state what was, one entry an account.

    Args:
        transaction: where it is added.
        lost: what the ledger lacks.
        deltas: the delta that each account was stated to have.
        kinds: of which kind of neighbours each account's losses were stated to be.
        reason: how the ledger came to lack it.
        overrides: of which accounts the ledger lacks that a second person was replaced.

    Raises:
        Refused: ``reason-missing``, those of texts, or ``account-measure-differs``.
    """
    reason = checked_text("reason", reason, required=True)
    accounts = dict.fromkeys((*(charge.account for charge in lost), *overrides))
    return tuple(
        _import(
            transaction,
            name,
            [charge for charge in lost if charge.account == name],
            deltas[name],
            ImportedCharges(
                *(reason, (), zero("epsilon")),
                neighbours=kinds.get(name, ""),
                overrides=overrides.get(name, ()),
            ),
        )
        for name in accounts
    )


def _import(
    transaction: Transaction,
    name: str,
    lost: Sequence[LostCharge],
    delta: AccountDelta,
    said: ImportedCharges,
) -> Entry:
    own = [entry for entry in transaction.entries if entry.account == name]
    measure = lost[0].charged.measure if lost else own[0].measure
    for charge in lost:
        refuse_other_measure(name, measure, charge.charged.measure)
    charged = together(measure, (charge.charged for charge in lost))
    held = sums_of(own, name) if own else Totals.none(measure)
    refuse_other_measure(name, held.measure, charged.measure)
    parts = (NO_DELTA, NO_DELTA) if own else (delta.whole, delta.kept)
    more = Totals(zero(charged.measure), charged, *parts, _deltas(lost))
    lifted, lifted_delta = lifted_by(held + more)
    entry = transaction.append(
        name,
        replace(said, charges=tuple(lost), lifted=lifted, locked=not own),
        granted=lifted,
        charged=charged,
        delta_granted=more.delta_granted + lifted_delta,
        delta_kept=more.delta_kept + lifted_delta,
        delta_charged=more.delta_charged,
    )
    end_unfunded(transaction, name, said.reason)
    return entry


def _deltas(lost: Sequence[LostCharge]) -> Delta:
    return Delta(sum(charge.delta.atto for charge in lost))
