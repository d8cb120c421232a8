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
    OverriddenSecondPerson,
    RevokedSigner,
    SecondPersonDecision,
    read_overridden,
    read_revoked,
    read_second_person,
)
from dpdesk.release.record.strict_object import HASH, SHORT, StrictObject, malformed
from dpdesk.study.json.study_writer import Members
from dpdesk.study.limits import ID_PATTERN
from dpdesk.study.model.amount import Delta, Share

KIND = "decision"
Rhythm = Literal["month", "quarter", "year"]
RHYTHMS: tuple[Rhythm, ...] = ("month", "quarter", "year")
MOST_INSTALMENTS = 240
"""Twenty years of months."""
MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
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

    def in_short(self) -> dict[str, str]:
        """What was decided, and why."""
        return {"kind": self.kind, "reason": self.reason}

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


@dataclass(frozen=True)
class BegunSeries:
    """A release that recurs reserved the budget of its whole schedule.

    Attributes:
        name: what it is called in its account.
        every: how often it is due.
        first: the month in which it is first due, such as ``2026-12``.
        count: how many instalments.
        instalment: what each costs.
        delta: what each costs of the account's delta.
        questions: digest of what each asks, at which price; see ``release.instalments``.
    """

    name: str
    every: Rhythm
    first: str
    count: int
    instalment: Share
    delta: Delta
    questions: str
    KIND: ClassVar[str] = KIND
    WORD: ClassVar[str] = "series-begun"
    reason: ClassVar[str] = ""

    def members(self) -> Members:
        """As JSON."""
        return {
            "decision": self.WORD,
            "name": self.name,
            "every": self.every,
            "first": self.first,
            "count": self.count,
            "instalment": str(self.instalment),
            "delta": str(self.delta),
            "questions": self.questions,
        }


@dataclass(frozen=True)
class DrawnInstalment:
    """The next release of the account is an instalment, and uses up its reservation.

    Attributes:
        series: the entry that began the series.
        number: which instalment it is, from 1.
    """

    series: int
    number: int
    KIND: ClassVar[str] = KIND
    WORD: ClassVar[str] = "instalment"
    reason: ClassVar[str] = ""

    def members(self) -> Members:
        """As JSON."""
        return {"decision": self.WORD, "series": self.series, "number": self.number}


@dataclass(frozen=True)
class EndedSeries:
    """A series was ended; what was reserved for instalments not drawn is free again.

    Attributes:
        series: the entry that began the series.
        reason: why.
    """

    series: int
    reason: str
    KIND: ClassVar[str] = KIND
    WORD: ClassVar[str] = "series-ended"

    def members(self) -> Members:
        """As JSON."""
        return {"decision": self.WORD, "series": self.series, "reason": self.reason}


Decision = (
    OpenedRecovery
    | MovedAway
    | Arrived
    | RevokedRelease
    | BegunSeries
    | DrawnInstalment
    | EndedSeries
    | SecondPersonDecision
    | OverriddenSecondPerson
    | RevokedSigner
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


def _begun(_word: str, members: StrictObject, entry: Entry) -> BegunSeries:
    count, instalment = members.whole("count"), members.amount("instalment", type(entry.granted))
    if not 1 <= count <= MOST_INSTALMENTS or not instalment.units:
        raise malformed(members.at("count"))
    return BegunSeries(
        name=members.text("name", ID_PATTERN),
        every=members.word("every", RHYTHMS),
        first=members.text("first", MONTH),
        count=count,
        instalment=instalment,
        delta=members.amount("delta", Delta),
        questions=members.text("questions", HASH),
    )


def _drawn(_word: str, members: StrictObject, _entry: Entry) -> DrawnInstalment:
    return DrawnInstalment(members.whole("series"), members.whole("number"))


def _ended(_word: str, members: StrictObject, _entry: Entry) -> EndedSeries:
    return EndedSeries(members.whole("series"), members.text("reason"))


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
    OverriddenSecondPerson.WORD: lambda _word, members, _entry: read_overridden(members),
    RevokedSigner.WORD: lambda _word, members, _entry: read_revoked(members),
    BegunSeries.WORD: _begun,
    DrawnInstalment.WORD: _drawn,
    EndedSeries.WORD: _ended,
}
WORDS = tuple(_PARSERS)
"""Every decision that this version knows, but for ``separate-people``."""
