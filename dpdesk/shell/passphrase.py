# SPDX-License-Identifier: Apache-2.0
"""The key's passphrase: from the file that ``DPDESK_PASSPHRASE_FILE`` names, or typed unseen."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path

from dpdesk.release.signing.keys import read_passphrase_file
from dpdesk.shell.output import say
from dpdesk.study.problem import refuse

VARIABLE = "DPDESK_PASSPHRASE_FILE"


def ask(twice: bool = False) -> str:
    """The passphrase.

    Args:
        twice: ask again and compare, for a new key.

    Raises:
        Refused: ``passphrase-file-unreadable``, ``passphrase-not-asked`` (nobody to ask), or
            ``passphrases-differ``.
    """
    named = os.environ.get(VARIABLE, "")
    if named:
        return read_passphrase_file(Path(named))
    if not sys.stdin.isatty():
        raise refuse("passphrase-not-asked", variable=VARIABLE)
    typed = getpass.getpass(say("Passphrase of the signing key:") + " ")
    if twice and getpass.getpass(say("The same again:") + " ") != typed:
        raise refuse("passphrases-differ")
    return typed
