# SPDX-License-Identifier: Apache-2.0
"""Best cut-offs, the most common of yes/no columns, answers that may lie, and counts of people.

* a choice: permute and flip for epsilon, the exponential mechanism for rho (OpenDP's noisy max),
  with the score's own sensitivity;
* cumulated histogram: noisy counts of the rows between candidates, added up;
* noisy counts of all yes/no columns, all of which a row may move;
* answers that may lie: Warner 1965, the best there is without a counter whom all trust (Kairouz,
  Oh and Viswanath, Extremal mechanisms for local differential privacy, 2016);
* counts of people in groups: noise for as many groups as a person has rows (Wilson
  and others 2020): the scale of each count's noise.

Errors of choices are exact or of so many draws; a point is added to both, so that none is 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from itertools import product
from typing import Any, Final

import numpy as np

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions.selection import chances
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.statistics.base import way_of
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Neighbours, Unit
from tests.acceptance.accuracy.row import Row
from tests.acceptance.accuracy.shares import Floats, noise

DRAWS: Final = 100_000
PEOPLE: Final = 20_000
EPSILON: Final = 0.1
ACCOUNTS: Final = ("epsilon", "rho")
NEIGHBOURS: Final[tuple[Neighbours, ...]] = ("add-remove", "change-one")
ROWS: Final = 1_000
CANDIDATES: Final = tuple(range(30, 72, 2))
TARGET: Final = 470
YES: Final = tuple(1_000 - 15 * place for place in range(8))
"""How many rows say yes in each column."""


def rows(draws: int = DRAWS) -> Iterator[Row]:
    """Each in both accounts, for the neighbours that it is defined for."""
    for neighbours, account in product(NEIGHBOURS, ACCOUNTS):
        yield from _cut_offs(neighbours, account, draws)
        yield _yes_no(neighbours, account, draws)
        yield _people(neighbours, account)
    for account in ACCOUNTS:
        yield _answers(account, draws)


def _plan(account: str, neighbours: Neighbours, limit: int = 1, **asked: Any) -> QueryPlan:
    share = Epsilon.of("0.1") if account == "epsilon" else Rho.of("0.005")
    rest, low = Replace("no"), Replace(Decimal(0))
    people = PEOPLE if neighbours == "change-one" else None
    study = Study(
        data=DataSource("made up.csv"),
        unit=Unit("person" if limit > 1 else None, limit, neighbours, people),
        budget=Budget("accuracy", **{account: type(share).of(1)}),
        columns=(
            *(
                YesNoColumn(f"y{place}", yes=("yes",), no=("no",), missing=rest, unknown=rest)
                for place in range(8)
            ),
            CategoryColumn("group", tuple("abcde")),
            NumberColumn("value", Decimal(0), Decimal(100), Decimal(1), low, low),
        ),
    )
    return compile_query(study, Query("q").having(**asked, **{account: share}))


def _chosen(plan: QueryPlan, scores: Floats) -> float:
    """95 in 100 choices are below the best by no more, exactly."""
    (part,) = plan.parts
    points = [int(score) for score in scores]
    return _within(scores, chances(points, part.scale, way_of(part.noise)))


def _within(scores: Floats, chance: Floats) -> float:
    short = scores.max() - scores
    order = np.argsort(short)
    return float(short[order][int(np.argmax(np.cumsum(chance[order]) >= 0.95 - 1e-12))])


def _peer_choice(scores: Floats, account: str, moved: float, *, one_sided: bool) -> float:
    """Of scores that a person moves so far; twice as far apart unless all go one way."""
    apart = moved * (1 if one_sided else 2)
    scale = apart / EPSILON if account == "epsilon" else apart / (2 * EPSILON)
    way: Any = "exponential" if account == "epsilon" else "gumbel"
    return _within(scores, chances([int(score) for score in scores], scale, way))


def _cut_offs(neighbours: Neighbours, account: str, draws: int) -> Iterator[Row]:
    values = np.random.default_rng(7).integers(0, 101, ROWS)
    reached = np.array([(values >= one).sum() for one in CANDIDATES], float)
    priced = {"value-times-count": np.array(CANDIDATES) * reached}
    priced["closest-to-target"] = -np.abs(reached - TARGET)
    candidates = tuple(map(Decimal, CANDIDATES))
    for score, scores in priced.items():
        is_target = score == "closest-to-target"
        asked = {"statistic": "cut-off", "column": "value", "candidates": candidates}
        asked |= {"score": score, "target": TARGET if is_target else None}
        ours = _chosen(_plan(account, neighbours, **asked), scores)
        moved = 1 if is_target else CANDIDATES[-1]
        peers = {
            "a choice": _peer_choice(scores, account, moved, one_sided=not is_target),
            "cumulated histogram": _cumulated(score, scores, values, neighbours, account, draws),
        }
        who = min(peers, key=lambda one: peers[one])
        yield Row(f"cut-off, {score}", neighbours, account, ours + 1, peers[who] + 1, who)


def _cumulated(
    score: str, scores: Floats, values: Any, neighbours: Neighbours, account: str, draws: int
) -> float:
    """The best candidate by noisy counts of the rows from each on."""
    edges = [0, *CANDIDATES, 101]
    bins = np.histogram(values, edges)[0]
    each = EPSILON / (1 if neighbours == "add-remove" else 2 if account == "epsilon" else 2**0.5)
    drawn = noise(np.random.default_rng(8), account, each, draws * len(bins))
    noisy = bins + drawn.reshape(draws, -1)
    reached = np.cumsum(noisy[:, ::-1], axis=1)[:, -2::-1]
    found = -np.abs(reached - TARGET)
    if score == "value-times-count":
        found = np.array(CANDIDATES) * reached
    short = scores.max() - scores[np.argmax(found, axis=1)]
    return float(np.quantile(short, 0.95, method="inverted_cdf"))


def _yes_no(neighbours: Neighbours, account: str, draws: int) -> Row:
    counts = np.array(YES, float)
    columns = tuple(f"y{place}" for place in range(len(YES)))
    ours = _chosen(_plan(account, neighbours, statistic="most-common", columns=columns), counts)
    all_ = len(YES) if account == "epsilon" else math.sqrt(len(YES))
    shape = draws, len(YES)
    drawn = noise(np.random.default_rng(9), account, EPSILON / all_, draws * len(YES))
    short = counts.max() - counts[np.argmax(counts + drawn.reshape(shape), axis=1)]
    moved = 1 if neighbours == "add-remove" else 2
    peers = {
        "a choice": _peer_choice(counts, account, moved, one_sided=True),
        "noisy counts": float(np.quantile(short, 0.95, method="inverted_cdf")),
    }
    who = min(peers, key=lambda one: peers[one])
    return Row("most common of 8 yes/no", neighbours, account, ours + 1, peers[who] + 1, who)


def _people(neighbours: Neighbours, account: str) -> Row:
    """Of five groups, of people with up to three rows."""
    plan = _plan(account, neighbours, 3, statistic="count-people", by=("group",))
    (part,) = plan.parts
    groups = min(3 if neighbours == "add-remove" else 6, len(plan.cells))
    best = (groups if account == "epsilon" else math.sqrt(groups)) / EPSILON
    return Row("people in groups, 3 rows each", neighbours, account, part.scale, best, "histogram")


def _answers(account: str, draws: int) -> Row:
    """How many say yes, each row by itself; of answers as often true as the program has them."""
    has = (IsIn("y0", ("yes",)),)
    (part,) = _plan(account, "change-one", statistic="randomised-response", has=has).parts
    best = math.exp(EPSILON) / (1 + math.exp(EPSILON))
    ours, theirs = (_lied(chance, draws) for chance in (part.scale, best))
    return Row("answers that may lie", "change-one", account, ours, theirs, "Warner", draws=draws)


def _lied(true: float, draws: int) -> float:
    dice, yes = np.random.default_rng(11), PEOPLE // 3
    said = dice.binomial(yes, true, draws) + dice.binomial(PEOPLE - yes, 1 - true, draws)
    estimate = (said - PEOPLE * (1 - true)) / (2 * true - 1)
    return float(np.quantile(np.abs(estimate - yes), 0.95))
