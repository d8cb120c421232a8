# SPDX-License-Identifier: Apache-2.0
"""Every command of ``docs/commands.md`` is run once against the installed package."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from clean_root import USER, USER_ID, CleanRoot, copy

from tests.installed.every_command import Shell, commands_of, live, prepare
from tests.source_files import ROOT

BASE = CleanRoot(Path(os.environ["DPDESK_INSTALLED"]).resolve())
PACKAGE = os.environ["DPDESK_INSTALLED_PACKAGES"].split(":")[0]


def test_two_years_in_the_shell() -> None:
    folder = BASE.folder.with_name("every-command")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    prepare(folder)
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "other"], check=True
    )
    for path in (folder, *folder.iterdir()):
        shutil.chown(path, USER_ID, USER_ID)
    root = copy(BASE, BASE.folder.with_name("clean-root-of-commands"), (folder,))
    try:
        done = root.install(PACKAGE)
        assert done.returncode == 0, done.stdout + done.stderr

        def run(who: str, line: str) -> subprocess.CompletedProcess[str]:
            names = {"DPDESK_PASSPHRASE_FILE": "passphrase", "DPDESK_NEW_PASSPHRASE_FILE": "new"}
            files = {name: str(folder / file) for name, file in names.items()}
            typed = f"cd {folder} && {line}"
            return root.run("sh", "-c", typed, DPDESK_HOME=str(Path("/home", USER, who)), **files)

        dpdesk = Shell(run, folder)
        live(dpdesk)
    finally:
        shutil.rmtree(root.folder)
    assert dpdesk.wrong == []
    commands = commands_of((ROOT / "docs" / "commands.md").read_text(encoding="utf-8"))
    assert dpdesk.not_run(commands) == []
    lines = sum(map(len, dpdesk.statuses.values()))
    print(f"\n{lines} lines of {len(commands)} commands")
