# SPDX-License-Identifier: Apache-2.0
"""A weak query says so in its card and at Review, with one button that makes the one change."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.text import weak_words
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.parameters import ColumnParameters, PropertyParameters
from dpdesk.study.model.queries import Query
from tests.desk.pages.queries.conftest import Opener, page_of
from tests.desk.screens import settle

TENTH = Epsilon.of("0.1")
MEAN = Query("days", "mean", ColumnParameters("days"), by=("sex",), epsilon=TENTH, expected=5)
USABLE = replace(MEAN, expected=5_000)


def test_a_closed_card_shows_that_its_query_says_little(opened: Opener) -> None:
    page = page_of(opened(replace(USABLE, id="first", by=()), MEAN))
    first, second = page.card("first"), page.card("days")
    assert page.selected == "first" and second.is_marked and not first.is_marked
    assert second.accessibleName().endswith("needs attention")
    assert "too noisy" in second.accessibleName(), "it says why, beside the sign"
    assert "Check 1 marked query." in page.footer.sentence
    study = page.state.study
    page.session.edit(replace(study, queries=(study.queries[0], USABLE)), "Change a query")
    settle()
    assert not page.card("days").is_marked
    assert not page.card("days").accessibleName().endswith("needs attention")


def test_a_closed_card_says_what_its_margin_lacks(opened: Opener) -> None:
    lacking = replace(MEAN, expected=None)
    page = page_of(
        opened(
            replace(USABLE, id="open"),
            lacking,
            replace(lacking, id="whole", by=()),
            replace(USABLE, id="usable"),
        )
    )
    grouped, whole, usable = (page.card(one) for one in ("days", "whole", "usable"))
    assert ", no group size estimated, 0.10, " in grouped.accessibleName()
    assert ", no number of rows estimated, 0.10, " in whole.accessibleName()
    assert ", needs a " not in usable.accessibleName()
    assert "no group size estimated" in {label.shown for label in grouped.findChildren(ElidedLabel)}


def press(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]
    settle()


def test_a_usable_query_has_no_banner(opened: Opener) -> None:
    page = page_of(opened(USABLE))
    assert not page.card("days").weak.isVisible()
    assert "look" not in page.footer.sentence


def test_the_button_makes_the_one_change_in_one_undo_step(opened: Opener) -> None:
    window = opened(MEAN)
    card = page_of(window).card("days")
    assert card.weak.isVisible()
    assert card.weak.accessibleName().startswith("The margin is")
    assert "Check 1 marked query" in page_of(window).footer.sentence
    before = window.session.state.study
    wanted = window.session.state.weak[0].remedy
    assert wanted.study is not None
    press(card.weak.action)
    assert window.session.state.study == wanted.study != before
    window.session.document.undo_stack.undo()
    settle()
    assert window.session.state.study == before


def test_what_gets_weak_under_the_hand_is_said_once_the_key_is_shown(opened: Opener) -> None:
    window = opened(USABLE)
    window.activateWindow()
    card = page_of(window).card("days")
    edit = card.accuracy.expected.edit
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "5")
    state = window.session.state
    assert state.weak and not card.weak.isVisible()
    settle()
    assert card.weak.isVisible()
    assert card.weak.action.text() == weak_words.action(state.study, state.weak[0])
    # What is on show already follows each key at once.
    QTest.keyClicks(edit, "0")
    state = window.session.state
    assert card.weak.action.text() == weak_words.action(state.study, state.weak[0])
    QTest.keyClicks(edit, "00")
    assert not window.session.state.weak and not card.weak.isVisible()
    # And what is no longer so before it was said is not said.
    edit.selectAll()
    QTest.keyClicks(edit, "5000")
    settle()
    assert not card.weak.isVisible()


def test_without_a_guess_the_button_goes_to_the_field(opened: Opener) -> None:
    window = opened(replace(MEAN, expected=None))
    window.activateWindow()
    card = page_of(window).card("days")
    assert "Estimate the rows in each" in card.weak.accessibleName()
    press(card.weak.action)
    assert card.accuracy.expected.edit.hasFocus()


def test_without_groups_nothing_is_said_of_groups(opened: Opener) -> None:
    window = opened(replace(MEAN, by=(), expected=None))
    card = page_of(window).card("days")
    assert "Estimate how many rows there are" in card.weak.accessibleName()
    expected = card.accuracy.expected
    assert expected.label == "if there are about"
    assert "group" not in expected.edit.accessibleDescription()
    window.session.edit(replace(window.session.state.study, queries=(MEAN,)), "By sex")
    settle()
    assert expected.label == "if a group has about"


def test_a_plan_above_the_studys_limit_says_by_how_much(opened: Opener) -> None:
    window = opened(USABLE)
    study = window.session.state.study
    assert study.budget is not None
    lower = replace(study.budget, epsilon=Epsilon.of("0.04"))
    window.session.edit(replace(study, budget=lower), "")
    settle()
    over = "0.06 over this study’s limit. Press Fit shares"
    assert page_of(window).footer.sentence.startswith(over)
    window.go_to("release")
    settle()
    assert window.pages["release"].footer.sentence.startswith("0.06 over this study’s limit")


def test_the_field_that_asks_is_brought_on_show(opened: Opener) -> None:
    window = opened(replace(MEAN, expected=None))
    window.activateWindow()
    window.resize(window.minimumSize())
    settle()
    page = page_of(window)
    card, room = page.card("days"), page.scroll_area.viewport().rect()
    field = card.accuracy.expected
    for way in (window.show_size, lambda _query: press(card.weak.action)):
        page.scroll_area.verticalScrollBar().setValue(0)
        card.accuracy._tabs.button(1).click()
        settle()
        way("days")
        settle()
        top = field.edit.mapTo(page.scroll_area.viewport(), field.edit.rect().topLeft())
        assert field.isVisible() and field.edit.hasFocus()
        assert room.contains(field.edit.rect().translated(top)), top


def test_a_count_by_group_asks_how_large_the_groups_are(opened: Opener) -> None:
    window = opened(Query("n", by=("sex",), epsilon=TENTH))
    window.activateWindow()
    card = page_of(window).card("n")
    assert card.weak.accessibleName().startswith("The size of the groups has not been entered.")
    press(card.weak.action)
    edit = card.accuracy.expected.edit
    assert edit.hasFocus()
    QTest.keyClicks(edit, "5000")
    settle()
    assert window.session.state.study.queries[0].expected == 5_000
    assert not card.weak.isVisible()
    window.session.edit(
        replace(window.session.state.study, queries=(Query("n", epsilon=TENTH),)), ""
    )
    settle()
    assert not page_of(window).card("n").accuracy.expected.isVisible()


def test_review_leads_to_where_a_groups_size_is_typed(opened: Opener) -> None:
    asked = Query("n", by=("sex",), epsilon=TENTH)
    window = opened(asked)
    window.activateWindow()
    window.go_to("release")
    settle()
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    (banner,) = page.review.weak
    press(banner.action)
    queries = page_of(window)
    assert window.page == "queries" and queries.selected == "n"
    assert queries.card("n").accuracy.expected.edit.hasFocus()


def test_review_names_each_weak_query_and_stops_nothing(opened: Opener) -> None:
    twin = replace(MEAN, id="again", epsilon=Epsilon.of("0.2"))
    window = opened(MEAN, twin)
    window.go_to("release")
    settle()
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    said = [banner.accessibleName() for banner in page.review.weak]
    assert [text.split(".")[0] for text in said] == ["Query 1", "Query 2", "Query 2"]
    assert "the same request" in said[1]
    assert page.footer.primary is not None
    assert page.footer.primary.isEnabled()
    press(page.review.weak[1].action)
    (query,) = window.session.state.study.queries
    assert query.epsilon == Epsilon.of("0.3")


def test_the_foot_of_release_says_how_many_queries_say_little(opened: Opener) -> None:
    """On a low screen their banners stand below its edge."""
    window = opened(MEAN)
    window.go_to("release")
    settle()
    release = window.pages["release"]
    assert isinstance(release, ReleasePage)
    assert release.footer.sentence == "Check 1 query."
    assert release.release_button.isEnabled()


def test_in_a_low_window_the_foot_says_what_the_banner_says(opened: Opener) -> None:
    window = opened(MEAN)
    page = page_of(window)
    banner = page.card("days").weak.accessibleName()
    assert not page.is_low and "planned" in page.footer.sentence
    window.resize(683, 384)
    settle()
    assert page.is_low
    said = page.footer.sentence.partition(": ")[2]
    assert said and banner.startswith(said)


def test_a_share_says_which_rows_are_left_out_and_counts_them_by_one_press(opened: Opener) -> None:
    of_one = PropertyParameters((IsIn("sex", ("f",)),))
    window = opened(Query("sex", "share", of_one, epsilon=TENTH, expected=5_000))
    whole = page_of(window).card("sex").open_part.whole
    assert whole.isVisible()
    assert "rows where sex has no value or is not on its list" in whole.accessibleName()
    whole.action_pressed.emit()
    settle()
    assert not whole.isVisible()
    (column,) = (c for c in window.session.state.study.columns if isinstance(c, CategoryColumn))
    assert column.unknown == "category"
    window.session.document.undo_stack.undo()
    settle()
    assert whole.isVisible()
