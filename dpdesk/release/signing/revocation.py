# SPDX-License-Identifier: Apache-2.0
"""Revocation: a signed notice that nobody may sign with a key any more, or accept what it signed.

A notice is signed by the key itself or by its successor. One that was made in advance and kept in a
safe place revokes a stolen key whose owner cannot sign. A bundle states its own date, and anyone
with a stolen key can write an earlier one: so all bundles of a revoked key are refused.
"""

from __future__ import annotations

import base64
import contextlib
import os
import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys, signers, sshsig
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.rotation import KEY_NAMESPACE
from dpdesk.release.signing.signers import RevokedKey
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.limits import MAX_TEXT, is_printable_text
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

MAX_BYTES = 8_000
_NOTICE = re.compile(
    r"dpdesk key revocation 1\nidentity (?P<identity>\S+)\nkey (?P<key>ssh-ed25519 \S+)\n"
    r"since (?P<since>[0-9]{4}-[0-9]{2}-[0-9]{2})\nreason (?P<reason>[ -~]*)\n"
)


@dataclass(frozen=True)
class RevocationNotice:
    """A notice that was read and whose signature holds.

    Attributes:
        signer: the key that signed, as its public line.
    """

    key: RevokedKey
    signer: str


def notice_of(info: KeyInfo, since: str, reason: str) -> bytes:
    """A notice's text.

    Raises:
        Refused: ``revocation-day``, ``reason-missing``, ``text-too-long``, ``text-invisible``.
    """
    reason = reason.strip()
    if not reason:
        raise refuse("reason-missing", "$.reason")
    if len(reason) > MAX_TEXT:
        raise refuse("text-too-long", "$.reason", most=str(MAX_TEXT))
    if not is_printable_text(reason):
        raise refuse("text-invisible", "$.reason")
    text = f"identity {info.identity}\nkey {info.public_line}\nsince {_day(since)}\n"
    return f"dpdesk key revocation 1\n{text}reason {signers.in_ascii(reason)}\n".encode("ascii")


def write_notice(path: Path, notice: bytes, key: SigningKey) -> None:
    """Write a notice with its signature beside it; never over another one.

    Raises:
        Refused: ``key-notice-unwritable``.
    """
    signature = path.with_name(f"{path.name}.sig")
    if os.path.exists(path) or os.path.exists(signature):
        raise refuse("key-notice-unwritable")
    try:
        write_whole(signature, sshsig.sign(notice, key, KEY_NAMESPACE), handed_out=True)
        write_whole(path, notice, handed_out=True)
    except OSError:
        with contextlib.suppress(OSError):
            signature.unlink()
        raise refuse("key-notice-unwritable") from None


def read_revocation(path: Path) -> RevocationNotice:
    """A notice whose signature holds; whose keys they are, the caller must know.

    Raises:
        Refused: ``revocation-wrong``.
    """
    try:
        text, armored = _read(path), _read(path.with_name(f"{path.name}.sig"))
        match = _NOTICE.fullmatch(text.decode("ascii"))
        blob = sshsig.verify(text, armored, KEY_NAMESPACE)
        if match is None:
            raise refuse("revocation-wrong")
        (info,) = signers.parse_signers(f"{match['identity']} {match['key']}").known
        reason = signers.from_ascii(match["reason"])
        if notice_of(info, match["since"], reason) != text:
            raise refuse("revocation-wrong")
    except (Refused, ValueError, OSError):
        raise refuse("revocation-wrong") from None
    key = RevokedKey(info, match["since"], reason)
    return RevocationNotice(key, f"ssh-ed25519 {base64.b64encode(blob).decode('ascii')}")


def accept_revocation(path: Path, notice: Path) -> RevokedKey:
    """Enter a known signer's revoked key in a file of signers; the same again changes nothing.

    Raises:
        Refused: ``revocation-wrong``, ``revocation-unknown`` (param identity) where neither the
            key nor a later one of the same name signed, or what the file is refused for.
    """
    read = read_revocation(notice)
    info = read.key.info
    found = signers.load_signers(path)
    if found.revoked_key(info.fingerprint) is not None:
        return read.key
    names = [one for one in found.known if one.identity == info.identity]
    if info not in names:
        raise refuse("revocation-unknown", identity=info.identity)
    may_sign = {one.public_line for one in names[names.index(info) :]}
    if read.signer not in may_sign:
        raise refuse("revocation-unknown", identity=info.identity)
    signers.keep_revoked(path, read.key)
    return read.key


def accept_own(home: Home, notice: Path) -> RevokedKey:
    """Enter the revocation of an own key, present or earlier: nothing is signed with it any more.

    Raises:
        Refused: as :func:`accept_revocation`, or ``key-missing``.
    """
    own = keys.show(home.keys)
    if own is None:
        raise refuse("key-missing")
    if signers.load_signers(home.signers).revoked_key(own.fingerprint) is None:
        signers.keep_signer(home.signers, own)
    return accept_revocation(home.signers, notice)


def unlock_to_sign(home: Home, passphrase: str) -> SigningKey:
    """The key, ready to sign for others.

    Raises:
        Refused: as :func:`keys.unlock`; ``key-revoked`` (params identity, since, reason).
    """
    key = keys.unlock(home.keys, passphrase)
    signers.load_signers(home.signers).refuse_revoked(key.info.fingerprint)
    return key


def put_aside(home: Home, revoked: RevokedKey) -> None:
    """Put the present key aside if it is the revoked one, which makes room for a new one.

    Its files stay under another name, so that nothing is lost.

    Raises:
        Refused: ``key-unwritable``.
    """
    own = keys.show(home.keys)
    if own is None or own.fingerprint != revoked.info.fingerprint:
        return
    folder, aside = home.keys, home.keys / f"revoked-{revoked.since}"
    try:
        os.replace(folder / keys.PRIVATE_NAME, aside)
        os.replace(folder / keys.PUBLIC_NAME, aside.with_name(f"{aside.name}.pub"))
    except OSError:
        raise refuse("key-unwritable") from None


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise refuse("revocation-day") from None


def _read(path: Path) -> bytes:
    with open_regular(path) as stream:
        raw = stream.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise ValueError
    return raw
