# SPDX-License-Identifier: Apache-2.0
"""``dpdesk key`` and ``dpdesk signers``: the signing key, and the keys that a recipient accepts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.places.home import Home
from dpdesk.release.signing import key_changes, keys, rotation, signers
from dpdesk.release.signing.key_changes import is_weakened
from dpdesk.release.signing.passphrase_strength import Strength, strength_of
from dpdesk.shell import passphrase
from dpdesk.shell.output import DONE, complain, print_json, say
from dpdesk.study.problem import refuse

_STRENGTHS: Final[dict[Strength, Template]] = {
    "weak": "Strength of the passphrase, as an estimate: weak. Five or more random words are "
    "better; change it with: dpdesk key passphrase",
    "fair": "Strength of the passphrase, as an estimate: fair.",
    "strong": "Strength of the passphrase, as an estimate: strong.",
}


def new(home: Home, name: str, as_json: bool) -> int:
    """Make the signing key, under a passphrase."""
    keys.check_identity(name)
    words = passphrase.ask(twice=True)
    return _chosen(home, keys.new_key(home.keys, name, words), words, as_json)


def change_passphrase(home: Home, as_json: bool) -> int:
    """Encrypt the signing key under another passphrase."""
    if keys.show(home.keys) is None:
        raise refuse("key-missing")
    old, words = passphrase.ask(), passphrase.ask_new()
    info = key_changes.change_passphrase(home.keys, old, words)
    complain(say("The passphrase is changed. Backups keep the passphrase of their day."))
    return _chosen(home, info, words, as_json)


def rotate(home: Home, notice: Path, as_json: bool) -> int:
    """Replace the signing key, and write the notice that the old one signs."""
    if keys.show(home.keys) is None:
        raise refuse("key-missing")
    info = rotation.rotate(home, passphrase.ask(), notice)
    complain(
        say(
            "Give recipients {name} and {name}.sig: dpdesk signers rotate {name} accepts the new "
            "key. Older bundles stay valid under the old one.",
            name=notice.name,
        )
    )
    return _said(info, False, as_json)


def import_key(home: Home, source: Path, name: str, as_json: bool) -> int:
    """Keep a copy of an OpenSSH key as the signing key, always encrypted."""
    keys.check_identity(name)
    if keys.show(home.keys) is not None:
        raise refuse("key-exists")
    _raw, is_encrypted = key_changes.read_importable(source)
    old = passphrase.ask() if is_encrypted else ""
    words = old if is_encrypted else passphrase.ask_new()
    info = key_changes.import_key(home.keys, name, source, old, words)
    return _chosen(home, info, words, as_json)


def show(home: Home, as_json: bool) -> int:
    """Print the public key as an ``allowed_signers`` line, and its fingerprint."""
    refuse_sample_keyless(home)
    info = keys.show(home.keys)
    if info is None:
        raise refuse("key-missing")
    weakened = is_weakened(home.keys)
    if weakened:
        complain(
            say(
                "The signing key's file is encrypted more weakly than dpdesk writes it; encrypt "
                "it again with: dpdesk key passphrase"
            )
        )
    return _said(info, weakened, as_json)


def refuse_sample_keyless(home: Home) -> None:
    """Refuse where the sample hospital signs and has no key: another one would not do.

    Raises:
        Refused: ``sample-key-missing``.
    """
    if home.is_sample and keys.show(home.keys) is None:
        raise refuse("sample-key-missing")


def add_signer(home: Home, file: Path, as_json: bool) -> int:
    return _accepted(signers.add_signer(home.signers, signers.read_line(file)), as_json)


def accept_rotation(home: Home, notice: Path, as_json: bool) -> int:
    """Accept a known signer's new key, by the notice that the old one signed."""
    return _accepted(rotation.accept_rotation(home.signers, notice), as_json)


def _accepted(signer: keys.KeyInfo, as_json: bool) -> int:
    if as_json:
        print_json(_members(signer))
    else:
        print(signer.identity)
        print(signer.fingerprint)
    return DONE


def _chosen(home: Home, info: keys.KeyInfo, words: str, as_json: bool) -> int:
    """Show a key, and how strong the passphrase is that was chosen for it."""
    complain(say(_STRENGTHS[strength_of(words)]))
    return _said(info, is_weakened(home.keys), as_json)


def _said(info: keys.KeyInfo, weakened: bool, as_json: bool) -> int:
    if as_json:
        print_json({**_members(info), "weakened": weakened})
    else:
        # As a comment: what is printed is a file that signers add and ssh-keygen read.
        print(keys.allowed_signers_line(info).strip())
        print(f"# {info.fingerprint}")
    return DONE


def _members(info: keys.KeyInfo) -> dict[str, Any]:
    return {
        "identity": info.identity,
        "fingerprint": info.fingerprint,
        "allowed_signers": keys.allowed_signers_line(info).strip(),
    }
