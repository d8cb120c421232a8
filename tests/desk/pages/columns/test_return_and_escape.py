# SPDX-License-Identifier: Apache-2.0
"""With keys alone: Return goes from the list through a column's fields and on, Escape back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, shown_page

NAMES = ("id", "ward", "length_of_stay", "sex")


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    data = tmp_path / "stays.csv"
    data.write_text(",".join(NAMES) + "\n", encoding="utf-8")
    save_study(Study("S", data=DataSource(str(data)), unit=Unit("id")), tmp_path / "s.dpdesk")
    window = open_window(tmp_path / "s.dpdesk", page="columns")
    return shown_page(window, "columns", ColumnsPage)


def keyboard() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


def press(key: Qt.Key) -> None:
    QTest.keyClick(keyboard(), key)
    settle()


def test_return_describes_a_number_from_the_list_to_the_way_on(page: ColumnsPage) -> None:
    page.select("length_of_stay")
    page.item("length_of_stay").setFocus()
    press(Qt.Key.Key_Return)
    assert keyboard() is page.form.kind.segment("number"), "as the name lets one think"
    press(Qt.Key.Key_Return)
    for key, text in (("lower", "1"), ("upper", "14"), ("step", "1")):
        assert keyboard() is page.form.numbers[key].edit
        QTest.keyClicks(keyboard(), text)
        press(Qt.Key.Key_Return)
    assert keyboard() is page.footer.primary
    column = page.state.study.column("length_of_stay")
    assert isinstance(column, NumberColumn) and (column.lower, column.upper) == (1, 14)
    press(Qt.Key.Key_Escape)
    assert keyboard() is page.item("length_of_stay"), "to the next column, not six Tabs away"


def test_return_picks_the_line_that_has_the_keyboard(page: ColumnsPage) -> None:
    page.select("ward")
    page.item("sex").setFocus()
    press(Qt.Key.Key_Return)
    assert page.selected == "sex"
    assert keyboard() is page.form.kind.segment("category")


def test_return_in_the_search_goes_to_what_it_found(page: ColumnsPage) -> None:
    page.search.edit.setFocus()
    QTest.keyClicks(page.search.edit, "stay")
    press(Qt.Key.Key_Return)
    assert page.selected == "length_of_stay" and keyboard() is page.search.edit
    press(Qt.Key.Key_Return)
    assert keyboard() is page.form.kind.segment("number")


def test_letters_typed_in_the_list_search_it(page: ColumnsPage) -> None:
    page.select("ward")
    page.item("ward").setFocus()
    for letter in "stay":
        QTest.keyClicks(keyboard(), letter)
    settle()
    assert keyboard() is page.search.edit and page.search.edit.text() == "stay"
    assert page.list.names == ("length_of_stay",)
    assert page.selected == "ward", "until Return"


def test_space_in_the_list_is_no_letter(page: ColumnsPage) -> None:
    page.item("ward").setFocus()
    press(Qt.Key.Key_Space)
    assert page.selected == "ward" and page.search.text == ""


def test_return_on_the_column_of_the_people_stays(page: ColumnsPage) -> None:
    page.select("id")
    page.item("id").setFocus()
    press(Qt.Key.Key_Return)
    assert keyboard() is page.item("id")


def test_escape_goes_from_a_field_back_to_the_list(page: ColumnsPage) -> None:
    page.select("sex")
    page.item("sex").setFocus()
    press(Qt.Key.Key_Return)
    press(Qt.Key.Key_Return)
    assert keyboard() is page.form.values.edit
    press(Qt.Key.Key_Escape)
    assert keyboard() is page.item("sex")


def test_the_foot_names_what_a_column_lacks_once_it_is_begun(page: ColumnsPage) -> None:
    page.select("length_of_stay")
    page.form.kind.segment("number").click()
    assert "Missing" not in page.footer.sentence
    for key, text in (("lower", "1"), ("upper", "14")):
        page.form.numbers[key].edit.setFocus()
        QTest.keyClicks(page.form.numbers[key].edit, text)
    assert page.footer.sentence == "0 of 1 declared. Missing: step of length_of_stay."
    page.form.numbers["step"].edit.setFocus()
    QTest.keyClicks(page.form.numbers["step"].edit, "1")
    assert page.footer.sentence.startswith("1 declared")
