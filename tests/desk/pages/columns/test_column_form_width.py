# SPDX-License-Identifier: Apache-2.0
"""The form of a column never scrolls sideways, whatever is long in it and however small it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.pages.columns.many.many_form import ManyForm
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.release.places.home import Home
from tests.desk.conftest import IN_LONG_WORDS, OpenWindow, save_with_account
from tests.desk.layout_faults import layout_faults
from tests.desk.screens import settle, shown_page
from tests.release.studies import STUDY, write_data

pytestmark = [pytest.mark.usefixtures("language"), IN_LONG_WORDS]

SIZES = (QSize(683, 354), QSize(1024, 670), QSize(1231, 738))
"""1366 x 768 at 200 %, and those where the panel or the rail have just taken most of the width."""
LONG_NAME = "a_name_without_any_blank_" * 6
NAMES = ("days", "body_temperature", "height_cm", LONG_NAME)
KINDS = ("number", "category", "yes-no", "date")


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path, home: Home) -> ColumnsPage:
    """The Columns page of a file with a long header and some whose ranges are known."""
    path = write_data(tmp_path)
    path.write_text(f"id,{','.join(NAMES)}\np1,3,37,170,x\n", encoding="utf-8")
    window = open_window(save_with_account(STUDY, tmp_path / "stays.dpdesk", home), page="columns")
    return shown_page(window, "columns", ColumnsPage)


def faults(page: ColumnsPage) -> dict[int, list[str]]:
    area = page.form.parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    found = {}
    for size in SIZES:
        page.window().resize(size)
        settle()
        found[size.width()] = layout_faults(area)
    return {width: said for width, said in found.items() if said}


def use(page: ColumnsPage, name: str, kind: str) -> None:
    study = study_edits.use_column(page.state.study, name, kind, page.state.header)
    page.session.edit(study, "")
    page.select(name)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.in_turn(3)
def test_a_name_of_any_length_gives_way(page: ColumnsPage, kind: str) -> None:
    use(page, LONG_NAME, kind)
    assert faults(page) == {}
    column = page.state.study.column(LONG_NAME)
    assert column is not None
    page.session.edit(
        study_edits.replace_column(page.state.study, replace(column, title="Long title " * 12)), ""
    )
    assert page.form.file_name.isVisible()
    assert faults(page) == {}


@pytest.mark.in_turn(2)
def test_the_names_of_several_columns_give_way(page: ColumnsPage, qtbot: QtBot) -> None:
    for name in (LONG_NAME, "height_cm"):
        item = page.item(name)
        page.list.ensureWidgetVisible(item)
        qtbot.mouseClick(item, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert LONG_NAME in page.many.names and page.many.isVisible()
    area = page.many.parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    for size in SIZES:
        page.window().resize(size)
        settle()
        assert not area.horizontalScrollBar().maximum(), size
        listed = page.many.listed
        assert listed.height() >= listed.heightForWidth(listed.width()), "broken, not cut off"


@pytest.mark.in_turn(2)
def test_on_the_lowest_screens_list_and_form_have_the_room_of_the_line_below_the_title(
    page: ColumnsPage,
) -> None:
    said = page.tr("Declare which values can occur. dpdesk never looks this up in the data.")
    (line,) = [one for one in page.findChildren(QLabel) if one.text() == said]
    shown = []
    for height in (700, 354, 700):
        page.window().resize(QSize(683, height))
        settle()
        shown.append(line.isVisible())
    assert shown == [True, False, True]


@pytest.mark.parametrize("narrow", [True, False])
@pytest.mark.in_turn(3)
def test_several_columns_begin_where_a_single_one_does(page: ColumnsPage, narrow: bool) -> None:
    forms = page.form, page.many
    page.set_narrow(narrow)
    sides = [form.layout().contentsMargins().left() for form in forms]  # type: ignore[union-attr]
    assert sides[0] == sides[1]


@pytest.mark.in_turn(2)
def test_the_form_of_several_is_made_when_wanted_and_as_narrow(page: ColumnsPage) -> None:
    page.window().resize(SIZES[0])
    settle()
    assert page.is_narrow and not page.findChildren(ManyForm)
    page.choose(NAMES[1:3])
    settle()
    assert page.findChildren(ManyForm) == [page.many] and page.many.isVisible()
    sides = [
        form.layout().contentsMargins().left()  # type: ignore[union-attr]
        for form in (page.form, page.many)
    ]
    assert sides[0] == sides[1]
