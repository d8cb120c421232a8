# SPDX-License-Identifier: Apache-2.0
"""What a dossier is about: a release whose bundle was verified, in one language."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.query_headings import Heading, ReleaseWords, headings_of, released_names
from dpdesk.release.bundle.signed_bundle import MANIFEST
from dpdesk.release.dossier.stated import Stated
from dpdesk.release.notices.of_account import (
    AccountNotice,
    account_notices,
    read_account_notices,
)
from dpdesk.release.places.home import Home
from dpdesk.release.record.reprice import RepricedStudy
from dpdesk.release.record.values import ReleaseRecord, SignedRelease, SignerName
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.verify.reproduce import rebuilt_tables
from dpdesk.release.verify.verification import Verification
from dpdesk.study.problem import refuse
from dpdesk.study.text.unit_names import UnitNames


@dataclass(frozen=True)
class Subject:
    """Everything that a dossier is made of.

    Attributes:
        release: what the bundle's manifest states.
        materials: SHA-256 of the bill of materials beside the program that made the dossier;
            empty where it runs from its sources and has none.
        notices: those that withdraw or correct it or an earlier release of its account.
    """

    release: SignedRelease
    manifest_sha256: str
    stated: Stated
    words: ReleaseWords
    materials: str = ""
    notices: tuple[AccountNotice, ...] = ()

    @property
    def record(self) -> ReleaseRecord:
        return self.release.record

    @cached_property
    def names(self) -> UnitNames:
        return released_names(self.record, self.words)

    @property
    def one(self) -> str:
        return self.names.row if self.record.claim.unit == "row" else self.names.person

    @property
    def several(self) -> str:
        return self.names.rows if self.record.claim.unit == "row" else self.names.people

    @cached_property
    def headings(self) -> dict[str, Heading]:
        return headings_of(self.record, self.words)

    @cached_property
    def repriced(self) -> RepricedStudy:
        return RepricedStudy(self.record.study)

    @cached_property
    def plans(self) -> Mapping[str, QueryPlan]:
        return self.repriced.plans or {}

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Every table, made again from what was drawn."""
        return rebuilt_tables(self.record, self.repriced) or {}


def subject_of(
    verification: Verification, stated: Stated, words: ReleaseWords, materials: str = ""
) -> Subject:
    """What a dossier of a verified bundle is made of.

    Raises:
        Refused: ``dossier-bundle-not-verified``: the bundle is not whole, its signer is not
            known, or its claim does not add up.
    """
    if verification.release is None or not verification.is_confirmed:
        raise refuse("dossier-bundle-not-verified")
    digest = hashlib.sha256(verification.files[MANIFEST]).hexdigest()
    return Subject(verification.release, digest, stated, words, materials)


def with_notices(subject: Subject, files: Sequence[str], signer: SignerName) -> Subject:
    """The same with notices, read and held against the release.

    Raises:
        Refused: ``dossier-notices-odd``.
    """
    return replace(subject, notices=read_account_notices(files, subject.release, signer))


def with_account_notices(subject: Subject, home: Home, key: SigningKey) -> Subject:
    """The same with the notices that this home's ledger knows, signed by the dossier's key.

    Raises:
        Refused: see ``account_notices``.
    """
    signer = SignerName(key.info.identity, key.info.fingerprint)
    return with_notices(subject, account_notices(home, subject.release, key), signer)


def demand_release(verification: Verification, release_id: str) -> None:
    """Refuse the bundle of another release than the one that was chosen.

    Raises:
        Refused: ``dossier-other-bundle``.
    """
    release = verification.release
    if release is not None and release.record.id != release_id:
        raise refuse("dossier-other-bundle")
