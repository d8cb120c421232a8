# SPDX-License-Identifier: Apache-2.0
"""A release whose n-th call to the disk fails: ``strace`` makes the system refuse that one call.

``python -m tests.faults.failing_calls FOLDER`` is the program that is traced: it loads everything
and then releases in a forked copy, so that the calls are counted from the release's first one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from dpdesk.privacy.door import software
from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.release.signing import keys
from dpdesk.study.model.amount import Epsilon
from tests.audit.length import MEMORY
from tests.release import small_disk
from tests.shell.hospital import PASSPHRASE, ROWS, STUDY
from tests.source_files import ROOT

CALLS = {
    **dict.fromkeys(("pwrite64", "write"), ("ENOSPC", 40)),
    **dict.fromkeys(("fsync", "fdatasync", "unlink", "rename", "ftruncate"), ("EIO", 7)),
}
"""How each call fails, and up to which one of its kind."""
SPENT = Epsilon.of("0.5")


def make_hospital(folder: Path) -> None:
    """A study, its data, an account with one epsilon, and a key."""
    home = Home.at(folder / "home")
    Ledger.open(home).new_account("small", Epsilon.of("1"))
    keys.new_key(home.keys, "data-office@small.example", PASSPHRASE)
    (folder / "passphrase").write_text(f"{PASSPHRASE}\n", encoding="utf-8")
    (folder / "stays.csv").write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    (folder / "small.dpdesk").write_text(json.dumps(STUDY), encoding="utf-8")


def release(folder: Path, failing: tuple[str, str, int] | None = None) -> dict[str, Any]:
    """Run the command, one of its calls failing; what it printed and how it ended."""
    result = folder / "result.json"
    result.unlink(missing_ok=True)
    command = [sys.executable, "-m", "tests.faults.failing_calls", str(folder)]
    if failing is not None:
        call, error, number = failing
        inject = f"inject={call}:error={error}:when={number}"
        traced = ("strace", "-f", "--seccomp-bpf", "-qq", "-o", os.devnull)
        command = [*traced, "-e", f"trace={call}", "-e", inject, *command]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    return found


def faults_of(template: Path, failing: tuple[str, str, int]) -> list[str]:
    """What is wrong with a release of which one call failed, and with the same command again."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        folder, wrong = Path(name), list[str]()
        shutil.copytree(template, folder, dirs_exist_ok=True)
        first = release(folder, failing)
        account = Ledger.open(Home.at(folder / "home")).account("small")
        done = first["status"] == 0
        if done and (account.spent != SPENT or not (folder / "b.zip").exists()):
            wrong.append("it ended well and did not pay or write")
        if not done and (first["out"] or "made a mistake" in first["err"]):
            wrong.append(f"it failed without a sentence: {first['err']}")
        if not done and account.spent.units and "paid" not in first["err"]:
            wrong.append("it paid and did not say so")
        second = {"status": 0} if done else release(folder)
        ledger = Ledger.open(Home.at(folder / "home"))
        if second["status"] or ledger.account("small").spent != SPENT or not ledger.check().sound:
            wrong.append("the same command failed or paid again")
    return [f"{' '.join(map(str, failing))}: {fault}" for fault in wrong]


def sweep(every: int = 1) -> tuple[int, list[str]]:
    """Let each call fail in turn, or each so-manieth; how many did, and what was wrong."""
    cases = [(call, *CALLS[call]) for call in CALLS]
    failing = [(c, error, n) for c, error, most in cases for n in range(1, most + 1, every)]
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        make_hospital(Path(name))
        wrong = [fault for one in failing for fault in faults_of(Path(name), one)]
    return len(failing), wrong


def main(folder: str) -> None:
    """Release in a forked copy that has loaded everything."""
    keys.BCRYPT_ROUNDS = 4
    software()
    for name in small_disk.LOADED:
        import_module(name)
    os.environ["DPDESK_HOME"] = f"{folder}/home"
    os.environ["DPDESK_PASSPHRASE_FILE"] = f"{folder}/passphrase"
    child = os.fork()
    if child == 0:
        flags = ("--fresh", "--same-extract", "--out", f"{folder}/b.zip")
        found = small_disk.command(["release", f"{folder}/small.dpdesk", *flags])
        Path(folder, "result.json").write_text(json.dumps(found), encoding="utf-8")
        os._exit(0)
    os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1])
