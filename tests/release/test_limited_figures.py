# SPDX-License-Identifier: Apache-2.0
"""Which published figures the row limit changes, found by drawing them under every limit.

Sixty people of one to five rows, none with more than the largest limit: under it nothing is left
out, so what is drawn then is what all rows give. The last row of each person is like none before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.privacy.compiler import compile
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Grouping
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS, Statistic
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.counted_rows import counted_rows
from tests.asking import exists, query_for
from tests.audit.pairs import ADD_REMOVE, STAY, every_statistic, row
from tests.audit.tables import Rows
from tests.audit.worlds import run_plan
from tests.doors import RecordingDoor

MOST = 5
PEOPLE = 60
TABLE: Rows = tuple(
    row(str(n), str((n + 2 * k) % 11), *(("A", "M") if k == last else ("BC"[k % 2], "F")))
    for n in range(PEOPLE)
    for last in [n % MOST]
    for k in range(1 + last)
)
GROUPED: tuple[Grouping, ...] = ("sex",)
NARROWED = (IsIn("ward", ("A",)),)
Drawn = list[tuple[tuple[str, ...], tuple[int, ...]]]


def asked() -> Iterator[Query]:
    """Each statistic of all rows, by group, and of those that meet a condition, where it may."""
    for statistic in STATISTICS:
        declared = DECLARATIONS[statistic]
        if not exists(statistic, replace(ADD_REMOVE, max_rows=MOST), "rho"):
            continue
        yield _query(statistic, f"{statistic}-all")
        if declared.groups:
            yield replace(_query(statistic, f"{statistic}-by"), by=GROUPED)
        if not declared.before_limit:
            yield replace(_query(statistic, f"{statistic}-where"), where=NARROWED)


def _query(statistic: Statistic, id: str) -> Query:
    share = next(q.rho for q in every_statistic(ADD_REMOVE, measure="rho").queries)
    return replace(query_for(statistic, STAY, rho=share), id=id)


def drawn(query: Query, unit: Unit, folder: Path) -> Drawn:
    """What the figures are drawn from, without noise."""
    study = every_statistic(unit, measure="rho")
    study = replace(study, queries=(query,))
    door = RecordingDoor()
    run_plan(study, compile(study), folder, TABLE, door)
    return [(call.texts, call.exact) for call in door.calls]


@pytest.mark.parametrize("query", tuple(asked()), ids=lambda query: query.id)
@pytest.mark.in_turn(8)
def test_the_sentence_stands_at_each_figure_that_the_limit_changes_and_at_no_other(
    query: Query, tmp_path: Path
) -> None:
    whole = drawn(query, replace(ADD_REMOVE, max_rows=MOST), tmp_path)
    assert drawn(query, replace(ADD_REMOVE, max_rows=MOST + 1), tmp_path) == whole
    changed = {
        limit
        for limit in range(1, MOST)
        if drawn(query, replace(ADD_REMOVE, max_rows=limit), tmp_path) != whole
    }
    said = bool(counted_rows(Study(unit=ADD_REMOVE), query).limit)
    assert changed == (set(range(1, MOST)) if said else set())


def test_answers_that_may_lie_are_fewer_under_a_limit(tmp_path: Path) -> None:
    query = _query("randomised-response", "flipped")
    people = Unit("pid", 1, "change-one", people=PEOPLE)
    rows = Unit(None, 1, "change-one", people=len(TABLE))
    numbers = [len(drawn(query, unit, tmp_path)[0][1]) for unit in (people, rows)]
    assert numbers == [PEOPLE, len(TABLE)]
    assert counted_rows(Study(unit=people), query).limit
    assert not counted_rows(Study(unit=rows), query).limit
