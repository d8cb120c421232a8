# SPDX-License-Identifier: Apache-2.0
"""Readmission by age, sex and kind of admission in models: beside a maximum of the likelihood.

Through a door without noise each effect is that of scipy's maximum of the likelihood of every stay
(of least squares, for the days), each interval as wide as the one of its information matrix. At
epsilon 1 intervals hold over noise and chance: each of 400 releases is of 10,000 stays of its own,
drawn from the file's, whose own effects are taken for the population's.
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
import pandas as pd
from scipy import optimize, stats

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.group_comparisons.compared import with_comparisons
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table, table
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import (
    ColumnParameters,
    PropertyParameters,
    RateParameters,
    SpreadParameters,
)
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.acceptance.publish.comparisons import CHANCE, FILE, drawn
from tests.doors import RecordingDoor
from tests.release.studies import release

AGE, SEX, KIND = "age", "gender", "admission_type_id"
DAYS: Final = "time_in_hospital"
BACK: Final = IsIn("readmitted", ("<30",))
GROUPS: Final = {
    AGE: tuple(f"[{n}-{n + 10})" for n in range(0, 100, 10)),
    SEX: ("Female", "Male"),
    KIND: tuple("123456"),
}
REFERENCES: Final = {AGE: "[60-70)", SEX: "Female", KIND: "1"}
MODELS: Final = {"logistic": (AGE, SEX, KIND), "poisson": (AGE, SEX), "linear": (AGE, SEX)}
RELEASES, ROWS = 400, 10_000
OF_VALUE, OF_WIDTH = 0.02, 0.05
"""By how much an effect and the width of its interval may be off, in parts of that width.

The noise of the plan is in each width; an interval of the score is no multiple of a deviation.
"""


def study(share: Epsilon) -> Study:
    """The study that is released."""
    parameters: dict[str, Any] = {
        "logistic": ("share", PropertyParameters((BACK,))),
        "poisson": ("rate", RateParameters(column=DAYS, has=(BACK,), per=1000)),
        "linear": ("mean", ColumnParameters(DAYS)),
    }
    queries = tuple(
        Query(name, *parameters[name], by, comparisons=tuple(map(_model, by)))
        for name, by in MODELS.items()
    )
    spread = Query("spread", "variance", SpreadParameters(DAYS), MODELS["linear"])
    return Study(
        title="Readmissions",
        data=DataSource("diabetic_data.csv", extract="1999-2008", missing=("?",)),
        unit=Unit(None),
        budget=Budget("diabetes", Epsilon(4 * share.units)),
        columns=(
            NumberColumn(DAYS, Decimal(1), Decimal(14), Decimal(1), label="days"),
            CategoryColumn("readmitted", ("<30", ">30", "NO")),
            *(CategoryColumn(name, values) for name, values in GROUPS.items()),
        ),
        queries=tuple(replace(query, epsilon=share) for query in (*queries, spread)),
    )


def _model(by: str) -> GroupComparison:
    return GroupComparison(by, "model", REFERENCES[by])


Line = dict[str, str]
Effect = tuple[str, str]
"""A column and its group."""
Effects = dict[Effect, tuple[float, float]]
"""Of each effect its size and its standard error."""


def lines(shared: Path) -> Iterator[tuple[str, bool]]:
    """One line a model; see ``publish``."""
    path = shared / FILE
    if not path.is_file():
        yield f"models        skipped: {FILE} is not on this machine", True
        return
    cells = pd.read_csv(path, usecols=[*GROUPS, DAYS, "readmitted"], dtype=str)
    cells = cells.assign(back=cells["readmitted"] == "<30", days=cells[DAYS].astype(int))
    truths = {name: _by_scipy(name, cells) for name in MODELS}
    yield from beside(released(path.parent), truths, "scipy")
    yield from _covered(cells, truths)


def beside(
    ours: dict[str, dict[Effect, Line]], theirs: dict[str, Effects], whose: str
) -> Iterator[tuple[str, bool]]:
    """One line a model: how far its effects and their intervals are from somebody else's."""
    for name, found in ours.items():
        value, width = _furthest(name, found, theirs[name])
        same = value <= OF_VALUE and width <= OF_WIDTH
        verdict = f"as in {whose}" if same else f"DIFFERS from {whose}"
        yield (
            f"models        {name}: {verdict}, {len(found)} effects; at most {value:.3f} of an "
            f"interval off, intervals {width:.1%} wider",
            same,
        )


