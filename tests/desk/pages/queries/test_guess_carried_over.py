# SPDX-License-Identifier: Apache-2.0
"""A group's size is typed once; groups are chosen in one press."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.queries.sentence.picker import NOTHING
from dpdesk.desk.pages.queries.sentence.query_sentence import FIRST_GROUP
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import pick_in, settle
from tests.release.studies import STUDY, write_data

SHARE = Epsilon.of("0.1")
COUNT = Query("count-1", "count", by=("sex",), epsilon=SHARE, expected=3000)

Opened = Callable[..., QueriesPage]


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path, home: Home) -> Opened:
    def made(*queries: Query, unit: Unit | None = STUDY.unit) -> QueriesPage:
        write_data(tmp_path)
        study = replace(STUDY, unit=unit, queries=queries)
        window = open_window(
            save_with_account(study, tmp_path / "stays.dpdesk", home), page="queries"
        )
        settle()
        page = window.pages["queries"]
        assert isinstance(page, QueriesPage)
        return page

    return made


def shown(page: QueriesPage) -> Query:
    query = page.state.study.query(page.selected)
    assert query is not None
    return query


def test_a_mean_has_its_margin_at_once_where_a_size_was_typed(opened: Opened) -> None:
    page = opened(COUNT)
    page.add_suggested(Query("", "mean", ColumnParameters("days")))
    assert shown(page).expected == 6000
    assert page.state.plans[page.selected].accuracy is not None
    hint = page.card(page.selected).accuracy.expected.hint
    assert "another query" in hint
    assert "Only rows with a value of days count." in hint
    assert "one size" not in hint


def test_uneven_groups_and_missing_values_are_named_beside_the_estimate(opened: Opened) -> None:
    """Which the margin of the plan leaves out, and the margin of the release does not."""
    page = opened(replace(COUNT, by=(), expected=6000))
    page.add_suggested(Query("", "mean", ColumnParameters("days"), by=("sex",)))
    assert shown(page).expected == 3000
    hint = page.card(page.selected).accuracy.expected.hint
    assert "All groups are taken to be of one size." in hint
    assert "A group a tenth as large has about ten times the margin." in hint
    assert "Only rows with a value of days count." in hint


@pytest.mark.parametrize(("max_rows", "size"), [(1, 4000), (3, None)])
def test_not_everybody_has_as_many_rows_as_the_limit(
    opened: Opened, max_rows: int, size: int | None
) -> None:
    """Of a public number of people, rows follow only where each has one."""
    unit = Unit("id", max_rows, "change-one", people=8000)
    page = opened(unit=unit)
    page.add_suggested(Query("", "mean", ColumnParameters("days"), by=("sex",)))
    assert shown(page).expected == size
    hint = page.card(page.selected).accuracy.expected.hint
    assert ("From the public number of people." in hint) == (size is not None)
    assert "another query" not in hint


def test_a_count_that_becomes_a_mean_has_it_too(opened: Opened) -> None:
    page = opened(COUNT)
    page.add_query()
    assert shown(page).expected is None
    pick_in(page.card(page.selected).sentence, "statistic", "mean")
    assert shown(page).expected == 6000


def test_in_other_groups_a_guess_is_one_of_the_same_rows(opened: Opened) -> None:
    mean = Query("mean-1", "mean", ColumnParameters("days"), epsilon=SHARE, expected=900)
    page = opened(mean)
    assert "another query" not in page.card(page.selected).accuracy.expected.hint
    pick_in(page.card(page.selected).sentence, FIRST_GROUP, "sex")
    assert shown(page).by == ("sex",)
    assert shown(page).expected == 450
    pick_in(page.card(page.selected).sentence, "group-0", NOTHING)
    assert shown(page).by == ()
    assert shown(page).expected == 900


def test_nothing_is_carried_over_that_was_not_typed_or_has_a_condition(
    opened: Opened, qtbot: QtBot
) -> None:
    page = opened(replace(COUNT, where=(IsIn("sex", ("f",)),)))
    page.add_suggested(Query("", "mean", ColumnParameters("days")))
    assert shown(page).expected is None
    accuracy = page.card(page.selected).accuracy
    accuracy.expected.edited.emit("500")
    accuracy.expected.edited.emit("")
    assert shown(page).expected is None


def test_the_keyboard_stays_where_the_group_was_chosen(opened: Opened) -> None:
    page = opened(replace(COUNT, by=()))
    sentence = page.card(page.selected).sentence
    sentence.chip(FIRST_GROUP).setFocus()
    pick_in(sentence, FIRST_GROUP, "sex")
    assert sentence.window().focusWidget() is sentence.chip("group-0")
