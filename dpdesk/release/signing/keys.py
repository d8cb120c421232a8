# SPDX-License-Identifier: Apache-2.0
"""The signing key: one Ed25519 pair in OpenSSH's own file format, under a passphrase.

Why that format: ``ssh-keygen`` reads the same file, so neither signing nor moving the key depends
on this program. The passphrase is held as long as a call takes and is stored nowhere.
"""

from __future__ import annotations

import base64
import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    KeySerializationEncryption,
    PrivateFormat,
    PublicFormat,
    load_ssh_private_key,
    load_ssh_public_key,
)

from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.key_header import read_header
from dpdesk.release.signing.key_lock import alone
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular
from dpdesk.study.text.plain_letters import spelt_out

PRIVATE_NAME, PUBLIC_NAME = "signing-key", "signing-key.pub"
PRIVATE_NEXT, PUBLIC_NEXT = "signing-key.next", "signing-key.next.pub"
NAMESPACE = "dpdesk-release-v1"
BCRYPT_ROUNDS = 128
MIN_PASSPHRASE = 8
MAX_PASSPHRASE_BYTES = 1024
_MAX_KEY_BYTES = 16_384
_IDENTITY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@-]{0,99}")


@dataclass(frozen=True)
class KeyInfo:
    """The public side of a key.

    Attributes:
        identity: who signs, such as ``data-office@hospital.example``.
        fingerprint: ``SHA256:`` and 43 signs, as ``ssh-keygen -l`` writes it.
        public_line: ``ssh-ed25519 AAAA...``, without the identity.
    """

    identity: str
    fingerprint: str
    public_line: str


@dataclass(frozen=True, repr=False)
class SigningKey:
    """An unlocked key; keep it as short as the signing takes."""

    info: KeyInfo
    private: Ed25519PrivateKey

    def __repr__(self) -> str:
        return f"SigningKey({self.info.fingerprint})"


def new_key(folder: Path, identity: str, passphrase: str) -> KeyInfo:
    """Make a key and keep it in a folder; never over another one.

    Raises:
        Refused: ``identity-malformed``, ``passphrase-too-short`` (param least), ``key-exists``,
            ``key-busy`` or ``key-unwritable``.
    """
    return keep(folder, identity, Ed25519PrivateKey.generate(), passphrase)


def keep(folder: Path, identity: str, pair: Ed25519PrivateKey, passphrase: str) -> KeyInfo:
    """Keep a pair as the signing key, encrypted; never over another one.

    Raises:
        Refused: as :func:`new_key`.
    """
    check_identity(identity)
    check_passphrase(passphrase)
    info = info_of(identity, pair)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with alone(folder):
            _write_pair(folder, encrypt(pair, passphrase), public_file(info))
    except FileExistsError:
        raise refuse("key-exists") from None
    except OSError:
        raise refuse("key-unwritable") from None
    return info


def info_of(identity: str, pair: Ed25519PrivateKey) -> KeyInfo:
    public = pair.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    return _info(identity, public.decode("ascii"))


def public_file(info: KeyInfo) -> bytes:
    return f"{info.public_line} {info.identity}\n".encode("ascii")


def public_path(folder: Path) -> Path:
    """The public half's file; the next one's, where a rotation ended before its last step."""
    following = folder / PUBLIC_NEXT
    if not following.exists():
        return folder / PUBLIC_NAME
    try:
        public = read_header(read_key_file(folder / PRIVATE_NAME)).public
        fits = base64.b64encode(public) in read_key_file(following).split(b" ")
    except Refused:
        fits = False
    return following if fits else folder / PUBLIC_NAME


def show(folder: Path) -> KeyInfo | None:
    """The key's public side; nothing where there is no key.

    Raises:
        Refused: ``key-damaged`` or ``key-closed``.
    """
    try:
        if not (folder / PRIVATE_NAME).exists() and not (folder / PUBLIC_NAME).exists():
            return None
        line = read_key_file(public_path(folder))
    except OSError:  # a folder that may not be looked into
        raise refuse("key-closed") from None
    try:
        kind, blob, identity = line.decode("ascii").removesuffix("\n").split(" ")
        load_ssh_public_key(f"{kind} {blob}".encode("ascii"))
        check_identity(identity)
    except (ValueError, UnsupportedAlgorithm, Refused):
        raise refuse("key-damaged") from None
    if kind != "ssh-ed25519":
        raise refuse("key-damaged")
    return _info(identity, f"{kind} {blob}")


def unlock(folder: Path, passphrase: str) -> SigningKey:
    """The key, ready to sign.

    Raises:
        Refused: ``key-missing``, ``key-wrong-passphrase``, ``key-damaged`` or ``key-closed``.
    """
    info = show(folder)
    if info is None:
        raise refuse("key-missing")
    private = decrypt(read_key_file(folder / PRIVATE_NAME), passphrase)
    if info_of(info.identity, private) != info:
        raise refuse("key-damaged")
    return SigningKey(info, private)


def read_passphrase_file(path: Path | str) -> str:
    """A passphrase from a file of its own; one line end at its end does not count.

    Raises:
        Refused: ``passphrase-file-unreadable``.
    """
    try:
        with open_regular(Path(path)) as stream:
            raw = stream.read(MAX_PASSPHRASE_BYTES + 3)
        text = raw.decode("utf-8")
    except (OSError, ValueError):
        raise refuse("passphrase-file-unreadable") from None
    text = text.removesuffix("\n").removesuffix("\r")
    if not text or len(text.encode("utf-8")) > MAX_PASSPHRASE_BYTES or "\n" in text:
        raise refuse("passphrase-file-unreadable")
    return text


