# SPDX-License-Identifier: Apache-2.0
"""The signers that a recipient knows: a strict part of OpenSSH's ``allowed_signers`` format.

A key comes from its owner, never from the bundle that it signed. Options, wildcards and other
key types that ``ssh-keygen`` would understand are refused rather than half understood.
"""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dpdesk.release.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.edwards import is_sound_key
from dpdesk.release.signing.keys import NAMESPACE, allowed_signers_line, fingerprint_of
from dpdesk.release.signing.keys import KeyInfo as Signer
from dpdesk.release.signing.sshsig import key_blob
from dpdesk.study.json.study_files import write_whole
from dpdesk.study.problem import refuse
from dpdesk.study.regular_file import open_regular

Standing = Literal["known", "unknown", "changed"]
MAX_BYTES = 1_000_000
_LINE = re.compile(
    r"(?P<identity>[A-Za-z0-9][A-Za-z0-9._+@-]{0,99})"
    rf'[ \t]+(?:namespaces="{NAMESPACE}"[ \t]+)?'
    r"ssh-ed25519[ \t]+(?P<blob>[A-Za-z0-9+/]{68})(?:[ \t]+[ -~]*)?"
)


@dataclass(frozen=True)
class Signers:
    """Known signers."""

    known: tuple[Signer, ...] = ()

    def standing(self, identity: str, fingerprint: str) -> Standing:
        """Whether a signer is known, unknown, or known with another key or under another name."""
        pairs = {(signer.identity, signer.fingerprint) for signer in self.known}
        if (identity, fingerprint) in pairs:
            return "known"
        touched = any(identity == name or fingerprint == print_ for name, print_ in pairs)
        return "changed" if touched else "unknown"


def load_signers(path: Path) -> Signers:
    """Signers from a file; none where there is no file.

    Raises:
        Refused: ``signers-unreadable`` (param name), ``signer-malformed`` (param line) or
            ``signer-key-weak`` (param line).
    """
    return parse_signers(_read(path).decode("ascii"))


def _read(path: Path) -> bytes:
    """The ASCII text of a file of signers; empty where there is none."""
    try:
        with open_regular(path) as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return b""
    except (OSError, ValueError):
        raise refuse("signers-unreadable", name=path.name) from None
    if len(raw) > MAX_BYTES or not raw.isascii():
        raise refuse("signers-unreadable", name=path.name)
    return raw


def read_line(path: Path) -> str:
    """The text of a file that a signer handed over, for :func:`add_signer`.

    Raises:
        Refused: ``signers-unreadable`` (param name).
    """
    text = _read(path).decode("ascii")
    if not text:
        raise refuse("signers-unreadable", name=path.name)
    return text


def parse_signers(text: str) -> Signers:
    """Signers from the text of an ``allowed_signers`` file.

    Raises:
        Refused: ``signer-malformed`` or ``signer-key-weak`` (param line).
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    return Signers(
        tuple(
            _signer(line, number)
            for number, line in enumerate(lines, 1)
            if line.strip() and not line.startswith("#")
        )
    )


def add_signer(path: Path, line: str) -> Signer:
    """Add the line that a signer handed over; the same again changes nothing.

    Raises:
        Refused: what :func:`load_signers` refuses, ``signer-changed`` (params identity,
            fingerprint, known) where the name has another key already, or
            ``signers-unwritable`` (param name).
    """
    signer = _signer(line.strip(), 1)
    signers = load_signers(path)
    others = [known for known in signers.known if known.identity == signer.identity]
    if signer in others:
        return signer
    if others:
        names = {"identity": signer.identity, "known": others[0].fingerprint}
        raise refuse("signer-changed", fingerprint=signer.fingerprint, **names)
    keep_signer(path, signer)
    return signer


def keep_signer(path: Path, signer: Signer) -> None:
    """Write a signer at the end of a file, beside other keys of the same name.

    Raises:
        Refused: what :func:`load_signers` refuses, or ``signers-unwritable`` (param name).
    """
    if signer in load_signers(path).known:
        return
    old = _read(path)
    try:
        gap = b"" if not old or old.endswith(b"\n") else b"\n"
        write_whole(path, old + gap + allowed_signers_line(signer).encode("ascii"))
    except OSError:
        raise refuse("signers-unwritable", name=path.name) from None


def _signer(line: str, number: int) -> Signer:
    match = _LINE.fullmatch(line)
    blob = base64.b64decode(match["blob"]) if match else b""
    public = blob[-32:]
    if match is None or blob != key_blob(public):
        raise refuse("signer-malformed", line=str(number))
    if not is_sound_key(public):
        raise refuse("signer-key-weak", line=str(number))
    return Signer(match["identity"], fingerprint_of(blob), f"ssh-ed25519 {match['blob']}")


def known_signers(home: Home) -> Signers:
    """Added signers and the own key; the own key is trusted because its file is here.

    Raises:
        Refused: see ``signers.load_signers`` and ``keys.show``.
    """
    added = load_signers(home.signers)
    own = keys.show(home.keys)
    if own is None or own in added.known:
        return added
    return Signers((*added.known, own))
