# SPDX-License-Identifier: Apache-2.0
"""What follows from a plan is found once, and anew for every plan that is another."""

from __future__ import annotations

import gc
from dataclasses import fields, replace

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.kept_by_plan import KeptByPlan
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning import weak
from dpdesk.privacy.planning.weak import weaknesses
from dpdesk.study.model.amount import Epsilon
from tests.privacy.planning.test_weak import MEAN, STUDY


def test_a_finding_is_kept_for_its_plan_alone_and_goes_with_it() -> None:
    asked: list[QueryPlan] = []
    find = KeptByPlan(lambda plan: asked.append(plan) or plan.share)
    plan = replace(compile_query(STUDY, MEAN))
    assert find(plan) == find(plan) == MEAN.epsilon
    assert len(asked) == 1
    for field in fields(plan):  # an equal plan or one with any other member is another plan
        find(replace(plan, **{field.name: getattr(plan, field.name)}))
    assert len(asked) == 1 + len(fields(plan))
    asked.clear()
    del plan
    gc.collect(1)  # of the young ones: a search of all takes half a second in a long run
    assert len(find) == 0


def test_what_is_weak_follows_each_thing_that_is_changed_and_changed_back() -> None:
    def found(study, query) -> list[tuple[object, ...]]:
        study = replace(study, queries=(query,))
        plans = {query.id: compile_query(study, query)}
        result = weaknesses(study, plans, Epsilon.of("0.5"))
        return [(one.code, one.unit, one.numbers, one.remedy) for one in result]

    before = found(STUDY, MEAN)
    assert before
    narrow = tuple(
        replace(column, upper=column.upper / 10) if column.name == "cost" else column
        for column in STUDY.columns
    )
    others = (
        (STUDY, replace(MEAN, epsilon=Epsilon.of("0.2"))),
        (STUDY, replace(MEAN, expected=61)),
        (STUDY, replace(MEAN, expected=None)),
        (STUDY, MEAN.having(by=("kind",))),
        (replace(STUDY, columns=narrow), MEAN),
        (replace(STUDY, unit=replace(STUDY.unit, max_rows=1)), MEAN),
    )
    for study, query in others:
        assert found(study, query) != before
        assert found(STUDY, MEAN) == before
    assert isinstance(weak._width, KeptByPlan)
