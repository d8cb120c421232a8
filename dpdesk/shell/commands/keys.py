# SPDX-License-Identifier: Apache-2.0
"""The signing key and the signers that are accepted: ``key`` and ``signers``."""

from __future__ import annotations

import argparse
import os
from datetime import UTC
from pathlib import Path

from dpdesk.release.places.home import SAMPLE_ACCOUNT, Home
from dpdesk.shell.commands.command import Commands, add_command, add_group
from dpdesk.shell.output import say


def add_commands(commands: Commands) -> None:
    _add_key(commands)
    _add_signers(commands)


def _add_key(commands: Commands) -> None:
    keys = add_group(commands, "key", say("The signing key."))
    new = add_command(keys, "new", say("Make a signing key."), _key)
    text = say("Use an OpenSSH Ed25519 key as the signing key; a copy is kept, encrypted.")
    imported = add_command(keys, "import", text, _key)
    text = say("the private key, as ssh-keygen wrote it")
    imported.add_argument("file", type=Path, metavar="FILE", help=text)
    for parser in (new, imported):
        parser.add_argument(
            "--name",
            default=os.environ.get("DPDESK_SIGNER", "data-custodian"),
            help=say("who signs, such as data-office@hospital.example"),
        )
    shown_key = add_command(keys, "show", say("Show the public key."), _key)
    text = say("the key of the sample hospital, which signs nothing else")
    for parser in (new, shown_key):
        parser.add_argument("--sample", action="store_true", help=text)
    add_command(keys, "passphrase", say("Change the passphrase of the signing key."), _key)
    rotated = add_command(
        keys,
        "rotate",
        say("Replace the signing key, by a notice that the old key signs; its bundles stay valid."),
        _key,
    )
    _add_notice(rotated, "key-rotation.txt")
    _add_revocation(keys)
    _add_paper(keys)


def _add_notice(parser: argparse.ArgumentParser, name: str) -> None:
    text = say(
        "where the notice for recipients is written, its signature beside it (default: {name})",
        name=name,
    )
    parser.add_argument("--out", type=Path, default=Path(name), metavar="FILE", help=text)


def _add_paper(keys: Commands) -> None:
    text = say("Write a page with the public key and its fingerprint in groups.")
    printed = add_command(keys, "print", text, _paper)
    text = say("the page, PDF or HTML by its name")
    printed.add_argument("--out", type=Path, required=True, metavar="FILE", help=text)
    text = say("Show the private key as words for paper. Anyone with them has the key.")
    shown = add_command(keys, "words", text, _paper)
    text = say("write them as a page, PDF or HTML, for you alone")
    shown.add_argument("--out", type=Path, metavar="FILE", help=text)
    text = say("Restore the signing key from its words on paper, typed line by line.")
    restored = add_command(keys, "restore-words", text, _paper)
    text = say("who signs, such as data-office@hospital.example")
    restored.add_argument(
        "--name", default=os.environ.get("DPDESK_SIGNER", "data-custodian"), help=text
    )


def _paper(options: argparse.Namespace) -> int:
    from dpdesk.shell.signing import paper

    if options.action == "print":
        return paper.print_public(Home.locate(), options.out, options.json)
    if options.action == "words":
        return paper.words(Home.locate(), options.out, options.json)
    return paper.restore(Home.locate(), options.name, options.json)


def _add_revocation(keys: Commands) -> None:
    text = say(
        "Revoke the signing key, or an earlier one, after a theft: Verify then rejects "
        "all its bundles."
    )
    revoked = add_command(keys, "revoke", text, _revoke_key)
    revoked.add_argument("--reason", default="", help=say("why, such as 'the computer was stolen'"))
    text = say("first day of the revocation (default: today)")
    revoked.add_argument("--since", metavar="YYYY-MM-DD", help=text)
    _add_notice(revoked, "key-revocation.txt")
    text = say("an earlier key of yours, which the current one revokes")
    revoked.add_argument("--earlier", metavar="FINGERPRINT", help=text)
    text = say("a revocation that was made in advance; needs no passphrase")
    revoked.add_argument("--certificate", type=Path, metavar="NOTICE", help=text)
    text = say("Write a revocation in advance, for when the key is stolen and you cannot sign.")
    made = add_command(keys, "certificate", text, _revoke_key)
    name = "key-certificate.txt"
    text = say(
        "where the revocation is written, its signature beside it (default: {name})", name=name
    )
    made.add_argument("--out", type=Path, default=Path(name), metavar="FILE", help=text)


def _revoke_key(options: argparse.Namespace) -> int:
    from datetime import datetime

    from dpdesk.shell.signing import revoke

    home, today = Home.locate(), datetime.now(UTC).date().isoformat()
    if options.action == "certificate":
        return revoke.certificate(home, options.out, today, options.json)
    asked = revoke.RevokeOptions(
        options.reason, options.since or today, options.out, options.earlier, options.certificate
    )
    return revoke.revoke(home, asked, options.json)


def _key(options: argparse.Namespace) -> int:
    from dpdesk.shell import key

    if getattr(options, "sample", False):
        sample = Home.locate().of_account(SAMPLE_ACCOUNT)
        sample.make()
        if options.action == "new":
            return key.new(sample, options.name, options.json)
        return key.show(sample, options.json)
    if options.action == "new":
        return key.new(Home.locate(), options.name, options.json)
    if options.action == "import":
        return key.import_key(Home.locate(), options.file, options.name, options.json)
    if options.action == "passphrase":
        return key.change_passphrase(Home.locate(), options.json)
    if options.action == "rotate":
        return key.rotate(Home.locate(), options.out, options.json)
    return key.show(Home.locate(), options.json)


def _add_signers(commands: Commands) -> None:
    actions = add_group(commands, "signers", say("The signers whose bundles you accept."))
    new = add_command(actions, "add", say("Add a signer by their public key."), _signers)
    new.add_argument("file", type=Path, metavar="FILE", help=say("a file with that line only"))
    text = say("Accept a known signer's new key by the notice that the old one signed.")
    rotated = add_command(actions, "rotate", text, _signers)
    text = say("the notice that you were given, its signature beside it")
    rotated.add_argument("file", type=Path, metavar="NOTICE", help=text)
    revoked = add_command(
        actions,
        "revoke",
        say("Revoke a known signer's key by its notice: all its bundles are then rejected."),
        _signers,
    )
    text = say("the notice that you were given, its signature beside it")
    revoked.add_argument("file", type=Path, metavar="NOTICE", help=text)


def _signers(options: argparse.Namespace) -> int:
    from dpdesk.shell import key

    if options.action == "revoke":
        from dpdesk.shell.signing import revoke

        return revoke.accept(Home.locate(), options.file, options.json)
    change = key.add_signer if options.action == "add" else key.accept_rotation
    return change(Home.locate(), options.file, options.json)
