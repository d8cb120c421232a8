# SPDX-License-Identifier: Apache-2.0
"""The bundle of a dossier, where it lies in the same folder: found by its manifest's digest."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from dpdesk.release.bundle.signed_bundle import MANIFEST
from dpdesk.release.dossier.check import DossierCheck, check_dossier
from dpdesk.release.signing.signers import Signers
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
    """

    check: DossierCheck
    bundle: str = ""


def check_beside(path: Path, signers: Signers) -> ComparedDossier:
    """Check a dossier, and hold it against its bundle where that lies beside it.

    Raises:
        Refused: as :func:`check_dossier`.
    """
    alone = check_dossier(path, signers)
    beside = bundle_beside(path, alone.manifest_sha256) if alone.is_whole else None
    if beside is None:
        return ComparedDossier(alone)
    try:
        found = check_dossier(path, signers, [verify(beside, signers)])
    except Refused:  # gone meanwhile
        return ComparedDossier(alone)
    return ComparedDossier(found, beside.name if found.is_given else "")


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
