# SPDX-License-Identifier: Apache-2.0
"""Published counts: margins are the smallest that hold, what zero costs is bounded, totals hold."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.confidence_levels import levels_of
from dpdesk.privacy.planning.curves import noise_curve
from dpdesk.privacy.planning.differences import differences
from dpdesk.privacy.planning.share_for_margin import margin_for, share_for
from dpdesk.privacy.published_form import excess, published, widest
from dpdesk.privacy.published_tables import excess_text, table
from dpdesk.privacy.reconcile.cross_totals import AddingTable
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.privacy.reconcile.same_rows import Answer
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import PublishedForm
from tests.audit.length import runs
from tests.privacy.reconcile.test_cross_totals import CASES, EXACT, TIMES, study_of

FORMS = [PublishedForm(step, none) for step in (1, 5, 10) for none in (False, True)]
NOISES = [Noise(kind, scale) for kind in ("laplace", "gaussian") for scale in (0.3, 1.0, 4.0, 30.0)]
FAR = 25


def figures(denominator: int) -> Iterator[Fraction]:
    return (Fraction(one, denominator) for one in range(-12 * denominator, 31 * denominator))


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("denominator", [1, 2, 3, 4])
def test_a_margin_is_the_smallest_whole_number_that_holds(
    form: PublishedForm, denominator: int
) -> None:
    for width in (Fraction(0), Fraction(1, 2), Fraction(7, 3), Fraction(9)):
        largest = Fraction(0)
        for value in figures(denominator):
            shown = published(Figure(value, width), form)
            counts = range(math.ceil(value - width), math.floor(value + width) + 1)
            assert all(abs(shown.value - n) <= shown.half_width for n in counts if n >= 0)
            if form.none_below_zero:
                assert shown.value >= 0
            if counts and counts[0] >= 0:
                # Some count that the noise allows for is as far away as the margin says.
                assert max(abs(shown.value - n) for n in counts) == shown.half_width
            largest = max(largest, shown.half_width)
        most = widest(width, form)
        assert largest <= most
        # A half is moved by half a step, so that no smaller number would do for all.
        if denominator in (2, 4):
            assert largest == most


@pytest.mark.parametrize("form", FORMS, ids=str)
@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.in_turn(8)
def test_margins_hold_for_every_count_by_the_exact_distribution(
    form: PublishedForm, noise: Noise
) -> None:
    width = Fraction(noise_distribution.half_width(noise))
    reach = math.ceil(FAR * noise.scale) + 1
    noises = np.arange(-reach, reach + 1, dtype=np.float64)
    chances = noise_distribution.within(noises, noises, noise)
    assert abs(chances.sum() - 1) < 1e-9
    for count in range(2 * form.step + 1):
        shown = [published(Figure(Fraction(count + int(x)), width), form) for x in noises]
        held = np.array([abs(one.value - count) <= one.half_width for one in shown])
        assert chances[held].sum() >= 0.95 - 1e-9


@pytest.mark.parametrize("form", [one for one in FORMS if one.none_below_zero], ids=str)
@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.in_turn(8)
def test_what_zero_costs_on_average_is_bounded_and_largest_at_zero(
    form: PublishedForm, noise: Noise
) -> None:
    reach = math.ceil(FAR * noise.scale) + 1
    noises = np.arange(-reach, reach + 1, dtype=np.float64)
    chances = noise_distribution.within(noises, noises, noise)

    def added(count: int) -> float:
        values = [Figure(Fraction(count + int(x)), Fraction(0)) for x in noises]
        plain = replace(form, none_below_zero=False)
        moved = [published(v, form).value - published(v, plain).value for v in values]
        return float((np.array([float(one) for one in moved]) * chances).sum())

    most = excess(((noise, 1.0, 1),), form, is_whole=True)
    found = [added(count) for count in (0, 1, 2, 7, 20)]
    assert found == sorted(found, reverse=True)
    assert found[0] <= most
    if noise.scale >= 4 and form.step == 1:
        # It is not much too high either.
        assert most <= 1.05 * found[0]


def test_what_zero_costs_holds_for_sums_of_noises_and_none_is_said_without_it() -> None:
    noise, count = Noise("laplace", 6.0), runs(8_000, 40_000)
    zeros = Exact(np.zeros(3 * count, dtype=np.int64))
    drawn = np.array(OpenDPDoor().draw("rows", zeros, noise, 1)).reshape(count, 3)
    errors = [Fraction(int(one[0] * 4 + one[1] * 2 + one[2]), 8) for one in drawn]
    terms = ((noise, 0.5, 1), (noise, 0.25, 1), (noise, 0.125, 1))
    for form in (PublishedForm(1, True), PublishedForm(5, True), PublishedForm(10, True)):
        shown = [float(published(Figure(one, Fraction(0)), form).value) for one in errors]
        most, spread = excess(terms, form, is_whole=False), np.std(shown) / math.sqrt(count)
        assert np.mean(shown) <= most + 5 * spread
        assert most <= 2 * np.mean(shown) + form.step
    assert excess(terms, PublishedForm(10), is_whole=False) == 0


def test_halves_go_to_the_even_multiple_so_that_rounding_moves_no_count_on_average() -> None:
    whole = PublishedForm()
    for count in (3, 4, 100):
        moved = [
            published(Figure(count + Fraction(one, 2), Fraction(0)), whole).value - count
            for one in range(-9, 10)
        ]
        assert sum(moved) == 0
    fives = (Figure(Fraction(n), Fraction(0)) for n in (5, 15))
    assert [published(one, PublishedForm(10)).value for one in fives] == [0, 20]


@pytest.mark.parametrize("value", [2**60 + 3, -(2**60) - 3, 10**40 + 5])
def test_huge_counts_keep_every_digit(value: int) -> None:
    shown = published(Figure(Fraction(value), Fraction(9)), PublishedForm(5))
    assert shown.value % 5 == 0 and abs(shown.value - value) <= 2
    assert shown.half_width == 9 + abs(shown.value - value)


def formed(study: Study, rounding: int | None, whole: bool) -> tuple[Study, QueryPlan]:
    queries = tuple(replace(query, whole_numbers=whole) for query in study.queries)
    study = replace(study, rounding=rounding, queries=queries)
    return study, compile_query(study, study.queries[0])


def test_a_table_shows_no_negative_zero_and_says_its_form() -> None:
    study, plan = formed(study_of({}), 5, True)
    made = table(study, plan, ((-1, -400, 2, 3, 0, 2**60),))
    at = [column.role for column in made.columns].index("value")
    assert [row[at] for row in made.rows] == ["0", "0", "0", "5", "0", str(2**60 // 5 * 5)]
    assert (made.rounded_to, made.excess) == (5, excess_text(plan, None))
    parts = [column.role for column in made.columns].index("part")
    assert [row[parts] for row in made.rows][:2] == ["-1", "-400"]
    plain = table(*formed(study_of({}), None, False), ((-1, -400, 2, 3, 0, 9),))
    assert (plain.rounded_to, plain.excess) == (0, "") and plain.rows[0][at] == "-1"


@pytest.mark.parametrize("name", ["laplace", "gaussian", "public"])
@pytest.mark.parametrize(("rounding", "whole"), [(None, True), (5, False), (10, True)])
@pytest.mark.in_turn(6)
def test_figures_and_totals_hold_their_margins_95_times_in_100(
    name: str, rounding: int | None, whole: bool
) -> None:
    study, plan = formed(study_of(CASES[name]), rounding, whole)
    (part,) = plan.parts
    exact = Exact(np.tile(np.array(EXACT), TIMES))
    lines = np.array(OpenDPDoor().draw(part.name, exact, part.noise, part.sensitivity))
    missed, totals = np.zeros(len(EXACT)), 0
    for line in lines.reshape(TIMES, -1).tolist():
        made = table(study, plan, (tuple(line),))
        roles = [column.role for column in made.columns]
        value, half, low, high = (
            [int(row[roles.index(role)]) for row in made.rows]
            for role in ("value", "half-width", "lowest", "highest")
        )
        assert max(half) <= (plan.half_width or 0)
        assert all(one % (rounding or 1) == 0 for one in value)
        held = [abs(v - n) <= h for v, n, h in zip(value, EXACT, half, strict=True)]
        within = [lo <= n <= hi for lo, n, hi in zip(low, EXACT, high, strict=True)]
        assert held == within
        missed += ~np.array(held)
        adding = AddingTable(plan, (tuple(line),), tuple(str(one) for one in value))
        (total,) = adding.totals(()).values()
        assert int(total.value) % (rounding or 1) == 0
        totals += abs(int(total.value) - sum(EXACT)) > int(total.half_width)
    most = binom.isf(1e-9, TIMES, 0.05)
    assert missed.max() <= most and totals <= most
    # Not by margins that are far too wide: cells miss about as often as they may.
    assert missed.sum() >= binom.isf(1 - 1e-9, TIMES * len(EXACT), 0.015)


def test_a_total_is_that_of_the_counts_before_rounding() -> None:
    study, plan = formed(study_of({}), 10, True)
    noisy = ((4, 4, 4, 4, 4, -100),)
    made = table(study, plan, noisy)
    at = [column.role for column in made.columns].index("value")
    adding = AddingTable(plan, noisy, tuple(row[at] for row in made.rows))
    assert set(adding.published) == {"0"}
    assert adding.totals((0,))[("A",)].value == "10"
    assert adding.totals(())[()].value == "0"
    plain = AddingTable(formed(study_of({}), None, False)[1], noisy, ("4",) * 5 + ("-100",))
    assert adding.shares((0, 1), (1,)) == plain.shares((0, 1), (1,))


def test_consistent_figures_are_rounded_after_they_were_made_consistent() -> None:
    study = study_of({"keeps": True})
    more = replace(study.queries[0], id="w", by=("ward",))
    study, _ = formed(replace(study, queries=(study.queries[0], more)), 5, True)
    plans = tuple(compile_query(study, query) for query in study.queries)
    answers = [
        Answer(plans[0], ((400, 310, -250, 90, 30, 601),), None),
        Answer(plans[1], ((700, -150, 640),), None),
    ]
    found, expected = consistent_figures(answers), planned(plans)
    for place, plan in enumerate(plans):
        made = table(study, plan, answers[place].noisy, consistent=found[place])
        roles = [column.role for column in made.columns]
        for line, row in enumerate(made.rows):
            exact = found[place].value(line)
            assert int(row[roles.index("value")]) == max(0, 5 * round(exact / 5))
            moved = abs(5 * round(exact / 5) - exact)
            half = int(row[roles.index("half-width")])
            assert half == math.floor(found[place].margin + moved) <= expected[place].half_width
        assert made.others and made.excess == excess_text(expected[place], expected[place].errors)


def test_a_plan_says_the_margins_of_what_is_published_and_its_share_buys_them() -> None:
    plain, bare = formed(study_of({}), None, False)
    study, plan = formed(study_of({}), 10, False)
    assert plan.half_width == (bare.half_width or 0) + 5 and plan.unrounded == bare.half_width
    assert plan.canonical == bare.canonical and plan.share == bare.share
    levels, before = levels_of(plan), levels_of(bare)
    assert levels is not None and before is not None
    assert levels.each == tuple(one + 5 for one in before.each)
    assert levels.at_once == tuple(one + 5 for one in before.at_once)
    wanted = Fraction(40)
    share = share_for(study, study.queries[0], wanted)
    assert share is not None
    assert margin_for(study, study.queries[0], share) == wanted
    assert margin_for(plain, plain.queries[0], share) == wanted - 5
    assert share_for(study, study.queries[0], Fraction(4)) is None
    curve, own = noise_curve(plan), noise_curve(bare)
    assert curve is not None and own is not None
    # The noise is as wide as it was; what is marked as its margin has the rounding in it.
    assert np.array_equal(curve.x, own.x) and curve.half_width == own.half_width + 5


def test_a_difference_is_that_of_figures_before_rounding_beside_what_was_published() -> None:
    study, plan = formed(study_of({}), 10, True)
    _, bare = formed(study_of({}), None, False)
    old, new = ((4, 310, -250, 90, 30, 601),), ((14, 300, -3, 90, 36, 601),)
    lines = differences((plan, old), (plan, new))
    before = differences((bare, old), (bare, new))
    assert [(one.value, one.margin) for one in lines] == [(o.value, o.margin) for o in before]
    for figures_of, noisy in ((lambda one: one.earlier, old), (lambda one: one.later, new)):
        made = table(study, plan, noisy)
        roles = [column.role for column in made.columns]
        shown = [figures_of(one) for one in lines]
        assert [str(one.value) for one in shown] == [r[roles.index("value")] for r in made.rows]
        assert [str(one.half_width) for one in shown] == [
            r[roles.index("half-width")] for r in made.rows
        ]


def test_a_house_rule_rounds_counts_and_nothing_else() -> None:
    study, plan = formed(study_of({"query": {"statistic": "sum", "column": "days"}}), 10, False)
    assert plan.form is None
    noisy = ((13, 0, 1, 2, 3, 4),)
    bare, before = formed(study, None, False)
    assert table(study, plan, noisy).rows == table(bare, before, noisy).rows
    of_people = {"query": {"statistic": "rows-per-person", "top_code": 3, "by": []}}
    study, plan = formed(study_of(of_people), 10, False)
    made = table(study, plan, ((13, -18, 7),))
    at = [column.role for column in made.columns].index("value")
    assert [row[at] for row in made.rows] == ["10", "-20", "10"]
    assert plan.query.share == Epsilon.of("0.1")
