# SPDX-License-Identifier: Apache-2.0
"""How often the stated margins hold: real plans and real noise on five shapes of data.

Each statistic is planned as in a release, its exact vectors are measured from a file once, and the
door draws noise for ``DRAWS`` releases. A margin should hold at least 95 times in 100, and not
much more often: a margin that always holds is wider than the noise. What is said of a figure is
what a release publishes of it, rounding included.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.differences import differences
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn, Replace
from dpdesk.study.model.conditions import Between
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Neighbours, Unit
from tests.doors import RecordingDoor

Values = npt.NDArray[np.int64]
Noisy = tuple[tuple[int, ...], ...]

DRAWS: Final = 2_000
ROWS: Final = 2_000
LEAST: Final = 0.95
MOST: Final = 0.98
RARE: Final = 1e-3
"""A coverage below ``LEAST`` is reported where chance does that less often than this."""

EDGES: Final = tuple(Decimal(edge) for edge in range(20, 100, 20))
HIGH: Final = (Between("value", Decimal(60), Decimal(100)),)


def shapes() -> dict[str, Values]:
    """Five shapes of a column of whole numbers from 0 to 100."""
    dice = np.random.default_rng(36)
    return {
        "even": dice.integers(0, 101, ROWS),
        "skewed": np.minimum(dice.geometric(0.08, ROWS), 100),
        "tied": np.where(dice.random(ROWS) < 0.85, 40, dice.integers(0, 101, ROWS)),
        "ends": np.where(dice.random(ROWS) < 0.5, 0, 100),
        "constant": np.full(ROWS, 100),
    }


@dataclass(frozen=True)
class Asked:
    """One published column of one query, and what is true of it.

    Attributes:
        truth: from the values.
        line: which line of the table.
        roles: of the columns with the figure and its margin.
        off: how far a published number is from what it stands for; from the truth where it is
            left out.
        why: why its margin may hold more often than ``MOST``; empty where it may not.
    """

    name: str
    query: Query
    truth: Callable[[Values], float]
    line: int = 0
    roles: tuple[str, str] = ("value", "half-width")
    off: Callable[[Values, Fraction], Fraction] | None = None
    why: str = ""


def _query(statistic: str, share: str = "1", **members: object) -> Query:
    plain = Query("asked", epsilon=Epsilon.of(share))
    return plain.having(statistic=statistic, **members)


def _rows_to(edge: int) -> Callable[[Values], float]:
    return lambda values: float((values < edge).sum())


def _rank_off(probability: Fraction) -> Callable[[Values, Fraction], Fraction]:
    """By how many rows a value misses a rank: none of its own rows is at it."""

    def off(values: Values, value: Fraction) -> Fraction:
        wanted = probability * len(values)
        below, up_to = int((values < float(value)).sum()), int((values <= float(value)).sum())
        return max(Fraction(0), wanted - up_to, below - wanted)

    return off


TIED: Final = "where rows tie each halving of the search may err, and no smaller bound holds there"
TWENTIETHS: Final = tuple(Decimal(n) / 20 for n in range(1, 20))
RISEN: Final = "what makes the counts rise takes noise away where bins are empty"
ASKED: Final = (
    Asked("count", _query("count", "0.1", where=HIGH), lambda v: (v >= 60).sum()),
    Asked("sum", _query("sum", "0.1", column="value"), lambda v: v.sum()),
    Asked("share", _query("share", "0.1", has=HIGH), lambda v: (v >= 60).mean()),
    Asked("mean", _query("mean", "0.1", column="value"), lambda v: v.mean()),
    Asked("variance", _query("variance", "0.5", column="value"), lambda v: v.var()),
    Asked(
        "standard deviation", _query("standard-deviation", "0.5", column="value"), lambda v: v.std()
    ),
    Asked(
        "rows up to 59",
        _query("distribution", "0.1", column="value", edges=EDGES),
        _rows_to(60),
        line=2,
        why=RISEN,
    ),
    Asked(
        "share up to 59",
        _query("distribution", "0.1", column="value", edges=EDGES),
        lambda v: (v < 60).mean(),
        line=2,
        roles=("share", "share-half-width"),
        why=RISEN,
    ),
    *(
        Asked(
            name,
            _query("quantiles", "0.2", column="value", quantiles=TWENTIETHS),
            lambda _v: 0.0,
            line=line,
            roles=("value", "score-bound"),
            off=_rank_off(Fraction(line + 1, 20)),
            why=TIED,
        )
        for name, line in (("lowest of 19 ranks", 0), ("middle of 19 ranks", 9))
    ),
)


ENDS: Final = "held within what is possible it errs to one side alone, half as often"
"""Less would not do: further in by a margin, noise is beyond it to either side."""


@dataclass(frozen=True)
class Coverage:
    """How often one margin held.

    Attributes:
        said: how many of the draws published a figure.
        held: how many of those margins held the exact value.
        why: see ``Asked``.
        is_at_end: whether the exact value is an end of what is possible, or next to it: whatever
            is beyond that is published as the end.
    """

    name: str
    account: str
    shape: str
    said: int
    held: int
    why: str = ""
    is_at_end: bool = False

    @property
    def most(self) -> float:
        """How often a margin may hold without a reason."""
        return (1 + MOST) / 2 if self.is_at_end else MOST

    @property
    def is_too_low(self) -> bool:
        """Whether a margin that holds 95 times in 100 does so less than once in 1,000."""
        missed = self.said - self.held
        return at_least(missed, self.said, 1 - LEAST) < RARE

    @property
    def is_too_high(self) -> bool:
        """Whether a margin that holds ``most`` times does so more often less than once in 1,000.

        And nothing says why it must.
        """
        return at_least(self.held, self.said, self.most) < RARE and not self.why

    def __str__(self) -> str:
        """The line that is printed."""
        marks = [("  TOO LOW", self.is_too_low), ("  wide", self.held > MOST * self.said)]
        said = "".join(mark for mark, is_so in marks if is_so)
        part = self.held / max(self.said, 1)
        why = self.why or (ENDS if self.is_at_end and self.held > MOST * self.said else "")
        return f"{self.name:<24} {self.account:<9} {self.shape:<9} {part:.4f}{said}  {why}"


def at_least(missed: int, draws: int, chance: float) -> float:
    """P(Binomial(draws, chance) >= missed), exact."""
    logs = (
        math.lgamma(draws + 1)
        - math.lgamma(k + 1)
        - math.lgamma(draws - k + 1)
        + k * math.log(chance)
        + (draws - k) * math.log1p(-chance)
        for k in range(missed, draws + 1)
    )
    return min(1.0, math.fsum(map(math.exp, logs)))


def study_of(
    folder: Path, values: Values, account: str, neighbours: Neighbours = "add-remove"
) -> Study:
    """A study of a file with one number column, one row a person."""
    (folder / "values.csv").write_text("value\n" + "\n".join(map(str, values)) + "\n", "ascii")
    budget = Budget("all", Epsilon.of(9)) if account == "epsilon" else Budget("all", rho=Rho.of(9))
    instead = Replace(Decimal(0))
    column = NumberColumn("value", Decimal(0), Decimal(100), Decimal(1), instead, instead)
    people = None if neighbours == "add-remove" else values.size
    unit, source = Unit(None, 1, neighbours, people), DataSource("values.csv")
    return Study("Values", data=source, unit=unit, budget=budget, columns=(column,))


def priced(query: Query, account: str) -> Query:
    """The query with its share, in zCDP with rho = epsilon^2 / 2."""
    if account == "epsilon" or query.epsilon is None:
        return query
    rho = query.epsilon.as_fraction() ** 2 / 2
    return replace(query, epsilon=None, rho=Rho.of(str(Decimal(rho.numerator) / rho.denominator)))


def drawn(study: Study, plan: QueryPlan, folder: Path, draws: int) -> Iterator[Noisy]:
    """What so many releases of one query draw; its exact vectors are measured once."""
    encoded, recorder, door = (
        encode(replace(study, queries=(plan.query,)), folder),
        [],
        OpenDPDoor(),
    )
    for part in plan.parts:
        exact = RecordingDoor()
        exact.draw(part.name, measure(encoded, study, part.measure), part.noise, part.sensitivity)
        many = Exact(np.tile(np.array(exact.calls[0].exact, np.int64), draws))
        recorder.append((part.cells, door.draw(part.name, many, part.noise, part.sensitivity)))
    for i in range(draws):
        yield tuple(noisy[i * cells : (i + 1) * cells] for cells, noisy in recorder)


def covered(asked: Asked, account: str, shape: str, values: Values, draws: int) -> Coverage:
    """How often one margin holds."""
    with tempfile.TemporaryDirectory() as name:
        study = study_of(Path(name), values, account)
        plan = compile_query(study, priced(asked.query, account))
        truth, said, held, cut = Fraction(float(asked.truth(values))), 0, 0, 0
        for noisy in drawn(study, plan, Path(name), draws):
            made = table(study, plan, noisy)
            roles = [column.role for column in made.columns]
            row = made.rows[asked.line]
            value, margin = (row[roles.index(role)] for role in asked.roles)
            if value and margin:
                said += 1
                released = Fraction(value)
                off = abs(released - truth) if asked.off is None else asked.off(values, released)
                held += off <= Fraction(margin) + Fraction(1, 10**9)
                cut += _reaches_end(plan, truth, Fraction(margin))
    return Coverage(asked.name, account, shape, said, held, asked.why, 2 * cut > said)


def _reaches_end(plan: QueryPlan, truth: Fraction, margin: Fraction) -> bool:
    """Whether a figure that is held within what is possible may be so far off."""
    possible = METHODS[plan.query.statistic].possible(plan)
    if possible is None or possible.is_total:
        return False
    ends = (possible.lowest, possible.highest)
    return any(end is not None and abs(truth - end) < margin for end in ends)


RATIOS: Final = "bounds two errors of ratios from their margins, whatever their noisy totals are"
COMPARED: Final[Mapping[str, str]] = {"count": "", "share": RATIOS, "mean": RATIOS}


def difference_covered(
    asked: Asked, account: str, shape: str, values: Values, draws: int
) -> Coverage:
    """How often the margin of the difference of two releases of one file, which is 0, holds."""
    with tempfile.TemporaryDirectory() as name:
        study = study_of(Path(name), values, account)
        plan = compile_query(study, priced(asked.query, account))
        pairs = drawn(study, plan, Path(name), 2 * draws)
        found = [differences((plan, one), (plan, next(pairs)))[asked.line] for one in pairs]
    said = [one for one in found if one.value is not None]
    held = sum(not one.is_more_than_noise for one in said)
    why = COMPARED[asked.name]
    return Coverage(f"difference of {asked.name}s", account, shape, len(said), held, why)


SAMPLED: Final = "the noise of the variance, too, is taken at its worst"
POPULATIONS: Final[Mapping[str, Callable[[Values], float]]] = {
    "share": lambda v: (v >= 60).mean(),
    "mean": lambda v: v.mean(),
}


def _sums(plan: QueryPlan, values: Values) -> Values:
    """What one cell's rows add up to, as its part draws it."""
    measure = plan.parts[0].measure
    if not measure.weights:
        having = int((values >= 60).sum())
        return np.array([len(values) - having, having])
    products = values * (measure.last - values) * measure.fineness // measure.last
    return np.array(measure.weights) @ (len(values), values.sum(), products.sum())


