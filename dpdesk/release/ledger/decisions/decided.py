# SPDX-License-Identifier: Apache-2.0
"""Every decision that a ledger can hold, each declared once.

A new one is a class here and in ``DECISIONS``, and what enters it. A word of a later version is
refused as too new.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, Self

from dpdesk.catalogue import Template
from dpdesk.release.ledger.decisions.entry_payload import EntryPayload
from dpdesk.release.record.declared import (
    TEXT,
    Budget,
    Form,
    Hash,
    HashOrNothing,
    OfDelta,
    Tables,
    Text,
    Whole,
    matching,
    nested,
    one_of,
    or_null,
)
from dpdesk.release.record.second_person import KEY_LINE, NUMBER, SecondPerson
from dpdesk.release.record.strict_object import SHORT, StrictObject, malformed
from dpdesk.release.record.totals import share_of
from dpdesk.study.json.strict_json import Members
from dpdesk.study.limits import ID_PATTERN
from dpdesk.study.model.amount import Epsilon, Share

Rhythm = Literal["month", "quarter", "year"]
RHYTHMS: tuple[Rhythm, ...] = ("month", "quarter", "year")
MOST_INSTALMENTS = 240
"""Twenty years of months."""
MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
MOVE_CODE = re.compile(r"[a-z2-7]{16}")
_Person = Annotated[SecondPerson | None, or_null(nested(SecondPerson))]
_Number = Annotated[str, matching(NUMBER)]
_Short = Annotated[str, matching(SHORT)]


class Decision(EntryPayload):
    """What a person decided about an account, a release, or who signs."""

    KIND = "decision"


@dataclass(frozen=True)
class SeparatePeople(Decision):
    """The people of an account were declared to be others than another account's."""

    accounts: Annotated[
        tuple[str, ...], Form(lambda m, key, _share: m.texts(key), lambda names: list(names))
    ]
    reason: Text
    WORD = "separate-people"
    SENTENCE: ClassVar[Template] = "Other people than those of {accounts}:"

    def facts(self) -> dict[str, object]:
        return {"accounts": ", ".join(self.accounts)}


@dataclass(frozen=True)
class OpenedRecovery(Decision):
    """A person opened a locked account, without proof of what was spent elsewhere."""

    reason: Text
    WORD = "opened-recovery"
    SENTENCE: ClassVar[Template] = "Unlocked:"


@dataclass(frozen=True)
class MovedAway(Decision):
    """The ledger was closed, to go on in another home.

    Attributes:
        code: the public half of the other home's secret; see ``backup.move``.
    """

    code: Annotated[str, matching(MOVE_CODE)]
    WORD = "moved-away"
    SENTENCE: ClassVar[Template] = "Moved to another computer"


@dataclass(frozen=True)
class Arrived(Decision):
    """The ledger goes on in the home to which it was moved on purpose.

    Attributes:
        known_sequence, known_head: the last entry of the closed ledger.
    """

    known_sequence: Whole
    known_head: Hash
    WORD = "arrived"
    SENTENCE: ClassVar[Template] = "Moved here from another computer"


@dataclass(frozen=True)
class RevokedRelease(Decision):
    """A published release was withdrawn or corrected; what it cost stays spent. A base of both.

    Attributes:
        sequence, head: the release's entry.
        replaced_by: hash of the entry of the release that corrects it; empty where none is named.
        reason: why, as it is in the notice to the recipients.
        identity, fingerprint: the signing key of who decided.
        tables: names of the only tables that it is about; empty where it is about all of them.
    """

    sequence: Whole
    head: Hash
    replaced_by: HashOrNothing
    reason: Text
    identity: _Short
    fingerprint: _Short
    tables: Tables = ()
    OF_TABLES: ClassVar[Template]

    @property
    def sentence(self) -> Template:
        return self.OF_TABLES if self.tables else self.SENTENCE

    def facts(self) -> dict[str, object]:
        return super().facts() | {"files": table_files(self.tables)}

    def is_about(self, table: str) -> bool:
        """Whether a table of the release is concerned."""
        return not self.tables or table in self.tables

    @property
    def kind(self) -> Literal["withdrawn", "corrected"]:
        """Whether it was withdrawn or corrected."""
        return "withdrawn" if self.WORD == "withdrawn" else "corrected"

    @property
    def concerned(self) -> int:
        return self.sequence

    def in_short(self) -> dict[str, str]:
        return {"kind": self.kind, "reason": self.reason}


def table_files(tables: Iterable[str]) -> str:
    """The files of tables, as they are in a bundle's folder of results.

    >>> table_files(("stays", "stays-by-ward"))
    'stays.csv, stays-by-ward.csv'
    """
    return ", ".join(f"{name}.csv" for name in tables)


@dataclass(frozen=True)
class WithdrawnRelease(RevokedRelease):
    WORD = "withdrawn"
    SENTENCE: ClassVar[Template] = "Release {release} (entry {entry} of the ledger) withdrawn:"
    OF_TABLES: ClassVar[Template] = (
        "Only {files} of release {release} (entry {entry} of the ledger) withdrawn:"
    )


