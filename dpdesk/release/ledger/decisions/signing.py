# SPDX-License-Identifier: Apache-2.0
"""Decisions on who signs: a second person, and keys that ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dpdesk.release.record.second_person import KEY_LINE, NUMBER, SecondPerson, read_person
from dpdesk.release.record.strict_object import ANY, HASH, HASH_OR_NOTHING, StrictObject
from dpdesk.study.json.study_writer import Members

_DECISION = "decision"


@dataclass(frozen=True)
class SecondPersonDecision:
    """A second person's signature was made a requirement, given to another, or ended.

    Attributes:
        person: who signs from now on; ``None`` where nobody has to any more.
        reason: why.
        number: 32 random hex digits: no two ledgers have the same entry.
        replaces: hash of the entry that decided before; empty where none did.
        signature: of whom that entry required, over this change; empty where it required nobody.
    """

    person: SecondPerson | None
    reason: str
    number: str
    replaces: str = ""
    signature: str = ""
    KIND: ClassVar[str] = _DECISION
    WORD: ClassVar[str] = "second-person"

    @property
    def signer(self) -> str:
        """Who signs from now on; empty where nobody has to."""
        return self.person.identity if self.person else ""

    def members(self) -> Members:
        """As JSON."""
        return {
            "decision": self.WORD,
            "person": None if self.person is None else self.person.members(),
            "reason": self.reason,
            "number": self.number,
            "replaces": self.replaces,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class OverriddenSecondPerson:
    """Somebody else signs as the second person, or nobody, without the signature of who did.

    Their key is lost or revoked. It counts from here on, and every later bundle states it.

    Attributes:
        person: who signs from now on; ``None`` where nobody has to any more.
        reason: why; it stands in the bundles.
        number: 32 random hex digits: no two ledgers have the same entry.
        replaces: hash of the entry that required who was overridden.
        custodian: the custodian's key: ``ssh-ed25519 AAAA...``.
        signature: the custodian's, over this change.
    """

    person: SecondPerson | None
    reason: str
    number: str
    replaces: str
    custodian: str
    signature: str = ""
    KIND: ClassVar[str] = _DECISION
    WORD: ClassVar[str] = "second-person-overridden"

    @property
    def signer(self) -> str:
        """Who signs from now on; empty where nobody has to."""
        return self.person.identity if self.person else ""

    def members(self) -> Members:
        """As JSON."""
        return {
            "decision": self.WORD,
            "person": None if self.person is None else self.person.members(),
            "reason": self.reason,
            "number": self.number,
            "replaces": self.replaces,
            "custodian": self.custodian,
            "signature": self.signature,
        }


@dataclass(frozen=True)
class RevokedSigner:
    """A key that signed for the account, or signed as the second person, was revoked.

    Attributes:
        signer: whose key it was.
        fingerprint: of the key.
        since: the day from which it is revoked.
        reason: why.
    """

    signer: str
    fingerprint: str
    since: str
    reason: str
    KIND: ClassVar[str] = _DECISION
    WORD: ClassVar[str] = "revoked-key"

    def members(self) -> Members:
        """As JSON."""
        return {
            "decision": self.WORD,
            "identity": self.signer,
            "fingerprint": self.fingerprint,
            "since": self.since,
            "reason": self.reason,
        }


def read_second_person(members: StrictObject) -> SecondPersonDecision:
    """Read what :meth:`SecondPersonDecision.members` wrote, but for its word.

    Raises:
        Refused: see ``StrictObject``.
    """
    nobody = members.nothing("person")
    return SecondPersonDecision(
        person=None if nobody else members.nested("person", read_person),
        reason=members.text("reason"),
        number=members.text("number", NUMBER),
        replaces=members.text("replaces", HASH_OR_NOTHING),
        signature=members.text("signature", ANY),
    )


def read_overridden(members: StrictObject) -> OverriddenSecondPerson:
    """Read what :meth:`OverriddenSecondPerson.members` wrote, but for its word.

    Raises:
        Refused: see ``StrictObject``.
    """
    nobody = members.nothing("person")
    return OverriddenSecondPerson(
        person=None if nobody else members.nested("person", read_person),
        reason=members.text("reason"),
        number=members.text("number", NUMBER),
        replaces=members.text("replaces", HASH),
        custodian=members.text("custodian", KEY_LINE),
        signature=members.text("signature", ANY),
    )


def read_revoked(members: StrictObject) -> RevokedSigner:
    """Read what :meth:`RevokedSigner.members` wrote, but for its word.

    Raises:
        Refused: see ``StrictObject``.
    """
    keys = ("identity", "fingerprint", "since", "reason")
    return RevokedSigner(*(members.text(key) for key in keys))
