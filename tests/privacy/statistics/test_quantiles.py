# SPDX-License-Identifier: Apache-2.0
"""Quantiles: their scores, sensitivity and promise, against OpenDP and slow plain Python."""

import itertools
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import opendp.prelude as dp
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dpdesk.data.aggregation.candidate_scores import rows_between, scores_of
from dpdesk.exact import Exact
from dpdesk.privacy import compiler
from dpdesk.privacy.distributions.selection import chances
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics.base import way_of
from dpdesk.privacy.statistics.quantiles import level_of, quantile_sensitivity
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import QuantileParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from tests.audit.length import runs
from tests.privacy import examples as ex


def quantile_scores(
    indices: Any, cells: Any, size: int, candidates: tuple[int, ...], levels: tuple[int, int]
) -> Any:
    """The scores of candidates, cell by cell."""
    asked = AggregateSpec("quantile-scores", "n", candidates=candidates, levels=levels)
    return scores_of(asked, rows_between(indices, cells, size, candidates))


MANY = 1_200
"""So many values are not counted."""
STAYS = Query("stay", "quantiles", QuantileParameters("stay"), epsilon=Epsilon.of("0.3"))
QUARTERS = (Decimal("0.25"), Decimal("0.5"), Decimal("0.75"))


def study_of(last: int) -> Study:
    """Of stays of 1 to so many days: the more values there are, the more a tree of counts errs."""
    stay = NumberColumn("stay", Decimal(1), Decimal(last), Decimal(1))
    return replace(ex.STUDY, columns=(stay, *ex.STUDY.columns[1:]))


LEVELS = [(1, 1), (1, 3), (3, 1), (1, 9), (9, 1), (19, 1)]


def slow_scores(values: list[int], candidates: list[int], level: tuple[int, int]) -> list[int]:
    """The definition: how far the wanted rank lies outside a candidate's own rows."""
    a, b = level
    wanted = Fraction(a, a + b) * len(values)
    below = [sum(v < c for v in values) for c in candidates]
    up_to = [sum(v <= c for v in values) for c in candidates]
    missed = [max(low - wanted, wanted - high, 0) for low, high in zip(below, up_to, strict=True)]
    return [-int((a + b) * rows) for rows in missed]


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
    assert moved <= quantile_sensitivity(unit, 1, level)


@given(rows.filter(bool), st.sampled_from(LEVELS))
def test_a_score_is_0_exactly_where_a_value_is_a_quantile(values: list[int], level: Any) -> None:
    """By numpy's two ends of the quantile, which every table has among all grid values."""
    a, b = level
    ordered, wanted = sorted(values), Fraction(a, a + b) * len(values)
    low = ordered[ceil(wanted) - 1]
    high = ordered[min(floor(wanted), len(values) - 1)]
    found = slow_scores(values, list(range(31)), level)
    assert [place for place, score in enumerate(found) if score == 0] == [*range(low, high + 1)]


@pytest.mark.parametrize(
    ("values", "median"),
    [([0] * 600 + [1] * 100 + [2] * 100 + [3] * 100 + [4] * 100, 0), ([0] * 525 + [100] * 475, 0)],
)
def test_of_rows_that_are_alike_the_median_is_their_value(values: list[int], median: int) -> None:
    """At so much budget that noise decides nothing, through the real door."""
    stay = NumberColumn("stay", *(Decimal(n) for n in (0, 100, 1)))
    columns, budget = (stay, *ex.STUDY.columns[1:]), Budget("registry", Epsilon.of(60))
    study = replace(ex.STUDY, columns=columns, budget=budget)
    plan = compiler.compile_query(
        study, STAYS.having(statistic="median", epsilon=Epsilon.of(60), quantiles=())
    )
    (part,) = plan.parts
    indices, cells = np.array(values, np.int16), np.zeros(len(values), np.intp)
    scores = quantile_scores(indices, cells, 1, part.measure.candidates, part.measure.levels)
    drawn = OpenDPDoor().draw("median", Exact(scores), part.noise, part.sensitivity)
    assert table(study, plan, (drawn,)).rows[0][0] == str(median)


def tables_of(places: int, most: int) -> Any:
    """All tables of so many rows at most, as how many rows each place has."""
    return np.array(
        [made for made in itertools.product(range(most + 1), repeat=places) if sum(made) <= most]
    )


def scores_of_tables(tables: Any, cells: int, candidates: tuple[int, ...], level: Any) -> Any:
    """The program's own scores of many tables, shape ``(tables, cells, candidates)``."""
    spec = AggregateSpec("quantile-scores", "n", candidates=candidates, levels=level)
    counts = tables.reshape(len(tables) * cells, -1)
    here = np.zeros(1, np.intp)
    values = (np.array([value], np.int16) for value in range(counts.shape[1]))
    slots = np.stack([rows_between(value, here, 1, candidates) for value in values])
    return scores_of(spec, (counts @ slots).ravel()).reshape(len(tables), cells, -1)


