# SPDX-License-Identifier: Apache-2.0
"""Counts of groups with a public total, ranks, and choices by group, beside a few lines of numpy.

Peers, each with its noise at the same budget: of counts with a public total one noisy count (two
groups) and a histogram whose noise is projected on the total (more), which no tool does by itself;
of ranks the better of one choice a rank (OpenDP's noisy top k) and a sorted histogram (Google's and
Tumult's); of a choice in every group the exponential mechanism whose losses add up group by group.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any, Final

import numpy as np

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Neighbours, Unit
from tests.acceptance.accuracy.row import Row
from tests.acceptance.accuracy.shares import Floats, errors, noise

DRAWS: Final = 20_000
PEOPLE: Final = 20_000
EPSILON: Final = 0.1
STEP: Final = 6
RANKED: Final = tuple(2_000 - STEP * i for i in range(10))
ACCOUNTS: Final = ("epsilon", "rho")
TWO: Final = 2


def rows(draws: int = DRAWS) -> Iterator[Row]:
    """Groups of a public total; ranks; a cut-off in each group."""
    for cells, account in product((2, 3, 10), ACCOUNTS):
        ours, theirs = _total(cells, account, draws), _peer_total(cells, account, draws)
        name = f"count, {cells} groups, public total"
        peer = "one count" if cells == TWO else "projected histogram"
        yield Row(name, "change-one", account, *errors(ours, theirs, 1), peer, draws=draws)
    neighbours: Neighbours
    for top, neighbours, account in product((1, 2, 3), ("add-remove", "change-one"), ACCOUNTS):
        yield _ranks(top, neighbours, account, draws)
    yield _cut_offs(draws)


def _plan(query: Query, account: str, neighbours: Neighbours, groups: int) -> QueryPlan:
    share = Epsilon.of("0.1") if account == "epsilon" else Rho.of("0.005")
    names, rest = tuple(f"g{i}" for i in range(groups)), Replace("g0")
    people = PEOPLE if neighbours == "change-one" else None
    study = Study(
        data=DataSource("made up.csv"),
        unit=Unit(None, 1, neighbours, people),
        budget=Budget("accuracy", **{account: type(share).of(1)}),
        columns=(
            CategoryColumn("group", names, missing=rest, unknown=rest),
            NumberColumn("value", Decimal(0), Decimal(100), Decimal(1)),
        ),
    )
    return compile_query(study, query.having(**{account: share}))


def _drawn(plan: QueryPlan, exact: Any, draws: int) -> Iterator[tuple[int, ...]]:
    (part,), door = plan.parts, OpenDPDoor()
    vector = np.array(exact[: part.cells], np.int64)
    for _ in range(draws):
        yield door.add_noise("accuracy", vector, part.noise, part.sensitivity)


def _total(cells: int, account: str, draws: int) -> Floats:
    """Errors of the first group's count."""
    plan = _plan(Query("q", by=("group",)), account, "change-one", cells)
    exact, method = [PEOPLE // cells] * (cells - 1), METHODS["count"]
    exact.append(PEOPLE - sum(exact))
    figures = (method.figures_at(plan, (one,), 0, 0.05)[0] for one in _drawn(plan, exact, draws))
    return np.array([float(one.value) - exact[0] for one in figures if one is not None])


def _peer_total(cells: int, account: str, draws: int) -> Floats:
    dice = np.random.default_rng(cells)
    if cells == TWO:
        return noise(dice, account, EPSILON, draws)
    all_noise = noise(dice, account, _half(account), draws * cells).reshape(draws, cells)
    left: Floats = all_noise[:, 0] - all_noise.mean(axis=1)
    return left


def _half(account: str) -> float:
    """The epsilon, or that of rho, of one count where a row leaves one group for another."""
    return float(EPSILON / (2 if account == "epsilon" else np.sqrt(2)))


def _ahead(order: Floats, top: int) -> Floats:
    """By how many rows a group that is left out, or further down, is ahead of a chosen one."""
    counts = np.array(RANKED, float)[order.astype(int)]
    behind = np.maximum.accumulate(counts[:, ::-1], axis=1)[:, ::-1]
    worst: Floats = (behind[:, :top] - counts[:, :top]).max(axis=1)
    return worst


def _completed(chosen: Floats, groups: int) -> Floats:
    rest = [[g for g in range(groups) if g not in one] for one in chosen.tolist()]
    return np.concatenate([chosen, np.array(rest).reshape(len(chosen), -1)], axis=1)


def _ranks(top: int, neighbours: Neighbours, account: str, draws: int) -> Row:
    groups = len(RANKED)
    query = Query("q").having(statistic="most-common", column="group", top=top)
    plan = _plan(query, account, neighbours, groups)
    ours = np.array(list(_drawn(plan, RANKED, draws)), float)
    counted = plan.parts[0].noise.is_additive
    order = np.argsort(-ours, axis=1, kind="stable") if counted else _completed(ours, groups)
    found = _ahead(order, top)
    peers = {
        kind: errors(found, _ahead(one, top), STEP)
        for kind, one in zip(
            (True, False), _peer_ranks(top, neighbours, account, draws), strict=True
        )
    }
    better = min(peers, key=lambda kind: peers[kind][1])
    peer = "sorted histogram" if better else "a choice a rank"
    name = f"top {top} of {groups} groups"
    return Row(name, neighbours, account, *peers[better], peer, draws=draws)


def _peer_ranks(top: int, neighbours: Neighbours, account: str, draws: int) -> Iterator[Floats]:
    dice, times = np.random.default_rng(top), 2 if neighbours == "change-one" else 1
    shape = draws, len(RANKED)
    each = _half(account) if times == TWO else EPSILON
    noisy = np.array(RANKED) + noise(dice, account, each, draws * len(RANKED)).reshape(shape)
    yield np.argsort(-noisy, axis=1).astype(float)
    # One choice a rank, each of those left: exponential noise for epsilon, Gumbel noise for rho.
    scale = times * top / EPSILON if account == "epsilon" else times * np.sqrt(top) / (2 * EPSILON)
    left, chosen = np.tile(np.array(RANKED, float), (draws, 1)), []
    for _ in range(top):
        drawn = dice.exponential if account == "epsilon" else _gumbel(dice)
        place = np.argmax(left + drawn(scale, shape), axis=1)
        left[np.arange(draws), place] = -np.inf
        chosen.append(place)
    yield _completed(np.array(chosen, float).T, len(RANKED))


def _gumbel(dice: np.random.Generator) -> Any:
    return lambda scale, shape: dice.gumbel(0, scale, shape)


def _cut_offs(_draws: int) -> Row:
    """The scale of a choice in each of two groups, worked out: rho is (1 / scale)^2 / 8 a group."""
    query = Query("q", by=("group",)).having(
        statistic="cut-off",
        column="value",
        candidates=tuple(Decimal(value) for value in (10, 50, 90)),
        score="closest-to-target",
        target=500,
    )
    plan = _plan(query, "rho", "change-one", 2)
    # A score rises or falls by 1 in the group left and in the one entered: 2 apart in each.
    best = float(np.sqrt(2 * 2**2 / (8 * 0.005)))
    ours = plan.parts[0].scale
    return Row("choice in each group, its scale", "change-one", "rho", ours, best, "two choices")