def released(folder: Path) -> dict[str, dict[Effect, Line]]:
    """Each model's effects without noise."""
    asked = study(Epsilon.of(20))
    with tempfile.TemporaryDirectory() as home:
        ledger = Ledger.open(Home.at(Path(home)))
        assert asked.budget is not None and asked.budget.limit is not None
        ledger.new_account(asked.budget.account, asked.budget.limit)
        tables = release(asked, folder, ledger, RecordingDoor()).stored.tables
    return {one.id: _effects(one) for one in tables if one.compared is not None}


def _effects(released: Table) -> dict[Effect, Line]:
    assert released.compared is not None
    names = [column.name for column in released.compared.columns]
    found = (dict(zip(names, row, strict=True)) for row in released.compared.rows)
    return {(line["compared_by"], line[line["compared_by"]]): line for line in found}


def _by_scipy(name: str, cells: pd.DataFrame) -> Effects:
    """Each effect with its deviation, of every row."""
    cells = cells[np.logical_and.reduce([cells[one].isin(GROUPS[one]) for one in MODELS[name]])]
    named = [(by, one) for by in MODELS[name] for one in GROUPS[by] if one != REFERENCES[by]]
    columns = [np.ones(len(cells)), *(np.array(cells[by] == one) for by, one in named)]
    design = np.stack(columns, axis=1).astype(float)
    back, days = cells["back"].to_numpy(float), cells["days"].to_numpy(float)
    if name == "linear":
        found = np.linalg.lstsq(design, days, rcond=None)[0]
        inner = np.linalg.inv(design.T @ design)
        left = days - design @ found
        covariance = inner @ (design.T * left**2) @ design @ inner
    else:
        found, covariance = _maximum(name, design, back, days)
    deviations = np.sqrt(np.diag(covariance))
    return dict(zip(named, zip(found[1:], deviations[1:], strict=True), strict=True))


def _maximum(name: str, design: Any, back: Any, days: Any) -> tuple[Any, Any]:
    """Where the likelihood of every row is largest, and the inverse of its information."""

    def loss(b: Any) -> tuple[float, Any]:
        linear = design @ b
        if name == "logistic":
            means = 1 / (1 + np.exp(-linear))
            value = np.logaddexp(0, linear) - back * linear
        else:
            means = days * np.exp(linear)
            value = means - back * linear
        return float(value.sum()), design.T @ (means - back)

    def curved(b: Any) -> Any:
        linear = design @ b
        means = 1 / (1 + np.exp(-linear))
        heavy = means * (1 - means) if name == "logistic" else days * np.exp(linear)
        return (design.T * heavy) @ design

    start = np.zeros(design.shape[1])
    found = optimize.minimize(
        loss, start, jac=True, hess=curved, method="trust-exact", options={"gtol": 1e-6}
    ).x
    return found, np.linalg.inv(curved(found))


def _furthest(name: str, ours: dict[Effect, Line], theirs: Effects) -> tuple[float, float]:
    """How far an effect is off at most, and how much wider an interval is, in parts of a width."""
    off, wider = [], []
    for effect, line in ours.items():
        if line["why_missing"] == "no-effect":
            continue
        value, low, high = (_in_model(name, line[one]) for one in ("value", *ENDS))
        expected, deviation = theirs[effect]
        width = 2 * 1.96 * deviation
        unit = float(Decimal(1).scaleb(int(Decimal(line["value"]).as_tuple().exponent)))
        rounding = unit if name == "linear" else unit / float(line["value"])
        off.append(max(abs(value - expected) - rounding, 0) / width)
        wider.append(max(abs(high - low - width) - 2 * rounding, 0) / width)
    return max(off), max(wider)


