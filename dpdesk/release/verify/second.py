# SPDX-License-Identifier: Apache-2.0
"""The second person of a bundle: whether everything that they have to sign is signed by their key.

The key is the one that the account pins, as the manifest states it. Whose key that is, the
recipient must know, as of the signer's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dpdesk.release.bundle.second_signature import (
    PLAN,
    PLAN_SIGNATURE,
    SECOND_SIGNATURE,
    is_second_signature,
    plan_files,
)
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.record.values import SignedRelease
from dpdesk.release.second_person.plan_signature import check_plan_signature
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.signers import Signers, Standing
from dpdesk.study.problem import Problem, Refused


@dataclass(frozen=True)
class SecondSigner:
    """Who has to sign besides, and what of it holds.

    Attributes:
        standing: of their key, as of the signer's.
        plan: whether the plan is signed; ``None`` where it need not be.
        manifest: whether the manifest is signed; ``None`` where it need not be.
    """

    person: SecondPerson
    standing: Standing
    fingerprint: str
    plan: bool | None
    manifest: bool | None

    @property
    def is_known(self) -> bool:
        """Whether the recipient knows this person by this key."""
        return self.standing == "known"


def second_of(
    files: Mapping[str, bytes], release: SignedRelease, signers: Signers
) -> SecondSigner | None:
    """The second person of a release; ``None`` where nobody had to sign."""
    stated = release.record.second_person
    if stated is None:
        return None
    person = stated.person
    fingerprint = fingerprint_of(person.blob)
    return SecondSigner(
        person,
        signers.standing(person.identity, fingerprint),
        fingerprint,
        _is_plan_signed(release) if person.signs_plan else None,
        is_second_signature(files, person) if person.signs_manifest else None,
    )


def second_problems(
    files: Mapping[str, bytes], release: SignedRelease, second: SecondSigner | None
) -> Iterator[Problem]:
    """What is missing, wrong, or too much.

    Codes: ``bundle-file-unlisted`` (param name); ``bundle-plan-unsigned``,
    ``bundle-second-missing``, ``bundle-second-wrong`` and ``bundle-second-self`` (param name: the
    second person); ``bundle-file-not-as-drawn`` (param name).
    """
    if SECOND_SIGNATURE in files and (second is None or second.manifest is None):
        yield Problem("$.subject", "bundle-file-unlisted", {"name": SECOND_SIGNATURE})
    wanted = plan_files(release.record)
    for name in (PLAN, PLAN_SIGNATURE):
        if name in files and files[name] != wanted.get(name):
            yield Problem("$.subject", "bundle-file-not-as-drawn", {"name": name})
    if second is None:
        return
    params = {"name": second.person.identity}
    if second.plan is False:
        yield Problem("$.second_person", "bundle-plan-unsigned", params)
    if second.manifest is False:
        missing = SECOND_SIGNATURE not in files
        code = "bundle-second-missing" if missing else "bundle-second-wrong"
        yield Problem("$.second_person", code, params)
    if _is_signer(second, release):
        yield Problem("$.second_person", "bundle-second-self", params)


def _is_plan_signed(release: SignedRelease) -> bool:
    files, stated = plan_files(release.record), release.record.second_person
    if not files or stated is None:
        return False
    try:
        check_plan_signature(files[PLAN], files[PLAN_SIGNATURE], stated.person)
    except Refused:
        return False
    return True


def _is_signer(second: SecondSigner, release: SignedRelease) -> bool:
    signer = release.signer
    is_name = second.person.identity.casefold() == signer.identity.casefold()
    return is_name or second.fingerprint == signer.fingerprint
