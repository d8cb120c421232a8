# SPDX-License-Identifier: Apache-2.0
"""What each kind of entry says, as typed values: written to JSON once and parsed once.

A payload enters the chain by the digest of its text, so the text of an entry never changes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from dpdesk.release.ledger.chain import Entry, damaged
from dpdesk.release.ledger.decisions.values import WORDS, Decision, parse_decision
from dpdesk.release.record.parse import read_stored
from dpdesk.release.record.second_person import NUMBER, Override, read_override
from dpdesk.release.record.strict_object import HASH, StrictObject, malformed, read_whole
from dpdesk.release.record.values import StoredRelease
from dpdesk.release.record.write import stored_members
from dpdesk.study.json.study_writer import Members, canonical
from dpdesk.study.model.amount import NO_DELTA, Delta, Share
from dpdesk.study.problem import Refused, refuse

SEPARATE_PEOPLE = "separate-people"
SECOND_RECORD = "second_record"
RESTORED = "restored"
BUNDLES = "bundles"
LOCKED = "locked"
OVERRIDES = "second_person_overrides"
SALT = "salt"
LOST_STATES = ("missing", "damaged", "behind", "unwritable")
_OF_LATER_VERSIONS = frozenset({"claim-format-unknown", "claim-word-unknown"})


@dataclass(frozen=True)
class OpenedAccount:
    """An account was opened.

    Attributes:
        note: for whom, and who decided; may be empty.
        total: all that may ever be spent.
        delta: the account's; nothing in pure epsilon.
    """

    note: str
    total: Share
    delta: Delta = NO_DELTA
    KIND: ClassVar[str] = "open-account"

    def members(self) -> Members:
        """As JSON."""
        amounts = {"total": str(self.total), "measure": self.total.measure}
        return {"note": self.note, **amounts, "delta": str(self.delta)}


@dataclass(frozen=True)
class RaisedAccount:
    """An account's total was raised.

    Attributes:
        reason: why.
        before, total: the total before and after.
    """

    reason: str
    before: Share
    total: Share
    KIND: ClassVar[str] = "raise"

    def members(self) -> Members:
        """As JSON."""
        return {"reason": self.reason, "before": str(self.before), "total": str(self.total)}


@dataclass(frozen=True)
class SeparatePeople:
    """The people of an account were declared to be others than another account's.

    Attributes:
        accounts: the other accounts.
        reason: why.
    """

    accounts: tuple[str, ...]
    reason: str
    KIND: ClassVar[str] = "decision"

    def members(self) -> Members:
        """As JSON."""
        accounts = list(self.accounts)
        return {"decision": SEPARATE_PEOPLE, "accounts": accounts, "reason": self.reason}


@dataclass(frozen=True)
class ReconciledAccount:
    """What an older copy of the ledger had lost was charged.

    Attributes:
        reason: why.
        known_sequence, known_head: the last entry that was remembered elsewhere.
        lifted: by how much the total was lifted to what was spent.
        lifted_delta: the same of the account's delta.
        locked: a lost entry without amounts may have locked the account, so it is locked.
    """

    reason: str
    known_sequence: int
    known_head: str
    lifted: Share
    lifted_delta: Delta = NO_DELTA
    locked: bool = False
    KIND: ClassVar[str] = "reconcile"

    def members(self) -> Members:
        """As JSON."""
        known = {"sequence": self.known_sequence, "head": self.known_head}
        members: Members = {"reason": self.reason, "known": known, "lifted": str(self.lifted)}
        if self.lifted_delta.atto:
            members["lifted_delta"] = str(self.lifted_delta)
        return members | _lock_member(self.locked)


@dataclass(frozen=True)
class LostSecondRecord:
    """The ledger's second record was of no use, so an older copy may have come unnoticed.

    Attributes:
        state: ``missing``, ``damaged``, ``behind`` by several entries, or ``unwritable``.
    """

    state: str
    KIND: ClassVar[str] = "reconcile"
    reason: ClassVar[str] = ""

    def members(self) -> Members:
        """As JSON."""
        return {SECOND_RECORD: self.state}


@dataclass(frozen=True)
class RestoredLedger:
    """The ledger was restored from a backup; what another machine spent since is unknown.

    Nothing is released until a person opens the account.

    Attributes:
        known_sequence, known_head: the last entry of the backup.
    """

    known_sequence: int
    known_head: str
    KIND: ClassVar[str] = "reconcile"
    reason: ClassVar[str] = ""

    def members(self) -> Members:
        """As JSON."""
        known = {"sequence": self.known_sequence, "head": self.known_head}
        return {RESTORED: known}


@dataclass(frozen=True)
class LostCharge:
    """A charge that a signed bundle states and the ledger lacked.

    Attributes:
        account: the account that paid.
        sequence: its entry in the chain that was lost.
        head: that entry's hash; empty where no bundle of that entry was at hand.
        after: the last entry that both chains have in common.
        charged, delta: what was paid.
    """

    account: str
    sequence: int
    head: str
    after: int
    charged: Share
    delta: Delta

    def members(self) -> Members:
        """As JSON; the account is the entry's."""
        members: Members = {"sequence": self.sequence, "after": self.after}
        members |= {"head": self.head} if self.head else {}
        return members | {"charged": str(self.charged), "delta": str(self.delta)}


