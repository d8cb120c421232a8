# SPDX-License-Identifier: Apache-2.0
"""Readmission of women and men compared, and over the length of stay: beside scipy and numpy.

Through a door without noise each figure is that of the textbook, each interval the one that scipy's
exact intervals of both groups combine to, and each p-value that of scipy's chi-squared test as far
as 10,000 drawn tables tell it. At epsilon 1 intervals hold over noise and chance: each of 400
releases is of 2,000 stays of its own, drawn from the file's.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy import optimize, stats

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.group_comparisons.compared import with_comparisons
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table, table
from dpdesk.privacy.statistics.base import PlannedNoisy
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.parameters import ColumnParameters, PropertyParameters, SpreadParameters
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.doors import RecordingDoor
from tests.release.studies import release

Counts = npt.NDArray[np.int64]
Ends = tuple[float, float]

FILE: Final = "diabetes130/diabetic_data.csv"
SEXES: Final = ("Female", "Male")
BACK: Final = PropertyParameters((IsIn("readmitted", ("<30",)),))
STAY: Final = ColumnParameters("time_in_hospital")
LENGTHS: Final = Bins("time_in_hospital", (Decimal(4), Decimal(7), Decimal(10)))
WITH_WOMEN: Final = GroupComparison("gender", "groups", "Female")
RELEASES, ROWS = 400, 2_000
OF_WIDTH, OF_P = 0.03, 0.02
"""By how much an end, in parts of its interval's width, and a p-value may be off.

