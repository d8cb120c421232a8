# SPDX-License-Identifier: Apache-2.0
"""The rail counts what the page below counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dpdesk.desk.core.state import StepState
from dpdesk.desk.main_window.rail_view import rail_state, second_line
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.widgets.rail import RailForm
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle


def test_the_rail_says_as_many_to_fix_as_the_page(
    open_window: OpenWindow, study_file: Path
) -> None:
    """Of a column that is wrong and one that is only begun, the first is to be fixed."""
    window = open_window(study_file, page="columns")
    study = window.session.state.study
    number = next(c for c in study.columns if isinstance(c, NumberColumn))
    wrong = replace(number, lower=number.upper, upper=number.lower)
    columns = tuple(wrong if c is number else c for c in study.columns)
    begun = replace(study, columns=(*columns, CategoryColumn("ward")))
    window.session.edit(begun, "")
    settle()
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    assert len(page.state.step_problems("columns")) > 1
    state, second, count = rail_state(page.state, "columns", released=False)
    assert (state, second, count) == (StepState.ATTENTION, "1 to fix", 1)
    sentence = f"1 thing to fix: highest value of {number.title or number.name}."
    assert page.footer.sentence.startswith(sentence), "the field says itself what is wrong"


def test_what_was_released_and_changed_is_not_called_unreleased(
    open_window: OpenWindow, study_file: Path
) -> None:
    """Beside "3 released" no "Not yet": a column was switched on and is not described."""
    window = open_window(study_file)
    study = window.session.state.study
    window.session.edit(replace(study, columns=(*study.columns, CategoryColumn("ward"))), "")
    state = window.session.state
    assert second_line(state, "release", released=False) == "Not yet"
    assert state.account is not None
    spent = replace(state, account=replace(state.account, spent=Epsilon.of("0.3")))
    assert second_line(spent, "release", released=False) == "Not ready", "something was released"
    answered = replace(state, answered=frozenset(query.id for query in study.queries))
    assert second_line(answered, "queries", released=False) == f"{len(study.queries)} released"
    assert second_line(answered, "release", released=False) == "Changed since"


def test_the_tooltip_says_what_the_rows_of_a_person_are(
    open_window: OpenWindow, study_file: Path
) -> None:
    """ "3 rows each" beside an icon alone said neither of whom nor that they are the most."""
    window = open_window(study_file)
    window.resize(1024, 700)
    settle()
    limit = window.session.state.study.unit
    assert limit is not None
    item = window.rail.item("people")
    item.set_form(RailForm.ICONS)
    assert item.toolTip() == f"People: At most {limit.max_rows} rows per person"
    item.set_form(RailForm.NARROW)
    assert item.toolTip() == f"At most {limit.max_rows} rows per person"