@dataclass(frozen=True)
class ImportedCharges:
    """What bundles state and the ledger lacked was charged.

    Attributes:
        reason: how the ledger came to lack it.
        charges: what was lost.
        lifted: by how much the total was lifted to what was spent.
        locked: the account was rebuilt from bundles alone, and a person has to open it.
        overrides: second persons who were replaced without their signature, as the bundles state
            and the ledger did not know.
    """

    reason: str
    charges: tuple[LostCharge, ...]
    lifted: Share
    locked: bool = False
    overrides: tuple[Override, ...] = ()
    KIND: ClassVar[str] = "reconcile"

    def members(self) -> Members:
        """As JSON."""
        charges = [charge.members() for charge in self.charges]
        members: Members = {"reason": self.reason, BUNDLES: charges, "lifted": str(self.lifted)}
        if self.overrides:
            members[OVERRIDES] = [override.members() for override in self.overrides]
        return members | _lock_member(self.locked)


Payload = (
    OpenedAccount
    | RaisedAccount
    | SeparatePeople
    | ReconciledAccount
    | LostSecondRecord
    | RestoredLedger
    | ImportedCharges
    | Decision
    | StoredRelease
)


def _lock_member(locked: bool) -> Members:
    """Written where it is so alone."""
    return {LOCKED: True} if locked else {}


def payload_text(payload: Payload, salt: str) -> str:
    """A payload as the ledger keeps it: canonical JSON.

    A bundle lists the hashes of all entries so far, which other accounts and people may have
    made. Beside each payload stands a salt that no bundle holds, so that its digest, by which it
    enters the entry's hash, is as good as random to whoever does not have the ledger: without it
    they could try typed texts, charges and unpublished figures until one gives the hash (see
    ``chain.entry_hash``).

    Args:
        payload: what the entry says.
        salt: 32 random hex digits. They are no part of what the entry says, and are dropped as
            it is read.
    """
    said = stored_members(payload) if isinstance(payload, StoredRelease) else payload.members()
    return canonical(said | {SALT: salt})


def parse_payload(entry: Entry, text: str) -> Payload:
    """What an entry says.

    Args:
        entry: the entry.
        text: its payload, checked against its digest.

    Raises:
        Refused: ``ledger-damaged`` (params what, sequence), or ``entry-too-new`` (param sequence)
            where a later version wrote it.
    """
    try:
        members = json.loads(text)
        return read_whole(members, "$", lambda found: _unsalted(found, entry))
    except Refused as refused:
        if refused.problems[0].code in _OF_LATER_VERSIONS:
            raise refuse("entry-too-new", sequence=str(entry.sequence)) from None
        raise damaged("payload", entry.sequence) from None
    except (ValueError, KeyError, RecursionError):
        raise damaged("payload", entry.sequence) from None


def _unsalted(members: StrictObject, entry: Entry) -> Payload:
    members.text(SALT, NUMBER)
    return _PARSERS[entry.kind](members, entry)


def _released(members: StrictObject, _entry: Entry) -> StoredRelease:
    return read_stored(members)


def _opened(members: StrictObject, entry: Entry) -> OpenedAccount:
    note, total = members.text("note"), members.amount("total", type(entry.granted))
    members.word("measure", (entry.measure,))
    return OpenedAccount(note, total, members.amount("delta", Delta))


def _raised(members: StrictObject, entry: Entry) -> RaisedAccount:
    before, total = (members.amount(key, type(entry.granted)) for key in ("before", "total"))
    return RaisedAccount(members.text("reason"), before, total)


def _decided(members: StrictObject, entry: Entry) -> SeparatePeople | Decision:
    word = members.word("decision", (SEPARATE_PEOPLE, *WORDS))
    if word in WORDS:
        return parse_decision(word, members, entry)
    return SeparatePeople(members.texts("accounts"), members.text("reason"))


def _reconciled(
    members: StrictObject, entry: Entry
) -> ReconciledAccount | LostSecondRecord | RestoredLedger | ImportedCharges:
    if members.has(SECOND_RECORD):
        return LostSecondRecord(members.word(SECOND_RECORD, LOST_STATES))
    if members.has(RESTORED):
        return RestoredLedger(*members.nested(RESTORED, _place))
    if members.has(BUNDLES):
        return _imported(members, entry)
    sequence, head = members.nested("known", _place)
    lifted_delta = NO_DELTA
    if members.has("lifted_delta"):
        lifted_delta = members.amount("lifted_delta", Delta)
    lifted = members.amount("lifted", type(entry.granted))
    reason, locked = members.text("reason"), _is_locked(members)
    return ReconciledAccount(reason, sequence, head, lifted, lifted_delta, locked)


def _imported(members: StrictObject, entry: Entry) -> ImportedCharges:
    kind = type(entry.granted)

    def charge(found: StrictObject) -> LostCharge:
        head = found.text("head", HASH) if found.has("head") else ""
        place = (entry.account, found.whole("sequence"), head, found.whole("after"))
        return LostCharge(*place, found.amount("charged", kind), found.amount("delta", Delta))

    charges = members.list(BUNDLES, charge)
    reason, lifted = members.text("reason"), members.amount("lifted", kind)
    overrides = members.list(OVERRIDES, read_override) if members.has(OVERRIDES) else ()
    return ImportedCharges(reason, charges, lifted, _is_locked(members), overrides)


def _is_locked(members: StrictObject) -> bool:
    if not members.has(LOCKED):
        return False
    if not members.flag(LOCKED):
        raise malformed(members.at(LOCKED))
    return True


def _place(members: StrictObject) -> tuple[int, str]:
    return members.whole("sequence"), members.text("head", HASH)


_PARSERS: dict[str, Callable[[StrictObject, Entry], Payload]] = {
    OpenedAccount.KIND: _opened,
    RaisedAccount.KIND: _raised,
    SeparatePeople.KIND: _decided,
    ReconciledAccount.KIND: _reconciled,
    StoredRelease.KIND: _released,
}
