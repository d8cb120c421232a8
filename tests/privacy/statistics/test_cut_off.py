# SPDX-License-Identifier: Apache-2.0
"""The best cut-off: how far a person moves its scores, the auction of the books, its promise."""

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy import compiler
from dpdesk.privacy.distributions.selection import chances, score_bound
from dpdesk.privacy.noise.noise import SQUARED_NORMS, Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.score_functions import Score
from dpdesk.privacy.statistics.cut_off import CLOSEST, value_times_count
from dpdesk.study import limits
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.columns import NumberColumn, number_grid
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CutOffParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from dpdesk.study.problem import Refused
from tests.privacy import examples as ex
from tests.privacy.choosing import FIT, disagreement, drawn

SHARES = [Epsilon.of("0.5"), Rho.of("0.02")]
BOTH = pytest.mark.parametrize("share", SHARES, ids=["epsilon", "rho"])
VALUE = Query(
    "best",
    "cut-off",
    CutOffParameters("stay", candidates=(Decimal(2), Decimal(7)), score="value-times-count"),
)
CLOSE = VALUE.having(score="closest-to-target", target=60)
GRIDS = [(0, 6), (-3, 3), (-6, -1), (2, 5)]
"""Bounds of a column of whole numbers: of one sign, of both, and 0 as a bound."""


def planned(
    query: Query, share: Share, unit: Unit = ex.PERSON, study: Study = ex.STUDY
) -> QueryPlan:
    query = replace(query, **{share.measure: share})
    budget = Budget("registry", **{share.measure: type(share).of(1)})
    return compiler.compile_query(replace(study, unit=unit, budget=budget), query)


def revenues(values: tuple[int, ...], prices: list[int]) -> list[int]:
    """The definition, word for word."""
    return [price * sum(v >= price for v in values) for price in prices]


def misses(values: tuple[int, ...], prices: list[int], target: int) -> list[int]:
    return [-abs(sum(v >= price for v in values) - target) for price in prices]


def reach(first: list[int], second: list[int]) -> int:
    """The largest rise plus the largest fall."""
    steps = [b - a for a, b in zip(first, second, strict=True)]
    return max(0, *steps) - min(0, *steps)


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize(("low", "high"), GRIDS)
@pytest.mark.parametrize("inner", [False, True])
def test_every_person_there_can_be_moves_revenue_as_far_as_declared_and_no_further(
    low: int, high: int, k: int, inner: bool
) -> None:
    """All people of up to k rows on the grid: against nobody, and against one another."""
    grid = number_grid(NumberColumn("n", Decimal(low), Decimal(high), Decimal(1)))
    prices = list(range(low + inner, high + 1 - inner, 2))
    score = value_times_count(grid, tuple(price - low for price in prices))
    values = range(low, high + 1)
    people = [p for n in range(k + 1) for p in combinations_with_replacement(values, n)]
    moved = {person: revenues(person, prices) for person in people}
    comes = score.sensitivity(Unit("p", k), 1)
    assert max(reach(moved[()], there) for there in moved.values()) == comes
    replaced = Unit("p", k, "change-one", people=9)
    furthest = max(reach(moved[one], moved[other]) for one, other in product(people, repeat=2))
    assert furthest == score.sensitivity(replaced, 1) == comes
    # Out of one cell and into another: the two cells' distances add up.
    assert 2 * max(reach(moved[()], moved[p]) for p in people) == score.sensitivity(replaced, 2)


rows = st.lists(st.integers(0, 9), max_size=8).map(tuple)


@given(rows, rows, rows, st.integers(0, 12))
def test_no_person_moves_a_distance_to_the_target_by_more_than_declared(
    others: tuple[int, ...], mine: tuple[int, ...], instead: tuple[int, ...], target: int
) -> None:
    k, prices = max(len(mine), len(instead), 1), list(range(10))
    here, nobody, there = (
        misses((*others, *person), prices, target) for person in (mine, (), instead)
    )
    moved = max(abs(a - b) for a, b in zip(here, nobody, strict=True))
    assert moved <= CLOSEST.sensitivity(Unit("p", k), 1) == k
    moved = max(abs(a - b) for a, b in zip(here, there, strict=True))
    assert moved <= CLOSEST.sensitivity(Unit("p", k, "change-one", people=9), 1) == k


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_distance_to_the_target_rises_and_falls_at_once(k: int) -> None:
    """So it is not monotonic, and one change of k would not price it: rise and fall make 2k."""
    crowd, prices = (4,) * 5, [1, 8]
    before, after = misses(crowd, prices, 5), misses((*crowd, *(9,) * k), prices, 5)
    assert [b - a for a, b in zip(before, after, strict=True)] == [-k, k]
    assert not CLOSEST.monotonic
    assert CLOSEST.sensitivity(Unit("p", k), 1) == k
    assert CLOSEST.sensitivity(Unit("p", k, "change-one", people=9), 1) == k
    assert CLOSEST.sensitivity(Unit("p", k, "change-one", people=9), 2) == 2 * k


