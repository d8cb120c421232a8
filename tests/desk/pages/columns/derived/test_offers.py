# SPDX-License-Identifier: Apache-2.0
"""Values of people that are one press away, by names and declarations alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.model.columns import YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.steps.step import BesideRow, OfPerson, TimeBetween
from dpdesk.study.model.unit import Unit
from tests.desk.conftest import OpenWindow
from tests.desk.pages.columns.derived.derived_study import open_page
from tests.desk.screens import settle

BACK = YesNoColumn("back", ("<30",), ("NO", ">30"), title="Readmitted within 30 days")


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    page = open_page(open_window, tmp_path)
    columns = (*page.state.study.columns, BACK)
    unit = Unit("id", 3, person_name="patient", person_names="patients")
    page.session.edit(replace(page.state.study, unit=unit, columns=columns), "people")
    settle()
    return page


def offered(page: ColumnsPage, name: str) -> dict[str, object]:
    page.select(name)
    return {link.text(): link for link in page.form.derived.links}


def press(page: ColumnsPage, name: str, text: str) -> None:
    found = offered(page, name)
    found[text].click()  # type: ignore[attr-defined]
    assert page.dialog is not None and page.dialog.ok.isEnabled(), page.dialog.note.sentence
    page.dialog.ok.click()
    settle()


def test_whether_a_patient_ever_had_it(page: ColumnsPage) -> None:
    press(page, "back", "Ever readmitted within 30 days, by patient…")
    made = page.state.study.columns[-1]
    assert made.name == "Ever readmitted within 30 days"
    assert made.made_from == OfPerson("any", where=(IsIn("back", ("<30",)),))
    assert not page.state.column_problems(made.name)
    assert page.form.derived.edit.isVisibleTo(page), "it is changed where it was made"
    page.form.derived.edit.click()
    assert page.dialog is not None and page.dialog.column == made


def test_the_days_since_the_discharge_before_bring_what_they_need(page: ColumnsPage) -> None:
    press(page, "adm", "Days since the previous Discharge…")
    before, since = page.state.study.columns[-2:]
    assert before.made_from == BesideRow("previous", "adm", "dis")
    assert since.made_from == TimeBetween((before.name, "adm"))
    assert not page.state.column_problems(since.name)
    page.session.document.undo_stack.undo()
    settle()
    assert before.name not in page.state.study.by_name, "one step of Undo takes back both"


def test_what_is_no_longer_needed_is_not_declared(page: ColumnsPage) -> None:
    """Somebody takes another kind of column in the dialog that was offered."""
    offered(page, "adm")["Days since the previous Discharge…"].click()  # type: ignore[attr-defined]
    dialog = page.dialog
    assert dialog is not None
    dialog.kinds[-1].segment("person").click()
    assert dialog.ok.isEnabled(), dialog.note.sentence
    dialog.ok.click()
    made = page.state.study.columns[-1]
    assert isinstance(made.made_from, OfPerson)
    assert not any(isinstance(one.made_from, BesideRow) for one in page.state.study.columns)


def test_without_a_person_column_nothing_of_a_person_is_offered(page: ColumnsPage) -> None:
    page.session.edit(replace(page.state.study, unit=Unit()), "people")
    settle()
    assert not offered(page, "back")
    assert not any("previous" in text for text in offered(page, "adm"))
