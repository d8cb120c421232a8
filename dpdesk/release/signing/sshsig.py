# SPDX-License-Identifier: Apache-2.0
"""OpenSSH's detached signature (SSHSIG): the very bytes that ``ssh-keygen -Y sign`` writes.

One key type, one hash, one namespace for each use. A signature of this kind has one length and one
spelling, so reading is taking two slices, and whatever is not spelt exactly so is refused: no
parser that could be laxer than the next one.
"""

from __future__ import annotations

import base64
import hashlib
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from dpdesk.release.signing.edwards import is_sound_key
from dpdesk.release.signing.keys import NAMESPACE, SigningKey
from dpdesk.study.problem import refuse

_KIND, _HASH = b"ssh-ed25519", b"sha512"
_FIRST, _LAST = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_WIDTH = 70


def sign(message: bytes, key: SigningKey, namespace: str = NAMESPACE) -> bytes:
    public = key.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    return _armor(_blob(public, key.private.sign(_signed(message, namespace)), namespace))


def verify(message: bytes, armored: bytes, namespace: str = NAMESPACE) -> bytes:
    """The key that signed a message, in wire format; whose it is, the caller must know.

    Raises:
        Refused: ``signature-malformed`` (other types, hashes, namespaces, spellings),
            ``signature-key-weak`` or ``signature-wrong``.
    """
    public, raw = _slices(armored, namespace)
    if not is_sound_key(public):
        raise refuse("signature-key-weak")
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(raw, _signed(message, namespace))
    except InvalidSignature:
        raise refuse("signature-wrong") from None
    return key_blob(public)


def key_blob(public: bytes) -> bytes:
    """A raw public key in OpenSSH's wire format."""
    return _text(_KIND) + _text(public)


def _slices(armored: bytes, namespace: str) -> tuple[bytes, bytes]:
    """Public key and signature, if the armor around them is exactly ours."""
    match = re.fullmatch(rf"{_FIRST}\n([A-Za-z0-9+/=\n]+)\n{_LAST}\n".encode("ascii"), armored)
    model = _blob(bytes(32), bytes(64), namespace)
    key_at = len(_BEFORE_KEY)
    try:
        blob = base64.b64decode(match[1].replace(b"\n", b""), validate=True) if match else b""
    except ValueError:
        blob = b""
    public, raw = blob[key_at : key_at + 32], blob[-64:]
    if len(blob) != len(model) or _armor(_blob(public, raw, namespace)) != armored:
        raise refuse("signature-malformed")
    return public, raw


def _text(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


_BEFORE_KEY = b"SSHSIG\0\0\0\x01" + _text(key_blob(bytes(32)))[:-32]


def _blob(public: bytes, raw: bytes, namespace: str) -> bytes:
    use = _text(namespace.encode("ascii")) + _text(b"") + _text(_HASH)
    return _BEFORE_KEY + public + use + _text(_text(_KIND) + _text(raw))


def _signed(message: bytes, namespace: str) -> bytes:
    use = _text(namespace.encode("ascii")) + _text(b"") + _text(_HASH)
    return b"SSHSIG" + use + _text(hashlib.sha512(message).digest())


def _armor(blob: bytes) -> bytes:
    text = base64.b64encode(blob).decode("ascii")
    lines = [text[i : i + _WIDTH] for i in range(0, len(text), _WIDTH)]
    return "\n".join([_FIRST, *lines, _LAST, ""]).encode("ascii")
