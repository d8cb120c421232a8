# SPDX-License-Identifier: Apache-2.0
"""Changes of the signing key's file: another passphrase, and a key that OpenSSH made.

A new file replaces the old one in one step, and only after it was read back, unlocked, and made a
signature that verifies. A process that ends in between leaves the old file.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from dpdesk.release.signing import keys, sshsig
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.key_header import read_header
from dpdesk.release.signing.key_lock import alone
from dpdesk.release.signing.keys import KeyInfo
from dpdesk.study.problem import Refused, refuse

_TRIAL = b"dpdesk: does this key sign?"


def change_passphrase(folder: Path, old: str, new: str) -> KeyInfo:
    """Encrypt the key under another passphrase; rounds of bcrypt never become fewer than ours.

    Raises:
        Refused: what :func:`keys.unlock` and :func:`keys.check_passphrase` refuse, or
            ``key-unwritable``, with the old file in place.
    """
    keys.check_passphrase(new)
    with alone(folder):
        key = keys.unlock(folder, old)
        header = read_header(keys.read_key_file(folder / keys.PRIVATE_NAME))
        locked = keys.encrypt(key.private, new, header.rounds)
        prepare(folder, locked, new, key.info)
        try:
            os.replace(folder / keys.PRIVATE_NEXT, folder / keys.PRIVATE_NAME)
        except OSError:
            drop_prepared(folder)
            raise refuse("key-unwritable") from None
    return key.info


def import_key(folder: Path, identity: str, source: Path, old: str, new: str) -> KeyInfo:
    """Keep a copy of an OpenSSH Ed25519 key as the signing key, encrypted.

    Args:
        folder: where the signing key is kept; there must be none yet.
        source: the private key's file, which stays as it is.
        old: its passphrase; not used where it is not encrypted.
        new: the passphrase of the copy.

    Raises:
        Refused: ``key-not-openssh``, ``key-type-unsupported`` (param kind), and what
            :func:`keys.new_key` and :func:`keys.unlock` refuse.
    """
    raw, is_encrypted = read_importable(source)
    return keys.keep(folder, identity, keys.decrypt(raw, old if is_encrypted else ""), new)


def read_importable(source: Path) -> tuple[bytes, bool]:
    """The bytes of a key that can be imported, and whether they are encrypted.

    Raises:
        Refused: ``key-not-openssh`` or ``key-type-unsupported`` (param kind).
    """
    try:
        raw = keys.read_key_file(source)
    except Refused:
        raise refuse("key-not-openssh") from None
    header = read_header(raw)
    if header.kind != "ssh-ed25519":
        raise refuse("key-type-unsupported", kind=header.kind)
    return raw, header.rounds > 0


def is_weakened(folder: Path) -> bool:
    """Whether the signing key's file is encrypted with fewer rounds than dpdesk writes.

    False where there is no key, or none that can be read: that is said when it is unlocked.
    """
    try:
        return read_header(keys.read_key_file(folder / keys.PRIVATE_NAME)).rounds < (
            keys.BCRYPT_ROUNDS
        )
    except Refused:
        return False


def prepare(folder: Path, locked: bytes, passphrase: str, info: KeyInfo) -> None:
    """Write the next private half beside the present one, and see it sign.

    Raises:
        Refused: ``key-unwritable``.
    """
    following = folder / keys.PRIVATE_NEXT
    try:
        following.unlink(missing_ok=True)
        keys.write_new(following, locked)
        _demand_signing(following, passphrase, info)
    except (OSError, Refused):
        drop_prepared(folder)
        raise refuse("key-unwritable") from None


def drop_prepared(folder: Path) -> None:
    """Remove a private half that did not take the present one's place."""
    with contextlib.suppress(OSError):
        (folder / keys.PRIVATE_NEXT).unlink()


def _demand_signing(path: Path, passphrase: str, info: KeyInfo) -> None:
    private = keys.decrypt(keys.read_key_file(path), passphrase)
    signature = sshsig.sign(_TRIAL, keys.SigningKey(info, private))
    if fingerprint_of(sshsig.verify(_TRIAL, signature)) != info.fingerprint:
        raise refuse("key-damaged")
