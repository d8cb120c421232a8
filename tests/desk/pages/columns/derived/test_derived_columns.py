# SPDX-License-Identifier: Apache-2.0
"""The columns' page shows columns that are made from others, and keeps what they need."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.pages.columns.derived.derived_edits import put_column
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.steps.step import CodePrefix, RecodeEntry
from tests.desk.conftest import OpenWindow
from tests.desk.pages.columns.derived.derived_study import STAY, open_page


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    return open_page(open_window, tmp_path, STAY)


def test_a_derived_column_is_listed_edited_removed_and_brought_back(page: ColumnsPage) -> None:
    assert not page.state.file_problems, "the file need not have it"
    assert page.names()[-1] == "stay"
    item = page.item("stay")
    assert (item.text(), item.second_line) == ("Length of stay", "from Admission, Discharge")
    assert item.accessibleName() == "Length of stay, from Admission, Discharge"
    page.select("stay")
    form = page.form
    assert "days from Admission to Discharge" in form.derived.recipe.text()
    assert not form.kind.isEnabled()
    assert not form.decimal.isVisible()
    form.numbers["upper"].edited.emit("30")
    form.release_name.edited.emit("Stay")
    column = page.state.study.column("stay")
    assert isinstance(column, NumberColumn)
    assert (column.upper, column.title, column.made_from) == (30, "Stay", STAY.made_from)
    form.used.click()
    assert "stay" not in page.names()
    page.session.document.undo_stack.undo()
    assert page.state.study.column("stay") == column


def test_a_column_that_another_is_made_of_stays_declared(page: ColumnsPage) -> None:
    page.select("adm")
    assert "Length of stay" in page.form.derived.needed.sentence
    assert not page.form.used.isEnabled()
    page.choose(["adm", "kg"])
    assert "Length of stay" in page.many.needed.sentence
    page.many.switch_off.click()
    assert page.state.study.column("adm") is not None
    assert page.state.study.column("kg") is None
    page.choose(["adm", "stay"])
    page.many.switch_off.click()
    assert page.state.study.column("adm") is None, "nothing needs it any more"


def test_no_other_kind_makes_a_derived_column_one_of_the_file(page: ColumnsPage) -> None:
    page.choose(["kg", "stay"])
    assert not page.many.kind.isEnabled()
    changed = study_edits.set_kind(page.state.study, ["kg", "stay"], "category")
    assert changed.column("stay") == STAY


def test_what_a_derived_column_lacks_is_said_with_it(page: ColumnsPage) -> None:
    study = page.state.study
    kept = tuple(c for c in study.columns if c.name != "dis")
    page.session.edit(study_edits.replace(study, columns=kept), "")
    page.select("stay")
    assert "dis" in page.form.derived.wrong.sentence
    assert page.state.column_problems("stay")


def test_the_file_is_asked_again_where_codes_come_from_another_column(page: ColumnsPage) -> None:
    def from_codes(header: str) -> None:
        step = CodePrefix(header, (RecodeEntry("heart", ("I",)),))
        made = CategoryColumn("chapter", ("heart",), made_from=step)
        page.session.edit(put_column(page.state.study, made), "")

    from_codes("gone")
    assert [problem.params["name"] for problem in page.state.file_problems] == ["gone"]
    from_codes("icd10")
    assert not page.state.file_problems
