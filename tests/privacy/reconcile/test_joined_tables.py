# SPDX-License-Identifier: Apache-2.0
"""Counts, shares, bins and trees over the same rows are one least-squares estimate, and err so."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.distributions.share_error import PARTS, ConsistentShare
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.joined_tables import added_by, lines_of
from dpdesk.privacy.reconcile.marginals import variance_of
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.privacy.reconcile.same_rows import Answer
from dpdesk.privacy.statistics import distribution
from dpdesk.privacy.statistics.distribution import drawn_counts, tree_of
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.privacy.running_counts.exact_numbers import exact_numbers

REST = Replace("a")
ZERO = Replace(Decimal(0))
WARDS, SEXES, BINS, HOMES = 3, 2, 20, 2
SHAPE = (WARDS, SEXES, BINS, HOMES)
EDGES = tuple(Decimal(n) for n in range(1, BINS))
COLUMNS = (
    CategoryColumn("ward", ("a", "b", "c"), missing=REST, unknown=REST),
    CategoryColumn("sex", ("a", "b"), missing=REST, unknown=REST),
    CategoryColumn("home", ("a", "b"), missing=REST, unknown=REST),
    NumberColumn("days", Decimal(0), Decimal(BINS - 1), Decimal(1), missing=ZERO, unparsable=ZERO),
)
HOME = (IsIn("home", ("b",)),)
SHARE: dict[str, Any] = {"statistic": "share", "has": HOME, "expected": 200}
DAYS: dict[str, Any] = {"statistic": "distribution", "column": "days", "edges": EDGES}
FEW: dict[str, Any] = {**DAYS, "edges": EDGES[9:10]}
SETS: dict[str, dict[str, dict[str, Any]]] = {
    "shares": {"all": {}, "wards": {"by": ("ward",)}, "home": SHARE | {"by": ("ward",)}},
    "one share": {
        "home": SHARE,
        "both": {"by": ("sex", "ward")},
        "again": SHARE | {"by": ("sex",)},
    },
    "bins": {"few": FEW | {"by": ("ward",)}, "binned": {"by": (Bins("days", EDGES[9:10]), "sex")}},
    "three bins": {
        "parts": DAYS | {"edges": EDGES[4:12:6], "by": ("ward",)},
        "wards": {"by": ("ward",)},
    },
    "a tree": {"tree": DAYS, "wards": {"by": ("ward",)}},
    "trees": {"trees": DAYS | {"by": ("ward",)}, "all": {}, "both": {"by": ("sex", "ward")}},
    "all": {
        "trees": DAYS | {"by": ("sex",)},
        "home": SHARE | {"by": ("ward",)},
        "both": {"by": ("sex", "ward")},
        "all": {"epsilon": Epsilon.of(2)},
    },
    "a square root": {"root": DAYS, "wards": {"by": ("ward",)}},
    "square roots": {
        "roots": DAYS | {"by": ("sex",)},
        "home": SHARE | {"by": ("ward",)},
        "both": {"by": ("sex", "ward")},
        "all": {},
    },
}  # fmt: skip
IN_RHO = ("a square root", "square roots")


def plans_of(name: str, unit: Unit | None = None) -> tuple[Study, tuple[QueryPlan, ...]]:
    share: dict[str, Any] = {"epsilon": Epsilon.of("0.5")}
    if name in IN_RHO:
        share = {"rho": Rho.of("0.1")}
    queries = tuple(Query(key).having(**(share | members)) for key, members in SETS[name].items())
    study = Study(
        data=DataSource("f.csv", extract="x"),
        unit=unit or Unit("id", 2),
        budget=Budget("registry", **{key: type(one).of(50) for key, one in share.items()}),
        columns=COLUMNS,
        queries=queries,
    )
    return study, compile(study).queries


def exact(plan: QueryPlan, rows: Any) -> tuple[int, ...]:
    """What a query counts of rows by ward, sex and day."""
    names = ["ward", "sex", "days", "home"]
    query = plan.query
    tables: list[Any] = []
    by = [name if isinstance(name, str) else name.column for name in query.by]
    binned = rows
    if any(isinstance(one, Bins) for one in query.by) or query.statistic == "distribution":
        ends = [0, *map(int, _edges(plan)), BINS]
        parts = [rows[:, :, low:high].sum(axis=2) for low, high in pairwise(ends)]
        binned = np.stack(parts, axis=2)
    wanted = [*by, *(["days"] if query.statistic == "distribution" else [])]
    wanted += ["home"] if query.statistic == "share" else []
    out = tuple(place for place, name in enumerate(names) if name not in wanted)
    left = [name for name in names if name in wanted]
    counted = binned.sum(axis=out).transpose([left.index(name) for name in wanted])
    if not added_by(plan).of_tree:
        return tuple(int(n) for n in counted.ravel())
    for cell in counted.reshape(-1, BINS):
        tables += exact_numbers(tree_of(plan), cell).tolist()
    return tuple(tables)


def _edges(plan: QueryPlan) -> tuple[Decimal, ...]:
    query = plan.query
    by = plan.parts[0].measure.by if query.statistic == "distribution" else query.by
    return next(one.edges for one in by if isinstance(one, Bins))


def one_row(plan: QueryPlan) -> int:
    """What a row adds to a number that is drawn, about."""
    return int(1 / plan.parts[0].width)


def bins_of(plan: QueryPlan, numbers: Any) -> Any:
    """The bins of the first cell of a distribution, from what is drawn without noise."""
    tree = tree_of(plan)
    drawn = np.array([exact_numbers(tree, row) for row in np.eye(BINS, dtype=np.int64)]).T
    return np.linalg.lstsq(drawn.astype(float), numbers[: tree.drawn], rcond=None)[0]


def rows_at(*place: int) -> Any:
    rows = np.zeros(SHAPE, int)
    if place:
        rows[place] = 1
    return rows


def made(
    plans: tuple[QueryPlan, ...], drawn: list[tuple[int, ...]]
) -> dict[int, ConsistentFigures]:
    return consistent_figures([Answer(p, (d,), 1) for p, d in zip(plans, drawn, strict=True)])


def counts(plan: QueryPlan, drawn: tuple[int, ...], figures: ConsistentFigures) -> list[Fraction]:
    """Running counts of its first cell."""
    if plan.query.statistic == "distribution":
        cells = list(distribution._drawn_by_cell(plan, (drawn,)))
        return list(distribution._consistent_counts(plan, cells[0], figures, 0))
    lines = 1 if added_by(plan).within is None else lines_of(plan)
    values = [figures.value(line) for line in range(lines)]
    return [sum(values[: line + 1], Fraction(0)) for line in range(lines)]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.in_turn(6)
def test_figures_are_least_squares_of_all_that_was_drawn(name: str) -> None:
    _study, plans = plans_of(name)
    dice = np.random.default_rng(3)
    rows = dice.integers(0, 40, SHAPE)
    noisy = [
        tuple(int(n + one_row(p) * dice.integers(-9, 10)) for n in exact(p, rows)) for p in plans
    ]
    found = made(plans, noisy)
    assert len(found) == len(plans)
    every = list(product(*map(range, SHAPE)))
    design = [np.array([exact(p, rows_at(*place)) for place in every]).T for p in plans]
    weights = [variance_of(((p.parts[0].noise, 1.0, 1),)) ** -0.5 for p in plans]
    scaled = np.vstack([w * a for w, a in zip(weights, design, strict=True)])
    values = np.concatenate([w * np.array(y) for w, y in zip(weights, noisy, strict=True)])
    best = np.linalg.lstsq(scaled, values, rcond=None)[0]
    for place, plan in enumerate(plans):
        wanted = design[place] @ best
        got = counts(plan, noisy[place], found[place])
        wanted = bins_of(plan, wanted) if added_by(plan).of_tree else wanted[: len(got)]
        np.testing.assert_allclose(np.array(got, float), np.cumsum(wanted)[: len(got)], atol=1e-3)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("name", SETS)
@pytest.mark.in_turn(8)
def test_errors_weigh_each_drawn_number_as_it_moves_the_figure(name: str, share: float) -> None:
    _study, plans = plans_of(name)
    nothing = [exact(p, rows_at()) for p in plans]
    still = made(plans, nothing)
    lines = {place: len(counts(plans[place], nothing[place], one)) for place, one in still.items()}
    asked = {place: sorted({0, many // 2, many - 1}) for place, many in lines.items()}
    moved: dict[tuple[int, int], dict[object, Counter[float]]] = {}
    for at, plan in enumerate(plans):
        for cell in range(plan.parts[0].cells):
            raised = [list(numbers) for numbers in nothing]
            raised[at][cell] = one_row(plan)
            again = [tuple(numbers) for numbers in raised]
            found = made(plans, again)
            for place, wanted in asked.items():
                running = counts(plans[place], again[place], found[place])
                for line in wanted:
                    own = float(running[line]) - share * float(running[-1]) * (lines[place] > 1)
                    noise = plan.parts[0].noise
                    tally = moved.setdefault((place, line), {}).setdefault(noise, Counter())
                    tally[round(abs(own), 7)] += 1
    for (place, line), real in moved.items():
        said: dict[object, Counter[float]] = {}
        part = share if lines[place] > 1 else 0.0
        units = {plan.parts[0].noise: one_row(plan) for plan in plans}
        for noise, weight, many in still[place].errors.terms(line, part):
            said.setdefault(noise, Counter())[round(abs(weight) * units[noise], 7)] += many
        for noise, weights in real.items():
            known = said.get(noise, Counter())
            if units[noise] > 1:  # of square roots the norm alone is said
                real_norm, norm = (
                    sum(many * weight**2 for weight, many in one.items())
                    for one in (weights, known)
                )
                assert real_norm == pytest.approx(norm, rel=1e-4, abs=1e-9)
                continue
            assert {w: n for w, n in weights.items() if w} == {w: n for w, n in known.items() if w}


@pytest.mark.parametrize("name", SETS)
def test_without_noise_all_is_published_as_it_is(name: str) -> None:
    study, plans = plans_of(name)
    rows = np.random.default_rng(5).integers(0, 40, SHAPE)
    drawn = [exact(plan, rows) for plan in plans]
    for place, figures in made(plans, drawn).items():
        plan, noisy = plans[place], (drawn[place],)
        joined, alone = (table(study, plan, noisy, (), one) for one in (figures, None))
        at = [c.role for c in alone.columns].index("value")
        for mine, theirs in zip(joined.rows, alone.rows, strict=True):
            assert Fraction(mine[at]) == pytest.approx(Fraction(theirs[at]), abs=0.01)
        if plan.query.statistic == "distribution":
            assert figures.others and drawn_counts(plan, noisy, 0)[-1] == counts(
                plan, drawn[place], figures
            )[-1]  # fmt: skip


@pytest.mark.parametrize("name", SETS)
def test_a_plan_says_the_margin_of_its_least_certain_figure(name: str) -> None:
    _study, plans = plans_of(name)
    found = made(plans, [exact(p, rows_at()) for p in plans])
    for plan, known, figures in zip(planned(plans), plans, found.values(), strict=True):
        assert plan.joined is not None
        lines = len(counts(known, exact(known, rows_at()), figures))
        worst = max(figures.errors.half_width(line, miss=0.05) for line in range(lines))
        if plan.query.statistic == "share":
            # Whatever the share is, of a half or of almost none.
            widths = ConsistentShare(figures.errors, 0, 2)
            each = max(widths.width_in(part) for part in range(PARTS))
            assert plan.half_width is not None
            assert Fraction(99, 100) * each <= plan.half_width * 200 <= each
            continue
        assert plan.half_width is not None and known.half_width is not None
        assert worst * Fraction(97, 100) <= plan.half_width <= worst
        assert plan.half_width <= known.half_width


@pytest.mark.parametrize("name", ["shares", "three bins", "trees"])
def test_a_share_of_rows_that_noise_has_used_up_says_nothing(name: str) -> None:
    """Of the first ward more was taken away than it has, in every table."""
    study, plans = plans_of(name)
    rows = np.full(SHAPE, 40)
    rows[0] = -20
    drawn = [exact(plan, rows) for plan in plans]
    found, checked = made(plans, drawn), 0
    for place, plan in enumerate(plans):
        table_of = table(study, plan, (drawn[place],), (), found[place])
        roles = [column.role for column in table_of.columns]
        kinds = {"share": ("value", "half-width"), "distribution": ("share", "share-half-width")}
        for role in kinds.get(plan.query.statistic, ()):
            for row in table_of.rows:
                assert (row[roles.index(role)] == "") == (row[0] == "a")
                checked += 1
    assert checked