def _sampled(plan: QueryPlan, samples: list[Values]) -> list[Noisy]:
    """What one release of each sample draws."""
    (part,) = plan.parts
    exact = np.concatenate([_sums(plan, one) for one in samples]).astype(np.int64)
    noisy = OpenDPDoor().draw(part.name, Exact(exact), part.noise, part.sensitivity)
    each = [noisy[i : i + part.cells] for i in range(0, len(noisy), part.cells)]
    return [(one,) for one in each]


def population_covered(name: str, account: str, shape: str, values: Values, draws: int) -> Coverage:
    """How often an interval for the population holds, each release on rows of its own.

    The population is the shape's values: each release has ``ROWS`` of them, drawn with return.
    """
    asked = next(one for one in ASKED if one.name == name)
    spread = next(one for one in ASKED if one.name == "variance")
    with tempfile.TemporaryDirectory() as folder:
        study = study_of(Path(folder), values, account)
    plans = [compile_query(study, priced(one.query, account)) for one in (asked, spread)]
    dice = np.random.default_rng(37)
    samples = [dice.choice(values, ROWS) for _ in range(draws)]
    method, truth = METHODS[asked.query.statistic], POPULATIONS[name](values)
    figures, spreads = (_sampled(plan, samples) for plan in plans)
    found = [
        next(iter(method.population(plans[0], own, (plans[1], other))))
        for own, other in zip(figures, spreads, strict=True)
    ]
    ends = [one for one in found if one is not None]
    held = sum(low <= Fraction(truth) <= high for low, high in ends)
    why = SAMPLED if asked.query.declaration.needs_spread else ""
    is_at_end = any(truth in (low, high) for low, high in ends)
    return Coverage(f"population of {name}s", account, shape, len(ends), held, why, is_at_end)


def all_covered(draws: int = DRAWS) -> Iterator[Coverage]:
    """Every margin, in both accounts, on five shapes of data."""
    for shape, values in shapes().items():
        for account in ("epsilon", "rho"):
            for asked in ASKED:
                yield covered(asked, account, shape, values, draws)
                if asked.name in COMPARED:
                    yield difference_covered(asked, account, shape, values, draws)
                if asked.name in POPULATIONS:
                    yield population_covered(asked.name, account, shape, values, draws // 4)


def main(draws: int = DRAWS) -> int:
    """Print a line for each margin; 1 where one holds too seldom, or too often without a reason."""
    print(f"how often margins of 95 in 100 hold, of {draws} releases of {ROWS} rows")
    failed = False
    for one in all_covered(draws):
        print(one, flush=True)
        failed |= one.is_too_low or one.is_too_high
    return int(failed)
