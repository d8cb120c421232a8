# SPDX-License-Identifier: Apache-2.0
"""A release whose n-th call to the disk fails: ``strace`` makes the system refuse that one call.

Everything is loaded once. Each release is a forked copy that waits until ``strace`` watches it and
then runs the command; what it printed comes back through shared memory, so that no call of the
test's own is counted or refused. A first release is only counted: as many calls of a kind as it
makes, so many releases there are of which one such call fails.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from dpdesk.privacy.noise.door import software
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.signers import known_signers
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from tests.audit.length import FULL, MEMORY
from tests.faults.outcome import Outcome, line, together
from tests.release import small_disk
from tests.shell.hospital import PASSPHRASE, ROWS, STUDY

FULL_DISK = ("pwrite64", "write", "fallocate", "mkdir", "mkdirat", "link")
BROKEN = ("fsync", "fdatasync", "ftruncate", "unlink", "rename", "pread64", "fchmod", "chmod")
ERRORS = dict.fromkeys(FULL_DISK, "ENOSPC") | dict.fromkeys(BROKEN, "EIO") | {"fcntl": "ENOLCK"}
"""How each call fails."""
SPENT, BUDGET = Epsilon.of("0.5"), Epsilon.of("1")
MOST_SHORT = 60
"""So many calls of a kind fail, spread over all; each one where ``DPDESK_AUDIT`` is ``full``."""
_ROOM = 1 << 20
_CALL = re.compile(r"(\d+) +(\w+)\(")


def is_possible() -> bool:
    """Whether this machine can let a call fail."""
    return shutil.which("strace") is not None


def make_hospital(folder: Path) -> None:
    """A study, its data, an account with one epsilon, and a key."""
    home = Home.at(folder / "home")
    Ledger.open(home).new_account("small", BUDGET)
    keys.new_key(home.keys, "data-office@small.example", PASSPHRASE)
    (folder / "passphrase").write_text(f"{PASSPHRASE}\n", encoding="utf-8")
    (folder / "stays.csv").write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    (folder / "small.dpdesk").write_text(json.dumps(STUDY), encoding="utf-8")


def release(folder: Path, *watch: str) -> dict[str, Any]:
    """Run the command in a copy, watched by ``strace`` with these arguments, or by nobody.

    Raises:
        OSError: ``strace`` may not watch it.
    """
    with mmap.mmap(-1, _ROOM) as shared:
        waits, goes = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(goes)
            os.read(waits, 1)
            _answer(folder, shared)
        os.close(waits)
        tracer = _attached(child, watch) if watch else None
        os.close(goes)
        os.waitpid(child, 0)
        if tracer is not None:
            tracer.communicate()
        found: dict[str, Any] = json.loads(shared[:].rstrip(b"\0") or b"{}")
        return found


def _answer(folder: Path, shared: mmap.mmap) -> None:
    try:
        os.environ["DPDESK_HOME"] = f"{folder}/home"
        os.environ["DPDESK_PASSPHRASE_FILE"] = f"{folder}/passphrase"
        flags = ("--fresh", "--same-extract", "--out", f"{folder}/b.zip")
        raw = json.dumps(small_disk.command(["release", f"{folder}/small.dpdesk", "--yes", *flags]))
        shared[: len(raw)] = raw.encode("ascii")
    finally:
        os._exit(0)


def _attached(child: int, watch: tuple[str, ...]) -> subprocess.Popen[str]:
    """``strace``, once it says that it watches."""
    command = ["strace", "-f", *watch, "-p", str(child)]
    tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert tracer.stderr is not None
    said = tracer.stderr.readline()
    if "attached" not in said:
        raise OSError(said)
    return tracer


def counted(template: Path) -> Counter[str]:
    """How many calls of each kind a release makes; of several processes the one with the most."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        folder = Path(name)
        shutil.copytree(template, folder, dirs_exist_ok=True)
        calls = folder / "calls"
        found = release(folder, "-o", str(calls), "-e", f"trace={','.join(ERRORS)}")
        if found["status"]:
            raise AssertionError(found)
        made = Counter(_CALL.findall(calls.read_text(encoding="utf-8", errors="replace")))
    most: Counter[str] = Counter()
    for (_process, call), number in made.items():
        most[call] = max(most[call], number)
    return most


