# SPDX-License-Identifier: Apache-2.0
"""Columns offers the codebook that lies beside the file, until it was imported or declined."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QWidget

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.release.places.home import Home
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.unit import DataSource
from tests.data.codebook.written import redcap
from tests.data.workbooks import Cell, write_workbook
from tests.desk.codebook_files import STUDY, write_dictionary, write_sav
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, spoken, texts, wait_until

HEADER = "record_id,age,sex,smoker,ward"
Opened = Callable[[], MainWindow]


@pytest.fixture
def opened(open_window: OpenWindow, home: Home, tmp_path: Path) -> Opened:
    """A window on Columns, with a data file of five columns."""
    (tmp_path / "registry.csv").write_text(f"{HEADER}\n1,64,1,yes,A\n", encoding="utf-8")

    def made() -> MainWindow:
        window = open_window(
            save_with_account(STUDY, tmp_path / "registry.dpdesk", home), page="columns"
        )
        wait_until(lambda: bool(window.session.state.header))
        window.go_to("columns")
        return window

    return made


def page_of(window: MainWindow) -> ColumnsPage:
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    return page


def offered(window: MainWindow) -> ColumnsPage:
    """The page once the codebook is offered."""
    page = page_of(window)
    wait_until(page.offer.isVisible)
    return page


def button(parent: QWidget, name: str) -> QAbstractButton:
    """The button of that name."""
    return next(b for b in parent.findChildren(QAbstractButton) if b.text() == name)


def test_a_codebook_beside_the_file_is_offered_and_imported(opened: Opened, tmp_path: Path) -> None:
    write_dictionary(tmp_path)
    window = opened()
    page = offered(window)
    sentence = "dictionary.csv describes 3 of 5 columns."
    assert spoken(page.offer) == f"Codebook found: {sentence}"
    before = window.session.document.study
    page.offer.action.click()
    dialog = page.codebooks.dialog
    assert dialog is not None
    wait_until(dialog.review.isVisible)
    assert window.session.document.study == before
    dialog.ok.click()
    assert {c.name for c in window.session.document.study.columns} >= {"sex", "smoker"}
    assert not page.offer.isVisible()
    window.session.document.undo_stack.undo()
    assert page.offer.isVisible()


@pytest.mark.parametrize("ending", [".xlsx", ".ods"])
@pytest.mark.in_turn(2)
def test_a_codebook_in_a_workbook_is_offered_and_its_decimal_comma_imported(
    opened: Opened, tmp_path: Path, ending: str
) -> None:
    """It had to be chosen by hand; without the comma every mean was of nobody."""
    text = redcap("age,,text,Age,,,number_1dp_comma_decimal,18,100,")
    rows: list[list[Cell]] = [list(row) for row in csv.reader(text.splitlines())]
    write_workbook(tmp_path / f"codebook{ending}", {"Variables": rows})
    window = opened()
    study = window.session.state.study
    window.session.edit(replace(study, columns=study.columns[1:]), "Leave out")
    page = offered(window)
    assert f"codebook{ending} describes 1 of 5 columns." in spoken(page.offer)
    page.offer.action.click()
    dialog = page.codebooks.dialog
    assert dialog is not None
    wait_until(dialog.review.isVisible)
    dialog.ok.click()
    column = window.session.document.study.column("age")
    assert isinstance(column, NumberColumn) and column.decimal == ","


def test_after_an_import_a_column_in_use_is_on_show(opened: Opened, tmp_path: Path) -> None:
    write_dictionary(tmp_path)
    window = opened()
    page = offered(window)
    study = window.session.state.study
    window.session.edit(
        replace(study, columns=tuple(c for c in study.columns if c.name != "ward")), "Leave out"
    )
    page.select("ward")
    page.offer.action.click()
    dialog = page.codebooks.dialog
    assert dialog is not None
    wait_until(dialog.review.isVisible)
    dialog.ok.click()
    state = window.session.state
    needs = [c.name for c in state.study.columns if state.column_problems(c.name)]
    used = [n for n in page.names() if state.study.column(n) is not None]
    assert state.study.column("ward") is None
    assert page.selected == [*(n for n in used if n in needs), *used][0]
    assert window.focusWidget() is page.item(page.selected), "nothing is empty there"


def test_a_table_that_is_a_codebook_is_called_by_its_name_and_the_keyboard_goes_on(
    opened: Opened, tmp_path: Path
) -> None:
    (tmp_path / "codebook.csv").write_text(
        "variable,label,type,unit,min,max\nage,Age,number,years,,\nsmoker,Smoker,,,,\n"
    )
    window = opened()
    study = window.session.state.study
    kept = tuple(c for c in study.columns if c.name not in ("age", "smoker"))
    window.session.edit(replace(study, columns=kept), "Leave out")
    page = offered(window)
    page.offer.action.click()
    dialog = page.codebooks.dialog
    assert dialog is not None
    wait_until(dialog.review.isVisible)
    summary = dialog.review._summary.text()
    assert summary == "codebook.csv: 1 new, 2 others stay unchanged."
    dialog.ok.click()
    assert page.selected == "age"
    assert window.focusWidget() is page.form.numbers["lower"].edit


def test_an_offer_that_was_declined_does_not_come_back(opened: Opened, tmp_path: Path) -> None:
    write_dictionary(tmp_path)
    window = opened()
    page = offered(window)
    button(page.offer, "Not now").click()
    assert not page.offer.isVisible()
    window.go_to("people")
    window.go_to("columns")
    settle()
    assert not page.offer.isVisible()


def test_nothing_is_offered_where_no_codebook_lies(opened: Opened) -> None:
    window = opened()
    page = page_of(window)
    wait_until(lambda: not page.offer.is_looking)
    assert not page.offer.isVisible()
    assert not any("Codebook found" in text for text in texts(window))


def test_nothing_is_offered_of_what_is_declared_already(opened: Opened, tmp_path: Path) -> None:
    dictionary = (line for line in write_dictionary(tmp_path).read_text("utf-8").splitlines())
    (tmp_path / "dictionary.csv").write_text(
        "\n".join(next(dictionary) for _ in range(3)) + "\n", encoding="utf-8"
    )
    page = page_of(opened())
    wait_until(lambda: bool(page.offer.found))
    assert [one.described for one in page.offer.found] == [("age",)]
    assert not page.offer.isVisible()


def test_the_labels_inside_a_file_are_offered(
    open_window: OpenWindow, home: Home, tmp_path: Path
) -> None:
    write_sav(tmp_path / "registry.sav")
    study = replace(STUDY, data=DataSource("registry.sav", format="spss"), columns=())
    window = open_window(
        save_with_account(study, tmp_path / "registry.dpdesk", home), page="columns"
    )
    wait_until(lambda: bool(window.session.state.header))
    window.go_to("columns")
    page = offered(window)
    assert spoken(page.offer).startswith("Labels found: the file itself describes ")


def test_another_file_is_looked_at_anew(opened: Opened, tmp_path: Path) -> None:
    window = opened()
    page = page_of(window)
    wait_until(lambda: not page.offer.is_looking)
    other = tmp_path / "other"
    other.mkdir()
    (other / "registry.csv").write_text(f"{HEADER}\n", encoding="utf-8")
    write_dictionary(other)
    study = window.session.document.study
    window.session.edit(replace(study, data=DataSource("other/registry.csv")), "Choose a file")
    assert offered(window).offer.offered is not None
