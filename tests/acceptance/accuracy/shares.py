# SPDX-License-Identifier: Apache-2.0
"""Counts, sums and shares beside noisy counts and sums in numpy.

The best known for a share whose whole is secret is one histogram of both halves with all of the
budget (Dwork and Roth 2014, section 3.3); OpenDP and Tumult leave it to the user to ask for it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.unit import Neighbours
from tests.acceptance.accuracy.coverage import ASKED, drawn, priced, study_of
from tests.acceptance.accuracy.row import Row

Floats = npt.NDArray[np.float64]

DRAWS: Final = 100_000
ROWS: Final = 20_000
EPSILON: Final = 0.1
NEIGHBOURS: Final[tuple[Neighbours, ...]] = ("add-remove", "change-one")


def rows(draws: int = DRAWS) -> Iterator[Row]:
    """A count, a sum and a share, for both neighbours and in both accounts."""
    values = np.random.default_rng(7).integers(0, 101, ROWS)
    high = int((values >= 60).sum())
    truths = {"count": float(high), "sum": float(values.sum()), "share": high / ROWS}
    for neighbours, account, name in product(NEIGHBOURS, ("epsilon", "rho"), truths):
        ours = _ours(name, neighbours, account, values, truths[name], draws)
        theirs = _theirs(name, neighbours, account, high, draws)
        unit = 1 / ROWS if name == "share" else 1
        peer = "one histogram" if name == "share" else "OpenDP, Tumult, Google"
        yield Row(name, neighbours, account, *errors(ours, theirs, unit), peer, draws=draws)


def errors(ours: Floats, theirs: Floats, unit: float) -> tuple[float, float]:
    """95 in 100 of both errors are smaller; each is spread evenly over its unit.

    Args:
        ours: errors.
        theirs: errors of the best peer.
        unit: errors are whole multiples of it, or about that.
    """
    dice = np.random.default_rng(9)
    spread = (np.abs(one + unit * (dice.random(one.size) - 0.5)) for one in (ours, theirs))
    first, second = (float(np.quantile(one, 0.95)) for one in spread)
    return first, second


def _ours(
    name: str, neighbours: Neighbours, account: str, values: Any, truth: float, draws: int
) -> Floats:
    asked = next(asked for asked in ASKED if asked.name == name)
    with tempfile.TemporaryDirectory() as folder:
        study = study_of(Path(folder), values, account, neighbours)
        plan = compile_query(study, priced(asked.query, account))
        method = METHODS[plan.query.statistic]
        figures = (
            method.figures_at(plan, noisy, 0, 0.05)[0]
            for noisy in drawn(study, plan, Path(folder), draws)
        )
        return np.array([float(one.value) - truth for one in figures if one is not None])


def _theirs(name: str, neighbours: Neighbours, account: str, high: int, draws: int) -> Floats:
    """Errors of a count or a sum; of a share with a secret whole both halves are counted."""
    dice = np.random.default_rng(8)
    if name == "sum":
        return noise(dice, account, EPSILON / 100, draws)
    if name == "count":
        return noise(dice, account, EPSILON, draws)
    if neighbours == "change-one":
        return noise(dice, account, EPSILON, draws) / ROWS
    halves = (whole + noise(dice, account, EPSILON, draws) for whole in (high, ROWS - high))
    with_it, without = halves
    found: Floats = with_it / (with_it + without) - high / ROWS
    return found


def noise(dice: np.random.Generator, account: str, epsilon: float, size: int) -> Floats:
    """Discrete Laplace noise for epsilon, rounded Gaussian noise for rho = epsilon^2 / 2."""
    if account == "rho":
        return np.rint(dice.normal(0, 1 / epsilon, size))
    success = -np.expm1(-epsilon)
    return (dice.geometric(success, size) - dice.geometric(success, size)).astype(float)
