# SPDX-License-Identifier: Apache-2.0
"""What several files of a bundle say of its release: title, unit, cost, methods, reference.

The paragraph on methods and the reference are those that an article needs which uses the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import (
    WORDS,
    Heading,
    ReleaseWords,
    headings_of,
    release_title,
    released_names,
)
from dpdesk.release.record.values import ReleasedClaim, ReleaseRecord, SignedRelease
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.text.unit_names import UnitNames

_REFERENCE: Final[Template] = (
    "{author} ({day}). {title}. Statistics with differential privacy, release {release}, signed "
    "with the key {fingerprint}."
)
_METHODS: Final[Template] = (
    "The statistics were computed with {notion}; the privacy unit is {unit}, and neighbouring "
    "data sets differ in {neighbours}. {total} Noise was drawn with {mechanisms} of OpenDP "
    "{opendp} on whole numbers, by dpdesk {dpdesk}. Bounds, and rules for values that are missing, "
    "invalid or out of bounds, were declared and not computed from the data. Margins hold in at "
    "least 95 of 100 releases."
)
_NEIGHBOURS: Final[dict[str, Template]] = {
    "add-remove": "whether that unit is present",
    "change-one": "what is recorded for that unit, their number being public",
}
_TOTAL: Final[dict[str, Template]] = {
    "epsilon": "All figures of the release together cost ε = {epsilon}.",
    "rho": "All figures of the release together cost ρ = {rho}, which means ε = {epsilon} at "
    "δ = {delta}.",
}
_ACCOUNT: Final[Template] = (
    "The account of these data had spent {spent} of {whole} after the release."
)
_MECHANISMS: Final[dict[str, Template]] = {
    "laplace": "the discrete Laplace mechanism",
    "gaussian": "the discrete Gaussian mechanism",
    "noisy-max": "report noisy max",
    "randomised-response": "randomised response",
}


@dataclass(frozen=True)
class ReleaseText:
    """What is said of a release in one language, each sentence made once for all files.

    Attributes:
        release: with its signer.
        words: the language.
    """

    release: SignedRelease
    words: ReleaseWords = WORDS

    @cached_property
    def in_english(self) -> ReleaseText:
        """The same in the language of the public registry."""
        return self if self.words == WORDS else ReleaseText(self.release)

    @cached_property
    def title(self) -> str:
        """What heads the release."""
        return release_title(self.release.record, self.words)

    @cached_property
    def names(self) -> UnitNames:
        """What its study calls its rows and people."""
        return released_names(self.release.record, self.words)

    @cached_property
    def headings(self) -> dict[str, Heading]:
        """What each query is called, by its id."""
        return headings_of(self.release.record, self.words)

    @cached_property
    def unit(self) -> str:
        """What is protected: "one patient with up to 3 admissions"."""
        return unit_of_claim(self.release.record.claim, self.names, self.words)

    @cached_property
    def notion(self) -> str:
        """The kind of differential privacy."""
        if isinstance(self.release.record.claim.total, Epsilon):
            return self.words.say("pure differential privacy")
        return self.words.say("zero-concentrated differential privacy (zCDP)")

    @cached_property
    def cost(self) -> str:
        """What all figures cost together."""
        claim = self.release.record.claim
        amounts = {"rho": claim.total, "epsilon": claim.epsilon, "delta": claim.delta}
        shown = {name: self.words.number(amount) for name, amount in amounts.items()}
        return self.words.say(_TOTAL[claim.total.measure], **shown)

    @cached_property
    def mechanisms(self) -> str:
        """Every mechanism that was used, once."""
        queries, say = self.release.record.queries, self.words.say
        used = {draw.noise.mechanism for query in queries for draw in query.draws}
        *most, last = [say(_MECHANISMS[name]) for name in sorted(used)] or [""]
        return say("{most} and {last}", most=", ".join(most), last=last) if most else last

    @cached_property
    def reference(self) -> str:
        """How the release is cited."""
        record, signer = self.release.record, self.release.signer
        return self.words.say(
            _REFERENCE,
            author=record.study.text("organisation") or signer.identity,
            day=self.words.day(record.time),
            title=self.title,
            release=record.id,
            fingerprint=signer.fingerprint,
        )

    @cached_property
    def methods(self) -> str:
        """What a methods section says of the figures; all of it is in the manifest, too."""
        record, words = self.release.record, self.words
        account = record.account
        spent, whole = words.number(account.spent_after), words.number(account.total)
        stands = words.say(_ACCOUNT, spent=spent, whole=whole)
        return words.say(
            _METHODS,
            notion=self.notion,
            unit=self.unit,
            neighbours=words.say(_NEIGHBOURS[record.claim.neighbours]),
            total=f"{self.cost} {stands}",
            mechanisms=self.mechanisms,
            opendp=record.software.opendp,
            dpdesk=record.software.dpdesk,
        )


def unit_of_claim(claim: ReleasedClaim, names: UnitNames, words: ReleaseWords) -> str:
    """What a claim protects: "one patient with up to 3 admissions"."""
    if claim.unit == "row":
        return words.say("one {person}", person=names.row)
    rows = names.row if claim.max_rows == 1 else names.rows
    most, person = words.number(claim.max_rows), names.person
    return words.say("one {person} with up to {most} {rows}", person=person, most=most, rows=rows)


def unit(record: ReleaseRecord, words: ReleaseWords) -> str:
    """What a record's claim protects."""
    return unit_of_claim(record.claim, released_names(record, words), words)
