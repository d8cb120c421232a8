# SPDX-License-Identifier: Apache-2.0
"""What a record says of a second person: whose signature its account requires, and over what.

The second person signs the plan before the release, the manifest before the export, or both. The
key is the one that the account's own entry pins, never one that came with a signature.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Annotated, Literal, Self, get_args

from dpdesk.release.record.declared import (
    Declared,
    Flag,
    Hash,
    Minute,
    Text,
    Whole,
    matching,
    nested,
    one_of,
    or_null,
    where_set,
)
from dpdesk.release.record.strict_object import StrictObject, malformed
from dpdesk.study import limits
from dpdesk.study.model.amount import Epsilon, Share

Stage = Literal["release", "export", "both"]
STAGES: tuple[Stage, ...] = get_args(Stage)
NUMBER = re.compile(r"[0-9a-f]{32}")
_IDENTITY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@-]{0,99}")
KEY_LINE = re.compile(r"ssh-ed25519 [A-Za-z0-9+/]{68}")
_ARMORED = re.compile(r"[ -~\n]{1,1000}")


@dataclass(frozen=True)
class SecondPerson(Declared):
    """Whose signature an account requires, besides the signer's own.

    Attributes:
        before: what it is required before.
        public_line: their key: ``ssh-ed25519 AAAA...``.
    """

    before: Annotated[Stage, one_of(STAGES)]
    identity: Annotated[str, matching(_IDENTITY)]
    public_line: Annotated[str, matching(KEY_LINE)._replace(key="key")]

    @property
    def signs_plan(self) -> bool:
        return self.before != "export"

    @property
    def signs_manifest(self) -> bool:
        return self.before != "release"

    @property
    def blob(self) -> bytes:
        """Their key in wire format."""
        return base64.b64decode(self.public_line.split(" ")[1])


@dataclass(frozen=True)
class Instalment(Declared):
    """Which release of a planned series a plan is for.

    Attributes:
        number: from 1.
    """

    series: Annotated[str, matching(limits.ID_PATTERN)]
    number: Whole
    of: Whole

    @classmethod
    def read(cls, members: StrictObject, share: type[Share] = Epsilon) -> Self:
        """Read it, and refuse a number that the series has not."""
        found = super().read(members, share)
        if not 1 <= found.number <= found.of:
            raise malformed(members.at("number"))
        return found


INSTALMENT = or_null(nested(Instalment))
"""Which release of a series something is for; null outside one."""


@dataclass(frozen=True)
class SignedPlan(Declared):
    """The second person's signature over a release's plan.

    Attributes:
        number: 32 random hex digits, which make the plan one that is used once.
        fresh: whether everything was drawn and paid again.
        signature: as OpenSSH writes it.
        instalment: which release of a series it is; ``None`` outside one.
    """

    number: Annotated[str, matching(NUMBER)]
    fresh: Flag
    signature: Annotated[str, matching(_ARMORED)]
    instalment: Annotated[Instalment | None, INSTALMENT] = None


@dataclass(frozen=True)
class SecondPersonRecord(Declared):
    """What a release states of its second person.

    Attributes:
        entry: hash of the entry that requires them.
        plan: the plan's signature, where it is required.
    """

    person: Annotated[SecondPerson, nested(SecondPerson)]
    entry: Hash
    plan: Annotated[SignedPlan | None, where_set(nested(SignedPlan))] = None


@dataclass(frozen=True)
class Override(Declared):
    """A second person who was required no longer, or replaced, without their signature.

    Attributes:
        entry: hash of the entry that says so.
        time: its minute.
        was: who was required.
        now: who was from then on; ``None`` where nobody was.
    """

    entry: Hash
    time: Minute
    was: Annotated[SecondPerson, nested(SecondPerson)]
    now: Annotated[SecondPerson | None, or_null(nested(SecondPerson))]
    reason: Text

    @classmethod
    def read(cls, members: StrictObject, share: type[Share] = Epsilon) -> Self:
        """Read it, and refuse a reason that nobody could have typed."""
        found = super().read(members, share)
        is_short = 0 < len(found.reason) <= limits.MAX_TEXT
        is_typed = found.reason == found.reason.strip() and limits.is_printable_text(found.reason)
        if not (is_short and is_typed):
            raise malformed(members.at("reason"))
        return found
