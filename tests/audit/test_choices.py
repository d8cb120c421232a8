# SPDX-License-Identifier: Apache-2.0
"""Replay and sharp for what the examples leave out: sets of columns, targets, cut-offs by group."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.study.model.columns import Column, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CutOffParameters, MostCommonParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.asking import on_grid
from tests.audit.extremes import furthest
from tests.audit.length import FULL, examples
from tests.audit.pairs import COLUMNS, EPSILON
from tests.audit.replay import violations
from tests.audit.tables import FILE
from tests.audit.worlds import Neighbours, neighbours

pytestmark = pytest.mark.audit

BY: tuple[tuple[str, ...], ...] = ((), ("ward",))
SEX = YesNoColumn("sex", ("F",), ("M",))


def choices(stay: NumberColumn, by: tuple[str, ...], target: int) -> tuple[Query, ...]:
    """What is chosen: a column of a set, one or both; a value; a value by a target."""
    places = on_grid(stay, 0, 0.2, 0.6, 0.9, 1)
    columns = ("ok", "sex")
    cut = Query(
        "cut", "cut-off", CutOffParameters("stay", candidates=places, score="value-times-count"), by
    )
    return (
        Query("one", "most-common", MostCommonParameters(columns=columns), by=by),
        Query("both", "most-common", MostCommonParameters(columns=columns, top=2), by=by),
        cut,
        cut.having(id="close", score="closest-to-target", target=target),
    )


def with_yes_no(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns of the file, the one of sexes with a yes and a no.

    Without what is made of it as a category.
    """
    read = (column for column in columns if column.made_from is None)
    return tuple(SEX if column.name == "sex" else column for column in read)


def asking(study: Study, by: tuple[str, ...], target: int) -> Study:
    """The study with these questions alone, in its own measure."""
    stay = study.columns[0]
    assert isinstance(stay, NumberColumn)
    price = {q.share.measure: q.share for q in study.queries[:1] if q.share is not None}
    queries = tuple(replace(query, **price) for query in choices(stay, by, target))
    return replace(study, columns=with_yes_no(study.columns), queries=queries)


@pytest.mark.threat("D4")
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=examples(short=12, full=1_500),
)
@given(world=neighbours(), by=st.sampled_from(BY), target=st.integers(1, 60))
def test_one_person_moves_every_choice_by_at_most_its_sensitivity(
    world: Neighbours, by: tuple[str, ...], target: int, tmp_path: Path
) -> None:
    assert violations(replace(world, study=asking(world.study, by, target)), tmp_path) == []


@pytest.mark.parametrize("people", [None, 3], ids=["add-remove", "change-one"])
@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("k", [1, 2, 30] if FULL else [2])
@pytest.mark.parametrize("bounds", [(0, 10), (-10, 10), (-40, -1)])
@pytest.mark.in_turn(6)
def test_somebody_moves_every_choice_by_all_of_its_sensitivity(
    people: int | None, by: tuple[str, ...], k: int, bounds: tuple[int, int], tmp_path: Path
) -> None:
    """But for a set of columns in one cell: these persons move both columns to one side.

    That the rise and the fall of two columns together are attained, its own tests show.
    """
    neighbour_notion = "add-remove" if people is None else "change-one"
    stay = NumberColumn("stay", Decimal(bounds[0]), Decimal(bounds[1]), Decimal(1))
    study = Study(
        title="Choices",
        data=DataSource(FILE, extract="made up"),
        unit=Unit("pid", k, neighbour_notion, people),  # type: ignore[arg-type]
        budget=Budget("audit", EPSILON),
        columns=(stay, *with_yes_no(COLUMNS[1:])),
    )
    for query in choices(stay, by, target=1):
        asked = replace(query, epsilon=EPSILON, where=(IsMissing("stay", False),))
        found = furthest(replace(study, queries=(asked,)), tmp_path)
        ((declared, attained),) = found.values()
        to_one_side = bool(query.members.get("columns")) and people is not None and not by
        assert attained == (declared // 2 if to_one_side else declared), query.id
