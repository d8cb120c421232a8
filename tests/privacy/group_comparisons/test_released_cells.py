# SPDX-License-Identifier: Apache-2.0
"""What a model takes from a release: its sums, and how far noise can have moved them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.group_comparisons.released_cells import ReleasedAnswer, released_cells, scale_of
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.marginals import variance_of
from dpdesk.privacy.reconcile.same_rows import Answer
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import (
    ColumnParameters,
    PropertyParameters,
    RateParameters,
    SpreadParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.release.test_consistent_release import study_of
from tests.study.checks.test_comparison_checks import GOOD

DEAD = (IsIn("dead", ("1",)),)
ASKED = {
    "share": Query("q", "share", PropertyParameters(DEAD), ("sex",)),
    "rate": Query("q", "rate", RateParameters(has=DEAD, column="age", per=1000), ("sex",)),
    "mean": Query("q", "mean", ColumnParameters("age"), ("sex",)),
}
SPREAD = Query("s", "variance", SpreadParameters("age"), ("sex",), epsilon=Epsilon.of("0.1"))


def answered(statistic: str, *noisy: int) -> ReleasedAnswer:
    query = replace(ASKED[statistic], epsilon=Epsilon.of("0.1"))
    study = replace(GOOD, queries=(query, SPREAD))
    spread = compile_query(study, SPREAD)
    size = len(spread.cells) * len(spread.parts[0].measure.weights)
    drawn = tuple(spread.parts[0].measure.weights[at % 3][0] * 100 for at in range(size))
    return ReleasedAnswer(compile_query(study, query), (noisy,), None, (spread, (drawn,)))


@pytest.mark.parametrize("statistic", ASKED)
def test_events_and_rows_move_with_each_noise_as_is_said(statistic: str) -> None:
    still = released_cells(answered(statistic, 900, 700, 800, 600))
    for at in range(4):
        drawn = [900, 700, 800, 600]
        drawn[at] += 10
        moved = released_cells(answered(statistic, *drawn))
        of_events, of_rows = still.shape.takes[at % 2]
        cell = at // 2
        for one, before, takes in (
            (moved.events, still.events, of_events),
            (moved.rows, still.rows, of_rows),
        ):
            assert one[cell] - before[cell] == pytest.approx(10 * takes, abs=1e-9)
            assert one[1 - cell] == before[1 - cell]


def sums(statistic: str, rows: int, events: int, total: int) -> tuple[int, int]:
    """What rows of a cell add up to, by the weights of the plan."""
    if statistic == "share":
        return rows - events, events
    weights = answered(statistic, 0, 0, 0, 0).plan.parts[0].measure.weights
    first, second = (
        (a * events + b * total if statistic == "rate" else a * rows + b * total)
        for a, b, _ in weights
    )
    return first, second


@pytest.mark.parametrize(
    ("statistic", "expected"),
    [("share", (40, 200)), ("rate", (40, 9_000)), ("mean", (90, 200))],
)
def test_they_are_those_of_the_rows(statistic: str, expected: tuple[float, float]) -> None:
    drawn = sums(statistic, 200, 40, 9_000)
    found = answered(statistic, *drawn, *drawn)
    cells = released_cells(found)
    assert (cells.events[1], cells.rows[1]) == pytest.approx(expected)
    if statistic == "mean":
        assert scale_of(found.plan) == 100  # 9,000 years are 90 times the range


def test_a_model_of_consistent_figures_has_their_noise() -> None:
    """Beside the same answers with one noise more, at each place."""
    ward = PropertyParameters((IsIn("ward", ("A",)),))
    both = Query("q", "share", ward, ("sex",)), Query("r", "share", ward)
    study = replace(study_of(Epsilon.of("0.1"), *both), unit=Unit())
    plans = [compile_query(study, one) for one in study.queries]

    def figures(noisy: list[list[int]]) -> ConsistentFigures:
        pairs = zip(plans, noisy, strict=True)
        return consistent_figures([Answer(plan, (tuple(own),), "x") for plan, own in pairs])[0]

    none = [[0] * plan.parts[0].cells for plan in plans]
    weights, expected = np.array([1.0, -2.0, 0.5, 3.0]), 0.0
    one = variance_of(((plans[0].parts[0].noise, 1.0, 1),))
    for table, own in enumerate(none):
        for at in range(len(own)):
            moved = [list(one) for one in none]
            moved[table][at] = 1
            values = np.array([float(figures(moved).value(line)) for line in range(4)])
            expected += one * float(values @ weights) ** 2
    found = ReleasedAnswer(plans[0], (tuple(none[0]),), figures(none))
    variance = released_cells(found).noise_variance(weights.reshape(2, 2))
    assert variance == pytest.approx(expected, rel=1e-9)
    assert variance < 0.99 * one * float(weights @ weights)


def test_a_statistic_without_a_model_has_no_cells_of_one() -> None:
    plan = compile_query(GOOD, Query("q", "count", by=("sex",), epsilon=Epsilon.of("0.1")))
    with pytest.raises(ValueError, match="no model"):
        released_cells(ReleasedAnswer(plan, ((900, 800),)))


def test_a_model_of_means_needs_the_variance_of_the_same_cells() -> None:
    found = answered("mean", 900, 700, 800, 600)
    assert found.spread is not None
    _, drawn = found.spread
    whole = compile_query(GOOD, replace(SPREAD, by=()))
    for spread in (None, (whole, drawn)):
        with pytest.raises(ValueError, match="no variance"):
            released_cells(replace(found, spread=spread))
