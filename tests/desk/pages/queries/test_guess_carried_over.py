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
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import pick_in, settle
from tests.release.studies import STUDY, write_data

SHARE = Epsilon.of("0.1")
COUNT = Query("count-1", "count", by=("sex",), epsilon=SHARE, expected=3000)

Opened = Callable[..., QueriesPage]


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path, home: Home) -> Opened:
    def made(*queries: Query) -> QueriesPage:
        write_data(tmp_path)
        study = replace(STUDY, queries=queries)
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
    assert "another query" in page.card(page.selected).accuracy.expected.hint


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
