# SPDX-License-Identifier: Apache-2.0
"""The replay proof is sharp: for each statistic some neighbours are as far apart as declared.

A sensitivity that is too small is found by replay; one that is too large would only cost
accuracy, and is found here. Both together pin it to the unit.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ByAgeParameters
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS, Statistic
from dpdesk.study.model.unit import Budget, DataSource, Neighbours, Unit
from tests.asking import exists, is_curve, is_exposed, query_for, with_group_limit
from tests.audit.extremes import READ_OFF_TREES, falls_short, furthest
from tests.audit.length import examples
from tests.audit.tables import FILE

pytestmark = pytest.mark.audit


@st.composite
def declarations(draw: st.DrawFn, statistic: Statistic, neighbours: Neighbours) -> Study:
    """One query over any bound, any grid and any groups, on rows that a person may fail to have.

    Without the condition a person under change-one always has a row, which no claim relies on.
    """
    step = draw(st.sampled_from([Decimal(1), Decimal("0.5"), Decimal(3)]))
    lower = draw(st.sampled_from([Decimal(-900), Decimal(-6), Decimal(0), Decimal("0.5")]))
    steps = draw(st.sampled_from([1, 2, 3, 40, 127, 128, 32_768, 40_000_000]))
    if is_exposed(statistic):  # an exposure is 0 or more, and no finer
        lower, steps = max(lower, Decimal(0)), min(steps, 40_000)
    with_person = draw(st.booleans())
    rules = st.sampled_from(["drop", "category"])
    groups = st.sampled_from([(), ("ward",), ("sex",), ("ok",), ("ward", "sex"), ("ok", "ward")])
    if is_exposed(statistic):  # no group that says itself whether there is an event
        groups = groups.filter(lambda by: "ok" not in by)
    of_ages: dict[str, Any] = {}
    if issubclass(DECLARATIONS[statistic].parameters, ByAgeParameters):
        of_ages = {"over": "sex", "edges": ()}  # groups that do not bound the exposure themselves
        groups = groups.filter(lambda by: "sex" not in by)
    stay = NumberColumn("stay", lower, lower + steps * step, step)
    wanted = st.sampled_from(["epsilon", "rho"])
    measure = "rho" if statistic == "categories-found" else draw(wanted)
    shares: dict[str, Any] = {measure: Rho.of(1) if measure == "rho" else Epsilon.of(1)}
    alone = not with_person or statistic == "randomised-response" or is_curve(statistic)
    unit = Unit(
        person="pid" if with_person else None,
        max_rows=1 if alone else draw(st.integers(1, 50)),
        neighbours=neighbours,
        people=None if neighbours == "add-remove" else 3,
    )
    query = query_for(
        statistic,
        stay,
        by=draw(groups)[: DECLARATIONS[statistic].groups],
        where=(IsMissing("stay", False),),
        **shares,
        **of_ages,
    )
    own_half = statistic == "share" and "ok" in query.by  # follows from a row's group
    if not own_half and statistic not in READ_OFF_TREES:
        query = with_group_limit(query, unit, draw(st.integers(0, 4)))
    return Study(
        title="Sharp",
        data=DataSource(FILE, extract="made up"),
        unit=unit,
        budget=Budget("sharp", **shares),
        columns=(
            stay,
            CategoryColumn("ward", ("A", "B", "C"), missing=draw(rules)),
            CategoryColumn("sex", ("F", "M")),
            YesNoColumn("ok", ("yes",), ("no",)),
        ),
        queries=(query,),
    )


ASKED = [
    (statistic, neighbours)
    for statistic in STATISTICS
    for neighbours in get_args(Neighbours)
    if exists(statistic, Unit(neighbours=neighbours), "rho")
]


@pytest.mark.threat("A6")
@pytest.mark.parametrize(("statistic", "neighbours"), ASKED)
@pytest.mark.in_turn(8)
def test_somebody_moves_each_answer_by_all_of_its_sensitivity(
    statistic: Statistic, neighbours: Neighbours, tmp_path: Path
) -> None:
    @settings(
        suppress_health_check=[HealthCheck.too_slow],
        max_examples=examples(short=2, full=200),
    )
    @given(study=declarations(statistic, neighbours))
    def attained(study: Study) -> None:
        found = furthest(study, tmp_path)
        assert found
        assert {name: pair for name, pair in found.items() if falls_short(study, *pair)} == {}

    attained()