@BOTH
@pytest.mark.parametrize("unit", [ex.PERSON, ex.REPLACED], ids=["add-remove", "change-one"])
@pytest.mark.parametrize("by", [(), ("sex",)])
@pytest.mark.parametrize("query", [VALUE, CLOSE], ids=["value", "target"])
def test_the_plan_spends_its_share_on_one_choice_a_cell(
    share: Share, unit: Unit, by: tuple[str, ...], query: Query
) -> None:
    plan = planned(replace(query, by=by), share, unit)
    (part,) = plan.parts
    cells, is_value = 2 if by else 1, query is VALUE
    wanted = Noise("noisy-max", part.scale, share.measure, cells, monotonic=is_value)
    assert part.noise == wanted
    assert part.cells == 2 * cells
    twice, row = 2 if by and unit is ex.REPLACED else 1, 3 * (7 if is_value else 1)
    # In zCDP both groups lose the square of their own distance.
    assert part.sensitivity == twice * (row**2 if part.noise.norm in SQUARED_NORMS else row)
    assert Fraction(part.loss) <= share.as_fraction() < Fraction(part.loss) * Fraction(101, 100)
    assert len(plan.lines) == cells
    assert plan.bound is not None
    way = "gumbel" if share.measure == "rho" else "exponential"
    assert plan.bound.distance == score_bound(2, part.scale, way)
    assert plan.bound.what == ("score" if is_value else "rows")


def auction(epsilon: str, unit: Unit) -> tuple[Noise, int]:
    """The digital good of the books: bids up to 4 in cents, prices 1 and 3.01."""
    bid = NumberColumn("bid", Decimal(0), Decimal(4), Decimal("0.01"))
    query = VALUE.having(column="bid", candidates=(Decimal(1), Decimal("3.01")))
    plan = planned(query, Epsilon.of(epsilon), unit, replace(ex.STUDY, columns=(bid,)))
    return plan.parts[0].noise, plan.parts[0].sensitivity


BIDS = (100, 100, 100, 301)


def test_four_bidders_bring_most_at_the_highest_price() -> None:
    """Dwork and Roth, 3.4: at 3.01 the revenue is 3.01, at 3.02 it is 0, at 1.01 it is 1.01."""
    found = dict(zip([100, 101, 301, 302], revenues(BIDS, [100, 101, 301, 302]), strict=True))
    assert found == {100: 400, 101: 101 * 1, 301: 301, 302: 0}
    without = revenues(BIDS[:3], [100, 301])
    assert without == [300, 0], "one bidder decides whether the high price brings anything"


def test_the_auction_is_the_exponential_mechanism_or_better() -> None:
    """The highest price is its own sensitivity, and a bid moves all revenues to one side.

    With u the revenue and 3.01 the most that a bid moves it, the books choose 1 with odds
    exp(epsilon * (4 - 3.01) / (2 * 3.01)); moving to one side spares the 2, and permute and flip
    errs no more often than the exponential mechanism at the same scale.
    """
    noise, sensitivity = auction("0.5", Unit(None))
    assert sensitivity == 301
    assert noise.monotonic
    assert noise.scale == pytest.approx(301 / 0.5, rel=1e-12)
    scores = revenues(BIDS, [100, 301])
    book = 1 / (1 + math.exp(-0.5 * 99 / (2 * 301)))
    ours = chances(scores, noise.scale, "exponential")[0]
    assert ours >= chances(scores, noise.scale, "gumbel")[0] > book
    low = math.exp(-99 / noise.scale)
    assert ours == pytest.approx(1 - low / 2, rel=1e-12), "flip: the worse first, and accepted"
    seen = drawn(scores, noise, sensitivity, FIT)
    assert disagreement(seen, {(0,): float(ours), (1,): float(1 - ours)}) == ""


