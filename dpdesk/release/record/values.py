# SPDX-License-Identifier: Apache-2.0
"""The record of a release: all that may ever be shown of it.

It is stored in the ledger's entry, and is the only source for results, history, stored answers
and bundles, at once or years later. It holds declared things, released values and the ledger's
own sums; nothing that depends on the data in any other way. All its amounts are in one measure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.published_tables import Table
from dpdesk.release.record.declared import FLAG, Declared, Flag, Hash, Whole, matching, where_set
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.released_study import ReleasedQuestion, ReleasedStudy
from dpdesk.release.record.second_person import Override, SecondPersonRecord
from dpdesk.study.model.amount import AccountDelta, Delta, Epsilon, Measure, Share
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.unit import Neighbours

FORMAT = 1
"""Of the record, and of the bundle around it; another one is refused."""
LANGUAGE = re.compile(r"[a-z]{2}")
IDENTITY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@-]{0,99}")
FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")
VERSION = re.compile(r"(?:0|[1-9][0-9]{0,3})(?:\.(?:0|[1-9][0-9]{0,3})){2}")
"""Of dpdesk and OpenDP: three numbers, so that no text comes in by it."""


@dataclass(frozen=True)
class ReleasedDraw:
    """One draw of a query's noise.

    Attributes:
        name: what the draw is for: ``rows``, ``sum``, ``quantile-0-25``.
        noise: the mechanism with its parameters.
        sensitivity: the most by which one person can change the vector, in quanta.
        loss: what the noise library's privacy map says of noise and sensitivity.
        share: what was paid for the draw.
        width: what one quantum is worth.
        half_width: the noise is within it 95 times in 100, in quanta.
    """

    name: str
    noise: Noise
    sensitivity: int
    loss: float
    share: Share
    width: Fraction
    half_width: int


@dataclass(frozen=True)
class ReleasedQuery:
    """One query's answer in a release.

    Attributes:
        name: of its table, without folder and ending.
        question: what was asked, in full.
        cells: lines of its table.
        charged: what was paid for it in this release; nothing for a stored answer.
        delta: what it costs of the account's delta.
        delta_charged: what was paid of it in this release.
        drawn_in: sequence of the entry in which its noise was drawn.
        drawn_at: that entry's minute, where it is an earlier release's; else empty.
        draws: how the noise of each part was drawn.
        counted_by: the database that counted what the noise was drawn on, such as
            ``duckdb 1.5.6``; empty where dpdesk read the file itself.
    """

    id: str
    title: str
    name: str
    statistic: Statistic
    question: ReleasedQuestion
    cells: int
    share: Share
    charged: Share
    delta: Delta
    delta_charged: Delta
    drawn_in: int
    drawn_at: str
    draws: tuple[ReleasedDraw, ...]
    drawn: Drawn
    counted_by: str = ""


@dataclass(frozen=True)
class ReleasedClaim:
    """What all figures of a release together may cost.

    Attributes:
        neighbours: see ``Unit``.
        people: the public number of people, under ``change-one``.
        total: what all queries cost; in zCDP rho is the cost.
        epsilon: what the total means at the account's delta; in pure epsilon the total itself.
        delta: the account's, in its parts.
    """

    neighbours: Neighbours
    unit: Literal["person", "row"]
    max_rows: int
    people: int | None
    total: Share
    epsilon: Epsilon
    delta: AccountDelta


@dataclass(frozen=True, slots=True)
class EntryCharge:
    """What one entry charged its account."""

    sequence: int
    charged: Share
    delta: Delta


@dataclass(frozen=True)
class ReleasedAccount:
    """An account around a release.

    Attributes:
        spent_before, spent_after: what was spent before and after the release.
        delta: its delta, in its parts.
        delta_spent_before, delta_spent_after: what was charged of the account's delta.
        charges: every entry so far that charged something, this one included.
    """

    name: str
    total: Share
    spent_before: Share
    spent_after: Share
    delta: AccountDelta
    delta_spent_before: Delta
    delta_spent_after: Delta
    charges: tuple[EntryCharge, ...]

    @property
    def measure(self) -> Measure:
        return self.total.measure


@dataclass(frozen=True)
class ChainPlace(Declared):
    """Where in the ledger's chain a release is.

    Attributes:
        previous: hash of the entry before.
        rollback_suspected: see ``AccountState``.
        separate_people_declared: see ``AccountState``.
        recovery_opened: a person opened the locked account without proof of what was spent
            elsewhere; stated where it is so alone.
    """

    sequence: Whole
    previous: Hash
    rollback_suspected: Flag
    separate_people_declared: Flag
    recovery_opened: Annotated[bool, where_set(FLAG)] = False


@dataclass(frozen=True)
class SoftwareVersions(Declared):
    """What made a release.

    Attributes:
        opendp_library_sha256: of the noise library's native part.
    """

    dpdesk: Annotated[str, matching(VERSION)]
    opendp: Annotated[str, matching(VERSION)]
    opendp_library_sha256: Hash


@dataclass(frozen=True)
class ReleaseRecord:
    """A release.

    Attributes:
        id: 32 random hex digits.
        time: the minute before the draw.
        second_person: the second person whose signature its account requires, if it does.
        overrides: each time that the account's second person was replaced, or required no
            longer, without their signature.
    """

    id: str
    time: str
    study: ReleasedStudy
    claim: ReleasedClaim
    queries: tuple[ReleasedQuery, ...]
    account: ReleasedAccount
    place: ChainPlace
    software: SoftwareVersions
    second_person: SecondPersonRecord | None = None
    overrides: tuple[Override, ...] = ()

    @property
    def measure(self) -> Measure:
        return self.claim.total.measure


@dataclass(frozen=True)
class StoredRelease:
    """What the ledger keeps of a release.

    Attributes:
        tables: one for each query, in the same order.
        released_by: the custodian who released, by their name on this machine; empty where the
            ledger is one person's. It is in no bundle.
    """

    record: ReleaseRecord
    tables: tuple[Table, ...]
    released_by: str = ""
    KIND: ClassVar[str] = "release"


@dataclass(frozen=True)
class SignerName(Declared):
    """Who signs, as a manifest names them.

    Attributes:
        identity: the name under which the key is known.
    """

    identity: Annotated[str, matching(IDENTITY)]
    fingerprint: Annotated[str, matching(FINGERPRINT)]


@dataclass(frozen=True)
class BundleForm(Declared):
    """How a bundle is written; the record of a release does not say it.

    Attributes:
        language: of what people read, such as ``de``.
    """

    language: Annotated[str, matching(LANGUAGE)] = "en"


MOST_ENTRIES = 100_000
"""Entries of a ledger that a bundle can list: one a quarter of an hour, night and day, for years.

Their hashes take 7 MB of the manifest; what refuses a longer ledger does so before anything is
drawn.
"""


def form_in(language: str = "en") -> BundleForm:
    """The form of a bundle in a language; English where no manifest can name it."""
    return BundleForm(language if LANGUAGE.fullmatch(language) else "en")


@dataclass(frozen=True)
class SignedRelease:
    """What a bundle's manifest states of a release.

    Attributes:
        chain: hashes of all entries of its ledger up to its own, in order: every account,
            decisions and releases at no price included.
    """

    record: ReleaseRecord
    chain: tuple[str, ...]
    signer: SignerName
    form: BundleForm = BundleForm()

    @property
    def head(self) -> str:
        """Hash of its own entry, which names the release."""
        return self.chain[-1]


@dataclass(frozen=True)
class Manifest:
    """A bundle's signed document: an in-toto statement.

    Attributes:
        digests: name and SHA-256 of every other file, in their order.
        release: what is stated of them.
    """

    digests: tuple[tuple[str, str], ...]
    release: SignedRelease
