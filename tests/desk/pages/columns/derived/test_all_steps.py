# SPDX-License-Identifier: Apache-2.0
"""A study with every step there is, of rows and of people, on every page of the window."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.derivation import with_operands
from dpdesk.study.model.steps.step import STEPS, FileLabel, OfCase, OfPerson
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.data.preparation.chains import random_chain
from tests.data.tables import FILE, random_columns, random_rows, write_rows
from tests.desk.conftest import OpenWindow


def all_steps() -> Study:
    """A chain that has every step, and a query of people and of rows for each that can be asked."""
    dice = random.Random(11)
    read, columns = random_columns(dice), ()
    # A study of one file has neither cases of further tables nor labels of files.
    wanted = set(STEPS) - {OfCase, FileLabel}
    while {type(c.made_from) for c in columns if c.made_from} != wanted:
        columns = random_chain(dice, read, 60, persons=True)
    first = {type(one.made_from): one.name for one in reversed(columns) if one.made_from}
    needed = with_operands({one.name: one for one in columns}, first.values())
    columns = tuple(one for one in columns if one.name in needed or one in read)
    by_name = {one.name: one for one in columns}
    queries = [Query("people", of="people", epsilon=Epsilon.of("0.1"))]
    for at, one in enumerate(by_name[name] for name in first.values()):
        of = "people" if Study(columns=columns).is_of_person(one.name) else "rows"
        query = Query(f"q{at}", of=of, epsilon=Epsilon.of("0.1"))  # type: ignore[arg-type]
        if isinstance(one, CategoryColumn | YesNoColumn):
            queries.append(query.having(by=(one.name,)))
        elif isinstance(one, NumberColumn):
            queries.append(query.having(statistic="mean", column=one.name, expected=100))
    return Study(
        "All steps",
        data=DataSource(FILE, extract="made up"),
        unit=Unit("pid", 3),
        budget=Budget("steps", Epsilon.of(50)),
        columns=columns,
        queries=tuple(queries),
    )


@pytest.mark.painted
@pytest.mark.in_turn(2)
def test_every_page_shows_it(open_window: OpenWindow, tmp_path: Path, qtbot: QtBot) -> None:
    study = all_steps()
    write_rows(tmp_path, random_rows(random.Random(2), 30))
    save_study(study, tmp_path / "steps.dpdesk")
    window = open_window(tmp_path / "steps.dpdesk", page="columns")
    state = window.session.state
    assert not [p for p in state.problems if p.path.startswith(("$.columns", "$.queries"))]
    assert len(state.plans) == len(study.queries)
    for page in ("data", "people", "columns", "queries", "release", "rehearsal"):
        window.go_to(page)
        qtbot.wait(1)
    window.go_to("columns")
    columns = window.pages["columns"]
    assert isinstance(columns, ColumnsPage)
    for column in study.columns:
        columns.select(column.name)
        qtbot.wait(1)
        assert columns.selected == column.name
    window.go_to("queries")
    queries = window.pages["queries"]
    assert isinstance(queries, QueriesPage)
    for query in study.queries:
        queries.select(query.id)
        qtbot.wait(1)
        assert queries.selected == query.id
    assert window.session.state.study == study
    assert any(isinstance(column.made_from, OfPerson) for column in study.columns)
