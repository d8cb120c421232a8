# SPDX-License-Identifier: Apache-2.0
"""Choosing a sheet in the window also names the study after it, in one step that can be undone."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.data import DataPage
from dpdesk.desk.widgets.choice_popup import ChoicePopup
from tests.data.workbooks import write_workbook
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle


def test_the_first_title_names_the_chosen_sheet(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    rows = [["id", "days"], ["p1", 3.0]]
    write_workbook(tmp_path / "stays.xlsx", {"ICU": rows, "Ward": rows})
    window = open_window(tmp_path / "stays.xlsx")
    qtbot.waitUntil(lambda: window.session.state.study.data is not None)
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    qtbot.waitUntil(lambda: window.session.head.sheets == ("ICU", "Ward"))
    settle()
    assert page.title_field.text == "Stays"
    qtbot.mouseClick(page.chips.chips["sheet"], Qt.MouseButton.LeftButton)
    popup = page.findChildren(ChoicePopup)[-1]
    (item,) = popup.list.findItems("Ward", Qt.MatchFlag.MatchExactly)
    popup.list.setCurrentItem(item)
    popup.list.setFocus()
    qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    settle()
    assert page.title_field.text == "Stays, Ward"
    page.session.document.undo_stack.undo()
    assert page.title_field.text == "Stays"
    assert page.state.study.data is not None
    assert page.state.study.data.sheet == ""
