# SPDX-License-Identifier: Apache-2.0
"""Published quantiles beside numpy's, of small random tables, with noise too small to matter.

What goes from the file to the table is the program's own: reading, encoding, aggregate, door and
published table. What it is held against is numpy's quantile of the same values, moved to the
declared bounds: the lowest and the highest value that splits the rows as wanted. Where candidates
are declared that leave values out, rows are counted: no candidate may be nearer to the rank.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from pathlib import Path
from typing import Any

import numpy as np

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CandidateParameters, QuantileParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from tests.audit.pairs import COLUMNS, pairs, row
from tests.audit.worlds import run_plan
from tests.doors import KeepingDoor

SHARES: dict[str, Any] = {"epsilon": Epsilon.of(100), "rho": Rho.of(100)}
TIMES = 61
"""Each row stands so often in the file, so that a candidate that is no quantile is worse by so many
points of score: with the largest shares there are it is chosen less than once in 10^9. A prime
number of times, so that ranks fall within a row, too.
"""

WARDS = ("A", "B", "C")
TWENTIETHS = tuple(Decimal(n) / 20 for n in range(1, 20))


@dataclass(frozen=True)
class Checked:
    """What came of one file.

    Attributes:
        quantiles: how many published ones were held against the reference.
        off_counts: how many of them were read off a tree of counts.
        wrong: one sentence for each that is none.
    """

    quantiles: int
    off_counts: int
    wrong: tuple[str, ...]


def checked(seed: int, folder: Path) -> Checked:
    """Release a random file, and hold every published quantile against the reference."""
    dice = random.Random(seed)
    stay = _stay(dice)
    values = _values(dice, stay)
    study, door = _study(dice, stay, len(values)), KeepingDoor()
    rows = tuple(row(f"p{i}", cell, ward) for i, (ward, cell, _) in enumerate(values))
    plan = compile(study)
    run_plan(study, plan, folder, rows, door)
    given = iter(door.given)
    quantiles, off_counts, wrong = 0, 0, []
    for query in plan.queries:
        noisy = tuple(next(given) for _ in query.parts)
        for ward, probability, value in _published(study, query, noisy):
            kept = [v for w, _, v in values if ward in ("", w) and v is not None]
            quantiles += bool(kept)
            off_counts += bool(kept) and query.parts[0].noise.is_additive
            candidates = query.query.parameters_as(CandidateParameters).candidates
            said = _wrong(kept, probability, value, candidates) if kept else ""
            wrong += [f"{query.query.id} {probability} of {ward or 'all'}: {said}"] if said else []
    return Checked(quantiles, off_counts, tuple(wrong))


def _wrong(
    values: list[Decimal], probability: Fraction, value: Decimal, candidates: tuple[Decimal, ...]
) -> str:
    """What is wrong about a published quantile; empty where nothing is."""
    if not candidates:
        low, high = ends(values, probability)
        return "" if low <= value <= high else f"{value} is not between {low} and {high}"
    off = rows_off(values, probability, value)
    least = min(rows_off(values, probability, candidate) for candidate in candidates)
    return "" if off == least else f"{value} is {off} rows off, another {least}"


def ends(values: list[Decimal], probability: Fraction) -> tuple[Decimal, Decimal]:
    """The lowest and the highest quantile: numpy's, of an exact fraction.

    Where the probability times the rows is whole and no float is that probability, numpy's is
    that of a probability beside it.
    """
    ordered, wanted = sorted(values), probability * len(values)
    low, high = ordered[ceil(wanted) - 1], ordered[min(floor(wanted), len(values) - 1)]
    p = float(probability)
    if wanted.denominator > 1 or Fraction(p) == probability:
        numbers = np.array([float(value) for value in values])
        assert float(low) == np.quantile(numbers, p, method="inverted_cdf")
        assert float(high) == -np.quantile(-numbers, 1 - p, method="inverted_cdf")
    return low, high


def rows_off(values: list[Decimal], probability: Fraction, value: Decimal) -> Fraction:
    """How many rows the rank lies outside those that have the value."""
    wanted = probability * len(values)
    below, up_to = sum(v < value for v in values), sum(v <= value for v in values)
    return max(Fraction(0), below - wanted, wanted - up_to)


def _stay(dice: random.Random) -> NumberColumn:
    step = dice.choice([Decimal(1), Decimal("0.5")])
    lower, steps = Decimal(dice.choice([-3, 0, 1])), dice.choice([1, 2, 3, 7, 40])
    return NumberColumn("stay", lower, lower + steps * step, step)


Values = list[tuple[str, str, Decimal | None]]


def _values(dice: random.Random, stay: NumberColumn) -> Values:
    """Each row's ward, its cell, and the value that counts; ``None`` for none."""
    assert stay.lower is not None and stay.upper is not None and stay.step is not None
    steps = int((stay.upper - stay.lower) / stay.step)
    few = [dice.randint(0, steps) for _ in range(dice.randint(1, 4))]
    found: Values = []
    for _ in range(dice.randint(1, 15)):
        place = dice.choice([dice.choice(few), dice.choice(few), dice.randint(0, steps)])
        value = stay.lower + place * stay.step
        odd = {"": None, "-1e9": stay.lower, "1e9": stay.upper, f"{stay.upper + 1}": stay.upper}
        cell = dice.choice([f"{value}"] * 20 + list(odd))
        found += [(dice.choice(WARDS), cell, odd.get(cell, value))] * TIMES
    return found


