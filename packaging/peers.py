# SPDX-License-Identifier: Apache-2.0
"""What others are measured with: an environment for each group of peers, beside our own.

Peers are no part of what runs or is tested, so each group has a lock of its own, with hashes like
all others; `pyproject.toml` names their versions. One group is apart because OpenDP reads the
plans of one old version of Polars alone, others because one part of the acceptance alone wants
them:

    python packaging/peers.py peers-statistics
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import environment

SIZE = ("peers", "peers-opendp")
"""What `packaging/test.py --size` measures with."""
GROUPS = (*SIZE, "peers-spark", "peers-statistics")
STAMP = "stamp.json"


def lock_of(group: str) -> Path:
    """The file that names every package of a group by its hashes."""
    return environment.ROOT / "packaging" / f"requirements-{group}.lock"


def prepare(groups: Sequence[str]) -> None:
    """Make or reuse each group's environment; one that cannot be filled is left out, aloud."""
    for group in groups:
        lock = lock_of(group)
        wanted = [sys.version, hashlib.sha256(lock.read_bytes()).hexdigest()]
        folder = environment.VENV / "peers" / group
        if _holds(folder, wanted):
            continue
        if _fill(folder, lock):
            (folder / STAMP).write_text(json.dumps(wanted), encoding="utf-8")
        else:
            shutil.rmtree(folder, ignore_errors=True)
            print(f"The packages of {group} could not be fetched; they are left out.", flush=True)


def _holds(folder: Path, wanted: list[str]) -> bool:
    try:
        found = json.loads((folder / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return bool(found == wanted)


def _fill(folder: Path, lock: Path) -> bool:
    print(f"Fetching the packages of {folder.name} into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    scripts = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"
    options = ["--require-hashes", "--only-binary", ":all:", "--disable-pip-version-check"]
    # What Spark's own packages hold is Java and Python, but no wheel of them is published.
    options += ["--no-binary", "pyspark"]
    # The project's own environment has pip already; another copy takes seconds to put in.
    pip = [str(environment.python_path()), "-m", "pip", "--python", str(folder / scripts)]
    commands = [
        [sys.executable, "-m", "venv", "--without-pip", str(folder)],
        [*pip, "install", "--quiet", "--no-input", *options, "-r", str(lock)],
    ]
    return not any(subprocess.run(command, check=False).returncode for command in commands)


if __name__ == "__main__":
    prepare(sys.argv[1:])
