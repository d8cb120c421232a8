# SPDX-License-Identifier: Apache-2.0
"""The largest bundles of figures that add up: what they weigh, and what checking them takes.

Each is released and verified in a process of its own, whose processor time and peak of memory are
reported: a verifier has them. Reconciliation is timed within both.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.reconcile.same_rows import Answer
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record import reprice
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import DistributionParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.release.bundles import KEY, KNOWN
from tests.release.studies import release

ROWS: Final = 5_000
BINS: Final = 1_000
"""As many as a distribution may have; by 50 groups these are as many cells as a query may."""
SIDE: Final = 45
"""Groups of each of three columns: with all their sums 97,336 cells."""
MOST_SECONDS: Final = 10.0
MOST_BYTES: Final = 1_000_000_000
SHARE: Final = Epsilon.of("0.1")


def _study(columns: Sequence[CategoryColumn | NumberColumn], queries: Sequence[Query]) -> Study:
    asked = (replace(q, id=f"q{n}", epsilon=SHARE) for n, q in enumerate(queries))
    return Study(
        title="Largest",
        data=DataSource("rows.csv", extract="made up"),
        unit=Unit("id", max_rows=1),
        budget=Budget("registry", Epsilon.of(100)),
        columns=tuple(columns),
        queries=tuple(asked),
    )


def _groups(name: str, size: int) -> CategoryColumn:
    values = tuple(f"{name}{n}" for n in range(size))
    return CategoryColumn(name, values, missing=Replace(values[0]), unknown=Replace(values[0]))


def _tree(groups: int, beside: tuple[Query, ...] = ()) -> Study:
    """A cumulative distribution with as many bins as a release may count, by groups."""
    rule = Replace(Decimal(0))
    days = NumberColumn("days", Decimal(0), Decimal(BINS - 1), Decimal(1), rule, rule)
    edges = tuple(map(Decimal, range(1, BINS)))
    query = Query("q", "distribution", DistributionParameters("days", edges=edges), by=("a",))
    return _study((days, _groups("a", groups)), (query, *beside))


def tables(side: int) -> Study:
    """Counts by three columns, by each two and each one of them, and of all rows."""
    names = ("a", "b", "c")
    every = (by for many in (3, 2, 1, 0) for by in combinations(names, many))
    return _study([_groups(name, side) for name in names], [Query("q", by=by) for by in every])


CASES: Final[dict[str, Callable[[], Study]]] = {
    "tree": lambda: _tree(50),
    "tree beside counts": lambda: _tree(49, (Query("n", by=("a",)), Query("n"))),
    "tables": lambda: tables(SIDE),
}
"""A tree of 53,350 counts; nearly as large a one beside counts; tables of 97,336 cells."""


@dataclass(frozen=True)
class Took:
    """What a process took.

    Attributes:
        seconds: of its processor, from where it began to work.
        reconciling: of them, for making figures consistent.
        bytes: its peak of memory.
        size: of the bundle, in bytes.
        joined: how many tables were made consistent.
        is_good: the bundle is complete, signed and correct.
    """

    seconds: float
    reconciling: float
    bytes: int
    size: int
    joined: int
    is_good: bool = True

    @property
    def is_too_much(self) -> bool:
        """Whether reconciling takes longer, or the process more, than anyone is to have."""
        return self.reconciling > MOST_SECONDS or self.bytes > MOST_BYTES or not self.is_good


def main() -> int:
    """Print a line a case and act; 1 where one takes too much."""
    failed = False
    print(f"{'':20}{'':8}{'seconds':>9}{'of them':>9}{'memory':>9}{'bundle':>11}  consistent")
    for name in CASES:
        with TemporaryDirectory() as folder:
            for act in ("release", "verify"):
                took = took_by(act, name, Path(folder))
                failed |= took.is_too_much
                print(
                    f"{name:20}{act:8}{took.seconds:7.1f} s{took.reconciling:7.1f} s"
                    f"{took.bytes / 1e6:6.0f} MB{took.size / 1e6:8.2f} MB  {took.joined} tables"
                    f"{'' if took.is_good else '  NOT GOOD'}",
                    flush=True,
                )
    return int(failed)


def took_by(act: str, name: str, folder: Path) -> Took:
    """What releasing or verifying a case takes in a process of its own."""
    command = (sys.executable, "-m", "tests.acceptance.large", act, name, str(folder))
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return Took(**json.loads(done.stdout))


def take(act: str, name: str, folder: Path) -> Took:
    """Do it in this process."""
    spent: list[float] = []
    found: list[int] = []
    real = reprice.consistent_figures

    def timed(answers: Sequence[Answer]) -> dict[int, ConsistentFigures]:
        begun = time.process_time()
        made = real(answers)
        spent.append(time.process_time() - begun)
        found.append(len(made))
        return made

    bundle, is_good, begun = folder / "largest.zip", True, time.process_time()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reprice, "consistent_figures", timed)
        if act == "release":
            bundle.write_bytes(_released(CASES[name](), folder))
        else:
            is_good = verify(bundle.read_bytes(), KNOWN).is_good
    seconds = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    size = bundle.stat().st_size
    return Took(seconds, sum(spent), peak, size, max(found, default=0), is_good)


def _released(study: Study, folder: Path) -> bytes:
    dice = random.Random(36)
    names = [column.name for column in study.columns]
    lines = [",".join(("id", *names))]
    for row in range(ROWS):
        cells = (
            dice.choice(c.values) if isinstance(c, CategoryColumn) else str(dice.randrange(BINS))
            for c in study.columns
        )
        lines.append(",".join((str(row), *cells)))
    (folder / "rows.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("registry", Epsilon.of(100))
    done = release(study, folder, ledger, OpenDPDoor())
    return build(done.stored, done.chain, KEY)


if __name__ == "__main__":
    print(json.dumps(vars(take(sys.argv[1], sys.argv[2], Path(sys.argv[3])))))