def moves(cells: int, grid: int, k: int, others: int, candidates: Any, level: Any) -> Any:
    """How far a person's rows move the scores of every table of others, at most.

    Returns:
        The largest change of one score, and the largest rise plus the largest fall, each summed
        over cells: where a person comes or goes, and where one is replaced by another.
    """
    crowds, persons = tables_of(cells * grid, others), tables_of(cells * grid, k)
    with_person = (crowds[None] + persons[:, None]).reshape(-1, cells * grid)
    found = scores_of_tables(with_person, cells, candidates, level)
    found = found.reshape(len(persons), len(crowds), cells, -1)
    absent = int(np.flatnonzero(persons.sum(axis=1) == 0)[0])
    return most_apart(found, found[absent : absent + 1]), most_apart(found, found)


def most_apart(here: Any, there: Any) -> tuple[int, int]:
    """The largest change, and rise plus fall, of some scores beside others."""
    changes = [here - other for other in there]
    rises = [np.maximum(c.max(axis=-1), 0) - np.minimum(c.min(axis=-1), 0) for c in changes]
    changed = max(int(np.abs(c).max(axis=-1).sum(axis=-1).max()) for c in changes)
    return changed, max(int(rise.sum(axis=-1).max()) for rise in rises)


SMALL = [
    *((1, 2, k, level, (0, 1)) for k in (1, 2) for level in LEVELS[:3]),
    *((1, 3, 2, level, ends) for level in LEVELS[:3] for ends in ((0, 1), (0, 2), (1, 2))),
    *((1, 3, k, level, (0, 1, 2)) for k in (1, 2) for level in LEVELS[:3]),
    *((1, 4, 1, level, ends) for level in LEVELS[:2] for ends in ((1, 2), (0, 3), (0, 1, 2, 3))),
    *((2, 2, k, level, (0, 1)) for k in (1, 2) for level in LEVELS[:2]),
    *((2, 3, 1, (1, 1), ends) for ends in ((0, 2), (0, 1, 2))),
]


@pytest.mark.threat("D3")
@pytest.mark.parametrize(("cells", "grid", "k", "level", "candidates"), SMALL)
def test_the_sensitivity_is_the_most_that_any_small_table_attains(
    cells: int, grid: int, k: int, level: Any, candidates: tuple[int, ...]
) -> None:
    """Every table of a few others, every person: attained, and never exceeded."""
    others = 4 * k if cells == 2 else 5 * k
    added, replaced = moves(cells, grid, k, others, candidates, level)
    alone = quantile_sensitivity(Unit("p", k), cells, level)
    exchanged = quantile_sensitivity(Unit("p", k, "change-one", people=9), cells, level)
    assert (added[0], replaced[0]) == (alone, exchanged)
    # A grid value strictly between two candidates can be the quantile: both scores move, apart.
    is_between = any(place + 1 < candidates[-1] for place in candidates)
    assert not is_between or (added[1], replaced[1]) == (2 * alone, 2 * exchanged)


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
def test_each_quantile_has_its_part_and_a_choice_a_cell(
    unit: Unit, by: tuple[str, ...], share: Any
) -> None:
    priced = {"rho": share, "epsilon": None} if isinstance(share, Rho) else {"epsilon": share}
    budget = Budget("registry", **{share.measure: type(share).of(1)})
    study = replace(study_of(MANY), unit=unit, budget=budget)
    wanted = (Decimal("0.1"), Decimal("0.5"))
    plan = compiler.compile_query(study, STAYS.having(by=by, quantiles=wanted, **priced))
    assert sum(part.share.units for part in plan.parts) == share.units
    for part in plan.parts:
        assert part.noise.mechanism == "noisy-max"
        assert (part.noise.blocks, part.cells) == ((2, 2 * MANY) if by else (1, MANY))
        assert not part.noise.monotonic
    first, second = (part.scale / sum(part.measure.levels) for part in plan.parts)
    assert first == pytest.approx(second, rel=1e-3), "no quantile is worse off than another"
    assert len(plan.lines) == 2 * (2 if by else 1)
    assert plan.half_width is None
    assert plan.bound is not None


def test_published_quantiles_rise_whatever_was_drawn() -> None:
    study = study_of(MANY)
    plan = compiler.compile_query(study, STAYS.having(quantiles=QUARTERS))
    for drawn in itertools.product(range(0, 14, 3), repeat=3):
        made = table(study, plan, tuple((place,) for place in drawn))
        values = [float(row[1]) for row in made.rows]
        assert values == sorted(values)
        assert [row[0] for row in made.rows] == ["0.25", "0.5", "0.75"]


WIDE = replace(
    ex.STUDY,
    columns=(NumberColumn("stay", *(Decimal(n) for n in (1, 2_000, 1))), *ex.STUDY.columns[1:]),
)
"""More values than a tree counts."""


