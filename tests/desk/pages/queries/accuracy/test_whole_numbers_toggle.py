# SPDX-License-Identifier: Apache-2.0
"""Whole numbers, none below zero: switched on where counts are, and what it does is said."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.queries.accuracy.query_accuracy import QueryAccuracy
from dpdesk.desk.text import accuracy_words
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.desk.pages.queries.conftest import Opener, page_of, settle

COUNT = Query("q", by=("sex",), epsilon=Epsilon.of("0.5"))


def test_it_is_switched_on_and_off_and_says_what_it_does(opened: Opener, qtbot: QtBot) -> None:
    page = page_of(opened(COUNT, unit=Unit()))
    shown = page.findChild(QueryAccuracy).whole_numbers
    assert shown.isVisible()
    for is_on in (True, False):
        qtbot.mouseClick(shown.toggle, Qt.MouseButton.LeftButton)
        settle()
        assert page.state.study.queries[0].whole_numbers == is_on
        facts = accuracy_words.facts(page.state.study, page.state.plans["q"])
        assert ("a count of 0 by up to 1.0." in facts) == is_on
        assert shown.hint.text() == "Small counts are then too high on average. Costs nothing."


def test_under_a_house_rule_it_says_to_what_counts_are_rounded(opened: Opener) -> None:
    page = page_of(opened(COUNT, unit=Unit()))
    page.session.edit(replace(page.state.study, rounding=5), "")
    settle()
    shown = page.findChild(QueryAccuracy).whole_numbers
    assert shown.hint.text().startswith("This study rounds counts to 5.")


def test_a_sum_offers_none_and_what_was_switched_on_can_be_taken_back(
    opened: Opener, qtbot: QtBot
) -> None:
    query = Query("q", "sum", ColumnParameters("days"), epsilon=Epsilon.of("0.5"))
    page = page_of(opened(query, replace(query, id="w", whole_numbers=True), unit=Unit()))
    assert not page.findChild(QueryAccuracy).whole_numbers.isVisible()
    assert "w" not in page.state.plans
