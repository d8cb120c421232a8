# SPDX-License-Identifier: Apache-2.0
"""Quantiles beside three published mechanisms in numpy: how many rows ranks are off, 95 in 100.

* separate: a choice for each, equal shares, permute and flip for epsilon and the exponential
  mechanism for rho (OpenDP's ``make_quantile_score_candidates``; Smith 2011; McKenna and Sheldon
  2020), its score that of dpdesk, which does not forget tied rows;
* tree: consistent noisy counts (Hay, Rastogi, Miklau and Suciu 2010), 8 or 16 branches (Qardaji,
  Yang and Li 2013), whichever is better on these data, which no custodian may see;
* recursive: Kaplan, Schnapp and Stemmer 2022, with the sensitivity of inner ranks at each level.

Three shapes of data: 1,000 rows that spread over 101 values, few of them tied; 20,000 rows of
which 60 in 100 have the lowest value; 5,000 rows, fewer at each value than at the one before. All
lines of a query count alike; a row is added to both errors, so that none is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dpdesk.data.aggregation.candidate_scores import rows_between, scores_of
from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions.selection import chances
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.statistics.base import way_of
from dpdesk.privacy.statistics.distribution import tree_of
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Neighbours, Unit
from tests.acceptance.accuracy.row import MOST, Row
from tests.privacy.running_counts.exact_numbers import exact_numbers

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

DRAWS: Final = 2_000
VALUES: Final = 101
EPSILON: Final = 0.2
WANTED: Final = {
    "median": "0.5",
    "quartiles": "0.25 0.75",
    "3 quantiles": "0.25 0.5 0.75",
    "9 quantiles": "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9",
}
BRANCHES: Final = (8, 16)
NEIGHBOURS: Final[tuple[Neighbours, ...]] = ("add-remove", "change-one")


@dataclass(frozen=True)
class Table:
    """Rows of one column, and who is asked about them.

    Attributes:
        rows: how many rows have each value, shape ``(VALUES,)``.
        neighbours: the neighbour notion.
        account: ``epsilon`` or ``rho``; in zCDP rho is epsilon^2 / 2.
        wanted: the probabilities.
    """

    rows: Floats
    neighbours: Neighbours
    account: str
    wanted: tuple[float, ...]

    @property
    def up_to(self) -> Floats:
        return np.cumsum(self.rows)

    @property
    def moves_two(self) -> bool:
        """Whether a row can leave one place and enter another."""
        return self.neighbours == "change-one"

    def off(self, place: Places, probability: float) -> Floats:
        """How many rows a rank lies outside the rows that have each value."""
        up_to, rank = self.up_to, probability * self.rows.sum()
        before = up_to - self.rows
        return np.maximum(0, np.maximum(rank - up_to[place], before[place] - rank))


def tables() -> Iterator[tuple[str, Floats]]:
    """The shapes."""
    dice = np.random.default_rng(36)
    spread = np.clip(np.rint(dice.normal(55, 12, 1_000)), 0, VALUES - 1).astype(int)
    tied = np.where(dice.random(20_000) < 0.6, 0, dice.integers(0, VALUES, 20_000))
    skewed = np.minimum(dice.geometric(0.04, 5_000) - 1, VALUES - 1)
    for name, values in (("spread", spread), ("tied", tied), ("skewed", skewed)):
        yield name, np.bincount(values, minlength=VALUES).astype(float)


def rows(draws: int = DRAWS) -> Iterator[Row]:
    """A median, both quartiles, and more, under both neighbours, in both accounts."""
    for name, neighbours, account in product(WANTED, NEIGHBOURS, ("epsilon", "rho")):
        wanted = tuple(map(float, WANTED[name].split()))
        found = {
            shape: errors(Table(counts, neighbours, account, wanted), name, draws)
            for shape, counts in tables()
        }
        for shape, (ours, peers) in found.items():
            who = min(peers, key=lambda one: peers[one])
            why = why_not(shape, who, found) if ours > MOST * peers[who] else ""
            many = 0 if ours == peers[who] else draws * len(wanted)
            called = f"{name}, {shape}"
            yield Row(called, neighbours, account, ours, peers[who], who, why, many)


Errors = tuple[float, dict[str, float]]
"""Ours, and that of every peer, in rows and one more."""


def errors(asked: Table, name: str, draws: int) -> Errors:
    dice, ours = np.random.default_rng(37), error_drawn(asked, name, draws)
    peers = {
        "separate": _separate(asked),
        **{f"tree of {b}": _tree(asked, b, draws, dice) for b in BRANCHES},
        "recursive": recursive(asked, draws, dice),
    }
    return ours + 1, {who: error + 1 for who, error in peers.items()}


def why_not(shape: str, who: str, found: dict[str, Errors]) -> str:
    """Why somebody's mechanism, better here, is not drawn: where it is worse, which no plan sees.

    Empty where it is not worse on any other shape: then it should be drawn.
    """
    others = {other: peers[who] / ours for other, (ours, peers) in found.items() if other != shape}
    worst = max(others, key=lambda other: others[other])
    if others[worst] <= MOST:
        return ""
    return f"{who}: off by {others[worst]:.2f} times ours on {worst} rows, of the same plan"


def _within(off: Sequence[Floats], weight: Sequence[Floats]) -> float:
    """So many rows that 95 in 100 are off by no more."""
    distance, chance = np.concatenate(off), np.concatenate(weight)
    order = np.argsort(distance)
    reached = np.cumsum(chance[order]) >= 0.95 * chance.sum() - 1e-9
    return float(distance[order][int(np.argmax(reached))])


def _of_draws(asked: Table, places: Sequence[Places]) -> float:
    """The same of drawn places, one array a quantile; published quantiles rise."""
    pairs = zip(np.sort(np.array(places), axis=0), asked.wanted, strict=True)
    off = [asked.off(place, probability) for place, probability in pairs]
    return _within(off, [np.ones(one.size) for one in off])


def error_drawn(asked: Table, name: str, draws: int) -> float:
    plan = compile_query(*_study(asked, name))
    if plan.parts[0].noise.is_additive:
        return _of_draws(asked, _read_off(asked, plan, draws))
    every = np.arange(VALUES)
    off = [asked.off(every, probability) for probability in asked.wanted]
    return _within(off, [_chances(asked, part) for part in plan.parts])


STATISTICS: Final[dict[str, dict[str, Any]]] = {
    "median": {"statistic": "median", "column": "value"},
    "quartiles": {"statistic": "interquartile-range", "column": "value"},
}
"""What is asked by a statistic of its own."""


def _study(asked: Table, name: str) -> tuple[Study, Query]:
    epsilon = asked.account == "epsilon"
    budget = Budget("all", Epsilon.of(9)) if epsilon else Budget("all", rho=Rho.of(9))
    column = NumberColumn("value", Decimal(0), Decimal(VALUES - 1), Decimal(1))
    people = None if asked.neighbours == "add-remove" else int(asked.rows.sum())
    unit = Unit(None, 1, asked.neighbours, people)
    study = Study("Values", data=DataSource("v.csv"), unit=unit, budget=budget, columns=(column,))
    query = Query("q", epsilon=Epsilon.of(str(EPSILON))).having(**STATISTICS.get(name, {}))
    if name not in STATISTICS:
        wanted = tuple(map(Decimal, WANTED[name].split()))
        query = query.having(statistic="quantiles", column="value", quantiles=wanted)
    rho = Rho.of(str(Fraction(1, 50).numerator / 50))
    return study, query if epsilon else replace(query, epsilon=None, rho=rho)


def _chances(asked: Table, part: Part) -> Floats:
    """How often each value is chosen, exactly."""
    values = np.repeat(np.arange(VALUES), asked.rows.astype(int))
    slots = rows_between(values, np.zeros(values.size, np.intp), 1, part.measure.candidates)
    scores = scores_of(part.measure, slots).tolist()
    return chances(scores, part.scale, way_of(part.noise))


def _read_off(asked: Table, plan: QueryPlan, draws: int) -> list[Places]:
    """What is read off so many trees; consistent counts are linear in the noisy ones."""
    (part,), tree, total = plan.parts, tree_of(plan), plan.public_rows
    exact = exact_numbers(tree, asked.rows.astype(np.int64))
    drawn = OpenDPDoor().draw("q", Exact(np.tile(exact, draws)), part.noise, part.sensitivity)
    nothing = (0,) * len(exact)
    fixed = np.array([float(c) for c in tree.running_counts(nothing, total)])
    weights = [
        [float(c) for c in tree.running_counts((*nothing[:i], 1, *nothing[i + 1 :]), total)]
        for i in range(len(exact))
    ]
    counts = fixed + np.array(drawn).reshape(draws, -1) @ (np.array(weights) - fixed)
    return _searched(counts, asked.wanted)


def _searched(counts: Floats, wanted: Sequence[float]) -> list[Places]:
    """Where each quantile lies in noisy running counts, by halving."""
    every, found = np.arange(len(counts)), []
    for probability in wanted:
        over = counts - probability * counts[:, -1:] >= 0
        before, after = np.full(len(counts), -1), np.full(len(counts), counts.shape[1] - 1)
        while (open_ := after - before > 1).any():
            middle = (before + after) // 2
            is_over = over[every, np.maximum(middle, 0)]
            after = np.where(open_ & is_over, middle, after)
            before = np.where(open_ & ~is_over, middle, before)
        found.append(after)
    return found


def _scale(asked: Table, moved: float, part: float) -> float:
    """Scale of a choice that has a part of the budget, and whose scores a person moves so far."""
    if asked.account == "epsilon":
        return 2 * moved / (EPSILON * part)
    return moved / (EPSILON * math.sqrt(part))


def _separate(asked: Table) -> float:
    every, off, weight = np.arange(VALUES), [], []
    for probability in asked.wanted:
        moved = 1.0 if asked.moves_two else max(probability, 1 - probability)
        off.append(asked.off(every, probability))
        # In millionths of a row, as scores are whole numbers.
        scores = np.rint(-off[-1] * 1e6).astype(int).tolist()
        scale = 1e6 * _scale(asked, moved, 1 / len(asked.wanted))
        way = "exponential" if asked.account == "epsilon" else "gumbel"
        weight.append(chances(scores, scale, way))  # type: ignore[arg-type]
    return _within(off, weight)


def _tree(asked: Table, branches: int, draws: int, dice: np.random.Generator) -> float:
    levels = math.ceil(math.log(VALUES) / math.log(branches) - 1e-9)
    widths = [branches**level for level in range(levels)]
    nodes = np.concatenate(
        [np.arange(VALUES) // w == np.arange(-(-VALUES // w))[:, None] for w in widths]
    )
    fits = np.linalg.pinv(nodes.astype(float))
    moved = levels * (2 if asked.moves_two else 1)
    shape = (draws, len(nodes))
    if asked.account == "epsilon":
        noise = dice.laplace(0, moved / EPSILON, shape)
    else:
        noise = dice.normal(0, math.sqrt(moved) / EPSILON, shape)
    counts = np.cumsum(asked.rows + noise @ fits.T, axis=1)
    if asked.moves_two:
        counts[:, -1] = asked.rows.sum()  # which is public
    return _of_draws(asked, _searched(counts, asked.wanted))


@dataclass(frozen=True)
class _Range:
    """Quantiles ``first`` to ``last``, among rows between two chosen ones, which are left out."""

    first: int
    last: int
    low: float
    high: float
    below: Places
    above: Places
    level: int

    @property
    def middle(self) -> int:
        return (self.first + self.last) // 2


def recursive(asked: Table, draws: int, dice: np.random.Generator) -> float:
    wanted, found = asked.wanted, {}
    levels = len(wanted).bit_length()
    todo = [_Range(0, len(wanted), 0.0, 1.0, np.full(draws, -1), np.full(draws, VALUES), 0)]
    while todo:
        here = todo.pop()
        if here.first >= here.last:
            continue
        middle = here.middle
        inner = (wanted[middle] - here.low) / (here.high - here.low)
        # Under change-one a row leaves one range and enters another, or crosses one.
        moved = max(1.0, 2 * max(inner, 1 - inner)) if asked.moves_two else max(inner, 1 - inner)
        chosen = _chosen(asked, here, inner, _scale(asked, moved, 1 / levels), dice)
        found[middle], level, probability = chosen, here.level + 1, wanted[middle]
        todo += [
            _Range(here.first, middle, here.low, probability, here.below, chosen, level),
            _Range(middle + 1, here.last, probability, here.high, chosen, here.above, level),
        ]
    return _of_draws(asked, [found[place] for place in range(len(wanted))])


def _chosen(
    asked: Table, here: _Range, inner: float, scale: float, dice: np.random.Generator
) -> Places:
    padded = np.concatenate([[0.0], asked.up_to])
    base = padded[here.below + 1][:, None]
    rows = np.maximum(padded[np.minimum(here.above, VALUES)][:, None] - base, 0)
    up_to = np.clip(asked.up_to - base, 0, rows)
    before = np.clip(asked.up_to - asked.rows - base, 0, rows)
    scores = -np.maximum(0, np.maximum(inner * rows - up_to, before - inner * rows))
    every = np.arange(VALUES)
    may = (every >= here.below[:, None]) & (every <= here.above[:, None])
    draw: Callable[..., Floats] = dice.exponential if asked.account == "epsilon" else dice.gumbel
    noise = draw(size=scores.shape) * scale
    return np.argmax(np.where(may, scores + noise, -np.inf), axis=1)
