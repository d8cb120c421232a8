# SPDX-License-Identifier: Apache-2.0
"""Survival and cumulative incidence with delayed entry, beside numpy and over 400 releases.

The people of ``survival``, ten of each, half of whom come under observation on the days of the
second and third bin, or of the next three; those whose entry is not before their last day are left
out, and a third of whose deaths have another cause. Without noise every published number is that of
the product limit, or of Aalen and Johansen, over a life table of who is at risk, worked out here
from all pairs of an entry and a last day; it is as near to the curve of each day. At epsilon 1, 400
times, each range of the noise holds it, and each range of noise and chance that of each day where
people are drawn anew.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.planning.survival.derived_table import COLUMNS, derived_lines
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.unit import Budget
from tests.acceptance.publish import incidence, survival
from tests.acceptance.publish.coverage import RELEASES, Held, within
from tests.acceptance.publish.survival import BIN, BINS, SAME, TIME, TIMES, Near
from tests.doors import RecordingDoor
from tests.release.studies import release

FILE: Final = survival.FILE
BEGINS: Final = (0, 1, 3, 6)
OF_EACH: Final = 10
NEAR_DAYS: Final = 0.003
BUDGET: Final = Epsilon.of(80)
"""No noise, twice."""
STUDY: Final = replace(
    survival.STUDY,
    columns=(
        *survival.STUDY.columns,
        NumberColumn("entered", Decimal(0), Decimal(BIN * BINS), Decimal(1), label="days"),
        CategoryColumn("outcome", incidence.OUTCOMES),
    ),
    queries=tuple(
        replace(
            query.having(
                entry="entered",
                entry_edges=tuple(Decimal(BIN * begin + 1) for begin in BEGINS[1:]),
                late="leave-out",
            ),
            by=(),
        )
        for query in (*survival.STUDY.queries, *incidence.STUDY.queries)
    ),
    budget=Budget("registry", epsilon=BUDGET),
)
Days = npt.NDArray[np.int64]
Curves = tuple[list[float], ...]
"""Survival, then the incidence of each cause, by bin."""
Found = tuple[Curves, float]
"""The same, and the mean time without the event up to the last of the times."""
Key = tuple[str, ...]
"""The kind of event where there are kinds, what a figure is, and up to when."""


def everybody(pace: int = 11, shift: int = 0) -> tuple[Days, Days, Days]:
    """Of each person the day of entry, the last day, and 0 for being alive then, or the cause.

    At a pace of 0 all who are late enter on the first day of their bin, or on the last one, -1.
    """
    people = survival.lung()
    many = np.repeat(np.arange(len(people.bins)), OF_EACH)
    days = BIN * people.bins[many] + 1 + np.arange(len(many)) * 7 % BIN
    person = np.arange(len(many))
    late = np.array([0, 0, 1, 2])[person % 4]
    first, after = (BIN * np.array(BEGINS)[late + n] + 1 for n in (0, 1))
    entered = np.where(late > 0, first + (person * pace + shift) % (after - first), 0)
    other = person % 3 == 0
    return entered, days, np.where(people.died[many], np.where(other, 1, 2), 0)


def write(path: Path) -> None:
    """The file of everybody."""
    lines = ["id,days,died,group,entered,outcome"]
    for n, (entry, day, had) in enumerate(zip(*everybody(), strict=True)):
        lines.append(f"{n},{day},{int(had > 0)},A,{entry},{incidence.OUTCOMES[had]}")
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def curves_of(entered: Days, days: Days, had: Days) -> Curves:
    """Person by person: survival, then the incidence of each cause.

    Everybody is at risk up to the bin of the last day, who is censored in it, but for the last one,
    in half of it; and behind the day of entry, which may be any of its bin.
    """
    begins, last = np.array(BEGINS), (days - 1) // BIN
    first = np.searchsorted(begins, np.maximum(entered - 1, 0) // BIN, side="right") - 1
    kept = entered < days
    now, so_far = 1.0, [0.0, 0.0]
    curves: Curves = ([], [], [])
    for bin in range(BINS):
        there = kept & (begins[first] <= bin) & (bin <= last)
        if there.any():
            pairs = zip(first[there], last[there], strict=True)
            at_risk = np.array([part_of(int(a), int(b), bin) for a, b in pairs])
            halves = ((had == 0) & (last == bin) & (bin < BINS - 1))[there]
            left = at_risk.sum() - (at_risk * halves).sum() / 2
            parts = [(there & (had == cause) & (last == bin)).sum() for cause in (1, 2)]
            hazards = [part / left for part in parts]
            so_far = [share + now * one for share, one in zip(so_far, hazards, strict=True)]
            now *= 1 - sum(hazards)
        for curve, share in zip(curves, (now, *so_far), strict=True):
            curve.append(float(share))
    return curves


@cache
def part_of(entry: int, last: int, bin: int) -> float:
    """The part of a bin's days that are behind an entry, over all pairs of an entry and an end."""
    end = BEGINS[entry + 1] if entry + 1 < len(BEGINS) else BINS
    if entry == 0 or end <= bin:
        return 1.0
    entries, ends, days = (
        np.arange(BIN * a, BIN * b)
        for a, b in ((BEGINS[entry], end), (last, last + 1), (bin, bin + 1))
    )
    pairs = entries[:, None] < ends
    behind = (entries[:, None] < days).mean(axis=1)
    return float((behind[:, None] * pairs).sum() / pairs.sum())


