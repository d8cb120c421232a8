# SPDX-License-Identifier: Apache-2.0
"""The dossier's zip, signed: the same release, notices, texts, language and key, the same bytes.

What is signed is its own manifest, which lists the digest of every other file and names the
digest of the bundle's manifest. The namespace is another one than a bundle's, so that neither
passes for the other.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Final

import dpdesk
from dpdesk.catalogue import Template
from dpdesk.release.bundle.bundle_zip import MAX_BYTES, pack
from dpdesk.release.bundle.query_headings import release_title
from dpdesk.release.bundle.report.html_page import html_bytes
from dpdesk.release.bundle.report.pdf_pages import pdf_bytes
from dpdesk.release.bundle.report.report_blocks import Paragraph, Report, Section, Terms
from dpdesk.release.bundle.signed_bundle import json_bytes
from dpdesk.release.dossier.constants import constants_section, values_section
from dpdesk.release.dossier.governance import (
    COUNTERSIGN_NAMESPACE,
    MANIFEST,
    context_section,
    decision_section,
    software_section,
    sources_section,
)
from dpdesk.release.dossier.hazards import hazards_section
from dpdesk.release.dossier.identifiability import attack_section, risk_sections
from dpdesk.release.dossier.label import (
    history_section,
    label_section,
    own_notices,
    unprotected_section,
)
from dpdesk.release.dossier.machine_readable import FORMAT, dossier_members
from dpdesk.release.dossier.proofs import proof_sections
from dpdesk.release.dossier.subject import Subject
from dpdesk.release.dossier.utility import utility_section
from dpdesk.release.record.table_names import ascii_words
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.signing.stock_commands import ON_EACH_SYSTEM, system_commands, verify_command
from dpdesk.study.json.study_files import remove_left_behind, write_whole
from dpdesk.study.problem import refuse

NAMESPACE = "dpdesk-dossier-v1"
SIGNATURE = f"{MANIFEST}.sig"
DATA = "dossier.json"
PAGES = ("README.txt", "dossier.html", "dossier.pdf", DATA)
KIND = "dpdesk-dossier"

_README: Final[Template] = """\
Dossier for the data-protection officer
=======================================

dossier.pdf                 the document to read, print and sign
dossier.html                the same as a page
dossier.json                the same for programs
{manifest}       the digest of each file above, and of the bundle's manifest
{manifest}.sig   the custodian's signature of it (OpenSSH, Ed25519)

It belongs to the bundle whose manifest.json has the SHA-256 digest
{digest}

Check it with dpdesk
--------------------

       dpdesk verify BUNDLE.zip DOSSIER.zip

Check it without dpdesk
-----------------------
In the folder into which you unpacked it. In your copy of the signer's line,
in the file allowed_signers in the folder above, write
namespaces="{namespace}".

   {commands}

Countersign it
--------------

       ssh-keygen -Y sign -n {countersign} -f KEY {manifest}

