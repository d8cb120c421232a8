# SPDX-License-Identifier: Apache-2.0
"""Cumulative incidence with all that follows from it, beside numpy and over 400 releases.

The people are those of ``survival``, a third of whose deaths have another cause. Without noise
every incidence is that of Aalen and Johansen over a life table, worked out here person by person;
at epsilon 1, 400 times, each range of the noise holds it, and each range of noise and chance that
of each day where people are drawn anew.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.planning.survival.derived_table import COLUMNS, derived_lines
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.conditions import IsIn
from tests.acceptance.publish import survival
from tests.acceptance.publish.coverage import RELEASES, Held, within
from tests.acceptance.publish.survival import BIN, BINS, NO_NOISE, ROUNDED, TIME, TIMES
from tests.doors import RecordingDoor
from tests.release.studies import release

FILE: Final = survival.FILE
KINDS: Final = ("other", "tumour")
OUTCOMES: Final = ("alive", *KINDS)
STUDY: Final = replace(
    survival.STUDY,
    columns=(
        survival.STUDY.columns[0],
        CategoryColumn("outcome", OUTCOMES),
        survival.STUDY.columns[2],
    ),
    queries=(
        replace(
            survival.STUDY.queries[0].having(
                statistic="cumulative-incidence", has=(IsIn("outcome", KINDS),)
            ),
            id="causes",
        ),
    ),
)


def outcomes(people: survival.People) -> Any:
    """Of each person 0 for being alive, or the cause of death: every third one is another."""
    other = np.arange(len(people.died)) % 3 == 0
    return np.where(people.died, np.where(other, 1, 2), 0)


def write(people: survival.People, path: Path) -> None:
    """The file."""
    rows = zip(people.days, outcomes(people), people.groups, strict=True)
    lines = [f"{n},{day},{OUTCOMES[had]},{'AB'[group]}" for n, (day, had, group) in enumerate(rows)]
    path.write_text("\n".join(["id,days,outcome,group", *lines, ""]), encoding="utf-8")


def incidence_of(people: survival.People, group: int, kind: int) -> list[float]:
    """Aalen and Johansen, person by person, over a life table's numbers at risk."""
    mine, had = people.groups == group, outcomes(people)
    alive, so_far, curve = 1.0, 0.0, []
    for bin in range(BINS):
        left = mine & (people.bins >= bin)
        now = left & (people.bins == bin)
        if left.any():
            at_risk = survival.at_risk(people, mine, bin, BINS)
            so_far += alive * (now & (had == kind + 1)).sum() / at_risk
            alive *= 1 - (now & (had > 0)).sum() / at_risk
        curve.append(so_far)
    return curve


Curves = list[list[list[float]]]
"""By group, kind of event and bin."""


def by_numpy(people: survival.People) -> Curves:
    """The same worked out here."""
    kinds = range(len(KINDS))
    return [[incidence_of(people, group, kind) for kind in kinds] for group in (0, 1)]


def of_each_day(people: survival.People) -> Curves:
    """The same of the curves of each day."""
    ends, had = list(TIME.ends), outcomes(people)
    groups = (people.groups == group for group in (0, 1))
    daily = [survival.by_day(people.days[g], had[g], ends[-1])[1:] for g in groups]
    return [[list(map(float, one[ends])) for one in kinds] for kinds in daily]


def exact_figures(curves: Curves) -> dict[tuple[str, ...], float]:
    """Every figure by group, kind, what it is, and up to when."""
    found = {}
    for kind, name in enumerate(KINDS):
        first, second = (group[kind] for group in curves)
        for time in TIMES:
            at = time // BIN - 1
            found["A", name, "incidence-at", str(time)] = first[at]
            found["B", name, "incidence-at", str(time)] = second[at]
            found["B", name, "incidence-difference", str(time)] = second[at] - first[at]
    return found


def differing(theirs: Curves | None = None, near: float = ROUNDED) -> Iterator[str]:
    """What a release without noise says otherwise than numpy, or than somebody else."""
    people = survival.lung()
    with tempfile.TemporaryDirectory() as place:
        write(people, Path(place) / FILE)
        ledger = Ledger.open(Home.at(Path(place) / "home"))
        ledger.new_account("registry", NO_NOISE)
        (table,) = release(STUDY, Path(place), ledger, OpenDPDoor()).stored.tables
    curves = theirs or by_numpy(people)
    for group, kind, end, share, *_ in table.rows:
        exact = curves["AB".index(group)][KINDS.index(kind)][int(end) // BIN - 1]
        if share and abs(float(share) - exact) > near:
            yield f"incidence of {group}, {kind}, up to {end}"
    exact_ones = exact_figures(curves)
    assert table.derived is not None
    for group, kind, name, _, up_to, value, *_ends in table.derived.rows:
        if value == "" or abs(float(value) - exact_ones[group, kind, name, up_to]) > near:
            yield f"{name} of {group}, {kind}, up to {up_to}"


def drawn_of(people: survival.People) -> tuple[int, ...]:
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
            those of noise and chance, for the curves of each day.
        releases: how many there are.
    """
    people, query = survival.lung(), replace(STUDY.queries[0], epsilon=Epsilon.of(1))
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
            key = (*line.groups, cells["figure"], cells["up_to"])
            low, high = (cells[end] for end in ends)
            if low:
                found.add(key, within(low, exact[key], high))
    return found


def lines(_shared: Path) -> Iterator[tuple[str, bool]]:
    """What is printed of each figure, and whether it is that of numpy, or held often enough."""
    wrong = list(differing())
    said = f"DIFFERS in {'; '.join(wrong)}" if wrong else "as in numpy"
    yield f"incidence     without noise: {said}", not wrong
    for chance in (False, True):
        yield from coverage(chance).each(f"incidence     noise{' and chance' * chance}")
