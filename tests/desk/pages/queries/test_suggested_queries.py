# SPDX-License-Identifier: Apache-2.0
"""An empty plan offers first queries: one press each, and a double click adds no second one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.queries.suggested_queries import WIDTH_MOST
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle
from tests.release.studies import STUDY, write_data

LEFT = Qt.MouseButton.LeftButton
Opened = Callable[..., QueriesPage]


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path, home: Home) -> Opened:
    def made(**changes: object) -> QueriesPage:
        write_data(tmp_path)
        study = replace(STUDY, **{"queries": (), **changes})  # type: ignore[arg-type]
        window = open_window(save_with_account(study, tmp_path / "stays.dpdesk", home))
        return arrive(window)

    return made


def arrive(window: MainWindow) -> QueriesPage:
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def statistics(page: QueriesPage) -> list[str]:
    return [query.statistic for query in page.state.study.queries]


def test_lists_begin_with_the_columns_that_are_described(opened: Opened) -> None:
    lab = tuple(NumberColumn(f"lab{place}") for place in range(3))
    page = opened(columns=(*lab, *STUDY.columns), queries=STUDY.queries[1:2])
    sentence = page.card(page.selected).sentence
    sentence.chip("group-0").click()
    lines = sentence.anchor.popup.list
    offered = [lines.item(row).text() for row in range(lines.count())]
    assert offered[:3] == ["days in bins…", "sex", "lab0 in bins…"]
    sentence.anchor.popup.close()


def test_of_columns_declared_in_part_it_is_said_why_they_have_no_suggestion(opened: Opened) -> None:
    lab = tuple(NumberColumn(f"lab{place}") for place in range(3))
    page = opened(columns=(*STUDY.columns, lab[0]))
    lacking = page.suggested.lacking
    assert lacking.isVisible()
    assert lacking.text() == "Nothing is suggested for 1 column still to declare: lab0"
    page.session.edit(replace(page.state.study, columns=(*STUDY.columns, *lab)), "")
    assert lacking.text().endswith("3 columns still to declare: lab0, lab1, …")
    page.session.edit(replace(page.state.study, columns=STUDY.columns), "")
    assert not lacking.isVisible() and page.suggested.isVisible()


def test_columns_of_a_codebook_that_no_query_uses_are_switched_off_there(
    opened: Opened, qtbot: QtBot
) -> None:
    """They kept the study from being released; those that a query uses still do."""
    lab = tuple(NumberColumn(f"lab{place}") for place in range(3))
    page = opened(columns=(*STUDY.columns, *lab), queries=STUDY.queries)
    primary = page.footer.primary
    assert primary is not None and not primary.isEnabled() and page.leave_out.isVisible()
    assert page.footer.sentence == ("3 columns that no query uses are not declared: lab0, lab1, …")
    window = page.window()
    assert isinstance(window, MainWindow)
    window.go_to("release")
    said = "Columns that no query uses are not declared. See Queries."
    assert window.pages["release"].footer.sentence == said
    window.go_to("queries")
    page.leave_out.click()
    assert page.state.study.columns == STUDY.columns and primary.isEnabled()
    assert window.focusWidget() is primary, "the keyboard goes on with what was in the way"
    assert not page.leave_out.isVisible()
    page.session.document.undo_stack.undo()
    asked = Query("lab", "mean", ColumnParameters("lab0"), epsilon=Epsilon.of("0.1"))
    page.session.edit(replace(page.state.study, queries=(*STUDY.queries, asked)), "")
    assert not page.leave_out.isVisible() and not primary.isEnabled()


def test_return_alone_adds_one_after_the_other(opened: Opened, qtbot: QtBot) -> None:
    page = opened()
    for _ in range(3):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert statistics(page) == ["count-people", "mean", "median"]
    ids = [query.id for query in page.state.study.queries]
    assert len(set(ids)) == 3 and page.selected == ids[-1]
    assert {query.epsilon for query in page.state.study.queries} == {Epsilon.of("0.1")}


def test_a_double_click_adds_one_query_and_undo_takes_it_back(opened: Opened, qtbot: QtBot) -> None:
    """Its second press meets the suggestion that has moved up."""
    page = opened()
    button = page.suggested.buttons[1]
    qtbot.mouseClick(button, LEFT)
    qtbot.mouseDClick(button, LEFT)
    assert statistics(page) == ["mean"]
    page.session.document.undo_stack.undo()
    assert statistics(page) == []


def test_a_query_that_was_added_is_offered_no_more(opened: Opened, qtbot: QtBot) -> None:
    page = opened()

    def offered() -> list[str]:
        return [b.accessibleName() for b in page.suggested.buttons if b.isVisible()]

    before = offered()
    qtbot.mouseClick(page.suggested.buttons[1], LEFT)
    settle()
    assert offered() == [before[0], *before[2:]]
    page.session.document.undo_stack.undo()
    settle()
    assert offered() == before


def test_a_button_that_was_found_keeps_its_query(opened: Opened, qtbot: QtBot) -> None:
    """A screen reader had said Mean of it; when it was pressed, it added the median."""
    page = opened()
    found = {button: button.accessibleName() for button in page.suggested.buttons}
    first, second, *_rest = found
    qtbot.mouseClick(first, LEFT)
    settle()
    assert not first.isVisible() and second.isVisible()
    assert {button: button.accessibleName() for button in found} == found
    second.click()
    assert statistics(page)[-1] == "mean"


def test_the_last_suggestion_gives_the_keyboard_to_its_query(opened: Opened, qtbot: QtBot) -> None:
    page = opened()
    for _button in page.suggested.buttons:
        qtbot.mouseClick(page.suggested.first(), LEFT)
    assert len(statistics(page)) == len(page.suggested.buttons)
    assert not page.suggested.isVisible()
    assert QApplication.focusWidget() is page.card(page.selected).sentence.chip("statistic")


def test_a_plan_that_is_there_already_has_the_room(opened: Opened, qtbot: QtBot) -> None:
    page = opened(queries=STUDY.queries[:1])
    assert not page.suggested.isVisible()
    page.session.edit(replace(page.state.study, queries=()), "Remove a query")
    assert page.suggested.isVisible()
    qtbot.mouseClick(page.suggested.first(), LEFT)
    assert page.suggested.isVisible()
    window = page.window()
    assert isinstance(window, MainWindow)
    window.go_to("columns")
    assert arrive(window).suggested.isVisible(), "who looks something up comes back to them"


def test_what_is_left_is_all_that_a_suggestion_costs(opened: Opened, qtbot: QtBot) -> None:
    page = opened()
    qtbot.mouseClick(page.suggested.first(), LEFT)
    (count,) = page.state.study.queries
    dear = replace(count, epsilon=Epsilon.of("0.95"))
    page.session.edit(replace(page.state.study, queries=(dear,)), "Change a query")
    qtbot.mouseClick(page.suggested.first(), LEFT)
    assert page.state.study.queries[1].epsilon == Epsilon.of("0.05")


def test_a_long_name_is_shortened_and_whole_for_a_screen_reader(opened: Opened) -> None:
    name = "the very long name of a column of which a hospital has many & more " * 2
    days = replace(STUDY.columns[0], title=name.strip())
    page = opened(columns=(days, STUDY.columns[1]))
    button = page.suggested.buttons[1]
    assert button.text().endswith("…") and "&&" not in button.accessibleName()
    assert name.strip() in button.accessibleName() and name.strip() in button.toolTip()
    assert button.width() < WIDTH_MOST * 2