On Windows, write ssh-keygen with its whole path, as above.
"""


def dossier_files(subject: Subject, signer: dict[str, str]) -> dict[str, bytes]:
    """Every file but the manifest and its signature, in the order of the zip.

    Args:
        signer: identity and fingerprint of the one who signs.
    """
    report = dossier_report(subject)
    return {
        "README.txt": _readme(subject, signer["identity"]).encode("utf-8"),
        "dossier.html": html_bytes(report),
        "dossier.pdf": pdf_bytes(report),
        DATA: json_bytes(dossier_members(subject)),
    }


def build_dossier(subject: Subject, key: SigningKey) -> bytes:
    """The dossier's bytes.

    Raises:
        Refused: ``bundle-too-large``.
    """
    signer = {"identity": key.info.identity, "fingerprint": key.info.fingerprint}
    files = dossier_files(subject, signer)
    manifest = json_bytes(manifest_members(subject, signer, files))
    raw = pack({**files, MANIFEST: manifest, SIGNATURE: sign(manifest, key, NAMESPACE)})
    if len(raw) > MAX_BYTES:
        raise refuse("bundle-too-large")
    return raw


def manifest_members(
    subject: Subject, signer: dict[str, str], files: dict[str, bytes]
) -> dict[str, Any]:
    return {
        "kind": KIND,
        "format": FORMAT,
        "made_by": f"dpdesk {dpdesk.__version__}",
        "bundle_manifest_sha256": subject.manifest_sha256,
        "release": subject.record.id,
        "signer": signer,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }


def dossier_name(bundle: str) -> str:
    """The name that a bundle's dossier is offered under.

    >>> dossier_name("stays-release-2.zip"), dossier_name("…")
    ('stays-release-2-dossier.zip', 'dossier.zip')
    """
    return "-".join(filter(None, (ascii_words(Path(bundle).stem), "dossier.zip")))


def write_dossier(path: Path, content: bytes) -> None:
    """Write a dossier whole or not at all, and over nothing.

    Raises:
        Refused: ``export-exists`` or ``export-unwritable`` (param name).
    """
    if os.path.exists(path):
        raise refuse("export-exists", name=path.name)
    try:
        remove_left_behind(path)
        write_whole(path, content, handed_out=True)
    except OSError:
        raise refuse("export-unwritable", name=path.name) from None


def _readme(subject: Subject, identity: str) -> str:
    words = subject.words
    command = verify_command(identity, NAMESPACE, "../allowed_signers", SIGNATURE, MANIFEST)
    return words.say(
        _README,
        manifest=MANIFEST,
        digest=subject.manifest_sha256,
        commands=words.say(ON_EACH_SYSTEM, **system_commands(command)),
        namespace=NAMESPACE,
        countersign=COUNTERSIGN_NAMESPACE,
    )


def dossier_report(subject: Subject) -> Report:
    """The whole document, in the order in which an officer asks."""
    words, record = subject.words, subject.record
    title = words.say("Dossier: {title}", title=release_title(record, words))
    return Report(
        title=title,
        author=record.study.text("organisation"),
        words=words,
        opening=_opening(subject),
        sections=(
            label_section(subject),
            context_section(subject),
            constants_section(subject),
            *values_section(subject),
            unprotected_section(subject),
            *risk_sections(subject),
            attack_section(subject),
            *proof_sections(subject),
            utility_section(subject),
            history_section(subject),
            hazards_section(subject),
            software_section(subject),
            decision_section(subject),
            _identity(subject),
            sources_section(subject),
        ),
        subject=words.say("Dossier for the data-protection officer"),
    )


def _opening(subject: Subject) -> tuple[Paragraph, ...]:
    words = subject.words
    organisation = subject.record.study.text("organisation")
    what = words.say(
        "For the data-protection officer. This document describes one release of statistics with "
        "differential privacy. It was made from the release's signed and verified bundle and "
        "from the custodian's entries; no data file was opened."
    )
    verdict = words.say(
        "It states facts and proven bounds. It is not a verdict that the figures are anonymous: "
        "you decide that, with the context in view."
    )
    first = (Paragraph(organisation),) if organisation else ()
    gone = (Paragraph(text, "warn") for text in own_notices(subject))
    return (*first, *gone, Paragraph(what), Paragraph(verdict, "warn"))


def _identity(subject: Subject) -> Section:
    record, words = subject.record, subject.words
    say = words.say
    pairs = (
        (say("SHA-256 of the bundle's manifest.json"), subject.manifest_sha256),
        (say("Release"), record.id),
        (say("Time"), words.minute(record.time)),
        (say("Ledger entry"), f"{record.place.sequence}, {subject.release.head}"),
        (say("Signer of the bundle"), subject.release.signer.identity),
        (say("Key"), subject.release.signer.fingerprint),
    )
    note = say("Verify both together: dpdesk verify BUNDLE.zip DOSSIER.zip")
    return Section(say("The bundle"), (Terms(pairs), Paragraph(note, "quiet")))
