# SPDX-License-Identifier: Apache-2.0
"""A paragraph on methods, and a reference, as an article that uses the figures needs them."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.headings import (
    WORDS,
    ReleaseWords,
    release_title,
    released_names,
)
from dpdesk.release.record.values import ReleasedClaim, ReleaseRecord, SignedRelease
from dpdesk.study.model.amount import Epsilon

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


def reference(release: SignedRelease, words: ReleaseWords = WORDS) -> str:
    """How a release is cited."""
    record = release.record
    return words.say(
        _REFERENCE,
        author=record.study.text("organisation") or release.signer.identity,
        day=words.day(record.time),
        title=release_title(record, words),
        release=record.id,
        fingerprint=release.signer.fingerprint,
    )


def methods(record: ReleaseRecord, words: ReleaseWords = WORDS) -> str:
    """What a methods section says of the figures; all of it is in the manifest, too."""
    say, claim = words.say, record.claim
    account = record.account
    spent, whole = words.number(account.spent_after), words.number(account.total)
    stands = say(_ACCOUNT, spent=spent, whole=whole)
    return say(
        _METHODS,
        notion=notion(claim, words),
        unit=unit(record, words),
        neighbours=say(_NEIGHBOURS[claim.neighbours]),
        total=f"{cost(claim, words)} {stands}",
        mechanisms=mechanisms(record, words),
        opendp=record.software.opendp,
        dpdesk=record.software.dpdesk,
    )


def notion(claim: ReleasedClaim, words: ReleaseWords = WORDS) -> str:
    """The kind of differential privacy."""
    if isinstance(claim.total, Epsilon):
        return words.say("pure differential privacy")
    return words.say("zero-concentrated differential privacy (zCDP)")


def unit(record: ReleaseRecord, words: ReleaseWords = WORDS) -> str:
    """What is protected: "one patient with up to 3 admissions"."""
    claim, names = record.claim, released_names(record, words)
    if claim.unit == "row":
        return words.say("one {person}", person=names.row)
    rows = names.row if claim.max_rows == 1 else names.rows
    most, person = words.number(claim.max_rows), names.person
    return words.say("one {person} with up to {most} {rows}", person=person, most=most, rows=rows)


def cost(claim: ReleasedClaim, words: ReleaseWords = WORDS) -> str:
    """What all figures cost together."""
    measure = claim.total.measure
    amounts = {"rho": claim.total, "epsilon": claim.epsilon, "delta": claim.delta}
    shown = {name: words.number(amount) for name, amount in amounts.items()}
    return words.say(_TOTAL[measure], **shown)


def mechanisms(record: ReleaseRecord, words: ReleaseWords = WORDS) -> str:
    """Every mechanism that was used, once."""
    used = {draw.noise.mechanism for query in record.queries for draw in query.draws}
    named = [words.say(_MECHANISMS[name]) for name in sorted(used)]
    *most, last = named or [""]
    return words.say("{most} and {last}", most=", ".join(most), last=last) if most else last
