# SPDX-License-Identifier: Apache-2.0
"""What a record says of a second person: whose signature its account requires, and over what.

The second person signs the plan before the release, the manifest before the export, or both. The
key is the one that the account's own entry pins, never one that came with a signature.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Literal, get_args

from dpdesk.release.record.strict_object import HASH, StrictObject, malformed
from dpdesk.study import limits
from dpdesk.study.json.study_writer import Members

Stage = Literal["release", "export", "both"]
STAGES: tuple[Stage, ...] = get_args(Stage)
NUMBER = re.compile(r"[0-9a-f]{32}")
_IDENTITY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@-]{0,99}")
KEY_LINE = re.compile(r"ssh-ed25519 [A-Za-z0-9+/]{68}")
_ARMORED = re.compile(r"[ -~\n]{1,1000}")


@dataclass(frozen=True)
class SecondPerson:
    """Whose signature an account requires, besides the signer's own.

    Attributes:
        before: what it is required before.
        identity: the second person's name.
        public_line: their key: ``ssh-ed25519 AAAA...``.
    """

    before: Stage
    identity: str
    public_line: str

    @property
    def signs_plan(self) -> bool:
        """Whether the plan is signed before the release."""
        return self.before != "export"

    @property
    def signs_manifest(self) -> bool:
        """Whether the manifest is signed before the export."""
        return self.before != "release"

    @property
    def blob(self) -> bytes:
        """Their key in wire format."""
        return base64.b64decode(self.public_line.split(" ")[1])

    def members(self) -> Members:
        """As JSON."""
        return {"before": self.before, "identity": self.identity, "key": self.public_line}


@dataclass(frozen=True)
class Instalment:
    """Which release of a planned series a plan is for.

    Attributes:
        series: the series's name in its account.
        number: from 1.
        of: how many releases the series has.
    """

    series: str
    number: int
    of: int

    def members(self) -> Members:
        """As JSON."""
        return {"series": self.series, "number": self.number, "of": self.of}


@dataclass(frozen=True)
class SignedPlan:
    """The second person's signature over a release's plan.

    Attributes:
        number: 32 random hex digits, which make the plan one that is used once.
        fresh: whether everything was drawn and paid again.
        signature: as OpenSSH writes it.
        instalment: which release of a series it is; ``None`` outside one.
    """

    number: str
    fresh: bool
    signature: str
    instalment: Instalment | None = None

    def members(self) -> Members:
        """As JSON."""
        return {
            "number": self.number,
            "fresh": self.fresh,
            "instalment": instalment_members(self.instalment),
            "signature": self.signature,
        }


@dataclass(frozen=True)
class SecondPersonRecord:
    """What a release states of its second person.

    Attributes:
        person: who.
        entry: hash of the entry that requires them.
        plan: the plan's signature, where it is required.
    """

    person: SecondPerson
    entry: str
    plan: SignedPlan | None = None

    def members(self) -> Members:
        """As JSON."""
        members = {**self.person.members(), "entry": self.entry}
        return members if self.plan is None else members | {"plan": self.plan.members()}


@dataclass(frozen=True)
class Override:
    """A second person who was required no longer, or replaced, without their signature.

    Attributes:
        entry: hash of the entry that says so.
        time: its minute.
        was: who was required.
        now: who was from then on; ``None`` where nobody was.
        reason: why, as the custodian typed it.
    """

    entry: str
    time: str
    was: SecondPerson
    now: SecondPerson | None
    reason: str

    def members(self) -> Members:
        """As JSON."""
        return {
            "entry": self.entry,
            "time": self.time,
            "was": self.was.members(),
            "now": None if self.now is None else self.now.members(),
            "reason": self.reason,
        }


def read_override(members: StrictObject) -> Override:
    """Read what :meth:`Override.members` wrote.

    Raises:
        Refused: see ``StrictObject``.
    """
    nobody = members.nothing("now")
    found = Override(
        entry=members.text("entry", HASH),
        time=members.minute("time"),
        was=members.nested("was", read_person),
        now=None if nobody else members.nested("now", read_person),
        reason=members.text("reason"),
    )
    if not _is_reason(found.reason):
        raise malformed(members.at("reason"))
    return found


def _is_reason(text: str) -> bool:
    """Whether a text is one that could have been typed as a reason."""
    is_short = 0 < len(text) <= limits.MAX_TEXT
    return is_short and text == text.strip() and limits.is_printable_text(text)


def read_person(members: StrictObject) -> SecondPerson:
    """Read what :meth:`SecondPerson.members` wrote.

    Raises:
        Refused: see ``StrictObject``.
    """
    return SecondPerson(
        before=members.word("before", STAGES),
        identity=members.text("identity", _IDENTITY),
        public_line=members.text("key", KEY_LINE),
    )


def read_second_person(members: StrictObject) -> SecondPersonRecord:
    """Read what :meth:`SecondPersonRecord.members` wrote.

    Raises:
        Refused: see ``StrictObject``.
    """
    person, entry = read_person(members), members.text("entry", HASH)
    return SecondPersonRecord(
        person, entry, members.nested("plan", _plan) if members.has("plan") else None
    )


def _plan(members: StrictObject) -> SignedPlan:
    number, fresh = members.text("number", NUMBER), members.flag("fresh")
    instalment = read_instalment(members)
    return SignedPlan(number, fresh, members.text("signature", _ARMORED), instalment)


def instalment_members(instalment: Instalment | None) -> Members | None:
    """As JSON; null outside a series."""
    return None if instalment is None else instalment.members()


def read_instalment(members: StrictObject) -> Instalment | None:
    """Read the member ``instalment``, as :func:`instalment_members` wrote it.

    Raises:
        Refused: see ``StrictObject``.
    """
    if members.nothing("instalment"):
        return None
    return members.nested("instalment", _instalment)


def _instalment(members: StrictObject) -> Instalment:
    found = Instalment(
        members.text("series", limits.ID_PATTERN), members.whole("number"), members.whole("of")
    )
    if not 1 <= found.number <= found.of:
        raise malformed(members.at("number"))
    return found
