# SPDX-License-Identifier: Apache-2.0
"""How often a published rank is off by no more than it says, of many kinds of data.

python -m tests.audit.quantile_coverage [DRAWS]     the table; 2,000 draws by default

Each case is a table of two groups, a large and a small one, in which the file, the encoding, the
aggregate, the door and the published table are the program's own. What is counted is the rank's
distance from the rows that have the published value, found by counting rows; where candidates are
declared that leave values out, beyond that of the best of them. Of all lines the worst is shown.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CandidateParameters, QuantileParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.unit import Budget
from tests.audit.pairs import ADD_REMOVE, COLUMNS, pairs, row
from tests.audit.worlds import run_plan
from tests.doors import Call, RecordingDoor

DRAWS = 2_000
LAST = 100
GROUPS = {"F": 1_000, "M": 60}
STAY = NumberColumn("stay", Decimal(0), Decimal(LAST), Decimal(1))
COARSE = tuple(Decimal(place) for place in range(0, LAST + 1, 2))
TWENTIETHS = tuple(Decimal(n) / 20 for n in range(1, 20))
SHARES: dict[str, Any] = {"epsilon": Epsilon.of("0.2"), "rho": Rho.of("0.005")}

SHAPES: dict[str, Callable[[int], list[int]]] = {
    "one value": lambda rows: [42] * rows,
    "two values": lambda rows: [3] * (rows * 21 // 40) + [57] * (rows - rows * 21 // 40),
    "heavy ties": lambda rows: [(i % 10) * (i % 10 > 5) * (1 + i % 3) for i in range(rows)],
    "gaps": lambda rows: [(5, 6, 7, 41, 41, 97)[i % 6] for i in range(rows)],
    "uniform": lambda rows: [i * (LAST + 1) // rows for i in range(rows)],
}
WANTED: dict[str, tuple[Statistic, CandidateParameters]] = {
    "median": ("median", CandidateParameters("stay")),
    "quantiles": ("quantiles", QuantileParameters("stay", quantiles=TWENTIETHS[1::16])),
    "quartiles": ("interquartile-range", CandidateParameters("stay")),
    "tree": ("quantiles", QuantileParameters("stay", quantiles=TWENTIETHS)),
}


@dataclass(frozen=True)
class Case:
    """What is tried.

    Attributes:
        shape: the kind of data.
        wanted: median, quantiles, quartiles, or quantiles read off a tree.
        measure: of the account.
        is_coarse: whether declared candidates leave values out.
    """

    shape: str
    wanted: str
    measure: str
    is_coarse: bool


CASES = tuple(
    Case(shape, wanted, measure, is_coarse)
    for is_coarse in (False, True)
    for wanted in WANTED
    for measure in SHARES
    for shape in SHAPES
)


@dataclass(frozen=True)
class Found:
    """What came of a case; of all lines the worst.

    Attributes:
        draws: how many releases.
        held: in how many the line said nothing false.
        bound: what the plan says, in rows.
        distance: what 95 of 100 releases are off by at most, in rows.
    """

    draws: int
    held: int
    bound: Fraction
    distance: Fraction


def covered(case: Case, draws: int, folder: Path) -> Found:
    """Release so often, and count rows."""
    study = study_of(case)
    (plan,) = compile(study).queries
    assert plan.parts[0].noise.is_additive == (case.wanted == "tree"), "the other way is tried"
    noises = drawn(recorded(study, case.shape, folder), draws)
    lines = list(_off(case, plan, study, noises))
    held = min(
        sum(said is None or off <= said for off, said in line) for line in zip(*lines, strict=True)
    )
    nearest = [sorted(off for off, _said in line) for line in zip(*lines, strict=True)]
    assert plan.bound is not None
    return Found(
        draws, held, plan.bound.distance, max(line[ceil(0.95 * draws) - 1] for line in nearest)
    )


def study_of(case: Case) -> Study:
    """One query by sex."""
    statistic, parameters = WANTED[case.wanted]
    candidates = COARSE if case.is_coarse else ()
    query = Query(
        "q", statistic, replace(parameters, candidates=candidates), by=("sex",), epsilon=None
    )
    share = SHARES[case.measure]
    return replace(
        pairs()[0].study,
        unit=ADD_REMOVE,
        budget=Budget("audit", **{case.measure: type(share).of(10)}),
        columns=(STAY, *COLUMNS[1:]),
        queries=(replace(query, **{case.measure: share}),),
    )


def recorded(study: Study, shape: str, folder: Path) -> list[Call]:
    """The exact vectors of a file in which each sex has the same kind of data."""
    rows = tuple(
        row(f"{sex}{i}", str(value), sex=sex)
        for sex, size in GROUPS.items()
        for i, value in enumerate(SHAPES[shape](size))
    )
    door = RecordingDoor()
    run_plan(study, compile(study), folder, rows, door)
    return door.calls


def drawn(calls: list[Call], draws: int) -> list[tuple[tuple[int, ...], ...]]:
    """What the real door gives for the same vectors, again and again; all of it in one draw."""
    door, found = OpenDPDoor(), []
    for call in calls:
        many = call.noise
        if not many.is_additive:
            many = replace(many, blocks=many.blocks * draws)
        exact = Exact(np.tile(np.array(call.exact, np.int64), draws))
        given = np.array(door.draw(call.name, exact, many, call.sensitivity))
        found.append([tuple(map(int, one)) for one in given.reshape(draws, -1)])
    return list(zip(*found, strict=True))


Line = list[tuple[Fraction, Fraction | None]]


def _off(
    case: Case, plan: QueryPlan, study: Study, noises: list[tuple[tuple[int, ...], ...]]
) -> Iterator[Line]:
    """Of each release, how many rows each line is off, and how many it says; ``None`` for none."""
    for noisy in noises:
        line: Line = []
        for sex, *cells in table(study, plan, noisy).rows:
            for text, value, said in _figures(case, cells):
                off = beyond_best(case, sex, text, int(value))
                line.append((off, _number(said) if said else None))
        yield line


def _figures(case: Case, cells: list[str]) -> list[tuple[str, str, str]]:
    """Probability, value and bound of each quantile of a line of the table."""
    if case.wanted == "median":
        return [("0.5", cells[0], cells[1])]
    if case.wanted == "quartiles":
        _range, low, high, said = cells
        return [("0.25", low, said), ("0.75", high, said)]
    return [(cells[0], cells[1], cells[2])]


_number = cache(Fraction)


@cache
def beyond_best(case: Case, sex: str, text: str, value: int) -> Fraction:
    """How many rows a value is further off than the best candidate."""
    probability = Fraction(text)
    places = map(int, COARSE) if case.is_coarse else range(LAST + 1)
    best = min(rows_off(case.shape, sex, probability, place) for place in places)
    return rows_off(case.shape, sex, probability, value) - best


@cache
def rows_off(shape: str, sex: str, probability: Fraction, value: int) -> Fraction:
    """How many rows the rank lies outside those that have the value, counted in sorted rows."""
    rows = sorted(SHAPES[shape](GROUPS[sex]))
    wanted = probability * len(rows)
    return max(Fraction(0), bisect_left(rows, value) - wanted, wanted - bisect_right(rows, value))


def main(arguments: list[str]) -> int:
    """Print the table."""
    draws = int(arguments[0]) if arguments else DRAWS
    heads = ("candidates", "statistic", "account", "data", "draws", "held", "coverage")
    print(" | ".join((*heads, "bound", "95 % distance", "ratio")))
    for case in CASES:
        with TemporaryDirectory() as folder:
            found = covered(case, draws, Path(folder))
        ratio = f"{float(found.bound / found.distance):.1f}" if found.distance else "-"
        named = ("every 2nd" if case.is_coarse else "all", case.wanted, case.measure, case.shape)
        counts = (str(found.draws), str(found.held), f"{found.held / found.draws:.4f}")
        rows = (f"{float(found.bound):.1f}", f"{float(found.distance):.1f}", ratio)
        print(" | ".join((*named, *counts, *rows)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
