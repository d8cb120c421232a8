# SPDX-License-Identifier: Apache-2.0
"""Rotation: a new signing key, and the notice by which the old one vouches for it.

The notice is a text of four lines with a detached OpenSSH signature in a namespace of its own, so
that no signature of a bundle can pass for one. It says nothing about a key that was stolen: anyone
who has the old key can sign one, too. Only the latest key of a signer can name the next.
"""

from __future__ import annotations

import base64
import contextlib
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from dpdesk.release.places.home import Home
from dpdesk.release.signing import key_changes, keys, signers, sshsig
from dpdesk.release.signing.key_lock import alone
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

KEY_NAMESPACE = "dpdesk-key-v1"
MAX_NOTICE_BYTES = 1_000
_NOTICE = re.compile(
    r"dpdesk key rotation 1\nidentity (?P<identity>\S+)\n"
    r"old (?P<old>ssh-ed25519 \S+)\nnew (?P<new>ssh-ed25519 \S+)\n"
)


def rotate(home: Home, passphrase: str, notice: Path) -> KeyInfo:
    """Replace the signing key by a new one under the same passphrase, and write the notice.

    The old key signs the notice and is forgotten; its public line joins the known signers, so that
    older bundles still verify here.

    Raises:
        Refused: what :func:`keys.unlock` refuses, ``key-notice-unwritable``, ``key-unwritable``,
            ``key-busy``, or what the file of known signers is refused for; the old key is then in
            place, and no notice is left of a key that nobody has.
    """
    with alone(home.keys):
        _finish(home.keys)
        old = keys.unlock(home.keys, passphrase)
        signers.load_signers(home.signers).refuse_revoked(old.info.fingerprint)
        pair = Ed25519PrivateKey.generate()
        new = keys.info_of(old.info.identity, pair)
        key_changes.prepare(home.keys, keys.encrypt(pair, passphrase), passphrase, new)
        try:
            with _written_notice(notice, old, new):
                signers.keep_signer(home.signers, old.info)
                _replace(home.keys, new)
        except BaseException:
            key_changes.drop_prepared(home.keys)
            raise
    return new


def accept_rotation(path: Path, notice: Path) -> KeyInfo:
    """Add the new key of a known signer to a file of signers; the same again changes nothing.

    Raises:
        Refused: ``key-notice-wrong``, ``key-notice-unknown`` (param identity) where the notice is
            not signed by the latest key that is known for this signer, or what the file is
            refused for.
    """
    old, new = _read_notice(notice)
    known = [one for one in signers.load_signers(path).known if one.identity == new.identity]
    if new in known and old in known:
        return new
    if new in known or not known or known[-1] != old:
        raise refuse("key-notice-unknown", identity=new.identity)
    signers.keep_signer(path, new)
    return new


def _text_of(old: KeyInfo, new: KeyInfo) -> bytes:
    text = f"identity {new.identity}\nold {old.public_line}\nnew {new.public_line}\n"
    return f"dpdesk key rotation 1\n{text}".encode("ascii")


@contextmanager
def _written_notice(path: Path, old: SigningKey, new: KeyInfo) -> Iterator[None]:
    """A notice with its signature, which go again where the new key does not come."""
    text, made = _text_of(old.info, new), list[Path]()
    files = {path: text, _signature_of(path): sshsig.sign(text, old, KEY_NAMESPACE)}
    try:
        try:
            for file, content in files.items():
                keys.write_new(file, content)
                made.append(file)
        except OSError:
            raise refuse("key-notice-unwritable") from None
        yield
    except BaseException:
        for file in made:
            with contextlib.suppress(OSError):
                file.unlink()
        raise


def _signature_of(notice: Path) -> Path:
    return notice.with_name(f"{notice.name}.sig")


def _read_notice(path: Path) -> tuple[KeyInfo, KeyInfo]:
    """The old and the new key of a notice that the old one signed."""
    text, armored = _read(path), _read(_signature_of(path))
    try:
        match = _NOTICE.fullmatch(text.decode("ascii"))
        blob = sshsig.verify(text, armored, KEY_NAMESPACE)
        if match is None or match["old"].split()[1].encode() != base64.b64encode(blob):
            raise refuse("key-notice-wrong")
        lines = (f"{match['identity']} {match[name]}" for name in ("old", "new"))
        old, new = (signers.parse_signers(line).known[0] for line in lines)
    except (Refused, ValueError, IndexError):
        raise refuse("key-notice-wrong") from None
    return old, new


def _read(path: Path) -> bytes:
    try:
        with open_regular(path) as stream:
            return stream.read(MAX_NOTICE_BYTES + 1)
    except (OSError, ValueError):
        raise refuse("key-notice-wrong") from None


def _replace(folder: Path, new: KeyInfo) -> None:
    """The private half first: until the public one follows, its successor's file says so."""
    following = folder / keys.PUBLIC_NEXT
    try:
        following.unlink(missing_ok=True)
        keys.write_new(following, keys.public_file(new))
        os.replace(folder / keys.PRIVATE_NEXT, folder / keys.PRIVATE_NAME)
        os.replace(following, folder / keys.PUBLIC_NAME)
    except OSError:
        raise refuse("key-unwritable") from None


def _finish(folder: Path) -> None:
    """Take the last step of a rotation that was killed before it."""
    following = folder / keys.PUBLIC_NEXT
    with contextlib.suppress(OSError):
        if keys.public_path(folder) == following:
            os.replace(following, folder / keys.PUBLIC_NAME)
