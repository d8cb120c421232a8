# SPDX-License-Identifier: Apache-2.0
"""Codes and their names, typed in Columns and picked by name in Queries."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.text import words
from dpdesk.release.places.home import Home
from dpdesk.study.model.columns import CategoryColumn, Replace
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.queries import Query
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle
from tests.release.studies import STUDY, TENTH

CODED = replace(
    STUDY,
    columns=(STUDY.columns[0], CategoryColumn("sex", ("1", "2"))),
    queries=(Query("men", "count", where=(IsIn("sex", ("1",)),), epsilon=TENTH),),
)


@pytest.fixture
def window(open_window: OpenWindow, tmp_path: Path, home: Home) -> MainWindow:
    return open_window(save_with_account(CODED, tmp_path / "coded.dpdesk", home), page="columns")


@pytest.fixture
def columns(window: MainWindow) -> ColumnsPage:
    window.go_to("columns")
    settle()
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.select("sex")
    return page


def sex(page: ColumnsPage) -> CategoryColumn:
    found = page.state.study.column("sex")
    assert isinstance(found, CategoryColumn)
    return found


def type_names(qtbot: QtBot, page: ColumnsPage) -> None:
    edit = page.form.values.edit
    edit.setFocus()
    edit.moveCursor(QTextCursor.MoveOperation.Start)
    for name in (" = Male", " = Female"):
        edit.moveCursor(QTextCursor.MoveOperation.EndOfLine)
        qtbot.keyClicks(edit, name)
        edit.moveCursor(QTextCursor.MoveOperation.Down)


def test_names_are_typed_behind_the_codes(columns: ColumnsPage, qtbot: QtBot) -> None:
    type_names(qtbot, columns)
    assert (sex(columns).values, sex(columns).labels) == (("1", "2"), ("Male", "Female"))
    assert columns.form.values.text == "1 = Male\n2 = Female"
    assert not columns.form.values.error


def test_one_undo_takes_the_names_back_and_one_redo_brings_them(
    columns: ColumnsPage, qtbot: QtBot
) -> None:
    type_names(qtbot, columns)
    menus = columns.window().menus  # type: ignore[attr-defined]
    menus.undo.trigger()
    assert (sex(columns).labels, columns.form.values.text) == ((), "1\n2")
    menus.redo.trigger()
    assert sex(columns).labels == ("Male", "Female")
    assert columns.form.values.text == "1 = Male\n2 = Female"


def test_a_condition_keeps_its_group_as_names_are_typed(columns: ColumnsPage, qtbot: QtBot) -> None:
    type_names(qtbot, columns)
    study = columns.state.study
    assert columns.state.problems == ()
    assert words.conditions(study, study.queries[0]) == "sex is Male"


def test_two_values_of_one_name_are_reported_at_the_field(
    columns: ColumnsPage, qtbot: QtBot
) -> None:
    edit = columns.form.values.edit
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, "1 = Male")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.keyClicks(edit, "2 = Male")
    assert columns.form.values.error == (
        "Two values have the label “Male”; give each a label of its own."
    )
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert columns.form.values.error
    for _ in range(6):
        qtbot.keyClick(edit, Qt.Key.Key_Backspace)
    qtbot.keyClicks(edit, "Female")
    assert not columns.form.values.error


def test_what_was_saved_is_shown_again(columns: ColumnsPage, qtbot: QtBot) -> None:
    type_names(qtbot, columns)
    columns.select("days")
    columns.select("sex")
    assert columns.form.values.text == "1 = Male\n2 = Female"


@pytest.mark.in_turn(2)
def test_groups_are_picked_by_name(columns: ColumnsPage, window: MainWindow, qtbot: QtBot) -> None:
    type_names(qtbot, columns)
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    chip = page.card(page.selected).sentence.chip("where-0")
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    settle()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, ConditionDialog)
    items = [dialog.values.item(row) for row in range(dialog.values.count())]
    assert [item.text() for item in items] == ["Male", "Female"]
    assert [item.checkState() == Qt.CheckState.Checked for item in items] == [True, False]
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()
    assert page.state.study.queries[0].where == (IsIn("sex", ("Male",)),)


def test_a_declared_constant_is_shown_by_name(columns: ColumnsPage, qtbot: QtBot) -> None:
    type_names(qtbot, columns)
    named = replace(sex(columns), missing=Replace("2"))
    study = columns.state.study
    columns.session.edit(replace(study, columns=(study.columns[0], named)), "Declare a column")
    settle()
    assert columns.form.rules.fields["missing"].combo.currentText() == "Count as Female"


def test_several_values_that_mean_yes_say_under_which_name_they_are_published(
    columns: ColumnsPage, qtbot: QtBot
) -> None:
    columns.form.kind.picked.emit("yes-no")
    settle()
    columns.form.yes.edit.setFocus()
    qtbot.keyClicks(columns.form.yes.edit, "<30")
    assert "published as" not in columns.form.yes.hint
    qtbot.keyClicks(columns.form.yes.edit, "; >30")
    assert columns.form.yes.hint.startswith("2 values, published as “<30”.")
    columns.form.yes.edit.home(False)
    qtbot.keyClicks(columns.form.yes.edit, "readmitted; ")
    assert columns.form.yes.hint.startswith("3 values, published as “readmitted”.")
