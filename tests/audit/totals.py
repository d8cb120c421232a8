# SPDX-License-Identifier: Apache-2.0
"""Totals: what is said of the sums of a released table's cells, and of their shares, is true.

On tables that were drawn alone, projected on a public total and made consistent with another:

* a total is the sum of its cells as they are published;
* how much each number that was drawn counts in it is seen by raising that number by one; its margin
  is that of all these noises together, and of what rounding moved, and no larger;
* of a share of one total in a larger one the margin reaches to the last share that fits what was
  drawn, and not much further: the noise of the one, less that share of the other's, may be what is
  between them;
* of some cells less others the same is true where each was drawn alone, and of others nothing is
  said;
* people who may be in several cells are not added up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.reconcile import figures
from dpdesk.privacy.reconcile.cross_totals import AddingTable
from dpdesk.privacy.reconcile.noise_sum import half_width
from dpdesk.privacy.reconcile.same_rows import Answer
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.pairs import row
from tests.audit.tables import FILE
from tests.audit.worlds import run
from tests.doors import RecordingDoor

WARD = CategoryColumn("ward", ("A", "B", "C"), Replace("A"), Replace("A"))
SEX = CategoryColumn("sex", ("F", "M"), Replace("F"), Replace("F"))
STAY = NumberColumn("stay", Decimal(0), Decimal(10), Decimal("0.5"))
CELLS = (400, 310, 250, 90, 30, 600)
"""By ward and, in each ward, by sex."""
WARDS = (CELLS[0] + CELLS[1], CELLS[2] + CELLS[3], CELLS[4] + CELLS[5])
SOME, OTHERS = (0, 2, 3), (1, 5)
"""Places of cells."""
BOTH = ("ward", "sex")
THREE = Unit("pid", 3)
PUBLIC = Unit("pid", 1, "change-one", people=sum(CELLS))
TENTH = {"epsilon": Epsilon.of("0.1")}

Drawn = list[tuple[int, ...]]
Moves = list[tuple[Noise, list[Fraction]]]


@dataclass(frozen=True)
class World:
    """Some tables, of which the first one's totals are looked at."""

    study: Study
    plans: tuple[QueryPlan, ...]
    drawn: Drawn

    @classmethod
    def of(cls, unit: Unit, *queries: Query, drawn: Drawn) -> World:
        """What asks some queries and draws that."""
        is_rho = queries[0].rho is not None
        study = Study(
            data=DataSource(FILE),
            unit=unit,
            budget=Budget("audit", rho=Rho.of(9)) if is_rho else Budget("audit", Epsilon.of(9)),
            columns=(WARD, SEX, STAY),
            queries=queries,
        )
        return cls(study, compile(study).queries, drawn)

    def made(self, drawn: Drawn) -> AddingTable:
        """The first table, as it is published where that was drawn."""
        plan, answers = self.plans[0], zip(self.plans, drawn, strict=True)
        found = figures.consistent_figures([Answer(one, (numbers,), 1) for one, numbers in answers])
        published = table(self.study, plan, (drawn[0],), (), found.get(0))
        at = [column.role for column in published.columns].index("value")
        texts = tuple(line[at] for line in published.rows)
        return AddingTable(plan, (drawn[0],), texts, found.get(0))

    def figures(self, drawn: Drawn) -> list[Fraction]:
        """What is published of its cells, before it is rounded."""
        plan, own = self.plans[0], drawn[0]
        if len(self.plans) > 1:
            consistent = self.made(drawn).consistent
            assert consistent is not None, "nothing is joined"
            return [consistent.value(line) for line in range(len(own))]
        if plan.public_total is not None:
            beyond = Fraction(sum(own) - plan.public_total, len(own))
            return [number - beyond for number in own]
        return [number * plan.parts[0].width for number in own]

    def moves(self) -> Iterator[tuple[Noise, list[Fraction]]]:
        """By how much each number that was drawn moves each of the figures."""
        still = self.figures(self.drawn)
        for place, plan in enumerate(self.plans):
            for cell in range(plan.parts[0].cells):
                raised = [list(numbers) for numbers in self.drawn]
                raised[place][cell] += 1
                after = self.figures([tuple(numbers) for numbers in raised])
                noise = plan.parts[0].noise
                yield noise, [new - old for new, old in zip(after, still, strict=True)]


def worlds() -> Iterator[tuple[str, World]]:
    """Each way in which a table's noises come together."""
    count, by_ward = Query("q").having(by=BOTH), Query("w").having(by=("ward",))
    plain = count.having(**TENTH)
    yield "alone", World.of(THREE, plain, drawn=[CELLS])
    yield "in rho", World.of(THREE, count.having(rho=Rho.of("0.01")), drawn=[CELLS])
    total = plain.having(statistic="sum", column="stay")
    yield "a sum", World.of(THREE, total, drawn=[CELLS])
    yield "projected", World.of(PUBLIC, plain, drawn=[tuple(n + n % 7 for n in CELLS)])
    twice = by_ward.having(epsilon=Epsilon.of("0.2"))
    yield "consistent", World.of(THREE, plain, twice, drawn=[CELLS, tuple(n + 9 for n in WARDS)])


def total_findings(folder: Path) -> Iterator[str]:
    """See the head of the module."""
    for name, world in worlds():
        yield from (f"{name}: {finding}" for finding in _of_world(world))
    yield from _people(folder)


