# SPDX-License-Identifier: Apache-2.0
"""A condition as a hand fills it in: where the keyboard is, and what is asked for once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.study.model.conditions import Between, IsIn
from tests.desk.conftest import OpenWindow
from tests.desk.screens import pick, settle


@pytest.fixture
def page(open_window: OpenWindow, study_file: Path) -> QueriesPage:
    """One query with a condition, on show."""
    window = open_window(study_file, page="queries")
    settle()
    found = window.pages["queries"]
    assert isinstance(found, QueriesPage)
    study = found.state.study
    first = study.queries[0].having(where=(IsIn("sex", ("f",)),))
    found.session.edit(replace(study, queries=(first,)), "")
    settle()
    return found


def chip(page: QueriesPage, name: str = "where-0") -> Chip:
    return page.card(page.selected).sentence.chip(name)


def ask(page: QueriesPage) -> ConditionDialog:
    chip(page).click()
    settle()
    return on_top()


def on_top() -> ConditionDialog:
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ConditionDialog)
    return dialog


def where(page: QueriesPage) -> object:
    return page.state.study.queries[0].where


def test_the_keyboard_begins_in_the_values_and_enter_takes_them(
    page: QueriesPage, qtbot: QtBot
) -> None:
    dialog = ask(page)
    assert dialog.focusWidget() is dialog.values
    qtbot.keyClick(dialog.values, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.values, Qt.Key.Key_Space)
    qtbot.keyClick(dialog.values, Qt.Key.Key_Return)
    settle()
    assert where(page) == (IsIn("sex", ("f", "m")),)


def test_the_words_of_a_value_tick_it(page: QueriesPage, qtbot: QtBot) -> None:
    dialog = ask(page)
    place = dialog.values.visualItemRect(dialog.values.item(1))
    at = place.center()
    qtbot.mouseClick(dialog.values.viewport(), Qt.MouseButton.LeftButton, pos=at)
    dialog.ok.click()
    assert where(page) == (IsIn("sex", ("f", "m")),)


def test_a_list_without_a_tick_says_what_it_needs(page: QueriesPage, qtbot: QtBot) -> None:
    dialog = ask(page)
    qtbot.keyClick(dialog.values, Qt.Key.Key_Space)
    dialog.ok.click()
    assert dialog.isVisible() and dialog.missing_choice.isVisible()
    qtbot.keyClick(dialog.values, Qt.Key.Key_Space)
    assert not dialog.missing_choice.isVisible()


def test_a_condition_moves_to_another_column(page: QueriesPage, qtbot: QtBot) -> None:
    ask(page).other.click()
    settle()
    assert where(page) == (IsIn("sex", ("f",)),), "nothing is lost while one is chosen"
    pick(page.card(page.selected).sentence.anchor.popup, "days")
    settle()
    dialog = on_top()
    assert dialog.focusWidget() is dialog.lowest.edit
    qtbot.keyClicks(dialog.lowest.edit, "2")
    qtbot.keyClick(dialog.lowest.edit, Qt.Key.Key_Return)
    qtbot.keyClicks(dialog.highest.edit, "5")
    qtbot.keyClick(dialog.highest.edit, Qt.Key.Key_Return)
    settle()
    assert where(page) == (Between("days", 2, 5),)


def test_the_keyboard_comes_back_to_the_condition(page: QueriesPage) -> None:
    chip(page).setFocus()
    dialog = ask(page)
    dialog.values.item(1).setCheckState(Qt.CheckState.Checked)
    dialog.ok.click()
    settle()
    assert page.window().focusWidget() is chip(page)
    remove = next(b for b in ask(page).findChildren(Button) if b.text().startswith("Remove"))
    remove.click()
    settle()
    assert page.window().focusWidget() is chip(page, "add")