def by_numpy() -> Found:
    """Everybody's, in bins."""
    curves = curves_of(*everybody())
    return curves, survival.mean_below(curves[0])


def of_each_day() -> Found:
    """Everybody's, of each day."""
    entered, days, had = everybody()
    daily = survival.by_day(days, had, TIME.ends[-1], entered)
    curves = tuple(list(map(float, one[list(TIME.ends)])) for one in daily)
    return curves, float(daily[0][: TIMES[-1]].sum())


def exact_figures(those: Found) -> dict[Key, float]:
    """Every figure but the median by its key."""
    (curve, *causes), mean = those
    found: dict[Key, float] = {("survival-at", str(t)): curve[t // BIN - 1] for t in TIMES}
    for kind, shares in zip(incidence.KINDS, causes, strict=True):
        found |= {(kind, "incidence-at", str(t)): shares[t // BIN - 1] for t in TIMES}
    return found | {("restricted-mean", str(TIMES[-1])): mean}


def differing(theirs: Found | None = None, near: Near = SAME) -> Iterator[str]:
    """What a release without noise says otherwise than numpy, or than somebody else."""
    with tempfile.TemporaryDirectory() as place:
        write(Path(place) / FILE)
        ledger = Ledger.open(Home.at(Path(place) / "home"))
        ledger.new_account("registry", BUDGET)
        alive, causes = release(STUDY, Path(place), ledger, OpenDPDoor()).stored.tables
    found = theirs or by_numpy()
    curve, *shares = found[0]
    lines = [((), curve, row) for row in alive.rows]
    lines += [((row[0],), shares[incidence.KINDS.index(row[0])], row[1:]) for row in causes.rows]
    for kind, exact_curve, (end, share, *_) in lines:
        if share and abs(float(share) - exact_curve[int(end) // BIN - 1]) > near.shares:
            yield " ".join((*kind, "up to", end))
    exact = exact_figures(found)
    assert alive.derived is not None and causes.derived is not None
    for row in (*alive.derived.rows, *causes.derived.rows):
        *kind, name, _other, up_to, value = row[: len(row) - 6]
        key = (*kind, name, up_to)
        if key in exact and abs(float(value) - exact[key]) > near.of(name):
            yield " ".join(key)


def farthest() -> float:
    """How far the curves in bins are from those of each day, anywhere."""
    pairs = zip(by_numpy()[0], of_each_day()[0], strict=True)
    return max(float(np.abs(np.subtract(*pair)).max()) for pair in pairs)


def of_uneven(shift: int) -> float:
    """How far survival in bins is from that of each day where all enter on one day of their bin."""
    entered, days, had = everybody(0, shift)
    daily = survival.by_day(days, had, TIME.ends[-1], entered)[0][list(TIME.ends)]
    off = np.array(curves_of(entered, days, had)[0]) - daily
    return float(off[np.abs(off).argmax()])


def drawn_of() -> tuple[tuple[int, ...], ...]:
    """The exact counts that noise is added to, as a release reads them from the file."""
    with tempfile.TemporaryDirectory() as place:
        write(Path(place) / FILE)
        ledger, door = Ledger.open(Home.at(Path(place) / "home")), RecordingDoor()
        ledger.new_account("registry", BUDGET)
        release(STUDY, Path(place), ledger, door)
        return tuple(tuple(call.exact) for call in door.calls)


def coverage(chance: bool, releases: int = RELEASES) -> Held:
    """How many releases at epsilon 1 have the exact figure in its range, of those that have one.

    Args:
        chance: the people are drawn anew for each release, and the ranges are those of noise and
            chance, for the curves of each day.
        releases: how many there are.
    """
    exact = exact_figures((of_each_day if chance else by_numpy)())
    found, dice = Held(), np.random.default_rng(401)
    ends = [f"{'population_' if chance else ''}{end}_95" for end in ("lowest", "highest")]
    for query, counts in zip(STUDY.queries, drawn_of(), strict=True):
        plan = compile_query(STUDY, replace(query, epsilon=Epsilon.of(1)))
        part, many = plan.parts[0], sum(counts)
        for _ in range(releases):
            people = dice.multinomial(many, np.array(counts) / many) if chance else counts
            vector = Exact(np.array(people))
            noisy = OpenDPDoor().draw(part.name, vector, part.noise, part.sensitivity)
            for line in derived_lines(plan, (tuple(noisy),)):
                cells = dict(zip((c.name for c in COLUMNS), line.cells, strict=True))
                key = (*line.groups, cells["figure"], cells["up_to"])
                low, high = (cells[end] for end in ends)
                if key in exact and low:
                    found.add(key, within(low, exact[key], high))
    return found


def lines(_shared: Path) -> Iterator[tuple[str, bool]]:
    """What is printed of each figure, and whether it is that of numpy, or held often enough."""
    wrong = list(differing())
    said = f"DIFFERS in {'; '.join(wrong)}" if wrong else "as in numpy"
    yield f"entry         without noise: {said}", not wrong
    far = farthest()
    yield f"entry         from the curves of each day at most {far:.4f}", far <= NEAR_DAYS
    for chance in (False, True):
        yield from coverage(chance).each(f"entry         noise{' and chance' * chance}")
