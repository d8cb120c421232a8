# SPDX-License-Identifier: Apache-2.0
"""Curves' intervals for the population at each time by itself, over 400 releases.

People are drawn anew for each release, from many and from few of them, with events early, late and
seldom, of one kind and of two, there from the start and coming later; noise is that of a share of 1
and of a third. How often the interval at the end of each bin holds the population's curve, that of
each day, is stated of the bins before the middle and of those behind it, where a number at risk is
small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Final

import numpy as np
from scipy import stats

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from tests.acceptance.publish import entry, incidence, survival
from tests.acceptance.publish.coverage import RARE, RELEASES, Held
from tests.acceptance.publish.survival import BIN
from tests.privacy.statistics.survival.shapes import MADE, SHAPES

SHARES: Final = ("1", "0.333333")
SOME: Final = 20
NAMES: Final = (
    "lung",
    "few people",
    "many people",
    "early events",
    "late events",
    "rare events",
    "nobody censored",
)


@dataclass(frozen=True)
class Case:
    """A question with its exact counts and its curves.

    Attributes:
        study: its first query is the question.
        counts: what noise is added to.
        curves: by kind of event, or one, the population's at the end of each bin.
    """

    study: Study
    counts: tuple[int, ...]
    curves: tuple[list[float], ...]


def of_shape(name: str) -> Case:
    """Survival of one group."""
    counts = SHAPES[name]
    bins = len(counts) // 2
    days = NumberColumn("days", Decimal(1), Decimal(BIN * bins), Decimal(1), label="days")
    edges = tuple(Decimal(BIN * n + 1) for n in range(1, bins))
    query = replace(survival.STUDY.queries[0].having(edges=edges, times=()), by=())
    study = replace(survival.STUDY, columns=(days, *survival.STUDY.columns[1:]), queries=(query,))
    # Those without an event are drawn first.
    drawn = tuple(n for pair in zip(counts[1::2], counts[::2], strict=True) for n in pair)
    return Case(study, drawn, (daily(name),))


def daily(name: str) -> list[float]:
    """The curve of each day of a shape's people at the end of each bin."""
    if name in MADE:
        times, has = MADE[name].times
        days = (BIN * times).astype(int) + 1
    else:
        people = survival.lung()
        days, has = people.days, people.died
    alive, _had = survival.by_day(days, has.astype(int), until := BIN * len(SHAPES[name]) // 2)
    return list(map(float, alive[BIN : until + 1 : BIN]))


def of_kinds() -> Case:
    """Two kinds of event of two groups, of which the first one is looked at."""
    people = survival.lung()
    curves = incidence.of_each_day(people)[0]
    return Case(incidence.STUDY, incidence.drawn_of(people), tuple(curves))


def of_entries(place: int) -> Case:
    """With delayed entry: survival, or two kinds of event."""
    (alive, *causes), _mean = entry.of_each_day()
    study = replace(entry.STUDY, queries=entry.STUDY.queries[place : place + 1])
    return Case(study, entry.drawn_of()[place], tuple(causes) if place else (alive,))


CASES: Final[dict[str, Callable[[], Case]]] = {
    **{name: lambda name=name: of_shape(name) for name in NAMES},  # type: ignore[misc]
    "two kinds of event": of_kinds,
    "delayed entry": lambda: of_entries(0),
    "delayed entry, two kinds": lambda: of_entries(1),
}


def covered(case: Case, share: str, releases: int = RELEASES) -> tuple[Held, Held]:
    """How often intervals hold, of the bins before the middle and of the others."""
    query = replace(case.study.queries[0], epsilon=Epsilon.of(share), population=True)
    plan, method = compile_query(case.study, query), METHODS[query.statistic]
    part, dice, door = plan.parts[0], np.random.default_rng(37), OpenDPDoor()
    many, rates = sum(case.counts), np.array(case.counts) / sum(case.counts)
    held = Held(), Held()
    for _ in range(releases):
        vector = Exact(dice.multinomial(many, rates))
        noisy = door.draw(part.name, vector, part.noise, part.sensitivity)
        intervals = method.population(plan, (tuple(noisy),))
        for kind, curve in enumerate(case.curves):
            for bin, exact in enumerate(curve):
                ends = next(intervals)
                if ends is not None:
                    is_held = float(ends[0]) - 1e-9 <= exact <= float(ends[1]) + 1e-9
                    held[2 * bin >= len(curve)].add((kind, bin), is_held)
    return held


def lines(_shared: Path) -> Iterator[tuple[str, bool]]:
    """What is printed of each case and share, and whether all hold often enough."""
    for name, make in CASES.items():
        case = make()
        for share in SHARES:
            for when, held in zip(("early", "late"), covered(case, share), strict=True):
                said, is_often = held.line()
                # Behind the middle noise, or too few events, may leave nothing to say.
                is_silent = all(2 * of <= RELEASES for _, of in held.counts.values())
                few, is_kept = seldom_said(held)
                is_held = (is_often or is_silent) and is_kept
                yield f"each time     {name}, {share}, {when}: {said}{few}", is_held


def seldom_said(held: Held) -> tuple[str, bool]:
    """How often intervals hold that are there in fewer than half of the releases, but in some."""
    counts = [one for one in held.counts.values() if SOME <= one[1] <= RELEASES / 2]
    if not counts:
        return "", True
    least = min(many / of for many, of in counts)
    is_kept = all(stats.binom.cdf(many, of, 0.95) >= RARE / len(counts) for many, of in counts)
    return f"; seldom there: {len(counts)}, which held in {least:.1%} or more", is_kept
