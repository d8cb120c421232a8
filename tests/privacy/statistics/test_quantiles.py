# SPDX-License-Identifier: Apache-2.0
"""Quantiles: their scores, sensitivity and promise, against OpenDP and slow plain Python."""

import itertools
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.aggregation.candidate_scores import rows_between, scores_of
from dpdesk.exact import Exact
from dpdesk.privacy import compiler
from dpdesk.privacy.distributions.selection import chances, score_bound
from dpdesk.privacy.door import OpenDPDoor
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics.base import way_of
from dpdesk.privacy.statistics.quantiles import level_of, quantile_sensitivity
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.parameters import QuantileParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from tests.privacy import examples as ex


def quantile_scores(
    indices: Any, cells: Any, size: int, candidates: tuple[int, ...], levels: tuple[int, int]
) -> Any:
    """The scores of candidates, cell by cell."""
    asked = AggregateSpec("quantile-scores", "n", candidates=candidates, levels=levels)
    return scores_of(asked, rows_between(indices, cells, size, candidates))


STAYS = Query("stay", "quantiles", QuantileParameters("stay"), epsilon=Epsilon.of("0.3"))
QUARTERS = (Decimal("0.25"), Decimal("0.5"), Decimal("0.75"))
LEVELS = [(1, 1), (1, 3), (3, 1), (1, 9), (9, 1), (19, 1)]


def slow_scores(values: list[int], candidates: list[int], level: tuple[int, int]) -> list[int]:
    """The definition, word for word."""
    a, b = level
    below = [sum(v < c for v in values) for c in candidates]
    above = [sum(v > c for v in values) for c in candidates]
    return [-abs(b * low - a * high) for low, high in zip(below, above, strict=True)]


rows = st.lists(st.integers(0, 30), max_size=60)
places = st.lists(st.integers(0, 30), min_size=1, max_size=12, unique=True).map(sorted)


@given(st.lists(rows, min_size=1, max_size=4), places, st.sampled_from(LEVELS))
def test_scores_are_what_their_definition_says(
    cells: list[list[int]], candidates: list[int], level: tuple[int, int]
) -> None:
    values = np.array(list(itertools.chain(*cells)), np.int16)
    which = np.repeat(np.arange(len(cells)), [len(c) for c in cells]).astype(np.intp)
    found = quantile_scores(values, which, len(cells), tuple(candidates), level)
    wanted = [s for cell in cells for s in slow_scores(cell, candidates, level)]
    assert found.dtype == np.int64
    assert found.tolist() == wanted


@pytest.mark.threat("D3")
@given(rows, rows, rows, places, st.sampled_from(LEVELS))
def test_no_person_moves_a_score_by_more_than_the_sensitivity(
    others: list[int], mine: list[int], instead: list[int], candidates: list[int], level: Any
) -> None:
    k = max(len(mine), len(instead), 1)
    crowd = slow_scores(others, candidates, level)
    there = slow_scores(others + mine, candidates, level)
    moved = max(abs(a - b) for a, b in zip(crowd, there, strict=True))
    assert moved <= quantile_sensitivity(Unit("p", k), 1, level)
    other = slow_scores(others + instead, candidates, level)
    moved = max(abs(a - b) for a, b in zip(other, there, strict=True))
    unit = Unit("p", k, "change-one", people=9)
    crossed = any(0 < c < 30 for c in candidates)
    assert moved <= quantile_sensitivity(unit, 1, level, crossed)


def opendp_map(d: int, alpha: float, size: int | None = None) -> float:
    domain = dp.vector_domain(dp.atom_domain(T="i64"), size)
    scores = dp.t.make_quantile_score_candidates(domain, dp.symmetric_distance(), [1, 5, 9], alpha)
    return float(scores.map(d))


@pytest.mark.parametrize("k", [1, 2, 7, 100])
@pytest.mark.parametrize("alpha", ["0.5", "0.25", "0.75", "0.9", "0.05"])
def test_the_sensitivity_is_opendps_in_its_own_unit(k: int, alpha: str) -> None:
    """OpenDP scores in whole multiples of its own fraction; the ratio to one row's is the same."""
    level = level_of(Decimal(alpha))
    ours = quantile_sensitivity(Unit("p", k), 1, level)
    assert ours * opendp_map(1, float(alpha)) == opendp_map(k, float(alpha)) * max(level)


@pytest.mark.parametrize("unit", [ex.PERSON, ex.REPLACED], ids=["add-remove", "change-one"])
@pytest.mark.parametrize("by", [(), ("sex",)])
@pytest.mark.parametrize("share", [Epsilon.of("0.3"), Rho.of("0.01")], ids=["epsilon", "rho"])
def test_each_quantile_has_an_equal_part_and_a_choice_a_cell(
    unit: Unit, by: tuple[str, ...], share: Any
) -> None:
    priced = {"rho": share, "epsilon": None} if isinstance(share, Rho) else {"epsilon": share}
    budget = Budget("registry", **{share.measure: type(share).of(1)})
    study = replace(ex.STUDY, unit=unit, budget=budget)
    plan = compiler.compile_query(study, STAYS.having(by=by, quantiles=QUARTERS, **priced))
    assert sum(part.share.units for part in plan.parts) == share.units
    for part in plan.parts:
        assert part.noise.mechanism == "noisy-max"
        assert (part.noise.blocks, part.cells) == (2, 28) if by else (1, 14)
        assert not part.noise.monotonic
    assert len(plan.lines) == 3 * (2 if by else 1)
    assert plan.half_width is None
    assert plan.bound is not None


