# SPDX-License-Identifier: Apache-2.0
"""The label of a file as a column: of the main table's files, and of a further table's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.desk.core.edits import table_edits
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.steps.step import FileLabel
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource
from tests.desk.conftest import OpenWindow
from tests.desk.pages.columns.derived.derived_study import open_page
from tests.desk.pages.columns.derived.test_column_dialog import begin, name, pick
from tests.desk.screens import settle

LABS = DataSource("2023.csv", label="2023", more=(DataSource("2024.csv", label="2024"),))
ONE = DataSource("one.csv")


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    page = open_page(open_window, tmp_path)
    tables = (FurtherTable("one", ONE, "pid"), FurtherTable("labs", LABS, "pid"))
    page.session.edit(replace(page.state.study, tables=tables), "tables")
    settle()
    return page


def made(page: ColumnsPage) -> CategoryColumn:
    column = page.state.study.columns[-1]
    assert isinstance(column, CategoryColumn)
    return column


def test_the_label_of_a_further_tables_file_is_a_column(page: ColumnsPage, qtbot: object) -> None:
    dialog = begin(page, "label")
    name(dialog, "Year of the value", qtbot)  # type: ignore[arg-type]
    assert dialog.ok.isEnabled()
    dialog.accept()
    settle()
    column = made(page)
    assert (column.table, column.values) == ("labs", ("2023", "2024"))
    assert column.made_from == FileLabel()
    problems = [p for p in page.state.checked if p.path.startswith("$.columns")]
    assert problems == []


def test_whose_files_they_are_is_chosen_and_what_they_lack_is_said(page: ColumnsPage) -> None:
    data = replace(page.state.study.data or ONE, label="a", more=(replace(ONE, label="b"),))
    page.session.edit(replace(page.state.study, data=data), "files")
    settle()
    dialog = begin(page, "label")
    assert isinstance(dialog.column, CategoryColumn)
    assert (dialog.column.table, dialog.column.values) == ("", ("a", "b"))
    pick(dialog, "table", "labs")
    assert (dialog.column.table, dialog.column.values) == ("labs", ("2023", "2024"))
    pick(dialog, "table", "one")
    assert not dialog.ok.isEnabled() and dialog.note.isVisibleTo(dialog)


def test_a_column_of_labels_follows_them(page: ColumnsPage) -> None:
    column = CategoryColumn("year", ("2023", "2024"), made_from=FileLabel(), table="labs")
    study = replace(page.state.study, columns=(column,))
    first, second = LABS.files
    study = table_edits.set_files(study, "labs", [first, replace(second, label="late 2024")])
    assert study.columns == (replace(column, values=("2023", "late 2024")),)
    merged = replace(column, values=("2024", "2023"))
    study = replace(study, columns=(merged,))
    study = table_edits.set_files(study, "labs", [first, replace(second, label="x")])
    assert study.columns == (merged,), "an order of one's own is left to whoever chose it"
