# SPDX-License-Identifier: Apache-2.0
"""``dpdesk ledger export``: the entries for an auditor, signed."""

from __future__ import annotations

from pathlib import Path

from dpdesk.program.system_language import system_language
from dpdesk.release.backup.export import export_files, write_export
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.places.home import Home
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.shell import passphrase
from dpdesk.shell.account import open_ledger
from dpdesk.shell.output import DONE, print_json, say
from dpdesk.study.problem import refuse


def run(home: Home, path: Path, as_json: bool) -> int:
    """Write the export and say how it is checked."""
    if not home.ledger.exists():
        raise refuse("backup-no-ledger")
    if path.exists():
        raise refuse("export-exists", name=path.name)
    ledger = open_ledger(home)
    key = unlock_to_sign(home, passphrase.ask())
    files = export_files(ledger, key, ReleaseWords.of(system_language()))
    write_export(path, files)
    if as_json:
        print_json({"files": list(files), "fingerprint": key.info.fingerprint})
    else:
        text = "{name} is written, signed by {fingerprint}; its README.txt says how to check it."
        print(say(text, name=path.name, fingerprint=key.info.fingerprint))
    return DONE
