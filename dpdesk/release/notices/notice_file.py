# SPDX-License-Identifier: Apache-2.0
"""A notice: that a published release was withdrawn or corrected, in one file of two parts.

First an OpenSSH signature, then the JSON that it signs, to the end of the file. ``ssh-keygen``
reads a signature up to its last line, so the file is its own signature file:

    sed '1,/^-----END SSH SIGNATURE-----$/d' N.notice | ssh-keygen -Y verify \\
        -f allowed_signers -I IDENTITY -n dpdesk-notice-v1 -s N.notice

where the namespace in the copy of ``allowed_signers`` is ``dpdesk-notice-v1``. A namespace of its
own keeps any other signature from passing for a notice. A release is named by the whole hash of its
entry, which covers everything that was released, in whatever language or edition it was exported.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from dpdesk.release.bundle.signed_bundle import json_bytes
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.release.record.declared import (
    Declared,
    Hash,
    HashOrNothing,
    Minute,
    Tables,
    Text,
    Whole,
    matching,
    nested,
    one_of,
)
from dpdesk.release.record.strict_object import StrictObject, malformed, read_whole
from dpdesk.release.record.values import SignerName
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.signing.sshsig import verify as verify_signature
from dpdesk.release.verify.manifest_json import parse_manifest
from dpdesk.study.json.strict_json import Members
from dpdesk.study.json.study_files import remove_left_behind, write_whole
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

NAMESPACE = "dpdesk-notice-v1"
SUFFIX = ".notice"
VERSION = 1
MAX_BYTES = 20_000
Revocation = Literal["withdrawn", "corrected"]
REVOCATIONS: tuple[Revocation, ...] = ("withdrawn", "corrected")
_END = b"-----END SSH SIGNATURE-----\n"
_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Notice(Declared):
    """What a notice says.

    Attributes:
        kind: ``withdrawn`` or ``corrected``.
        sequence, head: its entry.
        time: the minute of the decision.
        reason: why, as the custodian typed it for the recipients.
        decided_in, decided_head: the decision's entry in the same chain.
        replaced_by: hash of the entry of the release that corrects it; empty where none is named.
        tables: the only tables that it is about, by the names that their files have in the bundle;
            empty where it is about all of them.
    """

    kind: Annotated[Revocation, one_of(REVOCATIONS)]
    release_id: Annotated[str, matching(_ID)]
    sequence: Whole
    head: Hash
    time: Minute
    reason: Text
    decided_in: Whole
    decided_head: Hash
    replaced_by: HashOrNothing
    signer: Annotated[SignerName, nested(SignerName)]
    tables: Tables = ()

    def members(self) -> Members:
        return {"dpdesk_notice": VERSION, **super().members()}


def notice_bytes(notice: Notice, key: SigningKey) -> bytes:
    """The signed file; the key is the signer's that the notice names."""
    message = json_bytes(notice.members())
    return sign(message, key, NAMESPACE) + message


def write_notice(path: Path, content: bytes) -> None:
    """Write a notice whole or not at all, and over nothing.

    Raises:
        Refused: ``notice-exists`` or ``notice-unwritable`` (param name).
    """
    if os.path.exists(path):
        raise refuse("notice-exists", name=path.name)
    try:
        remove_left_behind(path)
        write_whole(path, content, handed_out=True)
    except OSError:
        raise refuse("notice-unwritable", name=path.name) from None


def read_notice(path: Path) -> Notice:
    """A notice whose signature holds; whose key it is, the caller must know.

    Raises:
        Refused: ``notice-unreadable``, ``notice-altered`` or ``notice-malformed`` (param name).
    """
    try:
        with open_regular(path) as stream:
            raw = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError):
        raise refuse("notice-unreadable", name=path.name) from None
    return parse_notice(raw, path.name)


def parse_notice(raw: bytes, name: str = "") -> Notice:
    """A notice from its bytes; see :func:`read_notice`."""
    armor, end, message = raw.partition(_END)
    if len(raw) > MAX_BYTES or not end:
        raise refuse("notice-malformed", name=name)
    try:
        fingerprint = fingerprint_of(verify_signature(message, armor + end, NAMESPACE))
    except Refused as refused:
        is_malformed = refused.problems[0].code == "signature-malformed"
        code = "notice-malformed" if is_malformed else "notice-altered"
        raise refuse(code, name=name) from None
    try:
        notice = read_whole(parse_manifest(message), "$", _notice)
    except Refused:
        raise refuse("notice-malformed", name=name) from None
    # What was signed has one form, so that nobody can read it in two ways.
    if json_bytes(notice.members()) != message or notice.signer.fingerprint != fingerprint:
        raise refuse("notice-malformed", name=name)
    return notice


def _notice(members: StrictObject) -> Notice:
    if members.whole("dpdesk_notice") != VERSION:
        raise refuse("claim-format-unknown")
    notice = Notice.read(members)
    # A stranger's text is shown, so it is held to what may be typed: nothing invisible.
    if checked_text("reason", notice.reason, required=True) != notice.reason:
        raise malformed(members.at("reason"))
    return notice
