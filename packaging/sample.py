# SPDX-License-Identifier: Apache-2.0
"""The sample hospital in a folder of the user's, and its release from the shell."""

from __future__ import annotations

import os
import secrets
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import environment

SHIPPED = environment.ROOT / "resources" / "sample"
STUDY = "sample.dpdesk"
DATA = "admissions.csv"
FILES = (STUDY, DATA, "codebook.csv")
ACCOUNT = "sample-hospital"
EPSILON = "1"
_WRITE = """
import sys
from pathlib import Path
from dpdesk.program.system_language import system_language
from dpdesk.study.reuse.sample_study import write_sample
write_sample(Path(sys.argv[1]), system_language())
"""
SIGNER = "custodian@sample-hospital.example"


def is_study(argument: str) -> bool:
    """Whether an argument asks for a window rather than for a command."""
    return argument.endswith(".dpdesk")


def write() -> Path:
    """A working copy that says what it holds in the system's language."""
    environment.call(["-c", _WRITE, str(_folder())])
    return copy()


def copy() -> Path:
    """A working copy that the user may change; what is there already stays as it is."""
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        if not (folder / name).exists():
            shutil.copyfile(SHIPPED / name, folder / name)
    return folder


def _folder() -> Path:
    home = os.environ.get("DPDESK_HOME")
    if home:
        return Path(home) / "sample"
    documents = Path.home() / "Documents"
    return (documents if documents.is_dir() else Path.home()) / "dpdesk sample"


def release(folder: Path) -> int:
    """Open the account, make a key, release, verify; what is there already is used again.

    Unless DPDESK_HOME says otherwise, ledger and key of this trial stay in its own folder,
    apart from those of real work. Asking again gives the stored figures and costs nothing.
    """
    os.environ.setdefault("DPDESK_HOME", str(folder / "dpdesk-home"))
    open_account()
    _provide_key(folder)
    bundle = _free_name(folder)
    # A copy of an earlier version does not declare its extract; the file is always the same.
    extract = ("--extract", DATA, "--same-extract")
    _step("release", str(folder / STUDY), *extract, "--yes", "--out", str(bundle))
    _step("verify", str(bundle), "--signers", str(_save_signers(folder)))
    print(f"A signed and verified bundle lies in {bundle}")
    return 0


def open_account() -> None:
    """The account that the sample study names, where there is none yet."""
    if not _works("account", "show", ACCOUNT):
        _step("account", "new", ACCOUNT, EPSILON, "--note", "Invented patients, for trying out.")


def _provide_key(folder: Path) -> None:
    """The sample's own key, with a passphrase made up here; it signs nothing else."""
    passphrase = folder / "passphrase.txt"
    if _works("key", "show", "--sample"):
        if passphrase.exists():
            os.environ.setdefault("DPDESK_PASSPHRASE_FILE", str(passphrase))
        return
    if "DPDESK_PASSPHRASE_FILE" not in os.environ:
        with open(passphrase, "w", opener=_private) as file:
            file.write(secrets.token_urlsafe(24) + "\n")
        os.environ["DPDESK_PASSPHRASE_FILE"] = str(passphrase)
    _step("key", "new", "--sample", "--name", SIGNER)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _save_signers(folder: Path) -> Path:
    """The public key as recipients get it."""
    path = folder / "allowed_signers"
    shown = _dpdesk("key", "show", "--sample").stdout.splitlines()
    lines = [line for line in shown if " ssh-ed25519 " in line]
    path.write_text("\n".join(lines) + "\n", encoding="ascii", newline="\n")
    return path


def _free_name(folder: Path) -> Path:
    number = 1
    while (bundle := folder / f"sample-release-{number}.zip").exists():
        number += 1
    return bundle


def _step(*arguments: str) -> None:
    """Run a command and say which; stop where it is refused, as it has said why."""
    print("\n$ dpdesk", shlex.join(arguments), flush=True)
    status = environment.call(["-m", "dpdesk", *arguments])
    if status:
        sys.exit(status)


def _works(*arguments: str) -> bool:
    return _dpdesk(*arguments).returncode == 0


def _dpdesk(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(environment.python_path()), "-m", "dpdesk", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)
