# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.bench.annual [ROWS] [--rounds N] [--keep FOLDER]``: a registry of full size.

Asks the annual report's questions (``tests.acceptance.annual``) of a file of stays with ROWS rows,
one of their patients and one of their laboratory values, each in a process of its own, beside
DuckDB's exact answers. The ratio of a round is what counts: both ran in the same minutes.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from tests.acceptance.annual.registry_files import write_registry
from tests.bench.size.cases import Case
from tests.bench.size.process import Rounds

PACKAGE = "tests.bench.annual"
FILE = "stays.csv"
OURS = Case("dpdesk", ("ours",), FILE, package=PACKAGE)
DUCKDB = Case("DuckDB, exact", ("exact_duckdb",), FILE, "peers", package=PACKAGE)
STAYS_OF_A_PATIENT = 1.527
"""On average, in the made-up files."""
MOST_RATIO = 1.5
ALIKE = 0.001
"""How far totals may lie apart; noise is far less."""


def parse(arguments: list[str]) -> argparse.Namespace:
    """What is to be measured, and where."""
    parser = argparse.ArgumentParser(prog=f"python -m {PACKAGE}", description=__doc__)
    parser.add_argument("rows", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="a folder in which the made-up files stay")
    return parser.parse_args(arguments)


def measure(folder: Path, rounds: int) -> list[Rounds]:
    """Both in turn, so that a slow minute of the machine falls on both."""
    outcomes = [Rounds(), Rounds()]
    for _ in range(rounds):
        for outcome, case in zip(outcomes, (OURS, DUCKDB), strict=True):
            outcome.add(case, folder)
    return outcomes


def differences(ours: Rounds, exact: Rounds) -> list[str]:
    """Totals that are not alike: then the two did not answer the same questions."""
    said, expected = ours.said[0]["totals"], exact.said[0]["totals"]
    return [name for name, total in expected.items() if abs(said[name] - total) > ALIKE * total]


def main(arguments: list[str]) -> int:
    """Print both and their ratio; 1 where it is above its goal or a process failed."""
    asked = parse(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.keep or Path(temporary)) / f"annual-{asked.rows}"
        if not (folder / FILE).exists():
            folder.mkdir(parents=True)
            write_registry(folder, round(asked.rows / STAYS_OF_A_PATIENT))
        ours, exact = measure(folder, asked.rounds)
    for case, each in ((OURS, ours), (DUCKDB, exact)):
        if each.trouble:
            print(f"{case.name}: {each.trouble}")
            return 1
        cpu, peak = each.middle("cpu"), each.peak / 1e9
        print(f"{case.name:14}{each.median:8.2f} s {cpu:8.2f} s of CPU {peak:6.2f} GB")
    slowest = sorted(ours.said[0]["queries"], key=lambda name: -ours.middle("queries", name))[:3]
    named = ", ".join(f"{name} {ours.middle('queries', name):.2f} s" for name in slowest)
    print(f"  of dpdesk: read and prepare {ours.middle('encoded'):.2f} s; slowest: {named}")
    pairs = zip(ours.seconds, exact.seconds, strict=True)
    ratio = statistics.median(one / other for one, other in pairs)
    differing = differences(ours, exact)
    print(f"ratio {ratio:.2f} (at most {MOST_RATIO}); totals that differ: {differing or 'none'}")
    return int(ratio > MOST_RATIO or bool(differing))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
