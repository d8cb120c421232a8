# SPDX-License-Identifier: Apache-2.0
"""``dpdesk key``: the signing key, and what recipients need to check its signatures."""

from __future__ import annotations

from typing import Any

from dpdesk.release.home import Home
from dpdesk.release.signing import keys
from dpdesk.shell import passphrase
from dpdesk.shell.output import DONE, print_json
from dpdesk.study.problem import refuse


def new(home: Home, name: str, as_json: bool) -> int:
    """Make the signing key, under a passphrase."""
    keys.check_identity(name)
    return _said(keys.new_key(home.keys, name, passphrase.ask(twice=True)), as_json)


def show(home: Home, as_json: bool) -> int:
    """Print the public key as an ``allowed_signers`` line, and its fingerprint."""
    info = keys.show(home.keys)
    if info is None:
        raise refuse("key-missing")
    return _said(info, as_json)


def _said(info: keys.KeyInfo, as_json: bool) -> int:
    if as_json:
        print_json(_members(info))
    else:
        print(keys.allowed_signers_line(info).strip())
        print(info.fingerprint)
    return DONE


def _members(info: keys.KeyInfo) -> dict[str, Any]:
    return {
        "identity": info.identity,
        "fingerprint": info.fingerprint,
        "allowed_signers": keys.allowed_signers_line(info).strip(),
    }