ENDS: Final = ("population_lowest_95", "population_highest_95")


def _in_model(name: str, text: str) -> float:
    return float(text) if name == "linear" else math.log(float(text))


def _covered(cells: pd.DataFrame, truths: dict[str, Effects]) -> Iterator[tuple[str, bool]]:
    """How often each interval holds the file's own effect, taken for the population's."""
    dice, asked = np.random.default_rng(37), study(Epsilon.of(1))
    plans = {query.id: compile_query(asked, query) for query in asked.queries}
    held = {(name, one): [0, 0] for name in MODELS for one in truths[name]}
    codes = {by: pd.Categorical(cells[by], GROUPS[by]).codes.astype(int) for by in GROUPS}
    for _ in range(RELEASES):
        # How many come is chance, too.
        rows = dice.integers(0, len(cells), dice.poisson(ROWS))
        for name, found in _of_release(asked, plans, cells, codes, rows).items():
            for effect, line in found.items():
                if line["why_missing"] != "no-effect":
                    low, high = (_in_model(name, line[end]) for end in ENDS)
                    count = held[name, effect]
                    count[0] += low <= truths[name][effect][0] <= high
                    count[1] += 1
    for name in MODELS:
        counts = {effect: held[name, effect] for effect in truths[name]}
        said = {effect: count for effect, count in counts.items() if count[1] > RELEASES // 2}
        low = [e for e, (many, of) in said.items() if stats.binom.cdf(many, of, 0.95) < CHANCE]
        parts = [many / of for many, of in said.values()]
        yield (
            f"models        {name}: {len(said)} of {len(counts)} intervals at epsilon 1, held in "
            f"{min(parts):.1%} to {max(parts):.1%} of {RELEASES} releases"
            + "".join(f"; {by} {one} too seldom" for by, one in low),
            not low,
        )


def _of_release(
    asked: Study, plans: dict[str, QueryPlan], cells: pd.DataFrame, codes: Any, rows: Any
) -> dict[str, dict[Effect, Line]]:
    back = cells["back"].to_numpy()[rows].astype(int)
    days = cells["days"].to_numpy()[rows]
    noisy = {}
    for id, plan in plans.items():
        own = [codes[name][rows] for name in (column.name for column in plan.by)]
        known = np.logical_and.reduce([one >= 0 for one in own])
        sizes = [len(GROUPS[column.name]) for column in plan.by]
        place = np.ravel_multi_index([one[known] for one in own], sizes)
        noisy[id] = drawn(plan, _sums(plan, place, back[known], days[known]))
    found = {}
    for id in MODELS:
        beside = (plans["spread"], noisy["spread"]) if id == "linear" else None
        plan = plans[id]
        made = with_comparisons(table(asked, plan, noisy[id]), plan, noisy[id], None, beside)
        found[id] = _effects(made)
    return found


def _sums(plan: QueryPlan, place: Any, back: Any, days: Any) -> Any:
    """What a query's part adds up of rows: one behind the other for each cell."""
    measure, size = plan.parts[0].measure, len(plan.cells)
    if plan.query.id == "logistic":
        return np.bincount(2 * place + back, minlength=2 * size)
    if plan.query.id == "poisson":
        first, second = (np.ones(len(days), int) * 0 + back, days)
        each = [event * first + quantum * second for event, quantum, _ in measure.weights]
    else:
        index = days - 1
        products = index * (measure.last - index) * measure.fineness // measure.last
        each = [a + b * index + c * products for a, b, c in measure.weights]
    summed = [np.bincount(place, one, size).round().astype(int) for one in each]
    return np.stack(summed, axis=1).ravel()
