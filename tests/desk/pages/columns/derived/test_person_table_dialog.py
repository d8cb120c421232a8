# SPDX-License-Identifier: Apache-2.0
"""One row per person: several sentences, what each can be, and one step of Undo."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.columns.derived.person_rows import PersonRow
from dpdesk.desk.pages.columns.derived.person_table_dialog import PersonTableDialog
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.steps.step import OfPerson
from dpdesk.study.model.unit import Unit
from tests.desk.conftest import OpenWindow
from tests.desk.pages.columns.derived.derived_study import open_page
from tests.desk.pages.columns.derived.test_column_dialog import begin, name
from tests.desk.screens import settle


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> ColumnsPage:
    page = open_page(open_window, tmp_path)
    unit = Unit("id", 3, person_name="patient", person_names="patients")
    page.session.edit(replace(page.state.study, unit=unit), "people")
    settle()
    return page


def opened(page: ColumnsPage, qtbot: QtBot) -> PersonTableDialog:
    dialog = begin(page, "person")
    name(dialog, "Number of stays", qtbot)
    dialog.several.click()
    assert not dialog.isVisible()
    assert page.people is not None
    return page.people


def pick(row: PersonRow, chip: str, text: str) -> None:
    row.sentence.chip(chip).click()
    popup = row.sentence.popup
    assert popup is not None
    found = [popup.list.item(at) for at in range(popup.list.count())]
    popup.list.setCurrentItem(next(one for one in found if one.text() == text))
    popup.list.itemActivated.emit(popup.list.currentItem())


def test_several_values_are_made_in_one_step_of_undo(page: ColumnsPage, qtbot: QtBot) -> None:
    before = page.state.study
    dialog = opened(page, qtbot)
    assert dialog.rows[0].name.text() == "Number of stays", "what was begun stays"
    dialog.rows[0].most.selectAll()
    qtbot.keyClicks(dialog.rows[0].most, "9")
    dialog.add.click()
    row = dialog.rows[1]
    pick(row, "what", "mean of")
    assert not dialog.ok.isEnabled()
    pick(row, "column", "kg")
    qtbot.keyClicks(row.name, "Number of stays")
    assert "Number of stays" in dialog.note.sentence and not dialog.ok.isEnabled()
    qtbot.keyClicks(row.name, " 2")
    assert dialog.ok.isEnabled(), dialog.note.sentence
    assert dialog.rows[0].card_words()[1:] == ("0 to 9", "more than 9 count as 9")
    dialog.ok.click()
    settle()
    count, mean = page.state.study.columns[-2:]
    assert (count.made_from, mean.made_from) == (OfPerson("count"), OfPerson("mean", "kg"))
    assert isinstance(count, NumberColumn) and isinstance(mean, NumberColumn)
    assert (count.upper, mean.lower, mean.upper, mean.step) == (9, 20, 200, 1)
    assert not [one for one in check(page.state.study) if one.path.startswith("$.columns")]
    page.session.document.undo_stack.undo()
    settle()
    assert page.state.study.columns == before.columns


def test_a_row_can_go_again_and_without_any_nothing_is_added(
    page: ColumnsPage, qtbot: QtBot
) -> None:
    dialog = opened(page, qtbot)
    dialog.rows[0].remove.click()
    assert not dialog.rows and not dialog.ok.isEnabled()
    assert dialog.focusWidget() is dialog.add


def test_the_comparison_is_of_the_row_limit_alone(page: ColumnsPage, qtbot: QtBot) -> None:
    rows, people = opened(page, qtbot).comparison.margins
    assert 2.8 < rows / people < 3.2, "three rows per patient, or one"
    unit = replace(page.state.study.unit or Unit(), max_rows=1)
    page.session.edit(replace(page.state.study, unit=unit), "people")
    settle()
    assert page.people is not None
    page.people.reject()
    assert opened(page, qtbot).comparison.isHidden()


def test_several_are_offered_of_a_person_only(page: ColumnsPage) -> None:
    dialog = begin(page, "beside")
    assert dialog.several.isHidden()
    page.session.edit(replace(page.state.study, unit=Unit()), "people")
    dialog.reject()
    settle()
    assert begin(page, "person").several.isHidden()


def test_on_a_narrow_screen_all_of_it_is_on_show(
    page: ColumnsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on one of 1366 pixels at 200 %, where German words need 60 more than these."""
    narrow = QRect(0, 0, 620, 700)
    monkeypatch.setattr(PersonTableDialog, "_room", lambda _dialog, _needed: narrow)
    dialog = opened(page, qtbot)
    settle()
    assert narrow.contains(dialog.geometry())
    for shown in (dialog.ok, dialog.rows[0].remove):
        assert not shown.visibleRegion().isEmpty()
