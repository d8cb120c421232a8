# SPDX-License-Identifier: Apache-2.0
"""A category's values from the clipboard or a file, undone in one step."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.column_form import ColumnForm
from dpdesk.desk.pages.columns.list_dialog import ListDialog
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.release.places.home import Home
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from tests.desk.conftest import OpenWindow, save_with_account

BEFORE = CategoryColumn("ward", ("old",))


@pytest.fixture
def window(open_window: OpenWindow, home: Home, tmp_path: Path) -> MainWindow:
    (tmp_path / "stays.csv").write_text("id,ward\n1,7\n2,8\n", encoding="utf-8")
    study = Study(data=DataSource("stays.csv"), unit=Unit("id"), columns=(BEFORE,))
    window = open_window(save_with_account(study, tmp_path / "stays.dpdesk", home), page="columns")
    window.go_to("columns")
    return window


@pytest.fixture
def form(window: MainWindow) -> ColumnForm:
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    page.form.show_column("ward")
    page.form.render_state()
    return page.form


def ward(window: MainWindow) -> CategoryColumn:
    column = window.session.state.study.column("ward")
    assert isinstance(column, CategoryColumn)
    return column


def test_a_paste_is_one_step(window: MainWindow, form: ColumnForm) -> None:
    QApplication.clipboard().setText('1\tMale\r\n2\t"Fe\nmale"\r\n\r\n1\tMale\r\n')
    form.lists.paste.click()
    assert (ward(window).values, ward(window).labels) == (("1", "2"), ("Male", "Fe male"))
    assert form.values.text == "1 = Male\n2 = Fe male"
    assert "2" in form.lists.note.sentence
    window.session.document.undo_stack.undo()
    assert ward(window) == BEFORE


def test_what_is_no_list_changes_nothing_and_says_why(window: MainWindow, form: ColumnForm) -> None:
    QApplication.clipboard().setText("1\ta\n1\tb")
    form.lists.paste.click()
    assert "two different names" in form.lists.note.sentence
    assert ward(window) == BEFORE


def chosen(
    form: ColumnForm, path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> ListDialog:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(path), ""))
    form.lists.read.click()
    dialog = form.lists.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: not dialog.note.sentence.startswith("Reading"))
    return dialog


def test_a_workbook_asks_which_sheet_and_columns(
    window: MainWindow, form: ColumnForm, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot,
) -> None:  # fmt: skip
    book = openpyxl.Workbook()
    book.active.append(["About", "Day"])
    book.active.append(["wards", "today"])
    sheet = book.create_sheet("codes")
    for line in (("Name", "Code"), ("North", "n"), ("South", "s")):
        sheet.append(line)
    book.save(tmp_path / "wards.xlsx")
    dialog = chosen(form, tmp_path / "wards.xlsx", monkeypatch, qtbot)
    dialog.sheet.picked.emit("codes")
    qtbot.waitUntil(lambda: dialog.ok.isEnabled() and dialog.sheet.key == "codes")
    dialog.codes.set_choices([("0", "Name"), ("1", "Code")], "1")
    dialog.names.set_choices([("", "None"), ("0", "Name"), ("1", "Code")], "0")
    dialog.codes.picked.emit("1")
    dialog.ok.click()
    assert (ward(window).values, ward(window).labels) == (("n", "s"), ("North", "South"))
    window.session.document.undo_stack.undo()
    assert ward(window) == BEFORE


def test_the_data_file_is_refused(
    window: MainWindow, form: ColumnForm, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot,
) -> None:  # fmt: skip
    dialog = chosen(form, tmp_path / "stays.csv", monkeypatch, qtbot)
    assert "one of the study’s files" in dialog.note.sentence
    assert not dialog.ok.isEnabled()
    dialog.accept()
    assert ward(window) == BEFORE
    dialog.reject()