def test_published_quantiles_rise_whatever_was_drawn() -> None:
    plan = compiler.compile_query(ex.STUDY, STAYS.having(quantiles=QUARTERS))
    for drawn in itertools.product(range(0, 14, 3), repeat=3):
        made = table(ex.STUDY, plan, tuple((place,) for place in drawn))
        values = [float(row[1]) for row in made.rows]
        assert values == sorted(values)
        assert [row[0] for row in made.rows] == ["0.25", "0.5", "0.75"]


def test_the_interquartile_range_is_the_distance_of_its_quartiles() -> None:
    query = STAYS.having(statistic="interquartile-range")
    plan = compiler.compile_query(ex.STUDY, query)
    made = table(ex.STUDY, plan, ((9,), (2,)))
    assert made.rows[0][:3] == ("7", "3", "10")


def test_the_rank_is_off_by_at_most_the_bound_as_often_as_promised() -> None:
    """2,000 medians through the real door, of rows that lie one on each grid value.

    A miss has at most a chance of 5 %; of 2,000, more than 165 miss once in 10^9.
    """
    stay = NumberColumn("stay", *(Decimal(n) for n in (0, 200, 1)))
    study = replace(ex.STUDY, columns=(stay, *ex.STUDY.columns[1:]))
    plan = compiler.compile_query(study, STAYS.having(statistic="median"))
    (part,) = plan.parts
    assert plan.bound is not None
    values = np.arange(201, dtype=np.int16)
    scores = quantile_scores(
        values, np.zeros(201, np.intp), 1, part.measure.candidates, part.measure.levels
    )
    many = Exact(np.tile(scores, 2_000))
    noise = replace(part.noise, blocks=2_000)
    chosen = np.array(OpenDPDoor().draw("median", many, noise, part.sensitivity))
    missed = int((np.abs(chosen - 100) > plan.bound.distance).sum())
    assert missed <= 165


@pytest.mark.parametrize("statistic", ["quantiles", "interquartile-range"])
@pytest.mark.parametrize("share", [Epsilon.of("0.3"), Rho.of("0.01")], ids=["epsilon", "rho"])
@pytest.mark.parametrize("beyond", [False, True], ids=["rows beyond", "rows before"])
def test_what_was_chosen_for_another_quartile_is_not_said_to_be_near(
    statistic: Any, share: Any, beyond: bool
) -> None:
    """Exact chances, for rows by which the two choices often cross, both being near their best.

    A quarter of the rows lie on a candidate, the others on the far side of the next one.
    """
    budget = Budget("registry", **{share.measure: type(share).of(1)})
    priced = {"epsilon": None, share.measure: share}
    quartiles = (Decimal("0.25"), Decimal("0.75")) if statistic == "quantiles" else ()
    ends = (Decimal(5), Decimal(6))
    query = STAYS.having(statistic=statistic, quantiles=quartiles, candidates=ends, **priced)
    plan = compiler.compile_query(replace(ex.STUDY, budget=budget), query)
    short = score_bound(2, plan.parts[0].scale, way_of(plan.parts[0].noise))
    rows = short // 3 + 1
    values = [1] * 3 * rows + [6 - 1] * rows if beyond else [4] * rows + [9] * 3 * rows
    scores = [slow_scores(values, [4, 5], part.measure.levels) for part in plan.parts]
    missed, said = [0.0, 0.0], 0.0
    each = [
        chances(found, part.scale, way_of(part.noise))
        for found, part in zip(scores, plan.parts, strict=True)
    ]
    for drawn in itertools.product((0, 1), repeat=2):
        chance = float(each[0][drawn[0]] * each[1][drawn[1]])
        lines = table(ex.STUDY, plan, ((drawn[0],), (drawn[1],))).rows
        values_off = [(row[-2], row[-1]) for row in lines]
        if statistic == "interquartile-range":
            values_off = [(lines[0][1], lines[0][3]), (lines[0][2], lines[0][3])]
        for line, ((value, off), found) in enumerate(zip(values_off, scores, strict=True)):
            short_by = max(found) - found[int(value) - 5]
            if off and Decimal(short_by) / 4 > Decimal(off):
                missed[line] += chance
        said += chance * all(off for _, off in values_off)
    assert max(missed) <= 0.05
    assert said > 0.5


def test_of_two_quartiles_the_farther_bound_is_said() -> None:
    """An odd share leaves the upper quartile the smaller part."""
    query = STAYS.having(statistic="interquartile-range", epsilon=Epsilon(3))
    plan = compiler.compile_query(ex.STUDY, query)
    assert plan.parts[0].half_width < plan.parts[1].half_width
    assert plan.bound is not None
    (line,) = table(ex.STUDY, plan, ((2,), (9,))).rows
    assert Decimal(line[3]) >= plan.bound.distance


@pytest.mark.threat("D3")
def test_an_empty_table_has_quantiles_too() -> None:
    scores = quantile_scores(np.array([], np.int16), np.array([], np.intp), 2, (0, 3), (1, 1))
    assert scores.tolist() == [0, 0, 0, 0]
