# SPDX-License-Identifier: Apache-2.0
"""Groups are compared from the query's sentence, where that is possible; elsewhere it says why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt

from dpdesk.desk.pages.queries.sentence.picker import NOTHING
from dpdesk.desk.pages.queries.sentence.query_sentence import QuerySentence
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.unit import Unit
from tests.desk.pages.queries.conftest import Opener, page_of, settle

COUNT = Query("q", by=("sex",), epsilon=Epsilon.of("0.5"))


def sentence_of(window: Any) -> QuerySentence:
    page = page_of(window)
    found = page.card(page.selected).sentence
    assert isinstance(found, QuerySentence)
    return found


def texts(sentence: QuerySentence) -> list[str]:
    listed = sentence.anchor.popup.list
    return [listed.item(at).text() for at in range(listed.count())]


def pick(sentence: QuerySentence, text: str) -> None:
    listed = sentence.anchor.popup.list
    row = next(at for at in range(listed.count()) if listed.item(at).text() == text)
    listed.setCurrentRow(row)
    listed.itemActivated.emit(listed.item(row))
    settle()


def test_a_comparison_is_picked_changed_and_taken_back(opened: Opener) -> None:
    window = opened(COUNT, unit=Unit())

    def asked() -> Query:
        return window.session.document.study.queries[0]

    sentence_of(window).chip("add").click()
    sentence_of(window).anchor.popup.chosen.emit(("comparison",))
    offered = texts(sentence_of(window))
    labels = window.session.document.study.column("sex").values
    assert offered == [f"compares each group of sex with {label}" for label in labels]
    sentence_of(window).anchor.popup.chosen.emit(("1",))
    settle()
    assert asked().comparisons == (GroupComparison("sex", "groups", labels[1]),)
    assert "q" in window.session.state.plans
    chip = sentence_of(window).chip("comparison-0")
    assert chip.text() == offered[1]
    chip.click()
    sentence_of(window).anchor.popup.chosen.emit(("0",))
    settle()
    assert asked().comparisons == (GroupComparison("sex", "groups", labels[0]),)
    sentence_of(window).chip("group-0").click()
    sentence_of(window).anchor.popup.chosen.emit((NOTHING,))
    settle()
    assert (asked().by, asked().comparisons) == ((), ())


def test_a_model_is_offered_where_there_is_one(opened: Opener) -> None:
    share = COUNT.having(statistic="share", has=(IsIn("sex", ("m",)),))
    window = opened(share, unit=Unit())
    sentence_of(window).chip("add").click()
    sentence_of(window).anchor.popup.chosen.emit(("comparison",))
    first = window.session.document.study.column("sex").values[0]
    said = f"compares each group of sex with {first} by a logistic model"
    pick(sentence_of(window), said)
    (declared,) = window.session.document.study.queries[0].comparisons
    assert declared == GroupComparison("sex", "model", first)
    assert sentence_of(window).chip("comparison-0").text() == said


def test_where_groups_share_people_it_says_why_not(opened: Opener) -> None:
    window = opened(COUNT, unit=Unit("id", 3))
    sentence_of(window).chip("add").click()
    assert "Compare groups: only with 1 row per person" in texts(sentence_of(window))


def test_a_comparison_that_is_not_possible_can_be_taken_back(opened: Opener) -> None:
    declared = replace(COUNT, comparisons=(GroupComparison("sex", "groups", "x"),))
    window = opened(declared, unit=Unit())
    assert "q" not in window.session.state.plans
    sentence_of(window).chip("comparison-0").click()
    sentence_of(window).anchor.popup.chosen.emit((NOTHING,))
    settle()
    assert window.session.document.study.queries[0].comparisons == ()
    assert "q" in window.session.state.plans


def test_what_cannot_explain_a_number_says_what_can(opened: Opener) -> None:
    """A linear model of numbers and yes/no columns: categories are made yes/no columns first."""
    asked = Query("q", epsilon=Epsilon.of("0.5")).having(
        statistic="linear-model", column="nights", columns=("icu",)
    )
    sentence = sentence_of(opened(asked))
    sentence.chip("columns").click()
    listed = sentence.anchor.popup.list
    last = listed.item(listed.count() - 1)
    assert last.text() == "Categories: make a yes/no column of each in Columns"
    assert not last.flags() & Qt.ItemFlag.ItemIsEnabled
    sentence.anchor.popup.close()
