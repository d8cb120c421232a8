# SPDX-License-Identifier: Apache-2.0
"""An interval for the population is switched on where it is known; elsewhere it is said why not."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.queries.accuracy.query_accuracy import QueryAccuracy
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.desk.pages.queries.conftest import Opener, page_of, settle

COUNT = Query("q", by=("sex",), epsilon=Epsilon.of("0.5"))


def test_it_is_switched_on_and_off(opened: Opener, qtbot: QtBot) -> None:
    page = page_of(opened(COUNT, unit=Unit()))
    shown = page.findChild(QueryAccuracy).population
    assert shown.isVisible() and shown.toggle.isEnabled()
    for is_on in (True, False):
        qtbot.mouseClick(shown.toggle, Qt.MouseButton.LeftButton)
        settle()
        assert page.state.study.queries[0].population == is_on
        assert "q" in page.state.plans


def test_where_a_person_may_have_several_rows_it_says_why_not(opened: Opener) -> None:
    page = page_of(opened(COUNT, unit=Unit("id", 3)))
    shown = page.findChild(QueryAccuracy).population
    assert shown.isVisible() and not shown.toggle.isEnabled()
    assert shown.hint.text() == "Only with 1 row per person; ask of people instead."


def test_what_was_switched_on_can_be_taken_back(opened: Opener, qtbot: QtBot) -> None:
    page = page_of(opened(replace(COUNT, population=True), unit=Unit("id", 3)))
    assert "q" not in page.state.plans
    qtbot.mouseClick(page.findChild(QueryAccuracy).population.toggle, Qt.MouseButton.LeftButton)
    settle()
    assert "q" in page.state.plans


def test_a_sum_offers_none(opened: Opener) -> None:
    query = Query("q", "sum", ColumnParameters("days"), epsilon=Epsilon.of("0.5"))
    page = page_of(opened(query, unit=Unit()))
    assert not page.findChild(QueryAccuracy).population.isVisible()


def test_a_mean_has_one_beside_a_variance_of_the_same_rows(opened: Opener, qtbot: QtBot) -> None:
    mean = Query("q", "mean", ColumnParameters("days"), by=("sex",), epsilon=Epsilon.of("0.2"))
    other = replace(mean.having(statistic="variance"), id="other", by=())
    window = opened(mean, other, unit=Unit())
    page = page_of(window)
    shown = page.findChild(QueryAccuracy).population
    assert shown.isVisible() and not shown.toggle.isEnabled(), "another group's rows"
    assert shown.hint.text() == "Only beside a variance of the same column, groups and conditions."
    both = (mean, replace(other, by=("sex",)))
    window.session.edit(replace(page.state.study, queries=both), "")
    settle()
    assert shown.toggle.isEnabled() and "approximately" in shown.hint.text()
    qtbot.mouseClick(shown.toggle, Qt.MouseButton.LeftButton)
    settle()
    assert page.state.study.queries[0].population and "q" in page.state.plans
