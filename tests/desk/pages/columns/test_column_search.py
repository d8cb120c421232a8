# SPDX-License-Identifier: Apache-2.0
"""Search among columns: typing filters by every name and label, Esc clears, the keyboard picks."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from time import thread_time

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.column_item import ColumnItem
from dpdesk.desk.pages.columns.column_search import ColumnIndex
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from tests.desk.conftest import OpenWindow
from tests.desk.screens import shown_page, texts

LAB = ("lab_crea", "lab_k", "lab_na")
COLUMNS: tuple[Column, ...] = (
    NumberColumn("lab_k", title="Potassium", label="mmol/L"),
    CategoryColumn("sex", ("1", "2"), title="Sex", labels=("Männlich", "Weiblich")),
)


def opened(
    open_window: OpenWindow, tmp_path: Path, names: tuple[str, ...], columns: tuple[Column, ...]
) -> ColumnsPage:
    data = tmp_path / "stays.csv"
    data.write_text(",".join(names) + "\n", encoding="utf-8")
    study = Study("Stays", data=DataSource(str(data)), unit=Unit("id"), columns=columns)
    save_study(study, tmp_path / "stays.dpdesk")
    window = open_window(tmp_path / "stays.dpdesk", page="columns")
    return shown_page(window, "columns", ColumnsPage)


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    return opened(open_window, tmp_path, ("id", *LAB, "sex", "age"), COLUMNS)


def test_typing_filters_and_escape_clears(page: ColumnsPage, qtbot: QtBot) -> None:
    edit = page.search.edit
    assert edit.placeholderText() == "Search 6 columns"
    qtbot.keyClicks(edit, "LAB_")
    assert page.list.names == LAB
    assert edit.accessibleDescription() == "3 of 6"
    shown = [i for i in page.findChildren(ColumnItem) if not i.isHidden()]
    assert sorted(i.y() for i in shown) == sorted(page.item(n).y() for n in LAB)
    assert page.item(LAB[0]).y() < page.item(LAB[1]).y() < page.item(LAB[2]).y()
    assert page.search.select_all.text() == "Select all 3"
    offer = page.search.select_all
    assert offer.isEnabled()
    page.choose_all()
    assert not offer.isEnabled(), "all are chosen"
    page.deselect()
    qtbot.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == "" and page.list.names == page.names()
    qtbot.keyClicks(edit, "nothing like it")
    assert page.list.names == ()
    assert edit.accessibleDescription() == "No column found"


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("potass", ("lab_k",)),
        ("mmol", ("lab_k",)),
        ("mannlich", ("sex",)),
        ("na lab", ("lab_na",)),
        ("  ", ("id", *LAB, "sex", "age")),
    ],
)
def test_titles_units_and_labels_are_found(typed: str, found: tuple[str, ...]) -> None:
    study = Study(columns=COLUMNS)
    assert ColumnIndex().matching(("id", *LAB, "sex", "age"), DeskState(study), typed) == found


def test_a_new_title_is_found_at_once() -> None:
    index, study = ColumnIndex(), Study(columns=COLUMNS)
    assert index.matching(("lab_k",), DeskState(study), "kalium") == ()
    renamed = replace(study, columns=(replace(COLUMNS[0], title="Kalium"),))
    assert index.matching(("lab_k",), DeskState(renamed), "kalium") == ("lab_k",)
    assert index.matching(("lab_k",), DeskState(Study()), "kalium") == ()


def test_a_line_is_heard_as_on_show_and_as_one_of_several(page: ColumnsPage, qtbot: QtBot) -> None:
    """The one on show was called chosen as soon as a search gave it a box."""
    together = "one of several to change together"
    page.select("lab_k")
    qtbot.keyClicks(page.search.edit, "lab_")
    line = page.item("lab_k")
    assert line.isChecked() and line.has_box and line.is_chosen
    assert line.accessibleDescription() == "3 still to declare"
    page.choose(("lab_k", "lab_na"))
    heard = {name: page.item(name).accessibleDescription() for name in LAB}
    assert [name for name, said in heard.items() if said.endswith(f", {together}")] == [
        "lab_k",
        "lab_na",
    ]
    assert [name for name in LAB if page.item(name).isChecked()] == ["lab_k"]
    page.deselect()
    assert together not in page.item("lab_na").accessibleDescription()


def test_the_keyboard_alone_finds_and_picks(page: ColumnsPage, qtbot: QtBot) -> None:
    page.form.release_name.edit.setFocus()
    qtbot.keyClick(page.form.release_name.edit, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.focusWidget() is page.search.edit
    qtbot.keyClicks(page.search.edit, "lab_n")
    qtbot.keyClick(page.search.edit, Qt.Key.Key_Return)
    assert page.selected == "lab_na"
    qtbot.keyClick(page.search.edit, Qt.Key.Key_Backspace)
    assert page.selected == "lab_na", "a column on show stays when others are found, too"
    qtbot.keyClick(page.search.edit, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is page.item("lab_na")
    qtbot.keyClick(page.item("lab_na"), Qt.Key.Key_Up)
    assert page.selected == "lab_k"


def test_a_column_that_is_not_found_stays_on_show(page: ColumnsPage, qtbot: QtBot) -> None:
    page.select("age")
    qtbot.keyClicks(page.search.edit, "lab")
    assert page.selected == "age"
    page.form.used.click()
    assert page.state.study.column("age") is not None
    assert page.list.names == LAB


def test_another_study_begins_without_a_search(page: ColumnsPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.search.edit, "lab")
    page.forget()
    assert page.search.edit.text() == ""


def test_the_page_opens_on_what_needs_something(page: ColumnsPage) -> None:
    assert page.selected == "lab_k"
    assert page.item("lab_k").accessibleDescription() == "3 still to declare"
    assert page.item("sex").accessibleDescription() == "declared"


def test_rail_and_foot_count_the_same_columns(page: ColumnsPage) -> None:
    window = page.window()
    assert isinstance(window, MainWindow)
    assert window.rail.item("columns").accessibleDescription() == "1 still to declare, not yet"
    sentence = "1 of 2 declared. Continue if your queries need no others."
    assert sentence in texts(page.footer)


def test_what_follows_is_not_the_column_that_is_open(page: ColumnsPage) -> None:
    assert page.selected == "lab_k" and "Next" not in page.footer.sentence
    page.select("sex")
    assert page.footer.sentence.endswith("Next: Potassium")


def test_it_never_opens_on_the_column_of_the_people(page: ColumnsPage) -> None:
    # Chosen by the page before anybody said which column tells people apart.
    study = replace(page.state.study, columns=(), unit=None)
    page.session.edit(study, "")
    page.forget()
    page.enter()
    page.render_state()
    assert page.selected == "id"
    page.session.edit(replace(study, unit=Unit("id")), "")
    page.enter()
    page.render_state()
    assert page.selected == "lab_crea"
    page.select("id")
    page.enter()
    page.render_state()
    assert page.selected == "id", "somebody chose it"


def test_empty_fields_say_what_could_stand_there(page: ColumnsPage) -> None:
    fields = page.form.numbers.values()
    shown = [f.edit.placeholderText() for f in fields]
    assert shown[0].startswith("for example ") and len(set(shown)) == 3
    page.session.edit(replace(page.state.study, columns=(NumberColumn("age", title="x y"),)), "")
    page.session.edit(replace(page.state.study, columns=(NumberColumn("lab_crea"),)), "")
    assert [f.text for f in fields] == ["", "", ""]
    assert page.state.study.columns == (NumberColumn("lab_crea"),), "an example declares nothing"


@pytest.mark.in_turn(2)
def test_five_thousand_columns_are_searched_without_a_stall(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    names = ("id", *(f"m{place}_value" for place in range(4_999)))
    one = Decimal(1)
    columns = tuple(NumberColumn(n, Decimal(0), one, one, title=f"T {n}") for n in names[1:1001])
    page = opened(open_window, tmp_path, names, columns)
    slowest = 0.0
    for letter in "m9_":
        start = thread_time()
        qtbot.keyClicks(page.search.edit, letter)
        QApplication.processEvents()
        slowest = max(slowest, thread_time() - start)
    assert page.list.names == ("m9_value",)
    assert len(page.findChildren(ColumnItem)) < 200
    assert slowest < 1.0, "a tenth of a second of the processor, on a quiet machine"
