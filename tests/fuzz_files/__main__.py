# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.fuzz_files [INPUTS] [--seed N] [--jobs 2]``: break files and read them.

``--first N`` begins with input N, so that one that failed can be tried again alone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.fuzz_files.farm import Farm
from tests.fuzz_files.inputs import gather
from tests.fuzz_files.report import Report

INPUTS = 20_000
SHOWN_SECONDS = 30.0


def parse(arguments: list[str]) -> argparse.Namespace:
    """What is to be run."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_files", description=__doc__)
    parser.add_argument("inputs", nargs="?", type=int, default=INPUTS)
    parser.add_argument("--seed", type=int, help="of the run; a new one by default")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--jobs", type=int, default=2, help="children at once")
    parser.add_argument("--keep", type=Path, help="folder for the inputs that fail")
    return parser.parse_args(arguments)


def run(seed: int, numbers: range, jobs: int, keep: Path, loud: bool = False) -> Report:
    """Try inputs and say how they ended.

    Args:
        seed: of the run.
        numbers: the inputs.
        jobs: children at once.
        keep: folder for the inputs that fail.
        loud: print faults as they come, and how far the run is.
    """
    report, shown = Report(seed, keep), time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        corpus_folder = Path(name) / "corpus"
        corpus_folder.mkdir()
        gather(corpus_folder)
        for count, ended in enumerate(Farm(seed, Path(name), jobs).run(numbers), start=1):
            report.add(ended, corpus_folder)
            if loud and ended.outcome.is_fault:
                print(f"input {ended.number}: {ended.outcome}", flush=True)
            if loud and time.monotonic() - shown > SHOWN_SECONDS:
                shown = time.monotonic()
                print(f"{count} of {len(numbers)}", flush=True)
    return report


def main(arguments: list[str]) -> int:
    """Run and print the table; 1 where any input failed."""
    asked = parse(arguments)
    seed = time.time_ns() % 1_000_000 if asked.seed is None else asked.seed
    keep = asked.keep or Path(tempfile.gettempdir()) / f"dpdesk-fuzz-{seed}"
    print(f"{asked.inputs} inputs, seed {seed}", flush=True)
    numbers = range(asked.first, asked.first + asked.inputs)
    report = run(seed, numbers, asked.jobs, keep, loud=True)
    print(report.text())
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
