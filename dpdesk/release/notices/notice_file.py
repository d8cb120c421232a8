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
from typing import Literal

from dpdesk.release.bundle.signed_bundle import json_bytes
from dpdesk.release.ledger.typed_names import checked_text
from dpdesk.release.record.strict_object import HASH, StrictObject, read_whole
from dpdesk.release.record.values import SignerName
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import SigningKey
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.signing.sshsig import verify as verify_signature
from dpdesk.release.verify.manifest_json import parse_manifest
from dpdesk.study.json.study_files import remove_left_behind, write_whole
from dpdesk.study.json.study_writer import Members
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
_IDENTITY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@-]{0,99}")
_FINGERPRINT = re.compile(r"SHA256:[A-Za-z0-9+/]{43}")


@dataclass(frozen=True)
class Notice:
    """What a notice says.

    Attributes:
        kind: ``withdrawn`` or ``corrected``.
        release_id: of the release concerned.
        sequence, head: its entry.
        time: the minute of the decision.
        reason: why, as the custodian typed it for the recipients.
        decided_in, decided_head: the decision's entry in the same chain.
        replaced_by: hash of the entry of the release that corrects it; empty where none is named.
        signer: who says so.
    """

    kind: Revocation
    release_id: str
    sequence: int
    head: str
    time: str
    reason: str
    decided_in: int
    decided_head: str
    replaced_by: str
    signer: SignerName

    def members(self) -> Members:
        """As JSON."""
        by = {"replaced_by": self.replaced_by} if self.replaced_by else {}
        return {
            "dpdesk_notice": VERSION,
            "kind": self.kind,
            "release": {"id": self.release_id, "sequence": self.sequence, "head": self.head},
            "time": self.time,
            "reason": self.reason,
            "ledger": {"sequence": self.decided_in, "head": self.decided_head},
            "signer": {
                "identity": self.signer.identity,
                "fingerprint": self.signer.fingerprint,
            },
            **by,
        }


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
        write_whole(path, content)
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
    release_id, sequence, head = members.nested("release", _release)
    decided_in, decided_head = members.nested("ledger", _place)
    return Notice(
        kind=members.word("kind", REVOCATIONS),
        release_id=release_id,
        sequence=sequence,
        head=head,
        time=members.minute("time"),
        reason=_reason(members),
        decided_in=decided_in,
        decided_head=decided_head,
        replaced_by=members.text("replaced_by", HASH) if members.has("replaced_by") else "",
        signer=members.nested("signer", _signer),
    )


def _reason(members: StrictObject) -> str:
    """A stranger's text is shown, so it is held to what may be typed: nothing invisible."""
    text = members.text("reason")
    if checked_text("reason", text, required=True) != text:
        raise refuse("claim-malformed", members.at("reason"), place=members.at("reason"))
    return text


def _release(members: StrictObject) -> tuple[str, int, str]:
    return members.text("id", _ID), members.whole("sequence"), members.text("head", HASH)


def _place(members: StrictObject) -> tuple[int, str]:
    return members.whole("sequence"), members.text("head", HASH)


def _signer(members: StrictObject) -> SignerName:
    return SignerName(
        members.text("identity", _IDENTITY), members.text("fingerprint", _FINGERPRINT)
    )
