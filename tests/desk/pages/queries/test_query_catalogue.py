# SPDX-License-Identifier: Apache-2.0
"""Every statistic can be asked in the window, as a sentence, without a crash on the way."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.queries.sentence.choice_pickers import SEVERAL
from dpdesk.desk.pages.queries.sentence.picker import NOTHING
from dpdesk.desk.pages.queries.sentence.query_sentence import QuerySentence
from dpdesk.desk.pages.sentence.numbers_dialog import NumbersDialog
from dpdesk.desk.text import words
from dpdesk.privacy.planning.weak import rows_of_an_age
from dpdesk.study.checks.query_checks import check_query
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, has_open_end
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS, Statistic
from tests.desk.conftest import OpenWindow
from tests.desk.screens import pick, pick_in, settle, spoken, takes_keyboard, texts
from tests.turns import in_turn

COLUMNS = (
    NumberColumn("age", Decimal(0), Decimal(110), Decimal(1), label="years"),
    CategoryColumn("ward", ("A", "B", "C")),
    YesNoColumn("diabetes", ("yes",), ("no",)),
    YesNoColumn("asthma", ("yes",), ("no",)),
    DateColumn("admitted", date(2021, 1, 1), date(2022, 12, 31)),
    NumberColumn("stay", Decimal(0), Decimal(60), Decimal(1), label="days"),
)


@pytest.fixture
def page(open_window: OpenWindow, study_file: Path) -> QueriesPage:
    window: MainWindow = open_window(study_file)
    study = window.session.state.study
    first = replace(study.queries[0], id="count-1", where=(), by=())
    window.session.edit(replace(study, columns=COLUMNS, queries=(first,)), "")
    window.go_to("queries")
    settle()
    found = window.pages["queries"]
    assert isinstance(found, QueriesPage)
    return found


def sentence(page: QueriesPage) -> QuerySentence:
    return page.card(page.selected).sentence


def asked(page: QueriesPage) -> Query:
    return page.state.study.queries[0]


def said(page: QueriesPage) -> str:
    """The sentence as it is read."""
    return " ".join(texts(sentence(page)))


def choose(page: QueriesPage, statistic: Statistic) -> None:
    pick_in(sentence(page), "statistic", statistic)


def test_a_statistic_is_chosen_with_what_it_needs(page: QueriesPage) -> None:
    # The made-up study keeps the number of people secret, in pure epsilon, and drops rows.
    # Reference rates are from another source: nobody but the custodian has them.
    expected = {
        "randomised-response": {"response-rows-secret", "response-drops-rows"},
        "categories-found": {"found-needs-zcdp"},
        "survival": {"survival-many-rows"},
        "cumulative-incidence": {"survival-many-rows"},
        "standardised-ratio": {"reference-wanted"},
    }
    begun = page.state.study
    for statistic in in_turn(STATISTICS, 3, "statistics"):
        page.session.edit(begun, "")
        settle()
        choose(page, statistic)
        query = asked(page)
        assert query.statistic == statistic
        assert words.statistic(statistic) in said(page)
        problems = {p.code for p in check_query(page.state.study, query, "$")}
        assert problems == expected.get(statistic, set()), (statistic, problems)
        for widget in takes_keyboard(page):
            assert spoken(widget), (statistic, widget)


def test_a_curve_over_time_names_its_time_alone_as_its_column(page: QueriesPage) -> None:
    """It named its event, and its entry, too."""
    choose(page, "survival")
    query = asked(page)
    assert len(query.parameters.names) > 1
    assert sentence(page).chip("column").text() == words.title_of(
        page.state.study, query.column or ""
    )
    time = page.state.study.column(query.column)
    assert isinstance(time, NumberColumn)
    assert time.name == "stay", "an age is no time, where there is another number"
    assert has_open_end(time, query.members["edges"]), "it begins with a bin beyond the highest"
    assert query.members["times"] == (29, 59), "at the end alone noise may hide all figures"
    edited = (query.having(edges=edges) for edges in ((Decimal(30),), (Decimal(20),)))
    found = (query_edits.regrouped(page.state.study, query, one) for one in edited)
    assert [one.members["times"] for one in found] == [(29,), (19, 60)]


def leftovers(study: Study, query: Query) -> set[str]:
    """Members that the query's statistic has no use for."""
    codes = {problem.code for problem in check_query(study, query, "$")}
    return codes & {"member-not-wanted", "column-not-wanted"}


@pytest.mark.parametrize("statistic", STATISTICS)
def test_no_member_of_another_statistic_is_left_behind(statistic: Statistic) -> None:
    study = replace(Study(), columns=COLUMNS)
    for before in STATISTICS:
        first = query_edits.set_statistic(study, Query("q"), before)
        assert not leftovers(study, query_edits.set_statistic(study, first, statistic)), before


@pytest.mark.in_turn(2)
def test_nor_in_the_window(page: QueriesPage) -> None:
    for before in ("quantiles", "cut-off", "distribution", "share", "most-common"):
        for statistic in (before, "count"):
            choose(page, statistic)  # type: ignore[arg-type]
            assert asked(page).statistic == statistic
            assert not leftovers(page.state.study, asked(page))


