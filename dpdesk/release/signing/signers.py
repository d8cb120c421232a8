# SPDX-License-Identifier: Apache-2.0
"""The signers that a recipient knows: a strict part of OpenSSH's ``allowed_signers`` format.

A key comes from its owner, never from the bundle that it signed. Options, wildcards and other
key types that ``ssh-keygen`` would understand are refused rather than half understood.
"""

from __future__ import annotations

import base64
import codecs
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dpdesk.release.places.home import SAMPLE_ACCOUNT, Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.edwards import is_sound_key
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import NAMESPACE, allowed_signers_line
from dpdesk.release.signing.keys import KeyInfo as Signer
from dpdesk.release.signing.sshsig import key_blob
from dpdesk.study.json.strict_json import parse_json
from dpdesk.study.json.study_files import OvertakenError, write_whole
from dpdesk.study.limits import is_printable_text
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

Standing = Literal["known", "unknown", "changed", "revoked"]
MAX_BYTES = 1_000_000
_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_LINE = re.compile(
    r"(?P<identity>[A-Za-z0-9][A-Za-z0-9._+@-]{0,99})"
    r'[ \t]+(?:valid-before="(?P<since>[0-9]{8})",)?'
    rf'(?:namespaces="{NAMESPACE}"[ \t]+)?'
    r"ssh-ed25519[ \t]+(?P<blob>[A-Za-z0-9+/]{68})(?:[ \t]+(?P<comment>[ -~]*))?"
)
_REVOKED = "revoked: "


@dataclass(frozen=True)
class RevokedKey:
    """A key that nobody may sign with any more.

    Attributes:
        since: the day, such as ``2026-11-22``.
        reason: why; may be empty.
    """

    info: Signer
    since: str
    reason: str

    @property
    def line(self) -> str:
        """As ``allowed_signers`` has it: stock tools refuse the key by its date."""
        day = self.since.replace("-", "")
        reason = in_ascii(self.reason)
        return (
            f'{self.info.identity} valid-before="{day}",namespaces="{NAMESPACE}" '
            f"{self.info.public_line} {_REVOKED}{reason}\n"
        )


@dataclass(frozen=True)
class Signers:
    """Known signers.

    Attributes:
        revoked: keys that were accepted once.
    """

    known: tuple[Signer, ...] = ()
    revoked: tuple[RevokedKey, ...] = ()

    def revoked_key(self, fingerprint: str) -> RevokedKey | None:
        """What is known of a key's revocation, under whatever name it signs."""
        found = (key for key in self.revoked if key.info.fingerprint == fingerprint)
        return next(found, None)

    def refuse_revoked(self, fingerprint: str) -> None:
        """Refuse to sign with a revoked key, or to accept its signature.

        Raises:
            Refused: ``key-revoked`` (params identity, since, reason).
        """
        key = self.revoked_key(fingerprint)
        if key is not None:
            identity = key.info.identity
            raise refuse("key-revoked", identity=identity, since=key.since, reason=key.reason)

    def standing(self, identity: str, fingerprint: str) -> Standing:
        """Whether a signer is known, unknown, known with another key or name, or revoked."""
        if self.revoked_key(fingerprint) is not None:
            return "revoked"
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
    return parse_signers(_text(path, _read(path)))


def _read(path: Path) -> bytes:
    """The bytes of a file of signers; none where there is no file."""
    try:
        with open_regular(path) as stream:
            raw = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        return b""
    except (OSError, ValueError):
        raise refuse("signers-unreadable", name=path.name) from None
    if len(raw) > MAX_BYTES:
        raise refuse("signers-unreadable", name=path.name)
    return raw


