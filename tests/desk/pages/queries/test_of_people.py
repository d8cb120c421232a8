# SPDX-License-Identifier: Apache-2.0
"""A query says of what it is: rows within the limit, or people with one row each."""

from __future__ import annotations

from typing import Any

import pytest

from dpdesk.desk.pages.queries.sentence.choice_pickers import is_of_either
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.desk.pages.queries.conftest import Opener, page_of
from tests.desk.screens import settle
from tests.release.studies import STUDY


def test_rows_or_people_are_picked_and_the_noise_follows(opened: Opener) -> None:
    window = opened(STUDY.queries[0].having(by=(), where=()))
    page = page_of(window)
    before = window.session.state.plans[page.selected].parts[0].noise.scale
    chip = page.card(page.selected).sentence.chip("of")
    assert chip.text() == "rows"
    chip.click()
    popup = page.card(page.selected).sentence.anchor.popup
    texts = [popup.list.item(at).text() for at in range(popup.list.count())]
    assert texts == ["rows, at most 3 per person", "people, once each"]
    popup.chosen.emit(("people",))
    settle()
    assert window.session.document.study.queries[0].of == "people"
    assert page.card(page.selected).sentence.chip("of").text() == "people"
    after = window.session.state.plans[page.selected].parts[0].noise.scale
    assert after < before


def test_columns_of_rows_are_not_offered_to_a_query_of_people(opened: Opener) -> None:
    window = opened(Query("q", of="people", epsilon=STUDY.queries[0].epsilon))
    page = page_of(window)
    sentence = page.card(page.selected).sentence
    sentence.chip("first-group").click()
    popup = sentence.anchor.popup
    assert [popup.list.item(at).text() for at in range(popup.list.count())] == [
        "No column that makes groups is declared in Columns yet"
    ]


OF_PEOPLE_ALREADY = ("count-people", "rows-per-person", "categories-found")


@pytest.mark.parametrize("statistic", ["count", "mean", "share", "median", *OF_PEOPLE_ALREADY])
def test_what_counts_people_already_is_of_nothing_else(statistic: Any) -> None:
    can = statistic not in OF_PEOPLE_ALREADY
    query = Query("q").having(statistic=statistic)
    assert is_of_either(Study(unit=Unit("pid", 3)), query) is can
    assert not is_of_either(Study(unit=Unit()), query)
