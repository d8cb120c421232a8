# SPDX-License-Identifier: Apache-2.0
"""What each kind of entry says, as typed values: written to JSON once and parsed once.

A payload enters the chain by the digest of its text, so the text of an entry never changes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final, get_args

from dpdesk.catalogue import Template
from dpdesk.release.ledger.chain import Entry, damaged
from dpdesk.release.ledger.decisions.decided import DECISIONS
from dpdesk.release.ledger.decisions.entry_payload import EntryPayload
from dpdesk.release.record.amounts import delta_text
from dpdesk.release.record.declared import (
    FLAG,
    Budget,
    Declared,
    Hash,
    HashOrNothing,
    OfDelta,
    Text,
    Whole,
    listed,
    matching,
    one_of,
    where_set,
)
from dpdesk.release.record.parse import read_stored
from dpdesk.release.record.second_person import NUMBER, Override
from dpdesk.release.record.strict_object import StrictObject, read_whole
from dpdesk.release.record.totals import Totals, share_of
from dpdesk.release.record.values import StoredRelease
from dpdesk.release.record.write import stored_members
from dpdesk.study.json.study_writer import canonical
from dpdesk.study.limits import ID_PATTERN
from dpdesk.study.model.amount import NO_DELTA, zero
from dpdesk.study.model.unit import Neighbours
from dpdesk.study.problem import Refused, refuse

SALT = "salt"
_SECOND_RECORDS: Final[dict[str, Template]] = {
    "missing": "The second record was missing",
    "damaged": "The second record was damaged",
    "behind": "The second record was behind by several entries",
    "unwritable": "The second record could not be written",
}
_OF_LATER_VERSIONS = frozenset({"claim-format-unknown", "claim-word-unknown"})
Locked = Annotated[bool, where_set(FLAG)]


@dataclass(frozen=True)
class OpenedAccount(EntryPayload):
    """An account was opened.

    Attributes:
        reason: for whom, and who decided; may be empty.
        total: all that may ever be spent.
        delta: the account's; nothing in pure epsilon.
        delta_kept: the part of it that releases of found categories may charge.
    """

    reason: Text
    total: Budget
    delta: OfDelta = NO_DELTA
    delta_kept: OfDelta = NO_DELTA
    KIND = "open-account"
    SENTENCE: ClassVar[Template] = "Delta {delta}, of it {delta_kept} for found categories."

    @property
    def sentence(self) -> Template:
        return self.SENTENCE if self.delta_kept.atto else ""

    def facts(self) -> dict[str, object]:
        deltas = {"delta": delta_text(self.delta), "delta_kept": delta_text(self.delta_kept)}
        return super().facts() | deltas

    @property
    def sums(self) -> Totals:
        return Totals(self.total, zero(self.total.measure), self.delta, self.delta_kept)


@dataclass(frozen=True)
class RaisedAccount(EntryPayload):
    """An account's total was raised, or the part of its delta for found categories, or both.

    Attributes:
        before, total: all that could, and can, be spent.
        kept_before, delta_kept: the part of its delta before, and since. The whole delta grows by
            as much: the other part stays.
    """

    reason: Text
    before: Budget
    total: Budget
    kept_before: OfDelta = NO_DELTA
    delta_kept: OfDelta = NO_DELTA
    KIND = "raise"
    SENTENCE: ClassVar[Template] = "Delta for found categories raised to {delta_kept}:"

    @property
    def sentence(self) -> Template:
        return self.SENTENCE if self.delta_kept > self.kept_before else ""

    def facts(self) -> dict[str, object]:
        return super().facts() | {"delta_kept": delta_text(self.delta_kept)}

    @property
    def sums(self) -> Totals:
        measure, delta = self.total.measure, self.delta_kept - self.kept_before
        more = share_of(measure, self.total.units - self.before.units)
        return Totals(more, zero(measure), delta, delta)


@dataclass(frozen=True)
class FailedRelease(EntryPayload):
    """A release whose noise was drawn ended in an error of the program; its price stays spent.

    Which noise lets it end so is an outcome of the draw, and drawing until it ends well would
    choose among draws of which one is paid for.

    Attributes:
        charged, delta: what the release would have charged.
        neighbours: of which kind of neighbours that is the loss.
        plan: number of the plan that a second person signed for it; empty where nobody did.
    """

    charged: Budget
    delta: OfDelta
    neighbours: Annotated[str, one_of(get_args(Neighbours))]
    plan: Annotated[str, where_set(matching(NUMBER))] = ""
    KIND = "failed-release"
    SENTENCE: ClassVar[Template] = (
        "Internal error after the noise was drawn; no figure of it was shown."
    )

    @property
    def sums(self) -> Totals:
        nothing = zero(self.charged.measure)
        return Totals(nothing, self.charged, NO_DELTA, NO_DELTA, self.delta)


class Reconciled(EntryPayload):
    """The ledger, or its second record, had lost something."""

    KIND = "reconcile"


@dataclass(frozen=True)
class ReconciledAccount(Reconciled):
    """What an older copy of the ledger had lost was charged.

    Attributes:
        known_sequence, known_head: the last entry that was remembered elsewhere.
        lifted: by how much the total was lifted to what was spent.
        lifted_delta: the same of the account's delta.
        locked: a lost entry without amounts may have locked the account, so it is locked.
    """

    reason: Text
    known_sequence: Whole
    known_head: Hash
    lifted: Budget
    lifted_delta: OfDelta = NO_DELTA
    locked: Locked = False
    WORD = "account"

    @property
    def locks(self) -> bool:
        return self.locked


@dataclass(frozen=True)
class LostSecondRecord(Reconciled):
    """The ledger's second record was of no use, so an older copy may have come unnoticed.

    Attributes:
        state: ``missing``, ``damaged``, ``behind`` by several entries, or ``unwritable``.
    """

    state: Annotated[str, one_of(_SECOND_RECORDS)]
    WORD = "second-record"

    @property
    def sentence(self) -> Template:
        return _SECOND_RECORDS[self.state]


@dataclass(frozen=True)
class RestoredLedger(Reconciled):
    """The ledger was restored from a backup; what another machine spent since is unknown.

    Nothing is released until a person opens the account.

    Attributes:
        known_sequence, known_head: the last entry of the backup.
    """

    known_sequence: Whole
    known_head: Hash
    WORD = "restored"
    SENTENCE: ClassVar[Template] = "The ledger was restored from a backup"

    @property
    def locks(self) -> bool:
        return True


@dataclass(frozen=True)
class LostCharge(Declared):
    """A charge that a signed bundle states and the ledger lacked.

    Attributes:
        sequence: its entry in the chain that was lost.
        head: that entry's hash; empty where no bundle of that entry was at hand.
        after: the last entry that both chains have in common.
    """

    account: Annotated[str, matching(ID_PATTERN)]
    sequence: Whole
    head: HashOrNothing
    after: Whole
    charged: Budget
    delta: OfDelta


@dataclass(frozen=True)
class ImportedCharges(Reconciled):
    """What bundles state and the ledger lacked was charged.

    Attributes:
        reason: how the ledger came to lack it.
        lifted: by how much the total was lifted to what was spent.
        locked: the account was rebuilt from bundles alone, and a person has to open it.
        neighbours: of which kind of neighbours the charges are the loss, as the bundles claim.
        overrides: second persons who were replaced without their signature, as the bundles state
            and the ledger did not know.
    """

    reason: Text
    charges: Annotated[tuple[LostCharge, ...], listed(LostCharge)]
    lifted: Budget
    locked: Locked = False
    neighbours: Annotated[str, where_set(one_of(get_args(Neighbours)))] = ""
    overrides: Annotated[tuple[Override, ...], where_set(listed(Override))] = ()
    WORD = "bundles"

    @property
    def locks(self) -> bool:
        return self.locked


Payload = EntryPayload | StoredRelease
_ALL: tuple[type[EntryPayload], ...] = (
    OpenedAccount,
    RaisedAccount,
    FailedRelease,
    ReconciledAccount,
    LostSecondRecord,
    RestoredLedger,
    ImportedCharges,
    *DECISIONS,
)


def payload_text(payload: Payload, salt: str) -> str:
    """A payload as the ledger keeps it: canonical JSON.

    A bundle lists the hashes of all entries so far, which other accounts and people may have
    made. Beside each payload is a salt that no bundle holds, so that its digest, by which it
    enters the entry's hash, is as good as random to anyone who does not have the ledger: without it
    they could try typed texts, charges and unpublished figures until one gives the hash (see
    ``chain.entry_hash``).

    Args:
        salt: 32 random hex digits. They are no part of what the entry says, and are dropped as
            it is read.
    """
    said = stored_members(payload) if isinstance(payload, StoredRelease) else payload.members()
    return canonical(said | {SALT: salt})


def parse_payload(entry: Entry, text: str) -> Payload:
    """What an entry says.

    Args:
        text: its payload, checked against its digest.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence), or ``entry-too-new`` (param sequence)
            where a later version wrote it.
    """
    try:
        members = json.loads(text)
        payload = read_whole(members, "$", lambda found: _unsalted(found, entry))
    except Refused as refused:
        if refused.problems[0].code in _OF_LATER_VERSIONS:
            raise refuse("entry-too-new", sequence=str(entry.sequence)) from None
        raise damaged("payload", entry.sequence) from None
    except (ValueError, KeyError, RecursionError):
        raise damaged("payload", entry.sequence) from None
    if not _is_of(payload, entry):
        raise damaged("payload", entry.sequence)
    return payload


def _is_of(payload: Payload, entry: Entry) -> bool:
    """Whether an entry's account and amounts are those that its payload says."""
    if isinstance(payload, ImportedCharges):
        return all(charge.account == entry.account for charge in payload.charges)
    if isinstance(payload, OpenedAccount | RaisedAccount | FailedRelease):
        try:
            return payload.sums == entry.sums
        except ValueError:
            return False  # it lowers what it says to raise
    return True


def _unsalted(members: StrictObject, entry: Entry) -> Payload:
    members.text(SALT, NUMBER)
    if entry.kind == StoredRelease.KIND:
        return read_stored(members)
    kinds = {kind.WORD: kind for kind in _ALL if entry.kind == kind.KIND}
    kind = kinds["" if "" in kinds else members.word(entry.kind, kinds)]
    return kind.read(members, type(entry.granted))
