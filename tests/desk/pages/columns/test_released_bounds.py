# SPDX-License-Identifier: Apache-2.0
"""Bounds that are estimated privately: asked for in Columns, released, and used there."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.data.codebook.sources import stated_source
from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.column_form import ColumnForm
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.text import words
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.notices.revoke import Wish, revoke
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.release.signing.keys import new_key
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.studies import write_data

OPEN = NumberColumn("days", step=Decimal(1))


def with_open_bounds(study: Study) -> Study:
    return replace(study, columns=tuple(OPEN if c.name == "days" else c for c in study.columns))


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    """A study whose mean of days waits for the column's bounds."""
    write_data(study_file.parent, people=600)
    made = open_window(study_file, page="columns")
    made.session.edit(with_open_bounds(made.session.state.study), "")
    settle()
    return made


def columns_form(window: MainWindow) -> ColumnForm:
    window.show_column("days")
    settle()
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    return page.form


def queries_page(window: MainWindow) -> QueriesPage:
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def released(window: MainWindow) -> ReleaseDone:
    """The bounds, released from a copy of the study that asks for nothing else."""
    study = window.session.state.study
    query = Query("how-long", "bounds", ColumnParameters("days"), epsilon=Epsilon.of("0.9"))
    alone = replace(with_open_bounds(study), queries=(query,))
    folder = window.session.document.folder
    done = release(alone, folder, window.session.accounts.ledger(), OpenDPDoor())
    window.session.reread_accounts()
    settle()
    return done


def declared(window: MainWindow) -> NumberColumn:
    column = window.session.state.study.column("days")
    assert isinstance(column, NumberColumn)
    return column


def test_the_query_for_the_bounds_is_the_one_that_is_open(window: MainWindow, qtbot: QtBot) -> None:
    waits = next(q for q in window.session.state.study.queries if q.statistic == "mean")
    window.show_query(waits.id)
    form = columns_form(window)
    qtbot.mouseClick(form.estimate, Qt.MouseButton.LeftButton)
    settle()
    page, asked = queries_page(window), query_edits.bounds_query(window.session.state.study, "days")
    assert window.page == "queries" and asked is not None and page.selected == asked.id
    card = page.card(asked.id)
    assert card.isVisible() and card.open_part.isVisible()
    assert card.isAncestorOf(QApplication.focusWidget()), "the keyboard is in it, too"
    first = card.open_part.first
    assert first.isVisible() and "1 query waits for these bounds." in first.accessibleName()
    assert "copy of the study" in first.accessibleName()
    title = words.query_title(window.session.state.study, waits)
    assert first.action.text() == f"Back to {title}"
    first.action.click()
    settle()
    assert page.selected == waits.id
    assert page.card(waits.id).isAncestorOf(QApplication.focusWidget())
    assert not page.card(waits.id).open_part.first.isVisible()


def test_without_a_step_the_estimate_asks_for_it_and_assumes_none(
    window: MainWindow, qtbot: QtBot
) -> None:
    """A step of 1 that nobody declared rounded ages of 0.7 to whole years."""
    study, bare = window.session.state.study, NumberColumn("days")
    without = replace(study, columns=tuple(bare if c.name == "days" else c for c in study.columns))
    window.session.edit(without, "")
    form = columns_form(window)
    form.estimate.click()
    settle()
    step = form.numbers["step"]
    assert window.page == "columns" and window.session.state.study == without
    assert step.error == "Enter the step first; the estimate counts in steps."
    assert step.edit.hasFocus()
    qtbot.keyClicks(step.edit, "0,1")
    settle()
    assert not step.error and declared(window).step == Decimal("0.1")
    form.estimate.click()
    settle()
    assert window.page == "queries" and declared(window).step == Decimal("0.1")
    assert query_edits.bounds_query(window.session.state.study, "days") is not None


def test_another_column_is_not_asked_for_a_step(window: MainWindow) -> None:
    study, bare = window.session.state.study, NumberColumn("days")
    without = replace(study, columns=tuple(bare if c.name == "days" else c for c in study.columns))
    window.session.edit(without, "")
    form = columns_form(window)
    form.estimate.click()
    for name in ("sex", "days"):
        window.show_column(name)
        settle()
    assert not form.numbers["step"].error