@BOTH
@pytest.mark.in_turn(2)
def test_the_door_chooses_cut_offs_as_often_as_the_exact_chances_say(share: Share) -> None:
    query = CLOSE.having(candidates=tuple(map(Decimal, (2, 5, 7, 9, 14))))
    (part,) = planned(query, share).parts
    scores = [-40, -21, -3, -17, -60]
    found = drawn(scores, part.noise, part.sensitivity, FIT)
    way = "gumbel" if share.measure == "rho" else "exponential"
    exact = {(i,): float(c) for i, c in enumerate(chances(scores, part.scale, way))}
    assert disagreement(found, exact) == ""


@BOTH
@pytest.mark.parametrize("query", [VALUE, CLOSE], ids=["value", "target"])
def test_the_promise_holds_at_the_worst_scores_and_no_tighter_one_would(
    share: Share, query: Query
) -> None:
    query = query.having(candidates=tuple(map(Decimal, range(2, 12))))
    (part,) = planned(query, share).parts
    way = "gumbel" if share.measure == "rho" else "exponential"
    for ahead, holds in ((part.half_width + 1, True), (part.half_width, False)):
        missed = 1 - chances([ahead, *[0] * 9], part.scale, way)[0]
        assert (missed <= 0.05) == holds


@pytest.mark.threat("D5")
def test_a_cut_off_is_published_with_its_bound_and_never_its_score() -> None:
    query = VALUE.having(column="weight", candidates=(Decimal("60.5"), Decimal("80.1")))
    plan = planned(replace(query, by=("sex",)), Epsilon.of("0.5"))
    made = table(ex.STUDY, plan, ((1, 0),))
    assert [(c.name, c.role, c.unit) for c in made.columns] == [
        ("sex", "group", ""),
        ("cut_off", "value", "kg"),
        ("score_off_95", "score-bound", ""),
    ]
    assert [row[:2] for row in made.rows] == [("Female", "80.1"), ("Male", "60.5")]
    assert plan.bound is not None
    assert {Fraction(row[2]) for row in made.rows} == {plan.bound.distance}
    assert plan.bound.distance == plan.parts[0].half_width * Fraction(1, 10)
    closest = planned(CLOSE, Epsilon.of("0.5"))
    made = table(ex.STUDY, closest, ((1,),))
    assert [column.name for column in made.columns] == ["cut_off", "rows_off_95"]
    assert made.rows == (("7", str(closest.parts[0].half_width)),)


def test_the_grid_that_values_are_counted_in_changes_no_chance() -> None:
    """Whether stays are counted in days or in tenths of days, the choice is as likely."""
    fine = replace(ex.STAY, step=Decimal("0.1"))
    study = replace(ex.STUDY, columns=(fine, *ex.STUDY.columns[1:]))
    (here,), (there,) = (planned(VALUE, SHARES[0], study=s).parts for s in (ex.STUDY, study))
    assert there.scale * there.width == pytest.approx(here.scale * here.width, rel=1e-12)


@pytest.mark.parametrize("neighbours", ["add-remove", "change-one"])
@pytest.mark.parametrize(("share", "by"), [(Epsilon(1), ("sex",)), (Rho(1), ())])
def test_the_dearest_cut_off_that_can_be_declared_has_a_price(
    neighbours: str, share: Share, by: tuple[str, ...]
) -> None:
    people = None if neighbours == "add-remove" else 9
    unit = Unit("patient", limits.MAX_ROWS_PER_PERSON, neighbours, people)  # type: ignore[arg-type]
    low, high = Decimal(-limits.MAX_QUANTA), Decimal(limits.MAX_QUANTA)
    column = NumberColumn("n", low, high, Decimal(2))
    study = replace(ex.STUDY, columns=(column, ex.SEX))
    query = VALUE.having(column="n", by=by, candidates=(low, Decimal(-1)))
    for candidates in (
        (low, Decimal(-1)),
        (Decimal(1), high),
        (Decimal(-(2**30) + 1), Decimal(2**30 - 1)),
    ):
        plan = planned(query.having(candidates=candidates), share, unit, study)
        assert Fraction(plan.parts[0].loss) <= share.as_fraction()
    with pytest.raises(Refused) as refused:
        planned(query.having(candidates=(low, high)), share, unit, study)
    assert [p.code for p in refused.value.problems] == ["candidates-too-far-apart"]


def test_a_score_that_is_none_of_ours_has_no_sensitivity() -> None:
    odd = VALUE.having(score="loudest")
    with pytest.raises(Refused) as refused:
        planned(odd, Epsilon.of("0.5"))
    assert [p.code for p in refused.value.problems] == ["score-without-sensitivity"]
    assert Score("loudest").row is None
