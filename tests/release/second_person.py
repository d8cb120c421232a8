# SPDX-License-Identifier: Apache-2.0
"""A second person with a home and a key of their own, for tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PrivateFormat

from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.signers import add_signer

WORDS = "second made-up passphrase"
SECOND = "second@small.example"


@dataclass(frozen=True)
class Person:
    """Somebody who signs.

    Attributes:
        home: their home.
        key: their key, unlocked.
        line: the file with the line that they hand over.
    """

    home: Home
    key: SigningKey
    line: Path

    @property
    def private(self) -> Path:
        """Their private key's file, for ssh-keygen."""
        return self.home.keys / keys.PRIVATE_NAME

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Commands are theirs inside."""
        words = self.home.root / "words"
        words.write_text(WORDS, encoding="utf-8")
        mine = {"DPDESK_HOME": str(self.home.root), "DPDESK_PASSPHRASE_FILE": str(words)}
        before = {name: os.environ.get(name) for name in mine}
        os.environ.update(mine)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


def make_person(
    folder: Path, identity: str = SECOND, seed: int = 2, knows: tuple[KeyInfo, ...] = ()
) -> Person:
    """Somebody with a key of few rounds, so that it unlocks at once."""
    home = Home.at(folder / identity)
    home.make()
    pair = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    info = keys.info_of(identity, pair)
    lock = PrivateFormat.OpenSSH.encryption_builder().kdf_rounds(1).build(WORDS.encode())
    raw = pair.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, lock)
    keys.write_new(home.keys / keys.PRIVATE_NAME, raw)
    keys.write_new(home.keys / keys.PUBLIC_NAME, keys.public_file(info))
    line = folder / f"{identity}.line"
    line.write_text(keys.allowed_signers_line(info), encoding="ascii")
    for known in knows:
        add_signer(home.signers, keys.allowed_signers_line(known))
    return Person(home, SigningKey(info, pair), line)
