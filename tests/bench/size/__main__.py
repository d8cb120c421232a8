# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.size [ROWS] [--rounds N] [--keep FOLDER]``: a file of full size.

Every figure comes from a process of its own. Peers that are not here are named and left out.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path

from tests.bench.size.cases import CASES, PACKAGE, python_of
from tests.bench.size.goals import Outcomes, goals
from tests.bench.size.process import Rounds, run
from tests.bench.size.table import table

FILES = ("admissions.csv", "lettered.csv", "admissions.parquet", "patients.parquet")


def parse(arguments: list[str]) -> argparse.Namespace:
    """What is to be measured, and where."""
    parser = argparse.ArgumentParser(prog=f"python -m {PACKAGE}", description=__doc__)
    parser.add_argument("rows", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="a folder in which the made-up files stay")
    return parser.parse_args(arguments)


def provide(folder: Path, rows: int) -> None:
    """Write the file and its half, unless they are there."""
    for name, size in (("all", rows), ("half", rows // 2)):
        place = folder / name
        if all((place / file).exists() for file in FILES):
            continue
        place.mkdir(parents=True, exist_ok=True)
        ended = run([python_of("peers"), "-m", f"{PACKAGE}.admissions", str(place), str(size)])
        if ended.returncode:
            sys.exit(f"The made-up file could not be written:\n{ended.stderr}")


def measure(folder: Path, rounds: int) -> Outcomes:
    """Run every case in turn, round after round, and say on the error stream how far it is."""
    outcomes = {case.name: Rounds() for case in CASES}
    for number in range(1, rounds + 1):
        for case in CASES:
            print(f"round {number}: {case.name}", file=sys.stderr, flush=True)
            outcomes[case.name].add(case, folder)
    return outcomes


def main(arguments: list[str]) -> int:
    """Print the table; 1 where a goal is missed or a process failed."""
    asked = parse(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.keep or Path(temporary)) / str(asked.rows)
        provide(folder, asked.rows)
        size = (folder / "all" / FILES[0]).stat().st_size
        outcomes = measure(folder, asked.rounds)
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    print(f"{asked.rows:,} rows, {size / 1e6:.0f} MB as CSV, {asked.rounds} rounds, {machine}\n")
    print("\n".join(table(outcomes)))
    failed = any(outcome.failed for outcome in outcomes.values())
    return 1 if failed or any(goal.missed for goal in goals(outcomes)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
