# SPDX-License-Identifier: Apache-2.0
"""A query says of what it is: rows within the limit, or people with one row each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from dpdesk.desk.pages.queries.sentence.choice_pickers import is_of_either
from dpdesk.desk.pages.queries.sentence.picker import NOTHING
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


def test_a_limit_for_each_group_is_picked_and_goes_with_the_groups(opened: Opener) -> None:
    query = STUDY.queries[0].having(by=("sex",), where=())
    page = page_of(window := opened(query))

    def card() -> Any:
        return page.card(page.selected).sentence

    card().chip("add").click()
    card().anchor.popup.chosen.emit(("limit",))
    popup = card().anchor.popup
    texts = [popup.list.item(at).text() for at in range(popup.list.count())]
    assert texts == ["at most 1 row per person and group", "at most 2 rows per person and group"]
    popup.chosen.emit(("1",))
    settle()
    assert window.session.document.study.queries[0].rows_per_group == 1
    assert window.session.state.plans[page.selected].parts[0].measure.rows_per_group == 1
    chip = card().chip("rows_per_group")
    assert chip.text() == "at most 1 row per person and group"
    chip.click()
    card().anchor.popup.chosen.emit(("2",))
    settle()
    assert window.session.document.study.queries[0].rows_per_group == 2
    card().chip("group-0").click()
    card().anchor.popup.chosen.emit((NOTHING,))
    settle()
    after = window.session.document.study.queries[0]
    assert (after.by, after.rows_per_group) == ((), None)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"by": ()}, "needs groups"),
        ({"statistic": "count-people"}, "not for this statistic"),
        ({"unit": 1}, "1 per person anyway"),
    ],
)
@pytest.mark.in_turn(2)
def test_why_there_is_no_limit_for_each_group_is_said(
    opened: Opener, changes: dict[str, Any], said: str
) -> None:
    rows = changes.pop("unit", 3)
    unit = replace(STUDY.unit or Unit(), max_rows=rows)
    query = STUDY.queries[0].having(**{"by": ("sex",), "where": (), **changes})
    page = page_of(opened(query, unit=unit))
    sentence = page.card(page.selected).sentence
    sentence.chip("add").click()
    items = [
        sentence.anchor.popup.list.item(at) for at in range(sentence.anchor.popup.list.count())
    ]
    (item,) = [one for one in items if one.text().startswith("Fewer rows per person in a group")]
    assert item.text().endswith(said)
    assert not item.flags() & Qt.ItemFlag.ItemIsEnabled


OF_PEOPLE_ALREADY = ("count-people", "rows-per-person", "categories-found")


@pytest.mark.parametrize("statistic", ["count", "mean", "share", "median", *OF_PEOPLE_ALREADY])
def test_what_counts_people_already_is_of_nothing_else(statistic: Any) -> None:
    can = statistic not in OF_PEOPLE_ALREADY
    query = Query("q").having(statistic=statistic)
    assert is_of_either(Study(unit=Unit("pid", 3)), query) is can
    assert not is_of_either(Study(unit=Unit()), query)
