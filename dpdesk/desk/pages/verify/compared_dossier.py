# SPDX-License-Identifier: Apache-2.0
"""The bundle of a dossier, where it is in the same folder: found by its manifest's digest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from dpdesk.release.bundle.signed_bundle import MANIFEST
from dpdesk.release.dossier.dossier_check import DossierCheck, check_dossier
from dpdesk.release.notices.own_decision import TakenBack, own_decision
from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from dpdesk.release.verify.zip_reader import read_bundle
from dpdesk.study.problem import Refused

MOST_FILES = 50
"""So many zips of a folder are looked into, the newest first."""


@dataclass(frozen=True)
class ComparedDossier:
    """A dossier, and what it was compared with.

    Attributes:
        check: what was found of it.
        bundle: name of the bundle's file; empty where none beside it has the digest it names.
        own: what this computer's own ledger decided on its release; ``None`` where nothing.
    """

    check: DossierCheck
    bundle: str = ""
    own: TakenBack | None = None

    @property
    def decided(self) -> tuple[TakenBack, ...]:
        """What became of its release, each decision once: by its notices and the own ledger.

        That of a release which is not given is in it, and is nothing that was checked.
        """
        said = [
            TakenBack(n.kind, n.reason, n.time, one.drawn_in, n.tables)
            for one in self.check.notices
            for n in (one.notice,)
        ]
        return tuple(dict.fromkeys([*said, self.own] if self.own is not None else said))

    @property
    def is_good(self) -> bool:
        """Whether the dossier can be relied on, and its release's figures can."""
        return self.check.is_good and not (self.check.is_given and self.decided)


def check_beside(path: Path, home: Home) -> ComparedDossier:
    """Check a dossier, and hold it against its bundle where that is beside it.

    Raises:
        Refused: as :func:`check_dossier`.
    """
    signers = known_signers(home)
    alone = check_dossier(path, signers)
    beside = bundle_beside(path, alone.manifest_sha256) if alone.is_whole else None
    if beside is None:
        return ComparedDossier(alone)
    try:
        bundle = verify(beside, signers)
        found = check_dossier(path, signers, [bundle])
    except Refused:  # gone meanwhile
        return ComparedDossier(alone)
    if not found.is_given:
        return ComparedDossier(found)
    return ComparedDossier(found, beside.name, own_decision(home, bundle))


def bundle_beside(dossier: Path, manifest_sha256: str) -> Path | None:
    """The file in a dossier's folder whose manifest has a digest; ``None`` where there is none."""
    for path in _zips(dossier):
        try:
            manifest = read_bundle(path).get(MANIFEST, b"")
        except Refused:
            continue
        if hashlib.sha256(manifest).hexdigest() == manifest_sha256:
            return path
    return None


def _zips(dossier: Path) -> list[Path]:
    try:
        found = [path for path in dossier.parent.glob("*.zip") if path != dossier]
        return sorted(found, key=lambda path: -path.stat().st_mtime)[:MOST_FILES]
    except OSError:
        return []