def test_a_name_follows_its_statistic_unless_it_was_given_by_hand(page: QueriesPage) -> None:
    choose(page, "mean")
    assert asked(page).id == "mean-age-1"
    assert page.selected == "mean-age-1"
    choose(page, "median")
    assert asked(page).id == "median-age-1"
    study = page.state.study
    named = replace(study, queries=(replace(asked(page), id="how-old"),))
    page.session.edit(named, "")
    settle()
    choose(page, "sum")
    assert asked(page).id == "how-old"


def test_a_heading_that_named_the_old_statistic_goes(page: QueriesPage) -> None:
    titled = replace(asked(page), title="Patients")
    page.session.edit(replace(page.state.study, queries=(titled,)), "")
    settle()
    choose(page, "count")
    assert asked(page).title == "Patients"
    choose(page, "mean")
    assert asked(page).title == ""


def test_bins_are_typed_and_shown_as_they_will_be_printed(page: QueriesPage, qtbot: QtBot) -> None:
    pick_in(sentence(page), "add", "group", "bins\0age")
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, NumbersDialog)
    dialog.field.edit.selectAll()
    qtbot.keyClicks(dialog.field.edit, "18; 65; 200")
    assert "200" in dialog.field.error
    dialog.field.edit.selectAll()
    qtbot.keyClicks(dialog.field.edit, "18 65")
    assert dialog.field.error == ""
    assert dialog.note.text() == "Bins: 0 to 17; 18 to 64; 65 to 110"
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()
    assert asked(page).by == (Bins("age", (Decimal(18), Decimal(65))),)
    assert "in bins from" in said(page)
    assert "18; 65" in said(page)


def test_quantiles_are_judged_as_they_are_typed(page: QueriesPage, qtbot: QtBot) -> None:
    choose(page, "quantiles")
    sentence(page).chip("quantiles").click()
    settle()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, NumbersDialog)
    for typed, wrong in (("0.5; 0.2", True), ("1.5", True), ("x", True), ("", True)):
        dialog.field.edit.selectAll()
        dialog.field.set_text(typed)
        dialog._show()
        assert bool(dialog.field.error) == wrong, typed
    dialog.field.set_text("0,1; 0.9")
    dialog._show()
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()
    assert asked(page).members["quantiles"] == (Decimal("0.1"), Decimal("0.9"))


def test_a_share_says_its_property(page: QueriesPage) -> None:
    choose(page, "share")
    assert asked(page).members["has"] == (IsIn("diabetes", ("yes",)),)
    assert "of rows where" in said(page)
    assert "diabetes is yes" in said(page)


def test_a_rate_says_at_which_one_its_margin_is_planned(page: QueriesPage) -> None:
    """One event in five longest exposures, 60 days: at a higher rate the margin is wider."""
    choose(page, "rate")
    assert sentence(page).chip("typical").text() == "3.4 assumed"


def test_a_rate_says_at_which_mean_exposure_its_margin_is_planned(
    page: QueriesPage, qtbot: QtBot
) -> None:
    choose(page, "rate")
    chip = sentence(page).chip("expected_exposure")
    assert "with a mean of" in said(page)
    assert chip.text() == "30 assumed", "halfway between 0 and 60 days"
    chip.click()
    settle()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, NumbersDialog)
    dialog.field.set_text("60.5")
    dialog._show()
    assert "within the bounds of “stay”" in dialog.field.error
    dialog.field.set_text("7.5")
    dialog._show()
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()
    assert sentence(page).chip("expected_exposure").text() == "7.5"
    assert asked(page).members["expected_exposure"] == Decimal("7.5")


def test_a_standardised_rate_says_how_many_rows_each_age_group_needs(page: QueriesPage) -> None:
    choose(page, "standardised-rate")
    (plan,) = page.state.plans.values()
    ages, size = rows_of_an_age(plan) or (0, 0)
    assert (ages, size) == (9, size) and size > 1
    shown = " ".join(texts(page.card(page.selected)))
    assert f"Each of the 9 age groups needs about {size} rows" in shown


def test_the_most_common_of_several_columns(page: QueriesPage) -> None:
    choose(page, "most-common")
    pick_in(sentence(page), "column", SEVERAL)
    pick(sentence(page).anchor.popup, "diabetes", "asthma")
    query = asked(page)
    assert (query.column, query.members.get("columns")) == (None, ("diabetes", "asthma"))
    assert tuple(check_query(page.state.study, query, "$")) == ()
    assert "diabetes, asthma" in said(page)


def test_a_cut_off_closest_to_a_target(page: QueriesPage) -> None:
    choose(page, "cut-off")
    pick_in(sentence(page), "score", "closest-to-target")
    assert asked(page).members["target"] == 100
    assert tuple(check_query(page.state.study, asked(page), "$")) == ()
    pick_in(sentence(page), "score", "value-times-count")
    assert "target" not in asked(page).members


@pytest.mark.parametrize("statistic", STATISTICS)
def test_a_statistic_without_any_column_asks_for_one(statistic: Statistic) -> None:
    made = query_edits.set_statistic(Study(), Query("q"), statistic)
    assert made.column is None
    assert made.by == ()


def test_too_many_groups_are_let_go(page: QueriesPage) -> None:
    for key in ("ward", "diabetes", "year\0admitted"):
        pick_in(sentence(page), "add", "group", key)
    assert len(asked(page).by) == 3
    choose(page, "distribution")
    assert len(asked(page).by) == DECLARATIONS["distribution"].groups
    pick_in(sentence(page), "group-0", NOTHING)
    assert len(asked(page).by) == DECLARATIONS["distribution"].groups - 1
