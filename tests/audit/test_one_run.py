# SPDX-License-Identifier: Apache-2.0
"""One run: thousands of guesses from a single release, file to bundle, with nothing swapped.

5,000 declared groups with 7 base patients each; in every group one more patient, the canary, is
present by the toss of a coin, with many rows, absurd values and an id written in several ways.
An attacker who knows all but the coins reads the bundle's CSV and guesses each coin. Under
epsilon-DP the right guesses are dominated by Binomial(r, e^eps / (1 + e^eps)), since the canaries
are people of their own with independent coins: the p-value is exact.

Source: Steinke, Nasr and Jagielski, Privacy auditing with one (1) training run (2023), theorem 5.2.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path

import pytest

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.release.verify.verification import verify
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.guess import ALPHA, SURE, TOO_LOW, Audit, coins, judge
from tests.audit.length import FULL
from tests.audit.tables import FILE
from tests.release.bundles import KEY, KNOWN, table_of
from tests.release.studies import record_of

pytestmark = pytest.mark.audit

GROUPS = 5_000
BASE = 7
CLAIM = 2.0
UPPER = 20
BASE_STAY = 3
NAMES = tuple(f"g{number:04}" for number in range(GROUPS))

Figures = dict[str, dict[str, str]]
Ratio = Callable[[dict[str, str]], float]


def query(statistic: str) -> Query:
    """One statistic of every group."""
    column = "stay" if statistic in ("sum", "mean") else None
    return Query(statistic).having(
        statistic=statistic, column=column, by=("group",), epsilon=Epsilon.of(2)
    )


STUDY = Study(
    title="One run",
    data=DataSource(FILE, extract="made up"),
    unit=Unit("pid", 1),
    budget=Budget("canaries", Epsilon.of(8)),
    columns=(
        NumberColumn("stay", Decimal(0), Decimal(UPPER), Decimal(1)),
        CategoryColumn("group", NAMES),
    ),
    queries=tuple(query(s) for s in ("count", "count-people", "sum", "mean")),
)


@dataclass(frozen=True)
class Run:
    """What the attacker knows after the release.

    Attributes:
        present: the coins, to judge the guesses by.
        figures: rows of the bundle's CSV by query and group.
        done: the release.
    """

    present: list[bool]
    figures: dict[str, Figures]
    done: ReleaseDone

    def scale(self, statistic: str, part: str) -> float:
        """The declared scale of a draw, from the bundle."""
        return self._scales[statistic, part]

    @cached_property
    def _scales(self) -> dict[tuple[str, str], float]:
        queries = record_of(self.done)["predicate"]["queries"]
        return {(q["id"], p["name"]): float(p["scale"]) for q in queries for p in q["parts"]}

    def audit(self, statistic: str, claim: float, sure: float = SURE) -> Audit:
        """Guess every coin from one query's figures and judge the claim."""
        ratio = self._ratios()[statistic]
        ratios = [ratio(self.figures[statistic][name]) for name in NAMES]
        return judge(ratios, self.present, claim, sure)

    def _ratios(self) -> dict[str, Ratio]:
        """Each statistic's log-likelihood ratio, positive where the canary is likelier there."""
        rows = self._moved("rows", BASE, 1)
        people = self._moved("people", BASE, 1)
        total = self._moved("sum", BASE * BASE_STAY, UPPER)
        above = self._moved("sum_1", BASE * BASE_STAY, UPPER)
        return {
            "count": lambda row: rows("count", row),
            "count-people": lambda row: people("count-people", row),
            "sum": lambda row: total("sum", row),
            "mean": lambda row: above("mean", row),
        }

    def _moved(self, part: str, without: int, by: int) -> Callable[[str, dict[str, str]], float]:
        def ratio(statistic: str, row: dict[str, str]) -> float:
            noisy = int(row[f"noisy_{part}"])
            nearer = abs(noisy - without) - abs(noisy - without - by)
            return nearer / self.scale(statistic, "sums" if part == "sum_1" else part)

        return ratio


def write_file(folder: Path, present: list[bool]) -> None:
    """The file, its rows in any order."""
    lines = [f"b{n}-{i},{BASE_STAY},{name}" for n, name in enumerate(NAMES) for i in range(BASE)]
    for number, (name, here) in enumerate(zip(NAMES, present, strict=True)):
        if here:
            spellings = (f"C{number}", f" c{number}", f"c{number}\u200b", f"'c{number}")
            lines += [f"{spelled},1e9,{name}" for spelled in spellings for _ in range(3)]
    random.Random(GROUPS).shuffle(lines)
    text = "\r\n".join(["pid,stay,group", *lines])
    (folder / FILE).write_text(text + "\r\n", encoding="utf-8", newline="")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """One release of four statistics, exported and read again."""
    folder = tmp_path_factory.mktemp("one-run")
    present = coins(GROUPS)
    write_file(folder, present)
    ledger = Ledger.open(Home.at(folder / "home"))
    ledger.new_account("canaries", Epsilon.of(8))
    done = release(STUDY, folder, ledger, OpenDPDoor())
    raw = build(done.stored, done.chain, KEY)
    if FULL:  # which takes as long as to release it
        assert verify(raw, KNOWN).is_good
    files = unpack(raw)
    figures = {q.id: _figures(table_of(files, q.id)) for q in STUDY.queries}
    return Run(present, figures, done)


def _figures(content: bytes) -> Figures:
    rows = csv.DictReader(io.StringIO(content.decode("utf-8")))
    return {row["group"]: row for row in rows}


@pytest.mark.parametrize("statistic", ["count", "count-people", "sum", "mean"])
@pytest.mark.in_turn(2)
def test_no_coin_is_guessed_better_than_claimed(run: Run, statistic: str) -> None:
    found = run.audit(statistic, CLAIM)
    assert found.guesses > GROUPS / 4
    assert found.p >= ALPHA, found


@pytest.mark.parametrize("statistic", ["count", "count-people", "sum", "mean"])
def test_the_same_guesses_refute_a_claim_of_two_thirds(run: Run, statistic: str) -> None:
    assert run.audit(statistic, CLAIM / TOO_LOW, SURE * TOO_LOW).caught


@pytest.mark.threat("B7")
def test_every_group_is_printed_whether_the_canary_is_there_or_not(run: Run) -> None:
    assert all(tuple(figures) == NAMES for figures in run.figures.values())
