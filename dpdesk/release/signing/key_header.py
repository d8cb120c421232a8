# SPDX-License-Identifier: Apache-2.0
"""What a private key's file says without its passphrase: its type and how it is encrypted.

OpenSSH's ``PROTOCOL.key`` puts cipher, key derivation and public key in front, unencrypted.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass

from dpdesk.study.problem import refuse

_ARMOR = re.compile(
    rb"-----BEGIN OPENSSH PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----"
)
_MAGIC = b"openssh-key-v1\0"


@dataclass(frozen=True)
class KeyHeader:
    """The unencrypted part of a private key's file.

    Attributes:
        kind: the key's type, such as ``ssh-ed25519``.
        rounds: of bcrypt; 0 where nothing is encrypted.
        public: the public key in wire format.
    """

    kind: str
    rounds: int
    public: bytes


def read_header(raw: bytes) -> KeyHeader:
    """The unencrypted part of a file's bytes.

    Raises:
        Refused: ``key-not-openssh``.
    """
    match = _ARMOR.fullmatch(raw.strip())
    try:
        body = base64.b64decode(b"".join(match[1].split()), validate=True) if match else b""
        if not body.startswith(_MAGIC):
            raise refuse("key-not-openssh")
        _cipher, rest = _text(body.removeprefix(_MAGIC))
        derivation, rest = _text(rest)
        options, rest = _text(rest)
        public, _rest = _text(rest[4:])
        kind = _text(public)[0].decode("ascii")
    except ValueError:
        raise refuse("key-not-openssh") from None
    rounds = int.from_bytes(options[-4:], "big") if derivation == b"bcrypt" else 0
    return KeyHeader(kind, rounds, public)


def _text(rest: bytes) -> tuple[bytes, bytes]:
    """A length-prefixed string, and what follows it."""
    end = 4 + int.from_bytes(rest[:4], "big")
    if len(rest) < end:
        raise ValueError
    return rest[4:end], rest[end:]
