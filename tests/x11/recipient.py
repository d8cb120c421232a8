# SPDX-License-Identifier: Apache-2.0
"""A bundle's recipient, who has stock tools alone and does what its README says, word for word."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import zipfile
from pathlib import Path

from dpdesk.release.signing.keys import NAMESPACE

_COMMAND = re.compile(r"^ +(ssh-keygen -Y verify .*)$", re.MULTILINE)
_GOOD = "Good"


def read_as_recipient(bundle: Path, public: str, other: str, folder: Path) -> list[str]:
    """Unpack a bundle, run each command of its README, and compare every file's digest.

    Args:
        public: the signer's line for an ``allowed_signers`` file; other: the second person's.
        folder: a new one.

    Returns:
        What the commands answered.
    """
    folder.mkdir()
    subprocess.run(["unzip", "-q", str(bundle), "-d", str(folder)], check=True)
    # The second person's signature is of a plan, and the README says to write so into the line.
    namespaces = re.compile('namespaces="[^"]*"')
    of_plan = namespaces.sub('namespaces="dpdesk-plan-v1"', other)
    (folder.parent / "allowed_signers").write_text(
        f"{public.strip()}\n{of_plan.strip()}\n", "utf-8"
    )
    commands = _COMMAND.findall((folder / "README.txt").read_text("utf-8"))
    assert len(commands) == 2, commands
    answers = [_answer(command, folder) for command in commands]
    assert any(f'Good "{NAMESPACE}"' in answer for answer in answers), answers
    assert all(answer.startswith(_GOOD) for answer in answers), answers
    _compare_digests(folder)
    return answers


def _answer(command: str, folder: Path) -> str:
    done = subprocess.run(
        ["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (shlex.split(command), done.stderr)
    return done.stdout


def _compare_digests(folder: Path) -> None:
    """Each file but the manifest and its signature is in the manifest with its digest."""
    listed = {
        one["name"]: one["digest"]["sha256"]
        for one in json.loads((folder / "manifest.json").read_text("utf-8"))["subject"]
    }
    own = {"manifest.json", "manifest.json.sig"}
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - own
    assert names == set(listed)
    command = ["sha256sum", *sorted(names)]
    said = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    assert dict(reversed(line.split("  ", 1)) for line in said.splitlines()) == listed


def opened_in_office(bundle: Path, folder: Path) -> str:
    """What LibreOffice shows of the workbook's first sheet, as text."""
    with zipfile.ZipFile(bundle) as packed:
        packed.extract("results.xlsx", folder)
    command = ["soffice", "--headless", "--convert-to", "csv", "results.xlsx"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    return (folder / "results.csv").read_text("utf-8", "replace")
