# SPDX-License-Identifier: Apache-2.0
"""Queries from a template, in the window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.reuse.template_dialog import TemplateDialog
from dpdesk.release.places.home import Home
from dpdesk.resources import resource_path
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle

SAMPLE = load_study(resource_path("sample/sample.dpdesk")).study


def opened(open_window: OpenWindow, folder: Path, home: Home, study: Study) -> MainWindow:
    (folder / "admissions.csv").write_bytes(resource_path("sample/admissions.csv").read_bytes())
    window = open_window(save_with_account(study, folder / "sample.dpdesk", home), page="queries")
    settle()
    return window


@pytest.fixture
def window(open_window: OpenWindow, tmp_path: Path, home: Home) -> MainWindow:
    return opened(open_window, tmp_path, home, replace(SAMPLE, queries=()))


def ask(window: MainWindow, qtbot: QtBot) -> TemplateDialog:
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    qtbot.mouseClick(page.empty.other, Qt.MouseButton.LeftButton)
    settle()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, TemplateDialog)
    return dialog


@pytest.mark.in_turn(2)
def test_a_report_is_two_presses_and_one_step_of_undo(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window, qtbot)
    assert dialog.total.text == "0.25"
    dialog.cards["registry-table"].click()
    settle()
    head = dialog._head
    assert head.height() == head.heightForWidth(head.width()), "its title has no gap below it"
    dialog.cards["quality-report"].click()
    assert dialog.note.sentence == "5 queries are added:"
    assert dialog.focusWidget() is dialog.ok, "Enter adds them"
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()
    state = window.session.state
    assert len(state.study.queries) == 5
    assert not state.problems
    assert 0 < state.planned.units <= Epsilon.of("0.25").units
    window.go_to("data")
    window.menus._enable()
    window.menus._template.trigger()  # the page offers none once there is a query
    again = QApplication.activeModalWidget()
    assert window.page == "queries" and isinstance(again, TemplateDialog)
    again.reject()
    window.session.document.undo_stack.undo()
    assert window.session.state.study.queries == ()


def test_columns_are_chosen_for_a_template(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window, qtbot)
    dialog.cards["table-1"].click()
    shown = [key for key, chip in dialog.chips.items() if chip.isVisible()]
    assert shown == ["compared", "measures", "characteristics"]
    before = len(dialog.made)
    dialog._choose(dialog._template.slots[1], ("cost",))
    assert len(dialog.made) == before - 2
    assert dialog.chips["measures"].text() == "Cost of the stay"
    dialog._choose(dialog._template.slots[0], ())
    assert not dialog.ok.isEnabled()
    assert (
        dialog.note.sentence
        == "“Groups” needs a category or a yes/no column: declare one in Columns."
    )


def test_a_list_offers_the_columns_of_the_kind(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window, qtbot)
    qtbot.mouseClick(dialog.chips["outcomes"], Qt.MouseButton.LeftButton)
    popup = dialog.popup
    assert popup is not None
    assert [popup.list.item(i).text() for i in range(popup.list.count())] == ["Back within 30 days"]
    popup.close()


def test_a_total_that_is_none_adds_nothing(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window, qtbot)
    dialog.total.edit.selectAll()
    qtbot.keyClicks(dialog.total.edit, "lots")
    assert not dialog.ok.isEnabled()
    assert dialog.total.error
    dialog.accept()
    assert window.session.state.study.queries == ()


def test_without_fitting_columns_the_missing_one_is_named(
    open_window: OpenWindow, tmp_path: Path, home: Home, qtbot: QtBot
) -> None:
    bare = replace(SAMPLE, queries=(), columns=())
    dialog = ask(opened(open_window, tmp_path, home, bare), qtbot)
    assert (
        dialog.note.sentence == "“Over time by” needs a date: declare a column as one in Columns."
    )
    assert not dialog.ok.isEnabled()


def test_too_many_figures_are_reported_before_they_are_added(
    open_window: OpenWindow, tmp_path: Path, home: Home, qtbot: QtBot
) -> None:
    values = tuple(f"v{n}" for n in range(2_000))
    many = tuple(
        replace(c, values=values) if c.name in ("ward", "age_band") else c for c in SAMPLE.columns
    )
    window = opened(open_window, tmp_path, home, replace(SAMPLE, queries=(), columns=many))
    dialog = ask(window, qtbot)
    dialog.cards["table-1"].click()
    compared, _measures, characteristics = dialog._template.slots
    dialog._choose(compared, ("ward",))
    dialog._choose(characteristics, ("sex",))
    assert dialog.ok.isEnabled()
    dialog._choose(characteristics, ("age_band",))
    assert not dialog.ok.isEnabled()
    assert "100,000" in dialog.note.sentence or "100000" in dialog.note.sentence
