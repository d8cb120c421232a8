# SPDX-License-Identifier: Apache-2.0
"""The second person's part of a bundle: the signed plan, and ``manifest.json.sig2``.

The plan and its signature are files like the others, listed in the manifest. The second signature
over the manifest's own bytes cannot be: it is the only file beside the first signature that the
manifest does not list. It is made in the namespace of the first one, so the line that recipients
have of the second person checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.bundle_zip import pack, unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.release.second_person.plan_file import PLAN_NAMESPACE, PlanFile
from dpdesk.release.signing import sshsig
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import NAMESPACE, SigningKey
from dpdesk.release.signing.stock_commands import verify_command
from dpdesk.study.problem import Refused, refuse

PLAN, PLAN_SIGNATURE = "plan.json", "plan.json.sig"
SECOND_SIGNATURE = "manifest.json.sig2"
_SIGNED = "manifest.json"

_ABOUT: Final[Template] = """
The second person's signature
-----------------------------
The account requires a second person, {identity}, with the key

       {fingerprint}

Get their line for allowed_signers from them, as you got the signer's. On
Windows, write ssh-keygen with its whole path, as above.
{checks}"""
_PLAN_CHECK: Final[Template] = """
They signed the plan before anything was drawn. In your copy of their line,
write namespaces="{namespace}", then:

       {command}
"""
_MANIFEST_CHECK: Final[Template] = """
They signed the same manifest.json before it was handed out:

       {command}
"""


def plan_files(record: ReleaseRecord) -> dict[str, bytes]:
    """The plan that the second person signed, and the signature; none where nobody had to."""
    plan = PlanFile.of_record(record)
    if plan is None or record.second_person is None or record.second_person.plan is None:
        return {}
    signature = record.second_person.plan.signature.encode("ascii")
    return {PLAN: plan.to_bytes(), PLAN_SIGNATURE: signature}


def about_second_person(record: ReleaseRecord, words: ReleaseWords) -> str:
    """What the README says of the second person; empty where nobody had to sign."""
    if record.second_person is None:
        return ""
    person, checks = record.second_person.person, ""
    if person.signs_plan:
        command = _command(person, PLAN_NAMESPACE, PLAN_SIGNATURE, PLAN)
        checks += words.say(_PLAN_CHECK, namespace=PLAN_NAMESPACE, command=command)
    if person.signs_manifest:
        checks += words.say(
            _MANIFEST_CHECK, command=_command(person, NAMESPACE, SECOND_SIGNATURE, _SIGNED)
        )
    fingerprint = fingerprint_of(person.blob)
    return words.say(_ABOUT, identity=person.identity, fingerprint=fingerprint, checks=checks)


def _command(person: SecondPerson, namespace: str, signature: str, file: str) -> str:
    return verify_command(person.identity, namespace, "../allowed_signers", signature, file)


def sign_bundle(raw: bytes, person: SecondPerson, key: SigningKey) -> bytes:
    """The bundle with the second person's signature.

    Args:
        raw: a bundle that was checked, and lacks it.
        person: whose signature its account requires.
        key: the second person's, unlocked.

    Raises:
        Refused: ``second-person-other`` (param name), and as :func:`attach_signature`.
    """
    if key.info.fingerprint != fingerprint_of(person.blob):
        raise refuse("second-person-other", name=person.identity)
    return attach_signature(raw, person, sshsig.sign(unpack(raw)[_SIGNED], key))


def attach_signature(raw: bytes, person: SecondPerson, signature: bytes) -> bytes:
    """The bundle with a signature that the second person made elsewhere.

    Raises:
        Refused: ``second-signature-wrong`` (param name), ``bundle-not-a-bundle``.
    """
    files = unpack(raw)
    if not is_second_signature(files, person, signature):
        raise refuse("second-signature-wrong", name=person.identity)
    return pack({**files, SECOND_SIGNATURE: signature})


def is_second_signature(
    files: Mapping[str, bytes], person: SecondPerson, signature: bytes | None = None
) -> bool:
    """Whether a signature, or the bundle's own second one, is this person's over the manifest."""
    armored = files.get(SECOND_SIGNATURE, b"") if signature is None else signature
    try:
        return sshsig.verify(files[_SIGNED], armored) == person.blob
    except Refused:
        return False