@dataclass(frozen=True)
class CorrectedRelease(RevokedRelease):
    """Another release takes its place."""

    WORD = "corrected"
    SENTENCE: ClassVar[Template] = "Release {release} (entry {entry} of the ledger) corrected:"
    OF_TABLES: ClassVar[Template] = (
        "Only {files} of release {release} (entry {entry} of the ledger) corrected:"
    )


@dataclass(frozen=True)
class BegunSeries(Decision):
    """A release that recurs reserved the budget of its whole schedule.

    Attributes:
        first: the month in which it is first due, such as ``2026-12``.
        instalment: what each costs.
        delta: what each costs of the account's delta.
        questions: digest of what each asks, at which price; see
            ``release.ledger.spending.instalments``.
    """

    name: Annotated[str, matching(ID_PATTERN)]
    every: Annotated[Rhythm, one_of(RHYTHMS)]
    first: Annotated[str, matching(MONTH)]
    count: Whole
    instalment: Budget
    delta: OfDelta
    questions: Hash
    WORD = "series-begun"
    SENTENCE: ClassVar[Template] = "Series {name} begun: {reserved} reserved for {count} releases"

    @classmethod
    def read(cls, members: StrictObject, share: type[Share] = Epsilon) -> Self:
        """Read it, and refuse one that reserves nothing or for ever."""
        found = super().read(members, share)
        if not 1 <= found.count <= MOST_INSTALMENTS or not found.instalment.units:
            raise malformed(members.at("count"))
        return found

    @property
    def reserved(self) -> Share:
        return share_of(self.instalment.measure, self.instalment.units * self.count)

    def facts(self) -> dict[str, object]:
        return super().facts() | {"reserved": self.reserved}


@dataclass(frozen=True)
class DrawnInstalment(Decision):
    """The next release of the account is an instalment, and uses up its reservation.

    Attributes:
        series: the entry that began the series.
        number: which instalment it is, from 1.
    """

    series: Whole
    number: Whole
    WORD = "instalment"
    SENTENCE: ClassVar[Template] = "Release {number} of the series of entry {entry}"

    @property
    def concerned(self) -> int:
        return self.series


@dataclass(frozen=True)
class EndedSeries(Decision):
    """A series was ended; what was reserved for instalments not drawn is free again.

    Attributes:
        series: the entry that began the series.
    """

    series: Whole
    reason: Text
    WORD = "series-ended"
    SENTENCE: ClassVar[Template] = "Series of entry {entry} ended:"

    @property
    def concerned(self) -> int:
        return self.series


@dataclass(frozen=True)
class PersonDecision(Decision):
    """Who signs as the second person from now on. A base, not in ``DECISIONS``.

    Attributes:
        person: who; ``None`` where nobody has to any more.
        reason: why; where they were overridden, it is in the bundles.
        number: 32 random hex digits: no two ledgers have the same entry.
        replaces: hash of the entry that decided before; empty where none did.
    """

    person: _Person
    reason: Text
    number: _Number
    replaces: HashOrNothing
    NOBODY: ClassVar[Template]

    @property
    def sentence(self) -> Template:
        return self.SENTENCE if self.person else self.NOBODY

    def facts(self) -> dict[str, object]:
        return {"signer": self.person.identity if self.person else ""}

    def unsigned(self) -> Members:
        """What its signature is made over, besides its account."""
        members = self.members()
        del members["signature"], members[self.KIND]
        return members


@dataclass(frozen=True)
class SecondPersonDecision(PersonDecision):
    """A second person's signature was made a requirement, given to another, or ended.

    Attributes:
        signature: of whom the entry before required, over this change; empty where it required
            nobody.
    """

    signature: Text = ""
    WORD = "second-person"
    SENTENCE: ClassVar[Template] = "{signer} signs as the second person."
    NOBODY: ClassVar[Template] = "No second signature is required any longer."


@dataclass(frozen=True)
class OverriddenSecondPerson(PersonDecision):
    """Somebody else signs as the second person, or nobody, without the signature of who did.

    Their key is lost or revoked. It counts from here on, and every later bundle states it.

    Attributes:
        replaces: hash of the entry that required who was overridden.
        custodian: the custodian's key: ``ssh-ed25519 AAAA...``.
        signature: the custodian's, over this change.
    """

    replaces: Hash
    custodian: Annotated[str, matching(KEY_LINE)]
    signature: Text = ""
    WORD = "second-person-overridden"
    SENTENCE: ClassVar[Template] = (
        "{signer} signs as the second person; the one before did not sign that:"
    )
    NOBODY: ClassVar[Template] = (
        "No second signature is required any longer; the second person did not sign that:"
    )


@dataclass(frozen=True)
class RevokedSigner(Decision):
    """A key that signed for the account, or signed as the second person, was revoked.

    Attributes:
        signer: whose key it was.
        since: the day from which it is revoked.
    """

    signer: Annotated[str, TEXT._replace(key="identity")]
    fingerprint: Text
    since: Text
    reason: Text
    WORD = "revoked-key"
    SENTENCE: ClassVar[Template] = "A key of {signer} is revoked."


DECISIONS: tuple[type[Decision], ...] = (
    SeparatePeople,
    OpenedRecovery,
    MovedAway,
    Arrived,
    WithdrawnRelease,
    CorrectedRelease,
    BegunSeries,
    DrawnInstalment,
    EndedSeries,
    SecondPersonDecision,
    OverriddenSecondPerson,
    RevokedSigner,
)
