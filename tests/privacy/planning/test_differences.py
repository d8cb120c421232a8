# SPDX-License-Identifier: Apache-2.0
"""The margin of a difference holds, is not much too wide, and needs both noises."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions.noise_distribution import half_width
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.differences import (
    Difference,
    _of_two_mechanisms,
    differences,
    mean_differences,
    population_differences,
    sum_half_width,
)
from dpdesk.privacy.population.counts_and_shares import share_of_noisy
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.reconcile import noise_sum
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.same_rows import Answer
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.privacy.statistics.variance import mean_beside
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, Replace, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.unit import Budget, Unit
from tests.audit.length import runs
from tests.privacy.reconcile.test_same_rows import answers, query
from tests.privacy.statistics.survival.test_survival import ASKED
from tests.privacy.statistics.survival.test_survival import plan as survival_plan
from tests.release.rehearsal.made_up_studies import STAY, asks

REACH = 1_200


def chances(noise: Noise) -> np.ndarray:
    """P(X = x) for x in -REACH..REACH, by its definition."""
    places = np.arange(-REACH, REACH + 1, dtype=np.float64)
    if noise.mechanism == "laplace":
        raw = np.exp(-np.abs(places) / noise.scale)
    else:
        raw = np.exp(-(places**2) / (2 * noise.scale**2))
    result: np.ndarray = raw / raw.sum()
    return result


def beyond(
    one: Noise, other: Noise, width: float | Fraction, weight: float | Fraction = 1
) -> float:
    """P(|X + weight * Y| > width), added up."""
    places = np.arange(-REACH, REACH + 1)
    sums = np.abs(np.add.outer(places, float(weight) * places))
    return float(np.outer(chances(one), chances(other))[sums > float(width)].sum())


LAPLACE, GAUSSIAN = "laplace", "gaussian"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Noise(LAPLACE, 20.0), Noise(LAPLACE, 20.0)),
        (Noise(LAPLACE, 20.0), Noise(LAPLACE, 3.0)),
        (Noise(LAPLACE, 1.5), Noise(LAPLACE, 12.0)),
        (Noise(GAUSSIAN, 9.0, "rho"), Noise(GAUSSIAN, 9.0, "rho")),
        (Noise(GAUSSIAN, 9.0, "rho"), Noise(GAUSSIAN, 25.0, "rho")),
        (Noise(LAPLACE, 10.0), Noise(GAUSSIAN, 10.0, "rho")),
    ],
)
@pytest.mark.in_turn(4)
def test_noise_alone_is_beyond_the_margin_in_at_most_5_of_100(one: Noise, other: Noise) -> None:
    width = sum_half_width(one, other)
    assert beyond(one, other, width) <= 0.05
    assert width <= half_width(one, 0.025) + half_width(other, 0.025)
    assert width < half_width(one) + half_width(other) or one.mechanism != other.mechanism
    assert width > max(half_width(one), half_width(other))
    if one.mechanism == other.mechanism:
        assert beyond(one, other, math.floor(width * 0.9) - 2) > 0.05


def test_two_equal_noises_have_their_exact_sum() -> None:
    noise = Noise(LAPLACE, 20.0)
    width = sum_half_width(noise, noise)
    assert beyond(noise, noise, width - 1) > 0.05


def plan(statistic: Statistic, epsilon: str = "1") -> QueryPlan:
    study = asks(statistic)
    query = study.queries[0].having(epsilon=Epsilon.of(epsilon))
    return compile_query(study, query)


def test_a_count_is_compared_exactly() -> None:
    (found,) = differences((plan("count"), ((100,),)), (plan("count"), ((180,),)))
    assert found.value == 80
    noise = plan("count").parts[0].noise
    assert found.margin == sum_half_width(noise, noise)
    assert found.is_more_than_noise


DRAWN: dict[Statistic, tuple[tuple[int, ...], ...]] = {
    "mean": ((10_000, 4_000),),
    "share": ((1_500, 500),),
    "variance": ((90_000, 60_000, 50_000),),
    "standard-deviation": ((900_000, 600_000, 500_000),),
}


@pytest.mark.parametrize("statistic", list(DRAWN))
@pytest.mark.parametrize("other_share", ["1", "0.5"])
def test_the_margin_of_two_ratios_is_at_most_both_margins_together(
    statistic: Statistic, other_share: str
) -> None:
    one, other = plan(statistic), plan(statistic, other_share)
    drawn = DRAWN[statistic]
    (found,) = differences((one, drawn), (other, drawn))
    assert found.earlier is not None
    assert found.later is not None
    assert found.value == 0
    assert not found.is_more_than_noise
    both = found.earlier.half_width + found.later.half_width
    assert max(found.earlier.half_width, found.later.half_width) < found.margin
    # Of a wide and a narrow one, half of the miss for each would be 1.2 times both.
    assert found.margin <= both * (1 if other_share == "1" else Fraction(11, 10))


@pytest.mark.parametrize("statistic", ["mean", "share", "sum", "count"])
@pytest.mark.in_turn(2)
def test_the_margin_holds_for_draws_of_the_door(statistic: Statistic) -> None:
    from dpdesk.data.made_up_rows import made_up_table
    from dpdesk.release.run.drawing import draw_query

    study = asks(statistic)
    query = study.queries[0]
    compiled = compile_query(study, query)
    rows = made_up_table(study, query, 400)
    draws = [draw_query(study, compiled, rows, OpenDPDoor()).noisy for _ in range(400)]
    pairs = zip(draws[::2], draws[1::2], strict=True)
    found = [differences((compiled, one), (compiled, other))[0] for one, other in pairs]
    missed = sum(one.is_more_than_noise for one in found)
    assert missed <= 27  # 200 comparisons, 5 in 100 each: more happens once in 100,000 runs


@pytest.mark.parametrize("statistic", ["variance", "standard-deviation"])
def test_the_margin_of_means_beside_deviations_holds(statistic: Statistic) -> None:
    from dpdesk.data.made_up_rows import made_up_table
    from dpdesk.release.run.drawing import draw_query

    study = asks(statistic)
    query = study.queries[0]
    compiled = compile_query(study, query)
    rows = made_up_table(study, query, 400)
    draws = [draw_query(study, compiled, rows, OpenDPDoor()).noisy for _ in range(200)]
    pairs = zip(draws[::2], draws[1::2], strict=True)
    found = [mean_differences((compiled, one), (compiled, other))[0] for one, other in pairs]
    assert sum(one.is_more_than_noise for one in found) <= 18  # of 100, once in 100,000 runs
    half = max(abs(one.value) for one in found if one.value is not None)
    assert half > min(one.margin for one in found) / 4, "a margin as wide as that is none"
    for are_independent in (False, True):
        (same,) = mean_differences(
            (compiled, draws[0]), (compiled, draws[0]), are_independent=are_independent
        )
        assert same.earlier == same.later == mean_beside(compiled, draws[0][0])
        assert same.earlier is not None
        assert same.value == 0 and same.earlier.half_width < same.margin


def test_a_mean_of_nobody_has_no_difference() -> None:
    nobody = (plan("standard-deviation"), ((1, 2, -3),))
    (found,) = mean_differences(nobody, (nobody[0], DRAWN["standard-deviation"]))
    assert (found.earlier, found.value) == (None, None)
    assert found.later is not None


def test_a_figure_that_says_nothing_has_no_difference() -> None:
    (found,) = differences((plan("mean"), ((3, -3),)), (plan("mean"), ((300, 300),)))
    assert (found.earlier, found.value) == (None, None)
    assert not found.is_more_than_noise


@pytest.mark.parametrize("are_independent", [False, True])
def test_a_figure_that_is_published_by_a_hair_has_no_difference(are_independent: bool) -> None:
    """Noise surely leaves somebody at risk, but not as surely as both margins need it."""
    one = survival_plan(replace(ASKED, epsilon=Epsilon.of("0.2")))
    clear = ((100, 900, 100, 900, 100, 900),)
    drawn = (((50, 20, 5, 5, 1, many),) for many in range(1, 500))
    barely = next(last for last in drawn if differences((one, last), (one, clear))[1].earlier)
    both = (one, barely), (one, clear)
    for earlier, later in (both, both[::-1]):
        found = differences(earlier, later, are_independent=are_independent)[1]
        assert found.earlier is not None and found.later is not None
        assert found.value is None and not found.is_more_than_noise


def test_statistics_without_a_margin_are_not_compared() -> None:
    assert differences((plan("median"), ((1,),)), (plan("median"), ((2,),))) == ()


def test_within_the_margin_is_not_more() -> None:
    figure = Figure(Fraction(1), Fraction(1))
    assert not Difference(figure, figure, Fraction(5), Fraction(5)).is_more_than_noise
    assert Difference(figure, figure, Fraction(-6), Fraction(5)).is_more_than_noise


def test_sums_on_two_grids_have_the_margin_of_their_mixed_sum() -> None:
    """What one quantum is worth differs: the noises have different weights."""
    study = asks("sum")
    finer = replace(STAY, step=Decimal("0.5"))
    other = replace(study, columns=tuple(finer if c == STAY else c for c in study.columns))
    plans = [compile_query(one, one.queries[0]) for one in (study, other)]
    (found,) = differences((plans[0], ((400,),)), (plans[1], ((800,),)))
    one, half = plans[0].parts[0], plans[1].parts[0]
    assert (one.width, half.width) == (1, Fraction(1, 2))
    assert beyond(one.noise, half.noise, found.margin, weight=half.width) <= 0.05
    assert beyond(one.noise, half.noise, found.margin * Fraction(97, 100), half.width) > 0.05


def test_sums_of_two_mechanisms_on_two_grids_are_compared() -> None:
    study = replace(asks("sum"), budget=Budget("registry", rho=Rho.of(1)))
    finer = replace(STAY, step=Decimal("0.5"))
    other = replace(study, columns=tuple(finer if c == STAY else c for c in study.columns))
    wanted = [
        (one, one.queries[0].having(epsilon=None, rho=Rho.of("0.02"), noise=kind))
        for one, kind in ((study, LAPLACE), (other, GAUSSIAN))
    ]
    plans = [compile_query(*each) for each in wanted]
    (found,) = differences((plans[0], ((4_000,),)), (plans[1], ((9_000,),)))
    one, half = (each.parts[0] for each in plans)
    assert found.value == 500
    assert found.margin == _of_two_mechanisms(one.noise, one.width, half.noise, half.width, 0.05)


@pytest.mark.parametrize(("statistic", "drawn"), [("mean", (300, 900)), ("share", (500, 700))])
def test_ratios_over_a_public_number_of_rows_move_with_one_noise(
    statistic: Statistic, drawn: tuple[int, int]
) -> None:
    study = asks(statistic)
    zero = Replace(Decimal(0))
    sure = (
        replace(STAY, missing=zero, unparsable=zero),
        YesNoColumn("ok", ("yes",), ("no",), missing="category", unknown="category"),
    )
    study = replace(study, unit=Unit(None, 1, "change-one", 2_000), columns=sure)
    compiled = compile_query(study, study.queries[0])
    (part,) = compiled.parts
    (found,) = differences((compiled, ((drawn[0],),)), (compiled, ((drawn[1],),)))
    assert found.earlier is not None and found.later is not None
    margin = Fraction(half_width(part.noise)) * part.width / 2_000
    assert found.earlier.half_width == found.later.half_width == margin
    assert found.value == Fraction(drawn[1] - drawn[0], 2_000) * part.width
    assert margin < found.margin <= 2 * margin


def test_sums_of_two_mechanisms_on_two_grids_have_a_margin() -> None:
    one, other, half = Noise(LAPLACE, 20.0), Noise(GAUSSIAN, 30.0, "rho"), Fraction(1, 2)
    margin = _of_two_mechanisms(one, Fraction(1), other, half, 0.05)
    assert beyond(one, other, margin, half) <= 0.05
    apart = half_width(one, 0.025) + half_width(other, 0.025) * half
    assert max(half_width(one), half_width(other) * half) < margin <= apart * Fraction(107, 100)


def test_other_lines_are_refused() -> None:
    study = asks("count", by=("ward",))
    grouped = compile_query(study, study.queries[0])
    with pytest.raises(ValueError, match="one question"):
        differences((plan("count"), ((1,),)), (grouped, ((1, 2, 3),)))


Drawn = list[list[int]]
SEX = CategoryColumn("sex", ("f", "m"), missing=Replace("f"), unknown=Replace("f"))
WARD = CategoryColumn("ward", ("A", "B", "C"), missing=Replace("A"), unknown=Replace("A"))
MANY = Unit("pid", 2)
PUBLIC = Unit("pid", 1, "change-one", people=400)


def tables(asked: list[tuple[str, ...]], step: str, unit: Unit = MANY) -> tuple[QueryPlan, ...]:
    """Counts by these groupings, or sums of days on a grid, with normal noise of two widths."""
    days = replace(STAY, step=Decimal(step or 1), missing=Replace(Decimal(0)))
    queries = (Query(f"q{place}").having(by=by) for place, by in enumerate(asked))
    members = {"statistic": "sum", "column": "stay"} if step else {}
    wanted = tuple(
        query.having(**members, rho=Rho.of("0.01" if place else "0.04"), noise=GAUSSIAN)
        for place, query in enumerate(queries)
    )
    budget = Budget("registry", rho=Rho.of(1))
    study = Study(unit=unit, budget=budget, columns=(days, SEX, WARD), queries=wanted)
    return tuple(compile_query(study, query) for query in wanted)


def compared(plans: list[tuple[QueryPlan, ...]], drawn: list[Drawn]) -> tuple[Difference, ...]:
    """The first table of two releases, each made consistent with what was released beside it."""
    sides, consistent = [], []
    for entry, (own, figures) in enumerate(zip(plans, drawn, strict=True)):
        noisy = [(tuple(one),) for one in figures]
        pairs = zip(own, noisy, strict=True)
        made = consistent_figures([Answer(plan, one, entry) for plan, one in pairs])
        sides.append((own[0], noisy[0]))
        consistent.append(made.get(0))
    assert any(consistent)
    return differences(*sides, consistent=(consistent[0], consistent[1]))


COMPARED: dict[str, tuple[list[tuple[str, ...]], list[tuple[str, ...]], dict[str, Any]]] = {
    "a table and one alone": ([("sex",), ()], [("sex",)], {}),
    "one alone and a table": ([()], [(), ("ward",), ("sex",)], {}),
    "both beside others": ([("ward",), ("sex", "ward")], [("ward",), ()], {}),
    "sums on two grids": ([(), ("sex",)], [(), ("ward",)], {"steps": ("0.5", "2")}),
    "a public total": ([("ward",), ("sex", "ward")], [("ward",)], {"unit": PUBLIC}),
}


@pytest.mark.parametrize("name", COMPARED)
def test_consistent_figures_differ_by_all_the_noise_that_is_in_them(name: str) -> None:
    """With normal noise the margin is 1.96 deviations of what each drawn number adds to it."""
    *asked, more = COMPARED[name]
    steps, unit = more.get("steps", ("", "")), more.get("unit", MANY)
    plans = [tables(one, step, unit) for one, step in zip(asked, steps, strict=True)]
    zero = [[[0] * plan.parts[0].cells for plan in own] for own in plans]
    still, variance = compared(plans, zero)[-1], Fraction(0)
    assert still.value is not None
    for side, own in enumerate(plans):
        for place, plan in enumerate(own):
            for cell in range(plan.parts[0].cells):
                raised = [[list(figures) for figures in one] for one in zero]
                raised[side][place][cell] += 1
                moved = compared(plans, raised)[-1].value
                assert moved is not None
                squared = Fraction(plan.parts[0].noise.scale) ** 2
                variance += (moved - still.value) ** 2 * squared
    assert 1.96 <= float(still.margin) / math.sqrt(variance) < 2.0
    assert still.earlier is not None and still.later is not None
    assert still.value == still.later.value - still.earlier.value
    widest = max(still.earlier.half_width, still.later.half_width)
    assert widest < still.margin < still.earlier.half_width + still.later.half_width


def beside_counts(shares: tuple[int, ...], counts: tuple[int, ...]) -> Any:
    """A share by sex beside counts by ward: its plan, what it drew, and its consistent figure."""
    ward_a = (IsIn("ward", ("A",)),)
    queries = (
        Query("q", epsilon=Epsilon.of(1)).having(statistic="share", has=ward_a, by=("sex",)),
        Query("w", epsilon=Epsilon.of(2)).having(by=("sex", "ward")),
    )
    study = Study(unit=MANY, budget=Budget("registry", Epsilon.of(9)), columns=(SEX, WARD))
    plans = [compile_query(study, one) for one in queries]
    noisy = [(shares,), (counts,)]
    found = consistent_figures([Answer(*pair, 1) for pair in zip(plans, noisy, strict=True)])
    return plans, (plans[0], noisy[0]), found


def test_consistent_shares_are_compared_by_the_margins_that_they_are_published_with() -> None:
    """By draws of the door, where the share is 0.3; more misses come once in 30,000 times."""
    exact = ((70, 30, 140, 60), (30, 40, 30, 60, 80, 60))
    plans, _, _ = beside_counts(*exact)
    door, times = OpenDPDoor(), runs(40, 80)
    draws = []
    for plan, numbers in zip(plans, exact, strict=True):
        (part,) = plan.parts
        many = Exact(np.tile(np.array(numbers), times))
        drawn = door.draw(part.name, many, part.noise, part.sensitivity)
        draws.append(np.array(drawn).reshape(times, -1).tolist())
    sides = [beside_counts(tuple(one), tuple(other)) for one, other in zip(*draws, strict=True)]
    missed = narrower = 0
    for (_, earlier, old), (_, later, new) in zip(sides[::2], sides[1::2], strict=True):
        found, _men = differences(earlier, later, consistent=(old[0], new[0]))
        alone, _men = differences(earlier, later)
        assert found.earlier is not None and found.later is not None
        published = (found.earlier, earlier, old), (found.later, later, new)
        for figure, (plan, noisy), one in published:
            row = table(Study(), plan, noisy, (), one[0]).rows[0]
            assert Fraction(row[1]) == pytest.approx(figure.value, abs=0.006)
            assert figure.half_width <= Fraction(row[2]) <= figure.half_width * Fraction(6, 5)
        missed += found.is_more_than_noise
        narrower += found.margin < alone.margin
    assert missed <= runs(6, 9)
    assert narrower >= runs(16, 36)
    # Of figures that noise moved to either end the margins are equal.


def test_a_consistent_share_and_one_alone_are_compared() -> None:
    _, one, found = beside_counts((70, 30, 140, 60), (31, 38, 33, 58, 83, 61))
    both = differences(one, one, consistent=(found[0], None))
    alone = differences(one, one)
    for line, other in zip(both, alone, strict=True):
        assert line.later == other.later and line.earlier is not None
        assert other.earlier is not None and other.later is not None
        assert line.earlier.half_width < other.earlier.half_width
        widths = line.earlier.half_width, other.later.half_width
        assert max(widths) < line.margin < sum(widths)


def test_consistent_distributions_have_no_margin_to_compare() -> None:
    bins = {"statistic": "distribution", "column": "stay", "edges": (Decimal(5),)}
    queries = tuple(
        Query(id, epsilon=Epsilon.of(1)).having(**members)
        for id, members in (("q", bins), ("w", {"by": ("sex",)}))
    )
    days = replace(STAY, missing=Replace(Decimal(0)), unparsable=Replace(Decimal(0)))
    study = Study(unit=MANY, budget=Budget("registry", Epsilon.of(9)), columns=(days, SEX))
    plans = [compile_query(study, one) for one in queries]
    answers = [Answer(plan, ((70, 30),), 1) for plan in plans]
    found, side = consistent_figures(answers), (plans[0], ((70, 30),))
    assert differences(side, side, consistent=(found[0], found[0])) == ()


def test_figures_that_share_a_draw_are_as_far_apart_as_both_margins() -> None:
    """A stored count is joined in both releases: its noise is in each figure, in any ratio."""
    every = answers(query("a"), query("b", "ward"))
    found = consistent_figures(every)
    side = (every[0].plan, every[0].noisy)
    alone = differences(side, side, consistent=(found[0], found[0]))
    shared = differences(side, side, consistent=(found[0], found[0]), are_independent=False)
    each = noise_sum.half_width(found[0].noises, 0.025)
    assert shared[0].margin == 2 * each > alone[0].margin


def _populations(runs: int, later_rows: int, *, are_same: bool) -> tuple[int, float]:
    """How often a difference of two shares is outside of its interval, and how wide that is."""
    compiled = plan("share", "0.5")
    scale, dice = compiled.parts[0].noise.scale, np.random.default_rng(36)
    missed, widths = 0, []
    for _ in range(runs):
        first = dice.random(400) < 0.3
        # The worst that the same people can do: all that makes one share high makes the other low.
        second = ~first[:later_rows] if are_same else dice.random(later_rows) < 0.7
        drawn = []
        for one in (first, second):
            noises = np.rint(dice.laplace(0, scale, 2)).astype(int).tolist()
            drawn.append((((~one).sum().item() + noises[0], one.sum().item() + noises[1]),))
        sides = (((compiled, one), None) for one in drawn)
        (ends,) = population_differences(*sides)
        assert ends is not None
        missed += not ends[0] <= Fraction(4, 10) <= ends[1]
        widths.append(float(ends[1] - ends[0]))
    return missed, sum(widths) / runs


@pytest.mark.parametrize("are_same", [False, True])
@pytest.mark.in_turn(2)
def test_the_difference_of_two_populations_is_held_whoever_is_in_both(are_same: bool) -> None:
    """5 in 100 may miss; in 60 releases more than 11 do so once in 10,000."""
    missed, width = _populations(60, 400, are_same=are_same)
    assert missed <= 11
    assert 4 * 1.96 * math.sqrt(0.21 / 400) < width < 0.5


def test_each_population_has_half_of_the_miss() -> None:
    (old, new), compiled = ((300, 700), (420, 480)), plan("share", "0.5")
    noise = compiled.parts[0].noise
    found = population_differences(*(((compiled, ((b, a),)), None) for a, b in (old, new)))
    first, second = (share_of_noisy(*one, noise, 0.025) for one in (old, new))
    assert found == ((second[0] - first[1], second[1] - first[0]),)


def test_populations_of_a_figure_that_says_nothing_are_not_compared() -> None:
    some, nothing = (plan("share"), ((300, 200),)), (plan("share"), ((3, -3),))
    assert population_differences((nothing, None), (some, None)) == (None,)
    # A mean has its interval by a variance.
    mean = (plan("mean"), ((9_000, 4_000),))
    assert population_differences((mean, None), (mean, None)) == (None,)
    spread = (plan("variance"), ((900_000, 600_000, 500_000),))
    (ends,) = population_differences((mean, spread), (mean, spread))
    assert ends is not None and ends[0] == -ends[1] < 0