def _study(dice: random.Random, stay: NumberColumn, rows: int) -> Study:
    """Every statistic that calls a value a quantile, in one group or several."""
    measure = dice.choice(list(SHARES))
    share, places = SHARES[measure], _candidates(dice, stay)
    some = tuple(sorted(dice.sample(TWENTIETHS, dice.randint(1, 4))))
    alone = CandidateParameters("stay", candidates=places)
    several = QuantileParameters("stay", candidates=places, quantiles=some)
    queries = (
        Query("median", "median", alone),
        Query("quartiles", "interquartile-range", alone),
        Query("quantiles", "quantiles", several),
        Query("many", "quantiles", replace(several, quantiles=TWENTIETHS[1::2])),
    )
    by = dice.choice([(), ("ward",)])
    unit = dice.choice([Unit("pid", 1), Unit("pid", 1, "change-one", people=rows)])
    return replace(
        pairs()[0].study,
        unit=unit,
        budget=Budget("audit", **{measure: type(share).of(400)}),
        columns=(stay, *COLUMNS[1:]),
        queries=tuple(query.having(by=by, **{measure: share}) for query in queries),
    )


def _candidates(dice: random.Random, stay: NumberColumn) -> tuple[Decimal, ...]:
    """All values, or some of them that are listed."""
    assert stay.lower is not None and stay.upper is not None and stay.step is not None
    steps = int((stay.upper - stay.lower) / stay.step)
    if steps < 3 or dice.random() < 0.6:
        return ()
    places = sorted(dice.sample(range(steps + 1), dice.randint(2, min(steps, 30))))
    return tuple(stay.lower + place * stay.step for place in places)


def _published(
    study: Study, plan: QueryPlan, noisy: tuple[tuple[int, ...], ...]
) -> Iterator[tuple[str, Fraction, Decimal]]:
    """The ward, the probability and the value of each published quantile."""
    for cells in table(study, plan, noisy).rows:
        ward, *shown = cells if plan.query.by else ("", *cells)
        if plan.query.statistic == "median":
            yield ward, Fraction(1, 2), Decimal(shown[0])
        elif plan.query.statistic == "interquartile-range":
            yield ward, Fraction(1, 4), Decimal(shown[1])
            yield ward, Fraction(3, 4), Decimal(shown[2])
        else:
            yield ward, Fraction(shown[0]), Decimal(shown[1])