def test_the_interquartile_range_is_the_distance_of_its_quartiles() -> None:
    query = STAYS.having(statistic="interquartile-range")
    plan = compiler.compile_query(WIDE, query)
    made = table(WIDE, plan, ((9,), (2,)))
    assert made.rows[0][:3] == ("7", "3", "10")


def test_quartiles_are_read_off_counts_where_these_are_nearer() -> None:
    plan = compiler.compile_query(ex.STUDY, STAYS.having(statistic="interquartile-range"))
    (part,) = plan.parts
    quantiles = STAYS.having(statistic="quantiles", quantiles=(Decimal("0.25"), Decimal("0.75")))
    both = compiler.compile_query(ex.STUDY, quantiles)
    assert part.noise.is_additive and both.parts == plan.parts and both.bound == plan.bound
    drawn = (tuple(7 * place % 11 for place in range(part.cells)),)
    (low, high) = (row[1] for row in table(ex.STUDY, both, drawn).rows)
    ((distance, lower, upper, _off, *_),) = table(ex.STUDY, plan, drawn).rows
    assert (lower, upper) == (low, high)
    assert Decimal(distance) == Decimal(high) - Decimal(low)


def test_the_rank_is_off_by_at_most_the_bound_as_often_as_promised() -> None:
    """Medians through the real door, of rows that lie one on each grid value.

    A miss has at most a chance of 5 %; more than is allowed for happens once in 10^9.
    """
    times = runs(400, 2_000)
    stay = NumberColumn("stay", *(Decimal(n) for n in (0, 200, 1)))
    study = replace(ex.STUDY, columns=(stay, *ex.STUDY.columns[1:]))
    plan = compiler.compile_query(study, STAYS.having(statistic="median"))
    (part,) = plan.parts
    assert plan.bound is not None
    values = np.arange(201, dtype=np.int16)
    scores = quantile_scores(
        values, np.zeros(201, np.intp), 1, part.measure.candidates, part.measure.levels
    )
    many = Exact(np.tile(scores, times))
    noise = replace(part.noise, blocks=times)
    chosen = np.array(OpenDPDoor().draw("median", many, noise, part.sensitivity))
    missed = int((np.abs(chosen - 100) > plan.bound.distance).sum())
    assert missed <= binom.isf(1e-9, times, 0.05)


@pytest.mark.parametrize("share", [Epsilon.of("0.3"), Rho.of("0.01")], ids=["epsilon", "rho"])
def test_a_choice_that_was_made_for_another_quantile_says_no_bound(share: Any) -> None:
    """Exact chances of two quantiles that are nearly one, each with all it may miss on one side.

    All rows lie at the lowest candidate, and every other is just beyond the bound.
    """
    priced = {"epsilon": None, share.measure: share}
    budget = Budget("registry", **{share.measure: type(share).of(1)})
    study = replace(study_of(61), budget=budget)
    query = STAYS.having(quantiles=(Decimal("0.5"), Decimal("0.501")), **priced)
    plan = compiler.compile_query(study, query)
    places = list(plan.parts[0].measure.candidates)
    most = max(Fraction(part.half_width, sum(part.measure.levels)) for part in plan.parts)
    values = [places[0]] * (2 * ceil(most) + 4)
    scores = [slow_scores(values, places, part.measure.levels) for part in plan.parts]
    each = [
        chances(found, part.scale, way_of(part.noise))
        for found, part in zip(scores, plan.parts, strict=True)
    ]
    missed, unsaid = [0.0, 0.0], [0.0, 0.0]
    for drawn in itertools.product(range(len(places)), repeat=2):
        chance = float(each[0][drawn[0]] * each[1][drawn[1]])
        lines = table(study, plan, tuple((place,) for place in drawn)).rows
        for line, ((_, value, off), found) in enumerate(zip(lines, scores, strict=True)):
            level = plan.parts[line].measure.levels
            rows_off = Fraction(-found[places.index(int(value) - 1)], sum(level))
            missed[line] += chance * (bool(off) and rows_off > Fraction(off))
            unsaid[line] += chance * (not off and rows_off > most)
    assert max(missed) <= 0.05
    assert missed[1] + unsaid[1] > 0.05, "it would be false too often, were it said"


def test_of_two_quartiles_the_farther_bound_is_said() -> None:
    """An odd share leaves the upper quartile the smaller part."""
    query = STAYS.having(statistic="interquartile-range", epsilon=Epsilon(3))
    plan = compiler.compile_query(WIDE, query)
    assert plan.parts[0].half_width < plan.parts[1].half_width
    assert plan.bound is not None
    (line,) = table(WIDE, plan, ((2,), (9,))).rows
    assert Decimal(line[3]) >= plan.bound.distance


@pytest.mark.threat("D3")
def test_an_empty_table_has_quantiles_too() -> None:
    scores = quantile_scores(np.array([], np.int16), np.array([], np.intp), 2, (0, 3), (1, 1))
    assert scores.tolist() == [0, 0, 0, 0]
