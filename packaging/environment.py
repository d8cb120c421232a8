# SPDX-License-Identifier: Apache-2.0
"""The project's own virtual environment, filled from the lock files alone.

Nothing is built: a `.pth` file puts the project on the environment's path, so that
`.venv` runs the program as it stands in this folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "dpdesk-stamp.json"
RUN_LOCK = ROOT / "packaging" / "requirements.lock"
TEST_LOCK = ROOT / "packaging" / "requirements-test.lock"


def python_path() -> Path:
    """The environment's interpreter."""
    windows = sys.platform == "win32"
    return VENV / "Scripts" / "python.exe" if windows else VENV / "bin" / "python"


def prepare(lock: Path) -> Path:
    """Make or reuse the environment that holds a lock, and return its interpreter.

    The test lock holds the run lock's versions too, so either may be added to the other.
    """
    locks = _stamped_locks()
    if locks is None:
        _create()
        locks = {}
    if lock.name not in locks:
        _install(lock)
        held = {TEST_LOCK, RUN_LOCK} if lock == TEST_LOCK else {lock}
        _stamp({**locks, **{each.name: _digest(each) for each in held}})
    return python_path()


def call(arguments: list[str], **variables: str) -> int:
    """Run the environment's Python with a few variables set, and return how it ended."""
    command = [str(python_path()), *arguments]
    return subprocess.run(command, env={**os.environ, **variables}, check=False).returncode


def start(arguments: list[str], **variables: str) -> subprocess.Popen[str]:
    """As ``call``, in the background; what it says waits to be read."""
    command = [str(python_path()), *arguments]
    variables = {**os.environ, **variables}
    return subprocess.Popen(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def _stamped_locks() -> dict[str, str] | None:
    """The locks that the environment holds, or None where it must be made anew."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
        locks: dict[str, str] = stamp["locks"]
        current = all(_digest(ROOT / "packaging" / name) == locks[name] for name in locks)
        works = subprocess.run([str(python_path()), "-c", ""], check=False).returncode == 0
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return locks if current and works and stamp["python"] == _python() else None


def _create() -> None:
    print(f"Making a Python environment in {VENV}", flush=True)
    shutil.rmtree(VENV, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=False)
    if made.returncode:
        sys.exit(f"Python could not make a virtual environment in {VENV}.")
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(
        subprocess.run(
            [str(python_path()), "-c", where], check=True, capture_output=True, text=True
        ).stdout.strip()
    )
    # Relative, so that no letter of the folder's name can be read in a wrong encoding.
    (packages / "dpdesk-project.pth").write_text(os.path.relpath(ROOT, packages) + "\n")


def _install(lock: Path) -> None:
    print("Fetching the packages of", lock.name, "(some hundred megabytes, once)", flush=True)
    options = ["--require-hashes", "--only-binary", ":all:", "--disable-pip-version-check"]
    options += [] if sys.stdout.isatty() else ["--quiet"]
    # Tests keep bytecode elsewhere, of what they import alone; pip would compile all for nothing.
    options += ["--no-compile"] if lock == TEST_LOCK else []
    if call(["-m", "pip", "install", "--no-input", *options, "-r", str(lock)]):
        sys.exit(
            "The packages could not be fetched. Is this machine online? See pip's words above."
        )


def _stamp(locks: dict[str, str]) -> None:
    STAMP.write_text(json.dumps({"python": _python(), "locks": locks}), encoding="utf-8")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _python() -> str:
    return "{}.{}".format(*sys.version_info)
