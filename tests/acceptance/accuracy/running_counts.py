# SPDX-License-Identifier: Apache-2.0
"""Cumulative distributions beside published ways to count rows up to each value.

* added up: a noisy count for each bin, added up, which Google's and Tumult's histograms give;
* tree of b: consistent noisy counts of runs of b bins (Hay, Rastogi, Miklau and Suciu 2010),
  with 2 to 16 branches (Qardaji, Yang and Li 2013);
* square root: the square root of the matrix of running sums, its rows' noise added up by itself
  (Fichtenberger, Henzinger and Upadhyay, Constant matters: fine-grained error bound on
  differentially private continual observation, 2023); normalised square root: with columns of one
  norm (Henzinger, Kalinin and Upadhyay, Normalized square root: sharper matrix factorization
  bounds for differentially private continual counting, 2025), the best known for many bins in zCDP;
* least: in zCDP and under add-remove no strategy has a smaller mean variance; found by iteration
  (Denisov, McMahan, Rush, Smith and Thakurta, Improved differential privacy for SGD via optimal
  private linear operators on adaptive streams, 2022). With a public total it would be 1.05 times
  less than ours over 101 bins. Neither has a formula: nobody could make a release's figures again.

Every error is linear in the noises, so its standard deviation is worked out exactly; that of all
lines together is compared. Where the number of rows is public it is used by all: the last count
has no error, and each other one is what fits both best.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any, Final

import numpy as np

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.statistics.distribution import tree_of
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Neighbours, Unit
from tests.acceptance.accuracy.row import MOST, Row
from tests.acceptance.accuracy.shares import Floats

EPSILON: Final = 0.1
PEOPLE: Final = 20_000
BINS: Final = (2, 5, 20, 101)
BRANCHES: Final = (2, 4, 8, 16)
ROUNDS: Final = 60
"""The least is then known to a part in 100,000."""
NEIGHBOURS: Final[tuple[Neighbours, ...]] = ("add-remove", "change-one")


def rows() -> Iterator[Row]:
    """The root of the mean variance of all lines."""
    for bins, neighbours, account in product(BINS, NEIGHBOURS, ("epsilon", "rho")):
        ours, peers = _ours(bins, neighbours, account), dict(_peers(bins, neighbours, account))
        who = min(peers, key=lambda one: peers[one].mean)
        own, best = ours.mean, peers[who].mean
        why = why_not(ours, peers[who])
        yield Row(f"rows up to each of {bins}", neighbours, account, own, best, who, why)


@dataclass(frozen=True)
class Errors:
    """Standard deviations of the counts up to each value.

    Attributes:
        mean: the root of the mean variance.
        worst: of the least certain count, whose margin the plan states.
    """

    mean: float
    worst: float

    @classmethod
    def of(cls, taken: Floats, variance: float) -> Errors:
        """Of what each count takes of every noise, and the variance of one."""
        each = variance * (taken**2).sum(axis=1)
        return cls(math.sqrt(float(each.mean())), math.sqrt(float(each.max())))


def why_not(ours: Errors, theirs: Errors) -> str:
    """Why ours is worse on average; nothing where it is not, or where no reason holds."""
    if ours.mean <= MOST * theirs.mean:
        return ""
    if ours.worst <= MOST * theirs.worst:
        return f"its worst line is off by {theirs.worst:.4g}, ours by {ours.worst:.4g}"
    return ""


def _ours(bins: int, neighbours: Neighbours, account: str) -> Errors:
    plan = compile_query(*_asked(bins, neighbours, account))
    (part,), strategy, total = plan.parts, tree_of(plan), plan.public_rows
    none = (0,) * part.cells
    fixed = np.array([float(c) for c in strategy.running_counts(none, total)])
    row = int(1 / part.width)
    taken = np.array(
        [
            [float(c) for c in strategy.running_counts((*none[:i], row, *none[i + 1 :]), total)]
            for i in range(part.cells)
        ]
    )
    scale = part.scale / row
    return Errors.of(taken.T - fixed[:, None], _variance(part.noise.mechanism, scale))


def _asked(bins: int, neighbours: Neighbours, account: str) -> tuple[Study, Query]:
    is_pure, instead = account == "epsilon", Replace(Decimal(0))
    column = NumberColumn("value", Decimal(0), Decimal(bins - 1), Decimal(1), instead, instead)
    unit = Unit(None, 1, neighbours, None if neighbours == "add-remove" else PEOPLE)
    budget = Budget("all", Epsilon.of(9)) if is_pure else Budget("all", rho=Rho.of(9))
    study = Study("Values", data=DataSource("v.csv"), unit=unit, budget=budget, columns=(column,))
    share = Epsilon.of("0.1") if is_pure else Rho.of("0.005")
    edges = tuple(Decimal(edge) for edge in range(1, bins))
    query = Query("q").having(statistic="distribution", column="value", edges=edges)
    return study, query.having(**{account: share})


def _variance(mechanism: str, scale: float) -> float:
    return scale * scale * (2 if mechanism == "laplace" else 1)


def _peers(bins: int, neighbours: Neighbours, account: str) -> Iterator[tuple[str, Errors]]:
    """The error of each strategy: what is counted with noise, as a matrix over the bins."""
    yield "added up", _error(np.eye(bins), neighbours, account)
    if neighbours == "change-one":
        yield "all bins but the last", _error(np.eye(bins)[:-1], neighbours, account)
    for branches in BRANCHES:
        if branches < bins:
            yield f"tree of {branches}", _error(_nodes(bins, branches), neighbours, account)
    root = _square_root(bins)
    yield "square root", _error(root, neighbours, account)
    normalised = root / np.linalg.norm(root, axis=0)
    yield "normalised square root", _error(normalised, neighbours, account)
    if account == "rho" and neighbours == "add-remove":
        yield "least", _error(_least(bins), neighbours, account)


def _nodes(bins: int, branches: int) -> Floats:
    levels = math.ceil(math.log(bins) / math.log(branches) - 1e-9)
    widths = [branches**level for level in range(levels)]
    places = np.arange(bins)
    return np.concatenate(
        [places // w == np.arange(-(-bins // w))[:, None] for w in widths]
    ).astype(float)


def _square_root(bins: int) -> Floats:
    """Lower triangular, with the coefficients of 1 / sqrt(1 - x); its square is all ones."""
    falls = np.cumprod([1.0, *((2 * k - 1) / (2 * k) for k in range(1, bins))])
    apart = np.subtract.outer(np.arange(bins), np.arange(bins))
    result: Floats = np.where(apart >= 0, falls[np.maximum(apart, 0)], 0.0)
    return result


def _least(bins: int) -> Floats:
    """Of columns of norm 1: G = D^-1 (D Q D)^(1/2) D^-1, Q = L'L, D^2 the diagonal of that root."""
    running = np.tril(np.ones((bins, bins)))
    wanted, diagonal = running.T @ running, np.ones(bins)
    for _ in range(ROUNDS):
        scales = np.sqrt(diagonal)
        root = _root(scales[:, None] * wanted * scales)
        diagonal = np.diag(root)
    gram = root / np.outer(scales, scales)
    result: Floats = np.linalg.cholesky(gram).T / math.sqrt(float(np.diag(gram).max()))
    return result


def _root(matrix: Floats) -> Floats:
    values, vectors = np.linalg.eigh(matrix)
    result: Floats = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    return result


def _error(strategy: Floats, neighbours: Neighbours, account: str) -> Errors:
    running = np.tril(np.ones((strategy.shape[1],) * 2))
    variance = _moved(strategy, neighbours, account) ** 2 * _variance(
        "laplace" if account == "epsilon" else "gaussian", 1 / EPSILON
    )
    known = strategy
    if neighbours == "change-one":  # one more answer, with next to no noise
        known = np.concatenate([strategy, np.full((1, strategy.shape[1]), 1e6)])
    return Errors.of((running @ np.linalg.pinv(known))[:, : len(strategy)], variance)


def _moved(strategy: Floats, neighbours: Neighbours, account: str) -> float:
    norm = 1 if account == "epsilon" else 2
    columns: Any = strategy.T
    if neighbours == "change-one":
        columns = (columns[:, None, :] - columns[None, :, :]).reshape(-1, len(strategy))
    return float(np.linalg.norm(columns, norm, axis=1).max())
