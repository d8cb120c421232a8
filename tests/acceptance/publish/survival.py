# SPDX-License-Identifier: Apache-2.0
"""Survival curves with all that follows from them, beside numpy and over 400 releases.

The 228 people of NCCTG lung are made again from their published counts by 60 days, in two groups.
They are released from a file, first at a share that leaves no noise: every figure is then that of a
life table, and of a log-rank test over it, worked out here person by person. Then at epsilon 1, 400
times: how often each range of the noise holds that figure, and, where people are drawn anew, each
range of noise and chance that of the curve of each day.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.planning.survival.derived_table import COLUMNS, derived_lines
from dpdesk.privacy.published_tables import Table
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import TimeToEventParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.acceptance.publish.coverage import RELEASES, Held, within
from tests.doors import RecordingDoor
from tests.privacy.statistics.survival.shapes import LUNG_CENSORED, LUNG_EVENTS
from tests.release.studies import release

BIN, BINS, FILE = 60, len(LUNG_EVENTS), "lung.csv"
TIMES: Final = (360, 540)
NO_NOISE: Final = Epsilon.of(40)
"""Discrete Laplace noise of scale 1/40 is 0 but once in 10^17."""
ROUNDED: Final = 1e-4


@dataclass(frozen=True)
class Near:
    """How far a release without noise may be from what others say.

    Attributes:
        shares: parts of people, and differences of them.
        means: mean times, in the time's unit.
        chi_squared: of the log-rank test.
        p: of the same.
    """

    shares: float = ROUNDED
    means: float = ROUNDED
    chi_squared: float = 0.01
    p: float = ROUNDED

    def of(self, figure: str) -> float:
        """Of a figure by its name; a median is the end of the same bin."""
        return {"restricted-mean": self.means, "median-time": 0.0}.get(figure, self.shares)


SAME: Final = Near()
DAILY: Final = Near(shares=0.005, means=2.5, chi_squared=0.25, p=0.05)
"""Of the life table from the curve of each day: of those censored whole it was up to 0.0175."""
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
            TimeToEventParameters(
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
    """One entry a person: the last day, its bin, whether it is that of death, the group."""

    days: npt.NDArray[np.int64]
    bins: npt.NDArray[np.int64]
    died: npt.NDArray[np.bool_]
    groups: npt.NDArray[np.int64]


def lung() -> People:
    """The people; B dies earlier, as groups are chosen more often so the earlier the bin.

    Each last day is somewhere in its bin.
    """
    counts = [
        (bin, side, many[bin])
        for bin in range(BINS)
        for side, many in ((True, LUNG_EVENTS), (False, LUNG_CENSORED))
    ]
    bins = np.array([bin for bin, _, many in counts for _ in range(many)])
    died = np.array([side for _, side, many in counts for _ in range(many)])
    chance = np.random.default_rng(36).random(len(bins))
    days = BIN * bins + 1 + np.arange(len(bins)) * 7 % BIN
    return People(days, bins, died, (chance < np.where(bins < 6, 0.6, 0.4)).astype(np.int64))


def write(people: People, path: Path) -> None:
    """The file."""
    rows = zip(people.days, people.died, people.groups, strict=True)
    lines = [f"{n},{day},{int(died)},{'AB'[group]}" for n, (day, died, group) in enumerate(rows)]
    path.write_text("\n".join(["id,days,died,group", *lines, ""]), encoding="utf-8")


def curve_of(people: People, group: int, bins: int = BINS) -> list[float]:
    """A life table, person by person: who is censored in a bin is there for half of it."""
    mine = people.groups == group
    now, curve = 1.0, []
    for bin in range(bins):
        left = mine & (people.bins >= bin)
        had = int((left & (people.bins == bin) & people.died).sum())
        now *= 1 - had / at_risk(people, mine, bin, bins) if left.any() else 1
        curve.append(now)
    return curve


def at_risk(people: People, mine: npt.NDArray[np.bool_], bin: int, bins: int) -> float:
    """How many of some are at risk of the events of a bin; in the last one all that are left."""
    there = np.where(people.bins > bin, 1.0, 0.0) + (people.bins == bin)
    if bin < bins - 1:
        there[(people.bins == bin) & ~people.died] = 0.5
    return float(there[mine].sum())


def chi_squared(people: People, bins: int = BINS) -> float:
    """The log-rank test, person by person, over the bins in which both groups have somebody."""
    moved = spread = 0.0
    everybody, first = people.groups >= 0, people.groups == 0
    for bin in range(bins):
        had = (people.bins == bin) & people.died
        n, mine = (at_risk(people, some, bin, bins) for some in (everybody, first))
        d = int(had.sum())
        if n > 1 and 0 < mine < n:
            moved += (had & first).sum() - mine * d / n
            spread += d * (n - d) / (n - 1) * mine / n * (1 - mine / n)
    return moved**2 / spread


def by_day(
    days: npt.NDArray[np.int64],
    had: npt.NDArray[np.int64],
    until: int,
    entered: npt.NDArray[np.int64] | int = -1,
) -> list[npt.NDArray[np.float64]]:
    """The product limit, then the incidence of each kind of event (Aalen and Johansen), by day.

    Args:
        days: the last one of each person.
        had: 0 for being censored then, or the kind of event.
        until: the last day that is looked at.
        entered: the day after which each person is at risk.
    """
    day = np.arange(until + 1)[:, None]
    there = (entered < day) & (day <= days)
    left = np.maximum(there.sum(axis=1), 1)
    hazards = np.array(
        [(there & (day == days) & (had == kind)).sum(axis=1) / left for kind in set(had) - {0}]
    )
    alive = np.cumprod(1 - hazards.sum(axis=0))
    return [alive, *np.cumsum(np.array([1.0, *alive[:-1]]) * hazards, axis=1)]


@dataclass(frozen=True)
class Time:
    """Bins of a column, each taken for its last day.

    Attributes:
        begin: the column's lowest value.
        ends: the last value of each bin.
        times: those at which survival is stated; means go up to the last one.
    """

    begin: int
    ends: tuple[int, ...]
    times: tuple[int, ...]


TIME: Final = Time(1, tuple(BIN * (bin + 1) for bin in range(BINS)), TIMES)


@dataclass(frozen=True)
class Followed:
    """What two groups of people come to, by other means.

    Attributes:
        curves: of each group, the part without an event at the end of each bin.
        medians: of each group, infinite where it is not reached.
        means: of each group, up to the last of the times.
        chi_squared: the log-rank test's, with ``p``.
    """

    curves: list[list[float]]
    medians: list[float]
    means: list[float]
    chi_squared: float
    p: float


def by_numpy(people: People, time: Time = TIME) -> Followed:
    """The same worked out here."""
    curves = [curve_of(people, group, len(time.ends)) for group in (0, 1)]
    chi = chi_squared(people, len(time.ends))
    medians = [_median(curve, time) for curve in curves]
    means = [mean_below(curve, time) for curve in curves]
    return Followed(curves, medians, means, chi, math.erfc(math.sqrt(chi / 2)))


def of_each_day(people: People, time: Time = TIME) -> Followed:
    """The same of the curve of each day, with no test; a median is the end of the bin it is in."""
    groups = (people.groups == group for group in (0, 1))
    daily = [by_day(people.days[g], people.died[g].astype(int), time.ends[-1])[0] for g in groups]
    curves = [list(map(float, one[list(time.ends)])) for one in daily]
    means = [float(one[: time.times[-1]].sum()) for one in daily]
    return Followed(curves, [_median(one, time) for one in curves], means, math.nan, math.nan)


def mean_below(curve: Sequence[float], time: Time = TIME) -> float:
    """The area below lines from one end of a bin to the next, up to the last of the times.

    Nobody has the event before the column's lowest value.
    """
    places = [time.begin, *(end for end in time.ends if end <= time.times[-1])]
    return time.begin + float(np.trapezoid([1.0, *curve][: len(places)], places))


def _median(curve: list[float], time: Time) -> float:
    reached = (end for end, share in zip(time.ends, curve, strict=True) if share <= 0.5)
    return float(next(reached, math.inf))


def exact_figures(
    found: Followed, names: Sequence[str] = "AB", time: Time = TIME
) -> dict[tuple[str, ...], float]:
    """Every figure but the test, by group, what it is, and up to when."""
    figures = {}
    at = {str(one): time.ends.index(one) for one in time.times}
    for name, curve, median, mean in zip(
        names, found.curves, found.medians, found.means, strict=True
    ):
        for up_to, place in at.items():
            figures[name, "survival-at", up_to] = curve[place]
        figures[name, "median-time", ""] = median
        figures[name, "restricted-mean", str(time.times[-1])] = mean
    for up_to, place in at.items():
        first, second = (curve[place] for curve in found.curves)
        figures[names[1], "survival-difference", up_to] = second - first
    return figures


def differing(theirs: Followed | None = None, near: Near = SAME) -> Iterator[str]:
    """What a release without noise says otherwise than numpy, or than somebody else."""
    people = lung()
    with tempfile.TemporaryDirectory() as place:
        write(people, Path(place) / FILE)
        ledger = Ledger.open(Home.at(Path(place) / "home"))
        ledger.new_account("registry", NO_NOISE)
        (table,) = release(STUDY, Path(place), ledger, OpenDPDoor()).stored.tables
    yield from differing_in(table, theirs or by_numpy(people), near=near)


def differing_in(
    table: Table,
    found: Followed,
    names: Sequence[str] = "AB",
    time: Time = TIME,
    near: Near = SAME,
) -> Iterator[str]:
    """What a table released without noise says otherwise."""
    for group, end, share in (row[:3] for row in table.rows if row[2]):
        exact = found.curves[names.index(group)][time.ends.index(int(end))]
        # Published to two digits of a margin, which is not 0 where a bound is no exact one.
        last_digit = 10.0 ** int(Decimal(share).as_tuple().exponent)
        if abs(float(share) - exact) > max(near.shares, last_digit / 2):
            yield f"survival of {group} up to {end}"
    figures = exact_figures(found, names, time)
    assert table.derived is not None
    for row in table.derived.rows:
        group, name, _, up_to, value, *_ends, p, _note = row
        if name == "log-rank":
            apart = abs(float(value) - found.chi_squared), abs(float(p) - found.p)
            if apart[0] > near.chi_squared or apart[1] > near.p:
                yield f"log-rank test: {value}, {p}"
        elif not _is_same(value, figures[group, name, up_to], near.of(name)):
            yield f"{name} of {group} up to {up_to}"


def _is_same(published: str, exact: float, near: float) -> bool:
    if not published:
        return math.isinf(exact)
    return abs(float(published) - exact) <= near


def drawn_of(people: People) -> tuple[int, ...]:
    """The exact counts that noise is added to, as a release reads them from the file."""
    with tempfile.TemporaryDirectory() as place:
        write(people, Path(place) / FILE)
        ledger, door = Ledger.open(Home.at(Path(place) / "home")), RecordingDoor()
        ledger.new_account("registry", NO_NOISE)
        release(STUDY, Path(place), ledger, door)
        return tuple(door.calls[0].exact)


def coverage(chance: bool, releases: int = RELEASES) -> Held:
    """How many releases at epsilon 1 have the exact figure in its range, of those that have one.

    Args:
        chance: the people are drawn anew for each release, from those 228, and the ranges are
            those of noise and chance, for the curve of each day.
        releases: how many there are.
    """
    people, query = lung(), replace(STUDY.queries[0], epsilon=Epsilon.of(1))
    plan, counts = compile_query(STUDY, query), drawn_of(people)
    exact = exact_figures((of_each_day if chance else by_numpy)(people))
    found, dice = Held(), np.random.default_rng(400)
    ends = [f"{'population_' if chance else ''}{end}_95" for end in ("lowest", "highest")]
    for _ in range(releases):
        drawn = dice.multinomial(sum(counts), np.array(counts) / sum(counts)) if chance else counts
        part = plan.parts[0]
        noisy = OpenDPDoor().draw(part.name, Exact(np.array(drawn)), part.noise, part.sensitivity)
        for line in derived_lines(plan, (tuple(noisy),)):
            cells: dict[str, Any] = dict(zip((c.name for c in COLUMNS), line.cells, strict=True))
            key, (low, high) = (*line.groups, cells["figure"], cells["up_to"]), map(cells.get, ends)
            if key in exact and low:
                found.add(key, within(low, exact[key], high))
    return found


def lines(_shared: Path) -> Iterator[tuple[str, bool]]:
    """What is printed of each figure, and whether it is that of numpy, or held often enough."""
    wrong = list(differing())
    said = f"DIFFERS in {'; '.join(wrong)}" if wrong else "as in numpy"
    yield f"survival      without noise: {said}", not wrong
    for chance in (False, True):
        yield from coverage(chance).each(f"survival      noise{' and chance' * chance}")
