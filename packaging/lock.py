# SPDX-License-Identifier: Apache-2.0
"""Write the lock files anew, the peers' too. Needs `uv` on the path; nothing else here does.

    packaging/lock.py           the lock files, and which wheels of theirs each system gets
    packaging/lock.py wheels    only the latter, from the lock as it stands, without `uv`

One file serves Windows, macOS and Linux and every Python that we support. It names
versions and hashes only: where packages come from is the machine's own setting.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import wheelhouse
from peers import GROUPS, lock_of

HERE = Path(__file__).resolve().parent
HEAD = "# Every package with its hashes; written by packaging/lock.py, not by hand.\n"
OPTIONS = [
    "--universal",
    # One version for every Python, so that what is tested on one is what runs on another.
    "--fork-strategy=fewest",
    "--generate-hashes",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--no-header",
    "--no-annotate",
    "--quiet",
    "--upgrade",
    "--python-version=3.11",
]


PROJECT = str(HERE.parent / "pyproject.toml")


def compile_lock(name: str, *wanted: str) -> None:
    """Resolve what is wanted of pyproject.toml into one lock file."""
    command = ["uv", "pip", "compile", *wanted, *OPTIONS]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=HERE.parent)
    (HERE / name).write_bytes(HEAD.encode() + done.stdout)


def compile_peers() -> None:
    """Lock each group of peers by itself: none has to agree with what runs or is tested."""
    for group in GROUPS:
        compile_lock(lock_of(group).name, f"--group={PROJECT}:{group}")


def main(arguments: list[str]) -> int:
    """Lock what runs first; tests and builds then stand on exactly that."""
    if arguments == ["wheels"]:
        wheelhouse.write_list()
        return 0
    compile_lock("requirements.lock", PROJECT)
    constraint = f"--constraint={HERE / 'requirements.lock'}"
    compile_lock("requirements-test.lock", PROJECT, "--group=test", constraint)
    compile_lock("requirements-build.lock", PROJECT, "--group=build", constraint)
    compile_lock("requirements-coverage.lock", f"--group={PROJECT}:coverage")
    compile_peers()
    wheelhouse.write_list()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
