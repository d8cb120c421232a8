# SPDX-License-Identifier: Apache-2.0
"""A dossier of the small release, and what changes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.signed_bundle import json_bytes
from dpdesk.release.dossier.dossier_file import NAMESPACE, SIGNATURE, build_dossier
from dpdesk.release.dossier.governance import MANIFEST
from dpdesk.release.dossier.stated import Stated
from dpdesk.release.dossier.subject import Subject, subject_of
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.verification import Verification, verify
from tests.release.bundles import KEY, KNOWN, bundle

STATED = Stated(
    purpose="Quality report 2026",
    recipient="Ministry of Health",
    release_model="Published on a web page",
    legal_route="Statistics, Art. 89 GDPR",
    review_date="2027-11-30",
)


@lru_cache(maxsize=1)
def verified() -> Verification:
    """The small release's bundle, verified."""
    return verify(bundle(), KNOWN)


def subject(stated: Stated = STATED, language: str = "en") -> Subject:
    return subject_of(verified(), stated, ReleaseWords.of(language))


@lru_cache(maxsize=4)
def dossier(language: str = "en") -> bytes:
    return build_dossier(subject(language=language), KEY)


def resigned(change: Callable[[dict[str, bytes], dict[str, Any]], object]) -> bytes:
    """The dossier with other files, listed and signed anew: what a dishonest signer can do."""
    files = unpack(dossier())
    manifest = json.loads(files[MANIFEST])
    change(files, manifest)
    return sealed(files, manifest)


def sealed(files: dict[str, bytes], manifest: dict[str, Any], key: SigningKey = KEY) -> bytes:
    files[MANIFEST] = json_bytes(manifest)
    files[SIGNATURE] = sign(files[MANIFEST], key, NAMESPACE)
    return pack(files)
