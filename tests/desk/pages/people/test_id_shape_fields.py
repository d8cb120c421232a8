# SPDX-License-Identifier: Apache-2.0
"""People: what an ID looks like is declared, and what is wrong with it is said at its field."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.people.id_shape_fields import ANY_CELL
from dpdesk.desk.pages.people.page import PeoplePage
from dpdesk.study.model.unit import IdShape, Unit
from tests.desk.conftest import OpenWindow
from tests.desk.pages.people.test_people_page import people_page, type_into


@pytest.fixture
def page(open_window: OpenWindow, tmp_path: Path) -> PeoplePage:
    (tmp_path / "data.csv").write_text("patient_id,age\n1,2\n", encoding="utf-8")
    page = people_page(open_window(tmp_path / "data.csv"))
    page.session.edit(replace(page.state.study, unit=Unit("patient_id", 3)), "people")
    return page


def shape_of(page: PeoplePage) -> IdShape | None:
    unit = page.session.document.study.unit
    return None if unit is None else unit.id_shape


def test_any_cell_is_an_id_until_somebody_says_what_one_looks_like(
    page: PeoplePage, qtbot: QtBot
) -> None:
    fields = page.id_shape
    assert shape_of(page) is None and not fields.prefix.isVisibleTo(page)
    fields.of.picked.emit("digits")
    type_into(qtbot, fields.prefix, "P")
    type_into(qtbot, fields.ends["longest"], "6")
    type_into(qtbot, fields.ends["shortest"], "6")
    assert shape_of(page) == IdShape("P", "digits", 6, 6)
    fields.of.picked.emit(ANY_CELL)
    assert shape_of(page) is None


def test_what_is_no_number_is_said_at_its_field_and_keeps_the_page(
    page: PeoplePage, qtbot: QtBot
) -> None:
    fields = page.id_shape
    fields.of.picked.emit("letters-digits")
    type_into(qtbot, fields.ends["longest"], "x")
    assert fields.ends["longest"].error and shape_of(page) == IdShape(of="letters-digits")
    assert page.footer.primary is not None and not page.footer.primary.isEnabled()
    type_into(qtbot, fields.ends["longest"], "8")
    assert not fields.ends["longest"].error


def test_lengths_the_wrong_way_round_are_said_at_their_field(
    page: PeoplePage, qtbot: QtBot
) -> None:
    fields = page.id_shape
    fields.of.picked.emit("any")
    type_into(qtbot, fields.ends["longest"], "2")
    type_into(qtbot, fields.ends["shortest"], "5")
    assert fields.ends["longest"].error
    type_into(qtbot, fields.prefix, "a b")
    assert fields.prefix.error


def test_where_every_row_is_a_person_there_is_no_shape(page: PeoplePage, qtbot: QtBot) -> None:
    page.id_shape.of.picked.emit("digits")
    qtbot.mouseClick(page.single, Qt.MouseButton.LeftButton)
    assert shape_of(page) is None and not page.id_shape.isVisibleTo(page)