Intervals leave room for what the noise of a group's size could be, and chance moves one p of
10,000 draws by 0.005.
"""
CHANCE: Final = 1e-3
"""A coverage below 95 in 100 is reported where chance does that less often."""


NEGLIGIBLE: Final = Epsilon.of(1)
"""Noise of scale 1 beside groups of 12,000 rows and more."""


def study(share: Epsilon = NEGLIGIBLE) -> Study:
    """The study that is released."""
    queries = (
        Query("share", "share", BACK, ("gender",), comparisons=(WITH_WOMEN, _test("gender"))),
        Query("count", by=("gender",), comparisons=(WITH_WOMEN,)),
        Query(
            "over-time",
            "share",
            BACK,
            (LENGTHS,),
            comparisons=(GroupComparison("time_in_hospital", "trend"),),
        ),
        Query("mean", "mean", STAY, ("gender",), comparisons=(WITH_WOMEN,)),
        Query("spread", "variance", SpreadParameters(STAY.column), ("gender",)),
    )
    return Study(
        title="Readmissions",
        data=DataSource("diabetic_data.csv", extract="1999-2008", missing=("?",)),
        unit=Unit(None),
        budget=Budget("diabetes", Epsilon(5 * share.units)),
        columns=(
            NumberColumn("time_in_hospital", Decimal(1), Decimal(14), Decimal(1), label="days"),
            CategoryColumn("gender", SEXES),
            CategoryColumn("readmitted", ("<30", ">30", "NO")),
        ),
        queries=tuple(replace(query, epsilon=share) for query in queries),
    )


def _test(by: str) -> GroupComparison:
    return GroupComparison(by, "test")


def lines(shared: Path) -> Iterator[tuple[str, bool]]:
    """One line a figure; see ``publish``."""
    path = shared / FILE
    if not path.is_file():
        yield f"comparisons   skipped: {FILE} is not on this machine", True
        return
    cells = pd.read_csv(path, usecols=["gender", "time_in_hospital", "readmitted"])
    cells["back"] = cells["readmitted"] == "<30"
    ours, theirs = released(path.parent), _by_scipy(cells)
    for name, (value, ends, p) in theirs.items():
        is_same = is_figure(ours[name], value, ends, p)
        figures = ["figure", *(["interval"] if ends else []), *(["p"] if p is not None else [])]
        verdict = "as in scipy" if is_same else "DIFFERS from scipy"
        yield f"comparisons   {name}: {verdict} ({', '.join(figures)})", is_same
    yield from _covered(cells)


Figure = dict[str, str]
Expected = tuple[float, Ends | None, float | None]
"""A figure, its ends and its p-value by other means."""


def released(folder: Path) -> dict[str, Figure]:
    """Each line of the comparisons without noise, by query and figure."""
    asked = study()
    with tempfile.TemporaryDirectory() as home:
        ledger = Ledger.open(Home.at(Path(home)))
        assert asked.budget is not None and asked.budget.limit is not None
        ledger.new_account(asked.budget.account, asked.budget.limit)
        tables = release(asked, folder, ledger, RecordingDoor()).stored.tables
    return {name: line for one in tables for name, line in _lines(one)}


def _lines(released: Table) -> Iterator[tuple[str, Figure]]:
    if (compared := released.compared) is not None:
        names = [column.name for column in compared.columns]
        for row in compared.rows:
            line = dict(zip(names, row, strict=True))
            yield f"{released.id} {line['figure']}", line


def _by_scipy(cells: pd.DataFrame) -> dict[str, Expected]:
    lengths = pd.cut(cells["time_in_hospital"], [0, 3, 6, 9, 14])
    over = cells.groupby(lengths, observed=True)["back"].agg(["sum", "count"])
    cells = cells[cells["gender"].isin(SEXES)]
    table_of = pd.crosstab(cells["gender"], cells["back"]).loc[list(SEXES)].to_numpy()
    (women, men), sizes = table_of[:, 1], table_of.sum(axis=1)
    x, y = men / sizes[1], women / sizes[0]
    p = float(stats.chi2_contingency(table_of, correction=False).pvalue)
    both = [_exact(int(n), int(size)) for n, size in ((men, sizes[1]), (women, sizes[0]))]
    odds = [tuple(end / (1 - end) for end in ends) for ends in both]
    ratio = stats.contingency.relative_risk(int(men), int(sizes[1]), int(women), int(sizes[0]))
    counts = [_garwood(int(size)) for size in sizes[::-1]]
    found: dict[str, Expected] = {
        "share difference": (x - y, _newcombe((1, -1), (x, y), both), p),
        "share ratio": (ratio.relative_risk, _fieller(x, y, both), p),
        "share odds-ratio": (x / (1 - x) / (y / (1 - y)), _of_logs(x, y, odds), p),
        "share chi-squared": (
            float(stats.chi2_contingency(table_of, correction=False).statistic),
            None,
            p,
        ),
        "count difference": (
            float(sizes[1] - sizes[0]),
            _newcombe((1, -1), tuple(map(float, sizes[::-1])), counts),
            None,
        ),
        "count ratio": (sizes[1] / sizes[0], _fieller(*map(float, sizes[::-1]), counts), None),
    }
    shares = (over["sum"] / over["count"]).to_numpy()
    weights = (np.arange(4) - 1.5) / 5
    each = [_exact(int(n), int(size)) for n, size in over.to_numpy()]
    slope = float(np.polyfit(np.arange(4), shares, 1)[0])
    found["over-time change-per-group"] = (slope, _newcombe(weights, shares, each), None)
    stays = [cells.loc[cells["gender"] == sex, "time_in_hospital"] for sex in SEXES]
    off = 1.96 * math.sqrt(sum(one.var() / len(one) for one in stays))
    apart = float(stays[1].mean() - stays[0].mean())
    found["mean difference"] = (apart, (apart - off, apart + off), None)
    return found


def _exact(having: int, rows: int) -> Ends:
    found = stats.binomtest(having, rows).proportion_ci(method="exact")
    return float(found.low), float(found.high)


def _garwood(count: int) -> Ends:
    return stats.chi2.ppf(0.025, 2 * count) / 2, stats.chi2.ppf(0.975, 2 * count + 2) / 2


def _newcombe(weights: Any, values: Any, ends: list[Any]) -> Ends:
    middle, down, up = 0.0, 0.0, 0.0
    for weight, value, (low, high) in zip(weights, values, ends, strict=True):
        below, above = (value - low, high - value) if weight > 0 else (high - value, value - low)
        middle += weight * value
        down, up = down + (weight * below) ** 2, up + (weight * above) ** 2
    return middle - math.sqrt(down), middle + math.sqrt(up)


def _fieller(x: float, y: float, ends: list[Any]) -> Ends:
    """Where the interval of x - R y just holds 0, found by bisection."""

    def end(side: int) -> float:
        def left(ratio: float) -> float:
            return _newcombe((1, -ratio), (x, y), ends)[side]

        return float(optimize.brentq(left, 1e-9, 1e3))

    return end(0), end(1)


def _of_logs(x: float, y: float, odds: list[Any]) -> Ends:
    logs = [tuple(map(math.log, ends)) for ends in odds]
    middle = (math.log(x / (1 - x)), math.log(y / (1 - y)))
    low, high = _newcombe((1, -1), middle, logs)
    return math.exp(low), math.exp(high)


def is_figure(line: Figure, value: float, ends: Ends | None, p: float | None) -> bool:
    """Whether a published figure is this one, as far as its digits and its noise tell."""
    published = Decimal(line["value"])
    unit = float(Decimal(1).scaleb(int(published.as_tuple().exponent)))
    is_same = abs(float(published) - value) <= unit
    if ends is not None:
        width = (ends[1] - ends[0]) * OF_WIDTH + unit
        is_same &= all(abs(_ends(line)[side] - ends[side]) <= width for side in (0, 1))
    return is_same and (p is None or abs(float(line["p_value"]) - p) <= OF_P)


def _ends(line: Figure) -> Ends:
    return float(line["population_lowest_95"]), float(line["population_highest_95"])


def _covered(cells: pd.DataFrame) -> Iterator[tuple[str, bool]]:
    """How often each interval holds the file's own figure, taken for the population's."""
    dice, asked = np.random.default_rng(37), study(Epsilon.of(1))
    plans = {query.id: compile_query(asked, query) for query in asked.queries}
    truths = {name: value for name, (value, *_rest) in _by_scipy(cells).items()}
    cells = cells[cells["gender"].isin(SEXES)]
    women = float((cells["gender"] == "Female").mean())
    truths["count difference"] = ROWS * (1 - 2 * women)
    held = dict.fromkeys((name for name in truths if name != "share chi-squared"), 0)
    said = dict.fromkeys(held, 0)
    values = cells[["gender", "back", "time_in_hospital"]].to_numpy()
    for _ in range(RELEASES):
        # How many come is chance, too.
        rows = values[dice.integers(0, len(values), dice.poisson(ROWS))]
        for name, line in _of_release(asked, plans, rows):
            if name in held and line["population_lowest_95"]:
                low, high = line["population_lowest_95"], line["population_highest_95"]
                said[name] += 1
                held[name] += float(low) <= truths[name] <= float(high or "inf")
    for name, many in held.items():
        is_low = stats.binom.cdf(many, said[name], 0.95) < CHANCE
        yield f"comparisons   {name}: held in {many} of {said[name]} at epsilon 1", not is_low


def _of_release(
    asked: Study, plans: dict[str, QueryPlan], rows: Any
) -> Iterator[tuple[str, Figure]]:
    noisy = {id: drawn(plan, _exact_of(plan, rows)) for id, plan in plans.items()}
    for id, plan in plans.items():
        spread = noisy["spread"] if id == "mean" else None
        beside: PlannedNoisy | None = None if spread is None else (plans["spread"], spread)
        made = with_comparisons(table(asked, plan, noisy[id]), plan, noisy[id], None, beside)
        yield from _lines(made)


def drawn(plan: QueryPlan, exact: Counts) -> tuple[tuple[int, ...], ...]:
    (part,) = plan.parts
    return (tuple(OpenDPDoor().draw(part.name, Exact(exact), part.noise, part.sensitivity)),)


def _exact_of(plan: QueryPlan, rows: Any) -> Counts:
    """What a query's part adds up, of rows of sex, readmission and days."""
    measure, id = plan.parts[0].measure, plan.query.id
    days = rows[:, 2].astype(int)
    places = np.digitize(days, [4, 7, 10]) if id == "over-time" else rows[:, 0] == "Male"
    groups = [rows[places == group] for group in range(len(plan.cells))]
    if id == "count":
        return np.array([len(group) for group in groups])
    if measure.weights:
        return np.concatenate([_sums(measure, group[:, 2].astype(int) - 1) for group in groups])
    back = [int(group[:, 1].astype(bool).sum()) for group in groups]
    return np.array([n for group, n in zip(groups, back, strict=True) for n in (len(group) - n, n)])


def _sums(measure: Any, values: Any) -> Any:
    products = values * (measure.last - values) * measure.fineness // measure.last
    return np.array(measure.weights) @ (len(values), values.sum(), products.sum())