def _of_world(world: World) -> Iterator[str]:
    made, moves = world.made(world.drawn), list(world.moves())
    exact = world.figures(world.drawn)
    if not made.adds_up:
        yield "no totals"
        return
    for kept in ((0,), (1,), ()):
        for groups, total in made.totals(kept).items():
            lines = _lines(made, kept, groups)
            value = sum(Fraction(made.published[line]) for line in lines)
            if Fraction(total.value) != value:
                yield f"the total of {groups} is {total.value}, its cells add up to {value}"
            moved = abs(value - _sum(exact, lines))
            least = half_width(_terms(moves, dict.fromkeys(lines, 1.0))) + moved
            most = least * Fraction(51, 50) + Fraction(1, 10 ** _digits(total.half_width))
            if not least * Fraction(99, 100) <= Fraction(total.half_width) <= most:
                yield f"the total of {groups} is within {total.half_width}, not {float(least)}"
    yield from _of_difference(made, moves, exact)
    if made.has_shares:
        for kept, of in (((0, 1), (0,)), ((0, 1), (1,)), ((0,), ())):
            yield from _of_shares(made, moves, exact, kept, of)


def _of_difference(made: AddingTable, moves: Moves, exact: list[Fraction]) -> Iterator[str]:
    """Of some cells, less others."""
    total, are_alone = (
        made.combined(SOME, OTHERS),
        all(len([m for m in one if m]) == 1 for _n, one in moves),
    )
    if total is None or not are_alone:
        if (total is None) == are_alone:
            yield f"of some cells less others {total} is said"
        return
    published = [Fraction(text) for text in made.published]
    value = _sum(published, SOME) - _sum(published, OTHERS)
    moved = abs(value - _sum(exact, SOME) + _sum(exact, OTHERS))
    weights = dict.fromkeys(SOME, 1.0) | dict.fromkeys(OTHERS, -1.0)
    least = half_width(_terms(moves, weights)) + moved
    most = least * Fraction(51, 50) + Fraction(1, 10 ** _digits(total.half_width))
    if Fraction(total.value) != value:
        yield f"some cells less others are {total.value}, not {value}"
    if not least * Fraction(99, 100) <= Fraction(total.half_width) <= most:
        yield f"some cells less others are within {total.half_width}, not {float(least)}"


def _of_shares(
    made: AddingTable,
    moves: Moves,
    exact: list[Fraction],
    kept: tuple[int, ...],
    of: tuple[int, ...],
) -> Iterator[str]:
    found = made.shares(kept, of)
    for groups in list(found)[:: len(found) - 1]:
        part = _lines(made, kept, groups)
        whole = _lines(made, of, tuple(groups[kept.index(place)] for place in of))
        near = float(_sum(exact, part) / _sum(exact, whole))

        def fits(share: float, part: Sequence[int] = part, whole: Sequence[int] = whole) -> bool:
            weights = {line: (line in part) - share for line in whole}
            apart = abs(float(_sum(exact, part)) - share * float(_sum(exact, whole)))
            return apart <= half_width(_terms(moves, weights))

        furthest = max(near - _last(fits, near, 0.0), _last(fits, near, 1.0) - near)
        margin = float(found[groups].half_width)
        # What is published is rounded, its margin upwards; noises are those of a range of shares.
        rounding = 1.5 / 10 ** _digits(found[groups].half_width)
        if not 99 * furthest <= margin <= 106 * furthest + rounding:
            yield f"the share of {groups} in {of} is within {margin} %, {100 * furthest} % fits"


def _last(fits: Callable[[float], bool], near: float, end: float) -> float:
    """The share furthest from one that fits, on the way to an end."""
    if fits(end):
        return end
    inside, outside = near, end
    while abs(outside - inside) > 1e-4:
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if fits(middle) else (inside, middle)
    return inside


def _lines(made: AddingTable, kept: Sequence[int], groups: tuple[str, ...]) -> list[int]:
    cells = enumerate(made.plan.cells)
    return [line for line, cell in cells if tuple(cell[place] for place in kept) == groups]


def _sum(exact: list[Fraction], lines: Sequence[int]) -> Fraction:
    return sum((exact[line] for line in lines), Fraction(0))


def _terms(moves: Moves, weights: dict[int, float]) -> tuple[tuple[Noise, float, int], ...]:
    """How often each noise counts in a weighted sum of figures, and with what weight."""
    found: dict[tuple[Noise, float], int] = {}
    for noise, moved in moves:
        weight = sum(one * float(moved[line]) for line, one in weights.items())
        if abs(weight) > 1e-9:
            term = noise, round(weight, 9)
            found[term] = found.get(term, 0) + 1
    return tuple((*term, many) for term, many in found.items())


def _digits(text: str) -> int:
    return len(text.partition(".")[2])


def _people(folder: Path) -> Iterator[str]:
    """Of somebody in two wards, one is counted."""
    people = Query("p").having(statistic="count-people", by=BOTH, **TENTH)
    by_sex = replace(people, id="s", by=("sex",))
    for rows, crowd in ((1, "AB"), (3, "ABB")):
        world = World.of(Unit("pid", rows), people, by_sex, drawn=[])
        mine = tuple(row("7" if rows > 1 else str(at), ward=ward) for at, ward in enumerate(crowd))
        door = RecordingDoor()
        run(world.study, folder, mine, door)
        cells, wanted = (call.exact for call in door.calls)
        made = AddingTable(world.plans[0], (cells,), tuple(map(str, cells)))
        if made.adds_up != (rows == 1):
            yield f"of people with up to {rows} rows totals are {made.adds_up}"
        totals = [int(one.value) for one in made.totals((1,)).values()]
        if made.adds_up and totals != list(wanted):
            yield f"{totals} people by sex, {wanted} exactly"
