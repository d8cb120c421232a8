# SPDX-License-Identifier: Apache-2.0
"""Survival curves with all that follows from them, beside numpy and over 400 releases.

The 228 people of NCCTG lung are made again from their published counts by 60 days, in two groups.
They are released from a file, first at a share that leaves no noise: every figure is then that of a
Kaplan-Meier curve, and of a log-rank test, worked out here person by person. Then at epsilon 1, 400
times: how often each range of the noise holds that figure.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.planning.survival.derived_table import COLUMNS, derived_lines
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import SurvivalParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.doors import RecordingDoor
from tests.privacy.statistics.survival.shapes import LUNG_CENSORED, LUNG_EVENTS
from tests.release.studies import release

RELEASES: Final = 400
RARE: Final = 1e-3
"""A coverage below 95 in 100 is a failure where chance does that less often than this."""
BIN, BINS, FILE = 60, len(LUNG_EVENTS), "lung.csv"
TIMES: Final = (360, 540)
NO_NOISE: Final = Epsilon.of(40)
"""Discrete Laplace noise of scale 1/40 is 0 but once in 10^17."""
ROUNDED: Final = 1e-4
STUDY: Final = Study(
    title="Lung cancer",
    data=DataSource(path=FILE, extract=FILE),
    unit=Unit("id", 1),
    budget=Budget("registry", epsilon=NO_NOISE),
    columns=(
        NumberColumn("days", Decimal(1), Decimal(BIN * BINS), Decimal(1), label="days"),
        YesNoColumn("died", ("1",), ("0",)),
        CategoryColumn("group", ("A", "B")),
    ),
    queries=(
        Query(
            "alive",
            "survival",
            SurvivalParameters(
                "days",
                edges=tuple(Decimal(BIN * n + 1) for n in range(1, BINS)),
                has=(IsIn("died", ("1",)),),
                times=tuple(map(Decimal, TIMES)),
            ),
            by=("group",),
            epsilon=NO_NOISE,
        ),
    ),
)


@dataclass(frozen=True)
class People:
    """One entry a person: the bin of the last day, whether it is that of death, the group."""

    bins: npt.NDArray[np.int64]
    died: npt.NDArray[np.bool_]
    groups: npt.NDArray[np.int64]


def lung() -> People:
    """The people; B dies earlier, as groups are chosen more often so the earlier the bin."""
    counts = [
        (bin, side, many[bin])
        for bin in range(BINS)
        for side, many in ((True, LUNG_EVENTS), (False, LUNG_CENSORED))
    ]
    bins = np.array([bin for bin, _, many in counts for _ in range(many)])
    died = np.array([side for _, side, many in counts for _ in range(many)])
    chance = np.random.default_rng(36).random(len(bins))
    return People(bins, died, (chance < np.where(bins < 6, 0.6, 0.4)).astype(np.int64))


def write(people: People, path: Path) -> None:
    """The file; each last day is somewhere in its bin."""
    days = BIN * people.bins + 1 + np.arange(len(people.bins)) * 7 % BIN
    rows = zip(days, people.died, people.groups, strict=True)
    lines = [f"{n},{day},{int(died)},{'AB'[group]}" for n, (day, died, group) in enumerate(rows)]
    path.write_text("\n".join(["id,days,died,group", *lines, ""]), encoding="utf-8")


def curve_of(people: People, group: int) -> list[float]:
    """Kaplan and Meier, person by person, each time taken for the end of its bin."""
    mine = people.groups == group
    now, curve = 1.0, []
    for bin in range(BINS):
        left = mine & (people.bins >= bin)
        had = int((left & (people.bins == bin) & people.died).sum())
        now *= 1 - had / left.sum() if left.any() else 1
        curve.append(now)
    return curve


def chi_squared(people: People) -> float:
    """The log-rank test, person by person, over the bins in which both groups have somebody."""
    moved = spread = 0.0
    for bin in range(BINS):
        left = people.bins >= bin
        had, first = left & (people.bins == bin) & people.died, people.groups == 0
        n, d, mine = int(left.sum()), int(had.sum()), int((left & first).sum())
        if n > 1 and 0 < mine < n:
            moved += (had & first).sum() - mine * d / n
            spread += d * (n - d) / (n - 1) * mine / n * (1 - mine / n)
    return moved**2 / spread


def exact_figures(people: People) -> dict[tuple[str, ...], float]:
    """Every figure but the test, by group, what it is, and up to when."""
    curves = [curve_of(people, group) for group in (0, 1)]
    found = {}
    for name, curve in zip("AB", curves, strict=True):
        for time in TIMES:
            found[name, "survival-at", str(time)] = curve[time // BIN - 1]
        middle = next((bin for bin, share in enumerate(curve) if share <= 0.5), None)
        found[name, "median-time", ""] = math.inf if middle is None else BIN * (middle + 1.0)
        # The first bin begins at day 1.
        widths = [BIN - 1, *[BIN] * (TIMES[-1] // BIN - 1)]
        mean = sum(w * s for w, s in zip(widths, [1.0, *curve], strict=False))
        found[name, "restricted-mean", str(TIMES[-1])] = mean
    for time in TIMES:
        ends = [curve[time // BIN - 1] for curve in curves]
        found["B", "survival-difference", str(time)] = ends[1] - ends[0]
    return found


def differing() -> Iterator[str]:
    """What a release without noise says otherwise than numpy."""
    people = lung()
    with tempfile.TemporaryDirectory() as place:
        write(people, Path(place) / FILE)
        ledger = Ledger.open(Home.at(Path(place) / "home"))
        ledger.new_account("registry", NO_NOISE)
        (table,) = release(STUDY, Path(place), ledger, OpenDPDoor()).stored.tables
    shares = [float(row[2]) for row in table.rows if row[2]]
    curves = [curve_of(people, group) for group in (0, 1)]
    said = [row[:2] for row in table.rows if row[2]]
    theirs = [curves["AB".index(group)][int(end) // BIN - 1] for group, end in said]
    for line, ours, exact in zip(said, shares, theirs, strict=True):
        # Published to two digits of a margin, which is not 0 where a bound is no exact one.
        if abs(ours - exact) > ROUNDED:
            yield f"survival of {line}"
    exact = exact_figures(people)
    assert table.derived is not None
    for row in table.derived.rows:
        group, name, _, up_to, value, *_ends, p, _note = row
        if name == "log-rank":
            chi = chi_squared(people)
            tail = math.erfc(math.sqrt(chi / 2))
            if abs(float(value) - chi) > 0.01 or not 0 <= float(p) - tail <= 1e-4:
                yield f"log-rank test: {value}, {p}"
        elif value == "" or abs(float(value) - exact[group, name, up_to]) > ROUNDED:
            yield f"{name} of {group} up to {up_to}"


def drawn_of(people: People) -> tuple[int, ...]:
    """The exact counts that noise is added to, as a release reads them from the file."""
    with tempfile.TemporaryDirectory() as place:
        write(people, Path(place) / FILE)
        ledger, door = Ledger.open(Home.at(Path(place) / "home")), RecordingDoor()
        ledger.new_account("registry", NO_NOISE)
        release(STUDY, Path(place), ledger, door)
        return tuple(door.calls[0].exact)


def coverage(chance: bool, releases: int = RELEASES) -> dict[tuple[str, ...], int]:
    """How many releases at epsilon 1 have the exact figure outside its range.

    Args:
        chance: the people are drawn anew for each release, from those 228, and the ranges are
            those of noise and chance.
        releases: how many there are.
    """
    people, query = lung(), replace(STUDY.queries[0], epsilon=Epsilon.of(1))
    plan, counts, exact = compile_query(STUDY, query), drawn_of(people), exact_figures(people)
    outside, dice = dict.fromkeys(exact, 0), np.random.default_rng(400)
    kind = "population_" if chance else ""
    for _ in range(releases):
        drawn = dice.multinomial(sum(counts), np.array(counts) / sum(counts)) if chance else counts
        part = plan.parts[0]
        noisy = OpenDPDoor().draw(part.name, Exact(np.array(drawn)), part.noise, part.sensitivity)
        for line in derived_lines(plan, (tuple(noisy),)):
            cells: dict[str, Any] = dict(zip((c.name for c in COLUMNS), line.cells, strict=True))
            key, low = (*line.groups, cells["figure"], cells["up_to"]), cells[f"{kind}lowest_95"]
            if key in exact and low:
                text = cells[f"{kind}highest_95"]
                high = Fraction(text) if text else math.inf
                outside[key] += not Fraction(low) <= Fraction(exact[key]) <= high
    return outside


def lines(_shared: Path) -> Iterator[tuple[str, bool]]:
    """What is printed of each figure, and whether it is that of numpy, or held often enough."""
    wrong = list(differing())
    said = f"DIFFERS in {'; '.join(wrong)}" if wrong else "as in numpy"
    yield f"survival      without noise: {said}", not wrong
    most = next(n for n in range(RELEASES) if beyond(n) < RARE)
    for chance in (False, True):
        of = "noise and chance" if chance else "noise"
        for key, outside in coverage(chance).items():
            seldom = " TOO SELDOM" if outside >= most else ""
            named, held = " ".join(filter(None, key)), RELEASES - outside
            yield f"survival      {of}, {named}: held {held} of {RELEASES}{seldom}", not seldom


def beyond(misses: int) -> float:
    """How often so many or more of 400 miss where each misses 5 times in 100."""
    chances = (math.comb(RELEASES, n) * 0.05**n * 0.95 ** (RELEASES - n) for n in range(misses))
    return 1 - math.fsum(chances)
