# SPDX-License-Identifier: Apache-2.0
"""The form of a column never scrolls sideways, whatever is long in it and however small it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.pages.columns.column_item import ColumnItem
from dpdesk.desk.pages.columns.many.many_form import ManyForm
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.widgets.inputs.field_row import FieldRow
from dpdesk.release.places.home import Home
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.layout_faults import layout_faults
from tests.desk.screens import settle, shown_page
from tests.release.studies import STUDY, write_data

pytestmark = pytest.mark.usefixtures("language")

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
    window = open_window(save_with_account(STUDY, tmp_path / "stays.dpdesk", home))
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
    assert page.form.title.toolTip() == "Long title " * 12


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


def test_a_known_range_fits_before_and_after_it_is_used(page: ColumnsPage) -> None:
    for name in ("body_temperature", "height_cm"):
        use(page, name, "number")
        assert page.form.ranges.rows
        assert faults(page) == {}
        row = page.form.ranges.rows[0]
        for width in range(300, 500, 20):
            row.resize(width, row.heightForWidth(width))
            beside = [one for one in row.findChildren(QLabel) if one.parentWidget() is row]
            left = min(one.x() for one in beside if one not in (row.range, row.source))
            gap = left - row.source.geometry().right()
            assert row.margin.y() > row.source.y() or gap > Space.SMALL
        below = [one for one in beside if one not in (row.range, row.margin, row.source)]
        second, third = row.of_what
        assert below == [second, third]
        assert abs(second.y() - row.source.y()) <= 2, "second lines on one level"
        assert third.y() >= second.geometry().bottom(), "no line over another"
        page.form.ranges.rows[0].button.click()
        settle()
        assert page.form.ranges.rows[0].is_used
        assert faults(page) == {}


def test_both_names_stand_whole_where_there_is_room(page: ColumnsPage) -> None:
    use(page, "body_temperature", "number")
    column = page.state.study.column("body_temperature")
    assert column is not None
    named = replace(column, title="Temperature in bed")
    page.session.edit(study_edits.replace_column(page.state.study, named), "")
    page.window().resize(SIZES[-1])
    settle()
    title, file_name = page.form.title, page.form.file_name
    assert (title.shown, file_name.shown) == ("Temperature in bed", "body_temperature")
    assert file_name.x() > title.geometry().right(), "beside it"
    page.window().resize(SIZES[0])
    settle()
    assert (title.shown, file_name.shown) == ("Temperature in bed", "body_temperature")
    assert not title.geometry().intersects(file_name.geometry())
    whole = "Temperature at the second visit"
    page.session.edit(
        study_edits.replace_column(page.state.study, replace(column, title=whole)), ""
    )
    settle()
    assert "".join(title.lines(title.width())) == whole
    assert title.height() >= title.heightForWidth(title.width())
    assert not title.geometry().intersects(file_name.geometry())


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


def test_what_bounds_are_from_fills_the_room_of_an_error(page: ColumnsPage) -> None:
    """The room of a long error stays where nothing is wrong, and is not blank there."""
    page.select("days")
    page.window().resize(SIZES[-1])
    settle()
    row = next(row for row in page.form.findChildren(FieldRow) if row.isVisible())
    said = row.hint.heightForWidth(row.hint.width())
    assert row.words.heightForWidth(row.words.width()) <= said


def test_the_title_is_in_the_middle_of_its_switch(page: ColumnsPage) -> None:
    page.select("days")
    settle()
    middles = [
        part.mapTo(page.form, part.rect().center()).y()
        for part in (page.form.title, page.form.used)
    ]
    assert middles[0] == middles[1]


@pytest.mark.parametrize("narrow", [True, False])
def test_several_columns_begin_where_a_single_one_does(page: ColumnsPage, narrow: bool) -> None:
    forms = page.form, page.many
    page.set_narrow(narrow)
    sides = [form.layout().contentsMargins().left() for form in forms]  # type: ignore[union-attr]
    assert sides[0] == sides[1]


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


@pytest.mark.parametrize("size", SIZES)
def test_one_column_and_several_have_the_same_room(page: ColumnsPage, size: QSize) -> None:
    page.window().resize(QSize(size.width(), 760))
    page.select("days")
    settle()
    one = page.form.kind
    single = one.width(), one.has_room_for_icons()
    for name in NAMES[1:3]:
        page.toggle(name)
    settle()
    several = page.many.kind
    assert several.isVisible() and page.many.parentWidget().height() >= page.many.height()
    assert several.width() == pytest.approx(single[0], abs=1)
    assert several.has_room_for_icons() == single[1]


def test_usual_names_stand_whole_in_the_list_of_a_doubled_window(page: ColumnsPage) -> None:
    page.window().resize(SIZES[0])
    use(page, "body_temperature", "number")
    settle()
    item = page.list.item("body_temperature")
    assert item.isChecked() and "".join(item.title_lines()) == "body_temperature"
    named = replace(page.state.study.column("body_temperature"), title="Fever")  # type: ignore[type-var]
    page.session.edit(study_edits.replace_column(page.state.study, named), "")
    settle()
    assert item.title_lines() == ["Fever"]
    assert QFontMetrics(font(Type.QUIET)).horizontalAdvance(item.second_line) <= item.room
    _first, cut = page.list.item(LONG_NAME).title_lines()
    assert cut.endswith("\N{HORIZONTAL ELLIPSIS}"), "its icon says that it is not used"
    named = replace(named, title="Temperature at admission")
    page.session.edit(study_edits.replace_column(page.state.study, named), "")
    settle()
    assert item.second_line and "".join(item.title_lines()) == "Temperature at admission"
    named = replace(named, title="Wiederaufnahme binnen 30 Tagen")
    page.session.edit(study_edits.replace_column(page.state.study, named), "")
    settle()
    assert "".join(item.title_lines()) == named.title, "in lighter letters"


def test_the_name_of_who_tells_people_apart_is_never_dropped(qtbot: QtBot) -> None:
    """At 200 % what it does took both lines, and nothing said which column it is."""
    item = ColumnItem("patient_nbr")
    qtbot.addWidget(item)
    item.setText("Person ID column")
    item.resize(130, item.sizeHint().height())
    item._state = "unused"
    assert len(item.title_lines()) == 2
    item._state = "person"
    assert len(item.title_lines()) == 1 and item.second_line == "patient_nbr"