def _text(path: Path, raw: bytes) -> str:
    """The ASCII text of a file of signers, whichever way PowerShell wrote it: with a mark alone.

    Its ``>`` writes UTF-16, ``Set-Content -Encoding utf8`` a mark before UTF-8.
    """
    encoding, mark = next(
        ((name, mark) for mark, name in _MARKS.items() if raw.startswith(mark)), ("ascii", b"")
    )
    try:
        text = raw[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        text = ""
    if not text.isascii() or (raw and not text):
        raise refuse("signers-unreadable", name=path.name)
    return text


def read_line(path: Path) -> str:
    """The text of a file that a signer handed over, for :func:`add_signer`.

    Returns:
        its one line without comments, which ``dpdesk key show`` writes; all of it if it has others.

    Raises:
        Refused: ``signers-unreadable`` (param name).
    """
    text = _text(path, _read(path))
    if not text:
        raise refuse("signers-unreadable", name=path.name)
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return lines[0] if len(lines) == 1 else text


def parse_signers(text: str) -> Signers:
    """Signers from the text of an ``allowed_signers`` file.

    Raises:
        Refused: ``signer-malformed`` or ``signer-key-weak`` (param line).
    """
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    read = [
        _key(line, number)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]
    revoked = tuple(key for key in read if isinstance(key, RevokedKey))
    ended = {key.info.fingerprint for key in revoked}
    known = (key for key in read if isinstance(key, Signer) and key.fingerprint not in ended)
    return Signers(tuple(known), revoked)


def add_signer(path: Path, line: str) -> Signer:
    """Add the line that a signer handed over; the same again changes nothing.

    Raises:
        Refused: what :func:`load_signers` refuses, ``signer-changed`` (params identity,
            fingerprint, known) where the name has another key already, ``key-revoked`` (params
            identity, since, reason), or ``signers-unwritable`` (param name).
    """
    signer = _signer(line.strip(), 1)
    signers = load_signers(path)
    signers.refuse_revoked(signer.fingerprint)
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

    def with_signer(text: str) -> str:
        is_there = signer in parse_signers(text).known
        return text if is_there else _with_line(text, allowed_signers_line(signer))

    _rewrite(path, with_signer)


def keep_revoked(path: Path, key: RevokedKey) -> None:
    """Write that a key is revoked, in place of the lines that accept it.

    Raises:
        Refused: what :func:`load_signers` refuses, or ``signers-unwritable`` (param name).
    """
    blob = key.info.public_line.split(" ")[1]

    def with_revoked(text: str) -> str:
        if parse_signers(text).revoked_key(key.info.fingerprint) is not None:
            return text
        kept = [line for line in text.splitlines(True) if blob not in line]
        return _with_line("".join(kept), key.line)

    _rewrite(path, with_revoked)


def _with_line(text: str, line: str) -> str:
    gap = "" if not text or text.endswith("\n") else "\n"
    return text + gap + line


def _rewrite(path: Path, change: Callable[[str], str]) -> None:
    """Write what follows from a file's text; again where somebody else wrote it meanwhile.

    Otherwise the line of a key that was revoked just now could go, and the key be accepted again.

    Raises:
        Refused: what ``change`` refuses, ``signers-unreadable`` or ``signers-unwritable`` (param
            name).
    """
    is_overtaken = True
    while is_overtaken:
        old = _read(path)
        text = _text(path, old)
        new = change(text)
        if new == text:
            return

        def demand_unchanged(expected: bytes = old) -> None:
            if _read(path) != expected:
                raise OvertakenError

        try:
            write_whole(path, new.encode("ascii"), demand_unchanged)
            is_overtaken = False
        except OvertakenError:
            pass  # from what it holds now
        except OSError:
            raise refuse("signers-unwritable", name=path.name) from None


def _key(line: str, number: int) -> Signer | RevokedKey:
    signer, match = _signer(line, number), _LINE.fullmatch(line)
    if match is None or match["since"] is None:
        return signer
    digits, comment = match["since"], match["comment"] or ""
    since = f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"
    return RevokedKey(signer, since, from_ascii(comment.removeprefix(_REVOKED)))


def in_ascii(reason: str) -> str:
    """A reason in ASCII alone, on one line; :func:`from_ascii` reads it.

    >>> in_ascii("Schlüssel"), from_ascii(in_ascii("Schlüssel"))
    ('Schl\\\\u00fcssel', 'Schlüssel')
    """
    return json.dumps(reason)[1:-1]


def from_ascii(escaped: str) -> str:
    """The reason that was written in ASCII; what was not is given as it is."""
    try:
        text = parse_json(f'{{"reason": "{escaped}"}}'.encode("ascii")).get("reason")
    except (Refused, UnicodeEncodeError):
        return escaped
    is_own = isinstance(text, str) and is_printable_text(text) and in_ascii(text) == escaped
    return text if is_own else escaped


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
    """Added signers and the own keys, which are trusted because their files are here.

    Raises:
        Refused: see ``signers.load_signers`` and ``keys.show``.
    """
    added = load_signers(home.signers)
    for place in (home, home.of_account(SAMPLE_ACCOUNT)):
        own = keys.show(place.keys)
        if own is not None and own not in added.known and not added.revoked_key(own.fingerprint):
            added = Signers((*added.known, own), added.revoked)
    return added
