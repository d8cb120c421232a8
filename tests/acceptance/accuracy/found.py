# SPDX-License-Identifier: Apache-2.0
"""From how many people, or rows, on something is found in the data 95 times in 100.

Found categories, at one rho and one delta, a person with one of them or with three:

* Laplace and Gaussian thresholds on noisy counts (Wilson and others 2020, section 3.4; Google's
  and Tumult's partition selection), each with its exact tail;
* truncated geometric noise (Desfontaines, Voss, Gipson and Mandayam, Differentially private
  partition selection, 2022), the best that there can be for one category of a person.

Private bounds: noisy counts of magnitudes over a threshold, so that no empty one passes but once
in a thousand million (the same paper of Wilson and others, section 5.1.1, which is Google's).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from statistics import NormalDist
from typing import Final

from dpdesk.privacy.compiler import compile_query
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import MAGNITUDES
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Neighbours, Unit
from tests.acceptance.accuracy.row import Row

EPSILON: Final = 0.1
RHO: Final = 0.005
DELTA: Final = 1e-7
PEOPLE: Final = 20_000
NEIGHBOURS: Final[tuple[Neighbours, ...]] = ("add-remove", "change-one")
NORMAL: Final = NormalDist()
EMPTY: Final = 1e-9
"""How often an empty magnitude may pass."""


def rows() -> Iterator[Row]:
    """Categories found in the data; where a column's values begin and end."""
    for categories, neighbours in product((1, 3), NEIGHBOURS):
        yield _categories(categories, neighbours)
    for neighbours, account in product(NEIGHBOURS, ("epsilon", "rho")):
        yield _bounds(neighbours, account)


def _unit(rows: int, neighbours: Neighbours) -> Unit:
    people = PEOPLE if neighbours == "change-one" else None
    return Unit("person", rows, neighbours, people)


def _categories(categories: int, neighbours: Neighbours) -> Row:
    study = Study(
        "Found",
        data=DataSource("v.csv"),
        unit=_unit(categories, neighbours),
        budget=Budget("all", rho=Rho.of(1)),
        columns=(CategoryColumn("code", ()),),
    )
    query = Query("q", rho=Rho.of(str(RHO))).having(
        statistic="categories-found", column="code", delta=Delta.of(f"{DELTA:.7f}")
    )
    ours = compile_query(study, query).found_from or 0
    moved = categories * (2 if neighbours == "change-one" else 1)
    each = -math.expm1(math.log1p(-DELTA) / categories)
    peers = {
        "Laplace threshold": _laplace(moved / math.sqrt(2 * RHO), each),
        "Gaussian threshold": _gaussian(math.sqrt(moved / (2 * RHO)), each),
        "truncated geometric": _truncated(math.sqrt(2 * RHO) / moved, each),
    }
    who = min(peers, key=lambda one: peers[one])
    return Row(f"found, {categories} categories a person", neighbours, "rho", ours, peers[who], who)


def _laplace(scale: float, each: float) -> float:
    """1 + a threshold that a count of 1 reaches so often, and its noise once in 20 below."""
    base = math.exp(-1 / scale)
    threshold = 2 + math.ceil(-scale * math.log(each * (1 + base)))
    return threshold + math.floor(-scale * math.log(0.05 * (1 + base)))


def _gaussian(scale: float, each: float) -> float:
    threshold = 1 + scale * NORMAL.inv_cdf(1 - each)
    return threshold + scale * NORMAL.inv_cdf(0.95)


def _truncated(epsilon: float, delta: float) -> int:
    """Geometric noise of -k to k on a count, given out above k; section 4 of the paper."""
    growth = math.exp(epsilon)
    most = math.ceil(math.log((growth + 2 * delta - 1) / ((growth + 1) * delta)) / epsilon)
    chances = [math.exp(-epsilon * abs(n)) for n in range(-most, most + 1)]
    whole, above, count = math.fsum(chances), 0.0, 0
    while above < 0.95:
        count += 1
        above = math.fsum(chances[2 * most + 1 - count :]) / whole
    return count


def _bounds(neighbours: Neighbours, account: str) -> Row:
    budget = Budget("all", Epsilon.of(1)) if account == "epsilon" else Budget("all", rho=Rho.of(1))
    study = Study(
        "Bounds",
        data=DataSource("v.csv"),
        unit=_unit(1, neighbours),
        budget=budget,
        columns=(NumberColumn("value", None, None, Decimal(1)),),
    )
    share = Epsilon.of(str(EPSILON)) if account == "epsilon" else Rho.of(str(RHO))
    query = Query("q").having(statistic="bounds", column="value", **{account: share})
    bound = compile_query(study, query).bound
    ours = float(bound.distance) if bound is not None else math.nan
    moved, each = 2 if neighbours == "change-one" else 1, EMPTY / MAGNITUDES
    if account == "epsilon":
        scale = moved / EPSILON
        best = -scale * (math.log(2 * each) + math.log(0.05)) + 1
    else:
        scale = math.sqrt(moved / (2 * RHO))
        best = scale * (NORMAL.inv_cdf(1 - each) + NORMAL.inv_cdf(0.975)) + 1
    return Row("bounds, rows of a magnitude", neighbours, account, ours, best, "Google")
