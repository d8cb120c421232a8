# SPDX-License-Identifier: Apache-2.0
"""``dpdesk dossier``: the document that a data-protection officer reads, decides on and signs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dpdesk.program.materials import materials_digest
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.dossier.dossier_file import build_dossier, dossier_name, write_dossier
from dpdesk.release.dossier.kept_stated import keep_stated, read_stated
from dpdesk.release.dossier.subject import subject_of, with_account_notices
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from dpdesk.shell import passphrase
from dpdesk.shell.output import DONE, complain, print_json, say
from dpdesk.study.problem import refuse
from dpdesk.texts.problems import sentence


@dataclass(frozen=True)
class DossierOptions:
    """What was asked for.

    Attributes:
        to: a folder, or the file to write.
        stated: what is typed in; ``None`` for what was typed in last time.
    """

    bundle: Path
    to: Path
    stated: dict[str, str | None]
    language: str
    as_json: bool


def run(options: DossierOptions, home: Home) -> int:
    """Verify the bundle, make the dossier and sign it.

    Raises:
        Refused: the bundle does not verify, a text cannot stand in a dossier, the key cannot be
            unlocked, or the file cannot be written.
    """
    path = _place(options)
    if path.exists():
        raise refuse("export-exists", name=path.name)
    verification = verify(options.bundle, known_signers(home))
    for problem in (*verification.whole, *(verification.claim or ())):
        complain(sentence(problem))
    if verification.release is None:
        raise refuse("dossier-bundle-not-verified")
    record = verification.release.record
    stated = read_stated(home, record).updated(options.stated)
    words = ReleaseWords.of(options.language)
    subject = subject_of(verification, stated, words, materials_digest())
    key = keys.unlock(home.of_account(record.account.name).keys, passphrase.ask())
    subject = with_account_notices(subject, home, key)
    write_dossier(path, build_dossier(subject, key))
    keep_stated(home, record, stated)
    if options.as_json:
        names = {"file": path.name, "bundle_manifest_sha256": subject.manifest_sha256}
        print_json({**names, "fingerprint": key.info.fingerprint})
    else:
        text = "{name} is written, signed by {fingerprint}. It is of the bundle {bundle}."
        print(
            say(
                text,
                name=path.name,
                fingerprint=key.info.fingerprint,
                bundle=options.bundle.name,
            )
        )
    return DONE


def _place(options: DossierOptions) -> Path:
    """In a folder that is there under a name of its own; a name without an ending is a zip's."""
    if options.to.is_dir():
        return options.to / dossier_name(options.bundle.name)
    return options.to if options.to.suffix else options.to.with_name(f"{options.to.name}.zip")
