# SPDX-License-Identifier: Apache-2.0
"""A codebook beside the files of a further table is offered for the columns of that table alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.data.codebook.write import write_schema
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, Unit
from tests.desk.conftest import OpenWindow
from tests.desk.pages.columns.codebook.test_codebook_offer import page_of, spoken
from tests.desk.screens import settle, wait_until

CODES = "name,type,min,max,values\npid,text,,,\nvalue,number,0,20,\nkind,text,,,a; b\n"


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    """Stays, and laboratory values in a folder of their own, with a column of the same name."""
    labs = tmp_path / "labs"
    labs.mkdir()
    (tmp_path / "stays.csv").write_text("pid,kind\n1,x\n", encoding="utf-8")
    (labs / "labs.csv").write_text("pid,value,kind\n1,5,a\n", encoding="utf-8")
    (labs / "codebook.csv").write_text(CODES, encoding="utf-8")
    page = page_of(open_window(tmp_path / "stays.csv", page="columns"))
    study = replace(
        page.state.study,
        unit=Unit("pid", 3),
        tables=(FurtherTable("labs", DataSource(str(labs / "labs.csv")), "pid"),),
    )
    page.session.edit(study, "tables")
    settle()
    return page


def test_it_declares_columns_of_its_table_and_no_other(page: ColumnsPage) -> None:
    wait_until(page.offer.isVisible)
    assert spoken(page.offer).endswith("codebook.csv describes 2 of 3 columns of labs.")
    page.offer.action.click()
    dialog = page.codebooks.dialog
    assert dialog is not None
    wait_until(dialog.review.isVisible)
    assert dialog.of.key == "labs"
    dialog.ok.click()
    settle()
    number, kind = page.state.study.columns
    assert isinstance(number, NumberColumn) and isinstance(kind, CategoryColumn)
    assert (number.name, number.table, number.in_file) == ("value", "labs", "")
    assert (kind.name, kind.table, kind.in_file) == ("kind (labs)", "labs", "kind")
    assert kind.values == ("a", "b") and number.origin.codebook
    assert page.state.file_problems == ()
    assert not page.offer.isVisible()
    page.session.document.undo_stack.undo()
    assert page.state.study.columns == () and page.offer.isVisible()


def test_what_is_not_wanted_of_one_table_is_not_offered_again(page: ColumnsPage) -> None:
    wait_until(page.offer.isVisible)
    page.offer.second_pressed.emit()
    assert not page.offer.isVisible()
    assert [one.wanted.of for one in page.offer.found] == ["labs"]


def test_a_codebook_that_was_exported_comes_back_at_its_table(
    page: ColumnsPage, tmp_path: Path
) -> None:
    kind = CategoryColumn("kind (labs)", ("a", "b"), table="labs", in_file="kind")
    other = CategoryColumn("kind", ("x",))
    (tmp_path / "labs" / "codebook.csv").unlink()
    write_schema(Study(columns=(other, kind)), tmp_path / "labs" / "codebook.json")
    page.session.reread_header()
    page.offer._place = None
    page.offer.render_state()
    wait_until(page.offer.isVisible)
    page.offer.action.click()
    dialog = page.codebooks.dialog
    assert dialog is not None
    wait_until(dialog.review.isVisible)
    dialog.ok.click()
    settle()
    (column,) = page.state.study.columns
    assert (column.name, column.table, column.header) == ("kind (labs)", "labs", "kind")
    assert isinstance(column, CategoryColumn) and column.values == ("a", "b")