def allowed_signers_line(info: KeyInfo) -> str:
    """What a recipient puts into an ``allowed_signers`` file, ending in a line feed."""
    return f'{info.identity} namespaces="{NAMESPACE}" {info.public_line}\n'


def check_identity(identity: str) -> None:
    """Refuse an identity that an ``allowed_signers`` file would read as something else.

    Raises:
        Refused: ``identity-malformed``.
    """
    if not _IDENTITY.fullmatch(identity):
        raise refuse("identity-malformed")


def as_identity(text: str) -> str:
    """The likeliest identity for what somebody is called; empty where nothing is left.

    >>> as_identity("Registry, St. Mary"), as_identity("office @ mary.example"), as_identity("“”")
    ('Registry-St.-Mary', 'office@mary.example', '')
    >>> as_identity("Klinikum Süd")
    'Klinikum-Sued'
    """
    plain = spelt_out(text).encode("ascii", "ignore").decode()
    made = "-".join(re.findall(r"[A-Za-z0-9._+@-]+", plain)).replace("-@-", "@")
    made = made[:100].strip("-._+@")
    return made if _IDENTITY.fullmatch(made) else ""


def check_passphrase(passphrase: str) -> None:
    """Refuse what guards nothing.

    Raises:
        Refused: ``passphrase-too-short`` (param least) or ``passphrase-too-long``.
    """
    if len(passphrase) < MIN_PASSPHRASE:
        raise refuse("passphrase-too-short", least=str(MIN_PASSPHRASE))
    if len(passphrase.encode("utf-8", "replace")) > MAX_PASSPHRASE_BYTES:
        raise refuse("passphrase-too-long", most=str(MAX_PASSPHRASE_BYTES))


def _info(identity: str, public_line: str) -> KeyInfo:
    blob = base64.b64decode(public_line.split(" ")[1])
    return KeyInfo(identity, fingerprint_of(blob), public_line)


def encrypt(pair: Ed25519PrivateKey, passphrase: str, rounds: int = 0) -> bytes:
    """A private key's file, with at least ``BCRYPT_ROUNDS`` rounds."""
    how: KeySerializationEncryption = (
        PrivateFormat.OpenSSH.encryption_builder()
        .kdf_rounds(max(rounds, BCRYPT_ROUNDS))
        .build(passphrase.encode("utf-8"))
    )
    return pair.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, how)


def decrypt(raw: bytes, passphrase: str) -> Ed25519PrivateKey:
    """The private key of a file's bytes; an empty passphrase represents none.

    Raises:
        Refused: ``key-wrong-passphrase`` or ``key-damaged``.
    """
    if b"BEGIN OPENSSH PRIVATE KEY" not in raw or not _body_reads(raw):
        raise refuse("key-damaged")
    try:
        private = load_ssh_private_key(raw, passphrase.encode("utf-8") or None)
    except UnsupportedAlgorithm:
        raise refuse("key-damaged") from None
    except (ValueError, TypeError) as error:
        _say_why(error)
    if not isinstance(private, Ed25519PrivateKey):
        raise refuse("key-damaged")
    return private


def _say_why(error: Exception) -> NoReturn:
    """OpenSSH's check number does not fit: a wrong passphrase, as far as anybody can tell."""
    wrong = "checksum" in str(error) or "password" in str(error).lower()
    raise refuse("key-wrong-passphrase" if wrong else "key-damaged") from None


def _body_reads(raw: bytes) -> bool:
    body = b"".join(raw.strip().splitlines()[1:-1])
    try:
        return base64.b64decode(body, validate=True).startswith(b"openssh-key-v1\0")
    except ValueError:
        return False


def read_key_file(path: Path) -> bytes:
    """The bytes of one half of a key.

    Raises:
        Refused: ``key-damaged``, or ``key-closed`` where nobody may read it.
    """
    try:
        with open_regular(path) as stream:
            raw = stream.read(_MAX_KEY_BYTES + 1)
    except PermissionError:
        raise refuse("key-closed") from None
    except OSError:
        raise refuse("key-damaged") from None
    if len(raw) > _MAX_KEY_BYTES:
        raise refuse("key-damaged")
    return raw


def _write_pair(folder: Path, private: bytes, public: bytes) -> None:
    """Both halves, or nothing that keeps another key from being made.

    Both are on the disk before the private one gets its name, with which the key exists; until the
    public one has its own, it is known as a rotation's is.
    """
    if any((folder / name).exists() for name in (PRIVATE_NAME, PUBLIC_NAME)):
        raise FileExistsError
    halves = {folder / PUBLIC_NEXT: public, folder / PRIVATE_NEXT: private}
    try:
        for path, content in halves.items():
            path.unlink(missing_ok=True)  # of a program that was killed
            write_new(path, content)
        os.rename(folder / PRIVATE_NEXT, folder / PRIVATE_NAME)
    except BaseException:
        for path in halves:
            with contextlib.suppress(OSError):
                path.unlink()
        raise
    with contextlib.suppress(OSError):
        os.replace(folder / PUBLIC_NEXT, folder / PUBLIC_NAME)


def write_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet, for its owner alone, synced to disk; whole or not at all.

    Raises:
        OSError: it is there, or cannot be written.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        # An empty file of this name would keep the next try from writing it.
        with contextlib.suppress(OSError):
            path.unlink()
        raise
