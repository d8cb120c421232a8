# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.fuzz_files.child SEED FIRST LAST CORPUS FOLDER``: try a few hundred inputs.

It says on the file ``lines`` what it begins and how that ended, so that whoever started it knows
which input it died or hangs on. What is printed goes to the file ``said``. Workbooks and
statistics files are read in a child of this child, as the program does it.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
import time
from dataclasses import replace
from pathlib import Path

from tests.fuzz_files.canary import holds_canary
from tests.fuzz_files.inputs import corpus, make_input
from tests.fuzz_files.reader import Readers, limit_reader, reader_peak
from tests.fuzz_files.trial import Outcome, as_record, attempt

ADDRESS_BYTES = 6 << 30
"""Of address space, to guard the machine: libraries reserve much that they never touch."""

LIMIT_SECONDS = 20
"""The most processor time that an input may take; the system ends a process that takes more."""

MEMORY_BYTES = 3 << 29
"""The most memory that the process may ever have used: 1.5 GiB, its libraries included."""


def main(arguments: list[str]) -> int:
    """Try the inputs FIRST..LAST-1; stop early where the memory has grown too much."""
    seed, first, last = (int(argument) for argument in arguments[:3])
    files, folder = corpus(Path(arguments[3])), Path(arguments[4])
    said = _redirect(folder / "said")
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_BYTES, ADDRESS_BYTES))
    readers = Readers()
    readers.watch()
    with (folder / "lines").open("w", encoding="utf-8") as lines:
        for number in range(first, last):
            print(json.dumps({"begins": number}), file=lines, flush=True)
            _limit_time()
            given = make_input(seed, number, files)
            outcome = attempt(given, folder / f"input{given.suffix}")
            outcome = _with_memory(with_noise(readers.judge(outcome), said))
            line = {"number": number, **as_record(outcome), "peak": _peak()}
            print(json.dumps(line), file=lines, flush=True)
            if outcome.end == "memory":
                break
    return 0


def _limit_time() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    # The time of all threads: the clock on the wall says little on a crowded machine.
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + LIMIT_SECONDS, most))
    limit_reader(LIMIT_SECONDS)


def _redirect(said: Path) -> int:
    """From here on, what is printed, by Python or not, goes to a file."""
    file = os.open(said, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    faulthandler.enable()
    return file


def with_noise(outcome: Outcome, said: int) -> Outcome:
    """The outcome, or the fault that something was printed since the last look."""
    sys.stdout.flush()
    sys.stderr.flush()
    text = os.pread(said, 1 << 16, 0).decode("utf-8", "replace")
    os.ftruncate(said, 0)
    if not text:
        return outcome
    if holds_canary(text):
        return replace(outcome, end="leak", detail=f"printed: {text[:300]}")
    if outcome.is_fault:
        return outcome
    return replace(outcome, end="noise", detail=text[:300])


def _with_memory(outcome: Outcome) -> Outcome:
    if _peak() > MEMORY_BYTES and not outcome.is_fault:
        return replace(outcome, end="memory", detail=f"{_peak() >> 20} MiB")
    return outcome


def _peak() -> int:
    return max(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10, reader_peak())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
