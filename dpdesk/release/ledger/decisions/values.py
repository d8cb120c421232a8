# SPDX-License-Identifier: Apache-2.0
"""What each decision says, as typed values: written to JSON once and parsed once.

A version before 4 of the ledger knew one decision alone, that people are others
(``payloads.SeparatePeople``). Whoever meets a word of a later version refuses the entry as too new.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from dpdesk.release.ledger.chain import Entry
from dpdesk.release.ledger.decisions.signing import (
    RevokedSigner,
    SecondPersonDecision,
    read_revoked,
    read_second_person,
)
from dpdesk.release.record.strict_object import HASH, SHORT, StrictObject
from dpdesk.study.json.study_writer import Members

KIND = "decision"
MOVE_CODE = re.compile(r"[a-z2-7]{16}")


@dataclass(frozen=True)
class OpenedRecovery:
    """A person opened a locked account, without proof of what was spent elsewhere.

    Attributes:
        reason: why.
    """

    reason: str
    KIND: ClassVar[str] = KIND
    WORD: ClassVar[str] = "opened-recovery"

    def members(self) -> Members:
        """As JSON."""
        return {"decision": self.WORD, "reason": self.reason}


@dataclass(frozen=True)
class MovedAway:
    """The ledger was closed, to go on in another home.

    Attributes:
        code: the public half of the other home's secret; see ``backup.move``.
    """

    code: str
    KIND: ClassVar[str] = KIND
    WORD: ClassVar[str] = "moved-away"
    reason: ClassVar[str] = ""

    def members(self) -> Members:
        """As JSON."""
        return {"decision": self.WORD, "code": self.code}


@dataclass(frozen=True)
class Arrived:
    """The ledger goes on in the home to which it was moved on purpose.

    Attributes:
        known_sequence, known_head: the last entry of the closed ledger.
    """

    known_sequence: int
    known_head: str
    KIND: ClassVar[str] = KIND
    WORD: ClassVar[str] = "arrived"
    reason: ClassVar[str] = ""

    def members(self) -> Members:
        """As JSON."""
        return {
            "decision": self.WORD,
            "from": {"sequence": self.known_sequence, "head": self.known_head},
        }


@dataclass(frozen=True)
class RevokedRelease:
    """A published release was withdrawn or corrected; what it cost stays spent.

    Attributes:
        kind: ``withdrawn`` or ``corrected``.
        sequence, head: the release's entry.
        replaced_by: hash of the entry of the release that corrects it; empty where none is named.
        reason: why, as it stands in the notice to the recipients.
        identity, fingerprint: the signing key of who decided.
    """

    kind: Literal["withdrawn", "corrected"]
    sequence: int
    head: str
    replaced_by: str
    reason: str
    identity: str
    fingerprint: str
    KIND: ClassVar[str] = KIND

    @property
    def WORD(self) -> str:
        """Its word."""
        return self.kind

    def members(self) -> Members:
        """As JSON."""
        by = {"replaced_by": self.replaced_by} if self.replaced_by else {}
        return {
            "decision": self.kind,
            "release": {"sequence": self.sequence, "head": self.head},
            "reason": self.reason,
            "signer": {"identity": self.identity, "fingerprint": self.fingerprint},
            **by,
        }


Decision = (
    OpenedRecovery | MovedAway | Arrived | RevokedRelease | SecondPersonDecision | RevokedSigner
)


def parse_decision(word: str, members: StrictObject, entry: Entry) -> Decision:
    """What a decision says.

    Args:
        word: which one of ``WORDS`` it is.
        members: the others.
        entry: the entry that says it.

    Raises:
        Refused: see ``StrictObject``.
    """
    return _PARSERS[word](word, members, entry)


def _opened(_word: str, members: StrictObject, _entry: Entry) -> OpenedRecovery:
    return OpenedRecovery(members.text("reason"))


def _moved(_word: str, members: StrictObject, _entry: Entry) -> MovedAway:
    return MovedAway(members.text("code", MOVE_CODE))


def _arrived(_word: str, members: StrictObject, _entry: Entry) -> Arrived:
    return Arrived(*members.nested("from", _place))


def _revoked(word: str, members: StrictObject, _entry: Entry) -> RevokedRelease:
    sequence, head = members.nested("release", _place)
    by = members.text("replaced_by", HASH) if members.has("replaced_by") else ""
    reason = members.text("reason")
    kind: Literal["withdrawn", "corrected"] = "withdrawn" if word == "withdrawn" else "corrected"
    return RevokedRelease(kind, sequence, head, by, reason, *members.nested("signer", _signer))


def _signer(members: StrictObject) -> tuple[str, str]:
    return members.text("identity", SHORT), members.text("fingerprint", SHORT)


def _place(members: StrictObject) -> tuple[int, str]:
    return members.whole("sequence"), members.text("head", HASH)


_PARSERS: dict[str, Callable[[str, StrictObject, Entry], Decision]] = {
    OpenedRecovery.WORD: _opened,
    MovedAway.WORD: _moved,
    Arrived.WORD: _arrived,
    "withdrawn": _revoked,
    "corrected": _revoked,
    SecondPersonDecision.WORD: lambda _word, members, _entry: read_second_person(members),
    RevokedSigner.WORD: lambda _word, members, _entry: read_revoked(members),
}
WORDS = tuple(_PARSERS)
"""Every decision that this version knows, but for ``separate-people``."""
