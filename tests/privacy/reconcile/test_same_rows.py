# SPDX-License-Identifier: Apache-2.0
"""Only answers over the same rows are made consistent, and one draw counts once."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy.compiler import compile
from dpdesk.privacy.reconcile import same_rows
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.joined_tables import added_by
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.privacy.reconcile.same_rows import Answer, joined
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.distribution import tree_of
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit

SHARE = Epsilon.of("0.5")
UNIT = Unit("id", 2)
ICU = (IsIn("icu", ("yes",)),)


def query(id: str, *by: str, **members: Any) -> Query:
    return Query(id, epsilon=SHARE).having(by=by, **members)


def answers(*queries: Query, unit: Unit = UNIT, drawn_in: tuple[int, ...] = ()) -> list[Answer]:
    rest, zero = Replace("a"), Replace(Decimal(0))
    columns = (
        CategoryColumn("ward", ("a", "b", "c"), missing=rest, unknown=rest),
        CategoryColumn("sex", ("a", "b"), missing=rest, unknown=rest),
        CategoryColumn("icu", ("yes", "no")),
        CategoryColumn("home", ("yes", "no")),
        NumberColumn("days", Decimal(0), Decimal(9), Decimal("0.5")),
        NumberColumn("known", Decimal(0), Decimal(99), Decimal("0.5"), zero, zero),
    )
    budget, source = Budget("registry", Epsilon.of(50)), DataSource("f.csv", extract="x")
    plans = compile(
        Study(data=source, unit=unit, budget=budget, columns=columns, queries=queries)
    ).queries
    entries = drawn_in or (1,) * len(plans)
    return [
        Answer(plan, tuple(tuple(range(10, 10 + part.cells)) for part in plan.parts), entry)
        for plan, entry in zip(plans, entries, strict=True)
    ]


def sets(*queries: Query, **more: Any) -> list[list[str]]:
    every = tuple(answers(*queries, **more))
    return [
        [every[place].plan.query.id for place in one]
        for one in joined([a.plan for a in every], [a.drawn_in for a in every])
    ]


def people(id: str, *by: str) -> Query:
    return query(id, *by, statistic="count-people")


def total(id: str, *by: str) -> Query:
    return query(id, *by, statistic="sum", column="days")


ALL = [["a", "b"]]
CASES: dict[str, tuple[tuple[Query, ...], list[list[str]]]] = {
    "groups and their total": ((query("a"), query("b", "ward")), ALL),
    "two groupings": ((query("a", "sex"), query("b", "ward")), ALL),
    "one of them drops rows": ((query("a"), query("b", "icu")), []),
    "each drops others": ((query("a", "home"), query("b", "icu")), []),
    "both drop the same": ((query("a", "icu", "ward"), query("b", "icu")), ALL),
    "equal conditions": ((query("a", where=ICU), query("b", "ward", where=ICU)), ALL),
    "other conditions": ((query("a"), query("b", "ward", where=ICU)), []),
    "sums": ((total("a"), total("b", "ward")), ALL),
    "sums and counts": ((query("a"), total("b", "ward")), []),
    "rows and people": ((query("a", "ward"), people("b", "sex")), []),
    "people with several rows": ((people("a"), people("b", "ward")), []),
    "one draw": ((query("a", "ward"), query("b", "ward")), []),
    "two draws": ((query("a", "ward"), query("b", "ward", epsilon=Epsilon.of(1))), ALL),
}


@pytest.mark.parametrize("name", CASES)
def test_who_is_joined(name: str) -> None:
    queries, wanted = CASES[name]
    assert sets(*queries) == wanted


def test_people_with_one_row_are_added_up() -> None:
    both = (people("a"), people("b", "ward"))
    assert sets(*both, unit=replace(UNIT, max_rows=1)) == ALL
    same = (people("a", "ward"), people("b", "ward").having(epsilon=Epsilon.of(1)))
    assert sets(*same) == ALL  # nobody is added to anybody


def test_a_public_total_alone_joins_nothing() -> None:
    unit = Unit("id", 1, "change-one", people=50)
    apart, shared = query("a", "sex"), query("b", "ward")
    assert sets(apart, shared, unit=unit) == []
    assert sets(apart, shared, query("c", "sex", "ward"), query("d"), unit=unit) == [
        ["a", "b", "c"]
    ]


def test_sums_do_not_add_up_to_how_many_rows_there_are() -> None:
    unit = Unit("id", 1, "change-one", people=50)
    sums = (query(by, by, statistic="sum", column="known") for by in ("sex", "ward"))
    both = answers(*sums, unit=unit)
    found = consistent_figures(both)
    # Half days: 21, and 33 whose variance is 3/2 of that.
    whole = sum(found[0].value(line) for line in range(2))
    assert whole == sum(found[1].value(line) for line in range(3)) > 0
    assert whole == pytest.approx((21 * 3 + 33 * 2) / 5 / 2, abs=0.01)


def test_of_one_count_behind_a_share_of_a_public_number_nothing_else_is_asked() -> None:
    unit = Unit("id", 1, "change-one", people=50)
    share = query("a", statistic="share", has=(IsIn("ward", ("a",)),))
    counts = query("b", "ward"), query("c", "sex", "ward")
    assert sets(share, *counts, unit=unit) == [["b", "c"]]
    assert sets(share, replace(share, id="d").having(epsilon=Epsilon.of(1)), unit=unit) == []
    # By sex both of its counts are drawn in each group, and a public total moves them by itself.
    assert sets(share.having(by=("sex",)), query("b", "icu"), unit=unit) == [["a"]]
    assert sets(share.having(by=("sex",)), *counts, unit=unit) == [["a", "b", "c"]]


def test_bins_that_are_groups_already_or_hold_a_public_number_are_left_alone() -> None:
    edges = (Decimal(5),)
    bins = query("a", statistic="distribution", column="days", edges=edges)
    own = query("b", Bins("days", edges))  # type: ignore[arg-type]
    assert sets(bins, own) == ALL
    assert sets(replace(bins, by=own.by), own) == []
    # Of two bins with a public total the first is drawn, and tells all there is.
    unit = Unit("id", 1, "change-one", people=50)
    kept = replace(bins, parameters=replace(bins.parameters, column="known"))
    assert sets(kept, query("b", "ward"), query("c", "ward", "sex"), unit=unit) == [["b", "c"]]
    by = Bins("known", edges)
    same = query("b", by), query("c", by, "ward")  # type: ignore[arg-type]
    assert sets(kept, *same, unit=unit) == [["b", "c"]]
    # So does what is read off a tree over all rows, whose total is public.
    many = tuple(map(Decimal, range(1, 99)))
    tree = kept.having(edges=many)
    of_public, of_secret = answers(tree, unit=unit) + answers(tree)
    assert not tree_of(of_public.plan).is_bins
    assert added_by(of_secret.plan).of_tree
    assert not same_rows.is_additive(of_public.plan)


@pytest.mark.parametrize("statistic", ["share", "distribution"])
@pytest.mark.parametrize("where", [(), ICU])
@pytest.mark.in_turn(2)
def test_by_few_groups_a_public_total_alone_narrows_margins_that_hold(
    statistic: Any, where: Any
) -> None:
    """400 draws: more than 42 that miss have a chance below one in 10,000."""
    unit = Unit("id", 1, "change-one", people=5_000)
    members: dict[str, Any] = {"has": (IsIn("ward", ("a",)),), "expected": 2_500}
    if statistic == "distribution":
        members = {"column": "known", "edges": tuple(map(Decimal, (20, 40, 60, 80)))}
    asked = query("q", "sex", statistic=statistic, where=where, **members)
    (answer,) = answers(asked, unit=unit)
    plan = answer.plan
    if where:
        assert sets(asked, unit=unit) == []  # how many rows it is of is secret
        return
    (joined_plan,) = planned([plan])
    narrower = {"share": 0.88, "distribution": 0.72}[statistic]
    assert joined_plan.half_width < narrower * plan.half_width
    exact = [2_400, 200, 2_000, 400] if statistic == "share" else [300] * 9 + [2_300]
    dice, p, missed = np.random.default_rng(5), 1 - np.exp(-1 / plan.parts[0].scale), 0
    for noises in dice.geometric(p, (400, len(exact))) - dice.geometric(p, (400, len(exact))):
        noisy = tuple(int(a + z) for a, z in zip(exact, noises, strict=True))
        found = consistent_figures([replace(answer, noisy=(noisy,))])[0]
        assert sum(found.value(line) for line in range(len(exact))) == 5_000
        if statistic == "share":
            (figure,) = METHODS["share"].consistent_figures_at(plan, found, 0, 0.05)
            missed += figure is None or abs(figure.value - Fraction(1, 13)) > figure.half_width
        else:
            up_to = sum(found.value(line) for line in range(5))
            missed += abs(up_to - 1_500) > found.errors.half_width(4, miss=0.05)
    assert missed <= 42


def test_what_adds_up_nothing_says_so() -> None:
    (median,) = answers(query("a", statistic="median", column="days"))
    assert not same_rows.is_additive(median.plan)
    with pytest.raises(ValueError, match="not additive"):
        added_by(median.plan)


def test_rows_that_another_release_kept_are_others() -> None:
    assert sets(query("a"), query("b", "ward"), drawn_in=(1, 2)) == []


def test_too_many_cells_are_left_as_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same_rows, "MOST_CELLS", 3)
    assert sets(query("a"), query("b", "ward")) == []


def test_a_question_asked_twice_counts_once() -> None:
    once = answers(query("a", "ward"), query("b"))
    twice = answers(query("a", "ward"), query("b"), query("c", "ward"))
    found, again = consistent_figures(once), consistent_figures(twice)
    assert again[0].numerators == again[2].numerators == found[0].numerators
    assert (again[1].noises, again[1].margin) == (found[1].noises, found[1].margin)


def test_under_a_limit_for_each_group_the_same_groupings_and_limit_alone_are_one_set() -> None:
    """A person with two rows in one ward, of both sexes: one row by ward, two by ward and sex."""
    unit = replace(UNIT, max_rows=3)
    one, two = {"rows_per_group": 1}, {"rows_per_group": 2}
    twice = query("a", "ward", "sex", **one), query("b", "sex", "ward", **one)
    assert sets(*twice, unit=unit) == [["a", "b"]]
    others = query("c", "ward", **one), query("d", "ward", "sex", **two), query("e", "ward", "sex")
    assert sets(twice[0], *others, unit=unit) == []
    assert sets(*others, query("f", "ward"), unit=unit) == [["e", "f"]]


def test_of_two_counts_with_a_public_total_the_one_that_was_drawn_gives_the_other() -> None:
    """By sex 10 was drawn, so 10 and 40; by sex and ward 33 and 42, of four times the variance."""
    unit = Unit("id", 1, "change-one", people=50)
    found = consistent_figures(answers(query("a", "sex"), query("b", "sex", "ward"), unit=unit))
    first, second = (found[0].value(line) for line in (0, 1))
    assert first + second == 50
    # Of 10, 33 and 50 - 42, the last two of three cells each: (10 + 33/12 + 8/12) / (1 + 2/12).
    assert first == pytest.approx(11.5, abs=0.05)
    by_ward = [found[1].value(line) for line in range(6)]
    assert (sum(by_ward[:3]), sum(by_ward[3:])) == (first, second)
