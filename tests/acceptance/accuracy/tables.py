# SPDX-License-Identifier: Apache-2.0
"""Four overlapping tables of one release beside least squares in plain numpy.

The best known for tables whose noise is given is generalised least squares on all of them, here by
the normal equations of every cell; no tool does it by itself. Both errors are worked out exactly,
as the root of the mean variance of all published cells. ResidualPlanner (Xiao, He, Zhang and Kifer
2023) chooses the noise of the tables' parts, too, for the least sum of variances in zCDP.

How often the published margins hold is counted in real releases of these tables.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any, Final

import numpy as np

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Plan
from dpdesk.privacy.planning.allocate import spread
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.same_rows import Answer
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Neighbours, Unit
from tests.acceptance.accuracy.coverage import Coverage
from tests.acceptance.accuracy.row import Row

SIZES: Final = {"ward": 5, "sex": 2, "age": 4}
TABLES: Final = (("ward",), ("ward", "sex"), ("sex", "age"), ("ward", "age"))
EVERY: Final = tuple(product(*map(range, SIZES.values())))
PEOPLE: Final = 2_000
SHARES: Final = {"epsilon": Epsilon.of("0.1"), "rho": Rho.of("0.005")}
NEIGHBOURS: Final[tuple[Neighbours, ...]] = ("add-remove", "change-one")
DRAWS: Final = 2_000


def rows() -> Iterator[Row]:
    """The error of all figures at equal shares, and at those of Fit beside the best known noise."""
    name = "four overlapping tables"
    for neighbours, account in product(NEIGHBOURS, SHARES):
        plan = plan_of(account, neighbours)
        ours = error(plan)
        best = _least_squares(plan, 0.0 if neighbours == "add-remove" else 1e9)
        yield Row(name, neighbours, account, ours, best, "least squares")
    fitted = compile(spread(plan_of("rho", "add-remove").study, Rho.of("0.02"), {}))
    best = residual_planner(0.02)
    yield Row(f"{name}, fitted", "add-remove", "rho", error(fitted), best, "ResidualPlanner")


def plan_of(account: str, neighbours: Neighbours) -> Plan:
    """The four tables, one row a person, each at one share."""
    share = SHARES[account]
    columns = []
    for column, size in SIZES.items():
        names = tuple(f"{column}{i}" for i in range(size))
        columns.append(CategoryColumn(column, names, Replace(names[0]), Replace(names[0])))
    people = PEOPLE if neighbours == "change-one" else None
    study = Study(
        data=DataSource("made up.csv"),
        unit=Unit(None, 1, neighbours, people),
        budget=Budget("accuracy", **{account: type(share).of(1)}),
        columns=tuple(columns),
        queries=tuple(
            Query(f"q{i}").having(by=by, **{account: share}) for i, by in enumerate(TABLES)
        ),
    )
    return compile(study)


def _sums(by: tuple[str, ...]) -> Any:
    """Which cells of all groupings add up to each cell of a table."""
    places = [list(SIZES).index(axis) for axis in by]
    own = list(product(*(range(SIZES[axis]) for axis in by)))
    return np.array([[tuple(c[p] for p in places) == one for c in EVERY] for one in own], float)


def _variance(noise: Noise) -> float:
    reach = np.arange(-math.ceil(45 * noise.scale), math.ceil(45 * noise.scale) + 1)
    of_one = -np.abs(reach) / noise.scale
    if noise.mechanism == "gaussian":
        of_one = -0.5 * (reach / noise.scale) ** 2
    chances = np.exp(of_one)
    return float((reach**2 * chances).sum() / chances.sum())


def error(plan: Plan) -> float:
    """The root of the mean variance of all published figures."""
    figures = consistent_figures([Answer(q, (exact_of(q.query.by),), 1) for q in plan.queries])
    variances = [
        sum(
            many * weight * weight * _variance(noise)
            for noise, weight, many in figures[place].noises
        )
        for place, query in enumerate(plan.queries)
        for _ in query.lines
    ]
    return math.sqrt(float(np.mean(variances)))


def _least_squares(plan: Plan, total_weight: float) -> float:
    """The same of the normal equations; a public total is one more answer, without noise."""
    designs = [_sums(query.query.by) for query in plan.queries]
    weights = [1 / _variance(query.parts[0].noise) for query in plan.queries]
    whole = sum(w * a.T @ a for w, a in zip(weights, designs, strict=True))
    whole = whole + total_weight * np.ones((len(EVERY), len(EVERY)))
    covariance = np.linalg.pinv(whole, hermitian=True)
    variances = np.concatenate([np.diag(a @ covariance @ a.T) for a in designs])
    return math.sqrt(float(variances.mean()))


def residual_planner(rho: float) -> float:
    """The least root of the mean variance: (sum of sqrt(v p))^2 / (2 rho) over all parts.

    A part R of variance s^2 costs p / (2 s^2), p the product of 1 - 1/n over R, and adds v s^2
    to the sum of variances, v the product of n - 1 over R, over the cells summed out of each
    table that has it.
    """
    parts = {p for by in TABLES for k in range(len(by) + 1) for p in combinations(sorted(by), k)}
    total = 0.0
    for part in parts:
        price = math.prod(1 - 1 / SIZES[axis] for axis in part)
        within = (set(by) - set(part) for by in TABLES if set(part) <= set(by))
        worth = sum(1 / math.prod(SIZES[axis] for axis in out) for out in within)
        worth *= math.prod(SIZES[axis] - 1 for axis in part)
        total += math.sqrt(worth * price)
    cells = sum(math.prod(SIZES[axis] for axis in by) for by in TABLES)
    return math.sqrt(total * total / (2 * rho) / cells)


def exact_of(by: tuple[str, ...]) -> tuple[int, ...]:
    """The exact counts of a table of 2,000 people."""
    every = [PEOPLE // len(EVERY) + place % 7 - 3 for place in range(len(EVERY))]
    every[0] += PEOPLE - sum(every)
    return tuple(int(count) for count in _sums(by) @ np.array(every))


def covered(draws: int = DRAWS) -> Iterator[Coverage]:
    """How often the margin of each table's first figure holds, of real releases."""
    for neighbours, account in product(NEIGHBOURS, SHARES):
        plan, door = plan_of(account, neighbours), OpenDPDoor()
        held = [0] * len(TABLES)
        for _ in range(draws):
            answers = [
                Answer(
                    query,
                    (
                        door.add_noise(
                            "accuracy",
                            np.array(exact_of(query.query.by), np.int64),
                            query.parts[0].noise,
                            query.parts[0].sensitivity,
                        ),
                    ),
                    1,
                )
                for query in plan.queries
            ]
            for place, figures in consistent_figures(answers).items():
                query = plan.queries[place]
                made = table(plan.study, query, answers[place].noisy, (), figures)
                value, margin = map(Fraction, made.rows[0][len(query.by) :][:2])
                held[place] += abs(value - exact_of(query.query.by)[0]) <= margin
        for by, count in zip(TABLES, held, strict=True):
            yield Coverage(f"table by {' and '.join(by)}", account, neighbours, draws, count)
