# SPDX-License-Identifier: Apache-2.0
"""Means, variances and standard deviations beside published mechanisms in numpy.

The best known where the number of rows is secret draws sums that share all of the budget: Kulesza,
Suresh and Wang (2023) for the mean, sum(x - L) and sum(U - x), which a row moves by U - L together;
for the variance three products of both distances, on a simplex as of Fitzsimons and others (2024).
Where rows are replaced, a row may go from one bound to the other, and both move by twice that. In
zCDP sum, count and squares around the middle with parts of rho do as well where rows come and go,
and better than the products. Where the number of rows is public, sum and squares divide the budget.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import Between
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Neighbours
from tests.acceptance.accuracy.coverage import drawn, priced, study_of
from tests.acceptance.accuracy.row import Row

Floats = npt.NDArray[np.float64]

DRAWS: Final = 100_000
ROWS: Final = 20_000
EPSILON: Final = 0.2
LAST: Final = 100
CHECKED: Final = 20
EVERY: Final = (Between("value", Decimal(0), Decimal(LAST)),)
"""A condition that all rows meet, which nobody else knows."""


@dataclass(frozen=True)
class Case:
    """Whose rows are protected, and what is public about them."""

    name: str
    neighbours: Neighbours
    is_public: bool = False


CASES: Final = (
    Case("add-remove", "add-remove"),
    Case("replaced", "change-one"),
    Case("rows public", "change-one", is_public=True),
)


def rows(draws: int = DRAWS) -> Iterator[Row]:
    """Each statistic for each kind of neighbours in both accounts, of ages around 45."""
    dice = np.random.default_rng(7)
    values = np.clip(np.rint(dice.normal(45, 18, ROWS)), 0, LAST).astype(np.int64)
    for case, account in product(CASES, ("epsilon", "rho")):
        for name, theirs in _theirs(case, account, values, draws).items():
            ours = _ours(name, case, account, values, draws)
            peers = {who: _off(errors) for who, errors in theirs.items()}
            who = min(peers, key=lambda one: peers[one])
            yield Row(name, case.name, account, _off(ours), peers[who], who, draws=draws)


def _off(errors: Floats) -> float:
    return float(np.quantile(np.abs(errors), 0.95))


def _ours(name: str, case: Case, account: str, values: Any, draws: int) -> Floats:
    """Errors of what the program would publish; a few are computed by the program itself."""
    statistic: Any = name.replace(" ", "-")
    query = Query("q", epsilon=Epsilon.of(str(EPSILON))).having(statistic=statistic, column="value")
    query = query if case.is_public else replace(query, where=EVERY)
    with tempfile.TemporaryDirectory() as folder:
        study = study_of(Path(folder), values, account, case.neighbours)
        plan = compile_query(study, priced(query, account))
        assert (plan.public_rows is not None) == case.is_public
        noisy = list(drawn(study, plan, Path(folder), draws))
    figures = _figures(name, plan, np.array([one[0] for one in noisy], np.float64))
    for one, figure in zip(noisy[:CHECKED], figures, strict=False):
        (said,) = METHODS[plan.query.statistic].figures_at(plan, one, 0, 0.05)
        assert said is not None and abs(float(said.value) - figure) < 1e-6 * LAST**2
    truth = {"mean": values.mean(), "variance": values.var(), "standard deviation": values.std()}
    errors: Floats = figures - truth[name]
    return errors


def _figures(name: str, plan: QueryPlan, sums: Floats) -> Floats:
    """The figures of many draws, by the weights of each sum.

    Args:
        name: the statistic.
        plan: it says what a row adds to each sum.
        sums: of shape (draws, sums).
    """
    weights = plan.parts[0].measure.weights
    if not weights:  # one sum around the middle, over a public number of rows
        return np.clip(LAST // 2 + sums[:, 0] / ROWS, 0, LAST)
    size = 2 if name == "mean" else 3
    matrix = np.array(weights, np.float64)[:, :size]
    if plan.public_rows is not None:
        found = np.linalg.solve(matrix[:, 1:], (sums - ROWS * matrix[:, 0]).T)
        found = np.vstack([np.full(len(sums), float(ROWS)), found])
    else:
        found = np.linalg.solve(matrix, sums.T)
    return _of_moments(name, found[1] / found[0], found[2] / found[0] if size > 2 else None)


def _of_moments(name: str, mean: Floats, products: Floats | None) -> Floats:
    """Of a mean, and of the mean of i (m - i)."""
    if products is None:
        return np.clip(mean, 0, LAST)
    variance = np.clip(LAST * mean - products - mean**2, 0, LAST**2 / 4)
    return np.sqrt(variance) if name == "standard deviation" else variance


def _theirs(case: Case, account: str, values: Any, draws: int) -> dict[str, dict[str, Floats]]:
    """Errors of published mechanisms: of each statistic, by whose it is."""
    dice, i = np.random.default_rng(8), values.astype(np.float64)
    found: dict[str, dict[str, Floats]] = {"mean": {}, "variance": {}, "standard deviation": {}}
    exact = {"mean": i.mean(), "variance": i.var(), "standard deviation": i.std()}

    def compare(who: str, n: Floats, total: Floats, squares: Floats | None) -> None:
        mean = np.clip(total / n, 0, LAST)
        if squares is None:
            found["mean"][who] = mean - exact["mean"]
            return
        variance = np.clip(squares / n - (total / n) ** 2, 0, LAST**2 / 4)
        found["variance"][who] = variance - exact["variance"]
        found["standard deviation"][who] = np.sqrt(variance) - exact["standard deviation"]

    def noise(l1: float, l2: float, part: float = 1.0) -> Floats:
        """For a part of the budget, by the sensitivity in the norm of the account's noise."""
        if account == "epsilon":
            return dice.laplace(0, l1 / (EPSILON * part), draws)
        return dice.normal(0, l2 / (EPSILON * part**0.5), draws)

    m, n, total = float(LAST), float(ROWS), i.sum()
    far, centred, around = m / 2, (i - m / 2).sum(), ((i - m / 2) ** 2).sum()
    if case.is_public:
        rows = np.full(draws, n)
        compare("sum over n", rows, total + noise(m, m), None)
        drawn_squares, drawn_sum = around + noise(far**2, far**2, 0.4), centred + noise(m, m, 0.6)
    else:
        twice = 1 if case.neighbours == "add-remove" else 2
        above, below = (one + noise(twice * m, twice**0.5 * m) for one in (total, n * m - total))
        compare("Kulesza and others 2023", (above + below) / m, above, None)
        three = ((i**2).sum(), (2 * i * (m - i)).sum(), ((m - i) ** 2).sum())
        a, b, c = (one + noise(twice * m**2, twice**0.5 * m**2) for one in three)
        compare("simplex, Fitzsimons and others 2024", (a + b + c) / m**2, (a + b / 2) / m, a)
        # Squares around the middle less half of the largest; where rows are replaced, all of it.
        shifted = around - n * far**2 / 2
        drawn_squares = shifted + noise(twice * far**2 / 2, twice * far**2 / 2, 3 / 12)
        drawn_sum = centred + noise(twice * far, twice * far, 5 / 12)
        rows = n + noise(1, 1, 4 / 12)
        drawn_squares = drawn_squares + rows * far**2 / 2
    sum_ = drawn_sum + far * rows
    compare("parts of the budget", rows, sum_, drawn_squares + m * sum_ - far**2 * rows)
    return found
