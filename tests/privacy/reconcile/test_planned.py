# SPDX-License-Identifier: Apache-2.0
"""A plan says the margins that its release states of figures that were made consistent."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.confidence_levels import levels_of
from dpdesk.privacy.planning.share_for_margin import margin_for, share_for
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.reconcile import same_rows
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.planned import beside, planned
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Unit
from tests.privacy.reconcile.test_same_rows import ICU, UNIT, answers, people, query, total

ASKED = (query("a"), query("b", "ward"), query("c", "ward", "sex"), total("d"), total("e", "sex"))


def plans_of(unit: Unit = UNIT) -> list[QueryPlan]:
    return [one.plan for one in answers(*ASKED, unit=unit)]


@pytest.mark.parametrize("unit", [UNIT, Unit("id", 1, "change-one", people=90)])
def test_a_plan_says_the_margin_that_its_release_states(unit: Unit) -> None:
    every = answers(*ASKED, unit=unit)
    found, plans = consistent_figures(every), planned([one.plan for one in every])
    assert found.keys() == {place for place, plan in enumerate(plans) if plan.joined is not None}
    for place, figures in found.items():
        plan = plans[place]
        assert plan.half_width == figures.margin < plan.alone.half_width  # type: ignore[operator]
        made = table(Study(), plan, every[place].noisy, (), figures)
        at = [column.role for column in made.columns].index("half-width")
        step = Fraction(1, 10**figures.digits)
        stated = [Fraction(row[at]) for row in made.rows]
        assert all(figures.margin <= one < figures.margin + 3 * step for one in stated)
        known = levels_of(plan)
        assert known is not None and known.each[known.in_100.index(95)] == plan.half_width
        assert known.at_once[0] >= known.each[0]


def test_what_another_entry_drew_keeps_its_own_margin_unless_nothing_is_chosen() -> None:
    plans, entries = plans_of(), {"a": 1, "d": 1}
    stored = planned(plans, lambda plan: entries.get(plan.query.id))
    assert [one.query.id for one in stored if one.joined is not None] == ["b", "c"]
    nothing = planned(plans_of(Unit()), lambda plan: entries.get(plan.query.id))
    assert all(one.joined is not None for one in nothing)


def test_a_margin_that_is_typed_is_bought_beside_the_same_tables() -> None:
    every = answers(*ASKED)
    plans = planned([one.plan for one in every])
    own, share = plans[1], Epsilon.of("0.7")
    study = Study(unit=UNIT, columns=own.question.used)
    dearer = planned([*(one.alone for one in plans[:1]), replace(own.alone), plans[2].alone])
    assert beside(own.alone, own).half_width == own.half_width == dearer[1].half_width
    margin = margin_for(study, own.query, share, own)
    assert margin is not None and margin < (margin_for(study, own.query, share) or 0)
    bought = share_for(study, own.query, margin, own)
    assert bought is not None and bought.units <= share.units
    assert margin_for(study, own.query, bought, own) <= margin  # type: ignore[operator]


def test_plans_that_do_not_change_are_the_same_objects() -> None:
    plans = plans_of()
    first = planned(plans)
    again = planned(first, before={one.query.id: one for one in first})
    assert all(one is other for one, other in zip(first, again, strict=True))
    changed = planned(first[:-1], before={one.query.id: one for one in first})
    assert changed[0] is first[0] and changed[3] is first[3].alone  # its one other table is gone


def test_of_fewer_other_tables_a_plan_is_made_again() -> None:
    first = planned(plans_of())
    left = [one for one in first if one.query.id != "c"]
    again = planned(left, before={one.query.id: one for one in first})
    for old, new, own in zip(left, again, planned([one.alone for one in left]), strict=True):
        assert new.half_width == own.half_width
        assert (new is old) == (new.query.id in "de")  # sums are of another set


def test_what_is_asked_of_other_rows_is_bought_alone() -> None:
    known = planned(plans_of())[1]
    (other,) = answers(query("b", "ward", where=ICU))
    assert beside(other.plan, known) is other.plan
    (median,) = answers(query("b", statistic="median", column="days"))
    assert beside(median.plan, known) is median.plan


def test_tables_with_too_many_cells_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same_rows, "MOST_CELLS", 3)
    left = planned(plans_of())
    assert [one.query.id for one in left if one.is_left_as_drawn] == ["a", "b", "c"]
    assert all(one.half_width == one.alone.half_width for one in left if one.is_left_as_drawn)
    apart = planned([one.plan for one in answers(people("a"), people("b", "ward"))])
    assert not any(one.is_left_as_drawn or one.joined for one in apart)