def outcome_of(template: Path, call: str, number: int) -> Outcome:
    """A release of which one call failed, and the same command again."""
    inject = f"inject={call}:error={ERRORS[call]}:when={number}"
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        folder = Path(name)
        shutil.copytree(template, folder, dirs_exist_ok=True)
        watch = ("-o", os.devnull, "-e", f"trace={call}", "-e", inject)
        first = release(folder, *watch)
        wrong = [*_wrong_first(folder, first)]
        spent = _spent(folder)
        is_shown = first.get("status") == 0 or bool(first.get("out"))
        # After a bundle that was written there is nothing to do again, but where a note is left.
        is_over = first.get("status") == 0 and not _left(folder)
        second = first if is_over else release(folder)
        wrong += _wrong_second(folder, second)
        bundles = len(list(folder.glob("*.zip")))
    shown = SPENT.units if is_shown else 0
    faults = tuple(f"{call} {number}: {fault}" for fault in wrong)
    return Outcome(1, shown, spent, BUDGET.units, bundles, faults).held()


def _spent(folder: Path) -> int:
    return Ledger.open(Home.at(folder / "home")).account("small").spent.units


def _wrong_first(folder: Path, first: dict[str, Any]) -> Iterator[str]:
    """What contradicts the claim right after the call failed."""
    spent, written = _spent(folder), (folder / "b.zip").exists()
    if not first:
        yield "it ended without a word"
    elif first["status"] == 0:
        if spent != SPENT.units or not written:
            yield "it ended well and did not pay or write"
    else:
        if first["out"] or not first["err"].strip() or "Internal error" in first["err"]:
            yield f"it failed without a sentence: {first['err']}"
        if spent and ("charged" not in first["err"] or "othing was spent" in first["err"]):
            yield f"it paid and did not say so: {first['err']}"


def _wrong_second(folder: Path, second: dict[str, Any]) -> Iterator[str]:
    """What contradicts the claim after the same command again."""
    home = Home.at(folder / "home")
    if second.get("status") != 0:
        yield f"the same command failed: {second}"
    elif _spent(folder) != SPENT.units:
        yield "the same command paid again"
    elif not verify(folder / "b.zip", known_signers(home)).is_good:
        yield "its bundle does not verify"
    if not Ledger.open(home).check().sound:
        yield "the ledger is not sound"
    yield from _left(folder)


def _left(folder: Path) -> list[str]:
    return list(left_behind(str(path) for path in folder.rglob("*") if path.is_file()))


def left_behind(files: Iterable[str]) -> Iterator[str]:
    """Files of an export that did not end, or notes of one."""
    for path in files:
        if Path(path).name.endswith(".part") or "unwritten" in Path(path).parts:
            yield f"left behind: {Path(path).name}"


def sweep(every: int, report: Callable[[str, Callable[[], Outcome]], object]) -> None:
    """Let each call fail in turn, or each so-manieth.

    Args:
        every: 1 for each.
        tell: does the work of one kind of call and prints what came of it.
    """
    with quick_keys(), tempfile.TemporaryDirectory(dir=MEMORY) as name:
        template = Path(name)
        make_hospital(template)
        for call, number in sorted(counted(template).items()):
            kind = partial(_kind, template, call, number, every)
            report(f"{call} fails ({ERRORS[call]}), of {number}", kind)


@contextmanager
def quick_keys() -> Iterator[None]:
    """Everything is loaded once for all copies, and keys are locked in a hundredth of the time."""
    before, keys.BCRYPT_ROUNDS = keys.BCRYPT_ROUNDS, 4
    try:
        software()
        for name in small_disk.LOADED:
            import_module(name)
        yield
    finally:
        keys.BCRYPT_ROUNDS = before


def _kind(template: Path, call: str, most: int, every: int) -> Outcome:
    step = every if FULL else max(every, -(-most // MOST_SHORT))
    numbers = range(1, most + 1, step)
    return together(outcome_of(template, call, number) for number in numbers)


def main(cases: list[str]) -> int:
    """Let single calls fail, such as ``fsync:2`` or ``fsync:-1``; 1 where something was wrong."""
    with quick_keys(), tempfile.TemporaryDirectory(dir=MEMORY) as name:
        make_hospital(Path(name))
        most = counted(Path(name))
        pairs = [(call, int(number)) for call, number in (case.split(":") for case in cases)]
        numbers = [(call, n if n > 0 else most[call] + 1 + n) for call, n in pairs]
        found = together(outcome_of(Path(name), call, n) for call, n in numbers)
    print(line("failing calls", found, 0))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
