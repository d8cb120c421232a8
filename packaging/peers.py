# SPDX-License-Identifier: Apache-2.0
"""What others are measured with: an environment for each group of peers, beside our own.

Peers are no part of what runs or is tested, so no lock holds them; `pyproject.toml` names their
versions. One group is apart because OpenDP reads the plans of one old version of Polars alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import environment

GROUPS = ("peers", "peers-opendp")


def prepare() -> None:
    """Make or reuse each group's environment; one that cannot be filled is left out, aloud."""
    declared = tomllib.loads((environment.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for group in GROUPS:
        wanted = [sys.version, *declared["dependency-groups"][group]]
        folder = environment.VENV / "peers" / group
        if not _holds(folder, wanted) and not _fill(folder, wanted):
            shutil.rmtree(folder, ignore_errors=True)
            print(f"The packages of {group} could not be fetched; they are left out.", flush=True)


def _holds(folder: Path, wanted: list[str]) -> bool:
    try:
        found = json.loads((folder / "stamp.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(found == wanted)


def _fill(folder: Path, wanted: list[str]) -> bool:
    print(f"Fetching the packages of {folder.name} into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    scripts = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    options = ["--only-binary", ":all:", "--disable-pip-version-check", "--quiet", "--no-input"]
    commands = [
        [sys.executable, "-m", "venv", str(folder)],
        [str(folder / scripts), "-m", "pip", "install", *options, *wanted[1:]],
    ]
    if any(subprocess.run(command, check=False).returncode for command in commands):
        return False
    (folder / "stamp.json").write_text(json.dumps(wanted), encoding="utf-8")
    return True
