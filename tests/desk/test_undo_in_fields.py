# SPDX-License-Identifier: Apache-2.0
"""Undo and Redo reach the study from a field in which nothing was typed, as the menu says."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, shown_page

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def page(open_window: OpenWindow, study_file: Path, qtbot: QtBot) -> ColumnsPage:
    window: MainWindow = open_window(study_file)
    with qtbot.waitActive(window):
        window.activateWindow()
    return shown_page(window, "columns", ColumnsPage)


def at() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def kind(page: ColumnsPage, name: str) -> str:
    return next(c.kind for c in page.state.study.columns if c.name == name)


def test_a_kind_is_taken_back_from_the_field_that_it_leads_to(page: ColumnsPage) -> None:
    page.select("sex")
    settle()
    page.form.kind.picked.emit("number")
    edit = page.form.numbers["lower"].edit
    edit.setFocus()
    settle()
    assert kind(page, "sex") == "number" and at() is edit
    QTest.keyClick(edit, Qt.Key.Key_Z, CTRL)
    settle()
    assert kind(page, "sex") == "category"


@pytest.mark.parametrize(("key", "more"), [(Qt.Key.Key_Z, CTRL | SHIFT), (Qt.Key.Key_Y, CTRL)])
@pytest.mark.in_turn(2)
def test_redo_reaches_the_study_from_a_list_of_values(
    page: ColumnsPage, key: Qt.Key, more: Qt.KeyboardModifier
) -> None:
    page.select("sex")
    page.form.release_name.edit.setFocus()
    QTest.keyClicks(at(), "Gender")
    settle()
    page.session.document.undo_stack.undo()
    settle()
    values = page.form.values.edit
    values.setFocus()
    settle()
    QTest.keyClick(values, key, more)
    settle()
    column = next(c for c in page.state.study.columns if c.name == "sex")
    assert isinstance(column, CategoryColumn) and column.title == "Gender"


def test_what_was_typed_in_the_field_is_taken_back_there_first(page: ColumnsPage) -> None:
    page.select("days")
    settle()
    edit = page.form.numbers["upper"].edit
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, "30")
    settle()
    QTest.keyClick(edit, Qt.Key.Key_Z, CTRL)
    settle()
    column = next(c for c in page.state.study.columns if c.name == "days")
    assert isinstance(column, NumberColumn) and edit.text() != "30" and str(column.upper) != "30"
