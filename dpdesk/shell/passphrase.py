# SPDX-License-Identifier: Apache-2.0
"""The key's passphrase: from the file that ``DPDESK_PASSPHRASE_FILE`` names, or typed unseen.

``DPDESK_NEW_PASSPHRASE_FILE`` names the file of one that is chosen in place of another.
"""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path

from dpdesk.release.signing.keys import read_passphrase_file
from dpdesk.shell.output import say
from dpdesk.study.problem import refuse

VARIABLE = "DPDESK_PASSPHRASE_FILE"
NEW_VARIABLE = "DPDESK_NEW_PASSPHRASE_FILE"


def ask(twice: bool = False) -> str:
    """The passphrase.

    Args:
        twice: ask again and compare, for a new key.

    Raises:
        Refused: as :func:`_ask`.
    """
    return _ask(VARIABLE, say("Passphrase of the signing key:"), twice)


def ask_new() -> str:
    """The passphrase that a key shall have from now on.

    Raises:
        Refused: as :func:`_ask`.
    """
    return _ask(NEW_VARIABLE, say("New passphrase of the signing key:"), True)


def _ask(variable: str, label: str, twice: bool) -> str:
    """From the file that a variable names, or typed.

    Raises:
        Refused: ``passphrase-file-unreadable``, ``passphrase-not-asked`` (nobody to ask), or
            ``passphrases-differ``.
    """
    named = os.environ.get(variable, "")
    if named:
        return read_passphrase_file(Path(named))
    if not sys.stdin.isatty():
        raise refuse("passphrase-not-asked", variable=variable)
    typed = getpass.getpass(label + " ")
    if twice and getpass.getpass(say("The same again:") + " ") != typed:
        raise refuse("passphrases-differ")
    return typed
