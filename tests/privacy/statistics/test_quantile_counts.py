# SPDX-License-Identifier: Apache-2.0
"""Quantiles: which way is taken, what the counts say, and how far off that may be."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dpdesk.exact import Exact
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.choice_curve import choice_curve
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import quantile_counts
from dpdesk.privacy.statistics.distribution import tree_of, tree_sensitivity
from dpdesk.privacy.statistics.quantile_counts import (
    candidates_of,
    ends_between,
    rank_bound,
    searched,
)
from dpdesk.privacy.statistics.quantiles import QuantileChoices, level_of
from dpdesk.release.record.size import Size
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, first_indices
from dpdesk.study.model.parameters import QuantileParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from tests.audit.length import runs, some
from tests.privacy import examples as ex
from tests.privacy.running_counts.exact_numbers import exact_numbers

STAY = NumberColumn("stay", *(Decimal(n) for n in (0, 100, 1)))
EPSILON, RHO = Epsilon.of("0.2"), Rho.of("0.02")
SHARES = pytest.mark.parametrize("share", [EPSILON, RHO], ids=["epsilon", "rho"])
EVERY_OTHER = tuple(map(Decimal, range(0, 101, 2)))
EVERY_TENTH = EVERY_OTHER[::5]
ALPHA = 1e-9
PLACES = some(range(1, 40), 3)


def study_of(share: Any = EPSILON, **more: Any) -> Study:
    budget = Budget("registry", **{share.measure: type(share).of(10)})
    columns = (STAY, *ex.STUDY.columns[1:])
    return replace(ex.STUDY, unit=Unit("pid", 1), columns=columns, budget=budget, **more)


def query_of(parts: int, share: Any = EPSILON, **more: Any) -> Query:
    cut = tuple(Decimal(n) / parts for n in range(1, parts))
    wanted = QuantileParameters("stay", quantiles=cut)
    return replace(Query("q", "quantiles", wanted), **{share.measure: share}).having(**more)


def plan_of(parts: int, share: Any = EPSILON, **more: Any) -> QueryPlan:
    return compiler.compile_query(study_of(share), query_of(parts, share, **more))


def rows_off(counts: list[int], place: int, probability: Fraction) -> Fraction:
    """By how many rows a value misses a rank; the definition, word for word."""
    wanted, before = probability * counts[-1], counts[place - 1] if place else 0
    return max(Fraction(0), wanted - counts[place], before - wanted)


def best_off(plan: QueryPlan, counts: list[int], probability: Fraction) -> Fraction:
    """By how many rows the best candidate does."""
    return min(rows_off(counts, place, probability) for place in candidates_of(plan))


@SHARES
def test_few_are_chosen_one_by_one_and_many_read_off_counts(share: Any) -> None:
    for parts in (2, 20):
        found = plan_of(parts, share)
        assert found.bound is not None
        alone = QuantileChoices().parts(found.question)
        assert found.parts[0].noise.is_additive == (parts == 20)
        assert parts == 20 or found.parts == alone
    (part,) = found.parts
    assert part.share == share
    assert 2 * found.bound.distance < QuantileChoices().rows_off(found.question, alone)


@pytest.mark.parametrize("measure", [Epsilon, Rho])
def test_which_way_is_taken_depends_on_no_share(measure: Any) -> None:
    for parts in (4, 5, 8, 10):
        shares = [measure(units) for units in (10**5 + 7, 10**6, 5 * 10**6)]
        assert len({len(plan_of(parts, share).parts) for share in shares}) == 1


@pytest.mark.parametrize("parts", some([20, 5], 2))
@pytest.mark.parametrize("measure", [Epsilon, Rho])
def test_the_bound_never_grows_with_the_share(measure: Any, parts: int) -> None:
    """Not even where another way becomes the better one."""
    shares = [measure(measure.of(10).units * n * n // 40**2) for n in PLACES]
    bounds = [plan_of(parts, share).bound for share in shares]
    distances = [bound.distance for bound in bounds if bound is not None]
    assert len(distances) == len(PLACES)
    assert distances == sorted(distances, reverse=True)


@pytest.mark.parametrize("by", [(), ("sex",)])
@pytest.mark.parametrize("unit", [ex.PERSON, ex.REPLACED], ids=["add-remove", "change-one"])
def test_the_counts_have_the_sensitivity_of_their_tree(unit: Unit, by: tuple[str, ...]) -> None:
    study = replace(study_of(), unit=unit)
    plan = compiler.compile_query(study, query_of(20, by=by))
    (part,) = plan.parts
    tree, groups = tree_of(plan), len(plan.cells)
    assert part.cells == groups * tree.drawn
    assert part.sensitivity == tree_sensitivity(unit, groups, tree).l1


def test_what_lies_between_candidates_is_counted_in_bins_of_its_own() -> None:
    """How many there are at most is known before: what checking a release takes."""
    for candidates, bins in ((EVERY_OTHER, 101), (EVERY_OTHER[1:-1], 97), ((), 101)):
        query = query_of(20, candidates=candidates)
        plan = compiler.compile_query(study_of(), query)
        assert plan.parts[0].noise.is_additive
        assert tree_of(plan).bins == bins <= Size.of(study_of(queries=(query,))).bins
    for step, most in (("0.1", 0), ("0.125", 801), ("0.1", 1_000)):
        fine = replace(STAY, step=Decimal(step))
        listed = tuple(Decimal(n) / 5 for n in range(501)) if most == 1_000 else ()
        study = replace(study_of(), columns=(fine, *ex.STUDY.columns[1:]))
        query = query_of(20, candidates=listed)
        assert Size.of(replace(study, queries=(query,))).bins == most


def test_too_many_candidates_are_not_counted() -> None:
    fine = replace(STAY, step=Decimal("0.05"))
    study = replace(study_of(), columns=(fine, *ex.STUDY.columns[1:]))
    plan = compiler.compile_query(study, query_of(20))
    assert {part.noise.mechanism for part in plan.parts} == {"noisy-max"}
    assert Size.of(replace(study, queries=(query_of(20),))).bins == 0
    assert Size.of(study_of(queries=(query_of(20),))).bins == 101


@given(
    st.lists(st.integers(0, 5), min_size=2, max_size=12).filter(any),
    st.sampled_from(["0.5", "0.25", "0.9", "0.05"]),
)
def test_exact_counts_lead_to_the_lowest_candidate_that_has_the_rank(
    rows: list[int], text: str
) -> None:
    counts, probability = [sum(rows[: n + 1]) for n in range(len(rows))], Fraction(text)
    found = searched(tuple(map(Fraction, counts)), level_of(Decimal(text)))
    assert found == next(n for n in range(len(rows)) if counts[n] >= probability * counts[-1])


def misses(plan: QueryPlan, rows: np.ndarray, times: int) -> np.ndarray:
    """How often each line says something false of rows whose counts are known, by the real door."""
    (part,), tree, counts = plan.parts, tree_of(plan), np.cumsum(rows).tolist()
    *_, bins = part.measure.by
    assert isinstance(bins, Bins)
    exact = exact_numbers(tree, np.add.reduceat(rows, first_indices(STAY, bins.edges)))
    best = {text: best_off(plan, counts, Fraction(text)) for (text,) in plan.lines}
    drawn = OpenDPDoor().draw(part.name, Exact(np.tile(exact, times)), part.noise, part.sensitivity)
    found = np.zeros(len(plan.lines), int)
    for start in range(0, times * len(exact), len(exact)):
        lines = table(study_of(), plan, (tuple(drawn[start : start + len(exact)]),)).rows
        found += [
            bool(off) and rows_off(counts, int(value), Fraction(text)) - best[text] > Fraction(off)
            for text, value, off in lines
        ]
    return found


@SHARES
@pytest.mark.in_turn(2)
def test_no_line_is_further_off_than_said_more_often_than_promised(share: Any) -> None:
    """Of rows that lie densely, so that a wrong turn anywhere is a wrong rank."""
    plan, times = plan_of(10, share), 300
    assert plan.parts[0].noise.is_additive
    rows = np.arange(101) % 7 + 1
    assert max(misses(plan, rows, times)) <= binom.isf(ALPHA, times, 0.05)


def bound_of_median(plan: QueryPlan) -> int:
    """What the line of the median says."""
    return rank_bound(plan.parts[0].noise, tree_of(plan), len(candidates_of(plan)), (1, 1))


@SHARES
def test_a_median_read_off_counts_is_said_to_be_nearer_than_the_outermost(share: Any) -> None:
    """Less of the noise of all rows is in it: its deviation is about 0.7 times theirs."""
    plan = plan_of(20, share)
    assert plan.bound is not None
    noise, tree = plan.parts[0].noise, tree_of(plan)
    levels = [(n, 20 - n) for n in (1, 5, 10, 15, 19)]
    bounds = [rank_bound(noise, tree, 101, one) for one in levels]
    assert max(bounds) == plan.bound.distance
    wider = replace(noise, scale=100 * noise.scale)  # whole rows tell them apart
    wide = [rank_bound(wider, tree, 101, one) for one in levels]
    assert wide[2] < wide[1] < wide[0] and wide[2] < wide[3] < wide[4]
    lines = table(study_of(share), plan, ((0,) * tree.drawn,)).rows
    assert [lines[n][2] for n in (0, 4, 9)] == [str(bound) for bound in bounds[:3]]


def worst(plan: QueryPlan, place: int, part: float = 1) -> np.ndarray:
    """Rows for which every median but one is further off than a part of the bound, if just so."""
    rows, wide = np.zeros(101, np.int64), int(bound_of_median(plan) * part) + 1
    rows[0], rows[place], rows[100] = 5 * wide, 2 * wide, 5 * wide
    return rows


@SHARES
@pytest.mark.parametrize("place", some([49, 1, 99], 3))
@pytest.mark.in_turn(2)
def test_the_worst_rows_miss_no_more_than_promised(share: Any, place: int) -> None:
    plan, times = plan_of(10, share), 300
    assert misses(plan, worst(plan, place), times)[4] <= binom.isf(ALPHA, times, 0.05)


def worst_between(plan: QueryPlan, place: int, part: float = 1) -> np.ndarray:
    """Rows at a value that is no candidate: of the two beside it one is that much further off."""
    rows, wide = np.zeros(101, np.int64), int(bound_of_median(plan) * part) + 1
    rows[0], rows[place], rows[100] = 6 * wide, 2 * wide, 5 * wide
    return rows


@SHARES
@pytest.mark.parametrize("place", some([49, 1, 99], 3))
@pytest.mark.in_turn(2)
def test_rows_between_candidates_miss_no_more_than_promised(share: Any, place: int) -> None:
    """Of values that are left out the counts know the rows, too: they say which side is nearer.

    With counts at the candidates alone the one above was taken, however many rows it was off.
    """
    plan, times = plan_of(20, share, candidates=EVERY_TENTH), 300
    assert plan.parts[0].noise.is_additive
    most = binom.isf(ALPHA, times, 0.05)
    assert misses(plan, worst_between(plan, place), times)[9] <= most
    two = np.zeros(101, np.int64)
    two[0], two[place] = 525, 475
    assert max(misses(plan, two, times)) <= most


@SHARES
@pytest.mark.in_turn(2)
def test_a_third_of_the_bound_would_be_missed(share: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is no more than about twice what it must be."""
    plan, times = plan_of(10, share), 300
    monkeypatch.setattr(quantile_counts, "rank_bound", lambda *asked: rank_bound(*asked) // 3)
    assert misses(plan, worst(plan, 49, 1 / 3), times)[4] > binom.isf(ALPHA, times, 0.05)


@SHARES
@pytest.mark.in_turn(2)
def test_a_fifth_would_be_where_values_are_left_out(
    share: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of one row makes a candidate two rows further off than the one beside it."""
    plan, times = plan_of(20, share, candidates=EVERY_TENTH), 500
    monkeypatch.setattr(quantile_counts, "rank_bound", lambda *asked: rank_bound(*asked) // 5)
    rows = worst_between(plan, 49, 1 / 5)
    assert misses(plan, rows, times)[9] > binom.isf(ALPHA, times, 0.05)


@given(
    st.lists(st.integers(0, 5), min_size=8, max_size=8).filter(any),
    st.lists(st.integers(0, 7), min_size=2, max_size=6, unique=True).map(sorted),
    st.sampled_from(["0.5", "0.25", "0.9", "0.05"]),
)
def test_exact_counts_lead_to_a_best_candidate(
    rows: list[int], places: list[int], text: str
) -> None:
    """Whatever values the candidates leave out."""
    counts, ends = np.cumsum([0, *rows]), ends_between(tuple(places))
    assert [after - end for end, after in ends] == [
        int(after - place > 1) for place, after in pairwise(places)
    ]
    between = [
        Fraction(int(counts[place + 1] + counts[after]), 2) for place, after in pairwise(places)
    ]
    found = searched((*between, Fraction(int(counts[-1]))), level_of(Decimal(text)))
    missed = [rows_off(counts[1:].tolist(), place, Fraction(text)) for place in places]
    assert missed[found] == min(missed)


def test_the_noise_finds_no_other_candidate_where_it_is_small() -> None:
    plan = plan_of(20, Epsilon.of(9))
    rows = np.full(101, 10_000)
    assert not misses(plan, rows, 5).any()


@SHARES
@pytest.mark.in_turn(2)
def test_the_picture_shows_how_often_counts_cross_a_rank(share: Any) -> None:
    """By the real door, at the end of the bins that is the least certain."""
    plan = plan_of(20, share)
    curve, (part,), tree = choice_curve(plan), plan.parts, tree_of(plan)
    assert curve is not None and not curve.rises and curve.reads_ranks
    assert curve.chance[0] == 0.5 and list(curve.chance) == sorted(curve.chance, reverse=True)
    end = max(range(tree.bins), key=lambda end: tree.variance(end))
    size, times = tree.drawn, runs(150, 400)
    none = Exact(np.zeros(times * size, np.int64))
    drawn = OpenDPDoor().draw(part.name, none, part.noise, part.sensitivity)
    noises = [
        float(tree.running_counts(tuple(drawn[start : start + size]), None)[end])
        for start in range(0, times * size, size)
    ]
    crossed, place = sum(noise > curve.x[20] for noise in noises), float(curve.chance[20])
    assert binom.isf(1 - ALPHA, times, place) <= crossed <= binom.isf(ALPHA, times, place)


def test_few_lines_are_those_that_were_chosen() -> None:
    fine = replace(STAY, step=Decimal("0.05"))
    study = replace(study_of(), columns=(fine, *ex.STUDY.columns[1:]))
    plan = compiler.compile_query(study, query_of(4))
    assert [part.noise.mechanism for part in plan.parts] == ["noisy-max"] * 3
    lines = table(study, plan, ((400,), (1_100,), (1_080,))).rows
    bounds = [-(-10 * part.half_width // sum(part.measure.levels)) for part in plan.parts]
    assert [line[:2] for line in lines] == [("0.25", "20"), ("0.5", "54"), ("0.75", "55")]
    assert [line[2] for line in lines] == [str(Decimal(bounds[0]) / 10), "", ""]


def test_lines_rise_whatever_was_drawn() -> None:
    """A total below 0 turns the order round; what was put right says no bound."""
    plan = plan_of(20)
    size = tree_of(plan).drawn
    lines = table(study_of(), plan, ((-1_000,) * size,)).rows
    values = [int(value) for _, value, _ in lines]
    assert values == sorted(values)
    drawn = tuple(int(n) for n in np.random.default_rng(3).normal(0, 500, size))
    values = [int(value) for _, value, _ in table(study_of(), plan, (drawn,)).rows]
    assert values == sorted(values)
