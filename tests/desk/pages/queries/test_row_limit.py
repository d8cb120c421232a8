# SPDX-License-Identifier: Apache-2.0
"""The open card, review and results say what the row limit does; People offers rows per person."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.desk.pages.queries.accuracy.query_accuracy import LIMIT, NOISE
from dpdesk.desk.pages.queries.accuracy.row_limit_picture import DotRow
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.text import query_words
from dpdesk.desk.text.result_words import shown_table
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.planning.row_limit import made_up_people
from dpdesk.privacy.published_tables import table
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.desk.pages.queries.conftest import Opener, page_of
from tests.desk.releasing import release_page
from tests.desk.screens import settle, wait_until
from tests.release.studies import STUDY

TENTH = Epsilon.of("0.1")
ROWS = Query("stays", epsilon=TENTH)
PEOPLE = Query("people", "count-people", epsilon=TENTH)
BY_SEX = replace(PEOPLE, id="by-sex", by=("sex",))
MEAN = Query("days", "mean", ColumnParameters("days"), epsilon=TENTH, expected=5_000)
BY_ROWS = Query("rows").having(statistic="rows-per-person", top_code=3, epsilon=TENTH)
NAMED = replace(
    STUDY.unit or Unit(),
    row_name="stay",
    row_names="stays",
    person_name="patient",
    person_names="patients",
)
LIMITED = "At most 3 stays of each patient count, chosen at random."


@pytest.fixture
def opened(opened: Opener) -> Opener:
    """Opens a window about stays of patients."""
    return partial(opened, unit=NAMED)


def test_an_open_card_says_what_is_counted_of_each_person(opened: Opener) -> None:
    page = page_of(opened(ROWS, MEAN, PEOPLE, BY_ROWS, BY_SEX))
    note = page.card("stays").open_part.counted
    assert note.isVisible() and note.accessibleName().startswith(LIMITED)
    assert "Further stays are left out" in note.accessibleName()
    page.select("days")
    settle()
    note = page.card("days").open_part.counted
    assert "The figure describes these stays, not all" in note.accessibleName()
    for query in ("people", "rows"):
        page.select(query)
        settle()
        assert not page.card(query).open_part.counted.isVisible(), query
    page.select("by-sex")
    settle()
    note = page.card("by-sex").open_part.counted
    assert note.isVisible() and "all stays could give more patients" in note.accessibleName()


def test_where_every_row_is_a_person_nothing_is_said(opened: Opener) -> None:
    window = opened(ROWS, unit=Unit(None))
    part = page_of(window).card("stays").open_part
    assert not part.counted.isVisible()
    assert not part.accuracy._tabs.button(LIMIT).isVisible()
    window.go_to("release")
    settle()
    assert not release_page(window).review.counted.isVisible()


def test_a_note_that_was_read_folds_to_its_first_sentence(opened: Opener) -> None:
    note = page_of(opened(ROWS)).card("stays").open_part.counted
    QTest.mouseClick(note.action, Qt.MouseButton.LeftButton)
    settle()
    assert note.accessibleName() == LIMITED
    QTest.mouseClick(note.action, Qt.MouseButton.LeftButton)
    settle()
    assert note.accessibleName() != LIMITED


def test_the_tab_shows_made_up_people_under_the_studys_own_limit(opened: Opener) -> None:
    window = opened(ROWS, PEOPLE)
    page = page_of(window)
    accuracy = page.card("stays").accuracy
    accuracy._tabs.button(LIMIT).click()
    settle()
    picture = accuracy.pictures.limit
    assert picture.isVisible()
    said = picture.accessibleDescription()
    assert said == (
        "1 stay: 1 of 1 counts; 2 stays: 2 of 2 count; 3 stays: 3 of 3 count; "
        "5 stays: 3 of 5 count; 9 stays: 3 of 9 count; Made-up patients; no data was read."
    )
    dots = [row._counts for row in picture.findChildren(DotRow)]
    assert [(sum(one), len(one)) for one in dots[:5]] == [(1, 1), (2, 2), (3, 3), (3, 5), (3, 9)]
    study = window.session.state.study
    unit = replace(study.unit or Unit(), max_rows=1)
    window.session.edit(replace(study, unit=unit), "Change the privacy unit")
    settle()
    assert "3 stays: 1 of 3 counts" in picture.accessibleDescription()


def test_the_tab_goes_with_what_it_is_about(opened: Opener) -> None:
    window = opened(ROWS)
    page = page_of(window)
    accuracy = page.card("stays").accuracy
    accuracy._tabs.button(LIMIT).click()
    settle()
    study = window.session.state.study
    changed = query_edits.set_statistic(study, study.queries[0], "count-people")
    window.session.edit(replace(study, queries=(replace(changed, id="stays"),)), "Change a query")
    settle()
    assert accuracy._tabs.checkedId() == NOISE
    assert not accuracy._tabs.button(LIMIT).isVisible()


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 10_000])
def test_made_up_people_have_fewer_as_many_and_more_rows(limit: int) -> None:
    people = made_up_people(limit)
    assert any(one.rows == limit for one in people)
    assert any(one.rows > limit for one in people)
    for one in people:
        assert one.counted == min(limit, one.rows)


def test_the_review_and_each_card_of_results_say_it(opened: Opener) -> None:
    window = opened(ROWS, PEOPLE, BY_ROWS)
    window.go_to("release")
    settle()
    page = release_page(window)
    assert page.review.counted.isVisible()
    assert page.review.counted.accessibleName().startswith(LIMITED)
    page.start_release()
    wait_until(lambda: page.released_shares is not None and not page.results._coming.are_left)
    rows, people, by_rows = page.results.cards[:3]
    assert f"{LIMITED} Further stays are left out" in rows._note.text()
    assert LIMITED in rows._said(), "a picture can be read alone"
    for card in (people, by_rows):
        assert "stays of each patient count" not in card._note.text()
    assert isinstance(page, ReleasePage)


# --- rows per person ----------------------------------------------------------------------------


def test_people_offers_rows_per_person_once(opened: Opener) -> None:
    window = opened(ROWS)
    window.go_to("people")
    settle()
    page = window.pages["people"]
    assert isinstance(page, PeoplePage) and page.ask_rows.isVisible()
    QTest.mouseClick(page.ask_rows, Qt.MouseButton.LeftButton)
    settle()
    asked = [q for q in window.session.state.study.queries if q.statistic == "rows-per-person"]
    assert [q.members["top_code"] for q in asked] == [10]
    assert window.page == "queries" and page_of(window).selected == asked[0].id
    page.ask_rows_per_person()
    settle()
    assert len(window.session.state.study.queries) == 2


def test_it_is_offered_only_where_people_are_told_apart() -> None:
    alone = replace(STUDY, unit=Unit(None))
    assert query_edits.is_offered(STUDY, "rows-per-person")
    assert not query_edits.is_offered(alone, "rows-per-person")
    assert not query_edits.is_offered(Study(), "rows-per-person")
    assert query_edits.is_offered(alone, "count")
    assert query_edits.ask_rows_per_person(alone, TENTH) == alone


def test_groups_and_conditions_go_where_the_statistic_takes_none(opened: Opener) -> None:
    by_sex = replace(ROWS, by=("sex",), where=(IsIn("sex", ("f",)),))
    changed = query_edits.set_statistic(STUDY, by_sex, "rows-per-person")
    assert changed.by == changed.where == () and changed.members["top_code"] == 10
    sentence = page_of(opened(BY_ROWS)).card("rows").sentence
    assert set(sentence._chips) == {"statistic", "top_code"}
    assert sentence.chip("top_code").text() == query_words.or_more(3) == "3 or more"


def test_its_lines_are_read_as_numbers_of_rows() -> None:
    made = table(STUDY, compile_query(STUDY, BY_ROWS), ((50, 7, 80),))
    shown = shown_table(made, "rows-per-person")
    assert shown.heads[0] == "Number of rows"
    assert shown.labels == ("1", "2", "3 or more")
    assert shown.values == (50.0, 7.0, 80.0)