def test_asked_again_it_is_opened_again_and_not_added_twice(window: MainWindow) -> None:
    columns_form(window).estimate.click()
    settle()
    page, before = queries_page(window), window.session.state.study.queries
    asked = page.selected
    page.select(before[0].id)
    columns_form(window).estimate.click()
    settle()
    assert page.selected == asked and window.session.state.study.queries == before


def test_where_no_query_waits_the_way_leads_back_to_the_one_that_was_open(
    window: MainWindow,
) -> None:
    study = window.session.state.study
    window.session.edit(replace(study, queries=study.queries[:2]), "")
    window.show_query(study.queries[1].id)
    columns_form(window).estimate.click()
    settle()
    page = queries_page(window)
    first = page.card(page.selected).open_part.first
    assert "wait" not in first.accessibleName()
    first.action.click()
    assert page.selected == study.queries[1].id


def test_released_bounds_are_offered_in_columns_as_in_results(window: MainWindow) -> None:
    new_key(window.session.home.keys, "office@hospital.example", "a pass phrase")
    form = columns_form(window)
    assert not form.released.isVisible(), "nothing was released"
    done = released(window)
    assert form.released.isVisible()
    lower, upper = done.stored.tables[0].rows[0][:2]
    said = form.released.accessibleName()
    assert f"{lower} to {upper} (release 1)" in said
    release_page = window.pages["release"]
    assert isinstance(release_page, ReleasePage)
    release_page.show_release(done)
    settle()
    in_results = release_page.results.table.bounds
    form.released.action.click()
    settle()
    assert declared(window) == in_results
    assert stated_source(declared(window)) == "estimated privately, release 1"
    assert not form.released.isVisible(), "they are declared"
    release_page.show_release(done)
    settle()
    assert release_page.results.table.use_bounds.isHidden(), "there, too"
    window.session.document.undo_stack.undo()
    settle()
    assert declared(window) == OPEN and form.released.isVisible()


def test_a_bound_that_somebody_declared_is_not_talked_over(window: MainWindow) -> None:
    released(window)
    form = columns_form(window)
    assert form.released.isVisible()
    own = replace(OPEN, lower=Decimal(0), upper=Decimal(60), basis="the protocol")
    study = window.session.state.study
    columns = tuple(own if c.name == "days" else c for c in study.columns)
    window.session.edit(replace(study, columns=columns), "")
    settle()
    assert not form.released.isVisible()


def test_withdrawn_bounds_are_not_offered(window: MainWindow) -> None:
    done = released(window)
    assert columns_form(window).released.isVisible()
    info = new_key(window.session.home.keys, "office@hospital.example", "a pass phrase")
    ledger = window.session.accounts.ledger()
    revoke(ledger, Wish("withdrawn", done.sequence, "the wrong file"), info)
    window.session.reread_accounts()
    settle()
    assert not columns_form(window).released.isVisible()


def test_another_account_s_bounds_are_not_offered(window: MainWindow) -> None:
    """Its people may be others."""
    released(window)
    assert columns_form(window).released.isVisible()
    window.session.accounts.ledger().new_account("others", Epsilon.of(1), "for tests")
    study = window.session.state.study
    assert study.budget is not None
    window.session.edit(replace(study, budget=replace(study.budget, account="others")), "")
    window.session.reread_accounts()
    settle()
    assert not columns_form(window).released.isVisible()


def test_what_the_query_for_them_costs_once_they_are_declared_is_said_before(
    window: MainWindow,
) -> None:
    """It asks of the declared range then: what was paid is no answer to it."""
    released(window)
    form = columns_form(window)
    assert "again" not in form.released.accessibleName(), "the study does not ask for them"
    study = window.session.state.study
    share = Epsilon.of("0.9")
    query = Query("how-long", "bounds", ColumnParameters("days"), epsilon=share)
    window.session.edit(replace(study, queries=(query,)), "")
    settle()
    assert "how-long" in window.session.state.answered
    assert "is a new query and costs budget again" in form.released.accessibleName()
    form.released.action.click()
    settle()
    assert "how-long" not in window.session.state.answered
    assert window.session.state.planned == share
