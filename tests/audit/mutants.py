# SPDX-License-Identifier: Apache-2.0
"""Planted bugs held against the proofs: each must be caught, or the proofs are worth nothing.

python -m tests.audit.mutants           each bug against the proofs that must catch it
python -m tests.audit.mutants --all     each bug against every proof
python -m tests.audit.mutants cells     the bugs that this proof must catch

Before any bug is planted, the program itself must pass each of these proofs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.audit.bugs.baselines import BASELINES
from tests.audit.bugs.choices import CHOICES
from tests.audit.bugs.databases import DATABASES
from tests.audit.bugs.found import FOUND
from tests.audit.bugs.lines import LINES
from tests.audit.bugs.margins import MARGINS
from tests.audit.bugs.money import MONEY
from tests.audit.bugs.noise import NOISE
from tests.audit.bugs.planting import Bug, planted
from tests.audit.bugs.prepared import PREPARED
from tests.audit.bugs.public import PUBLIC
from tests.audit.bugs.record import RECORD
from tests.audit.bugs.rows import ROWS
from tests.audit.bugs.several import SEVERAL
from tests.audit.bugs.stories import STORIES
from tests.audit.bugs.synthetic import SYNTHETIC
from tests.audit.detectors import DETECTORS, findings
from tests.audit.length import MEMORY

BUGS = (
    *(*NOISE, *CHOICES, *MARGINS, *ROWS, *LINES, *RECORD),
    *(*MONEY, *FOUND, *STORIES, *PREPARED, *SEVERAL, *PUBLIC, *SYNTHETIC, *BASELINES, *DATABASES),
)


def caught_by(bug: Bug, proofs: Iterable[str]) -> dict[str, list[str]]:
    """What each of the proofs finds in the program with the bug."""
    with TemporaryDirectory(dir=MEMORY) as folder, planted(bug):
        found = {name: findings(name, Path(folder)) for name in proofs}
    return {name: wrong for name, wrong in found.items() if wrong}


def main(arguments: list[str]) -> int:
    """Print the table; 1 where a bug survives a proof that must catch it."""
    unknown = set(arguments) - {"--all", *DETECTORS}
    if unknown:
        print(f"{__doc__}\nProofs: {', '.join(DETECTORS)}")
        return 2
    named = set(arguments) & set(DETECTORS) or set(DETECTORS)
    bugs = [bug for bug in BUGS if named & set(bug.proofs)]
    if untrue := _found_without(set(DETECTORS) if "--all" in arguments else _proofs(bugs)):
        print(f"The program without bugs does not pass: {', '.join(untrue)}")
        return 1
    width = max(len(bug.name) for bug in bugs)
    survived = 0
    for bug in bugs:
        found = caught_by(bug, DETECTORS if "--all" in arguments else bug.proofs)
        missed = [name for name in bug.proofs if name not in found]
        survived += bool(missed)
        verdict = f"MISSED by {', '.join(missed)}" if missed else "ok"
        print(f"{bug.name:{width}} | {', '.join(found) or 'nobody':40} | {verdict}", flush=True)
    print(f"{len(bugs)} planted, {survived} survived")
    return 1 if survived else 0


def _proofs(bugs: Iterable[Bug]) -> set[str]:
    return {name for bug in bugs for name in bug.proofs}


def _found_without(proofs: Iterable[str]) -> list[str]:
    """The proofs that find something in the program as it is: a bug proves nothing of these."""
    with TemporaryDirectory(dir=MEMORY) as folder:
        return [name for name in sorted(proofs) if findings(name, Path(folder))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
