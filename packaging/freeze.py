# SPDX-License-Identifier: Apache-2.0
"""The program's folder: the program with its Python and its libraries, for machines without them.

The same commit, frozen on the same system, gives the same bytes in any folder: versions come from
a lock by hash, times are the commit's, and sets are in one order. There is no symbolic link in
it, because a memory stick's file system knows none.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import contents
import notices
import program
import stripped

LOCK = program.ROOT / "packaging" / "requirements-build.lock"
DIGESTS = "installed-files.sha256"
_STAMP = "build-stamp.json"


@cache
def commit_time() -> int:
    """When the commit was made that is built; ``SOURCE_DATE_EPOCH`` says it where git does not."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if said:
        return int(said)
    asked = ["git", "-C", str(program.ROOT), "log", "-1", "--format=%ct"]
    return int(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)


def variables() -> dict[str, str]:
    """What a build's processes are given, so that each gives the same bytes again."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        "SOURCE_DATE_EPOCH": str(commit_time()),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "QT_QPA_PLATFORM": "offscreen",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def environment(work: Path) -> Path:
    """An environment of the build lock without what the program never asks for; its Python."""
    folder = work / "environment"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    wanted = [sys.version, digest(LOCK), *contents.UNUSED]
    if not _holds(folder / _STAMP, wanted):
        shutil.rmtree(folder, ignore_errors=True)
        print("Fetching the packages of", LOCK.name, flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        options = ["--require-hashes", "--only-binary", ":all:", "--no-input", "--quiet"]
        report = ["--report", str(folder / notices.REPORT)]
        pip = [str(python), "-m", "pip", "install", *options, *report, "-r", str(LOCK)]
        subprocess.run(pip, check=True)
        for path in contents.unused(packages(folder)):
            path.unlink()
        (folder / _STAMP).write_text(json.dumps(wanted), encoding="utf-8")
    return python


def packages(folder: Path) -> Path:
    """Where an environment's packages lie."""
    return next(folder.glob("[Ll]ib*/**/site-packages"))


def freeze(work: Path) -> Path:
    """Make the program's folder below a folder for work, and return it."""
    python = environment(work)
    made = work / program.NAME
    shutil.rmtree(made, ignore_errors=True)
    print("Freezing", made, flush=True)
    places = ["--distpath", str(work), "--workpath", str(work / "pyinstaller")]
    spec = str(program.ROOT / "packaging" / "frozen" / "dpdesk.spec")
    options = ["--noconfirm", "--clean", "--log-level", "ERROR", *places]
    call = [str(python), "-m", "PyInstaller", *options, spec]
    subprocess.run(call, check=True, env=variables(), cwd=work)
    _finish(made, work)
    return made


def _finish(made: Path, work: Path) -> None:
    """Bring the folder into its final form: the list of digests is written last."""
    for path in sorted(made.rglob("*")):
        if path.is_symlink():
            path.unlink()
        elif path.is_file() and ".so" in path.name and stripped.is_library(path):
            stripped.strip(path)
            stripped.forget_folder(path, sys.base_prefix)
    shutil.copyfile(program.ROOT / "LICENSE", made / "LICENSE")
    notices.write(made, work / "environment", commit_time())
    write_digests(made)
    settle(made)


def overlay(library: Path, package: Path, target: Path) -> None:
    """OpenDP's Python parts with a built program's library, to be found before the installed."""
    ignored = shutil.ignore_patterns("lib", "__pycache__")
    shutil.copytree(package, target / package.name, ignore=ignored)
    shutil.copytree(library, target / package.name / "lib")


def write_digests(folder: Path) -> None:
    """List every file of a folder with its digest, as ``sha256sum`` does."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name != DIGESTS)
    lines = sorted((path.relative_to(folder).as_posix(), digest(path)) for path in paths)
    text = "".join(f"{digest}  {name}\n" for name, digest in lines)
    (folder / DIGESTS).write_text(text, encoding="utf-8", newline="\n")


def settle(folder: Path) -> None:
    """Give everything below a folder the commit's time, and rights that depend on nobody."""
    when = commit_time()
    for path in [*folder.rglob("*"), folder]:
        if path.is_symlink():
            os.utime(path, (when, when), follow_symlinks=False)
            continue
        runs = path.is_dir() or (os.access(path, os.X_OK) and path.suffix == "")
        path.chmod(0o755 if runs else 0o644)
        os.utime(path, (when, when))


def _holds(stamp: Path, wanted: list[str]) -> bool:
    try:
        return bool(json.loads(stamp.read_text(encoding="utf-8")) == wanted)
    except (OSError, ValueError):
        return False


def digest(path: Path) -> str:
    """A file's SHA-256."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
